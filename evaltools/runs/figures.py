"""The figures of parsers from summed counts: over their own sentences, and over those that all parsers have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.figures import FIGURES
from evaltools.frameworks.metric import Metric, ratio
from evaltools.frameworks.registry import METRICS
from evaltools.runs.sums import Sums

__all__ = ["common_rows", "figure_from_sums", "figure_of", "n_of"]


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


def common_rows(
    sums: Sums, parsers: Sequence[str], metrics: Sequence[str], figures: Sequence[str] = FIGURES
) -> list[dict[str, Any]]:
    """Return for each parser and metric the figures over the sentences that all parsers have."""
    rows = []
    parts = {parser: sums.of(parser) for parser in parsers}
    for parser, part_of_parser in parts.items():
        for metric in (METRICS[name] for name in metrics):
            row: dict[str, Any] = {"parser": parser, "metric": metric.id}
            for figure in figures:
                part = part_of_parser.common(metric, figure)
                row[f"{figure}_common"] = figure_of(part, metric, figure)
                row[f"n_{figure}_common"] = n_of(part, metric, figure)
            rows.append(row)
    return rows
