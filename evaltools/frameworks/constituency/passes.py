"""The passes over constituency trees."""

from __future__ import annotations

from typing import Any

from evaltools.frameworks.constituency.bracketing import Bracketing
from evaltools.frameworks.constituency.leaf_ancestor import LeafAncestor
from evaltools.frameworks.constituency.repair import RepairCounts
from evaltools.frameworks.constituency.tree_distance import TreeDistance
from evaltools.frameworks.passes import Pass

PASSES: dict[str, type[Pass[Any]]] = {
    kind.family.id: kind for kind in (Bracketing, TreeDistance, LeafAncestor, RepairCounts)
}
"""The passes by family, in the order of reports: the table that a new metric is added to."""
