"""Exercise sheets, solutions and hand-outs: complete files, without the solution where it is not asked for."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from evaltools.classroom.lessons import bundled_lessons, parse_lesson
from evaltools.classroom.material import Vote
from evaltools.outputs.lessons import SHEETS, lesson_sheet, to_html

LESSONS = bundled_lessons()


@pytest.mark.parametrize("name", list(LESSONS))
@pytest.mark.parametrize("sheet", list(SHEETS))
@pytest.mark.slow
def test_every_sheet_is_complete(name: str, sheet: str):
    lesson = LESSONS[name]
    html = lesson_sheet(lesson, sheet)
    assert html.startswith("<!DOCTYPE html>")
    assert "{{" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    HTMLParser().feed(html)
    parts = len(lesson.steps) if sheet in ("handout", "script") else len(lesson.exercises)
    assert html.count("<h2") == parts


@pytest.mark.parametrize("name", list(LESSONS))
def test_the_exercise_sheet_has_no_solution(name: str):
    sheet, solutions = (lesson_sheet(LESSONS[name], kind) for kind in ("exercises", "solutions"))
    assert "Solution." not in sheet
    assert solutions.count("Solution.") == len(LESSONS[name].exercises)
    assert "with these numbers" not in sheet


def test_the_handout_does_not_give_a_vote_away():
    html = lesson_sheet(LESSONS["vote"], "handout")
    for step in LESSONS["vote"].steps:
        if isinstance(step.material, Vote):
            assert to_html(step.answer) not in html
            assert re.sub("<.*?>", "", to_html(step.answer)) not in re.sub("<.*?>", "", html)


def test_the_handout_says_that_it_is_for_afterwards_and_repeats_no_list():
    html = lesson_sheet(LESSONS["brackets"], "handout")
    assert "For afterwards" in html
    assert "Click the spurious bracket" not in html
    assert html.count("NP: stars with telescopes") == 1
    assert "Name: ____" in lesson_sheet(LESSONS["brackets"], "exercises")


def test_texts_of_others_are_written_as_text():
    text = "<script>alert(1)</script> ![p](http://example.com/p.png) `a` **b**"
    assert "<script" not in to_html(text)
    assert "<img" not in to_html(text)
    assert "<strong>b</strong>" in to_html(text)


def test_lists_and_tables():
    assert to_html("* a\n* b").count("<li>") == 2
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    assert to_html(table).count("<td>") == 2


def test_a_lesson_of_ones_own_without_exercises_has_a_handout():
    lesson = parse_lesson('title = "<b>"\nabout = "x"\n[[step]]\ntitle = "One & two"\n', "mine.toml")
    text = lesson_sheet(lesson, "handout")
    assert "<b>" not in text.replace("<body>", "")
    assert "One &amp; two" in text


def test_the_notes_have_every_step_with_its_time_and_its_answer():
    lesson = LESSONS["brackets"]
    html = lesson_sheet(lesson, "script")
    assert "(minute 0, for 2)" in html
    assert html.count("<strong>Answer.</strong>") == sum(bool(step.answer) for step in lesson.steps)
    assert to_html(lesson.steps[1].notes).strip() in html
