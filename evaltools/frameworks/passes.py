"""Passes, which compute the counts of a family of metrics for all sentences of a parser."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.metric import find_metric, formula, formula_with
from evaltools.frameworks.options import Options
from evaltools.text import significant

if TYPE_CHECKING:
    from evaltools.frameworks.constituency.aligned_trees import Alignment
    from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
    from evaltools.frameworks.metric import Family, Metric


C = TypeVar("C")
P = TypeVar("P", bound="Pass[Any]")
NO_OPTIONS = Options()


class Pass(ABC, Generic[C]):
    """One pass over a parser's trees and the gold trees, which computes the counts of a family of metrics."""

    # A framework lists its passes in the table PASSES of its package. The engine and every alignment run the passes of
    # that table; the table ``sentences`` has their columns, and reports have their metrics.

    family: ClassVar[Family]
    """What its metrics share, with descriptions of the columns; a column without one is described by its name."""
    columns: ClassVar[tuple[str, ...]]
    """Count columns; a column ``sentences`` is the one that all passes share."""
    metrics: ClassVar[tuple[Metric, ...]]
    """The metrics made of these counts, in the order of reports."""
    required: ClassVar[bool] = False
    """Whether it runs even if none of its metrics is chosen, because tables of details need it."""

    def __init__(self, comparison: C) -> None:
        """Allocate the results of comparing two corpora, which the framework has prepared."""

    @classmethod
    def prepare(cls, comparison: C) -> Self:
        """Return the pass over a comparison."""
        return cls(comparison)

    @classmethod
    def available(cls, options: Options) -> tuple[Metric, ...]:
        """Return the metrics that can be computed with some options."""
        return cls.metrics

    def run(self, first: int, last: int) -> None:
        """Score the sentences ``first:last``; ranges may run in parallel threads."""

    @property
    @abstractmethod
    def counts(self) -> NDArray[Any]:
        """The counts, shape (sentences, columns), as :attr:`columns` names them."""

    def undefined(self, column: str) -> NDArray[np.bool_] | None:
        """Return in which sentences a count is undefined, shape (sentences,); None if it is defined in all."""
        return None


def metrics_by_id(metrics: Iterable[Metric]) -> dict[str, Metric]:
    """Return metrics by id; what frameworks share comes with the last of them."""
    known: dict[str, Metric] = {}
    for metric in metrics:
        known.pop(metric.id, None)
        known[metric.id] = metric
    return known


def select_metrics(
    names: Iterable[str] | None, kinds: Iterable[type[Pass[Any]]], options: Options = NO_OPTIONS
) -> list[str]:
    """Return the ids of the metrics of some passes, for names, ids and families, in the order of reports."""
    known = metrics_by_id(metric for kind in kinds for metric in kind.available(options))
    families = {name: metric.family.id for name, metric in known.items()}
    if names is None:
        return list(families)
    chosen = set()
    for name in names:
        of_family = {metric for metric, family in families.items() if family == name}
        chosen |= of_family or {find_metric(name, known.values(), sorted(set(families.values()))).id}
    return [name for name in families if name in chosen]


def counts_of(passes: Mapping[str, type[Pass[Any]]]) -> tuple[str, ...]:
    """Return the counts behind the metrics of some passes, but for the number of sentences."""
    columns = (column for kind in passes.values() for metric in kind.metrics for column in metric.columns)
    return tuple(name for name in dict.fromkeys(columns) if name != "sentences")


def families_of(metrics: Iterable[str], kinds: Iterable[type[Pass[Any]]]) -> tuple[str, ...]:
    """Return the families of some metrics of some passes."""
    families = {metric.id: metric.family.id for kind in kinds for metric in kind.metrics}
    return tuple(dict.fromkeys(families[name] for name in metrics))


class Passes(Generic[C]):
    """The passes over one parser's trees."""

    def __init__(
        self,
        table: Mapping[str, type[Pass[C]]],
        comparison: C,
        options: Options = NO_OPTIONS,
        families: Collection[str] | None = None,  # None for all
    ) -> None:
        self.kinds = tuple(table.values())
        self.comparison = comparison
        self._options = options
        self._made: dict[type[Pass[C]], Pass[C]] = {
            kind: kind.prepare(comparison)
            for kind in self.kinds
            if kind.required or families is None or kind.family.id in families
        }

    def get(self, kind: type[P]) -> P | None:
        """Return the pass of a kind; None if it does not run."""
        made = self._made.get(kind)
        return made if isinstance(made, kind) else None

    def __getitem__(self, kind: type[P]) -> P:
        """Return the pass of a kind that does run."""
        made = self.get(kind)
        if made is None:
            raise KeyError(kind.family.id)
        return made

    def run(self, first: int, last: int) -> int:
        """Score a range of sentences; return their number."""
        for made in self._made.values():
            made.run(first, last)
        return last - first

    def sentence_counts(self, sentence: int) -> dict[str, float]:
        """Return the counts of a sentence, by index from 0."""
        counts = {"sentences": 1.0}
        for made in self._made.values():
            counts |= dict(zip(made.columns, map(float, made.counts[sentence].tolist()), strict=True))
        return counts

    def sentence_scores(self, sentence: int, status: SentenceStatus, *, aligned: bool) -> dict[str, float | None]:
        """Return the scores of a sentence by metric, None where undefined."""
        columns = {name: np.array([value]) for name, value in self.sentence_counts(sentence).items()}
        scores: dict[str, float | None] = {}
        for kind, made in self._made.items():
            for metric in kind.available(self._options):
                defined = status is SentenceStatus.OK or (aligned and metric.family.words != "equal")
                defined |= status is SentenceStatus.WORDS_DIFFER and metric.family.words == "any"
                defined = defined and not any(_is_undefined(made, name, sentence) for name in metric.columns)
                value = float(metric.score(columns)[0]) if defined else float("nan")
                scores[metric.id] = None if np.isnan(value) else value
        return scores


def _is_undefined(made: Pass[Any], column: str, sentence: int) -> bool:
    undefined = made.undefined(column) if column in made.columns else None  # sentences are counted by another pass
    return undefined is not None and bool(undefined[sentence])


def more_formulas(
    alignment: Alignment | DependencyAlignment, passes: Iterable[type[Pass[Any]]], worded: Collection[str] = ()
) -> list[tuple[str, str, str, str]]:
    """Return title, formula, formula with numbers, and value, of the metrics of all families but some."""
    metrics = (metric for kind in passes for metric in kind.metrics)
    own = [metric for metric in metrics if metric.id in alignment.scores and metric.family.id not in worded]
    rows: list[tuple[str, str, str, str]] = []
    for family, group in groupby(own, lambda metric: metric.family):
        members = list(group)
        is_scored = any(alignment.scores[metric.id] is not None for metric in members)
        rows.append((family.title, _legend(members, alignment.counts) if is_scored else "", "", ""))
        for metric in members:
            value = alignment.scores[metric.id]
            numbers = "" if value is None else formula_with(metric, alignment.counts)
            rows.append((metric.title, formula(metric), numbers, metric.text(value, sign=True)))
    return rows


def _legend(metrics: Iterable[Metric], counts: Mapping[str, float]) -> str:
    """Return what the letters of formulas stand for, with their numbers."""
    described = {
        name: count for metric in metrics for name, count in metric.family.counts.items() if name in metric.columns
    }
    lettered = [(count, counts[name]) for name, count in described.items() if count.symbol]
    space = "\N{NO-BREAK SPACE}"
    return " · ".join(f"{count.symbol}{space}{significant(number)}{space}{count.name}" for count, number in lettered)
