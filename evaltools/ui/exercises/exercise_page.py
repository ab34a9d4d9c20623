"""An exercise as the teacher shows it: the sentence, what the class has answered, one answer, and the solution."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import streamlit as st

from evaltools.classroom import shelf
from evaltools.classroom.exercises import Exercise, Mark, mistakes
from evaltools.classroom.questions import marking_lines
from evaltools.classroom.votes import class_store
from evaltools.drawing.blocks import Block, Drawing, answer, note, picture, steps
from evaltools.marks import Status
from evaltools.outputs.lessons import tree_picture
from evaltools.text import capitalized
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.components.keyboard import keyboard
from evaltools.ui.exercises.exercise_class import ExerciseClass
from evaltools.ui.exercises.results import (
    answer_title,
    class_line,
    distribution,
    marks_csv,
    mistake_list,
)
from evaltools.ui.lessons.phones import show_command, show_join, show_large_code
from evaltools.ui.lessons.projection import apply_projection
from evaltools.ui.lessons.slides import apply_slide
from evaltools.ui.session import state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.controls import previous_and_next

__all__ = ["exercise_page"]

_EARLY = "evaltools_exercise_early"
"""Whether points and mistakes are shown before the sentence is closed."""

_FIT_BELOW, _LEAST = 58, 90
"""How much of the window's height a picture below the sentence may take, and its smallest scale, in hundredths."""
_REPAIRS = 420
"""Width for which corrections are drawn, in pixels; the drawing then grows to that of its column."""
_MARKS = {Status.SPURIOUS: "> spurious", Status.RELABELED: "≠ relabeled"}
_PROJECTS = "exercise_projects"
_CLOSING = "exercise_closing"
"""Key of the sentence that the teacher is asked about before it is closed, in the session."""
_WHOLE = "exercise_whole"
"""Key of whether the exercise filled the screen before an answer was projected."""
_FULL = "exercise_full"


def exercise_page(name: str, exercise: Exercise, me: str) -> None:
    """Show one sentence of an exercise."""
    whole = state.get("full") == "1"
    apply_projection(whole_screen=whole)
    if whole:
        apply_slide()
    number = state.get_number("item", 1, 1, len(exercise.items))
    course = ExerciseClass(me, name, exercise, shelf.votes_of(name), number - 1)
    keyboard(
        number,
        len(exercise.items),
        key="exercise_keys",
        whole=whole,
        button=_FULL,
        answer="exercise_close",
        on_step=_go,
        on_leave=partial(state.put, full=None),
    )
    wait_for_kernels()
    course.follow()
    now = course.now()
    if state.get("code") == "1" and now is not None:
        show_large_code("Answer")
        return
    given, student = _given(course), state.get("answer")
    projects = student in given.marks
    if not whole:
        _bar(course, whole=whole, projects=projects)
    if projects:
        _projected(course, given, student)
    else:
        _sentence(course)
    if whole:
        _bar(course, whole=whole, projects=projects)


def _bar(course: ExerciseClass, *, whole: bool, projects: bool) -> None:
    number, last = course.number + 1, len(course.exercise.items)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_bar"):
        if projects:
            st.button("Back to the class", key="projected_back", type="primary", on_click=_back)
        else:
            before, after = number - 1 or None, number + 1 if number < last else None
            previous_and_next("exercise", before, after, _go)
        course.draw()
        title = "Leave full screen" if whole else "Full screen"
        st.button(title, key=_FULL, shortcut="F", on_click=state.put, kwargs={"full": None if whole else 1})
        if not projects:
            _marks(course)
            st.button("All exercises", key="exercise_all", on_click=_leave)
        st.text(f"{number} of {last}", width="content")
        _closing(course)


