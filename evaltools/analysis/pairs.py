"""Pairs of parsers under one figure, put through all shuffles and resamples together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import Columns, interval, resampled_sums
from evaltools.analysis.shuffling import moved_sums
from evaltools.metrics import Metric
from evaltools.metrics.base import Counts, ratio

__all__ = [
    "Formula",
    "Pair",
    "figure_columns",
    "figure_of_sums",
    "group_of",
    "grouped",
    "scores_of",
    "shuffle_and_resample",
]

Formula = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""From sums of columns, a row for each figure wanted, to figures."""


def figure_of_sums(metric: Metric, figure: str) -> Formula:
    """Return a figure as a function of the sums of its columns: the metric's counts, or scores and their number."""
    if figure == "mean":
        return lambda sums: ratio(sums[:, 0], sums[:, 1])

    def pooled(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        by_name = {name: sums[:, place] for place, name in enumerate(metric.columns)}
        return np.asarray(metric.score(by_name), dtype=np.float64)

    return pooled


def scores_of(metric: Metric, counts: Counts) -> NDArray[np.float64]:
    """Return the sentence scores that count columns make, NaN where undefined."""
    return np.asarray(metric.score({name: counts[name] for name in metric.columns}), dtype=np.float64)


def figure_columns(
    metric: Metric, figure: str, counts: Counts, mask: NDArray[np.bool_], scores: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the columns that a figure sums up.

    Parameters
    ----------
    metric : Metric
        The metric.
    figure : {"pooled", "mean"}
        The figure.
    counts : dict of str to ndarray
        The metric's count columns, a value a sentence.
    mask : ndarray of bool, shape (sentences,)
        The sentences that count.
    scores : ndarray of float64, shape (sentences,), optional
        The sentence scores; what the counts make if not given.

    Returns
    -------
    ndarray of float64, shape (sentences, columns)
    """
    if figure == "pooled":
        return np.column_stack([np.where(mask, np.nan_to_num(counts[name]), 0.0) for name in metric.columns])
    scores = scores_of(metric, counts) if scores is None else scores
    known = mask & ~np.isnan(scores)
    return np.column_stack([np.where(known, scores, 0.0), known.astype(np.float64)])


def group_of(n: int, groups: int) -> NDArray[np.intp]:
    """Return the group of each of `n` sentences, as :mod:`evaltools.runs.sums` has them; with 0 groups each its own."""
    place = np.arange(n)
    return (place + 1) % groups if 0 < groups < n else place


def grouped(columns: NDArray[np.float64], groups: int) -> NDArray[np.float64]:
    """Add up every so many rows.

    Parameters
    ----------
    columns : ndarray of float64, shape (sentences, columns)
        What to add up.
    groups : int
        How many groups; 0, or as many as there are rows, leaves them as they are.

    Returns
    -------
    ndarray of float64, shape (groups, columns)

    Examples
    --------
    >>> grouped(np.array([[1.0], [2.0], [3.0]]), 2).tolist()
    [[2.0], [4.0]]
    """
    if not 0 < groups < len(columns):
        return columns
    place = group_of(len(columns), groups)
    return np.column_stack([np.bincount(place, column, groups) for column in columns.T])


class Pair:
    """Two parsers' columns, and what is found out about them.

    Parameters
    ----------
    formula : callable
        The figure as a function of sums.
    one, other : ndarray of float64, shape (sentences or groups, columns)
        The columns of both; 0 in sentences that do not count.
    members : ndarray of float64, shape (sentences or groups,)
        How many sentences of each group count.
    n_different : int or None
        On how many sentences the two differ, if that is known.
    """

    def __init__(
        self,
        formula: Formula,
        one: NDArray[np.float64],
        other: NDArray[np.float64],
        members: NDArray[np.float64],
        n_different: int | None,
    ) -> None:
        self.formula, self.one, self.other, self.mask = formula, one, other, members > 0
        self.values = [float(formula(side.sum(axis=0, keepdims=True))[0]) for side in (one, other)]
        self.n_sentences, self.n_different = int(members.sum()), n_different
        self.p = self.low = self.high = float("nan")

    @classmethod
    def of_sentences(
        cls,
        metric: Metric,
        figure: str,
        sides: tuple[Counts, Counts],
        mask: NDArray[np.bool_],
        groups: int,
        scores: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    ) -> Pair:
        """Make a pair of two parsers' counts.

        Parameters
        ----------
        metric : Metric
            The metric.
        figure : {"pooled", "mean"}
            The figure.
        sides : (dict, dict)
            Count columns of both, a value a sentence.
        mask : ndarray of bool, shape (sentences,)
            The sentences that count; of these a mean takes those of which both parsers have a score.
        groups : int
            As for :func:`grouped`.
        scores : (ndarray, ndarray), optional
            The sentence scores of both; what the counts make if not given.
        """
        if figure == "mean":
            scores = scores or (scores_of(metric, sides[0]), scores_of(metric, sides[1]))
            mask = mask & ~np.isnan(scores[0]) & ~np.isnan(scores[1])
        one, other = (
            figure_columns(metric, figure, counts, mask, None if scores is None else scores[at])
            for at, counts in enumerate(sides)
        )
        differ = int(np.count_nonzero((one != other).any(axis=1)))
        members = grouped(mask[:, None].astype(np.float64), groups)[:, 0]
        return cls(figure_of_sums(metric, figure), grouped(one, groups), grouped(other, groups), members, differ)

    @property
    def known(self) -> bool:
        """Whether there is a difference."""
        return not np.isnan(self.values[0] - self.values[1])

    def shuffled(self, moved: NDArray[np.float64]) -> None:
        """Take the p-value from what changed sides in each shuffle."""
        one, other = self.formula(self.one.sum(axis=0) - moved), self.formula(self.other.sum(axis=0) + moved)
        # equal but for rounding is equal; an undefined difference says nothing against chance
        hits = np.count_nonzero(~(np.abs(one - other) < abs(self.values[0] - self.values[1]) - 1e-12))
        self.p = float((hits + 1) / (len(moved) + 1))

    def resampled(self, sums: NDArray[np.float64], level: float) -> None:
        """Take the interval from the sums of each resample, those of the one before those of the other."""
        width = self.one.shape[1]
        (low,), (high,) = interval((self.formula(sums[:, :width]) - self.formula(sums[:, width:]))[:, None], level)
        self.low, self.high = float(low), float(high)


def shuffle_and_resample(pairs: Sequence[Pair], iterations: int, resamples: int, level: float, seed: int) -> None:
    """Find p and interval of all pairs together.

    Parameters
    ----------
    pairs : sequence of Pair
        Of the same sentences, by any metrics.
    iterations, resamples, level, seed
        As for :func:`evaltools.analysis.significance.compare_two`.
    """
    known = [pair for pair in pairs if pair.known]
    if not known:
        return
    columns = Columns()
    sides = [[[columns.add(column) for column in side.T] for side in (pair.one, pair.other)] for pair in known]
    moved = moved_sums(np.column_stack(columns.values), iterations, seed)  # one product for all parsers and metrics
    for pair, (one, other) in zip(known, sides, strict=True):
        pair.shuffled(moved[:, one] - moved[:, other])
    alike: dict[bytes, list[int]] = {}
    for at, pair in enumerate(known):
        alike.setdefault(pair.mask.tobytes(), []).append(at)
    for members in alike.values():  # pairs over the same sentences see the same resamples
        needed = sorted({column for at in members for side in sides[at] for column in side})
        place = {column: number for number, column in enumerate(needed)}
        stacked = np.column_stack([columns.values[column] for column in needed])
        sums = resampled_sums(stacked[known[members[0]].mask], resamples, seed)
        for at in members:
            known[at].resampled(sums[:, [place[column] for side in sides[at] for column in side]], level)
