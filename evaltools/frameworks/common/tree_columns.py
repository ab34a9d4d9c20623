"""Trees as the kernels of tree distance, brackets and lineages take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Treebank

__all__ = ["NO_FREE", "Columns", "columns_of", "node_positions"]

NO_FREE = np.zeros((0, 0), dtype=np.uint8)
"""No two labels whose swap costs nothing."""

Columns = tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.uint8],
    NDArray[np.int64],
]


def columns_of(
    treebank: Treebank,
    symbols: NDArray[np.int32] | None = None,
    spans: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
    kinds: NDArray[np.uint8] | None = None,
) -> Columns:
    """Return the columns of a treebank as kernels take them, with other symbols for labels, spans or kinds if given."""
    start, end = (treebank.start, treebank.end) if spans is None else spans
    return (
        treebank.label if symbols is None else symbols,
        treebank.parent,
        treebank.leftmost,
        start,
        end,
        treebank.kind if kinds is None else kinds,
        treebank.offsets,
    )


def node_positions(treebank: Treebank) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sentence of every node, from 0, and the index of its parent among all nodes, -1 for a root."""
    sentence = np.repeat(np.arange(len(treebank), dtype=np.int64), np.diff(treebank.offsets))
    return sentence, np.where(treebank.parent >= 0, treebank.parent + treebank.offsets[sentence], -1)
