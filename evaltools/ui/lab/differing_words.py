"""Two trees whose words differ: the words that differ, what evalb does with such a sentence, what is compared here."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaltools import align
from evaltools.alignments.trees import Alignment, PlacedWord, WordMatch
from evaltools.corpus import Tree
from evaltools.drawing.blocks import Block, anchored, note
from evaltools.frameworks.constituency.wording import status_note
from evaltools.marks import Status
from evaltools.text import count_of
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lab.functions import function_note
from evaltools.ui.lab.what_if import Choices

__all__ = ["show_differing_words"]

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
