"""The pages on a run of dependency trees, without a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.formats import FORMATS
from evaltools.frameworks.dependency.questions import QUESTIONS
from tests.pages.dependency_corpus import GOLD, HOSTILE_PARSER, WORSE, score_dependencies
from tests.pages.shown import blocks, components, marked, panels
from tests.pages.test_dialogs import dialog, paste, problems, scored as scored_by  # noqa: F401 - a fixture

Open = Callable[..., AppTest]
ENHANCED = """1\tMary\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\t_
2\tate\t_\tVERB\t_\t_\t0\troot\t0:root\t_
3\tapples\t_\tNOUN\t_\t_\t2\tobj\t2:obj\t_
4\tand\t_\tCCONJ\t_\t_\t6\tcc\t5.1:cc\t_
5\tSue\t_\tPROPN\t_\t_\t2\tconj\t5.1:nsubj\t_
5.1\tate\t_\tVERB\t_\t_\t_\t_\t2:conj\t_
6\tpears\t_\tNOUN\t_\t_\t5\torphan\t5.1:obj\t_

"""
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tiny_run(scored: Callable[..., evaltools.Run], tmp_path: Path) -> evaltools.Run:
    return scored(score_dependencies)


def score_enhanced(folder: Path) -> evaltools.Run:
    """Score a sentence with an empty node, on which the parser has one relation wrong."""
    (folder / "gold.conllu").write_text(ENHANCED, "utf-8")
    (folder / "p.conllu").write_text(ENHANCED.replace("5.1:obj", "5.1:iobj"), "utf-8")
    return evaltools.score(folder / "gold.conllu", {"p": folder / "p.conllu"}, out=folder / "enhanced.run")


def said(app: AppTest) -> str:
    return json.dumps([given.get("blocks") for given in components(app)], ensure_ascii=False)


@pytest.mark.parametrize("sentence", range(1, 7))
@pytest.mark.parametrize("parser", ["better", HOSTILE_PARSER])
def test_every_sentence_is_drawn_as_arcs(open_app: Open, parser: str, sentence: int):
    app = open_app("sentence", parser=parser, sentence=str(sentence))
    assert not app.error
    (panel,) = panels(app)
    assert panel["kind"] == "arcs"
    right = parser == "better" or sentence == 5
    assert (panel["note"] == "All arcs are right.") == right
    if (parser, sentence) == (HOSTILE_PARSER, 3):
        assert panel["note"] == f"{HOSTILE_PARSER}: no parse"
        assert "no tree for this sentence" in said(app)


def test_enhanced_dependencies_are_drawn_on_request(open_on: Callable[..., Open]):
    open_page = open_on(score_enhanced)
    assert [panel["kind"] for panel in panels(open_page("sentence", parser="p", sentence="1"))] == ["arcs"]
    shown = panels(open_page("sentence", parser="p", sentence="1", enhanced="1"))
    assert [panel["kind"] for panel in shown] == ["arcs", "enhanced"]
    assert ">5.1<" in shown[1]["svg"]
    assert "empty nodes" in shown[1]["note"]


def test_the_page_counts_and_lists_what_is_wrong(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="1", at="1")
    (panel,) = panels(app)
    ((scope, counts),) = panel["counts"]
    assert [(name, number) for _, name, number, _ in counts] == [
        ("right", "1"),
        ("wrong relation", "1"),
        ("wrong head", "2"),
        ("both wrong", "0"),
    ]
    assert scope == "words of gold"
    text = said(app)
    assert "2 × 2 / (4 + 4)" in text  # UAS
    assert "Its relations, from the word to the root" in text


def test_words_without_a_partner_are_counted(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="4")
    assert "1 word of gold without an aligned word" in said(app)
    assert "The tokens of the two trees differ" in said(app)


@pytest.mark.parametrize(("label", "sentences"), [("obj", [1, 4]), ("*y*", [2]), ("conj", [6]), ("punct", [1, 5])])
def test_sentences_are_found_by_relation(open_app: Open, label: str, sentences: list[int]):
    app = open_app("worst_parses", parser=HOSTILE_PARSER, label=label)
    assert sorted(app.main.dataframe[-1].value["sentence"]) == sentences


def test_the_overview_lists_relations_and_distances(open_app: Open):
    app = open_app("overview", parser=HOSTILE_PARSER, open="relations")
    tables = {tuple(one.value.columns)[:2]: one.value for one in app.main.dataframe}
    relations = tables["label", "gold"].set_index("label")
    assert relations.loc["nsubj", "gold"] == 1
    heads = tables["head", "gold"]["head"].tolist()
    away = ["1 word away", "2 words away", "3–6 words away", "7 or more away"]
    assert heads == ["none: root", *away, "to the left", "to the right"]
    board = next(table for columns, table in tables.items() if columns[0] == "parser")
    assert {"uas", "las", "label", "la"} <= set(board.columns)


def test_the_sidebar_says_what_counts(open_app: Open):
    text = said(open_app("overview"))
    assert "punctuation" in text
    assert "subtypes" in text


# -------------------------------------------------------------------------------------------------- scoring files


def conllu(*trees: Any) -> str:
    return str(FORMATS["conllu"].write(trees))


def test_pasted_dependency_trees_become_a_run(dialog: AppTest):  # noqa: F811 - the fixture
    paste(dialog, conllu(GOLD[0], GOLD[3]), conllu(WORSE[0], WORSE[3]))
    assert "Score anyway (2 problems)" in dialog.button(key="score_go").label
    words, text = problems(dialog)["found"]
    assert words == "word 3 'his'"
    assert "where the texts begin to differ" in text
    dialog.selectbox(key="score_punctuation").set_value("unicode").run()
    run = scored_by(dialog)
    assert run.kind == "dependency"
    assert run.meta["options"]["punctuation"] == "unicode"


def test_kinds_are_not_mixed(dialog: AppTest):  # noqa: F811 - the fixture
    paste(dialog, conllu(GOLD[0]), "(S (N dogs))")
    assert dialog.button(key="score_go").disabled
    assert "evaltools crossframework" in said(dialog)


@pytest.mark.parametrize("view", [name for name in QUESTIONS if name not in ("columns", "segmentation")])
@pytest.mark.parametrize("other", ["", "better"])
def test_hotspots_lead_to_the_words_and_their_arcs(open_app: Open, view: str, other: str):
    query = {"other": other} if other else {}
    app = open_app("hotspots", parser=HOSTILE_PARSER, view=view, least="1", **query)
    assert not app.error
    rows = app.main.dataframe[-1].value
    assert len(rows)
    assert ("other" in rows.columns) == bool(other)
    (listed,) = blocks(app, "sentences")
    number, (words, places, _), remark, _ = listed["rows"][0]
    assert places
    assert words == list(GOLD[int(number) - 1].forms)
    assert any(text in remark for text in ("belongs to “", "belong to “", "should be "))
    (given,) = components(app, "panels")
    assert given["highlight"]["gold"] == given["highlight"]["words"] == places


@pytest.mark.parametrize(
    "query",
    [{"view": "segmentation"}, *({"view": "columns", "column": name} for name in ("tag", "xtag", "feats", "deps"))],
)
def test_hotspots_of_columns_and_of_tokens(open_app: Open, query: dict[str, str]):
    assert not open_app("hotspots", parser=HOSTILE_PARSER, **query).error


@pytest.mark.parametrize("heads", ["right", "all"])
def test_confused_relations_are_a_matrix_without_margins(open_app: Open, heads: str):
    query = {"parser": HOSTILE_PARSER, "view": "relations", "heads": heads}
    app = open_app("hotspots", **query)
    matrix = app.main.dataframe[0].value
    assert list(matrix.columns[1:]) == list(matrix["_gold"])
    assert not {"spurious", "missed"} & {*matrix.columns, *matrix["_gold"]}
    rows = open_app("hotspots", show="table", **query).main.dataframe[0].value
    counts = matrix.drop(columns="_gold").fillna(0).to_numpy(dtype=int)
    assert counts.sum() - counts.trace() == rows["errors"].sum()
    assert counts.trace() > 0
    assert any(one.value.startswith("Sentence ") for one in app.subheader)


def test_a_view_of_the_other_kind_in_the_link_falls_back(open_app: Open):
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="errors", by="rule", scheme="x", least="1")
    assert app.selectbox(key="url_view").value == "heads"
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="words", by="rule", scheme="x", least="1")
    assert app.selectbox(key="url_by").value == "relation"
    assert app.selectbox(key="url_scheme").value == "las"


def test_the_marked_sentence_stands_above_the_arcs(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="1", repair="2")
    (shown,) = marked(app)
    told = [(one["phrase"], one["text"], one["status"], one["share"]) for one in shown["verdicts"]]
    assert ("“dog”", "is obj of “barks”, should be nsubj", "relabeled", 1) in told
    assert ("“The”", "attaches to “barks”, belongs to “dog”", "moved", 1) in told
    assert (shown["total"], shown["unit"], shown["focus"], shown["keys"]) == (3, "wrong arcs", 2, ["a", "s", "v"])
    assert ["boxed", "belongs elsewhere"] in shown["legend"]
    (_, picture), *_ = shown["drawings"]
    assert len(re.findall('class="node tag', picture)) == 6  # three words with an error, above and below
    assert len(re.findall(r'class="node arc[^"]* missing\b', picture)) == 2
    (panel,) = panels(app)
    assert panel["kind"] == "arcs"
    hidden = open_app("sentence", parser=HOSTILE_PARSER, sentence="1", trees="0")
    assert marked(hidden)
    assert not panels(hidden)


def test_without_the_gold_words_the_arcs_stand_alone(open_app: Open):
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="4", trees="0")
    assert not marked(app)
    assert panels(app)
    assert "There is no marked sentence" in said(app)
    (shown,) = marked(open_app("sentence", parser="better", sentence="1"))
    assert (shown["verdicts"], shown["empty"]) == ([], "Nothing to repair: all arcs are right.")
