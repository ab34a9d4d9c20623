"""The metrics: one module each, and the table of all of them."""

from __future__ import annotations

from evaltools.errors import ParameterError
from evaltools.metrics import attachment, bracketing, edm, leaf_ancestor, tedeval, tedeval2011, tree_distance
from evaltools.metrics.base import Metric

__all__ = ["FAMILIES", "KINDS", "MAIN_METRIC_OF", "METRICS", "Metric", "metrics_of"]

METRICS: dict[str, Metric] = {
    metric.id: metric
    for module in (bracketing, tree_distance, attachment, leaf_ancestor, tedeval, tedeval2011, edm)
    for metric in module.METRICS
}
"""Every metric by id."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "e": bracketing.COLUMNS,
    "t": tree_distance.COLUMNS,
    "attachment": attachment.COLUMNS,
    "la": leaf_ancestor.COLUMNS,
    "tedeval": tedeval.COLUMNS,
    "tedeval2011": tedeval2011.COLUMNS,
    "edm": edm.COLUMNS,
}
"""The count columns that each pass over the trees makes."""

KINDS: dict[str, tuple[str, ...]] = {
    "constituency": ("e", "t", "la"),
    "dependency": ("attachment", "la"),
    "crossframework": ("tedeval", "tedeval2011"),
    "semantics": ("edm",),
}
"""The kinds of runs and their passes: two constituency trees, two dependency trees, trees of any framework, or two
semantic graphs."""

MAIN_METRIC_OF: dict[str, str] = {
    "constituency": "e_dice_roof",
    "dependency": "las",
    "crossframework": "tedeval_multiple_unlabelled",
    "semantics": "edm",
}
"""The metric that pages and commands begin with, for each kind of runs."""


def metrics_of(kind: str) -> list[str]:
    """Return the ids of the metrics of one kind of runs.

    Parameters
    ----------
    kind : str
        A name in :data:`KINDS`.

    Returns
    -------
    list of str
        Their ids, in the order of reports.

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
