"""Where two rankings of the same sentences disagree: Kendall's distance, deciles, and the sentences furthest apart.

The two rankings are of one parser's sentences by two metrics, or of two parsers' by one metric.

References
----------
G. Sampson and A. Babarczy (2003). A test of the leaf-ancestor metric for parse accuracy. Natural Language Engineering
9(4), section 6 (the deciles).
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008, section 4 (Kendall's distance).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.text import listing

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.runs.store import Run


DIGITS = 12
"""Sums of similarities differ in their last bits with the order of addition; values equal so far are equal."""
TENTHS = 10
_MAX_COMPARED = 20_000
"""Maximum number of sentences by which all metrics are compared with each other."""


@dataclass(frozen=True, slots=True)
class RankedValues:
    """A ranking of n items by a value, the lowest first."""

    codes: NDArray[np.int64]  # Numbers of the different values, from 0, the lowest
    sizes: NDArray[np.int64]  # Number of items with each

    @classmethod
    def of(cls, values: ArrayLike) -> RankedValues:
        """Rank values, none of them NaN; those that are equal to 12 digits after the point are equal."""
        rounded = np.round(np.asarray(values, dtype=np.float64), DIGITS)
        _, codes, sizes = np.unique(rounded, return_inverse=True, return_counts=True)
        return cls(codes, sizes)

    @property
    def is_mostly_tied(self) -> bool:
        """Whether most pairs of items are equal, or all items have one of two values, as by a metric of yes or no."""
        n = len(self.codes)
        return len(self.sizes) < min(n, 3) or 4 * self.tied_pairs() > n * (n - 1)

    def mean_ranks(self) -> NDArray[np.float64]:
        """Return the rank of every item, from 1, shape (n,); equal ones share the mean of their ranks."""
        ends = np.cumsum(self.sizes)
        ranks: NDArray[np.float64] = (ends - (self.sizes - 1) / 2)[self.codes]
        return ranks

    def tenths(self) -> NDArray[np.int64]:
        """Return the decile of every item, from 0, the lowest; equal ones are cut in their order."""
        positions = np.empty(len(self.codes), dtype=np.int64)
        positions[np.argsort(self.codes, kind="stable")] = np.arange(len(self.codes))
        return positions * TENTHS // max(len(self.codes), 1)

    def n_split(self) -> int:
        """Return how many items have a value that others have in another decile."""
        ends, n = np.cumsum(self.sizes), max(len(self.codes), 1)
        is_split = (ends - self.sizes) * TENTHS // n != (ends - 1) * TENTHS // n
        return int(self.sizes[is_split].sum())

    def tied_pairs(self) -> int:
        """Return the number of pairs of equal items."""
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    def against(self, ranking: RankedValues) -> tuple[int, int]:
        """Return how many pairs are in opposite order by another ranking, and how many are tied by both."""
        from evaltools.kernels.rankings import count_inversions

        order = np.lexsort((ranking.codes, self.codes))
        codes, ranking_codes = self.codes[order], ranking.codes[order]
        discordant = int(count_inversions(ranking_codes, len(ranking.sizes)))
        starts = np.flatnonzero(np.diff(codes, prepend=-1) | np.diff(ranking_codes, prepend=-1))
        sizes = np.diff(starts, append=len(codes))
        return discordant, int((sizes * (sizes - 1) // 2).sum())


def worst_is_high(metric: str) -> bool:
    """Return whether a metric's worst sentences have its highest values, as with crossing brackets.

    Parameters
    ----------
    metric : str
        A metric.

    Returns
    -------
    bool
        Whether high values are bad.

    Examples
    --------
    >>> worst_is_high("crossing"), worst_is_high("f1")
    (True, False)
    """
    return not METRICS[metric_id(metric)].higher_is_better


def badness(metric: str, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores by a metric with the sign turned, if need be, so that high values are bad."""
    return scores if worst_is_high(metric) else -scores


