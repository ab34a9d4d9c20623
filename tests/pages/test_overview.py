"""The *Overview* page, without a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.app import report as leaderboard_page
from evaltools.outputs.pictures import file_name
from tests.pages.shown import blocks, said
from tests.pages.tiny import HOSTILE_PARSER, write_files

Open = Callable[..., AppTest]
OpenOn = Callable[..., Open]
Score = Callable[..., evaltools.Run]
AHEAD = ["ahead", "sure"]


def board_of(app: AppTest) -> Any:
    return app.main.dataframe[0].value


def test_the_page_says_which_parser_has_the_highest_figure_and_that_it_is_not_sure(open_app: Open):
    app = open_app("overview")
    assert app.header[0].value == "Overview"
    answer = said(app, "answer")[0]
    assert " % Bracketing F1: better is best" in answer
    parsed = said(open_app("overview", over="scored"), "answer")[0]
    assert " % Bracketing F1: better has the highest" in parsed  # too few sentences for more
    assert "is not significant" in parsed
    ranks = said(open_app("overview", open="ranks"), "answer")
    assert "better has the highest figure on all 14 variants." in ranks


def test_the_leaderboard_has_the_figures_of_the_run(open_app: Open, tiny_run: evaltools.Run):
    shown = board_of(open_app("overview"))
    assert shown["parser"].tolist() == ["better", HOSTILE_PARSER]
    summary = tiny_run.summary().set_index(["parser", "metric"])
    for row in shown.to_dict("records"):
        for metric in ("f1", "ted", "la"):
            assert row[metric] == pytest.approx(100 * summary.loc[(row["parser"], metric), "pooled_all"])
    assert shown["no_parse"].tolist()[1] >= 1


def test_the_default_columns_and_the_order_of_the_parsers(open_app: Open, tiny_run: evaltools.Run):
    shown = board_of(open_app("overview"))
    columns = ["f1", "exact", "ted", "la", "errors"]
    assert columns == tiny_run.table_metrics[:5]
    assert list(shown.columns) == ["parser", "f1", "bar", *columns[1:], "no_parse", *AHEAD]
    assert shown["f1"].is_monotonic_decreasing
    other = board_of(open_app("overview", columns="crossing,exact"))
    assert other["parser"].tolist() == shown["parser"].tolist()


def test_the_page_names_error_types_of_the_chosen_parser(open_app: Open):
    app = open_app("overview")
    assert ": better is best" in said(app, "answer")[0]
    assert "better has no errors." in said(app, "answer")
    app.selectbox(key="url_parser").set_value(HOSTILE_PARSER).run()
    assert any(text.startswith(f"Wrong brackets of {HOSTILE_PARSER} by error type: ") for text in said(app, "answer"))


def test_the_page_has_the_ways_on_and_what_is_read_rarely_is_folded(open_app: Open):
    app = open_app("overview", metric="")
    links = {link.proto.label: link.proto for link in app.get("page_link")}
    assert links["Where metrics disagree"].page == "disagreement"
    assert links["Possible errors in the gold trees"].page == "hotspots"
    assert "view=suspects" in links["Possible errors in the gold trees"].query_string
    assert not [block for block in blocks(app) if block["type"] == "formulas"]
    assert "Bracketing F1 of better" in [item.label for item in app.expander]
    assert not any("holm" in table.value for table in app.main.dataframe)
    app.button(key="go_significance").click().run()
    assert any("holm" in table.value for table in app.main.dataframe)
    assert app.query_params["open"] == "significance"
    opened = open_app("overview", open="explanation")
    assert [block for block in blocks(opened) if block["type"] == "formulas"]


def test_the_errors_of_the_chosen_parser_have_pictures_and_links(open_app: Open):
    app = open_app("overview", parser=HOSTILE_PARSER)
    assert any(text.startswith(f"Wrong brackets of {HOSTILE_PARSER} by error type: ") for text in said(app, "answer"))
    assert [block["heading"] for block in blocks(app, "picture")]
    links = [link.proto.query_string for link in app.get("page_link") if link.proto.label == "Examples"]
    assert links
    assert all("group=" in link and "view=errors" in link and "parser=" in link for link in links)


@pytest.mark.parametrize(("name", "text"), [("distribution", "Bands are 95 % intervals"), ("pair", "Effect size d_z")])
def test_a_section_is_computed_only_while_it_is_open(open_app: Open, name: str, text: str):
    assert not any(text in item for item in said(open_app("overview"), "note"))
    app = open_app("overview", open=name)
    assert any(text in item for item in said(app, "note"))


def test_the_distribution_names_sentences_with_nothing_to_count(open_app: Open, open_on: OpenOn, score_texts: Score):
    trees = "(TOP (S (NP (A a)) (VP (B b))))\n(TOP (C c))\n"
    text = "Undefined: parsed sentences with nothing to count"
    assert not any(text in item for item in said(open_app("overview", open="distribution"), "note"))
    app = open_on(score_texts(trees, {"format": "ptb"}, same=trees))("overview", open="distribution")
    assert any(text in item for item in said(app, "note"))
    assert "1 undefined" in str([chart.proto for chart in app.get("vega_lite_chart")])


def test_bars_are_as_long_as_figures_and_have_intervals(open_app: Open, tiny_run: evaltools.Run):
    shown = board_of(open_app("overview"))
    for row in shown.to_dict("records"):
        assert row["bar"].startswith("data:image/svg+xml,")
        whole, length = map(float, re.findall(r'width="([\d.]+)"', unquote(row["bar"]))[:2])
        assert length == pytest.approx(row["f1"] / 100 * whole, abs=0.06)
        assert "<path" in unquote(row["bar"])
    sizes = shown["ahead"].tolist()
    assert re.fullmatch(r"\d+\.\d\d \(−?\d+\.\d\d to \d+\.\d\d\)", sizes[0])


def test_why_a_figure_is_what_it_is_is_computed_when_asked(open_app: Open):
    app = open_app("overview", parser="better")
    assert not [table for table in app.dataframe if "touched" in table.value]
    app.button(key="why").click().run()
    assert "Bracketing F1 of better: 100.00, micro over all 6 sentences" in said(app, "answer")
    for published, answer in {"nothing": "a published figure is a number such as", "100": "100 comes out in"}.items():
        app.session_state["why_published"] = published
        app.button(key="why").click().run()
        assert any(text.startswith(answer) for text in said(app, "note"))


def test_what_a_paper_says_is_there_to_copy(open_app: Open):
    app = open_app("overview", open="paper", columns="f1,exact")
    table, methods, references = (code.value for code in app.main.code)
    assert "parser & F1 & Exact & no parse" in table
    assert methods.startswith("We report bracketing F1~\\cite{")
    assert tuple(re.findall(r"@\w+\{(.*?),", references)) == ("black-1991", "efron-1979", "evaltools", "noreen-1989")


def test_heads_of_the_leaderboard_are_short(open_app: Open):
    configured = json.loads(open_app("overview").main.dataframe[0].proto.columns)
    labels = {name: column.get("label") for name, column in configured.items()}
    assert (labels["f1"], labels["exact"], labels["ted"]) == ("F1", "Exact", "Tree edit")
    assert configured["ted"]["help"].startswith("Tree-edit similarity (Dice).")


@pytest.mark.parametrize(
    ("choices", "name"),
    [({}, "figures-micro-all"), ({"average": "mean", "over": "scored"}, "figures-macro")],
    ids=["micro, all", "macro"],
)
def test_the_saved_figures_are_named_in_the_words_of_the_page(
    open_app: Open, choices: dict[str, str], name: str, monkeypatch: pytest.MonkeyPatch
):
    names: list[str] = []
    monkeypatch.setattr(leaderboard_page, "save_table", lambda _, name, *__, **___: names.append(name))
    open_app("overview", **choices)
    assert file_name(names[0].replace("_", "-")) == name


def test_mean_and_all_sentences(open_app: Open, tiny_run: evaltools.Run):
    shown = board_of(open_app("overview", average="mean", over="all"))
    summary = tiny_run.summary().set_index(["parser", "metric"])
    assert shown["ted"].iloc[1] == pytest.approx(100 * summary.loc[(HOSTILE_PARSER, "ted"), "mean_all"])


def test_the_switches_write_the_url(open_app: Open):
    app = open_app("overview")
    app.segmented_control(key="url_average").set_value("mean").run()
    app.multiselect(key="url_columns").set_value(["exact", "ted_jaccard"]).run()
    assert app.query_params["average"] == "mean"
    assert app.query_params["columns"] == "exact,ted_jaccard"
    assert list(board_of(app).columns) == ["parser", "exact", "bar", "ted_jaccard", "no_parse", *AHEAD]


@pytest.mark.parametrize("metric", ["f1", "crossing", "ted_jaccard", "la_exact", "tagging"])
def test_a_figure_is_explained(open_app: Open, tiny_run: evaltools.Run, metric: str):
    app = open_app("overview", parser=HOSTILE_PARSER, metric=metric, open="rules")
    (formulas,) = [block for block in blocks(app) if block["type"] == "formulas"]
    assert HOSTILE_PARSER in formulas["heading"]
    value = tiny_run.summary().set_index(["parser", "metric"]).loc[(HOSTILE_PARSER, metric), "pooled_all"]
    assert formulas["rows"][0][3] == (f"{value:.2f}" if metric == "crossing" else f"{100 * value:.2f} %")
    assert any(tiny_run.signature in code.value for code in app.code)
    assert any("preset standard" in code.value for code in app.code)


def test_problems_are_listed(open_on: OpenOn, tmp_path: Path):
    files = write_files(tmp_path)
    broken = tmp_path / "broken.ptb"
    text = files["gold"].read_text("utf-8").replace("barks", "sings")
    broken.write_text(text, encoding="utf-8")
    run = evaltools.score(files["gold"], {"broken": broken}, out=tmp_path / "broken.run")
    app = open_on(run)("overview", open="problems")
    assert f"{len(run.problems())} problem." in said(app, "note")
    shown = app.main.dataframe[-1].value
    (row,) = shown[shown["kind"] == "words differ"].to_dict("records")
    assert (row["parser"], row["line"]) == ("broken", "1")
    assert "sings" in row["found"]


def test_one_parser_and_some_metrics(open_on: OpenOn, tmp_path: Path):
    files = write_files(tmp_path)
    run = evaltools.score(files["gold"], {"only": files["worse"]}, out=tmp_path / "one.run", metrics=["ted"])
    app = open_on(run)("overview")
    texts = said(app, "answer")
    assert texts[0].endswith(" % Tree-edit similarity (Dice): only.")
    assert not any(word in text for text in texts for word in ("significant", "disagree"))
    labels = [one.label for one in app.expander]
    assert "Ranks by metric variant" not in labels
    assert "Significance" not in [one.value for one in app.subheader]


def test_figures_over_fewer_sentences_say_so_and_no_parser_is_ranked_by_them(open_on: OpenOn, score_texts: Score):
    tree = "(TOP (S (NP (A a)) (VP (B b))))\n" * 3
    flat, deeper = f"{tree}(TOP (C c))\n", f"{tree}(TOP (X (C c)))\n"
    run = score_texts(flat, {"format": "ptb"}, fewer=flat, more=deeper)
    app = open_on(run)("overview", average="mean", open="significance")
    assert any("compared over the sentences that both have" in text for text in said(app, "note"))
    over = "over the sentences that both parsers have"
    assert said(app, "answer")[0] == f"100.00 % Bracketing F1: the same for fewer and more, {over}."
    assert board_of(app).set_index("parser").loc["fewer", "f1"] == pytest.approx(100)
