"""Groups of members described by two or three conditions that score unusually low.

All conjunctions of up to three conditions, one for each feature, are counted (subgroup discovery with an exhaustive
search). A conjunction is interesting as far as its members score lower than those of every conjunction with one
condition less, √n · (least mean of these − mean): tables of single features show single conditions. Of groups that have
most of their members in common only the most interesting is kept.

References
----------
W. Klösgen (1996). Explora: a multipattern and multistrategy discovery assistant. Advances in Knowledge Discovery and
Data Mining (the quality √n · difference of means).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.frameworks.common.differences import LEVEL, group_difference


def categories(codes: NDArray[Any], names: Sequence[str], *, ordered: bool = False) -> Any:
    """Return a categorical of names, given their indices."""
    return pd.Categorical.from_codes(codes.astype(np.intp), dtype=pd.CategoricalDtype(list(names), ordered=ordered))


def coded(codes: NDArray[Any], names: Sequence[str]) -> Any:
    """Return a categorical of names, given their indices, ordered by first occurrence."""
    # So they depend on the values alone, and not on how the strings are numbered.
    used, first, indices = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return categories(rank[indices.reshape(-1)], [names[code] for code in used[order].tolist()])


def classes(values: NDArray[Any], begins: tuple[int, ...]) -> Any:
    """Put numbers into classes that begin at some of them; those below the first join it."""
    names = [str(low) if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(begins)]
    names.append(f"{begins[-1]} and more")
    codes = np.clip(np.searchsorted(begins, values, side="right") - 1, 0, len(begins) - 1)
    return categories(codes, names, ordered=True)


_MAX_CONDITIONS = 3
_MAX_LISTED = 20
_MAX_CANDIDATES = 2000
"""Maximum number of conjunctions, those with the largest losses, that are compared with wider ones."""
_SPARSE = 2
"""Conjunctions are counted in an array with a place for each, if there are at most so many times as many as members."""
_REDUNDANT = 0.5
"""Share of common members from which the lower-ranked of two groups is left out."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A group that scores low."""

    conditions: tuple[tuple[str, str], ...]  # Feature and value, all of which hold
    count: int
    sentences: int  # Sentences in which they are
    mean: float  # Their mean score
    rest: float  # Mean score of all others
    low: float  # 95 % interval of the difference, mean − rest
    high: float
    excess: float  # Loss beyond what it would be if the group scored like the rest
    # Whether the difference holds at a false discovery rate of 5 % among all conjunctions that were counted.
    flagged: bool

    def members(self, rows: pd.DataFrame) -> NDArray[np.bool_]:
        """Return which rows are in the group."""
        held = []
        for name, value in self.conditions:
            column = rows[name].cat
            held.append((column.categories.astype(str) == value)[column.codes] & (column.codes >= 0).to_numpy())
        result: NDArray[np.bool_] = np.logical_and.reduce(held)
        return result


def configurations(
    rows: pd.DataFrame,
    features: Sequence[str],
    score: str,
    *,
    min_count: int = 40,
) -> list[Configuration]:
    """Find groups that score unusually low."""
    rows = rows[rows[score].notna()]
    if len(rows) < 2:
        return []
    scores = rows[score].to_numpy(dtype=np.float64)
    codes = {name: np.asarray(rows[name].cat.codes) for name in features}
    parts = list(_conjunctions(codes, scores, min_count))
    if not parts:
        return []
    sizes, indices, keys, counts, sums = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    n, total, means = len(scores), float(scores.sum()), sums / counts
    with np.errstate(invalid="ignore", divide="ignore"):
        loss = np.sqrt(counts) * ((total - sums) / (n - counts) - means)
    loss = np.where((counts < n) & (sizes > 1), loss, -np.inf)
    best = np.argsort(-loss, kind="stable")[:_MAX_CANDIDATES]
    best = best[loss[best] > 0]
    sets = _Sets(codes, scores)
    candidates = [
        sets.conditions(*key) for key in zip(*(item[best].tolist() for item in (sizes, indices, keys)), strict=True)
    ]
    drop = np.array([min(sets.mean(wider) for wider in combinations(item, len(item) - 1)) for item in candidates])
    quality = np.sqrt(counts[best]) * (drop - means[best])
    order = np.argsort(-quality, kind="stable")
    ranked = [candidates[at] for at in order.tolist() if quality[at] > 0]
    chosen = _without_redundancy(ranked, sets)
    return _described(rows, features, chosen, [sets.members(item) for item in chosen], scores, len(counts))


