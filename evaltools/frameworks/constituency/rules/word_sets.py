"""Brackets over sets of words, where a constituent of either tree is discontinuous."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Treebank
from evaltools.corpus.stretches import gap_text, gaps_of, stretches_of
from evaltools.frameworks.constituency.rules.word_alignment import word_offsets

__all__ = ["Spans", "WordSets", "gap_texts", "has_gaps", "hulls", "partners_in_trees", "word_spans"]

Spans = tuple[NDArray[np.int32], NDArray[np.int32]]
"""Start and end of every node."""


@dataclass(frozen=True, slots=True)
class WordSets:
    """The words of each node as a span that equals another node's only if they are over the same words.

    The span of a constituent with gaps begins at its first word; its end is a number beyond the sentence, one for each
    set of words. Sentences that are not chosen keep the spans that they have.
    """

    chosen: NDArray[np.bool_]  # Sentences in which a constituent of either tree is discontinuous
    gold: Spans
    test: Spans
    crossing: NDArray[np.uint8]  # For each test phrase of those sentences whether it crosses a gold phrase

    @classmethod
    def of(
        cls,
        gold: Treebank,
        test: Treebank,
        kinds: tuple[NDArray[np.uint8], NDArray[np.uint8]],
        chosen: NDArray[np.bool_],
        spans: tuple[Spans, Spans],
    ) -> WordSets:
        """Return the sets of words of some sentences, from the positions that the words cover; nodes have `kinds`."""
        from evaltools.kernels.trees.word_sets import number_sets

        (g_start, g_end), (t_start, t_end) = spans
        crossing = np.zeros(len(test.label), dtype=np.uint8)
        number_sets(
            *(gold.parent, g_start, g_end, kinds[0], gold.offsets),
            *(test.parent, t_start, t_end, kinds[1], test.offsets),
            *(chosen, crossing),
        )
        return cls(chosen, (g_start, g_end), (t_start, t_end), crossing)


def word_spans(treebank: Treebank) -> Spans:
    """Return a copy of the spans of the nodes, those of words in the order of the sentence."""
    start, end = treebank.start.copy(), treebank.end.copy()
    if treebank.position is not None:
        is_word = treebank.kind == Kind.WORD
        start[is_word] = treebank.position[is_word]
        end[is_word] = start[is_word] + 1
    return start, end


def hulls(treebank: Treebank) -> Spans:
    """Return the first word of each node, in the order of the sentence, and the end of its last one."""
    return (treebank.start, treebank.end) if treebank.position is None else _yields(treebank)[:2]


def has_gaps(treebank: Treebank) -> NDArray[np.bool_] | None:
    """Return which phrases are over words that are not neighbors; None if there is none in the treebank."""
    if treebank.position is None:
        return None
    first, end, size = _yields(treebank)
    gaps: NDArray[np.bool_] = (end - first != size) & (treebank.kind == Kind.PHRASE)
    return gaps


def gap_texts(treebank: Treebank) -> dict[int, str]:
    """Return the gaps of each phrase that has some: the words between its words, as ``3-5 8-9``, half-open, from 0.

    Examples
    --------
    >>> from evaltools.corpus import Tree
    >>> gap_texts(Treebank.from_trees([Tree.from_string("(S (VP (V 0=is) (A 2=rich)) (N 1=John))", "discbracket")]))
    {4: '1-2'}
    """
    gaps = has_gaps(treebank)
    if gaps is None:
        return {}
    assert treebank.position is not None
    texts = {}
    for node in np.flatnonzero(gaps).tolist():
        first = node - _index(treebank, node) + int(treebank.leftmost[node])
        positions = treebank.position[first:node]
        words = np.sort(positions[positions >= 0])
        texts[node] = gap_text(gaps_of(stretches_of(words.tolist())))
    return texts


def _index(treebank: Treebank, node: int) -> int:
    """Return the index of a node in its sentence."""
    return node - int(treebank.offsets[np.searchsorted(treebank.offsets, node, side="right") - 1])


def _yields(treebank: Treebank) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    from evaltools.kernels.trees.yields import find_yields

    assert treebank.position is not None
    first, end, size = (np.empty(len(treebank.kind), dtype=np.int32) for _ in range(3))
    is_broken = np.zeros(len(treebank), dtype=np.uint8)
    find_yields(treebank.parent, treebank.position, treebank.offsets, first, end, size, is_broken)
    return first, end, size


def partners_in_trees(partner: NDArray[np.int32], gold: Treebank, test: Treebank) -> NDArray[np.int32]:
    """Return the partners of gold words, in the order of the sentences, for words in the order of the trees."""
    if gold.position is not None:
        partner = partner[gold.word_indices]
    if test.position is None:
        return partner
    first = word_offsets(test)
    indices = test.word_indices
    in_tree = np.empty(len(indices), dtype=np.int32)  # of each word, by its position in the sentence
    in_tree[indices] = np.arange(len(indices)) - np.repeat(first[:-1], test.n_words)
    of_sentence = np.repeat(first[:-1], gold.n_words)
    return np.where(partner >= 0, in_tree[np.where(partner >= 0, of_sentence + partner, 0)], np.int32(-1))
