"""A parser's constituency trees beside the gold trees, as the passes take them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind
from evaltools.corpus.folding import folded
from evaltools.corpus.vocabulary import StringTable, used_numbers
from evaltools.frameworks.constituency.rules import Pair
from evaltools.frameworks.constituency.rules.apply import occurring_pairs
from evaltools.frameworks.options import Options
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.presets.evalb_parameters import equality_classes

__all__ = ["Symbols", "TreeComparison", "label_classes"]


@dataclass(frozen=True, slots=True)
class Symbols:
    """Labels and words as numbers that are equal where the preset equates the strings."""

    # ``EQ_LABEL`` and ``EQ_WORD`` are not transitive. Bracket matching compares two labels at a time and uses the
    # pairs; an alignment and an edit distance need an equivalence and use the transitive closure of all pairs of the
    # preset, whichever labels and words occur: otherwise a sentence would be scored otherwise among others.

    label_class: NDArray[np.int32]  # For each label the smallest number of the labels that are equal to it
    initial: NDArray[np.int32]  # Number of the first character of each label
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
    classes = label_classes(vocabulary.labels, preset)
    word_classes = _classes(vocabulary.words, () if rules is None else rules.equal_words)
    first_characters = {character: number for number, character in enumerate(sorted({s[:1] for s in strings}))}
    initial = np.array([first_characters[string[:1]] for string in strings], dtype=np.int32)
    equal = occurring_pairs(vocabulary.labels, () if rules is None else rules.equal_labels)
    sides = []
    folded_forms = StringTable()
    for side in (pair.gold.treebank, pair.test.treebank):
        is_word = side.kind == Kind.WORD
        symbols = np.empty_like(side.label)
        symbols[is_word] = word_classes[side.label[is_word]] + np.int32(len(strings))
        if pair.folded is not None:
            is_folded = is_word & np.repeat(pair.folded, np.diff(side.offsets))
            used, index = used_numbers(side.label[is_folded])
            classes_of_used = folded_forms.add_all(folded(vocabulary.words[number]) for number in used.tolist())
            symbols[is_folded] = classes_of_used[index] + np.int32(len(strings) + len(word_classes))
        symbols[~is_word] = classes[side.label[~is_word]]
        sides.append(symbols)
    return Symbols(classes, initial, equal, sides[0], sides[1])


def label_classes(table: StringTable, preset: Preset) -> NDArray[np.int32]:
    """Return for each label the smallest number of the labels that are equal to it under a preset."""
    return _classes(table, () if preset.evalb is None else preset.evalb.equal_labels)


def _classes(table: StringTable, equal: Iterable[tuple[str, str]]) -> NDArray[np.int32]:
    """Return for each string the smallest number of the strings of its class."""
    classes = np.arange(len(table), dtype=np.int32)
    members = defaultdict[str, list[int]](list)
    for string, name in equality_classes(equal).items():
        if (number := table.find(string)) >= 0:
            members[name].append(number)
    for numbers in members.values():
        classes[numbers] = min(numbers)
    return classes
