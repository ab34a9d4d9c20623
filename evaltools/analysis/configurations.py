"""Configurations: groups described by two or three conditions that score unusually low.

All conjunctions of up to three conditions, one for each feature, are counted (subgroup discovery with an exhaustive
search). A conjunction is interesting as far as its members score lower than those of every conjunction with one
condition less, √n · (least mean of these − mean): what single conditions say, tables of single features show. Of groups
that have most of their members in common only the most interesting is kept.

References
----------
W. Klösgen (1996). Explora: a multipattern and multistrategy discovery assistant. Advances in Knowledge Discovery and
Data Mining (the quality √n · difference of means).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.hotspots import LEVEL, group_difference

__all__ = ["Configuration", "configurations"]

_CANDIDATES = 2000
"""So many of the conjunctions that lose most are looked at more closely."""
_SAME = 0.5
"""Two groups that have this share of their members in common say the same."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A group that scores low.

    Parameters
    ----------
    conditions : tuple of (str, str)
        Feature and value, all of which hold.
    count : int
        Members.
    sentences : int
        Sentences in which they are.
    mean : float
        Their mean score.
    rest : float
        Mean score of all others.
    low, high : float
        95 % interval of the difference, mean − rest.
    excess : float
        How much more is lost than if the group scored like the rest.
    flagged : bool
        Whether the difference holds at a false discovery rate of 5 % among all conjunctions that were counted.
    """

    conditions: tuple[tuple[str, str], ...]
    count: int
    sentences: int
    mean: float
    rest: float
    low: float
    high: float
    excess: float
    flagged: bool

    def members(self, rows: pd.DataFrame) -> NDArray[np.bool_]:
        """Tell which rows are in the group.

        Parameters
        ----------
        rows : DataFrame
            With the features as columns.
        """
        held = [(rows[name].astype(str) == value).to_numpy() for name, value in self.conditions]
        result: NDArray[np.bool_] = np.logical_and.reduce(held)
        return result


def configurations(
    rows: pd.DataFrame,
    features: Sequence[str],
    score: str,
    *,
    least: int = 40,
    most_conditions: int = 3,
    limit: int = 20,
) -> list[Configuration]:
    """Find groups that score unusually low.

    Parameters
    ----------
    rows : DataFrame
        ``sentence``, the features (categorical), and the score; rows without a score are left out.
    features : sequence of str
        Columns to make conditions of.
    score : str
        Column of scores between 0 and 1.
    least : int
        Least number of members.
    most_conditions : {2, 3}
        How many conditions a group may have; the least is two.
    limit : int
        At most so many groups.

    Returns
    -------
    list of Configuration
        The most interesting first.
    """
    rows = rows[rows[score].notna()]
    if len(rows) < 2:
        return []
    scores = rows[score].to_numpy(dtype=np.float64)
    codes = {name: np.asarray(rows[name].cat.codes, dtype=np.int64) for name in features}
    found = list(_conjunctions(codes, scores, least, most_conditions))
    if not found:
        return []
    sizes, places, keys, counts, sums = (np.concatenate(parts) for parts in zip(*found, strict=True))
    n, total, means = len(scores), float(scores.sum()), sums / counts
    with np.errstate(invalid="ignore", divide="ignore"):
        loss = np.sqrt(counts) * ((total - sums) / (n - counts) - means)
    loss = np.where((counts < n) & (sizes > 1), loss, -np.inf)
    best = np.argsort(-loss, kind="stable")[:_CANDIDATES]
    best = best[loss[best] > 0]
    sets = _Sets(codes, scores)
    candidates = [
        sets.conditions(*key) for key in zip(*(one[best].tolist() for one in (sizes, places, keys)), strict=True)
    ]
    drop = np.array([min(sets.mean(wider) for wider in combinations(one, len(one) - 1)) for one in candidates])
    quality = np.sqrt(counts[best]) * (drop - means[best])
    order = np.argsort(-quality, kind="stable")
    ranked = [candidates[at] for at in order.tolist() if quality[at] > 0]
    chosen = _without_redundancy(ranked, sets, limit)
    return _described(rows, features, chosen, [sets.members(one) for one in chosen], scores, len(counts))


_Conditions = tuple[tuple[str, int], ...]
_Parts = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""Number of conditions, which features, which values, members, and sum of their scores."""


