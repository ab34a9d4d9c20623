"""The metrics: one module each, and the table of all of them."""

from __future__ import annotations

from evaltools.errors import ParameterError
from evaltools.metrics import attachment, bracketing, leaf_ancestor, tedeval, tedeval2011, tree_distance
from evaltools.metrics.base import Metric

__all__ = ["CROSS_FRAMEWORK_METRICS", "FAMILIES", "KINDS", "MAIN_METRIC_OF", "METRICS", "Metric", "metrics_of"]

METRICS: dict[str, Metric] = {
    metric.id: metric for module in (bracketing, tree_distance, attachment, leaf_ancestor) for metric in module.METRICS
}
"""Metrics of two constituency trees, or of two dependency trees, by id."""

CROSS_FRAMEWORK_METRICS: dict[str, Metric] = {
    metric.id: metric for module in (tedeval, tedeval2011) for metric in module.METRICS
}
"""Metrics of trees of any framework against one gold or several, by id."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "e": bracketing.COLUMNS,
    "t": tree_distance.COLUMNS,
    "attachment": attachment.COLUMNS,
    "la": leaf_ancestor.COLUMNS,
}
"""The count columns that each pass over the trees makes."""

KINDS: dict[str, tuple[str, ...]] = {
    "constituency": ("e", "t", "la"),
    "dependency": ("attachment", "la"),
}
"""The kinds of trees that are compared, and the passes that are made over them."""

MAIN_METRIC_OF: dict[str, str] = {"constituency": "e_dice_roof", "dependency": "las"}
"""The metric that pages and commands begin with, for each kind of trees."""


def metrics_of(kind: str) -> list[str]:
    """Return the ids of the metrics of one kind of trees.

    Parameters
    ----------
    kind : str
        A name in :data:`KINDS`.

    Raises
    ------
    ParameterError
        If there is no such kind.

    Examples
    --------
    >>> metrics_of("dependency")
    ['uas', 'las', 'label_accuracy', 'la_strict', 'la_partial', 'la_table']
    """
    if kind not in KINDS:
        raise ParameterError.unknown("kind", kind, KINDS)
    return [name for name, metric in METRICS.items() if metric.family in KINDS[kind]]
