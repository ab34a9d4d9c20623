"""Exercises in the lab: a student draws or corrects a tree without seeing the gold tree, and checks the answer."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.components.copy_link import copy_link
from evaltools.app.components.tree_editor import one_tree_editor
from evaltools.app.lab.trees import edited_by_link, put_message
from evaltools.app.session import state
from evaltools.app.session.kernels import wait_for_kernels
from evaltools.app.widgets.saving import made_here
from evaltools.blocks import Block, answer, drawn, facts, note
from evaltools.classroom.exercises import CREDITS, Mark, Practice, mark, practices
from evaltools.frameworks.constituency.views import mapping_drawing
from evaltools.marks import Status
from evaltools.text import count_of, percent, percentage


def current_practice() -> Practice | None:
    """Return the exercise that the link opens."""
    return practices().get(state.get("exercise"))


def open_practice(name: str = "") -> None:
    """Open an exercise, by default the first, without what else the lab shows."""
    _go(name or next(iter(practices())))


def _go(name: str | None) -> None:
    state.put(**dict.fromkeys(item for item in state.query() if item.startswith("lab_")), exercise=name)
    put_message("")


def show_practice(practice: Practice) -> None:
    """Draw the page of an exercise."""
    wait_for_kernels()
    attempt = edited_by_link(practice.item.start_tree, practice.item.notation)
    checked = mark(practice.item, attempt.edits[: attempt.done])
    is_checked, is_solved = state.get("lab_check") == "1", state.get("lab_solution") == "1"
    labels = ", ".join(practice.labels)
    show_blocks(answer(practice.task), note(f"Labels to use: {labels}. The tags are given."), key="practice_task")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _choose(practice)
        st.button("Check", type="primary", key="practice_check", on_click=lambda: state.put(lab_check=1))
        title = "Hide the gold tree" if is_solved else "Show the gold tree"
        wanted = None if is_solved else 1
        st.button(title, key="practice_solution", on_click=lambda: state.put(lab_solution=wanted, lab_check=1))
        copy_link(key="practice_link")
        st.button("Leave the exercise", key="practice_leave", on_click=lambda: _go(None))
    picture, verdict = st.columns([5, 3], gap="medium")
    with picture:
        st.markdown("**Your tree**")
        one_tree_editor(
            attempt.tree,
            checked.statuses if is_checked else (),
            key="practice_editor",
            can_undo=attempt.done > 0,
            can_redo=attempt.done < len(attempt.edits),
            message=attempt.message,
            on_edit=attempt.apply,
        )
    with verdict:
        if is_checked:
            show_blocks(
                *_verdict(practice, checked), key="practice_verdict", origin=made_here("exercise", practice.title)
            )
        else:
            show_blocks(note("Check compares your tree with the gold tree."), key="practice_verdict")
    if is_solved:
        _solution(practice, checked)


def _choose(practice: Practice) -> None:
    every = practices()
    with st.container(width=350):
        st.selectbox(
            "Exercise",
            list(every),
            format_func=lambda name: every[name].title,
            **state.bind("exercise", practice.id, None, also=lambda: _go(state.get("exercise"))),
        )


def _verdict(practice: Practice, checked: Mark) -> list[Block]:
    """Return whether the tree is right, else where it is not, and the figures of partial credit."""
    before = mark(practice.item, ())
    figures = [
        (CREDITS[name], percent(getattr(checked, name)), f"start {percent(getattr(before, name))}")
        for name in ("bracketing", "distance")
    ]
    repairs = ("Repairs left", str(checked.repairs), f"start {before.repairs}")
    credit = facts([*figures, repairs], f"Partial credit: {percentage(checked.credit())} ({CREDITS['bracketing']})")
    if checked.is_right:
        return [answer("Right: your tree is the gold tree."), credit]
    marked = sum(status is not Status.RIGHT for status in checked.statuses)
    return [
        answer("Not right yet."),
        *(answer(f"{number}. {text}") for number, text in enumerate(checked.texts, start=1)),
        note(f"Marked in the picture: {count_of(marked, 'node')}. Missing brackets are not in your tree."),
        credit,
    ]


def _solution(practice: Practice, checked: Mark) -> None:
    """Show the gold tree above the student's tree."""
    title = "Gold tree above, your tree below"
    drawing = mapping_drawing(checked.alignment, "t", fold=False, gold_name="gold tree", parse_name="your tree")
    show_blocks(
        drawn(replace(drawing, heading=title), title),
        note(practice.note),
        key="practice_gold",
        origin=made_here("exercise", practice.title),
    )
