"""A sentence of an exercise, solved in the app: one draws or corrects the tree without seeing the gold tree."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.components.tree_editor import one_tree_editor
from evaltools.app.lab import edited_by_link
from evaltools.app.session import state
from evaltools.app.widgets.saving import made_here
from evaltools.blocks import answer, drawn, note
from evaltools.classroom.exercises import Exercise, Item, mark
from evaltools.classroom.questions import marking_lines
from evaltools.corpus import Kind
from evaltools.frameworks.constituency.views import mapping_drawing
from evaltools.text import capitalized

SOLVING: dict[str, None] = dict.fromkeys(("lab_edits", "lab_done", "lab_check", "lab_solution"))
"""What the link says of an attempt, to be put for another sentence."""


def solve_view(exercise: Exercise, item: Item) -> None:
    """Show the editor, the marking when asked for, and the gold tree."""
    attempt = edited_by_link(item.start_tree, item.notation)
    is_checked, is_solved = state.get("lab_check") == "1", state.get("lab_solution") == "1"
    marked = mark(item, attempt.edits[: attempt.done])
    tree = item.gold_tree
    labels = sorted({label for label, kind in zip(tree.labels, tree.kinds, strict=True) if kind is Kind.PHRASE})
    show_blocks(
        answer(item.what_to_do),
        note(f"Labels to use: {', '.join(labels)}. The tags are given."),
        key="solve_task",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Check", type="primary", key="solve_check", on_click=lambda: state.put(lab_check=1))
        title = "Hide the gold tree" if is_solved else "Show the gold tree"
        wanted = None if is_solved else 1
        st.button(title, key="solve_solution", on_click=lambda: state.put(lab_solution=wanted, lab_check=1))
    picture, verdict = st.columns([5, 3], gap="medium")
    with picture:
        st.markdown("**Your tree**")
        one_tree_editor(attempt, marked.statuses if is_checked else (), key="solve_editor")
    with verdict:
        if is_checked:
            result, points, texts = marking_lines(marked)
            listed = [answer(f"{number}. {capitalized(text)}") for number, text in enumerate(texts, start=1)]
            show_blocks(answer(result), *listed, note(points), key="solve_verdict")
        else:
            show_blocks(note("Check compares your tree with the gold tree."), key="solve_verdict")
    if is_solved:
        title = "Gold tree above, your tree below"
        drawing = mapping_drawing(marked.alignment, "t", fold=False, gold_name="gold tree", parse_name="your tree")
        remark = [note(item.note)] if item.note else []
        origin = made_here("exercise", exercise.title)
        show_blocks(drawn(replace(drawing, title=title)), *remark, key="solve_gold", origin=origin)
