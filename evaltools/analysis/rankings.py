"""Ranks of the parsers under every variant of the metrics, and the variants between which two of them swap ranks.

Emms (2008) compares parsers along several choices: the mapping (E or T), the part of the tree that counts (phrases, or
phrases and tags), the normalization (Dice or Jaccard), and how sentences are averaged; here leaf-ancestor, exact and
graded, joins them. :data:`VARIANTS` holds the combinations in an order in which each differs from the one before in a
single choice, so that every change of ranks between neighbors has one cause. Combinations that must rank parsers as
another does, such as Jaccard and Dice of summed brackets, are left out. Ranks follow the figures, significant or not;
``evaltools.analysis.standing`` describes significance.

References
----------
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008, Figures 3-6.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.figures import AVERAGES
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.metric import Place
from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.text import listing

if TYPE_CHECKING:
    import pandas as pd


_TIE = 1e-9
_MAX_NAMED = 2
"""Maximum number of variants that are named; more are counted."""


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
        The choices that make up the metric, as in :class:`evaltools.frameworks.metric.Place`.
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
    path = [(name, METRICS[name].place) for name in framework.figures.ranking]

    def variant(name: str, figure: str, place: Place) -> Variant:
        return Variant(name, figure, place.mapping, "with tags" if place.part == "whole" else "", place.norm)

    pooled = [variant(name, "pooled", place) for name, place in path if place.ranks_as not in framework.figures.ranking]
    return (*pooled, *(variant(name, "mean", place) for name, place in reversed(path)))


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


def figures_by_variant(summary: pd.DataFrame, *, every: bool = False) -> tuple[pd.DataFrame, tuple[Variant, ...]]:
    """Arrange the figures of a run by parser and variant.

    Parameters
    ----------
    summary : DataFrame
        From :func:`evaltools.analysis.leaderboard`, or :meth:`evaltools.Run.summary`.
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
    metrics = set(summary["metric"])
    frameworks = [item for item in FRAMEWORKS.values() if metrics <= {metric.id for metric in item.metrics}]
    columns = {}
    kept = []
    for variant in variants_of(frameworks[0]) if frameworks else ():
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


def _joined(group: str, norm: str, figure: str) -> str:
    return ", ".join(part for part in (f"{group} {norm}".strip(), figure) if part)


def describe_crossing(crossing: Crossing, variants: Sequence[Variant]) -> str:
    """Describe between which variants two parsers swap ranks: first what the two share, then what differs.

    Parameters
    ----------
    crossing : Crossing
        The change.
    variants : sequence of Variant
        What its places mean.

    Returns
    -------
    str
        A clause without a full stop.

    Examples
    --------
    >>> from evaltools.analysis.rankings import VARIANTS
    >>> describe_crossing(Crossing("petrov", "charniak", 0, 1), VARIANTS)
    'Dice, micro: Bracketing ranks petrov below charniak, Bracketing with tags above'
    """
    parts = [(v.group, v.norm, AVERAGES[v.figure]) for v in (variants[crossing.before], variants[crossing.after])]
    shared = [a if a == b else "" for a, b in zip(*parts, strict=True)]
    first, second = (_joined(*(a if not s else "" for a, s in zip(part, shared, strict=True))) for part in parts)
    context = f"{_joined(*shared)}: " if any(shared) else ""
    return f"{context}{first} ranks {crossing.up} below {crossing.down}, {second} above"


def describe_change(pair: PairOrder, variants: Sequence[Variant]) -> str:
    """Describe on which variants each of two parsers has the higher figure."""
    if len(pair.b_ahead) < len(pair.a_ahead) and len(pair.b_ahead) <= _MAX_NAMED:
        return f"{pair.parser_b} ranks higher only on {listing([variants[at].title for at in pair.b_ahead])}"
    tied = f"; they tie on {len(pair.tied)}" if pair.tied else ""
    higher = f"{pair.parser_a} ranks higher on {len(pair.a_ahead)} of {len(variants)} variants"
    return f"{higher}, {pair.parser_b} on {len(pair.b_ahead)}{tied}"


def verdict(figures: pd.DataFrame, variants: Sequence[Variant]) -> str:
    """Describe in one line which parser has the highest figure on which variants, and which parsers swap ranks.

    Parameters
    ----------
    figures : DataFrame
        Index: parsers; columns: variants; as from :func:`evaltools.analysis.figures_by_variant`.
    variants : sequence of Variant
        The columns' meanings.

    Returns
    -------
    str
        A sentence.
    """
    figures = figures[figures.notna().any(axis=1)]
    parsers = list(figures.index)
    if not parsers:
        return "No parser has a score on any variant of the metrics."
    if len(parsers) == 1:
        return _single(figures, variants)
    highest = _highest(figures, variants)
    changing = [pair for pair in pair_orders(figures) if pair.changes]
    if len(parsers) == 2:
        return f"{highest}."
    if not changing:
        tied = rank_parsers(figures).eq(1).all(axis=None)
        return f"{highest}." if tied else f"{highest}; no two parsers swap ranks."
    first = changing[0]
    how = describe_change(first, variants)
    pair = f"{first.parser_a} and {first.parser_b}"
    if len(changing) == 1:
        return f"{highest}; {pair} swap ranks: {how}."
    return f"{highest}; {len(changing)} pairs of parsers swap ranks, most evenly {pair}: {how}."


def _single(figures: pd.DataFrame, variants: Sequence[Variant]) -> str:
    """Describe the scores of the only parser: the first variant of each mapping."""
    parser = figures.index[0]
    figures_by_mapping: dict[str, str] = {}
    for variant in variants:
        value = figures.loc[parser, variant.id]
        if not math.isnan(value) and variant.mapping not in figures_by_mapping:
            figure = METRICS[variant.metric].text(float(value), sign=True)
            figures_by_mapping[variant.mapping] = f"{figure} on {variant.name}"
    return f"{parser} scores {listing(list(figures_by_mapping.values()))}, {AVERAGES[variants[0].figure]}."


def _variants_in_words(number: int, variants: Sequence[Variant]) -> str:
    if len(variants) == 1:
        return f"on the only variant, {variants[0].title}"
    return f"on all {len(variants)} variants" if number == len(variants) else f"on {number} of {len(variants)} variants"


def _highest(figures: pd.DataFrame, variants: Sequence[Variant]) -> str:
    """Describe which parser has the highest figure, and on how many variants."""
    first = rank_parsers(figures).eq(1)
    counts = first.sum(axis=1)
    leaders = [str(name) for name in counts[counts > 0].sort_values(ascending=False, kind="stable").index]
    n = len(variants)
    if all(counts[name] == n for name in leaders):
        everywhere = _variants_in_words(n, variants)
        if len(leaders) == 1:
            return f"{leaders[0]} has the highest figure {everywhere}"
        if len(leaders) == len(figures):
            return f"{'Both' if len(leaders) == 2 else f'All {len(leaders)}'} parsers are equal {everywhere}"
        return f"{listing(leaders)} share the highest figure {everywhere}"
    text = f"{leaders[0]} has the highest figure {_variants_in_words(int(counts[leaders[0]]), variants)}"
    if leaders[1:]:
        text += ", " + listing([f"{name} on {int(counts[name])}" for name in leaders[1:]])
    if shared := int((first.sum(axis=0) > 1).sum()):
        text += f"; {shared} of these {'is' if shared == 1 else 'are'} shared"
    return text
