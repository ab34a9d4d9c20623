"""Pages of a run with discontinuous constituents, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.frameworks.constituency.questions import QUESTIONS
from tests.pages.shown import blocks, marked

Open = Callable[..., AppTest]

GOLD = [
    "(ROOT (S (VP (VB 0=is) (JJ 2=rich)) (NP (N 1=John))))",
    "(ROOT (S (NP (DT 0=a) (NN 1=man) (PP (P 4=with) (NP (N 5=hats)))) (VP (V 2=came) (R 3=in))))",
    "(ROOT (S (NP (N 0=dogs)) (VP (V 1=bark))))",
    "(ROOT (S (NP (DT 0=a) (NN 1=man)) (VP (V 2=came)) (PP (P 3=with) (NP (N 4=hats)))))",
]
TEST = [
    "(ROOT (S (VP (VB 0=is)) (NP (N 1=John)) (AP (JJ 2=rich))))",
    "(ROOT (S (NP (DT 0=a) (NN 1=man)) (VP (V 2=came) (R 3=in) (PP (P 4=with) (NP (N 5=hats))))))",
    "(ROOT (S (N 0=dogs) (VP (V 1=bark))))",
    "(ROOT (S (X (DT 0=a) (P 3=with)) (V 2=came) (Y (NN 1=man) (N 4=hats))))",
]


def score_gaps(folder: Path) -> evaltools.Run:
    def file(lines: list[str]) -> BytesIO:
        return BytesIO("".join(f"{line}\n" for line in lines).encode())

    return evaltools.score(file(GOLD), {"p": file(TEST), "same": file(GOLD)}, out=folder / "gaps.run")


@pytest.fixture
def open_gaps(open_on: Callable[..., Open]) -> Open:
    return open_on(score_gaps)


@pytest.mark.parametrize("sentence", ["1", "2", "3", "4"])
@pytest.mark.parametrize("query", [{"parser": "p"}, {"parser": "p", "other": "same"}, {"parser": "same"}])
def test_every_sentence_can_be_shown(open_gaps: Open, query: dict[str, str], sentence: str):
    app = open_gaps("sentence", sentence=sentence, open="words,repair,steps,formulas,texts,strips", at="1", **query)
    assert not app.error


def test_a_sentence_has_repairs_in_an_order_of_the_words_that_makes_both_trees_continuous(open_gaps: Open):
    app = open_gaps("sentence", sentence="1", parser="p", open="repair")
    text = str(blocks(app))
    assert "Discontinuous constituents: 1 in gold." in text
    assert "AP “rich” is spurious" in text
    (shown,) = marked(app)
    assert [verdict["phrase"] for verdict in shown["verdicts"]] == ["“rich”", "AP “rich”"]
    assert ["gapped", "one bracket in several pieces"] in shown["legend"]
    assert all('data-gaps="1-2"' in drawing for _, drawing in shown["drawings"])


def test_without_such_an_order_the_page_says_so_and_the_picture_has_all_brackets(open_gaps: Open):
    app = open_gaps("sentence", sentence="4", parser="p", open="repair")
    reason = "There is no list of repairs: in no order of the words are the constituents of both trees continuous."
    assert reason in str(blocks(app))
    (shown,) = marked(app)
    assert (shown["verdicts"], shown["empty"]) == ([], reason)
    for _, drawing in shown["drawings"]:
        assert all(f">{label}<" in drawing for label in ("X", "Y", "NP", "PP"))
        assert "badge" not in drawing


@pytest.mark.parametrize("group", QUESTIONS)
def test_questions_of_hotspots_can_be_asked(open_gaps: Open, group: str):
    app = open_gaps("hotspots", parser="p", view=group)
    assert not app.error


def test_error_types_say_how_many_sentences_have_no_repairs(open_gaps: Open):
    app = open_gaps("hotspots", parser="p", view="errors")
    assert "Without 1 of 4 sentences: in no order of their words" in str(blocks(app))
