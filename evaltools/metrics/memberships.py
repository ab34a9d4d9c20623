"""Which of several corpora have a span, and a function over it: the one question behind every TedEval figure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics.function_columns import FunctionColumns, SpanTable
from evaltools.metrics.members import Segmented, has_multiwords, sentence_members

__all__ = ["Memberships", "Segmentation", "compare_words"]

_MOST_NUMBERS = 1 << 63


class Segmentation(IntEnum):
    """What the trees of a sentence are compared over."""

    WORDS = 0
    """All have the same words."""
    CHARACTERS = 1
    """Their words differ, but not the characters of the text: nodes are sets of members, which are characters outside
    multiword tokens, and words inside."""
    DIFFERENT = 2
    """The parse's characters are others than the gold's: nothing is matched."""
    MISSING = 3
    """There is no parse: nothing is matched."""
    NO_GOLD = 4
    """A gold tree is missing, or the characters of two differ: the sentence is not scored."""


def compare_words(corpora: Sequence[FunctionColumns]) -> NDArray[np.uint8]:
    """Tell for each sentence whether its words, or at least their characters, are the same in all corpora.

    Parameters
    ----------
    corpora : sequence of FunctionColumns
        With one vocabulary, and as many sentences each.

    Returns
    -------
    ndarray of uint8, shape (sentences,)
        ``Segmentation.WORDS``, ``CHARACTERS`` or ``DIFFERENT``.
    """
    first, *others = corpora
    n = len(first)
    result = np.zeros(n, dtype=np.uint8)
    for other in others:
        if len(other) != n or other.vocabulary is not first.vocabulary:
            raise ParameterError(f"{n} and {len(other)} sentences; expected as many of each, with one vocabulary")
        same = first.n_words == other.n_words
        ours, theirs = (one.word[np.repeat(same, one.n_words)] for one in (first, other))
        sentence = np.repeat(np.flatnonzero(same), first.n_words[same])
        same[sentence[ours != theirs]] = False
        for place in np.flatnonzero(~same).tolist():
            equal = Segmented.of(first, place).text() == Segmented.of(other, place).text()
            result[place] = max(int(result[place]), Segmentation.CHARACTERS if equal else Segmentation.DIFFERENT)
    return result


def _extents(columns: FunctionColumns) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every word of the corpus where its characters begin and end in the text of its sentence."""
    present = np.unique(columns.word)
    length = np.zeros(len(columns.vocabulary.words), dtype=np.int64)
    length[present] = [len(columns.vocabulary.words[number]) for number in present.tolist()]
    ends = np.cumsum(length[columns.word])
    starts = ends - length[columns.word]
    n_words = columns.n_words
    filled = columns.word_offsets[:-1][n_words > 0]
    origin = np.repeat(starts[filled], n_words[n_words > 0])
    return starts - origin, ends - origin