def _closing(course: ExerciseClass) -> None:
    """Offer to close the sentence, at the end of the bar and only after a second press."""
    if course.is_closed:
        st.button("Take answers again", key="exercise_reopen", on_click=course.reopen)
    elif st.session_state.get(_CLOSING) == course.question:
        st.button(
            "Close it now", key="exercise_close_sure", type="primary", shortcut="V", on_click=_close, args=(course,)
        )
        st.button("Keep it open", key="exercise_keep", on_click=_ask_to_close, args=("",))
    else:
        asked = course.question
        st.button(
            "Close and show the solution …", key="exercise_close", shortcut="V", on_click=_ask_to_close, args=(asked,)
        )


def _ask_to_close(question: str) -> None:
    st.session_state[_CLOSING] = question


def _close(course: ExerciseClass) -> None:
    _ask_to_close("")
    course.close()


def _back() -> None:
    state.put(answer=None, full=1 if st.session_state.pop(_WHOLE, False) else None)


def _file_name(title: str) -> str:
    """Return a title as part of the name of a file.

    Examples
    --------
    >>> _file_name("Week 3: PP/NP?")
    'Week-3-PP-NP'
    """
    return re.sub(r"\W+", "-", title).strip("-")[:60] or "exercise"


def _go(number: int) -> None:
    state.put(item=None if number == 1 else number, answer=None)


def _leave() -> None:
    state.put(exercise=None, item=None, answer=None, full=None, code=None, list="exercises")


@st.fragment(run_every="1s")
def _marks(course: ExerciseClass) -> None:
    """Offer the marks of now; a file made after the click is lost when two fragments end before it is fetched."""
    given = [shelf.answered(course.name, item, course.votes) for item in course.exercise.items]
    numbers = shelf.numbers(course.votes, (student for each in given for student in each.answers))
    st.download_button(
        "Marks (CSV)",
        marks_csv(course.exercise, given, numbers).encode("utf-8"),
        f"marks-{_file_name(course.exercise.title)}.csv",
        "text/csv",
        icon=":material/download:",
        key="exercise_csv",
        on_click="ignore",
    )


def _heading(course: ExerciseClass) -> str:
    return f"{course.exercise.title}: sentence {course.number + 1} of {len(course.exercise.items)}"


def _sentence(course: ExerciseClass) -> None:
    """Show the sentence, how to join, the answers, and the solution once the sentence is closed."""
    item, now = course.item, course.now()
    joins = now is not None and not course.is_closed
    left, right = st.columns([3, 2], gap="medium") if joins else (st.container(), st.container())
    with left:
        task = "Draw the tree." if item.is_drawn else "Correct the tree."
        words = " ".join(item.gold_tree.words)
        show_blocks({**answer(words), "heading": _heading(course)}, note(task), key="exercise_sentence", large=True)
        if class_store() is None:
            show_command("answer")
        elif now is None:
            text = "Phones do not show this sentence. Press Phones to let the class answer."
            show_blocks(note(text), key="no_phones")
        _count(course, is_projected=state.get("full") == "1")
    if now is not None and joins:
        with right:
            show_join("Answer")
    if not course.is_closed and not item.is_drawn:
        shown = tree_picture(item.start_tree)
        shown = {**shown, "heading": "The tree to correct", "fit": _FIT_BELOW, "least": _LEAST}
        show_blocks(shown, key="exercise_start", large=True)
    _live(course, is_projected=state.get("full") == "1")


def _given(course: ExerciseClass) -> shelf.Answered:
    return shelf.answered(course.name, course.item, course.votes)


@st.fragment(run_every=0.5)
def _count(course: ExerciseClass, *, is_projected: bool) -> None:
    """Show how many have answered, as answers come; how good they are when the sentence is closed, or on demand."""
    whole = course.is_closed or (not is_projected and bool(st.session_state.get(_EARLY)))
    line = class_line(_given(course), course.exercise.credit, with_points=whole)
    show_blocks(line, key="exercise_line", large=True)


