"""Exercises in the metric lab: the gold tree stays hidden until it is asked for; an answer is checked at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from evaltools.classroom.exercises import practices
from tests.classroom.test_practice import SOLUTIONS
from tests.pages.shown import blocks, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.testing.v1 import AppTest

    Open = Callable[..., AppTest]


def editor(app: AppTest) -> dict[str, Any]:
    every = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    (data,) = [data for data in every if "nodes" in data]
    return data


def credit(app: AppTest) -> list[dict[str, Any]]:
    return [block for block in blocks(app, "facts") if block["heading"].startswith("Partial credit")]


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception


@pytest.mark.parametrize("name", practices())
def test_the_gold_tree_is_nowhere_on_the_page_before_it_is_asked_for(open_app: Open, name: str):
    practice = practices()[name]
    app = open_app("lab", exercise=name)
    assert not app.exception
    assert said(app, "answer") == [practice.task]
    assert not blocks(app, "picture")
    labels = [node["label"] for node in editor(app)["nodes"]]
    assert tuple(labels) == practice.item.start_tree.labels
    everything = " ".join(element.proto.json for element in app.get("bidi_component"))
    assert practice.item.gold not in everything
    assert practice.note not in everything
    assert 'class=\\"node test spurious' not in everything


@pytest.mark.parametrize("name", practices())
def test_a_right_answer_is_right(open_app: Open, name: str):
    app = open_app("lab", exercise=name, lab_edits=SOLUTIONS[name])
    press(app, "Check")
    assert app.query_params["lab_check"] == "1"
    assert "Right: your tree is the gold tree." in said(app, "answer")
    (figures,) = credit(app)
    assert figures["heading"] == "Partial credit: 100.0 % (Bracketing F1)"
    assert [row[1] for row in figures["rows"]] == ["100.00", "100.00", "0"]


def test_a_wrong_answer_says_where_in_words_and_in_the_picture(open_app: Open):
    app = open_app("lab", exercise="pp-knife", lab_edits="m17,19", lab_check="1")
    assert said(app, "answer")[1:] == ["Not right yet.", "1. NP “the box” is spurious"]
    assert 'class="node test spurious' in editor(app)["svg"]
    (figures,) = credit(app)
    assert figures["heading"] == "Partial credit: 0.0 % (Bracketing F1)"
    assert figures["rows"][-1] == ["Repairs left", "1", "start 1"]
    assert figures["rows"][1][0] == "Tree-edit similarity (Dice)"
    assert "moved PP over “with a knife” from NP" in editor(app)["message"]


def test_before_a_check_nothing_is_marked(open_app: Open):
    app = open_app("lab", exercise="pp-knife", lab_edits="m17,19")
    assert "spurious" not in editor(app)["svg"]
    assert not credit(app)


def test_the_gold_tree_is_shown_beside_the_own_one(open_app: Open):
    app = open_app("lab", exercise="labels-rain", lab_edits="r14,SBAR")
    press(app, "Show the gold tree")
    (picture,) = blocks(app, "picture")
    assert picture["heading"] == "Gold tree above, your tree below"
    assert "SBAR" in picture["drawn"][0][1]
    assert practices()["labels-rain"].note in said(app, "note")
    press(app, "Hide the gold tree")
    assert not blocks(app, "picture")


def test_another_exercise_begins_anew_and_leaving_goes_to_the_lab(open_app: Open):
    app = open_app("lab", exercise="draw-train", lab_edits="i1,3,NP", lab_check="1")
    app.selectbox(key="url_exercise").set_value("pp-song").run()
    assert not app.exception
    assert app.query_params["exercise"] == "pp-song"
    assert "lab_edits" not in app.query_params
    assert "lab_check" not in app.query_params
    press(app, "Leave the exercise")
    assert "exercise" not in app.query_params
    assert any(button.label == "Practice" for button in app.button)
    press(app, "Practice")
    assert app.query_params["exercise"] == next(iter(practices()))


def test_an_exercise_goes_to_no_other_page(open_app: Open):
    app = open_app("lab", exercise="draw-train", lab_edits="i1,3,NP", parser="better")
    app.query_params.clear()  # as the navigation does
    app.switch_page("pages/worst_parses.py").run()
    assert not app.exception
    assert "exercise" not in app.query_params
    assert app.query_params["parser"] == "better"


@pytest.mark.parametrize("edits", ["x y", "d0", "m1,1 m2,2", "i999,999,NP"])
def test_damaged_links_do_no_harm(open_app: Open, edits: str):
    app = open_app("lab", exercise="draw-train", lab_edits=edits, lab_done="7", lab_check="1")
    assert not app.exception
    assert "Not right yet." in said(app, "answer")


def test_an_unknown_exercise_is_named(open_app: Open):
    app = open_app("lab", exercise="no-such")
    assert not app.exception
    assert any("There is no exercise “no-such”" in text for text in said(app, "note"))