@dataclass(frozen=True, slots=True)
class Kendall:
    """The distance of two rankings."""

    n: int
    discordant: int  # Pairs in opposite order in the two rankings; a pair tied in either is in no order
    tau_b: float  # Kendall's tau-b, which allows for ties; NaN where all items of a ranking are tied
    tied: tuple[bool, bool] = (False, False)  # Whether most pairs have equal values in each ranking

    @property
    def pairs(self) -> int:
        """Number of all pairs, n(n − 1)/2."""
        return self.n * (self.n - 1) // 2

    @property
    def distance(self) -> float:
        """Kendall's distance: discordant pairs over all pairs; NaN where there is no pair, or where most are tied."""
        return self.discordant / self.pairs if self.pairs and not any(self.tied) else float("nan")

    def reason(self, titles: Sequence[str]) -> str:
        """Return why there is no distance of the rankings with these titles; empty if there is one.

        Examples
        --------
        >>> kendall([0, 1, 1, 1], [1, 2, 3, 4]).reason(["Exact match", "Bracketing F1"])
        'most pairs of sentences have equal scores by Exact match, which puts them in no order'
        """
        if not self.pairs:
            return "fewer than two sentences have both scores"
        return reason_of_ties([title for title, tied in zip(titles, self.tied, strict=True) if tied])


def reason_of_ties(titles: Sequence[str]) -> str:
    """Return why metrics by which most sentences are tied have no Kendall distance; empty if there are none."""
    if not titles:
        return ""
    which = "which puts" if len(titles) == 1 else "which put"
    return f"most pairs of sentences have equal scores by {listing(titles, len(titles))}, {which} them in no order"


def mostly_tied(scores: NDArray[np.float64]) -> bool:
    """Return whether most pairs of the sentences that have a score are tied, so that there is no Kendall distance."""
    return RankedValues.of(scores[~np.isnan(scores)]).is_mostly_tied


def kendall(a: ArrayLike, b: ArrayLike) -> Kendall:
    """Compare two rankings, given as values by which to rank, in O(n log n).

    Examples
    --------
    >>> kendall([1, 2, 3, 4], [1, 3, 2, 4])
    Kendall(n=4, discordant=1, tau_b=0.6666666666666669, tied=(False, False))
    """
    first, second = RankedValues.of(a), RankedValues.of(b)
    n = len(first.codes)
    pairs = n * (n - 1) // 2
    ordered = pairs - first.tied_pairs(), pairs - second.tied_pairs()
    discordant, tied = first.against(second)
    mostly = first.is_mostly_tied, second.is_mostly_tied
    if not ordered[0] or not ordered[1]:
        return Kendall(n, discordant, float("nan"), mostly)
    # (concordant − discordant) / √(pairs untied in a × pairs untied in b)
    difference = sum(ordered) - pairs + tied - 2 * discordant
    tau_b = difference / float(np.sqrt(float(ordered[0]))) / float(np.sqrt(float(ordered[1])))
    return Kendall(n, discordant, min(1.0, max(-1.0, tau_b)), mostly)


def kendall_distances(badness: Mapping[str, NDArray[np.float64]]) -> pd.DataFrame:
    """Return Kendall's distance of every two rankings of the same items.

    Parameters
    ----------
    badness : mapping
        By name, the values by which to rank; NaN for items that are not ranked. Two rankings are compared over the
        items that both rank.

    Returns
    -------
    DataFrame
        Index and columns: the names. NaN on the diagonal, where two rankings share fewer than two items, and where most
        pairs of these are tied in one of them.

    Examples
    --------
    >>> kendall_distances({"a": np.array([1.0, 2, 3]), "b": np.array([3.0, 2, 1])}).loc["a", "b"].item()
    1.0
    """
    import pandas as pd

    distances = pd.DataFrame(np.nan, index=list(badness), columns=list(badness), dtype=np.float64)
    for first, second in combinations(badness, 2):
        a, b = badness[first], badness[second]
        both = ~(np.isnan(a) | np.isnan(b))
        distances.loc[first, second] = distances.loc[second, first] = kendall(a[both], b[both]).distance
    return distances


