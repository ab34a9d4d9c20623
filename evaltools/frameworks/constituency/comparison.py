"""A parser's constituency trees beside the gold trees, as the passes take them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind
from evaltools.corpus.vocabulary import StringTable
from evaltools.frameworks.constituency.rules import Pair
from evaltools.frameworks.constituency.rules.apply import occurring_pairs
from evaltools.frameworks.options import Options
from evaltools.frameworks.presets import Preset

__all__ = ["ANY_LABEL", "Symbols", "TreeComparison", "label_classes"]

ANY_LABEL = "bracket"
"""The name of all labels where the preset ignores them."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """Labels and words as numbers that are equal where the preset equates the strings."""

    # ``EQ_LABEL`` and ``EQ_WORD`` are not transitive. Bracket matching compares two labels at a time and uses the
    # pairs; an alignment and an edit distance need an equivalence and use the transitive closure.

    label_class: NDArray[np.int32]  # The smallest label number that each label is equal to
    initial: NDArray[np.int32]  # Number of the first character of each label's class
    equal: NDArray[np.int32]  # The pairs of equal labels, shape (pairs, 2)
    gold: NDArray[np.int32]  # Class of every node; words are numbered after all labels
    test: NDArray[np.int32]


@dataclass(frozen=True)
class TreeComparison:
    """Two treebanks ready to be compared."""

    pair: Pair  # The normalized treebanks
    preset: Preset
    options: Options  # What to compute
    symbols: Symbols

    @classmethod
    def of(cls, pair: Pair, preset: Preset, options: Options) -> TreeComparison:
        """Compare normalized treebanks."""
        return cls(pair, preset, options, _symbols(pair, preset))


def _symbols(pair: Pair, preset: Preset) -> Symbols:
    """Return the labels and words of a pair as numbers, under the equations of a preset."""
    vocabulary = pair.gold.treebank.vocabulary
    rules = preset.evalb
    strings = vocabulary.labels.strings()
    classes, equal = label_classes(vocabulary.labels, preset)
    word_classes, _ = _classes(vocabulary.words, () if rules is None else rules.equal_words)
    first_characters = {character: number for number, character in enumerate(sorted({s[:1] for s in strings}))}
    initial = np.array([first_characters[strings[number][:1]] for number in classes.tolist()], dtype=np.int32)
    sides = []
    for side in (pair.gold.treebank, pair.test.treebank):
        is_word = side.kind == Kind.WORD
        symbols = np.empty_like(side.label)
        symbols[is_word] = word_classes[side.label[is_word]] + np.int32(len(strings))
        symbols[~is_word] = classes[side.label[~is_word]]
        sides.append(symbols)
    return Symbols(classes, initial, equal, sides[0], sides[1])


def label_classes(table: StringTable, preset: Preset) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the smallest label that each one is equal to under a preset, and the pairs of equal ones that occur."""
    return _classes(table, () if preset.evalb is None else preset.evalb.equal_labels)


def _classes(table: StringTable, equal: Iterable[tuple[str, str]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the smallest number that each string is equal to, and the pairs whose strings occur."""
    classes = np.arange(len(table), dtype=np.int32)
    pairs = occurring_pairs(table, equal)
    for a, b in pairs.tolist():
        low, high = sorted((int(classes[a]), int(classes[b])))
        classes[classes == high] = low
    return classes, pairs
