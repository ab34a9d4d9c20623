"""Formulas with numbers of those metrics of a sentence for which its view has no text of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from evaltools.text import significant

if TYPE_CHECKING:
    from evaltools.frameworks.constituency.aligned_trees import Alignment
    from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
    from evaltools.frameworks.metric import Count, Metric
    from evaltools.frameworks.passes import Pass

__all__ = ["more_formulas"]


def more_formulas(
    alignment: Alignment | DependencyAlignment, passes: Iterable[type[Pass[Any]]], worded: Collection[str]
) -> list[tuple[str, str, str, str]]:
    """Return title, formula, formula with numbers, and value, of the metrics of all families but some."""
    passes = list(passes)
    counted = {name: count for kind in passes for name, count in kind.counted.items()}
    metrics = (metric for kind in passes for metric in kind.metrics)
    own = [metric for metric in metrics if metric.id in alignment.scores and metric.family not in worded]
    rows: list[tuple[str, str, str, str]] = []
    for heading, group in groupby(own, lambda metric: metric.approach or metric.family):
        members = list(group)
        is_scored = any(alignment.scores[metric.id] is not None for metric in members)
        rows.append((heading, _legend(members, alignment.counts, counted) if is_scored else "", "", ""))
        for metric in members:
            value = alignment.scores[metric.id]
            numbers = "" if value is None else metric.put_in(alignment.counts)
            rows.append((metric.title, metric.formula, numbers, metric.text_with_sign(value)))
    return rows


def _legend(metrics: Iterable[Metric], counts: Mapping[str, float], counted: Mapping[str, Count]) -> str:
    """Return what the letters of formulas stand for, with their numbers."""
    names = dict.fromkeys(name for metric in metrics for name in metric.columns if name in counted)
    lettered = [(counted[name], counts[name]) for name in names if counted[name].symbol and name in counts]
    space = "\N{NO-BREAK SPACE}"
    return " · ".join(f"{count.symbol}{space}{significant(number)}{space}{count.name}" for count, number in lettered)
