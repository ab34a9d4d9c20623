"""Ranks of sentences under a metric, and under two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.registry import METRICS, metric_id

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["badness", "rank_differences", "sentence_ranks", "worst_is_high"]


def worst_is_high(metric: str) -> bool:
    """Return whether a metric's worst sentences have its highest values, as with crossing brackets.

    Parameters
    ----------
    metric : str
        A metric.

    Returns
    -------
    bool
        Whether high values are bad.

    Examples
    --------
    >>> worst_is_high("e_crossing"), worst_is_high("e_dice_roof")
    (True, False)
    """
    return not METRICS[metric_id(metric)].higher_is_better


def badness(metric: str, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores by a metric with the sign turned, if need be, so that high values are bad."""
    return scores if worst_is_high(metric) else -scores


def _ranks(scores: pd.Series, parsers: pd.Series, *, worst_high: bool) -> pd.Series:
    # sums of similarities differ in their last bits with the order of addition: such scores are equal
    rounded = scores.round(12)
    ranks: pd.Series = rounded.groupby(parsers, sort=False, observed=True).rank(method="average", ascending=worst_high)
    return ranks


def sentence_ranks(frame: pd.DataFrame, metric: str) -> pd.Series:
    """Rank each parser's sentences, the best first.

    Parameters
    ----------
    frame : DataFrame
        Rows of ``run.sentences()``.
    metric : str
        A metric.

    Returns
    -------
    Series of float
        Index as in `frame`. 1 is the best sentence; equal scores share the mean of their ranks; NaN where the score is
        undefined. For metrics that count errors the best is the lowest value.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"parser": "a", "t_dice": [0.5, 1.0, 0.5, None]})
    >>> sentence_ranks(frame, "t_dice").tolist()
    [2.5, 1.0, 2.5, nan]
    """
    metric = metric_id(metric)
    return _ranks(frame[metric].astype(float), frame["parser"], worst_high=worst_is_high(metric))


def rank_differences(frame: pd.DataFrame, metric_a: str, metric_b: str) -> pd.Series:
    """Return each sentence's rank under one metric minus its rank under another.

    Parameters
    ----------
    frame : DataFrame
        Rows of ``run.sentences()``.
    metric_a, metric_b : str
        Two metrics.

    Returns
    -------
    Series of float
        Index as in `frame`. Above 0: the first metric ranks the sentence worse than the second does. Ranks are among
        the parser's sentences that both metrics score; NaN for the others.
    """
    import pandas as pd

    metric_a, metric_b = metric_id(metric_a), metric_id(metric_b)
    both = frame[metric_a].notna() & frame[metric_b].notna()
    result = pd.Series(np.nan, index=frame.index, dtype=float)
    shared = frame[both]
    result[both] = sentence_ranks(shared, metric_a) - sentence_ranks(shared, metric_b)
    return result
