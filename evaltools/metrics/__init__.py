"""The metrics: one module each, and the table of all of them."""

from __future__ import annotations

from evaltools.metrics import bracketing, leaf_ancestor, tedeval, tree_distance
from evaltools.metrics.base import Metric

__all__ = ["CROSS_FRAMEWORK_METRICS", "FAMILIES", "METRICS", "Metric"]

METRICS: dict[str, Metric] = {
    metric.id: metric for module in (bracketing, tree_distance, leaf_ancestor) for metric in module.METRICS
}
"""Metrics of two constituency trees, by id."""

CROSS_FRAMEWORK_METRICS: dict[str, Metric] = {metric.id: metric for metric in tedeval.METRICS}
"""Metrics of trees of any framework against one gold or several, by id."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "e": bracketing.COLUMNS,
    "t": tree_distance.COLUMNS,
    "la": leaf_ancestor.COLUMNS,
}
"""The count columns that each pass over the trees makes."""
