"""The page Worst parses, without a browser."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from tests.pages.shown import said
from tests.pages.tiny import HOSTILE_PARSER

Open = Callable[..., AppTest]


def table(app: AppTest) -> Any:
    return app.main.dataframe[-1].value


ATTACHED = """\
(S (NP (DT The) (JJ old) (NN man)) (VP (VBD saw) (NP (PRP$ her) (NN duck)) {0}) (. .))
"""
HIGH = "(PP (IN near) (NP (DT the) (NN river))) (PP (IN with) (NP (DT a) (NN telescope)))"
LOW = "(PP (IN near) (NP (NP (DT the) (NN river)) (PP (IN with) (NP (DT a) (NN telescope)))))"
FLAT = "(IN near) (DT the) (NN river) (IN with) (DT a) (NN telescope)"
SHORT = "(S (NP (NN dogs)) (VP (VBP bark)))"
INSTRUCTIVE = [SHORT, ATTACHED.format(HIGH), ATTACHED.format(HIGH), ATTACHED.format(HIGH)]
PARSED = ["(X (NN dogs) (VBP bark))", ATTACHED.format(LOW), ATTACHED.format(FLAT), ATTACHED.format(HIGH)]


def test_instructive_sentences_come_first(open_on: Callable[..., Open], score_texts: Callable[..., evaltools.Run]):
    gold, parse = ("\n".join(tree.strip() for tree in trees) for trees in (INSTRUCTIVE, PARSED))
    open_page = open_on(score_texts(gold, parse=parse, right=gold))
    app = open_page("worst_parses", parser="parse")
    shown = table(app)
    # of 8 to 25 words with an error by what one repair mends, then the short one, then the one without errors
    assert shown["sentence"].tolist() == [2, 3, 1, 4]
    assert shown["largest"].tolist()[0] == 3
    assert said(app, "answer")[0].startswith("One repair mends 3 of the 3 wrong brackets of sentence 2 (13 words); ")
    by_errors = open_page("worst_parses", parser="parse", order="errors")
    assert table(by_errors)["sentence"].tolist()[0] == 3
    opened = open_page("sentence", parser="parse")
    assert opened.number_input(key="url_sentence").value == 2
    opened.selectbox(key="url_parser").set_value("right").run()  # which alone would open on sentence 1
    assert opened.number_input(key="url_sentence").value == 2


@pytest.mark.parametrize(
    ("order", "column", "headline"),
    [
        ("errors", "n_errors", "Sentence {sentence} has the most wrong brackets, {n_errors:.0f} in {words} words"),
        ("per_word", "per_word", "Sentence {sentence} has the most wrong brackets per word, {per_word:.2f} "),
        ("worst", "f1", "Sentence {sentence} ({words} words) has the lowest Bracketing F1"),
        ("best", "f1", "Sentence {sentence} ({words} words) has the highest Bracketing F1"),
    ],
)
def test_the_list_is_in_the_order_chosen_and_the_answer_names_its_first(
    open_app: Open, order: str, column: str, headline: str
):
    app = open_app("worst_parses", parser=HOSTILE_PARSER, order=order)
    values = table(app)[column]
    assert len(values) == 7
    assert values.isna().tolist() == sorted(values.isna())
    known = values.dropna()
    assert known.is_monotonic_increasing if order == "worst" else known.is_monotonic_decreasing
    assert said(app, "answer")[0].startswith(headline.format_map(table(app).iloc[0]))
    if order == "per_word":
        assert (values == table(app)["n_errors"] / table(app)["words"])[values.notna()].all()


def test_a_metric_that_is_chosen_sorts_the_list(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER)
    assert app.selectbox(key="url_order").value == "instructive"
    app.selectbox(key="url_metric").set_value("ted").run()
    assert app.selectbox(key="url_order_1").value == "worst"
    assert table(app)["ted"].dropna().is_monotonic_increasing
    app.selectbox(key="url_metric").set_value("f1").run()
    assert table(app)["f1"].dropna().is_monotonic_increasing
    app.selectbox(key="url_order_1").set_value("errors").run()
    assert table(app)["n_errors"].dropna().is_monotonic_decreasing
    linked = open_app("worst_parses", parser=HOSTILE_PARSER, metric="ted")
    assert table(linked)["ted"].dropna().is_monotonic_increasing


def test_only_sentences_without_any_error_are_perfect(open_app: Open):
    says = {
        (HOSTILE_PARSER, "f1"): "a quarter of its 5 scored sentences have 57.14 or less, 0 are perfect.",
        ("better", "f1"): "By Bracketing F1, better has no error in 6 scored sentences.",
        (HOSTILE_PARSER, "crossing"): "has the highest Crossing brackets of",
        (HOSTILE_PARSER, "errors"): "has the highest Errors",
    }
    for (parser, metric), answer in says.items():
        app = open_app("worst_parses", parser=parser, metric=metric, order="worst")
        assert answer in said(app, "answer")[0]
    better = said(open_app("worst_parses", parser="better"), "answer")[0]
    assert better == "better has no wrong bracket in 6 scored sentences."


def test_of_equally_good_sentences_the_longer_comes_first(open_app: Open):
    listed = table(open_app("worst_parses", parser="better", order="worst"))
    assert listed["f1"].dropna().tolist() == [100.0] * 6
    assert listed["sentence"].tolist() == [6, 7, 1, 2, 4, 3, 5]


def test_a_filter_narrows_and_the_link_says_so(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER)
    app.text_input(key="url_q").set_value("saw").run()
    assert sorted(table(app)["sentence"]) == [4, 7]
    assert app.query_params["q"] == "saw"
    app.text_input(key="url_q").set_value("").run()
    assert len(table(app)) == 7
    assert "q" not in app.query_params


@pytest.mark.parametrize(
    ("query", "sentences"),
    [
        ({"q": "**bold**"}, [2]),
        ({"q": "^(she|he) ", "regex": "1"}, [3, 4]),
        ({"label": "PP"}, [6, 7]),
        ({"length": "60~60"}, [6]),
        ({"length": "6~"}, [6, 7]),
        ({"length": "~1"}, [5]),
        ({"length": "60~6"}, [6, 7]),
        ({"length": "1e999~"}, [1, 2, 3, 4, 5, 6, 7]),
        ({"error": "pp_attachment"}, [7]),
        ({"error": "coordination"}, []),
        ({"error": "pp_attachment", "rules": "ptb-wide"}, [7]),
        ({"error": "nothing"}, [1, 2, 3, 4, 5, 6, 7]),
        ({"error": "pp_attachment", "q": "dog"}, []),
        ({"status": "missing"}, [3]),
        ({"status": "left_out"}, [5]),  # a sentence of punctuation
        ({"status": "words_differ"}, [4]),
    ],
)
def test_filters(open_app: Open, query: dict[str, str], sentences: list[int]):
    app = open_app("worst_parses", parser=HOSTILE_PARSER, **query)
    found = sorted(table(app)["sentence"]) if app.main.dataframe else []
    assert found == sentences


def test_sentences_on_which_parsers_differ(open_app: Open):
    app = open_app("worst_parses", differ="1", metric="ted")
    assert sorted(table(app)["sentence"]) == [1, 2, 3, 4, 6, 7]


def test_a_bad_regular_expression_is_explained(open_app: Open):
    app = open_app("worst_parses", q="(unclosed", regex="1")
    assert any("regular expression" in error.value for error in app.error)
    assert len(table(app)) == 7


def test_when_nothing_is_left_the_filters_can_be_reset(open_app: Open):
    app = open_app("worst_parses", q="nowhere", length="1~20")
    assert [one.value for one in app.subheader] == ["No sentence matches"]
    app.button(key="reset_filters").click().run()
    assert len(table(app)) == 7
    assert "q" not in app.query_params
    assert "length" not in app.query_params


def test_rank_difference_of_two_metrics(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER, metric="f1", metric2="la_exact")
    shown = table(app)
    assert shown["difference"].abs().dropna().is_monotonic_decreasing


def test_next_and_previous_go_through_the_list(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER)
    order = table(app)["sentence"].tolist()
    assert app.button(key="go_Previous").disabled
    app.button(key="go_Next").click().run()
    assert app.query_params["sentence"] == str(order[1])
    app.button(key="go_Previous").click().run()
    assert app.query_params["sentence"] == str(order[0])


def test_bookmarks_and_notes_stay_with_the_run(open_app: Open, own_run: evaltools.Run):
    app = open_app("worst_parses", sentence="2")
    app.toggle(key="marked_2").set_value(True).run()
    app.text_input(key="note_2").set_value("odd *labels*").run()
    with closing(sqlite3.connect(own_run.path / "notes.sqlite")) as database:
        assert database.execute("select sentence, marked, text from notes").fetchall() == [(2, 1, "odd *labels*")]
    again = open_app("worst_parses", marked="1")
    assert table(again)["sentence"].tolist() == [2]
    assert table(again)["note"].tolist() == ["odd *labels*"]


def test_of_a_long_list_the_first_rows_and_the_chosen_one_are_shown(open_app: Open, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evaltools.app.pages.worst_parses.MAX_LISTED", 3)
    app = open_app("worst_parses", parser=HOSTILE_PARSER, order="file", sentence="5")
    assert table(app)["sentence"].tolist() == [1, 2, 5]
    assert any("The first 3 are listed." in text for text in said(app, "note"))
    app.button(key="go_Previous").click().run()
    assert table(app)["sentence"].tolist() == [1, 2, 4]
    app.text_input(key="url_q").set_value("saw").run()
    assert table(app)["sentence"].tolist() == [4, 7]
    assert not any("are listed" in text for text in said(app, "note"))


def test_the_length_is_filtered_beside_the_list(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER)
    app.number_input(key="length_from").set_value(4).run()
    assert app.query_params["length"] == "4~"
    assert (table(app)["words"] >= 4).all()
    app.number_input(key="length_to").set_value(9).run()
    assert app.query_params["length"] == "4~9"
    assert table(app)["words"].between(4, 9).all()
    assert any("4 to 9 words" in text for text in said(app, "note"))
    app.number_input(key="length_from").set_value(None).run()
    assert app.query_params["length"] == "~9"
    app.button(key="reset_filters").click().run()
    assert app.number_input(key="length_to").value is None
    assert len(table(app)) == 7


def test_a_link_to_a_sentence_that_is_filtered_out_says_so(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER, q="saw", sentence="2")
    expected = "Sentence 2 is not listed; filtered out by: text contains “saw”. The first of the list is shown."
    assert expected in said(app, "note")
    assert not any("not listed" in text for text in said(open_app("worst_parses", q="saw", sentence="4"), "note"))