@st.fragment(run_every="1s")
def _live(course: ExerciseClass, *, is_projected: bool) -> None:
    """Show what the class has answered, as answers come; while it is projected, nothing that gives the answer away."""
    given, credit = _given(course), course.exercise.credit
    marks = given.marks
    if st.session_state.pop(_PROJECTS, False):
        st.rerun()
    if not course.is_closed:
        if not marks:
            return
        if is_projected:
            text = "Points and the commonest mistakes are shown when the sentence is closed."
            show_blocks(note(text), key="exercise_hidden", large=True)
            return
        early = st.toggle(
            "Show points and mistakes now, before the sentence is closed",
            value=bool(st.session_state.get(_EARLY)),  # the toggle forgets it while the code fills the window
            key="exercise_early",
        )
        st.session_state[_EARLY] = early
        if not early:
            return
    found, students = mistakes(marks), list(marks)
    left, right = st.columns([1, 1], gap="medium") if course.is_closed and found else (st.container(), st.container())
    with left:
        if course.is_closed:
            shown = {**tree_picture(course.item.gold_tree), "fit": _FIT_BELOW, "least": _LEAST}
            show_blocks({**shown, "heading": "The gold tree"}, key="exercise_gold", large=True)
    with right:
        if found:
            show_blocks(
                mistake_list(found, len(marks)),
                note("Click a mistake to project an answer that has it."),
                key="exercise_mistakes",
                on_sentence=lambda number: _project(found[number - 1].answers[0]),
                large=True,
            )
    if not marks:
        return
    numbers = shelf.numbers(course.votes, marks)
    left, right = st.columns([1, 1], gap="medium")
    with left:
        show_blocks(distribution(marks, credit), key="exercise_points", large=True)
    with right:
        titles = [answer_title(marks[student], credit) for student in students]
        rows = [
            ("right", f"Student {numbers[student]}: {title}") for student, title in zip(students, titles, strict=True)
        ]
        show_blocks(
            steps(rows, "Answers: click one to project it"),
            key="exercise_answers",
            on_step=lambda index: _project(students[index]),
            large=True,
        )


def _project(student: str) -> None:
    st.session_state[_WHOLE] = state.get("full") == "1"
    state.put(answer=student, full=1)
    st.session_state[_PROJECTS] = True


def _projected(course: ExerciseClass, given: shelf.Answered, student: str) -> None:
    """Show one answer, without saying whose it is; what is missing in it only when the sentence is closed."""
    marked, credit = given.marks[student], course.exercise.credit
    verdict, figures, texts = marking_lines(marked, credit, is_open=not course.is_closed)
    show_blocks({**answer(verdict), "heading": _heading(course)}, note(figures), key="projected_line", large=True)
    shows_repairs = course.is_closed and bool(marked.sentence.repairs)
    left, right = st.columns([1, 1], gap="medium") if shows_repairs else (st.container(), st.container())
    with left:
        marks = [text for status, text in _MARKS.items() if status in marked.statuses]
        heading = f"An answer ({', '.join(marks)})" if marks else "An answer"
        drawn = tree_picture(marked.tree, statuses=marked.statuses, name="the answer")
        show_blocks({**drawn, "heading": heading, "fit": _FIT_BELOW, "least": _LEAST}, key="projected_tree", large=True)
    with right:
        blocks = [_repairs(marked)] if shows_repairs else []
        left_out = texts if course.is_closed else ()
        show_blocks(*blocks, *(answer(capitalized(text)) for text in left_out), key="projected_repairs", large=True)


def _repairs(marked: Mark) -> Block:
    """Return the corrections as a drawing that fills its column."""
    options: dict[str, Any] = {"test_name": "answer"}
    drawing = Drawing(marked.sentence, "What is to be corrected", "repairs", options=options)
    svg = drawing.draw(theme="auto", width=_REPAIRS)
    return picture(svg, drawing.title, fit=_FIT_BELOW, min_percent=_LEAST, files=drawing)
