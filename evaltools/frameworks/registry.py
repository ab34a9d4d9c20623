"""The table of frameworks, and the table of all their metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.crossframework.framework import CROSSFRAMEWORK
from evaltools.frameworks.dependency.framework import DEPENDENCY
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.metric import Metric, find_metric
from evaltools.frameworks.passes import Pass, metrics_by_id
from evaltools.frameworks.semantics.framework import AMR, MRS, SDP
from evaltools.text import short_repr

__all__ = [
    "FRAMEWORKS",
    "METRICS",
    "framework_of",
    "framework_reading",
    "metric_id",
]

FRAMEWORKS: dict[str, Framework] = {
    framework.id: framework for framework in (CONSTITUENCY, DEPENDENCY, CROSSFRAMEWORK, MRS, SDP, AMR)
}
"""Frameworks by id, in the order of the app."""


def _passes() -> tuple[type[Pass[Any]], ...]:
    """Return the passes of all frameworks."""
    return tuple(kind for framework in FRAMEWORKS.values() for kind in framework.passes.values())


@lru_cache(maxsize=4)
def _metrics(kinds: tuple[type[Pass[Any]], ...]) -> dict[str, Metric]:
    return metrics_by_id(metric for kind in kinds for metric in kind.metrics)


class _Metrics(Mapping[str, Metric]):
    """The metrics of the passes that the frameworks have now."""

    def __getitem__(self, name: str) -> Metric:
        return _metrics(_passes())[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_metrics(_passes()))

    def __len__(self) -> int:
        return len(_metrics(_passes()))

    def __repr__(self) -> str:
        return short_repr(self, f"{len(self)}: {', '.join(self)}")


METRICS: Mapping[str, Metric] = _Metrics()
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
