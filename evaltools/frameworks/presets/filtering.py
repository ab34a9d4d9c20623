"""Deleting words and brackets of a treebank, such as empty elements: traces and other words that were never spoken."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Treebank
from evaltools.corpus.bracket_text import NOTATIONS
from evaltools.corpus.folding import MARKUP, without_features


def filtered(
    treebank: Treebank,
    dropped: NDArray[np.bool_],
    actions: NDArray[np.uint8],
    relabel: NDArray[np.int32],
    *,
    keep_empty: bool,
) -> tuple[Treebank, NDArray[np.int32]]:
    """Return a treebank without some words, in the order of the sentences, and brackets; and where its nodes were.

    The other parameters are those of :func:`evaltools.kernels.filtering.filter_nodes`.
    """
    from evaltools.kernels.filtering import filter_nodes

    columns = (treebank.label, treebank.parent, treebank.start, treebank.end, treebank.kind, treebank.offsets)
    in_tree_order = dropped if treebank.position is None else dropped[treebank.word_indices]
    *kept, origin = filter_nodes(*columns, in_tree_order, actions, relabel, keep_empty)
    label, parent, leftmost, start, end, kind, offsets = kept
    left = replace(
        treebank,
        label=label,
        parent=parent,
        leftmost=leftmost,
        start=start,
        end=end,
        kind=kind,
        offsets=offsets,
        position=None,
        function=None,
    )
    if treebank.position is None:
        return left, origin
    # each word that is left moves up by the deleted words before it in the sentence
    n_left = np.concatenate(([0], np.cumsum(~dropped)))
    first = np.concatenate(([0], np.cumsum(treebank.n_words, dtype=np.int64)))[:-1]
    moved = (n_left[:-1] - np.repeat(n_left[first], treebank.n_words))[treebank.word_indices]
    position = np.full(len(kind), -1, dtype=np.int32)
    position[kind == 2] = moved[~in_tree_order]
    left, order = arranged(left, position)
    return left, origin[np.repeat(left.offsets[:-1], np.diff(left.offsets)) + order]


def arranged(treebank: Treebank, position: NDArray[np.int32]) -> tuple[Treebank, NDArray[np.int32]]:
    """Put nodes into postorder, siblings in the order of their first words; return also where each node was.

    `position` is that of each word in its sentence, -1 for other nodes. The result has no positions if all its
    constituents are continuous.
    """
    from evaltools.kernels.word_sets import arrange_nodes

    order, parent, leftmost, start, end = (np.empty(len(treebank.kind), dtype=np.int32) for _ in range(5))
    arrange_nodes(treebank.parent, position, treebank.offsets, order, parent, leftmost, start, end)
    nodes = np.repeat(treebank.offsets[:-1], np.diff(treebank.offsets)) + order
    result = replace(
        treebank,
        label=treebank.label[nodes],
        parent=parent,
        leftmost=leftmost,
        start=start,
        end=end,
        kind=treebank.kind[nodes],
        position=position[nodes],
        function=None if treebank.function is None else treebank.function[nodes],
    )
    return (result if result.discontinuous.any() else replace(result, position=None)), order


def tagged_words(treebank: Treebank, tags: Collection[str]) -> NDArray[np.bool_]:
    """Return for each word, in the order of the sentences, whether it has one of some tags."""
    numbers = [number for tag in tags if (number := treebank.vocabulary.labels.find(tag)) >= 0]
    return np.isin(treebank.word_tags, numbers)


def count_left_out(treebank: Treebank, tags: Collection[str], *, cuts_features: bool) -> dict[str, int]:
    """Count the labels whose features are cut, and the words with some tags that are markup."""
    strings = treebank.vocabulary.labels.strings()
    is_cut = np.array([cuts_features and without_features(name) != name for name in strings] or [False])
    return {
        "features": int(np.count_nonzero(is_cut[treebank.label[treebank.kind != Kind.WORD]])),
        "markup": int(np.count_nonzero(tagged_words(treebank, MARKUP & frozenset(tags)))),
    }


def without_empty_elements(treebank: Treebank, tags: Collection[str]) -> Treebank:
    """Return a treebank without the words with some tags, as if it had been written without them."""
    return without_words(treebank, tagged_words(treebank, tags))


def without_words(treebank: Treebank, dropped: NDArray[np.bool_]) -> Treebank:
    """Return a treebank without some of its words, and without the phrases that are empty then."""
    # Where a bracket whose only child is a word is a tag, a phrase of which only a word is left becomes a tag.
    if not dropped.any():
        return treebank
    n_labels = len(treebank.vocabulary.labels)
    same, keep = np.arange(n_labels, dtype=np.int32), np.zeros(n_labels, dtype=np.uint8)
    left, origin = filtered(treebank, dropped, keep, same, keep_empty=True)
    if treebank.notation in NOTATIONS and NOTATIONS[treebank.notation].is_tagged:
        before = np.repeat(treebank.offsets[:-1], np.diff(left.offsets)) + origin
        fewer = _children(left.parent, left.offsets) < _children(treebank.parent, treebank.offsets)[before]
        over_word = np.zeros(len(left.kind), dtype=np.bool_)
        over_word[1:] = (left.kind[:-1] == Kind.WORD) & (left.leftmost[1:] + 1 == _positions(left.offsets)[1:])
        left.kind[fewer & over_word & (left.kind == Kind.PHRASE)] = Kind.PRETERMINAL
    return left


def _positions(offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of each node in its sentence."""
    return np.arange(int(offsets[-1])) - np.repeat(offsets[:-1], np.diff(offsets))


def _children(parent: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of children of each node."""
    above = (parent + np.repeat(offsets[:-1], np.diff(offsets)))[parent >= 0]
    return np.bincount(above, minlength=len(parent))
