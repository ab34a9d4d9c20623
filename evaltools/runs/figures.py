"""The figures of parsers from summed counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.metric import Metric, ratio
from evaltools.runs.sums import Sums

__all__ = ["figure_from_sums", "figure_of", "n_of"]


def figure_from_sums(figure: str, metric: Metric, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute a figure from sums: of the metric's counts, or of scores and of their number; a row each."""
    if figure.startswith("pooled"):
        return np.asarray(metric.score(dict(zip(metric.columns, sums.T, strict=True))), dtype=np.float64)
    return ratio(sums[:, 0], sums[:, 1])


def figure_of(sums: Sums, metric: Metric, figure: str) -> float:
    """Return one of the figures of the sentences that were added up, NaN where undefined."""
    over = "all" if figure.endswith("_all") else "scored"
    if figure.startswith("pooled"):
        columns = [sums.count(metric, over, name) for name in metric.columns]
    else:
        columns = [sums.score(metric, over), sums.defined(metric, over)]
    return float(figure_from_sums(figure, metric, np.array([[column.sum() for column in columns]]))[0])


def n_of(sums: Sums, metric: Metric, figure: str) -> int:
    """Return the number of sentences of a figure: with counts if it is pooled, with a score if it is a mean."""
    over = "all" if figure.endswith("_all") else "scored"
    part = sums.members(metric, over) if figure.startswith("pooled") else sums.defined(metric, over)
    return int(part.sum())
