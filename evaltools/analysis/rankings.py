"""Ranks of the parsers under every variant of the metrics, and where two of them change places.

Emms (2008) compares parsers along several choices: the mapping (E or T), the part of the tree that counts (roof or
whole), the normalisation (Dice or Jaccard), and how sentences are averaged; here leaf-ancestor, strict and partial,
joins them. :data:`VARIANTS` holds all combinations in an order in which each differs from the one before in a single
choice, so that every change of places between neighbours has one cause.

References
----------
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008, Figures 3-6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = [
    "DEPENDENCY_VARIANTS",
    "VARIANTS",
    "Crossing",
    "PairOrder",
    "Variant",
    "crossings",
    "figures_by_variant",
    "pair_orders",
    "rank_parsers",
]

_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to give a parser a figure.

    Parameters
    ----------
    metric : str
        Metric id.
    figure : {"pooled", "mean"}
        How sentences are put together.
    mapping : {"E", "T", "LA", "Attachment", "EDM"}
        What the metric looks at.
    part : str
        ``roof`` or ``whole`` for E; ``whole`` for T, which has no other; empty for LA.
    norm : str
        ``Dice`` or ``Jaccard``; for LA ``strict`` or ``partial``; for attachment ``UAS``, ``LAS`` or ``labels``; for
        EDM the classes of triples, ``N``, ``A``, ``P``, ``NA`` or ``all``.
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
        """The mapping, and for E the part of the tree."""
        return f"{self.mapping} {self.part}" if self.mapping == "E" else self.mapping

    @property
    def title(self) -> str:
        """Name for people.

        Examples
        --------
        >>> VARIANTS[0].title
        'E roof Dice, pooled'
        """
        return f"{self.group} {self.norm}, {self.figure}"


_PATH = (
    ("e_dice_roof", "E", "roof", "Dice"),
    ("e_jaccard_roof", "E", "roof", "Jaccard"),
    ("e_jaccard_whole", "E", "whole", "Jaccard"),
    ("e_dice_whole", "E", "whole", "Dice"),
    ("t_dice", "T", "whole", "Dice"),
    ("t_jaccard", "T", "whole", "Jaccard"),
    ("la_strict", "LA", "", "strict"),
    ("la_partial", "LA", "", "partial"),
)

_DEPENDENCY_PATH = (
    ("uas", "Attachment", "", "UAS"),
    ("las", "Attachment", "", "LAS"),
    ("label_accuracy", "Attachment", "", "labels"),
    ("la_strict", "LA", "", "strict"),
    ("la_partial", "LA", "", "partial"),
)

_FRAMEWORK_PATH = (
    ("tedeval_single_unlabelled", "unlabelled", "", "single"),
    ("tedeval_multiple_unlabelled", "unlabelled", "", "multiple"),
    ("tedeval2011_unlabelled", "unlabelled", "", "2011"),
    ("tedeval2011_labelled", "labelled", "", "2011"),
    ("tedeval_multiple_labelled", "labelled", "", "multiple"),
    ("tedeval_single_labelled", "labelled", "", "single"),
)


_SEMANTIC_PATH = (
    ("edm_n", "EDM", "", "N"),
    ("edm_na", "EDM", "", "NA"),
    ("edm_a", "EDM", "", "A"),
    ("edm", "EDM", "", "all"),
    ("edm_p", "EDM", "", "P"),
)


def _there_and_back(path: Sequence[tuple[str, str, str, str]]) -> tuple[Variant, ...]:
    pooled = [Variant(metric, "pooled", mapping, part, norm) for metric, mapping, part, norm in path]
    means = [Variant(metric, "mean", mapping, part, norm) for metric, mapping, part, norm in reversed(path)]
    return (*pooled, *means)


VARIANTS: tuple[Variant, ...] = _there_and_back(_PATH)
"""All variants; neighbours differ in one choice, the pooled ones first and the means in the opposite order."""

DEPENDENCY_VARIANTS: tuple[Variant, ...] = _there_and_back(_DEPENDENCY_PATH)
"""The same for runs of dependency trees."""

FRAMEWORK_VARIANTS: tuple[Variant, ...] = _there_and_back(_FRAMEWORK_PATH)
"""The same for runs across frameworks."""

SEMANTIC_VARIANTS: tuple[Variant, ...] = _there_and_back(_SEMANTIC_PATH)
"""The same for runs of semantic graphs, by the classes of triples that count."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two parsers that change places on the way from one variant to a later one.

    Parameters
    ----------
    up, down : str
        The parser that is ahead afterwards, and the one that was before.
    before, after : int
        Places of the two variants; between them, if anywhere, the two are tied or one has no figure.
    """

    up: str
    down: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class PairOrder:
    """How two parsers stand to one another under all variants.

    Parameters
    ----------
    one, other : str
        The parsers; `one` is ahead at least as often as `other`.
    one_ahead, other_ahead, tied : tuple of int
        Places of the variants.
    """

    one: str
    other: str
    one_ahead: tuple[int, ...]
    other_ahead: tuple[int, ...]
    tied: tuple[int, ...]

    @property
    def changes(self) -> bool:
        """Whether either is ahead somewhere."""
        return bool(self.one_ahead) and bool(self.other_ahead)


def figures_by_variant(
    summary: pd.DataFrame, variants: Sequence[Variant] | None = None, *, every: bool = False
) -> tuple[pd.DataFrame, tuple[Variant, ...]]:
    """Arrange the figures of a run by parser and variant.

    Parameters
    ----------
    summary : DataFrame
        From :func:`evaltools.analysis.leaderboard`, or :meth:`evaltools.Run.summary`. Figures over the sentences that
        all parsers have are taken where it holds them, for parsers are ranked by these.
    variants : sequence of Variant, optional
        What to look at; those of the run's kind if not given.
    every : bool
        Take the figures over all sentences instead of those over the scored ones.

    Returns
    -------
    figures : DataFrame
        Index: parsers in their order; columns: ids of the variants.
    variants : tuple of Variant
        Those under which at least one parser has a figure.
    """
    parsers = list(dict.fromkeys(summary["parser"]))
    if variants is None:
        there = set(summary["metric"])
        others = (FRAMEWORK_VARIANTS, SEMANTIC_VARIANTS, DEPENDENCY_VARIANTS)
        variants = next((one for one in others if there & _own(one)), VARIANTS)
    columns = {}
    kept = []
    for variant in variants:
        rows = summary[summary["metric"] == variant.metric].set_index("parser")
        figure = variant.figure + ("_all" if every else "")
        column = f"{figure}_common" if f"{figure}_common" in rows else figure
        values = rows[column].reindex(parsers).astype(float)
        if values.notna().any():
            columns[variant.id] = values
            kept.append(variant)
    return pd.DataFrame(columns, index=pd.Index(parsers, name="parser")), tuple(kept)


def _own(variants: tuple[Variant, ...]) -> set[str]:
    """Return the metrics that only runs of one kind have."""
    return {variant.metric for variant in variants if variant.mapping != "LA"}


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
    >>> rank_parsers(pd.DataFrame({"x": [0.8, 0.9, 0.8]}, index=["a", "b", "c"]))["x"].tolist()
    [2.0, 1.0, 2.0]
    """
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
    """Find where two parsers change places, from left to right.

    Parameters
    ----------
    figures : DataFrame
        Index: parsers; columns: variants in their order; higher is better.

    Returns
    -------
    list of Crossing
        A tie is no change of places; ahead, tied, behind is one.

    Examples
    --------
    >>> figures = pd.DataFrame({"roof": [0.894, 0.897], "whole": [0.934, 0.933]}, index=["petrov", "charniak"])
    >>> crossings(figures)
    [Crossing(up='petrov', down='charniak', before=0, after=1)]
    """
    orders, names = _orders(figures), list(figures.index)
    found = []
    for a, b in combinations(range(len(names)), 2):
        last, last_at = 0, -1
        for at, order in enumerate(orders[a, b].tolist()):
            if order and last and order != last:
                up, down = (a, b) if order > 0 else (b, a)
                found.append(Crossing(names[up], names[down], last_at, at))
            if order:
                last, last_at = order, at
    return sorted(found, key=lambda crossing: (crossing.after, crossing.before))


def pair_orders(figures: pd.DataFrame) -> list[PairOrder]:
    """Return how every two parsers stand to one another; first those that change places most evenly.

    Parameters
    ----------
    figures : DataFrame
        Index: parsers; columns: variants; higher is better.
    """
    orders, names = _orders(figures), list(figures.index)
    missing = figures.isna().to_numpy()
    pairs = []
    for a, b in combinations(range(len(names)), 2):
        known = ~(missing[a] | missing[b])
        ahead, behind, tied = (tuple(np.flatnonzero(known & (orders[a, b] == sign)).tolist()) for sign in (1, -1, 0))
        if len(ahead) >= len(behind):
            pairs.append(PairOrder(names[a], names[b], ahead, behind, tied))
        else:
            pairs.append(PairOrder(names[b], names[a], behind, ahead, tied))
    return sorted(pairs, key=lambda pair: -len(pair.other_ahead))
