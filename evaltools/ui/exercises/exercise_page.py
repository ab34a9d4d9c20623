"""An exercise as the teacher shows it: the sentence, what the class has answered, one answer, and the solution."""

from __future__ import annotations

import re
from functools import partial

import streamlit as st

from evaltools.classroom.class_state import class_store
from evaltools.classroom.exercises import Exercise, check_edits, mark, mistakes
from evaltools.drawing.blocks import Drawing, answer, note, steps, wrapped
from evaltools.phones.tree_exercise import marking_lines
from evaltools.publishing.lesson_pictures import tree_picture
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.exercises import stored
from evaltools.ui.exercises.exercise_class import ExerciseClass
from evaltools.ui.exercises.results import (
    answer_title,
    class_line,
    distribution,
    marks_csv,
    mistake_list,
    points,
    tries_text,
)
from evaltools.ui.lessons import shelf
from evaltools.ui.lessons.phones import show_command, show_join, show_large_code
from evaltools.ui.lessons.projection import apply_projection
from evaltools.ui.session import state
from evaltools.ui.session.kernels import wait_for_kernels

__all__ = ["exercise_page"]

_EARLY = "evaltools_exercise_early"
"""Whether points and mistakes are shown before the sentence is closed."""

_PROJECTS = "exercise_projects"


def exercise_page(name: str, exercise: Exercise, me: str) -> None:
    """Show one sentence of an exercise."""
    whole = state.get("full") == "1"
    apply_projection(whole_screen=whole)
    number = state.get_number("item", 1, 1, len(exercise.items))
    course = ExerciseClass(me, name, exercise, shelf.votes_of(name), number - 1)
    wait_for_kernels()
    course.follow()
    now = course.now()
    if state.get("code") == "1" and now is not None:
        show_large_code(now, "Answer")
        return
    if not whole:
        _bar(course, whole=whole)
    given, student = _given(course), state.get("answer")
    if student in given.marks:
        _projected(course, given, student)
    else:
        _sentence(course)
    if whole:
        _bar(course, whole=whole)


def _bar(course: ExerciseClass, *, whole: bool) -> None:
    number, last = course.number + 1, len(course.exercise.items)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_bar"):
        for label, icon, to in (("Previous", "arrow_back", number - 1), ("Next", "arrow_forward", number + 1)):
            st.button(
                label,
                icon=f":material/{icon}:",
                key=f"exercise_{label}",
                disabled=not 1 <= to <= last,
                on_click=_go,
                args=(to,),
            )
        if course.is_closed:
            st.button("Take answers again", key="exercise_reopen", on_click=course.reopen)
        else:
            st.button("Close and show the solution", key="exercise_close", on_click=course.close)
        course.draw()
        title = "Leave full screen" if whole else "Full screen"
        st.button(title, key="exercise_full", on_click=state.put, kwargs={"full": None if whole else 1})
        st.download_button(
            "Marks (CSV)",
            partial(_marks, course),
            f"marks-{_file_name(course.exercise.title)}.csv",
            "text/csv",
            icon=":material/download:",
            key="exercise_csv",
            on_click="ignore",
        )
        st.button("All exercises", key="exercise_all", on_click=_leave)
        st.text(f"{number} of {last}", width="content")


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


def _marks(course: ExerciseClass) -> bytes:
    given = [stored.answered(course.name, item, course.votes) for item in course.exercise.items]
    numbers = stored.numbers(course.votes, (student for each in given for student in each.answers))
    return marks_csv(course.exercise, given, numbers).encode("utf-8")


def _heading(course: ExerciseClass) -> str:
    return f"{course.exercise.title}: sentence {course.number + 1} of {len(course.exercise.items)}"


