"""Ranks of the parsers under every variant of the metrics, and the variants between which two of them swap ranks.

Emms (2008) compares parsers along several choices: the mapping (E or T), the part of the tree that counts (phrases, or
phrases and tags), the normalization (Dice or Jaccard), and how sentences are averaged; here leaf-ancestor, exact and
graded, joins them. :data:`VARIANTS` holds the combinations in an order in which each differs from the one before in a
single choice, so that every change of ranks between neighbors has one cause. Combinations that must rank parsers as
another does, such as Jaccard and Dice of summed brackets, are left out.

References
----------
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008, Figures 3-6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.framework import Framework
from evaltools.frameworks.registry import FRAMEWORKS, METRICS

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "AVERAGES",
    "VARIANTS",
    "Crossing",
    "PairOrder",
    "Variant",
    "crossings",
    "figures_by_variant",
    "pair_orders",
    "rank_parsers",
    "variants_of",
]

AVERAGES = {"pooled": "micro", "mean": "macro"}
"""The two averages: counts summed over the corpus, or scores averaged over the sentences."""

_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Variant:
    """A metric and an average.

    Parameters
    ----------
    metric : str
        Metric id.
    figure : {"pooled", "mean"}
        The average.
    mapping, part, norm : str
        The choices that make up the metric, as in :class:`evaltools.frameworks.metric.Choices`.
    """

    metric: str
    figure: str
    mapping: str
    part: str
    norm: str

    @property
    def id(self) -> str:
        """Metric and figure in one word."""
        return f"{self.metric}:{self.figure}"

    @property
    def group(self) -> str:
        """The mapping, and the part of the tree where there are several."""
        return f"{self.mapping} {self.part}".strip()

    @property
    def name(self) -> str:
        """Name of the metric."""
        return METRICS[self.metric].title

    @property
    def title(self) -> str:
        """Name in texts and charts.

        Examples
        --------
        >>> VARIANTS[0].title
        'Bracketing F1, micro'
        """
        return f"{self.name}, {AVERAGES[self.figure]}"


def variants_of(framework: Framework) -> tuple[Variant, ...]:
    """Return all variants of the metrics of a framework, without those that must rank parsers as another does."""
    path = [(name, choices) for name in framework.ranking if (choices := METRICS[name].choices) is not None]
    pooled = [
        Variant(name, "pooled", item.mapping, item.part, item.norm)
        for name, item in path
        if METRICS[name].ranks_as not in framework.ranking
    ]
    means = [Variant(name, "mean", item.mapping, item.part, item.norm) for name, item in reversed(path)]
    return (*pooled, *means)


VARIANTS: tuple[Variant, ...] = variants_of(next(iter(FRAMEWORKS.values())))
"""All variants of the metrics of constituency trees."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two parsers that swap ranks between a variant and a later one.

    Parameters
    ----------
    up, down : str
        The parser that is ahead at the later variant, and the one that is ahead at the earlier one.
    before, after : int
        Indices of the two variants; at variants between them the parsers are tied or one has no figure.
    """

    up: str
    down: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class PairOrder:
    """The order of two parsers under all variants."""

    parser_a: str  # The parsers; `parser_a` is ahead at least as often as `parser_b`
    parser_b: str
    a_ahead: tuple[int, ...]  # Indices of the variants
    b_ahead: tuple[int, ...]
    tied: tuple[int, ...]

    @property
    def changes(self) -> bool:
        """Whether either is ahead somewhere."""
        return bool(self.a_ahead) and bool(self.b_ahead)


def figures_by_variant(
    summary: pd.DataFrame, variants: Sequence[Variant] | None = None, *, every: bool = False
) -> tuple[pd.DataFrame, tuple[Variant, ...]]:
    """Arrange the figures of a run by parser and variant.

    Parameters
    ----------
    summary : DataFrame
        From :func:`evaltools.analysis.leaderboard`, or :meth:`evaltools.Run.summary`.
    variants : sequence of Variant, optional
        The variants; those of the run's framework by default.
    every : bool
        Use the figures over all sentences instead of those over the scored ones.

    Returns
    -------
    figures : DataFrame
        Index: parsers in their order; columns: ids of the variants.
    variants : tuple of Variant
        Those under which at least one parser has a figure.
    """
    import pandas as pd

    parsers = list(dict.fromkeys(summary["parser"]))
    if variants is None:
        metrics = set(summary["metric"])
        frameworks = [item for item in FRAMEWORKS.values() if metrics <= set(item.metric_ids)]
        variants = variants_of(frameworks[0]) if frameworks else ()
    columns = {}
    kept = []
    for variant in variants:
        rows = summary[summary["metric"] == variant.metric].set_index("parser")
        figure = variant.figure + ("_all" if every else "")
        values = rows[figure].reindex(parsers).astype(float)
        if values.notna().any():
            columns[variant.id] = values
            kept.append(variant)
    return pd.DataFrame(columns, index=pd.Index(parsers, name="parser")), tuple(kept)


def rank_parsers(figures: pd.DataFrame) -> pd.DataFrame:
    """Rank the parsers under every variant.

    Parameters
    ----------
    figures : DataFrame
        Index: parsers; columns: variants; higher is better.

    Returns
    -------
    DataFrame
        Of the same shape: 1 is the best; parsers whose figures differ by less than 1e-9 share the best of their ranks;
        NaN where there is no figure.

    Examples
    --------
    >>> import pandas as pd
    >>> rank_parsers(pd.DataFrame({"x": [0.8, 0.9, 0.8]}, index=["a", "b", "c"]))["x"].tolist()
    [2.0, 1.0, 2.0]
    """
    import pandas as pd

    ranks = {}
    for column in figures.columns:
        values = figures[column].to_numpy(dtype=np.float64)
        ahead = values[None, :] > values[:, None] + _TIE
        ranks[column] = np.where(np.isnan(values), np.nan, 1 + ahead.sum(axis=1))
    return pd.DataFrame(ranks, index=figures.index, columns=figures.columns)


def _orders(figures: pd.DataFrame) -> NDArray[np.int8]:
    """Return 1, 0 or -1 for (parser, parser, variant): the first is ahead, neither is, the second is."""
    values = figures.to_numpy(dtype=np.float64)
    difference = np.nan_to_num(values[:, None, :] - values[None, :, :], nan=0.0)
    orders: NDArray[np.int8] = (np.sign(difference) * (np.abs(difference) > _TIE)).astype(np.int8)
    return orders


def crossings(figures: pd.DataFrame) -> list[Crossing]:
    """Return the variants between which two parsers swap ranks, from left to right.

    Parameters
    ----------
    figures : DataFrame
        Index: parsers; columns: variants in their order; higher is better.

    Returns
    -------
    list of Crossing
        A tie is no swap; ahead, tied, behind is one.

    Examples
    --------
    >>> import pandas as pd
    >>> figures = pd.DataFrame({"roof": [0.894, 0.897], "whole": [0.934, 0.933]}, index=["petrov", "charniak"])
    >>> crossings(figures)
    [Crossing(up='petrov', down='charniak', before=0, after=1)]
    """
    orders, names = _orders(figures), list(figures.index)
    changes = []
    for a, b in combinations(range(len(names)), 2):
        last, last_at = 0, -1
        for at, order in enumerate(orders[a, b].tolist()):
            if order and last and order != last:
                up, down = (a, b) if order > 0 else (b, a)
                changes.append(Crossing(names[up], names[down], last_at, at))
            if order:
                last, last_at = order, at
    return sorted(changes, key=lambda crossing: (crossing.after, crossing.before))


def pair_orders(figures: pd.DataFrame) -> list[PairOrder]:
    """Return the order of every two parsers under all variants; first those that swap ranks most evenly."""
    orders, names = _orders(figures), list(figures.index)
    missing = figures.isna().to_numpy()
    pairs = []
    for a, b in combinations(range(len(names)), 2):
        defined = ~(missing[a] | missing[b])
        ahead, behind, tied = (tuple(np.flatnonzero(defined & (orders[a, b] == sign)).tolist()) for sign in (1, -1, 0))
        if len(ahead) >= len(behind):
            pairs.append(PairOrder(names[a], names[b], ahead, behind, tied))
        else:
            pairs.append(PairOrder(names[b], names[a], behind, ahead, tied))
    return sorted(pairs, key=lambda pair: -len(pair.b_ahead))
