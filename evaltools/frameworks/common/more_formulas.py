"""Formulas with numbers of those metrics of a sentence for which its view has no text of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from evaltools.frameworks.wording import three

if TYPE_CHECKING:
    from evaltools.alignments.arcs import DependencyAlignment
    from evaltools.alignments.trees import Alignment
    from evaltools.frameworks.passes import Pass

__all__ = ["more_formulas"]


def more_formulas(
    alignment: Alignment | DependencyAlignment, passes: Iterable[type[Pass[Any]]], worded: Collection[str]
) -> list[tuple[str, str, str, str]]:
    """Return title, formula, formula with numbers, and value, of the metrics of all families but some."""
    metrics = (metric for kind in passes for metric in kind.metrics)
    own = [metric for metric in metrics if metric.id in alignment.scores and metric.family not in worded]
    rows: list[tuple[str, str, str, str]] = []
    for heading, members in groupby(own, lambda metric: metric.approach or metric.family):
        rows.append((heading, "", "", ""))
        for metric in members:
            value = alignment.scores[metric.id]
            numbers = "" if value is None else metric.put_in(alignment.counts)
            rows.append((metric.title, metric.formula, numbers, three(value)))
    return rows
