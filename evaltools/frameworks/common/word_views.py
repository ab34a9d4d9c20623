"""The words of a sentence with their leaf-ancestor scores, for views."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.drawing import strip_scene
from evaltools.drawing.blocks import Block, Drawing, note, strip
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.views import Section, Selection, Viewing

__all__ = ["SCHEME", "word_strip", "words_section", "words_selection"]

SCHEME = Choice("scheme", "Cost of a replaced label", {"la_partial": "graded", "la_strict": "exact"}, "la_partial")
"""What replacing a label costs."""


_Alignment = Alignment | DependencyAlignment


def word_strip(alignment: _Alignment, metric: str, chosen: int | None = None) -> Block:
    """Return the words of the upper tree, each shaded by its score, with the picture that they are saved as."""
    compared = {word.position: word for word in alignment.words}
    placed = [
        (
            word.form,
            word.position,
            compared[word.position].scores.get(metric) if word.position in compared else None,
        )
        for word in alignment.gold_words
    ]
    alone = {word.position for word in alignment.words if word.test is None}
    title = "Leaf-ancestor score of each word"
    drawing = Drawing(strip_scene(alignment, metric, title=title), title, "words", languages=("svg",))
    return strip(placed, chosen=chosen, alone=alone, files=drawing)


def words_section(alignment: _Alignment, viewing: Viewing, chosen: int | None, detail: Sequence[Block]) -> Section:
    """Return the words with their scores; a click on one shows its `detail`."""
    heading = "Leaf-ancestor, word by word"
    if not alignment.words:
        blocks: tuple[Block, ...] = (note("LA is undefined for this sentence."),)
        return Section("strip", blocks, heading, "left", SCHEME)
    below = detail if chosen is not None else [note("Click a word for its two lineages.")]
    blocks = (word_strip(alignment, viewing.chosen(SCHEME), chosen), *below)
    return Section("strip", blocks, heading, "left", SCHEME, words=words_selection(alignment))


def words_selection(alignment: _Alignment) -> Selection:
    """Return what a click on a word writes: its position."""
    return Selection("at", tuple(map(str, range(len(alignment.gold_words)))))
