"""The page Disagreement, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.tiny import HOSTILE_PARSER

Open = Callable[..., AppTest]


def tables(app: AppTest) -> tuple[Any, Any]:
    cells, sentences = (one.value for one in app.main.dataframe[:2])
    return cells, sentences


def test_the_furthest_sentences_come_first(open_app: Open):
    app = open_app("disagreement", parser=HOSTILE_PARSER)
    assert not app.exception
    cells, sentences = tables(app)
    assert cells.iloc[:, 1:].to_numpy().sum() == len(sentences)
    differences = sentences["difference"].abs().tolist()
    assert differences == sorted(differences, reverse=True)
    assert {"e_dice_roof", "t_dice"} <= set(sentences.columns)


def test_a_box_and_a_cell_of_the_link_choose_sentences(open_app: Open):
    app = open_app("disagreement", parser=HOSTILE_PARSER, box="0.9~1.1~0.9~1.1")
    assert not app.exception
    _, sentences = tables(app)
    assert len(sentences)
    assert (sentences["e_dice_roof"] >= 0.9).all()
    app.button(key="disagree_all").click().run()
    assert "box" not in app.query_params
    assert len(tables(app)[1]) > len(sentences)
    every = tables(app)[0].iloc[:, 1:].to_numpy()
    row, column = (int(at[0]) for at in every.nonzero())
    app = open_app("disagreement", parser=HOSTILE_PARSER, cell=f"{row + 1}~{column + 1}")
    assert len(tables(app)[1]) == every[row, column]


def test_two_parsers_are_compared_by_one_metric(open_app: Open):
    app = open_app("disagreement", parser=HOSTILE_PARSER, other="better")
    assert not app.exception
    _, sentences = tables(app)
    assert {"e_dice_roof", "against", "difference"} <= set(sentences.columns)
    assert app.selectbox(key="url_metric2").value == "e_dice_roof"


@pytest.mark.parametrize(
    "query", [{"box": "x"}, {"box": "1~2"}, {"cell": "0~99"}, {"metric2": "no"}, {"box": "9~9~9~9"}]
)
def test_links_that_say_nonsense_do_no_harm(open_app: Open, query: dict[str, str]):
    app = open_app("disagreement", parser=HOSTILE_PARSER, **query)
    assert not app.exception
    assert not app.error