def _in_characters(
    columns: FunctionColumns, chosen_sentences: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the spans of all rows and of the whole sentences, in some sentences as sets of characters."""
    lengths = columns.n_words
    sentences = np.flatnonzero(chosen_sentences & (lengths > 0))
    if not len(sentences):
        return columns.span.copy(), lengths.copy()
    span, lengths = columns.span.copy(), lengths.copy()
    starts, ends = _extents(columns)
    lengths[sentences] = ends[columns.word_offsets[sentences + 1] - 1]
    chosen = np.flatnonzero(chosen_sentences[columns.sentence])
    whole = chosen[span[chosen] >= 0]
    origin = columns.word_offsets[columns.sentence[whole]]
    first, last = origin + (span[whole] >> 32), origin + (span[whole] & 0xFFFFFFFF) - 1
    span[whole] = starts[first] << 32 | ends[last]
    table = columns.vocabulary.spans
    for row in chosen[columns.span[chosen] < 0].tolist():
        pieces = table.pieces(int(span[row])) + int(columns.word_offsets[columns.sentence[row]])
        span[row] = _joined(
            list(zip(starts[pieces[::2]].tolist(), ends[pieces[1::2] - 1].tolist(), strict=True)), table
        )
    return span, lengths


def _joined(pieces: list[tuple[int, int]], table: SpanTable) -> int:
    """Return the span of some pieces, which may be empty or touch."""
    joined: list[int] = []
    for start, end in pieces:
        if start == end:
            continue
        if joined and joined[-1] == start:
            joined[-1] = end
        else:
            joined += (start, end)
    if len(joined) > 2:
        return table.add(np.array(joined, dtype=np.int32))
    return joined[0] << 32 | joined[1] if joined else 0


def _span_of(words: list[tuple[int, ...]], table: SpanTable) -> int:
    """Return the span of the members of some words."""
    return _joined([(member, member + 1) for member in sorted({one for word in words for one in word})], table)


def _enter_members(
    columns: FunctionColumns,
    sentence: int,
    words: list[tuple[int, ...]],
    span: NDArray[np.int64],
    whole: NDArray[np.int64],
) -> None:
    """Enter the spans of one sentence as sets of members, given those of each word."""
    table = columns.vocabulary.spans
    first, last = np.searchsorted(columns.sentence, [sentence, sentence + 1]).tolist()
    known: dict[int, int] = {}
    for row in range(first, last):
        old = int(columns.span[row])
        if old not in known:
            pieces = table.pieces(old).tolist()
            covered = [one for start, end in zip(pieces[::2], pieces[1::2], strict=True) for one in words[start:end]]
            known[old] = _span_of(covered, table)
        span[row] = known[old]
    whole[sentence] = _span_of(words, table)


class Memberships:
    """The spans of several corpora, each once, with the corpora that have it.

    Parameters
    ----------
    corpora : sequence of FunctionColumns
        With one vocabulary, and as many sentences each; at most 62.
    differing : ndarray of uint8, shape (sentences,)
        A :class:`Segmentation` for each sentence. Nodes are sets of members where it is ``CHARACTERS``, and those of
        golds whose words differ also where there is no parse to compare with them.
    own : int, optional
        If the first corpus is a parser's, the place among the others of the gold that it follows; if all are golds,
        None.

    Attributes
    ----------
    n_sentences : int
        How many there are.

    Notes
    -----
    Sentence, span, label and corpus are packed into one number; sorting the numbers brings together what is the same.
    """

    def __init__(
        self, corpora: Sequence[FunctionColumns], differing: NDArray[np.uint8], own: int | None = None
    ) -> None:
        self.n_sentences = len(corpora[0])
        measured = self._measured(corpora, differing, own)
        side = 1 + max(int(np.max(spans[spans >= 0] & 0xFFFFFFFF, initial=0)) for one in measured for spans in one)
        n_labels = len(corpora[0].vocabulary.labels) + 1
        n_spans = side * side + len(corpora[0].vocabulary.spans)
        bits = len(corpora).bit_length()
        filled = [(span < 0) | (span >> 32 < span & 0xFFFFFFFF) for span, _ in measured]
        numbers, roots = (
            [np.where(span >= 0, (span >> 32) * side + (span & 0xFFFFFFFF), side * side - 1 - span) for span in spans]
            for spans in zip(*measured, strict=True)
        )
        if self.n_sentences * n_spans * n_labels << bits >= _MOST_NUMBERS:  # too many to pack: number those there are
            lookup = np.unique(np.concatenate([*numbers, *roots]))
            numbers, roots = ([np.searchsorted(lookup, one) for one in ones] for ones in (numbers, roots))
            n_spans = len(lookup)
        codes = np.concatenate(
            [
                (((one.sentence * np.int64(n_spans) + number) * n_labels + one.label + 1) << bits | place)[kept]
                for place, (one, number, kept) in enumerate(zip(corpora, numbers, filled, strict=True))
            ]
        )
        codes.sort()
        here = np.int64(1) << (codes & ((1 << bits) - 1))
        pairs = codes >> bits
        self._pairs, self._pair_masks = _grouped(pairs, here)
        self._spans, self._span_masks = _grouped(self._pairs // n_labels, self._pair_masks)
        labelled = self._pairs % n_labels > 0
        self._pairs, self._pair_masks = self._pairs[labelled] // n_labels, self._pair_masks[labelled]
        self._n_spans = n_spans
        self._roots = roots

    @staticmethod
    def _measured(
        corpora: Sequence[FunctionColumns], differing: NDArray[np.uint8], own: int | None
    ) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Return for every corpus the spans of its rows, and of its whole sentences, over what can be compared."""
        golds = corpora if own is None else corpora[1:]
        apart = differing == Segmentation.CHARACTERS
        without_parse = (differing == Segmentation.DIFFERENT) | (differing == Segmentation.MISSING)
        if without_parse.any():
            apart |= without_parse & (compare_words(golds) == Segmentation.CHARACTERS)
        by_form = [sentence for sentence in np.flatnonzero(apart).tolist() if has_multiwords(corpora, sentence)]
        by_character = apart.copy()
        by_character[by_form] = False
        measured = [_in_characters(one, by_character) for one in corpora]
        for sentence in by_form:
            sides = [Segmented.of(gold, sentence) for gold in golds]
            parse = None
            if own is not None and differing[sentence] == Segmentation.CHARACTERS:
                parse = Segmented.of(corpora[0], sentence)
            words = list(sentence_members(sides, parse, own or 0).words)
            compared = list(zip(golds, measured[len(corpora) - len(golds) :], strict=True))
            if parse is not None:
                compared.append((corpora[0], measured[0]))
            for (corpus, (span, whole)), members in zip(compared, words, strict=True):
                _enter_members(corpus, sentence, members, span, whole)
        return measured

    def rows(self, labelled: bool, *, count_root: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return every pair of a function and a span, or every span, once.

        Parameters
        ----------
        labelled : bool
            Whether pairs or spans.
        count_root : bool
            Whether to include a corpus's span of the whole sentence.

        Returns
        -------
        mask : ndarray of int64, shape (rows,)
            Bit i says whether corpus i has it.
        sentence : ndarray of int64, shape (rows,)
            The sentence it is in.
        """
        spans, mask = (self._pairs, self._pair_masks) if labelled else (self._spans, self._span_masks)
        sentence = spans // self._n_spans
        if not count_root:
            number, mask = spans % self._n_spans, mask.copy()
            for place, root in enumerate(self._roots):
                mask[number == root[sentence]] &= ~(1 << place)
            return mask[mask != 0], sentence[mask != 0]
        return mask, sentence

    def equal_trees(self, one: int, golds: int, own: int, *, labelled: bool) -> NDArray[np.bool_]:
        """Tell for each sentence whether a corpus has the same tree as another, or as all that some have in common.

        Parameters
        ----------
        one : int
            Mask with the bit of the corpus.
        golds : int
            Mask of the corpora whose common part is meant.
        own : int
            Mask with the bit of the other corpus.
        labelled : bool
            Whether the labels have to be the same, or the spans.

        Returns
        -------
        ndarray of bool, shape (sentences,)
        """
        mask, sentence = self.rows(labelled, count_root=True)
        has = (mask & one) != 0
        from_common = np.bincount(sentence[has != ((mask & golds) == golds)], minlength=self.n_sentences)
        from_own = np.bincount(sentence[has != ((mask & own) != 0)], minlength=self.n_sentences)
        result: NDArray[np.bool_] = (from_common == 0) | (from_own == 0)
        return result


def _grouped(keys: NDArray[np.int64], masks: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every key of a sorted array once, with the union of its masks."""
    if not len(keys):
        return keys, masks
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.bitwise_or.reduceat(masks, first)
