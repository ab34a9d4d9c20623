"""The page Disagreement, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.app.pages import disagreement as page
from evaltools.blocks import Table
from evaltools.outputs.disagreement import distance_table, distances_of
from evaltools.outputs.sections import SECTIONS, Report
from tests.pages.shown import said
from tests.pages.tiny import HOSTILE_PARSER

Open = Callable[..., AppTest]


def tables(app: AppTest) -> tuple[Any, Any]:
    cells, sentences = app.main.dataframe[0].value, app.main.dataframe[-1].value
    return cells, sentences


def test_the_furthest_sentences_come_first(open_app: Open):
    app = open_app("disagreement", parser=HOSTILE_PARSER, metric="f1", metric2="ted")
    cells, sentences = tables(app)
    assert cells.iloc[:, 1:].to_numpy().sum() == len(sentences)
    differences = sentences["difference"].abs().tolist()
    assert differences == sorted(differences, reverse=True)
    assert {"f1", "ted"} <= set(sentences.columns)


def test_the_saved_chart_and_deciles_name_the_parser_and_the_number_of_sentences(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
):
    captions: dict[str, str] = {}
    for name in ("save_chart", "save_table"):
        monkeypatch.setattr(page, name, lambda _, name, caption: captions.update({name: caption}))
    app = open_app("disagreement", parser=HOSTILE_PARSER, metric="f1", metric2="ted")
    n = len(tables(app)[1])
    for name in ("disagreement", "disagree_tenths"):
        assert f"{HOSTILE_PARSER}, {n} sentences" in captions[name]
    open_app("disagreement", parser=HOSTILE_PARSER, other="better")
    assert f"Bracketing F1, {HOSTILE_PARSER} and Bracketing F1, better, " in captions["disagreement"]


def test_mostly_tied_scores_have_a_reason_and_no_distance(open_app: Open):
    app = open_app("disagreement", parser=HOSTILE_PARSER, metric="exact", metric2="ted")
    assert "Kendall distance –: most pairs of sentences have equal scores by Exact match" in str(said(app, "note"))


def test_a_box_and_a_cell_of_the_link_choose_sentences(open_app: Open):
    metrics = {"metric": "f1", "metric2": "ted"}
    app = open_app("disagreement", parser=HOSTILE_PARSER, box="0.9~1.1~0.9~1.1", **metrics)
    _, sentences = tables(app)
    assert len(sentences)
    assert (sentences["f1"] >= 0.9).all()
    app.button(key="disagree_all").click().run()
    assert "box" not in app.query_params
    assert len(tables(app)[1]) > len(sentences)
    every = tables(app)[0].iloc[:, 1:].to_numpy()
    row, column = (int(at[0]) for at in every.nonzero())
    app = open_app("disagreement", parser=HOSTILE_PARSER, cell=f"{row + 1}~{column + 1}", **metrics)
    assert len(tables(app)[1]) == every[row, column]


def test_two_parsers_are_compared_by_one_metric(open_app: Open):
    app = open_app("disagreement", parser=HOSTILE_PARSER, other="better")
    _, sentences = tables(app)
    assert {"f1", "against", "difference"} <= set(sentences.columns)
    assert app.selectbox(key="url_metric2").value == "f1"


def test_bracketing_is_compared_with_tree_edit_first(open_app: Open):
    app = open_app("disagreement", parser=HOSTILE_PARSER)
    assert [app.selectbox(key=f"url_{name}").value for name in ("metric", "metric2")] == ["f1", "ted"]
    linked = open_app("disagreement", parser=HOSTILE_PARSER, metric2="f1")
    assert linked.selectbox(key="url_metric2").value == "f1" != linked.selectbox(key="url_metric").value


def test_a_button_compares_the_metrics_of_a_paper(open_app: Open):
    app = open_app("disagreement", parser=HOSTILE_PARSER, box="0~1~0~1", other="better", metric="exact")
    app.button(key="disagree_pair_f1_unlabeled_la").click().run()
    assert (app.query_params["metric"], app.query_params["metric2"]) == ("f1_unlabeled", "la")
    assert not {"box", "other"} & set(app.query_params)
    titles = [button.label for button in app.button if str(button.key).startswith("disagree_pair")]
    assert titles == ["E and T, whole", "E and T, roof", "GEIG and LA", "F1 and LA"]


TREE = "(S (NP (DT The) (NN dog)) (VP (VBZ sees) (NP (DT the) (NN cat) (PP (IN in) (NP (NN rain))))) (. .))"
SHORT = "(S (NP (NNS dogs)) (VP (VBP bark)))"


def test_long_sentences_come_first_and_those_that_differ_by_tags_alone_last(
    open_on: Callable[..., Open], score_texts: Callable[..., evaltools.Run], monkeypatch: pytest.MonkeyPatch
):
    captions: dict[str, str] = {}
    monkeypatch.setattr(page, "save_chart", lambda _, name, caption: captions.update({name: caption}))
    flat = "(S (DT The) (NN dog) (VP (VBZ sees) (NP (DT the) (NN cat)) (PP (IN in) (NP (NN rain)))) (. .))"
    wrong_tags = TREE.replace("NN ", "NNP ").replace("VBZ", "NNS")
    relabeled = TREE.replace("PP", "ADVP")
    gold = "\n".join([TREE] * 11 + [SHORT])
    parse = "\n".join([*[TREE] * 7, wrong_tags, flat, relabeled, relabeled, SHORT])
    app = open_on(score_texts(gold, parse=parse, options={"preset": "none"}))("disagreement")
    sentences = tables(app)[1]
    assert (sentences["words"] >= 8).all()
    assert "11 sentences of at least 8 words" in captions["disagreement"]
    assert sentences["sentence"].iloc[-1] == 8
    assert sentences["tags"].tolist() == [""] * 10 + ["tags alone"]
    assert "1 that differ by tags alone last" in str(said(app, "note"))
    app.number_input(key="length_from").set_value(None).run()
    assert app.query_params["length"] == "~"
    assert len(tables(app)[1]) == 12


def test_distances_of_metrics_are_those_of_the_ranks_in_reports(open_app: Open, tiny_run: evaltools.Run):
    table = distance_table(HOSTILE_PARSER, *distances_of(tiny_run, HOSTILE_PARSER))
    app = open_app("disagreement", parser=HOSTILE_PARSER, open="distances")
    assert any(table.frame(titled=False).equals(shown.value) for shown in app.main.dataframe)
    assert f"{table.title}." in said(app, "note")
    blocks = SECTIONS["ranks"].blocks(Report.of(tiny_run))
    assert (table.title, table.rows) in [(own.title, own.rows) for own in blocks if isinstance(own, Table)]


def test_the_headline_names_the_first_of_the_list(open_app: Open):
    for query in ({}, {"box": "0.5~0.8~0~1.1"}, {"length": "5~"}):
        app = open_app("disagreement", parser=HOSTILE_PARSER, metric="f1", metric2="ted", **query)
        first = tables(app)[1].iloc[0]
        headline = said(app, "answer")[0]
        assert f"entence {first['sentence']}" in headline


def test_short_sentences_may_be_left_out(open_app: Open):
    app = open_app("disagreement", parser=HOSTILE_PARSER, box="0~1~0~1")
    app.number_input(key="length_from").set_value(5).run()
    assert app.query_params["length"] == "5~"
    assert "box" not in app.query_params
    assert (tables(app)[1]["words"] >= 5).all()


@pytest.mark.parametrize(
    ("name", "value"),
    [("parser", "better"), ("metric", "la_exact"), ("metric2", "la"), ("other", "better")],
)
def test_a_selection_goes_when_an_axis_changes(open_app: Open, name: str, value: str):
    metrics = {"metric": "f1", "metric2": "ted"}
    app = open_app("disagreement", parser=HOSTILE_PARSER, box="0~1~0~1", **metrics)
    assert any("in the box" in text for text in said(app, "note"))
    app.selectbox(key=f"url_{name}").set_value(value).run()
    assert "box" not in app.query_params
    assert not any("in the box" in text for text in said(app, "note"))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"sentence": "3"}, "it lacks one of the two scores"),
        ({"sentence": "2", "length": "6~"}, "it does not have at least 6 words"),
        ({"sentence": "2", "box": "0.9~1~0.9~1"}, "it is not in the box"),
    ],
)
def test_a_linked_sentence_that_is_not_listed_says_why(open_app: Open, query: dict[str, str], reason: str):
    metrics = {"metric": "f1", "metric2": "ted"}
    app = open_app("disagreement", parser=HOSTILE_PARSER, **metrics, **query)
    assert f"Sentence {query['sentence']} is not listed; {reason}. The first of the list is shown." in said(app, "note")


def test_a_linked_sentence_beyond_the_list_is_shown(open_app: Open, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evaltools.app.pages.disagreement._MAX_LISTED", 1)
    listed = tables(open_app("disagreement", parser=HOSTILE_PARSER))[1]["sentence"].tolist()
    linked = next(number for number in (1, 2, 6, 7) if number not in listed)
    app = open_app("disagreement", parser=HOSTILE_PARSER, sentence=str(linked))
    assert tables(app)[1]["sentence"].tolist() == [*listed, linked]
    assert any(item.value == f"Sentence {linked}" for item in app.subheader)
