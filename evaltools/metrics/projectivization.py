"""Dependency trees made projective, for metrics over ordered trees.

References
----------
J. Nivre and J. Nilsson (2005). Pseudo-projective dependency parsing. ACL 2005.

Notes
-----
Differences from the paper: relations are kept as they are, without the paper's encodings of where an arc was lifted
from. Arcs of equal length are lifted from left to right by the left end of the arc.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaltools.treebank import Dependencies

__all__ = ["projectivize"]


def projectivize(trees: Dependencies) -> tuple[Dependencies, NDArray[np.bool_]]:
    """Make dependency trees projective by lifting.

    While a tree has non-projective arcs, the shortest of them is replaced by an arc from the head of its head; of
    arcs of equal length the leftmost comes first. Words keep their relations.

    Parameters
    ----------
    trees : Dependencies
        The trees.

    Returns
    -------
    trees : Dependencies
        The same with other heads; :meth:`~evaltools.treebank.Dependencies.tree` still returns the trees as read.
    changed : ndarray of bool, shape (sentences,)
        The sentences that were not projective. Those of more than 4,096 words stay as they are.

    Examples
    --------
    >>> from evaltools.treebank import DependencyTree
    >>> tree = DependencyTree(("who", "did", "you", "see"), (3, -1, 3, 1), ("obj", "root", "sbj", "vg"))
    >>> made, changed = projectivize(Dependencies.from_trees([tree]))
    >>> made.head.tolist(), changed.tolist()
    ([1, -1, 3, 1], [True])
    """
    from evaltools.kernels.lifting import lift_arcs

    head = trees.head.copy()
    lifts = np.zeros(len(trees), dtype=np.int32)
    lift_arcs(head, trees.offsets.astype(np.int64), lifts)
    changed: NDArray[np.bool_] = lifts > 0
    return (replace(trees, head=head) if changed.any() else trees), changed