_Conditions = tuple[tuple[str, int], ...]
_Parts = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""Number of conditions, which features, which values, members, and sum of their scores."""


class _Sets:
    """The rows that meet each conjunction, and the conjunction of each number."""

    def __init__(self, codes: Mapping[str, NDArray[Any]], scores: NDArray[np.float64]) -> None:
        self.codes, self._scores = codes, scores
        self._means: dict[_Conditions, float] = {}
        self._names = list(codes)

    def members(self, conditions: _Conditions) -> NDArray[np.bool_]:
        result: NDArray[np.bool_] = np.logical_and.reduce([self.codes[name] == code for name, code in conditions])
        return result

    def mean(self, conditions: _Conditions) -> float:
        if conditions not in self._means:
            self._means[conditions] = float(self._scores[self.members(conditions)].mean())
        return self._means[conditions]

    def conditions(self, size: int, index: int, key: int) -> _Conditions:
        chosen = list(combinations(self._names, size))[index]
        conditions = []
        for name in reversed(chosen):
            width = int(self.codes[name].max()) + 1
            key, code = divmod(key, width)
            conditions.append((name, code))
        return tuple(reversed(conditions))


def _conjunctions(codes: Mapping[str, NDArray[Any]], scores: NDArray[np.float64], min_count: int) -> Iterator[_Parts]:
    """Count all conjunctions of one value for each of some features, those of at least `min_count` members."""
    frequent = {}
    for name, column in codes.items():
        frequent[name] = (np.bincount(column, minlength=int(column.max()) + 1) >= min_count)[column]
    for size in range(1, _MAX_CONDITIONS + 1):
        for index, chosen in enumerate(combinations(codes, size)):
            keep = np.logical_and.reduce([frequent[name] for name in chosen])
            if not keep.any():
                continue
            key, n_keys = np.zeros(int(keep.sum()), dtype=np.int64), 1
            for name in chosen:
                width = int(codes[name].max()) + 1
                key, n_keys = key * width + codes[name][keep], n_keys * width
            if n_keys <= _SPARSE * len(key):
                values, group = np.arange(n_keys), key
            else:  # sorting takes longer
                values, group = np.unique(key, return_inverse=True)
            count = np.bincount(group.reshape(-1), minlength=len(values)).astype(np.float64)
            total = np.bincount(group.reshape(-1), scores[keep], len(values))
            large = count >= min_count
            n_large = int(large.sum())
            yield (
                np.full(n_large, size, dtype=np.int64),
                np.full(n_large, index, dtype=np.int64),
                values[large],
                count[large],
                total[large],
            )


def _without_redundancy(candidates: Sequence[_Conditions], sets: _Sets) -> list[_Conditions]:
    """Keep, best first, the groups that have not most of their members in common with a better one."""
    chosen: list[_Conditions] = []
    groups: list[NDArray[np.bool_]] = []
    for conditions in candidates:
        if len(chosen) == _MAX_LISTED:
            break
        group = sets.members(conditions)
        shares = (np.count_nonzero(group & better) / np.count_nonzero(group | better) for better in groups)
        if all(share < _REDUNDANT for share in shares):
            chosen.append(conditions)
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
    figures = [group_difference(group, sentence, scores) for group in groups]
    p = np.array([float(item["p"]) for item in figures])
    # Benjamini and Hochberg, the conjunctions that are not listed counted as not different
    order = np.argsort(p)
    passed = np.flatnonzero(p[order] <= LEVEL * np.arange(1, len(p) + 1) / n_counted)
    flagged = np.zeros(len(p), dtype=np.bool_)
    flagged[order[: passed[-1] + 1 if len(passed) else 0]] = True
    described = []
    for conditions, group, item, flag in zip(conjunctions, groups, figures, flagged.tolist(), strict=True):
        described.append(
            Configuration(
                tuple((name, names[name][code]) for name, code in conditions),
                int(np.count_nonzero(group)),
                int(item["sentences"]),
                float(item["mean"]),
                float(item["mean"] - item["difference"]),
                float(item["low"]),
                float(item["high"]),
                float(item["excess"]),
                flag,
            )
        )
    return described
