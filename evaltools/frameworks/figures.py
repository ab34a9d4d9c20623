"""From count columns to scores: for each sentence, pooled, and as a mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.metric import ZERO, Metric, formula_as_fraction

if TYPE_CHECKING:
    import pandas as pd

    Rows = pd.DataFrame | Mapping[str, NDArray[Any]]
    """The table of sentences: a data frame, or columns by name, in which missing numbers are NaN."""


FIGURES = ("pooled", "mean", "pooled_all", "mean_all")
"""The four figures of a parser and metric: counts summed, then divided; mean of the sentence scores; and both over
every gold sentence, those without a score counted as nothing matched."""

AVERAGES = {"pooled": "micro", "mean": "macro"}
"""The two averages: counts summed over the corpus, or scores averaged over the sentences."""


def figure_over(average: str, over: str) -> str:
    """Return a figure by how it is averaged and over which sentences.

    Examples
    --------
    >>> figure_over("mean", "scored"), figure_over("mean", "all")
    ('mean', 'mean_all')
    """
    return average if over == "scored" else f"{average}_all"


def average_of(figure: str) -> str:
    """Return how a figure is averaged.

    Examples
    --------
    >>> average_of("pooled"), average_of("mean_all")
    ('pooled', 'mean')
    """
    return figure.removesuffix("_all")


def over_of(figure: str) -> str:
    """Return which sentences a figure is over.

    Examples
    --------
    >>> over_of("pooled"), over_of("pooled_all")
    ('scored', 'all')
    """
    return "all" if figure.endswith("_all") else "scored"


SUMMARY = (
    *("pooled", "mean", "n", "n_words_differ", "pooled_all", "mean_all"),
    *("n_pooled", "n_pooled_all", "n_mean_all", "n_undefined", "n_unscored"),
)
"""The columns of :func:`summarize` beside parser and metric."""


def size_column(figure: str) -> str:
    """Return the column of the number of sentences of a figure."""
    return "n" if figure == "mean" else f"n_{figure}"


def count_column(metric: Metric, name: str, *, every: bool) -> str:
    """Return the column of a count: over all sentences another one, or `ZERO` for itself, 0 where it is missing."""
    return (metric.family.count(name).over_all if every else "") or name


def needed_columns(metric: Metric) -> list[str]:
    """Return the count columns of a metric, and those that figures over all sentences need."""
    replaced = (count_column(metric, name, every=True) for name in metric.columns)
    return list(dict.fromkeys((*metric.columns, *(name for name in replaced if name != ZERO))))


class Sentences:
    """The sentences of one parser: their counts and scores, and which of them a figure includes.

    `every`: over all sentences, where no parse means that nothing matched; by default over the parsed ones only.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._numbers: dict[str, NDArray[np.float64]] = {}
        self._with_status: dict[str, NDArray[np.bool_]] = {}

    def __len__(self) -> int:
        return len(self._rows["status"])

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return a column of numbers, NaN where they are missing."""
        if name not in self._numbers:
            self._numbers[name] = np.asarray(self._rows[name], dtype=np.float64)
        return self._numbers[name]

    def counts(self, metric: Metric, *, every: bool = False) -> dict[str, NDArray[np.float64]]:
        """Return the count columns that a metric needs."""
        return {name: self._count(metric, name, every=every) for name in metric.columns}

    def _count(self, metric: Metric, name: str, *, every: bool) -> NDArray[np.float64]:
        column = count_column(metric, name, every=every)
        return np.nan_to_num(self.numbers(name)) if column == ZERO else self.numbers(column)

    def has(self, status: SentenceStatus) -> NDArray[np.bool_]:
        """Return which sentences have a status."""
        return np.asarray(np.asarray(self._rows["status"], dtype=object) == status.label, dtype=np.bool_)

    def with_status(self, metric: Metric) -> NDArray[np.bool_]:
        """Return which sentences have a status that the metric scores, or words that were aligned for it."""
        words = metric.family.words
        if words not in self._with_status:
            mask = self.has(SentenceStatus.OK)
            if words == "any":  # the status is also that of sentences whose gold tree has no words
                mask = (mask | self.has(SentenceStatus.WORDS_DIFFER)) & (self.numbers("sentences") > 0)
            if words != "equal":
                mask |= ~np.isnan(self.numbers("words_aligned"))
            self._with_status[words] = mask
        return self._with_status[words]

    def with_counts(self, metric: Metric, *, every: bool = False) -> NDArray[np.bool_]:
        """Return which sentences have counts: not those whose trees are too large or refused."""
        mask = np.ones(len(self), dtype=np.bool_)
        for name in metric.columns:
            mask &= ~np.isnan(self._count(metric, name, every=every))
        return mask

    def members(self, metric: Metric, *, every: bool = False) -> NDArray[np.bool_]:
        """Return which sentences a micro figure includes."""
        parsed: NDArray[np.bool_] = self.with_status(metric) & self.with_counts(metric)
        if not every:
            return parsed
        mask: NDArray[np.bool_] = (self.numbers("sentences") > 0) & self.with_counts(metric, every=True)
        # Numbers of errors need a count for sentences without a parse.
        has_counts = any(count_column(metric, name, every=True) not in (name, ZERO) for name in metric.columns)
        return mask if metric.higher_is_better or has_counts else mask & parsed

    def scores(self, metric: Metric, *, every: bool = False) -> NDArray[np.float64]:
        """Return the scores that a macro figure is the mean of, NaN where undefined."""
        scores = np.array(metric.score(self.counts(metric, every=every)), dtype=np.float64)
        if every and metric.higher_is_better:  # 0 without a parse, and where only the parse makes it undefined
            gold = [name for name in metric.columns if metric.family.count(name).gold]
            at_fault = np.sum([np.zeros(len(scores)), *map(self.numbers, gold)], axis=0) > 0
            if not set(formula_as_fraction(metric).denominator.weights) <= set(gold):
                at_fault |= ~self.members(metric)
            scores[np.isnan(scores) & at_fault] = 0.0
        scores[~self.members(metric, every=every)] = np.nan
        return scores

    def summands(self, metric: Metric, figure: str) -> tuple[NDArray[np.bool_], list[NDArray[np.float64]]]:
        """Return which sentences a figure includes, and what is summed: counts, or scores and their number."""
        every = over_of(figure) == "all"
        if figure.startswith("pooled"):
            return self.members(metric, every=every), [*self.counts(metric, every=every).values()]
        scores = self.scores(metric, every=every)
        return ~np.isnan(scores), [scores, np.ones(len(scores))]


def sentence_scores(frame: pd.DataFrame, metrics: Sequence[Metric]) -> pd.DataFrame:
    """Return one column of scores for each metric, NaN where undefined."""
    import pandas as pd

    return pd.DataFrame({metric.id: Sentences(frame).scores(metric) for metric in metrics}, index=frame.index)


def _micro(sentences: Sentences, metric: Metric, *, every: bool) -> tuple[float, int]:
    mask = sentences.members(metric, every=every)
    counts = sentences.counts(metric, every=every)
    sums = {name: np.array([values[mask].sum()]) for name, values in counts.items()}
    return float(metric.score(sums)[0]), int(np.count_nonzero(mask))


def _macro(scores: NDArray[np.float64]) -> tuple[float, int]:
    known = scores[~np.isnan(scores)]
    return float(known.mean()) if len(known) else float("nan"), len(known)


def summarize(frame: pd.DataFrame, parsers: Iterable[str], metrics: Sequence[Metric]) -> pd.DataFrame:
    """Return the figures of every parser and metric."""
    import pandas as pd

    figures = []
    for name in parsers:
        rows = frame[frame["parser"] == name]
        # not as a frame, which takes longer to find a column than to compute with it
        columns = {str(column): rows[column].to_numpy() for column in rows}
        figures += parser_figures(columns, name, metrics)
    return pd.DataFrame(figures, columns=["parser", "metric", *SUMMARY])


def parser_figures(rows: Rows, parser: str, metrics: Sequence[Metric]) -> list[dict[str, Any]]:
    """Return the figures of every metric over the sentences of one parser, with the keys of :data:`SUMMARY`."""
    sentences = Sentences(rows)
    differ = sentences.has(SentenceStatus.WORDS_DIFFER)
    figures = []
    for metric in metrics:
        scores = sentences.scores(metric)
        (pooled, n_pooled), (mean, n) = _micro(sentences, metric, every=False), _macro(scores)
        pooled_all, n_pooled_all = _micro(sentences, metric, every=True)
        mean_all, n_mean_all = _macro(sentences.scores(metric, every=True))
        n_status = np.count_nonzero(sentences.with_status(metric))
        figures.append(
            {
                "parser": parser,
                "metric": metric.id,
                "pooled": pooled,
                "mean": mean,
                "n": n,
                "n_words_differ": np.count_nonzero(~np.isnan(scores) & differ),
                "pooled_all": pooled_all,
                "mean_all": mean_all,
                "n_pooled": n_pooled,
                "n_pooled_all": n_pooled_all,
                "n_mean_all": n_mean_all,
                "n_undefined": n_status - n,
                "n_unscored": len(sentences) - n_status,
            }
        )
    return figures
