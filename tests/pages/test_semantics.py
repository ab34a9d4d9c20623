"""The page Semantics, and the other pages on a run of semantic graphs, without a browser."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.drawing import draw
from evaltools.frameworks.semantics.edm_rules import EdmRules, parse_weights
from evaltools.frameworks.semantics.reweighting import (
    patterns_of,
    read_weights,
    reweighted,
    weights_file,
    written_weights,
)
from evaltools.outputs.html_report import html_report
from tests.pages.semantic_corpus import HOSTILE_PARSER, score_graphs, write_graphs
from tests.pages.shown import blocks, marked, panels, said
from tests.runs.semantic_files import mrp, saw, sleeps

Open = Callable[..., AppTest]
OpenOn = Callable[..., Open]
ROOT = Path(__file__).resolve().parents[2]
PATTERNS = '[["role","ARG*",3],["predicate","*_q",0]]'


@pytest.fixture
def open_graphs(open_on: OpenOn) -> Open:
    return open_on(score_graphs)


def board(app: AppTest) -> Any:
    return next(one.value for one in app.main.dataframe if "parser" in one.value.columns).set_index("parser")


def lost(app: AppTest) -> Any:
    tables = [one.value for one in app.main.dataframe]
    return next(one for one in tables if "group" in one.columns or {"gold", "test", "cost"} <= set(one.columns))


@pytest.mark.parametrize("parser", ["better", HOSTILE_PARSER, "lists"])
@pytest.mark.parametrize("sentence", range(1, 7))
def test_every_sentence_is_shown(open_graphs: Open, parser: str, sentence: int):
    app = open_graphs("sentence", parser=parser, sentence=str(sentence))
    assert not app.error
    (line,) = said(app, "answer")
    assert line.startswith(f"Sentence {sentence}, {parser} compared with gold:")


def test_the_answer_the_leaderboard_and_the_pairs(open_graphs: Open):
    app = open_graphs("semantics")
    assert "100.00 % EDM (F1): better has the highest" in said(app, "answer")[0]
    assert "is not significant" in said(app, "answer")[0]  # four sentences
    assert board(app).loc["better", "edm"] == pytest.approx(100)
    assert "words_differ" not in board(app)
    pairs = next(one.value for one in app.main.dataframe if "significant" in one.value.columns)
    assert len(pairs) == 3
    assert (pairs["difference"] >= 0).all()


@pytest.mark.slow
def test_one_parser_and_few_metrics_make_a_page(open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    files = write_graphs(tmp_path)
    run = evaltools.score(
        files["gold"], {"one": files["worse"]}, metrics=["edm_a", "edm_exact"], out=tmp_path / "a.run"
    )
    monkeypatch.setattr("sys.argv", ["app.py", str(run.path)])
    for page in ("semantics", "overview", "hotspots", "worst_parses", "disagreement", "sentence"):
        app = open_app(page)
        assert not app.error
    app = open_app("semantics", classes="1~2~0~0~0")
    assert said(app, "answer")[0] == "With the weights of this page: 89.36 % EDM, arguments (F1): one."


def test_missing_analyses_count_by_default_in_figures_and_lost_triples_alike(open_graphs: Open):
    scored, every = (board(open_graphs("semantics", **query)) for query in ({"over": "scored"}, {}))
    assert every.loc[HOSTILE_PARSER, "edm"] < scored.loc[HOSTILE_PARSER, "edm"]
    of_page = {page: lost(open_graphs(page, parser=HOSTILE_PARSER, view="role")) for page in ("semantics", "hotspots")}
    parsed = lost(open_graphs("hotspots", parser=HOSTILE_PARSER, view="role", over="scored"))
    assert of_page["semantics"]["cost"].sum() == of_page["hotspots"]["cost"].sum() > parsed["cost"].sum()


@pytest.mark.slow
def test_weights_are_taken_from_the_link_and_figures_follow(open_graphs: Open, scored: Any):
    app = open_graphs("semantics", parser=HOSTILE_PARSER, view="value", classes="1~1~0.5~0~0", patterns=PATTERNS)
    assert said(app, "answer")[0].startswith("With the weights of this page: ")
    run = scored(score_graphs)
    rules = read_weights(run.edm_rules, "1~1~0.5~0~0", PATTERNS)
    expected = reweighted(run, rules).query("metric == 'edm'").set_index("parser")["pooled_all"]
    for parser in run.parsers:
        assert board(app).loc[parser, "edm"] == pytest.approx(100 * expected[parser])
    assert app.query_params["patterns"] == PATTERNS
    assert lost(app)["cost"].sum() < lost(open_graphs("semantics", parser=HOSTILE_PARSER, view="value"))["cost"].sum()
    app = open_graphs("semantics", classes="1~1~0.5~0~0", patterns=PATTERNS)
    app.button(key="weights_reset").click().run()
    assert "classes" not in app.query_params
    assert "patterns" not in app.query_params
    assert "EDM (F1): better has the highest" in said(app, "answer")[0]


def test_a_weight_that_is_changed_stands_in_the_link(open_graphs: Open):
    app = open_graphs("semantics")
    before = board(app).loc[HOSTILE_PARSER, "edm"]
    app.number_input(key="weight_properties").set_value(0.0).run()
    assert app.query_params["classes"] == "1~1~0~0~0"
    assert board(app).loc[HOSTILE_PARSER, "edm"] != before
    assert board(app).loc[HOSTILE_PARSER, "edm"] == pytest.approx(board(app).loc[HOSTILE_PARSER, "edm_na"])


def test_hostile_names_are_groups_and_stand_in_the_link(open_graphs: Open):
    app = open_graphs("hotspots", parser=HOSTILE_PARSER, view="predicate", group="*q*")
    assert {"*q*", "*x*"} <= set(lost(app)["group"])
    assert any(one.value == "Sentence 2" for one in app.subheader)
    app = open_graphs("hotspots", parser=HOSTILE_PARSER, view="confusion", show="table")
    assert set(zip(lost(app)["gold"], lost(app)["test"], strict=True)) >= {("*q*", "*x*"), ("_bark_v_1", "_bark_n_1")}


@pytest.mark.parametrize(("view", "cost"), [("confusion", 2), ("roles", 1), ("predicate", 1)])
def test_examples_have_a_picture_of_the_repair_and_what_the_error_costs(open_graphs: Open, view: str, cost: int):
    app = open_graphs("hotspots", parser=HOSTILE_PARSER, view=view, show="table")
    rows = lost(app)
    assert rows["cost"].is_monotonic_decreasing
    assert rows["share"].max() <= 100
    (listed,) = blocks(app, "sentences")
    _, (_, _, drawn), remark, figure = listed["rows"][0]
    assert remark
    assert drawn
    assert all("marked" in svg for _, svg in drawn)
    assert figure == f"{cost} lost triple{'s' if cost > 1 else ''}"
    assert blocks(app, "legend")


def test_lists_of_analyses_have_a_chart(open_graphs: Open):
    app = open_graphs("semantics", parser="lists")
    assert any("up to each rank" in text for text in said(app, "note"))
    assert len(app.get("arrow_vega_lite_chart")) + len(app.get("vega_lite_chart")) >= 1
    app = open_graphs("semantics", parser="better")
    assert "better gives one analysis of a sentence." in said(app, "note")


def test_the_pair_of_graphs_is_chosen(open_graphs: Open):
    query = {"parser": HOSTILE_PARSER, "other": "lists", "sentence": "6"}
    lines = [
        next(
            text
            for text in said(open_graphs("semantics", **query, graphs=pair), "answer")
            if text.startswith("Sentence")
        )
        for pair in ("", "other", "both")
    ]
    assert [line.partition(": ")[0] for line in lines] == [
        f"Sentence 6, {HOSTILE_PARSER} compared with gold",
        "Sentence 6, lists compared with gold",
        f"Sentence 6, {HOSTILE_PARSER} compared with lists",
    ]


def test_a_lost_predicate_has_its_sentence_and_graphs_and_the_next_ones_follow(open_graphs: Open):
    app = open_graphs("semantics", parser=HOSTILE_PARSER, view="predicate", group="*q*", over="scored")
    (listed,) = blocks(app, "sentences")
    assert [words for _, (words, *_), *_ in listed["rows"]] == [
        ["<script>alert[1]</script>", "**bold**", "$x$", ":red[x]"]
    ]
    assert any(text.startswith(f"Sentence 2, {HOSTILE_PARSER} compared with gold") for text in said(app, "answer"))
    assert "*q*" in str(panels(app))
    app.selectbox(key="url_other").select("lists").run()
    app.button(key="go_Next").click().run()
    assert app.query_params["sentence"] == "3"
    assert any(text.startswith(f"Sentence 3, {HOSTILE_PARSER} compared with gold") for text in said(app, "answer"))


def test_other_runs_are_told_what_the_page_needs(open_app: Open):
    app = open_app("semantics")
    assert app.button(key="mrs_sample").label == "Open the sample of semantic graphs"


def test_the_worst_sentences_by_edm_come_first(open_graphs: Open):
    app = open_graphs("worst_parses", parser=HOSTILE_PARSER)
    assert app.main.dataframe[-1].value["n_errors"].dropna().is_monotonic_decreasing
    assert "has 8 lost triples in 4 words" in said(app, "answer")[0]
    app = open_graphs("worst_parses", parser=HOSTILE_PARSER, order="worst")
    assert app.selectbox(key="url_metric").value == "edm"
    shown = app.main.dataframe[-1].value
    assert shown["edm"].dropna().is_monotonic_increasing
    app = open_graphs("worst_parses", parser=HOSTILE_PARSER, label="*x*")
    assert app.main.dataframe[-1].value["sentence"].tolist() == [2]


def test_the_overview_ranks_by_classes_of_triples(open_graphs: Open):
    app = open_graphs("overview")
    assert "100.00 % EDM (F1): better has the highest" in said(app, "answer")[0]
    assert "EDM" not in {one.value for one in app.subheader}
    assert {"edm", "edm_na", "edm_n", "edm_a", "edm_p"} <= set(board(app).columns)


def test_weights_are_written_and_read_again():
    usual = EdmRules("dridan-oepen-2011")
    rules = read_weights(usual, "1~0.3333333333~2~0~1", '[["role","ARG\\"[1]",0.1],["property","\\u007f",2]]')
    assert patterns_of(rules) == [("role", 'ARG"[1]', 0.1), ("property", "\x7f", 2.0)]
    again = written_weights(rules, usual)
    assert read_weights(usual, again["classes"] or "", again["patterns"] or "") == rules
    assert written_weights(usual, usual) == {"classes": None, "patterns": None}
    text = weights_file(rules)
    assert tomllib.loads(text)["roles"] == {'ARG"[1]': 0.1}
    read = parse_weights(text, "weights.toml")
    assert (read.classes, read.roles, read.properties) == (rules.classes, rules.roles, rules.properties)


def score_bare(folder: Path) -> evaltools.Run:
    without = [replace(one, nodes=tuple(replace(node, anchors=()) for node in one.nodes)) for one in (sleeps(), saw())]
    graphs = folder / "graphs.mrp"
    graphs.write_text(mrp(*zip("ab", without, strict=True)), "utf-8")
    return evaltools.score(graphs, {"p": graphs, "q": graphs}, out=folder / "bare.run")


@pytest.fixture
def bare_run(scored: Any, tmp_path: Path) -> evaltools.Run:
    return scored(score_bare)


def test_graphs_without_spans_are_undefined(open_on: OpenOn, bare_run: evaltools.Run):
    app = open_on(bare_run)("sentence")
    assert "no node of the gold or parse graph has a span" in " ".join(said(app, "answer"))


def test_graphs_without_spans_are_reported_as_undefined(bare_run: evaltools.Run):
    assert "<td>100.00</td>" not in html_report(bare_run)
    a = bare_run.graphs(1, "p")
    assert draw(a, "text").splitlines()[1] == "EDM is undefined: no node of the gold or parse graph has a span"


def test_the_marked_sentence_stands_above_the_graphs(open_graphs: Open):
    app = open_graphs("sentence", parser=HOSTILE_PARSER, sentence="1")
    (shown,) = marked(app)
    told = [(one["phrase"], one["text"], one["share"]) for one in shown["verdicts"]]
    assert ("“barks”", "is _bark_n_1, should be _bark_v_1", 2) in told
    assert ("_bark_v_1 “barks”", "lacks ARG1 “dog”", 1) in told
    assert (shown["unit"], shown["keys"]) == ("wrong triples", ["a", "s", "v"])
    assert shown["total"] == sum(share for *_, share in told)
    assert len(marked(open_graphs("sentence", parser=HOSTILE_PARSER, sentence="1", trees="0"))) == 1
    for sentence in ("3", "4"):
        assert not marked(open_graphs("sentence", parser=HOSTILE_PARSER, sentence=sentence))
