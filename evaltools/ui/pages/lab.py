"""Metric lab: two editable trees, and how each metric scores them, step by step."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools import align
from evaltools.alignments.trees import Alignment
from evaltools.drawing.blocks import Drawing, answer, note, steps
from evaltools.frameworks.constituency.errors.edit_history import edit_history
from evaltools.frameworks.constituency.views import mapping_drawing
from evaltools.runs.store import Run
from evaltools.text import excerpt
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.components.copy_link import copy_link
from evaltools.ui.components.tree_editor import tree_editor
from evaltools.ui.lab.differing_words import show_differing_words
from evaltools.ui.lab.edits import apply_edit, last_edit
from evaltools.ui.lab.link import message, put_edits
from evaltools.ui.lab.practice import current_practice, open_practice, show_practice
from evaltools.ui.lab.scoreboard import board, lab_line
from evaltools.ui.lab.sections import show_sections
from evaltools.ui.lab.titles import both_trees
from evaltools.ui.lab.trees import LabTrees, choose_trees, current_trees, type_trees
from evaltools.ui.lab.typed import phrases_read_as_tags
from evaltools.ui.lab.what_if import choose, current_choices, lab_origin
from evaltools.ui.session import state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.saving import drawing_files, made_here, save

__all__ = ["render"]

_MAX_WORDS_BESIDE = 13  # the picture of a longer sentence gets the whole width
_PRACTICE = "Exercises: draw or correct a tree without seeing the gold tree, and check it"
_MAPPINGS = {"t": "tree distance", "e": "brackets"}
_STATUS = {"move": "moved", "attach": "moved", "relabel": "relabeled", "delete": "missing", "insert": "spurious"}


def render(run: Run | None) -> None:
    """Draw the page."""
    st.header("Metric lab", anchor=False)
    practice = current_practice()
    if practice is not None:
        show_practice(practice)
        return
    top = st.container()
    trees, choices = current_trees(), current_choices()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choose_trees(trees, run)
        st.button("Practice", icon=":material/edit_note:", help=_PRACTICE, on_click=open_practice)
        copy_link(key="lab_link")
    type_trees(trees)
    gold, test = trees.gold.tree, trees.test_tree
    if gold is None or test is None or trees.history is None:
        with top:
            show_blocks(answer("Enter two trees: correct what is marked below."), key="lab_answer")
        return
    wait_for_kernels()
    alignment, plain_alignment = choices.align(gold, test), align(gold, test)
    last = trees.history.steps[-2].tree if len(trees.history.steps) > 1 else trees.history.start
    before = choices.align(gold, last) if trees.history.steps else None
    with top:
        hints = [note(f"{'Original pair: ' * trees.is_changed}{trees.pair.note}")] if trees.pair is not None else []
        if phrases := phrases_read_as_tags(gold, test):
            hints.append(note(phrases))
        if name := state.get("exercise"):
            hints.append(note(f"There is no exercise “{excerpt(name)}”; Practice lists them all."))
        show_blocks(answer(lab_line(alignment, choices)), *hints, key="lab_answer")
        show_differing_words(plain_alignment, alignment, choices)
    picture, scores, what_if = _columns(len(gold.words) > _MAX_WORDS_BESIDE)
    with picture:
        st.markdown(f"**{both_trees(mapping_drawing(plain_alignment, _mapping_shown())).heading}**")
        tree_editor(
            plain_alignment,
            _mapping_shown(),
            key="lab_editor",
            can_undo=trees.done > 0,
            can_redo=trees.done < len(trees.edits),
            message=message() or last_edit(trees.history),
            on_edit=lambda text: apply_edit(text, trees.edits, trees.done, trees.test_tree, trees.test.notation),
        )
        _save_picture(plain_alignment)
        _history(trees)
    with scores:
        show_blocks(board(alignment, before, choices), key="lab_board", origin=lab_origin(choices))
    with what_if:
        _mapping()
        with st.expander("What if …", expanded=choices.n_changed > 0):
            choose(choices)
    show_sections(gold, test, alignment, choices)


def _columns(is_long: bool) -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Return the containers of picture, scores and rules: side by side, or below the picture of a long sentence."""
    if is_long:
        return st.container(), *st.columns(2, gap="medium")
    left, right = st.columns([5, 3], gap="medium")
    return left, right.container(), right.container()


def _mapping_shown() -> str:
    value = state.get("lab_map", "t")
    return value if value in _MAPPINGS else "t"


def _mapping() -> None:
    st.segmented_control(
        "Colors of the picture",
        list(_MAPPINGS),
        format_func=_MAPPINGS.__getitem__,
        required=True,
        **state.bind("lab_map", _mapping_shown(), "t"),
    )


def _save_picture(alignment: Alignment) -> None:
    """Offer the picture of the editor as files: both trees, and each tree alone."""
    origin = made_here("lab", "two trees of the metric lab as they are")
    mapping = _mapping_shown()
    both = both_trees(replace(mapping_drawing(alignment, mapping, fold=False), suffix=f"both-{mapping}"))
    trees = (
        Drawing(tree, title, side).titled(title)
        for side, title, tree in (("gold", "Gold tree", alignment.gold), ("test", "Test tree", alignment.test))
    )
    save("lab_editor", *(drawing_files(drawing, origin) for drawing in (both, *trees)))


def _history(trees: LabTrees) -> None:
    """List the edits with their costs."""
    history = trees.history
    if history is None or not trees.edits:
        return
    all_steps = edit_history(history.start, trees.edits, trees.test.notation).steps
    rows = [
        (_STATUS[step.edit.kind] if index < trees.done else "discarded", f"{step.text} – cost {step.cost}")
        for index, step in enumerate(all_steps)
    ]
    total = sum(step.cost for step in history.steps)
    summary = (
        f"The steps cost {total} in tree distance; the cheapest edit script from the original test tree to this one "
        f"costs {history.cost}. Click a step to go back to it."
    )
    if any(step.edit.kind in ("move", "attach") for step in history.steps):
        summary += " Tree distance has no moves: a node that moves is deleted and inserted, or the nodes around it are."
    show_blocks(
        steps(rows, "Edit script so far", chosen=trees.done - 1 if trees.done else None),
        note(summary),
        key="lab_history",
        origin=made_here("lab", "the test tree of the metric lab"),
        on_step=lambda index: put_edits(trees.edits, index + 1),
    )
