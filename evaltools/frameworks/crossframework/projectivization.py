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

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies
from evaltools.text import count_of

__all__ = ["Projectivized", "describe_projectivized", "projectivize"]


def projectivize(trees: Dependencies) -> tuple[Dependencies, NDArray[np.bool_]]:
    """Make dependency trees projective by lifting.

    Examples
    --------
    >>> from evaltools.corpus import DependencyTree
    >>> tree = DependencyTree(("who", "did", "you", "see"), (3, -1, 3, 1), ("obj", "root", "sbj", "vg"))
    >>> projective, changed = projectivize(Dependencies.from_trees([tree]))
    >>> projective.head.tolist(), changed.tolist()
    ([1, -1, 3, 1], [True])
    """
    # While a tree has non-projective arcs, the shortest of them is replaced by an arc from the head of its head; of
    # arcs of equal length the leftmost comes first. Words keep their relations.
    from evaltools.kernels.trees.lifting import lift_arcs

    head = trees.head.copy()
    lifts = np.zeros(len(trees), dtype=np.int32)
    lift_arcs(head, trees.offsets.astype(np.int64), lifts)
    changed: NDArray[np.bool_] = lifts > 0
    return (replace(trees, head=head) if changed.any() else trees), changed


Projectivized = dict[str, dict[str, int]]
"""Under ``golds`` and ``parsers`` the number of changed trees of each theory and each parser."""


def describe_projectivized(meta: Mapping[str, Any]) -> str:
    """Return a sentence with the numbers of trees that were made projective.

    Examples
    --------
    >>> describe_projectivized({"projectivized": {"golds": {"UD": 114}, "parsers": {"a": 3, "b": 0}}})
    'Projectivized for TedEval 2011: 114 gold trees (UD), 3 trees of parser a.'
    >>> describe_projectivized({"projectivized": None})
    'Not projectivized: TedEval 2011 is undefined for sentences with a non-projective tree.'
    """
    if "projectivized" not in meta:
        return ""
    numbers: Projectivized | None = meta["projectivized"]
    if numbers is None:
        return "Not projectivized: TedEval 2011 is undefined for sentences with a non-projective tree."
    changed = [f"{count_of(n, 'gold tree')} ({theory})" for theory, n in numbers["golds"].items() if n]
    changed += [f"{count_of(n, 'tree')} of parser {name}" for name, n in numbers["parsers"].items() if n]
    return f"Projectivized for TedEval 2011: {', '.join(changed) or 'no tree; all are projective'}."
