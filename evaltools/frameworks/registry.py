"""The table of frameworks, and the tables of all their metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.crossframework.framework import CROSSFRAMEWORK
from evaltools.frameworks.dependency.framework import DEPENDENCY
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.metric import Count, Metric, find_metric
from evaltools.frameworks.options import Options, structs_by_title
from evaltools.frameworks.passes import Pass
from evaltools.frameworks.semantics.framework import AMR, MRS, SDP
from evaltools.text import short_repr

__all__ = [
    "COUNTS",
    "FRAMEWORKS",
    "METRICS",
    "framework_of",
    "framework_reading",
    "metric_id",
]

V = TypeVar("V")

FRAMEWORKS: dict[str, Framework] = {
    framework.id: framework for framework in (CONSTITUENCY, DEPENDENCY, CROSSFRAMEWORK, MRS, SDP, AMR)
}
"""Frameworks by id, in the order of the app."""


def options_by_title() -> dict[str, type[Options]]:
    """Return the structs of options by the titles of the frameworks."""
    return structs_by_title(FRAMEWORKS.values())


def _passes() -> tuple[type[Pass[Any]], ...]:
    """Return the passes of all frameworks."""
    return tuple(kind for framework in FRAMEWORKS.values() for kind in framework.passes.values())


@lru_cache(maxsize=4)
def _metrics(kinds: tuple[type[Pass[Any]], ...]) -> dict[str, Metric]:
    metrics: dict[str, Metric] = {}
    for kind in kinds:
        for metric in kind.metrics:
            metrics.pop(metric.id, None)  # what frameworks share comes with the last of them
            metrics[metric.id] = metric
    return metrics


@lru_cache(maxsize=4)
@lru_cache(maxsize=4)
def _counts(kinds: tuple[type[Pass[Any]], ...]) -> dict[str, Count]:
    counts = {"sentences": Count("sentences")}
    for kind in kinds:
        counts |= {
            column: kind.family.counts.get(column, Count(column)) for column in kind.columns if column not in counts
        }
    return counts


class _Table(Mapping[str, V]):
    """A table computed from the passes of the frameworks."""

    def __init__(self, make: Any) -> None:
        self._make = make

    def _now(self) -> dict[str, V]:
        table: dict[str, V] = self._make(_passes())
        return table

    def __getitem__(self, name: str) -> V:
        return self._now()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())

    def __repr__(self) -> str:
        return short_repr(self, f"{len(self)}: {', '.join(self)}")


METRICS: Mapping[str, Metric] = _Table(_metrics)
"""Metrics by id."""


def metric_id(name: str, ids: Iterable[str] | None = None) -> str:
    """Return the id of a metric that a reader names, in any case, or by an old id such as ``"e_dice_roof"``.

    Parameters
    ----------
    name : str
        Such as ``"F1"``.
    ids : iterable of str, optional
        Ids of the metrics among which it is looked for, such as those of a run; by default all.

    Returns
    -------
    str
        Its id.

    Raises
    ------
    ParameterError
        If there is none; the message has the nearest ids and the common ones.

    Examples
    --------
    >>> metric_id("F1"), metric_id("e_dice_roof")
    ('f1', 'f1')
    """
    return find_metric(name, METRICS.values() if ids is None else [METRICS[known] for known in ids]).id


COUNTS: Mapping[str, Count] = _Table(_counts)
"""Descriptions of the count columns."""


def framework_of(meta: Mapping[str, Any]) -> Framework:
    """Return the framework of a run.

    Parameters
    ----------
    meta : mapping
        The content of its ``meta.json``; the first runs have no ``kind``; they compare constituency trees.

    Returns
    -------
    Framework
        The one that ``kind`` names.

    Raises
    ------
    ParameterError
        If there is no such framework.
    """
    name = str(meta.get("kind", next(iter(FRAMEWORKS))))
    if name not in FRAMEWORKS:
        raise ParameterError.unknown("kind", name, FRAMEWORKS)
    return FRAMEWORKS[name]


def framework_reading(corpus: type) -> Framework | None:
    """Return the framework that reads a class of corpus.

    Parameters
    ----------
    corpus : type
        As ``HOLDS`` of a format names it.

    Returns
    -------
    Framework or None
        None if no framework reads it.
    """
    return next((framework for framework in FRAMEWORKS.values() if framework.reads is corpus), None)
