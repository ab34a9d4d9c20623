"""Metric lab: two editable trees, and how each metric scores them, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools import align
from evaltools.app.components.blocks import show_blocks
from evaltools.app.components.copy_link import copy_link
from evaltools.app.components.tree_editor import tree_editor
from evaltools.app.lab.practice import current_practice, open_practice, show_practice
from evaltools.app.lab.rules import Choices, choose, current_choices, lab_origin
from evaltools.app.lab.sections import both_trees, function_note, show_sections
from evaltools.app.lab.trees import (
    LabTrees,
    apply_edit,
    choose_trees,
    current_trees,
    edit_history,
    last_edit,
    message,
    phrases_read_as_tags,
    put_edits,
    type_trees,
)
from evaltools.app.session import state
from evaltools.app.session.kernels import wait_for_kernels
from evaltools.app.widgets.saving import drawing_files, made_here, save
from evaltools.corpus import Tree
from evaltools.drawing.blocks import Block, Drawing, anchored, answer, note, scores, steps
from evaltools.frameworks.common.lineages import OWN_COSTS, PlacedWord
from evaltools.frameworks.constituency.aligned_trees import Alignment, WordMatch
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.constituency.views import edits_phrase, mapping_drawing, status_note
from evaltools.frameworks.metric import Metric, over_part
from evaltools.marks import Status
from evaltools.runs.store import Run
from evaltools.text import count_of, excerpt, percent

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


_FRAMEWORK = CONSTITUENCY


def _metrics(choices: Choices) -> list[Metric]:
    """Return the metrics of the board."""
    shown = [metric for metric in _FRAMEWORK.metrics if metric.place.lab and metric.place.part in ("", choices.part)]
    return [metric for metric in shown if choices.has_costs or metric.id != OWN_COSTS]


def board(alignment: Alignment, before: Alignment | None, choices: Choices) -> Block:
    """Return the board."""
    rows = []
    for metric in _metrics(choices):
        value = alignment.scores.get(metric.id)
        old = None if before is None else before.scores.get(metric.id)
        change = ""
        if value is not None and old is not None and abs(value - old) > 5e-4:
            change = f"{'+' if value > old else '−'}{metric.text(abs(value - old), whole=True)}"
        rows.append((metric.title, value if metric.is_share else None, metric.text(value, whole=True), change))
    return scores(rows)


def lab_line(alignment: Alignment, choices: Choices) -> str:
    """Say in one line how alike the trees are, and which metric is the mildest and which the most severe."""
    length = len(alignment.gold_words)
    whole = f"{count_of(length, 'word')}"
    if alignment.status == "missing" or not len(alignment.gold):
        return f"{whole}: this preset leaves nothing to score."
    if not alignment.t.steps and not alignment.e.steps and alignment.status == "ok":
        return f"{whole}: the two trees are equal by every metric."
    found = {
        metric.short: value
        for metric in over_part(_FRAMEWORK.metrics, choices.part)
        if (value := alignment.scores.get(metric.id)) is not None
    }
    line = f"{whole}: " + ", ".join(f"{title} {percent(value)}" for title, value in found.items())
    line += f"{edits_phrase(alignment)}."
    if len(found) > 1 and max(found.values()) - min(found.values()) > 0.0005:
        ordered = sorted(found, key=lambda title: found[title])
        line += f" Of these, {ordered[0]} is the most severe, {ordered[-1]} the mildest."
    return line


_EVALB = {"collins": "COLLINS.prm", "new": "new.prm"}
"""Presets that follow evalb, and their parameter files."""

_MEANINGS = {
    Status.RIGHT: "in both trees",
    Status.MISSING: "only in the gold tree",
    Status.SPURIOUS: "only in the test tree",
    Status.RELABELED: "aligned with a word that is written differently",
}


def show_differing_words(plain: Alignment, alignment: Alignment, choices: Choices) -> None:
    """Show the words of two trees, aligned as they are and by a preset, and what is compared, if the words differ."""
    gold, test = plain.gold, plain.test
    if gold.words == test.words:
        return
    here = status_note(alignment, "the gold tree", "the test tree")
    if alignment.status == "ok":
        here = "With this preset the words that are compared are the same, so that all metrics are defined."
    upper, lower = _statuses(plain)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        show_blocks(
            _words(plain.gold_words, upper, "Words of the gold tree"),
            _words(plain.test_words, lower, "Words of the test tree"),
            key="lab_words",
        )
    with right:
        show_blocks(
            note(
                "The words differ. Dashed: only in the gold tree; double line: only in the test tree; solid line: "
                "aligned with a word that is written differently."
            ),
            note(_evalb(gold, test, choices.preset)),
            note(f"evaltools: {here} {function_note(gold, test)}"),
            key="lab_words_says",
        )


def _statuses(alignment: Alignment) -> tuple[list[Status], list[Status]]:
    """Return the status of every word of both trees by how the words are aligned."""
    upper = [Status.MISSING] * len(alignment.gold_words)
    lower = [Status.SPURIOUS] * len(alignment.test_words)
    for link in alignment.links:
        status = Status.RIGHT if link.how is WordMatch.EXACT else Status.RELABELED
        upper[link.gold] = lower[link.test] = status
    return upper, lower


def _words(words: Sequence[PlacedWord], statuses: Sequence[Status], heading: str) -> Block:
    return anchored(
        [(word.form, "", status.value, _MEANINGS[status]) for word, status in zip(words, statuses, strict=True)],
        heading,
    )


def _evalb(gold: Tree, test: Tree, preset: str) -> str:
    """Return what evalb does with the sentence, by the preset's parameter file or that of Collins."""
    preset = preset if preset in _EVALB else "collins"
    compared = align(gold, test, preset)
    n_gold, n_test = (
        sum(word.position is not None for word in words) for words in (compared.gold_words, compared.test_words)
    )
    kept = f"evalb with {_EVALB[preset]} compares the words that are left after its deletions"
    if not n_test:
        return f"{kept}. None is left in the test tree: it skips the sentence without a message."
    if n_gold == n_test and compared.status == "ok":
        return f"{kept}. Here they are the same: it scores the sentence."
    error = "Length unmatch" if n_gold != n_test else "Words unmatch"
    numbers = f"{count_of(n_gold, 'word')} in the gold tree, {n_test:,} in the test tree"
    return f"{kept}: {numbers}. It writes the error “{error}” and leaves the sentence out of all scores."
