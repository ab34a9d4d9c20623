"""Conventions: the choices that papers and programs make differently when they compute the same figure.

A convention changes a setting: the preset or the options of scoring, or how a figure is computed from the counts of the
sentences. Those that exclude each other form a dimension. A framework lists its dimensions beside its metrics
(:class:`evaltools.frameworks.framework.Figures`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from evaltools.frameworks.figures import average_of, figure_over, over_of
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.options import Options


@dataclass(frozen=True, slots=True)
class Reading:
    """How a figure is computed from the counts of the sentences."""

    metric: Metric
    figure: str  # ``"pooled"``, ``"mean"``, ``"pooled_all"`` or ``"mean_all"``
    same_words: bool = False  # Whether only sentences whose words are those of gold are included
    max_length: int | None = None  # The number of words of the longest sentences that are included; None for all


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that a figure depends on, beside the files."""

    preset: Any  # A preset of trees, or rules of graphs
    options: Options
    reading: Reading

    def read(self, **changes: Any) -> Setting:
        """Return the setting with another reading of the same counts."""
        return replace(self, reading=replace(self.reading, **changes))

    def scored_as(self, other: Setting) -> bool:
        """Return whether both settings have the same counts."""
        return self.preset == other.preset and self.options == other.options


@dataclass(frozen=True, slots=True)
class Convention:
    """A choice."""

    id: str
    words: str  # What it is, for readers
    change: Callable[[Setting], Setting]  # Returns an equal setting where the convention changes nothing
    # Ids of conventions that it contains, in which a ladder shows it first; what else it changes is the last step.
    parts: tuple[str, ...] = ()
    combined: bool = True  # Whether it is combined with others that need other counts, too


Dimension = tuple[Convention, ...]
"""Conventions that exclude each other; the default is among them, or is none of them."""


def other_metrics(metrics: Mapping[str, Metric]) -> Callable[[Setting], Setting]:
    """Return the change of a setting by other metrics of the same counts, by the ids of those that they replace."""
    return lambda setting: setting.read(metric=metrics.get(setting.reading.metric.id, setting.reading.metric))


def other_rules(**changes: Any) -> Callable[[Setting], Setting]:
    """Return the change of a setting by some fields of its preset, or of its rules."""
    return lambda setting: replace(setting, preset=replace(setting.preset, **changes))


def _averaged(average: str) -> Callable[[Setting], Setting]:
    return lambda setting: setting.read(figure=figure_over(average, over_of(setting.reading.figure)))


def _over(sentences: str, *, same_words: bool = False) -> Callable[[Setting], Setting]:
    def change(setting: Setting) -> Setting:
        figure = figure_over(average_of(setting.reading.figure), sentences)
        return setting.read(figure=figure, same_words=same_words)

    return change


READINGS: tuple[Dimension, ...] = (
    (
        Convention("all", "all sentences, no parse counts as 0", _over("all")),
        Convention("parsed", "parsed sentences only", _over("scored")),
        Convention("same-words", "only parses with the words of gold", _over("scored", same_words=True)),
    ),
    (
        Convention("max-40", "sentences of at most 40 words", lambda setting: setting.read(max_length=40)),
        Convention("max-10", "sentences of at most 10 words", lambda setting: setting.read(max_length=10)),
    ),
    (
        Convention("micro", "micro (counts summed)", _averaged("pooled")),
        Convention("macro", "macro (mean over sentences)", _averaged("mean")),
    ),
)
"""The conventions that every framework has, which need no other counts."""