class _Sets:
    """Which rows meet a conjunction; and which conjunction a number stands for."""

    def __init__(self, codes: Mapping[str, NDArray[np.int64]], scores: NDArray[np.float64]) -> None:
        self.codes, self._scores = codes, scores
        self._means: dict[_Conditions, float] = {}
        self._known: dict[tuple[str, int], NDArray[np.bool_]] = {}
        self._names = list(codes)

    def members(self, conditions: _Conditions) -> NDArray[np.bool_]:
        for name, code in conditions:
            if (name, code) not in self._known:
                self._known[name, code] = self.codes[name] == code
        result: NDArray[np.bool_] = np.logical_and.reduce([self._known[one] for one in conditions])
        return result

    def mean(self, conditions: _Conditions) -> float:
        if conditions not in self._means:
            self._means[conditions] = float(self._scores[self.members(conditions)].mean())
        return self._means[conditions]

    def conditions(self, size: int, place: int, key: int) -> _Conditions:
        chosen = list(combinations(self._names, size))[place]
        made = []
        for name in reversed(chosen):
            width = int(self.codes[name].max()) + 1
            key, code = divmod(key, width)
            made.append((name, code))
        return tuple(reversed(made))


def _conjunctions(
    codes: Mapping[str, NDArray[np.int64]], scores: NDArray[np.float64], least: int, most: int
) -> Iterator[_Parts]:
    """Count all conjunctions of one value for each of some features, those of `least` members and more."""
    frequent = {}
    for name, column in codes.items():
        frequent[name] = (np.bincount(column, minlength=int(column.max()) + 1) >= least)[column]
    for size in range(1, most + 1):
        for place, chosen in enumerate(combinations(codes, size)):
            keep = np.logical_and.reduce([frequent[name] for name in chosen])
            if not keep.any():
                continue
            key = np.zeros(int(keep.sum()), dtype=np.int64)
            for name in chosen:
                key = key * (int(codes[name].max()) + 1) + codes[name][keep]
            values, group = np.unique(key, return_inverse=True)
            count = np.bincount(group.reshape(-1), minlength=len(values)).astype(np.float64)
            total = np.bincount(group.reshape(-1), scores[keep], len(values))
            large = count >= least
            width = int(large.sum())
            yield (
                np.full(width, size, dtype=np.int64),
                np.full(width, place, dtype=np.int64),
                values[large],
                count[large],
                total[large],
            )


def _without_redundancy(candidates: Sequence[_Conditions], sets: _Sets, limit: int) -> list[_Conditions]:
    """Keep, best first, the groups that have not most of their members in common with a better one."""
    chosen: list[_Conditions] = []
    groups: list[NDArray[np.bool_]] = []
    for one in candidates:
        if len(chosen) == limit:
            break
        group = sets.members(one)
        if not any(np.count_nonzero(group & other) >= _SAME * np.count_nonzero(group | other) for other in groups):
            chosen.append(one)
            groups.append(group)
    return chosen


def _described(
    rows: pd.DataFrame,
    features: Sequence[str],
    conjunctions: Sequence[_Conditions],
    groups: Sequence[NDArray[np.bool_]],
    scores: NDArray[np.float64],
    n_counted: int,
) -> list[Configuration]:
    sentence = rows["sentence"].to_numpy()
    names = {name: [str(value) for value in rows[name].cat.categories] for name in features}
    figures = [
        group_difference(group.astype(np.int64), sentence, scores, 2).iloc[1] for group in groups
    ]  # each against all others
    p = np.array([float(one["p"]) for one in figures])
    # Benjamini and Hochberg, the conjunctions that are not listed counted as not different
    order = np.argsort(p)
    passed = np.flatnonzero(p[order] <= LEVEL * np.arange(1, len(p) + 1) / n_counted)
    flagged = np.zeros(len(p), dtype=np.bool_)
    flagged[order[: passed[-1] + 1 if len(passed) else 0]] = True
    made = []
    for conditions, group, one, flag in zip(conjunctions, groups, figures, flagged.tolist(), strict=True):
        made.append(
            Configuration(
                tuple((name, names[name][code]) for name, code in conditions),
                int(np.count_nonzero(group)),
                int(one["sentences"]),
                float(one["mean"]),
                float(one["mean"] - one["difference"]),
                float(one["low"]),
                float(one["high"]),
                float(one["excess"]),
                flag,
            )
        )
    return made
