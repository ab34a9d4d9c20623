"""The list of exercises, beside that of the lessons."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from evaltools.classroom import shelf
from evaltools.classroom.exercises import Exercise
from evaltools.drawing.blocks import answer, note
from evaltools.runs.store import Run
from evaltools.text import count_of
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.exercises.making import MADE, copy_into_form, make_exercise
from evaltools.ui.session import state

__all__ = ["exercise_list"]

_DONE = ":material/check_circle:"


def exercise_list(run: Run | None) -> None:
    """List the exercises, and offer to make one."""
    listed = shelf.exercises()
    text = (
        "Students draw or correct trees on their phones, see at once where they are not right, and get points; you see "
        "the class’s answers as they come."
    )
    show_blocks(note(text), key="exercises_about")
    made = st.session_state.get(MADE)
    if made in listed:
        st.success("The exercise is made. Phones show it when you open it and let the class answer.", icon=_DONE)
    with st.container(key="exercise_rows"):
        for name, exercise in listed.items():
            _row(name, exercise, is_new=name == made)
    make_exercise(run)


def _row(name: str, exercise: Exercise, *, is_new: bool) -> None:
    left, middle, right = st.columns([6, 1, 1], vertical_alignment="center", gap="medium")
    number = len(exercise.items)
    words = " ".join(exercise.items[0].gold_tree.words) if exercise.items else ""
    with left:
        about = f"{count_of(number, 'sentence')}"
        show_blocks({**answer(words), "heading": exercise.title}, note(about), key=f"about_{name}")
    with middle:
        kind: Literal["primary", "secondary"] = "primary" if is_new else "secondary"
        st.button("Open", key=f"open_{name}", width="stretch", type=kind, on_click=_open, args=(name,))
    with right, st.popover("More", width="stretch", key=f"more_{name}"):
        answers = sum(len(shelf.votes_of(name).answers(shelf.question_of(name, item))) for item in exercise.items)
        st.text(f"{count_of(answers, 'answer')} to this exercise.")
        st.button("Copy into the form", key=f"copy_{name}", on_click=copy_into_form, args=(exercise,))
        st.text("Deleting the exercise also deletes its answers.")
        st.button("Delete the exercise", key=f"remove_{name}", icon=":material/delete:", on_click=_remove, args=(name,))


def _open(name: str) -> None:
    st.session_state.pop(MADE, None)
    state.put(exercise=name, list=None)


def _remove(name: str) -> None:
    try:
        shelf.remove_exercise(name)
    except OSError as error:
        st.toast(f"The exercise cannot be deleted: {error.strerror or error}", icon=":material/error:")