def compared_metrics(run: Run, parser: str) -> list[str]:
    """Return the metrics of a run that are compared with each other: those of what the parser's file has."""
    ranking = run.framework.figures.ranking
    computed = [METRICS[name] for name in run.metrics if parser not in run.incomplete_metrics.get(name, ())]
    return [item.id for item in computed if item.place.overview and (not item.place.if_defined or item.id in ranking)]


def metric_distances(scores: Mapping[str, NDArray[np.float64]]) -> pd.DataFrame:
    """Return Kendall's distances of metrics by the scores of a parser's sentences; of many, evenly spaced ones."""
    step = -(-max(map(len, scores.values()), default=0) // _MAX_COMPARED) or 1
    return kendall_distances({name: badness(name, values)[::step] for name, values in scores.items()})


def furthest_pair(distances: pd.DataFrame, first: str = "") -> tuple[str, str] | None:
    """Return the two rankings with the largest distance, or `first` and the one furthest from it; None for none.

    Examples
    --------
    >>> import pandas as pd
    >>> nan = float("nan")
    >>> rows = [[nan, 0.1, 0.2], [0.1, nan, 0.3], [0.2, 0.3, nan]]
    >>> distances = pd.DataFrame(rows, index=list("abc"), columns=list("abc"))
    >>> furthest_pair(distances), furthest_pair(distances, "a")
    (('b', 'c'), ('a', 'c'))
    """
    rows = distances.loc[[first]] if first in distances.index else distances
    values = rows.to_numpy()
    if not values.size or np.isnan(values).all():
        return None
    row, column = divmod(int(np.nanargmax(values)), values.shape[1])
    return str(rows.index[row]), str(rows.columns[column])


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two rankings of the sentences that have both scores."""

    # ``sentence``; ``a``, ``b``: the scores; ``rank_a``, ``rank_b``: 1 is the best, ties share the mean of their
    # ranks; ``rank_difference``: ``rank_a`` − ``rank_b``, above 0 where the first ranks the sentence worse;
    # ``tenth_a``, ``tenth_b``: from 1, the best. In the order of the file.
    sentences: pd.DataFrame
    kendall: Kendall  # Distance of the rankings
    # Number of sentences in each decile of the first (rows) and of the second (columns), best first.
    table: NDArray[np.int64]
    # Number of sentences whose score, by each, is that of sentences in other deciles; the order of the file decides.
    split: tuple[int, int]

    @property
    def a_in_b(self) -> list[int]:
        """Number of sentences of the worst decile of the first in each decile of the second, best first."""
        return [int(count) for count in self.table[-1]]

    @property
    def b_in_a(self) -> list[int]:
        """Number of sentences of the worst decile of the second in each decile of the first, best first."""
        return [int(count) for count in self.table[:, -1]]

    def describe_split(self, titles: Sequence[str]) -> str:
        """Describe how many sentences with equal scores are in several deciles; empty if none are."""
        split = [f"{count:,} by {title}" for count, title in zip(self.split, titles, strict=True) if count]
        if not split:
            return ""
        return f"Sentences with equal scores in several deciles, in the order of the file: {'; '.join(split)}."

    def extremes(
        self,
        limit: int | None = None,
        among: NDArray[np.bool_] | None = None,
        last: NDArray[np.bool_] | None = None,
    ) -> pd.DataFrame:
        """Return the sentences by the difference of their ranks, the largest first; ties in the order of the file.

        `among`: a mask of those to return; `last`: of those that come after all others.
        """
        rows = self.sentences if last is None else self.sentences.assign(is_last=last)
        rows = rows if among is None else rows[among]
        keys = [-rows["rank_difference"].abs().to_numpy(), *([] if last is None else [rows["is_last"].to_numpy()])]
        return rows.iloc[np.lexsort(keys)[:limit]].reset_index(drop=True)


def tags_alone(ranks: Disagreement, structure: NDArray[np.float64], tags: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which of the ranked sentences have different scores because of their tags alone.

    Parameters
    ----------
    ranks : Disagreement
        The two rankings.
    structure, tags : NDArray
        Scores of all sentences, 1 where all but tags is right, and where all tags are right.

    Returns
    -------
    NDArray
        A mask of the rows of `ranks.sentences`.

    Examples
    --------
    >>> ranks = compare_rankings([1, 2, 3], [1.0, 0.5, 1.0], [0.9, 0.8, 1.0])
    >>> tags_alone(ranks, np.array([1.0, 0.0, 1.0]), np.array([0.8, 0.8, 1.0])).tolist()
    [True, False, False]
    """
    own = ranks.sentences["sentence"].to_numpy() - 1
    differ = (ranks.sentences["a"] - ranks.sentences["b"]).abs().to_numpy() > 10**-DIGITS
    alone: NDArray[np.bool_] = (structure[own] == 1) & (tags[own] < 1) & differ
    return alone


def compare_rankings(
    sentences: ArrayLike, a: ArrayLike, b: ArrayLike, *, worst_high_a: bool = False, worst_high_b: bool = False
) -> Disagreement:
    """Compare two rankings of sentences."""
    import pandas as pd

    scores = [np.asarray(side, dtype=np.float64) for side in (a, b)]
    has_both = ~(np.isnan(scores[0]) | np.isnan(scores[1]))
    scores = [side[has_both] for side in scores]
    values = [side if high else -side for side, high in zip(scores, (worst_high_a, worst_high_b), strict=True)]
    ranked = [RankedValues.of(side) for side in values]
    ranks, cut = [item.mean_ranks() for item in ranked], [item.tenths() for item in ranked]
    columns = {
        "sentence": np.asarray(sentences)[has_both],
        **dict(zip("ab", scores, strict=True)),
        "rank_a": ranks[0],
        "rank_b": ranks[1],
        "rank_difference": ranks[0] - ranks[1],
        "tenth_a": (cut[0] + 1).astype(np.int8),
        "tenth_b": (cut[1] + 1).astype(np.int8),
    }
    table = np.bincount(cut[0] * TENTHS + cut[1], minlength=TENTHS * TENTHS).reshape(TENTHS, TENTHS)
    split = ranked[0].n_split(), ranked[1].n_split()
    return Disagreement(pd.DataFrame(columns, copy=False), kendall(*values), table.astype(np.int64), split)


def disagreement(
    frame: pd.DataFrame, metric_a: str, metric_b: str, parser: str, other: str | None = None
) -> Disagreement:
    """Compare two metrics on one parser's sentences, or one or two metrics on the sentences of two parsers.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"parser": "p", "sentence": [1, 2], "f1": [0.5, 1.0], "ted": [0.9, 0.8]})
    >>> disagreement(frame, "f1", "ted", "p").extremes(1)["rank_difference"].tolist()
    [1.0]
    """
    parsers = list(frame["parser"].unique())
    parts = []
    for name in (parser, other or parser):
        if name not in parsers:
            raise ParameterError.unknown("parser", name, parsers)
        parts.append(frame[frame["parser"] == name].set_index("sentence"))
    known = [name for name in METRICS if name in frame]
    metric_a, metric_b = metric_id(metric_a, known), metric_id(metric_b, known)
    both = parts[0].index.intersection(parts[1].index, sort=False)
    return compare_rankings(
        both.to_numpy(),
        parts[0].loc[both, metric_a].to_numpy(dtype=np.float64, na_value=np.nan),
        parts[1].loc[both, metric_b].to_numpy(dtype=np.float64, na_value=np.nan),
        worst_high_a=worst_is_high(metric_a),
        worst_high_b=worst_is_high(metric_b),
    )