def _sentence(course: ExerciseClass) -> None:
    """Show the sentence, how to join, the answers, and the solution once the sentence is closed."""
    item = course.item
    task = "Draw the tree." if item.is_drawn else "Correct the tree."
    words = " ".join(item.gold_tree.words)
    show_blocks({**answer(words), "heading": _heading(course)}, note(task), key="exercise_sentence", large=True)
    now = course.now()
    if class_store() is None:
        show_command("answer")
    elif now is None:
        show_blocks(note("Phones do not show this sentence. Press Phones to let the class answer."), key="no_phones")
    elif not course.is_closed:
        show_join(now, "Answer")
    _count(course)
    if course.is_closed:
        shown = tree_picture(item.gold_tree)
        show_blocks({**shown, "heading": "The gold tree"}, key="exercise_gold", large=True)
    elif not item.is_drawn:
        shown = tree_picture(item.start_tree)
        show_blocks({**shown, "heading": "The tree to correct"}, key="exercise_start", large=True)
    _live(course, is_projected=state.get("full") == "1")


def _given(course: ExerciseClass) -> stored.Answered:
    return stored.answered(course.name, course.item, course.votes)


@st.fragment(run_every="1s")
def _count(course: ExerciseClass) -> None:
    """Show how many have answered, as answers come."""
    show_blocks(class_line(_given(course), course.exercise.credit), key="exercise_line", large=True)


@st.fragment(run_every="1s")
def _live(course: ExerciseClass, *, is_projected: bool) -> None:
    """Show what the class has answered, as answers come; while it is projected, nothing that gives the answer away."""
    given, credit = _given(course), course.exercise.credit
    marks = given.marks
    if not marks:
        return
    if st.session_state.pop(_PROJECTS, False):
        st.rerun()
    if not course.is_closed:
        if is_projected:
            text = "Points and the commonest mistakes are shown when the sentence is closed."
            show_blocks(note(text), key="exercise_hidden")
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
    numbers = stored.numbers(course.votes, marks)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        show_blocks(distribution(marks, credit), key="exercise_points")
        rows = [
            (
                "matched" if marks[student].is_right else "inserted",
                f"Student {numbers[student]}: {answer_title(marks[student], credit, given.n_tries(student))}",
            )
            for student in students
        ]
        show_blocks(
            steps(rows, "Answers: click one to project it"),
            key="exercise_answers",
            on_step=lambda index: _project(students[index]),
        )
    with right:
        if found:
            show_blocks(
                mistake_list(found, len(marks)),
                note("Click a mistake to project an answer that has it."),
                key="exercise_mistakes",
                on_sentence=lambda number: _project(found[number - 1].answers[0]),
            )


def _project(student: str) -> None:
    state.put(answer=student, full=1)
    st.session_state[_PROJECTS] = True


def _projected(course: ExerciseClass, given: stored.Answered, student: str) -> None:
    """Show one answer, without saying whose it is; what is missing in it only when the sentence is closed."""
    marked, credit = given.marks[student], course.exercise.credit
    verdict, figures, texts = marking_lines(marked, credit)
    lines = [note(figures)]
    tries = [mark(course.item, check_edits(each.edits)) for each in given.tries.get(student, ())]
    if len(tries) > 1:
        reached = ", ".join(f"{points(each, credit):.0f}" for each in tries)
        lines.append(note(f"{tries_text(len(tries))}: {reached} points. The last one counts."))
    show_blocks({**answer(verdict), "heading": _heading(course)}, *lines, key="projected_line", large=True)
    heading = "An answer" if marked.is_right else "An answer; what is spurious or relabeled is marked"
    drawn = tree_picture(marked.tree, statuses=marked.statuses, name="the answer")
    show_blocks({**drawn, "heading": heading}, key="projected_tree", large=True)
    if course.is_closed and not marked.is_right:
        sentence = Drawing(marked.sentence, "What is left to repair", "repairs", options={"test_name": "tree"})
        blocks = [wrapped(sentence)] if marked.sentence.repairs else []
        show_blocks(*blocks, *(note(text) for text in texts), key="projected_repairs", large=True)
    st.button("Back to the class", key="projected_back", on_click=state.put, kwargs={"answer": None, "full": None})
