"""Aligning the sentences of a parser's file with the gold sentences by their words, where some are missing or extra.

First, sentences with the same characters that stand once in both files are paired as far as that keeps their order, and
their neighbours as long as they are the same. What lies between is aligned by the similarity of the words, so that the
sum of all similarities is the largest possible; where it is long, it is first divided at sentences that share a word or
a trigram that no other sentence there has. Nothing takes time in proportion to the square of a file's length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.formats.treebank_stream import TreebankStream
from evaltools.normalize import Preset, without_empty_elements
from evaltools.runs.passes import Progress
from evaltools.treebank import Kind, Vocabulary
from evaltools.treebank.folding import folded

__all__ = ["Lines", "Sentences", "align_sentences", "read_sentences"]

_AT_A_TIME = 1 << 14
_MOST_FORMS = 1 << 18
_MOST_CELLS = 1 << 16
_MOST_DIVISIONS = 12


@dataclass(frozen=True)
class Lines:
    """Where the sentences of a file are.

    Parameters
    ----------
    line : ndarray of int32, shape (sentences,)
        Where each begins.
    digest : str
        SHA-256 of the file as stored.
    """

    line: NDArray[np.int32]
    digest: str

    def __len__(self) -> int:
        return len(self.line)


@dataclass(frozen=True)
class Sentences:
    """What is known of every sentence of a file while it is aligned: some 150 bytes.

    Parameters
    ----------
    keys : ndarray of uint64, shape (sentences,)
        Equal for the same characters, whatever the tokenisation; 0 for a sentence without words.
    by_word, by_trigram : ndarray of uint32, shape (sentences, hashes)
        The smallest hashes of the words and of the character trigrams.
    lines : Lines
        Where they are.
    """

    keys: NDArray[np.uint64]
    by_word: NDArray[np.uint32]
    by_trigram: NDArray[np.uint32]
    lines: Lines

    def __len__(self) -> int:
        return len(self.keys)


def read_sentences(stream: TreebankStream, preset: Preset, progress: Progress, *, drop_blank_end: bool) -> Sentences:
    """Read a file to its end, and keep of each sentence what is needed to find it in another file.

    Parameters
    ----------
    stream : TreebankStream
        The file.
    preset : Preset
        Says which words are empty elements, which do not count.
    progress : Progress
        Can stop it.
    drop_blank_end : bool
        Whether blank lines at the end of the file are no sentences.
    """
    from evaltools.kernels.sentence_sketches import describe_sentences

    forms = _Forms()
    columns: list[list[NDArray[Any]]] = [[], [], [], []]
    while True:
        progress.at("aligning sentences")
        treebank = stream.read(_AT_A_TIME, forms.vocabulary, drop_blank_end=drop_blank_end)
        if not len(treebank) and columns[0]:
            break
        treebank = without_empty_elements(treebank, preset.empty_tags)
        words = treebank.label[treebank.kind == Kind.WORD]
        offsets = np.concatenate(([0], np.cumsum(treebank.n_words, dtype=np.int64)))
        described = describe_sentences(words, offsets, *forms.arrays())
        for column, part in zip(columns, (*described, treebank.line), strict=True):
            column.append(part)
        forms.forget_if_many()
    whole = []
    for column in columns:  # one after the other, so that memory holds hardly more than all of them once
        whole.append(np.concatenate(column))
        column.clear()
    keys, by_word, by_trigram, line = whole
    return Sentences(keys, by_word, by_trigram, Lines(line, stream.digest))


class _Forms:
    """The forms of a file as they are compared."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()
        self._pool = bytearray()
        self._ends = [0]
        self._lexical: list[bool] = []

    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_]]:
        """Return the bytes of every form met so far, where each begins, and which have a letter or a digit."""
        words = self.vocabulary.words
        for number in range(len(self._lexical), len(words)):
            form = folded(words[number])
            self._pool += form.encode("utf-8", "surrogatepass")
            self._ends.append(len(self._pool))
            self._lexical.append(any(map(str.isalnum, form)))
        return np.array(self._pool, np.uint8), np.array(self._ends, np.int64), np.array(self._lexical, np.bool_)

    def forget_if_many(self) -> None:
        """Begin anew, so that memory does not grow with the file."""
        if len(self._lexical) > _MOST_FORMS:
            self.__init__()  # type: ignore[misc]  # everything it holds


def align_sentences(gold: Sentences, test: Sentences) -> NDArray[np.int64]:
    """Find for each gold sentence the parser's sentence that has its words.

    Parameters
    ----------
    gold, test : Sentences
        The two files.

    Returns
    -------
    ndarray of int64, shape (gold sentences,)
        Places in `test`, which grow; -1 for a gold sentence without partner.
    """
    from evaltools.kernels import sentence_alignment as kernel

    partner = np.full(len(gold), -1, dtype=np.int64)
    sides = gold.keys, gold.by_word, gold.by_trigram, test.keys, test.by_word, test.by_trigram
    regions = [(0, len(gold), 0, len(test), 0)]
    while regions:
        a0, a1, b0, b1, depth = regions.pop()
        found = depth < _MOST_DIVISIONS and _divide(partner, gold, test, (a0, a1, b0, b1))
        if not found and depth:
            kernel.slide(partner, *sides, a0, a1, b0, b1)
            continue
        kernel.extend(partner, gold.keys, test.keys, a0, a1, b0, b1)
        large = kernel.fill_gaps(partner, *sides, a0, a1, b0, b1, _MOST_CELLS)
        regions += [(*gap, depth + 1) for gap in large.tolist()]
    return partner


def _divide(partner: NDArray[np.int64], gold: Sentences, test: Sentences, region: tuple[int, int, int, int]) -> bool:
    """Pair sentences of a region that have something which no other sentence of either side has there."""
    from evaltools.kernels.sentence_alignment import longest_increasing
    from evaltools.kernels.sentence_sketches import FEATURES, weights

    a0, a1, b0, b1 = region
    sides = gold.keys, gold.by_word, gold.by_trigram, test.keys, test.by_word, test.by_trigram
    pairs = _once_in_both(gold.keys[a0:a1], test.keys[b0:b1], 0)
    if not len(pairs) and (a1 - a0) * (b1 - b0) > _MOST_CELLS:
        features = [
            _once_in_both(one[a0:a1].reshape(-1), other[b0:b1].reshape(-1), 0xFFFFFFFF) // FEATURES
            for one, other in ((gold.by_word, test.by_word), (gold.by_trigram, test.by_trigram))
        ]
        pairs = np.unique(np.concatenate(features), axis=0)
        pairs = pairs[weights(a0 + pairs[:, 0], b0 + pairs[:, 1], *sides) > 0]
    # by gold sentence, and of the partners of one the last first, so that at most one of them is chosen
    pairs = pairs[np.lexsort((-pairs[:, 1], pairs[:, 0]))]
    chosen = pairs[longest_increasing(np.ascontiguousarray(pairs[:, 1]))]
    partner[a0 + chosen[:, 0]] = b0 + chosen[:, 1]
    return len(chosen) > 0


def _once_in_both(first: NDArray[np.generic], second: NDArray[np.generic], nothing: int) -> NDArray[np.int64]:
    """Return the places, one row a pair, of values that occur once on either side."""
    sides = []
    for values in (first, second):
        known, places, counts = np.unique(values, return_index=True, return_counts=True)
        once = (counts == 1) & (known != nothing)
        sides.append((known[once], places[once]))
    _, here, there = np.intersect1d(sides[0][0], sides[1][0], assume_unique=True, return_indices=True)
    return np.stack((sides[0][1][here], sides[1][1][there]), axis=1).astype(np.int64)
