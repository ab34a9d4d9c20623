"""What metrics are called above columns, where their own titles are long."""

from __future__ import annotations

from evaltools.metrics import METRICS

__all__ = ["column_hint", "column_title"]

_SHORT = {
    "edm": "EDM",
    "edm_precision": "precision",
    "edm_recall": "recall",
    "edm_na": "EDM_NA",
    "edm_n": "EDM_N",
    "edm_a": "EDM_A",
    "edm_p": "EDM_P",
    "edm_exact": "exact",
    "tedeval_multiple_unlabelled": "all golds, unlab.",
    "tedeval_multiple_labelled": "all golds, lab.",
    "tedeval_single_unlabelled": "own gold, unlab.",
    "tedeval_single_labelled": "own gold, lab.",
    "tedeval2011_unlabelled": "2011, unlab.",
    "tedeval2011_labelled": "2011, lab.",
}


def column_title(metric: str) -> str:
    """Return what stands above a column of a metric.

    Examples
    --------
    >>> column_title("edm_na"), column_title("las")
    ('EDM_NA', 'LAS')
    """
    return _SHORT.get(metric, METRICS[metric].title)


def column_hint(metric: str) -> str:
    """Return what is shown when its title is pointed at: the formula, after the whole title if that is not shown."""
    one = METRICS[metric]
    return f"{one.title}: {one.formula}" if metric in _SHORT else one.formula
