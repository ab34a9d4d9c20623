"""The metrics: one module each, and the table of all of them."""

from __future__ import annotations

from evaltools.metrics import bracketing, leaf_ancestor, tree_distance
from evaltools.metrics.base import Metric

__all__ = ["FAMILIES", "METRICS", "Metric"]

METRICS: dict[str, Metric] = {
    metric.id: metric for module in (bracketing, tree_distance, leaf_ancestor) for metric in module.METRICS
}
"""Every metric by id."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "e": bracketing.COLUMNS,
    "t": tree_distance.COLUMNS,
    "la": leaf_ancestor.COLUMNS,
}
"""The count columns that each pass over the trees makes."""
