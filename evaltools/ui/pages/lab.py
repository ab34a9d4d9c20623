"""Metric lab: two trees, changed at will, and what every metric makes of them, step by step."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools.analysis.edit_history import edit_history
from evaltools.errors import ParameterError
from evaltools.metrics.alignment import align
from evaltools.metrics.mapping import Alignment
from evaltools.publishing.drawings import alignment_picture, tree_picture
from evaltools.runs.store import Run
from evaltools.treebank.edits import Edit
from evaltools.ui.components.plain import answer, note, plain, steps
from evaltools.ui.components.tree_editor import tree_editor
from evaltools.ui.lab.link import put_edits, said, say
from evaltools.ui.lab.scoreboard import board, lab_line
from evaltools.ui.lab.sections import show_sections
from evaltools.ui.lab.trees import LabTrees, choose_trees, current_trees, type_trees
from evaltools.ui.lab.what_if import choose, current_choices, lab_origin
from evaltools.ui.session import state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.saving import made_here, picture_files, save

__all__ = ["render"]

_LONG = 13  # words, above which the picture gets the whole width
_MAPPINGS = {"t": "tree distance", "e": "brackets"}
_STATUS = {"move": "moved", "relabel": "swapped", "delete": "deleted", "insert": "inserted"}


def render(run: Run) -> None:
    """Draw the page.

    Parameters
    ----------
    run : Run
        The open run, whose trees can be taken.
    """
    st.header("Metric lab", anchor=False)
    top = st.container()
    trees, choices = current_trees(), current_choices()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choose_trees(trees, run)
    type_trees(trees)
    gold, test = trees.gold.tree, trees.test_tree
    if gold is None or test is None or trees.history is None:
        with top:
            plain(answer("Two trees are wanted: correct what is marked below."), key="lab_answer")
        return
    wait_for_kernels()
    alignment = choices.align(gold, test)
    last = trees.history.steps[-2].tree if len(trees.history.steps) > 1 else trees.history.start
    before = choices.align(gold, last) if trees.history.steps else None
    with top:
        says = [note(f"{'At first: ' * trees.is_changed}{trees.pair.says}")] if trees.pair is not None else []
        plain(answer(lab_line(alignment, choices)), *says, key="lab_answer")
    picture, scores, what_if = _places(len(gold.words) > _LONG)
    with picture:
        as_they_are = align(gold, test)
        tree_editor(
            as_they_are,
            _coloured(),
            key="lab_editor",
            can_undo=trees.done > 0,
            can_redo=trees.done < len(trees.edits),
            said=said()
            or (trees.history.refused and f"The link holds an edit that cannot be done: {trees.history.refused}"),
            on_edit=lambda text: edit(trees, text),
        )
        _save_picture(as_they_are)
        _history(trees)
    with scores:
        plain(board(alignment, before, choices), key="lab_board", origin=lab_origin(choices))
    with what_if:
        _mapping()
        with st.expander("What if …", expanded=choices.n_changed > 0):
            choose(choices)
    show_sections(gold, test, alignment, choices)


def _places(is_long: bool) -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Return where picture, scores and what-if go: side by side, or under the picture of a long sentence."""
    if is_long:
        return st.container(), *st.columns(2, gap="medium")
    left, right = st.columns([5, 3], gap="medium")
    return left, right.container(), right.container()


def _coloured() -> str:
    said = state.get("lab_map", "t")
    return said if said in _MAPPINGS else "t"


def _mapping() -> None:
    st.segmented_control(
        "Colours of the picture",
        list(_MAPPINGS),
        format_func=lambda one: _MAPPINGS[one],
        required=True,
        **state.bind("lab_map", _coloured(), "t"),
    )


def edit(trees: LabTrees, text: str) -> None:
    """Do what the reader wants done to the test tree, or keep why it cannot be done.

    Parameters
    ----------
    trees : LabTrees
        The trees that are shown.
    text : str
        An edit, or ``undo``, ``redo`` or ``reset``.
    """
    moves = {"undo": trees.done - 1, "redo": trees.done + 1, "reset": 0}
    if text in moves:
        put_edits(trees.edits, min(max(moves[text], 0), len(trees.edits)))
        return
    tree = trees.test_tree
    try:
        wanted = Edit.from_text(text)
        if tree is not None:
            wanted.apply(tree, trees.test.notation)
    except ParameterError as error:
        say(f"Not done: {error}.")
        return
    edits = (*trees.edits[: trees.done], wanted)
    put_edits(edits, len(edits))


def _save_picture(pair: Alignment) -> None:
    """Offer the picture of the editor: both trees as they are, and each by itself."""
    origin = made_here("lab", "two trees of the metric lab as they are")
    both = origin.caption("Gold and test tree")
    pictures = [alignment_picture(pair, _coloured(), f"{origin.name}-both", both, fold=False)]
    pictures += [
        tree_picture(tree, f"{origin.name}-{whose}", origin.caption(f"The {whose} tree"), f"The {whose} tree")
        for whose, tree in (("gold", pair.gold), ("test", pair.test))
    ]
    save("lab_editor", *map(picture_files, pictures))


def _history(trees: LabTrees) -> None:
    """List the edits that were made, with what each costs."""
    history = trees.history
    if history is None or not trees.edits:
        return
    every = edit_history(history.start, trees.edits, trees.test.notation).steps
    rows = [
        (_STATUS[one.edit.kind] if place < trees.done else "discarded", f"{one.text} – cost {one.cost}")
        for place, one in enumerate(every)
    ]
    total = sum(one.cost for one in history.steps)
    says = f"The steps cost {total} in tree distance; the cheapest way from the test tree as it was to this one costs "
    says += f"{history.cost}. Click a step to go back to it."
    plain(
        steps(rows, "Edit script so far", chosen=trees.done - 1 if trees.done else None),
        note(says),
        key="lab_history",
        origin=made_here("lab", "the test tree of the metric lab"),
        on_step=lambda place: put_edits(trees.edits, place + 1),
    )
