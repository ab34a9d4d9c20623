"""Aligning the sentences of a parser's file with the gold sentences by their words, if some are missing or extra.

First, sentences whose characters occur once in both files are paired as far as that keeps their order, and their
neighbors as long as they are equal. The gaps between are aligned by the similarity of the words, so that the sum of all
similarities is maximal; a long gap is first divided at sentences that share a word or a trigram that no other sentence
of the gap has. No step takes time quadratic in the length of a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Vocabulary
from evaltools.corpus.folding import folded
from evaltools.formats.treebank_stream import TreebankStream
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.presets.filtering import without_empty_elements
from evaltools.progress import Progress

__all__ = ["Lines", "Sentences", "align_sentences", "read_sentences"]

_SENTENCES_PER_READ = 1 << 14
_MAX_FORMS = 1 << 18
_MAX_CELLS = 1 << 16
_MAX_DIVISIONS = 12


@dataclass(frozen=True)
class Lines:
    """Where the sentences of a file are."""

    line: NDArray[np.int32]  # Where each begins
    digest: str  # SHA-256 of the file as stored

    def __len__(self) -> int:
        return len(self.line)


@dataclass(frozen=True)
class Sentences:
    """The features by which the sentences of a file are aligned, about 150 bytes a sentence."""

    keys: NDArray[np.uint64]  # Equal for the same characters, whatever the tokenization; 0 for a sentence without words
    by_word: NDArray[np.uint32]  # The smallest hashes of the words and of the character trigrams
    by_trigram: NDArray[np.uint32]
    lines: Lines  # Where they are

    def __len__(self) -> int:
        return len(self.keys)


def read_sentences(stream: TreebankStream, preset: Preset, progress: Progress, *, drop_blank_end: bool) -> Sentences:
    """Read a file to its end, and keep the features of each sentence that identify it in another file."""
    from evaltools.kernels.sentence_sketches import describe_sentences

    forms = _Forms()
    columns: list[list[NDArray[Any]]] = [[], [], [], []]
    while True:
        progress.update("aligning sentences")
        treebank = stream.read(_SENTENCES_PER_READ, forms.vocabulary, drop_blank_end=drop_blank_end)
        if not len(treebank) and columns[0]:
            break
        treebank = without_empty_elements(treebank, preset.empty_tags)
        words = treebank.label[treebank.kind == Kind.WORD]
        offsets = np.concatenate(([0], np.cumsum(treebank.n_words, dtype=np.int64)))
        described = describe_sentences(words, offsets, *forms.arrays())
        for column, part in zip(columns, (*described, treebank.line), strict=True):
            column.append(part)
        forms.clear_if_large()
    joined = []
    for column in columns:  # the parts of each are freed before the next is joined, to save memory
        joined.append(np.concatenate(column))
        column.clear()
    keys, by_word, by_trigram, line = joined
    return Sentences(keys, by_word, by_trigram, Lines(line, stream.digest))


class _Forms:
    """The forms of a file as they are compared."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()
        self._pool = bytearray()
        self._ends = [0]
        self._lexical: list[bool] = []

    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_]]:
        """Return the bytes of all forms so far, where each begins, and which have a letter or a digit."""
        words = self.vocabulary.words
        for number in range(len(self._lexical), len(words)):
            form = folded(words[number])
            self._pool += form.encode("utf-8", "surrogatepass")
            self._ends.append(len(self._pool))
            self._lexical.append(any(map(str.isalnum, form)))
        return np.array(self._pool, np.uint8), np.array(self._ends, np.int64), np.array(self._lexical, np.bool_)

    def clear_if_large(self) -> None:
        """Start anew if there are many forms, so that memory does not grow with the file."""
        if len(self._lexical) > _MAX_FORMS:
            self.__init__()  # type: ignore[misc]  # everything it holds


def align_sentences(gold: Sentences, test: Sentences) -> NDArray[np.int64]:
    """Return for each gold sentence the index of the parser's sentence that has its words, or -1."""
    from evaltools.kernels import sentence_alignment as kernel

    partner = np.full(len(gold), -1, dtype=np.int64)
    sides = gold.keys, gold.by_word, gold.by_trigram, test.keys, test.by_word, test.by_trigram
    regions = [(0, len(gold), 0, len(test), 0)]
    while regions:
        a0, a1, b0, b1, depth = regions.pop()
        is_divided = depth < _MAX_DIVISIONS and _divide(partner, gold, test, (a0, a1, b0, b1))
        if not is_divided and depth:
            kernel.slide(partner, *sides, a0, a1, b0, b1)
            continue
        kernel.extend(partner, gold.keys, test.keys, a0, a1, b0, b1)
        large = kernel.fill_gaps(partner, *sides, a0, a1, b0, b1, _MAX_CELLS)
        regions += [(*gap, depth + 1) for gap in large.tolist()]
    return partner


def _divide(partner: NDArray[np.int64], gold: Sentences, test: Sentences, region: tuple[int, int, int, int]) -> bool:
    """Pair sentences of a region by features that no other sentence of the region has; return whether there are any."""
    from evaltools.kernels.sentence_alignment import longest_increasing
    from evaltools.kernels.sentence_sketches import FEATURES, weights

    a0, a1, b0, b1 = region
    sides = gold.keys, gold.by_word, gold.by_trigram, test.keys, test.by_word, test.by_trigram
    pairs = _once_in_both(gold.keys[a0:a1], test.keys[b0:b1], 0)
    if not len(pairs) and (a1 - a0) * (b1 - b0) > _MAX_CELLS:
        features = [
            _once_in_both(first[a0:a1].reshape(-1), second[b0:b1].reshape(-1), 0xFFFFFFFF) // FEATURES
            for first, second in ((gold.by_word, test.by_word), (gold.by_trigram, test.by_trigram))
        ]
        pairs = np.unique(np.concatenate(features), axis=0)
        pairs = pairs[weights(a0 + pairs[:, 0], b0 + pairs[:, 1], *sides) > 0]
    # by gold sentence, and the partners of each from the last to the first, so that at most one of them is chosen
    pairs = pairs[np.lexsort((-pairs[:, 1], pairs[:, 0]))]
    chosen = pairs[longest_increasing(np.ascontiguousarray(pairs[:, 1]))]
    partner[a0 + chosen[:, 0]] = b0 + chosen[:, 1]
    return len(chosen) > 0


def _once_in_both(first: NDArray[np.generic], second: NDArray[np.generic], nothing: int) -> NDArray[np.int64]:
    """Return the indices, one row a pair, of values that occur once on either side."""
    sides = []
    for values in (first, second):
        distinct, indices, counts = np.unique(values, return_index=True, return_counts=True)
        once = (counts == 1) & (distinct != nothing)
        sides.append((distinct[once], indices[once]))
    _, in_first, in_second = np.intersect1d(sides[0][0], sides[1][0], assume_unique=True, return_indices=True)
    return np.stack((sides[0][1][in_first], sides[1][1][in_second]), axis=1).astype(np.int64)
