"""Deleting words and brackets of a treebank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Treebank

__all__ = ["arranged", "filtered"]


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
    from evaltools.kernels.trees.word_sets import arrange_nodes

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
