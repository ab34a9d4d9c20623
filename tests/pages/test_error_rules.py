"""The rules of error types are chosen on a page, and hold for all pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from tests.pages.shown import blocks, said

Open = Callable[..., AppTest]
GOLD = "(S (VP (VB a) (NP (NN b))) (SQ (VB c)))"
TEST = "(S (VP (VB a) (NP (NN b) (SQ (VB c)))))"


@pytest.fixture
def open_questions(open_on: Callable[..., Open], score_texts: Callable[..., evaltools.Run]) -> Open:
    """Give a function that opens a page on a run of one sentence, whose SQ is attached wrongly."""
    return open_on(score_texts(GOLD, p=TEST))


def test_hotspots_has_a_choice_of_rules(open_questions: Open):
    app = open_questions("hotspots", parser="p", view="errors")
    assert "unclassified" in said(app, "answer")[0]
    picker = app.selectbox(key="url_rules")
    assert picker.options == ["Kummerfeld et al. 2012", "Kummerfeld, more labels"]
    picker.select_index(1).run()
    assert app.query_params["rules"] == "ptb-wide"
    assert "at clause attachment: " in said(app, "answer")[0]


def test_worst_parses_and_sentence_follow_the_choice(open_questions: Open):
    app = open_questions("worst_parses", parser="p", error="clause_attachment", rules="ptb-wide")
    assert "1 of 1 sentence: error type clause attachment." in said(app, "note")
    app = open_questions("sentence", parser="p", sentence="1", rules="ptb-wide")
    (block,) = blocks(app, "story")
    assert "clause attachment" in str(block)
    assert any(text.endswith("Rules of the error types: Kummerfeld, more labels.") for text in said(app, "note"))
    app = open_questions("sentence", parser="p", sentence="1", rules="nothing")
    assert "unclassified" in str(blocks(app, "story"))
    assert not any("Rules of the error types" in text for text in said(app, "note"))
