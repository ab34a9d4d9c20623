"""Exercises on *Lessons*: making them, opening them for a class, the class's answers, and the marks as a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evaltools import Tree
from evaltools.app.lessons.exercises import marks_csv
from evaltools.classroom import shelf
from evaltools.classroom.exercises import Answer, Exercise, Item, check_edits, item_of, mark, practice
from evaltools.classroom.questions import TreeExercise, question_of
from evaltools.classroom.votes import BallotBox, ClassStore
from evaltools.hosts import CLASS_FILE, PHONES_URL, TEACHER
from tests.classroom.test_practice import SOLUTIONS
from tests.pages.shown import blocks, said

Open = Callable[..., AppTest]
GOLD = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))))"
PARSE = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))"
RIGHT = "i7,13,NP"
EXERCISE = Exercise(
    "Attachment $x$ <b>",
    (
        item_of("1", Tree.from_string(GOLD), Tree.from_string(PARSE)),
        item_of("2", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")),
    ),
)


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ClassStore:
    monkeypatch.setenv(CLASS_FILE, str(tmp_path / "class.sqlite"))
    monkeypatch.setenv(PHONES_URL, "http://192.168.1.5:8502")
    monkeypatch.setenv(TEACHER, "secret")
    return ClassStore(tmp_path / "class.sqlite")


def shown(led: ClassStore) -> TreeExercise:
    now = led.now()
    assert now is not None
    question = question_of(now.kind, now.content)
    assert isinstance(question, TreeExercise)
    return question


def hand_in(led: ClassStore, student: str, edits: str, name: str = "") -> bool:
    now = led.now()
    assert now is not None
    text = shown(led).check(json.dumps({"edits": edits, "name": name}))
    return BallotBox(Path(now.votes)).put(now.question, student, text)


def make(app: AppTest, gold: str, parses: str = "", title: str = "Mine") -> None:
    app.text_input(key="exercise_title").set_value(title)
    app.text_area(key="exercise_gold").set_value(gold)
    app.text_area(key="exercise_parses").set_value(parses)
    next(button for button in app.main.button if button.label == "Make the exercise").click().run()


def test_an_exercise_is_made_from_pasted_trees_listed_and_deleted(open_app: Open):
    app = open_app("lessons")
    make(app, GOLD, PARSE, "Mine *x* $y$")
    assert not app.exception
    assert "exercise" not in app.query_params, "to make and to open it are two steps"
    assert app.success[0].value.startswith("The exercise is made.")
    (name,) = set(shelf.exercises()) - {shelf.PRACTICE}
    exercise = shelf.find_exercise(name)
    assert exercise is not None
    assert (exercise.title, exercise.ask_names, exercise.show_solution) == ("Mine *x* $y$", False, False)
    assert [(item.gold, item.start) for item in exercise.items] == [(GOLD, PARSE)]
    app.button(key=f"open_{name}").click().run()
    assert app.main.header[0].value == r"Mine \*x\* \$y\$\: sentence 1 of 1"
    app.button(key="exercise_all").click().run()
    assert app.query_params["list"] == "exercises"
    assert not app.success
    assert {"exercise", "item", "answer", "full"}.isdisjoint(app.query_params)
    app.button(key=f"open_{name}").click().run()
    assert app.query_params["exercise"] == name
    app.button(key="exercise_all").click().run()
    app.button(key=f"remove_{name}").click().run()
    assert not app.exception
    assert set(shelf.exercises()) == {shelf.PRACTICE}
    assert f"open_{name}" not in {button.key for button in app.main.button}


def test_what_is_wrong_with_pasted_trees_is_listed(open_app: Open):
    app = open_app("lessons")
    make(app, f"{GOLD}\n(S (NP (N dogs)\n")
    assert not app.exception
    assert "exercise" not in app.query_params
    assert app.error[0].value == "The exercise was not made: 1 problem to correct."
    rows = blocks(app, "rows")[0]["rows"]
    assert [cells[:3] for cells in rows] == [["Gold trees", "2", "2"]]
    make(app, "")
    assert "1 problem" in app.error[0].value
    assert set(shelf.exercises()) == {shelf.PRACTICE}


def test_an_exercise_is_copied_into_the_form(open_app: Open):
    name = shelf.keep_exercise(EXERCISE)
    app = open_app("lessons")
    app.button(key=f"copy_{name}").click().run()
    assert not app.exception
    assert app.text_area(key="exercise_gold").value == "\n".join(item.gold for item in EXERCISE.items)
    assert app.text_area(key="exercise_parses").value == f"{PARSE}\n", "the second tree is drawn"
    app.text_input(key="exercise_title").set_value("Again")
    next(button for button in app.main.button if button.label == "Make the exercise").click().run()
    assert not app.error
    made = {exercise.title: exercise for exercise in shelf.exercises().values()}
    assert made["Again"].items == EXERCISE.items


def test_an_exercise_is_made_from_sentences_of_the_run(open_app: Open):
    app = open_app("lessons")
    app.segmented_control(key="exercise_source").set_value("Sentences of the open run").run()
    app.text_input(key="exercise_numbers").set_value("1, 2")
    app.checkbox(key="exercise_names").check()
    next(button for button in app.main.button if button.label == "Make the exercise").click().run()
    assert not app.exception
    assert not app.error, [cells for block in blocks(app, "rows") for cells in block["rows"]]
    _, exercise = shelf.exercises().values()
    assert (exercise.title, exercise.ask_names) == ("Exercise", True)
    assert all(item.is_drawn for item in exercise.items)


@pytest.mark.parametrize("text", ["", "x", "1, two", "1--2", "1-9999999"])
def test_sentence_numbers_that_are_none_are_refused(open_app: Open, text: str):
    app = open_app("lessons")
    app.segmented_control(key="exercise_source").set_value("Sentences of the open run").run()
    app.text_input(key="exercise_numbers").set_value(text)
    next(button for button in app.main.button if button.label == "Make the exercise").click().run()
    assert not app.exception
    assert app.error


@pytest.mark.slow
def test_a_class_answers_and_the_teacher_sees_it(open_app: Open, led: ClassStore):
    name = shelf.keep_exercise(EXERCISE)
    app = open_app("lessons", exercise=name)
    assert not app.exception
    question = shown(led)
    assert (question.item, question.title, question.is_closed) == (EXERCISE.items[0], "Sentence 1 of 2", False)
    assert question.labels == ("NP", "PP", "S", "VP")
    assert "http://192.168.1.5:8502" in said(app, "note")
    assert "No answer yet." in said(app, "answer")
    for student, edits in {"a": RIGHT, "b": "", "c": "", "d": "r2,X"}.items():
        assert hand_in(led, student, edits)
    app.run()
    assert "4 of 4 phones." in said(app, "answer")
    assert blocks(app, "sentences") == []  # the screen may be projected
    app.toggle(key="exercise_early").set_value(True).run()
    assert "4 answers, 1 right. Mean: 25 points of 100." in said(app.run(), "answer")
    (commonest,) = blocks(app, "sentences")
    assert commonest["rows"][0][2].endswith("– 3 of 4 answers")
    assert "with cheese" in commonest["rows"][0][2]
    assert "The gold tree" not in {block.get("heading") for block in blocks(app, "picture")}

    # one answer is projected, without a name, and without what is missing in it
    app.query_params["answer"] = "d"
    app.query_params["full"] = "1"
    app.run()
    assert not app.exception
    headings = [block["heading"] for block in blocks(app, "picture") if block.get("heading")]  # not the code
    assert headings == ["An answer (≠ relabeled)"]
    assert any(text.startswith("Not right yet: 2 corrections are still missing.") for text in said(app, "answer"))
    app.button(key="projected_back").click().run()
    assert {"answer", "full"}.isdisjoint(app.query_params)

    # closing it shows the solution, here and on the phones
    app.button(key="exercise_close").click().run()
    assert not shown(led).is_closed, "only after a second press"
    app.button(key="exercise_keep").click().run()
    app.button(key="exercise_close").click().run()
    app.button(key="exercise_close_sure").click().run()
    assert not app.exception
    assert shown(led).is_closed
    assert not hand_in(led, "late", RIGHT)
    assert "The gold tree" in {block.get("heading") for block in blocks(app, "picture")}
    app.query_params["answer"] = "d"
    app.run()
    assert "What is to be corrected" in {block.get("heading") for block in blocks(app, "picture")}
    app.query_params["answer"] = "nobody"
    app.run()
    assert not app.exception
    app.button(key="exercise_reopen").click().run()
    assert not shown(led).is_closed
    assert hand_in(led, "late", RIGHT)
    assert "5 answers" in " ".join(said(app.run(), "answer"))

    app.button(key="exercise_Next").click().run()
    assert shown(led).item == EXERCISE.items[1]
    assert "No answer yet." in said(app, "answer")


def test_on_the_full_screen_nothing_gives_the_answer_away(open_app: Open, led: ClassStore):
    name = shelf.keep_exercise(EXERCISE)
    app = open_app("lessons", exercise=name, full="1")
    hand_in(led, "a", "")
    app.run()
    assert blocks(app, "sentences") == []
    assert any(text == "1 of 1 phone." for text in said(app, "answer"))


@pytest.mark.parametrize(
    "name", ["exercise-0123456789ab", "../exercise-0123456789ab", "x", "exercise-0123456789ab.json"]
)
def test_links_to_an_exercise_that_is_not_there_lead_to_the_list(open_app: Open, name: str):
    app = open_app("lessons", exercise=name)
    assert not app.exception
    assert app.main.header[0].value == "Lessons"
    shelf.remove_exercise(name)


def test_a_damaged_exercise_is_left_out(open_app: Open):
    name = shelf.keep_exercise(EXERCISE)
    path = shelf.folder() / f"{name}.json"
    path.write_bytes(path.read_bytes()[:50])
    app = open_app("lessons")
    assert not app.exception
    assert set(shelf.exercises()) == {shelf.PRACTICE}


def given(item: Item, **answers: Answer) -> shelf.Answered:
    return shelf.Answered(
        item, answers, {student: mark(item, check_edits(each.edits)) for student, each in answers.items()}
    )


def test_marks_are_a_row_for_each_student():
    first, second = EXERCISE.items
    answered = [
        given(first, ann=Answer(RIGHT, "=Ann"), bob=Answer("", "Bob")),
        given(second, ann=Answer("", "=Ann"), cem=Answer("i1,1,NP i4,4,VP")),
    ]
    numbers = {"cem": 1, "ann": 2, "bob": 3}
    anonymous = list(csv.reader(io.StringIO(marks_csv(EXERCISE, answered, numbers))))
    assert anonymous == [
        ["student", "sentence 1", "sentence 2", "total of 200"],
        ["1", "", "100.0", "100.0"],
        ["2", "100.0", "0.0", "100.0"],
        ["3", "0.0", "", "0.0"],
    ]
    named = Exercise(EXERCISE.title, EXERCISE.items, ask_names=True)
    rows = list(csv.reader(io.StringIO(marks_csv(named, answered, numbers))))
    assert [row[1] for row in rows] == ["name", "", "'=Ann", "Bob"]


def test_numbers_of_students_do_not_change_between_two_files(open_app: Open, led: ClassStore):
    name = shelf.keep_exercise(EXERCISE)
    app = open_app("lessons", exercise=name)
    for student in ("m", "z"):
        hand_in(led, student, "")
    store = shelf.ballots()
    before = shelf.numbers(store)
    for student in ("a", "m"):
        hand_in(led, student, RIGHT)
    assert before == {"m": 1, "z": 2}
    assert shelf.numbers(store, ["old", "a"]) == {"m": 1, "z": 2, "a": 3, "old": 4}
    answered = shelf.answered(name, EXERCISE.items[0], store)
    assert list(answered.answers) == ["m", "z", "a"]
    assert "3 of 3 phones." in said(app.run(), "answer")


# --------------------------------------------------------------------------------------------------- solved in the app


def editor(app: AppTest) -> dict[str, Any]:
    every = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    (data,) = [data for data in every if "nodes" in data]
    return data


def press(app: AppTest, label: str) -> None:
    next(button for button in app.main.button if button.label == label).click().run()
    assert not app.exception


@pytest.mark.parametrize("item", practice().items, ids=lambda item: item.id)
def test_the_gold_tree_is_nowhere_on_the_page_before_it_is_asked_for(open_app: Open, item: Item):
    app = open_app("lessons", exercise=shelf.PRACTICE, item=item.id, solve="1")
    assert not app.exception
    assert item.task in said(app, "answer")
    assert tuple(node["label"] for node in editor(app)["nodes"]) == item.start_tree.labels
    everything = " ".join(element.proto.json for element in app.get("bidi_component"))
    for secret in (item.gold, item.note, 'class=\\"node test spurious'):
        assert secret not in everything
    app = open_app("lessons", exercise=shelf.PRACTICE, item=item.id, solve="1", lab_edits=SOLUTIONS[item.id])
    press(app, "Check")
    assert "Right." in said(app, "answer")
    assert "100 of 100 points." in said(app, "note")


def test_a_wrong_answer_says_where_and_the_gold_tree_is_shown_beside_it(open_app: Open):
    query = {"exercise": shelf.PRACTICE, "item": "3", "solve": "1", "lab_edits": "a17,19 i2,2,XP"}
    assert "spurious" not in editor(open_app("lessons", **query))["svg"]
    app = open_app("lessons", **query, lab_check="1")
    assert said(app, "answer")[1:] == ["Not right yet: 1 correction is still missing.", "1. XP “She” is spurious"]
    assert 'class="node test spurious' in editor(app)["svg"]
    press(app, "Show the gold tree")
    assert practice().items[2].note in said(app, "note")
    app.button(key="exercise_Next").click().run()
    assert {"lab_edits", "lab_check", "lab_solution"}.isdisjoint(app.query_params)
    press(app, "Back to the class")
    assert "solve" not in app.query_params


@pytest.mark.parametrize("edits", ["x y", "d0", "m1,1 m2,2", "i999,999,NP"])
def test_damaged_links_do_no_harm(open_app: Open, edits: str):
    app = open_app("lessons", exercise=shelf.PRACTICE, solve="1", lab_edits=edits, lab_done="7", lab_check="1")
    assert not app.exception
    assert any(text.startswith("Not right yet") for text in said(app, "answer"))


def test_the_code_fills_the_window_of_an_exercise(led: ClassStore, open_app: Open):
    app = open_app("lessons", exercise=shelf.keep_exercise(EXERCISE), code="1")
    assert not app.exception
    assert [header.value for header in app.main.header] == ["http://192.168.1.5:8502"]
    app.button(key="code_close").click().run()
    assert app.main.header[0].value.endswith("sentence 1 of 2")
