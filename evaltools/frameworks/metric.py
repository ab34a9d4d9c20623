"""Metrics: counts for each sentence, a formula from counts to a score, and the presentation of both.

The formula, in symbols, with numbers put in, and as a fraction, follows from the function that computes a score: it is
called with columns in place of numbers, and they record the formula. Every score is a weighted sum of counts, one such
sum over another, or 1 minus that. The denominator is the weight of a sentence in a pooled figure, by which a difference
of two figures can be taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evaltools.blocks import Column, Format
from evaltools.errors import ParameterError
from evaltools.text import decimals, number, percent, percentage

_N_NEAREST, _N_COMMON = 3, 16
SHARE = "%"
"""The unit of metrics whose scores are shares of 1."""
ZERO = "0"
"""In the place of a count column in figures over all sentences: the column itself, 0 where it is missing."""
Counts = Mapping[str, NDArray[np.float64]]
"""Columns of counts by name: one value a sentence, or sums of any groups of sentences."""

OLD_IDS = {
    "e_recall_roof": "recall",
    "e_precision_roof": "precision",
    "e_dice_roof": "f1",
    "e_jaccard_roof": "jaccard",
    "e_recall_whole": "recall_pos",
    "e_precision_whole": "precision_pos",
    "e_dice_whole": "f1_pos",
    "e_jaccard_whole": "jaccard_pos",
    "e_recall_roof_unlabelled": "recall_unlabeled",
    "e_precision_roof_unlabelled": "precision_unlabeled",
    "e_dice_roof_unlabelled": "f1_unlabeled",
    "e_jaccard_roof_unlabelled": "jaccard_unlabeled",
    "e_recall_whole_unlabelled": "recall_pos_unlabeled",
    "e_precision_whole_unlabelled": "precision_pos_unlabeled",
    "e_dice_whole_unlabelled": "f1_pos_unlabeled",
    "e_jaccard_whole_unlabelled": "jaccard_pos_unlabeled",
    "e_recall_discontinuous": "recall_discontinuous",
    "e_precision_discontinuous": "precision_discontinuous",
    "e_dice_discontinuous": "f1_discontinuous",
    "e_crossing": "crossing",
    "e_exact": "exact",
    "e_tagging": "tagging",
    "t_dice": "ted",
    "t_jaccard": "ted_jaccard",
    "r_errors": "errors",
    "r_errors_per_100_words": "errors_per_100_words",
    "r_similarity": "repair_similarity",
    "label_accuracy": "label",
    "la_strict": "la_exact",
    "la_partial": "la",
    "la_table": "la_costs",
    "ud_upos": "upos",
    "ud_xpos": "xpos",
    "ud_ufeats": "ufeats",
    "ud_alltags": "alltags",
    "ud_lemmas": "lemmas",
    "ud_clas": "clas",
    "ud_mlas": "mlas",
    "ud_blex": "blex",
    "ud_elas": "elas",
    "ud_eulas": "eulas",
    "ud_mslas": "mslas",
    "tedeval_single_labelled": "tedeval_single_labeled",
    "tedeval_single_unlabelled": "tedeval_single_unlabeled",
    "tedeval_multiple_labelled": "tedeval_multiple_labeled",
    "tedeval_multiple_unlabelled": "tedeval_multiple_unlabeled",
    "tedeval2011_labelled": "tedeval2011_labeled",
    "tedeval2011_unlabelled": "tedeval2011_unlabeled",
    "sdp_f1": "sdp",
    "sdp_unlabeled_f1": "sdp_unlabeled",
}
"""Ids of metrics up to version 0.3, which readers may still write."""


SIDE_SYMBOLS = {"gold": "G", "test": "T", "matched": "M"}
"""Symbols of counts of gold, of the parse, and of what both have."""


@dataclass(frozen=True, slots=True)
class Count:
    """The description of a count column: for formulas, for tables that explain a figure, and over all sentences."""

    name: str  # What is counted, in the plural
    symbol: str = ""  # Its letter in the formulas, which have the name if it is empty
    repeats: str = ""  # A column whose value it repeats; tables leave it out
    group: str = ""  # Counts of a group are left out where all of them are 0
    cost: str = ""  # The unit of edits that cost 1 each, such as ``nodes``; empty for other counts
    # Whether it is what there is to match. Over all sentences an undefined score counts as nothing matched where there
    # is something to match; where there is nothing, no parse has a score by a formula that divides by it alone.
    gold: bool = False
    over_all: str = ""  # The column in its place in figures over all sentences, or :data:`ZERO`; itself if empty


@dataclass(frozen=True, slots=True)
class Family:
    """What the metrics of one approach share."""

    id: str  # Its name in the option ``metrics``
    title: str  # The heading of its metrics
    chapter: str = ""  # The chapter of *About the metrics* that explains it
    counts: Mapping[str, Count] = field(default_factory=dict)  # Descriptions of its count columns
    # Which parses have a score: those of equal or aligned words, only those of equal words, or those of any words.
    words: Literal["aligned", "equal", "any"] = "aligned"
    # Keys of the papers that define its metrics, in the table of papers that reports cite.
    papers: tuple[str, ...] = ()
    words_differ: str = ""  # How sentences are scored whose words differ from those of the gold tree

    def count(self, column: str) -> Count:
        """Return the description of a count column; of one without, such as ``sentences``, its name."""
        return self.counts.get(column) or Count(column)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a metric is shown by default, and its place among its variants."""

    overview: bool = False  # In the tables of *Overview*, of HTML reports and of summaries
    reports: bool = False  # In text reports by groups
    lists: bool = False  # In lists of sentences, beside the chosen metric
    if_defined: bool = False  # Not in tables of figures where it is undefined for all parsers
    part: str = ""  # The part of the tree that counts, ``roof`` or ``whole``, where there are metrics for both
    variant_of: str = ""  # Id of the metric that this one is a variant of; short lists name only that one
    # Rankings of parsers under every variant: what is compared, such as brackets, and the normalization or another
    # choice between metrics that compare it; empty for metrics that take no part in them.
    mapping: str = ""
    norm: str = ""
    # Id of the metric of which its figure over summed counts is an increasing function: both rank parsers alike.
    ranks_as: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Metric:
    """A score, defined by its count columns and the function of them, and its presentation.

    Its formula, in symbols or with numbers, follows from the function (:func:`formula`, :func:`formula_with`).
    """

    id: str  # Its one name, such as ``f1``: in tables of runs, options, links, JSON and CSV
    title: str  # Long name, for menus, headings and sentences
    family: Family
    columns: tuple[str, ...]  # Its count columns, with those that tell how much there is to match
    # From Counts to scores; NaN where undefined. The same function serves one sentence, a corpus, groups and
    # resamples: a weighted sum of counts, one over another (`ratio`), or 1 minus that.
    score: Callable[[Counts], NDArray[np.float64]]
    help: str  # One sentence with the quantity and its unit
    short: str = ""  # The head of its column; the title if empty
    unit: str = SHARE  # :data:`SHARE`, or what numbers are counted per, such as ``per sentence``
    higher_is_better: bool = True  # False for counts of errors
    place: Place = Place()

    def __post_init__(self) -> None:
        object.__setattr__(self, "short", self.short or self.title)

    @property
    def is_share(self) -> bool:
        """Whether scores are shares of 1, which are written as percentages."""
        return self.unit == SHARE

    @property
    def title_with_unit(self) -> str:
        """The title and the unit, for axes and headings.

        Examples
        --------
        >>> from evaltools import METRICS
        >>> METRICS["las"].title_with_unit, METRICS["errors"].title_with_unit
        ('LAS, %', 'Errors per sentence')
        """
        return self.title if self.title.endswith(self.unit) else f"{self.title}, {self.unit}"

    def text(self, value: float | None, *, sign: bool = False, whole: bool = False) -> str:
        """Return a figure with two decimals, a share as a percentage; “–” where undefined.

        Parameters
        ----------
        value : float or None
            The figure.
        sign : bool
            Write the percent sign after a share.
        whole : bool
            Write a number without decimals if it is whole, as counts of one sentence are.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> from evaltools import METRICS
        >>> METRICS["las"].text(0.8125), METRICS["las"].text(0.8125, sign=True), METRICS["las"].text(None, sign=True)
        ('81.25', '81.25 %', '–')
        >>> METRICS["errors"].text(3.4003), METRICS["errors"].text(3.0), METRICS["errors"].text(3.0, whole=True)
        ('3.40', '3.00', '3')
        """
        if self.is_share:
            return percentage(value, 2) if sign else percent(value)
        return number(value) if whole else decimals(value)


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """A sum of columns, each times a number.

    Examples
    --------
    >>> (2 * WeightedSum({"m": 1.0}) - WeightedSum({"g": 1.0})).weights
    {'m': 2.0, 'g': -1.0}
    """

    weights: Mapping[str, float]  # The number for each column
    limits: Mapping[str, str] = field(default_factory=dict)  # For a column one that it does not exceed in the sum

    def __add__(self, other: WeightedSum) -> WeightedSum:
        names = dict.fromkeys((*self.weights, *other.weights))
        weights = {name: self.weights.get(name, 0.0) + other.weights.get(name, 0.0) for name in names}
        return WeightedSum(weights, {**self.limits, **other.limits})

    def __sub__(self, other: WeightedSum) -> WeightedSum:
        return self + other * -1.0

    def __mul__(self, factor: float) -> WeightedSum:
        return WeightedSum({name: factor * weight for name, weight in self.weights.items()}, self.limits)

    __rmul__ = __mul__

    def at_most(self, limit: WeightedSum) -> WeightedSum:
        """Return the column itself: in a corpus it is never above the limit, in a sentence it may be."""
        return WeightedSum(self.weights, dict(zip(self.weights, limit.weights, strict=True)))

    def ratio(self, denominator: WeightedSum) -> Fraction:
        """Divide by another sum."""
        return Fraction(self, denominator)

    def of(self, counts: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the sum for columns of counts."""
        terms = [weight * np.asarray(counts[name], dtype=np.float64) for name, weight in self.weights.items()]
        total: NDArray[np.float64] = np.sum(terms, axis=0)
        return total


@dataclass(frozen=True, slots=True)
class Fraction:
    """One weighted sum of counts over another, or 1 minus that."""

    above: WeightedSum
    denominator: WeightedSum  # Where it is 0, the score is undefined, or 1 for some metrics
    is_rest: bool = False  # Whether it is subtracted from 1

    def __rsub__(self, number: float) -> Fraction:
        return Fraction(self.above, self.denominator, is_rest=True)

    @property
    def numerator(self) -> WeightedSum:
        """What is divided by the denominator."""
        return self.denominator - self.above if self.is_rest else self.above


def ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide; NaN where the denominator is 0."""
    column: Any = numerator
    if isinstance(column, WeightedSum):  # the formula is written as a fraction
        return column.ratio(denominator)  # type: ignore[arg-type,return-value]
    denominator = np.asarray(denominator, dtype=np.float64)
    result: NDArray[np.float64] = np.full(np.shape(denominator), np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def at_most(counts: Any, limit: Any) -> Any:
    """Return counts, with the limit in place of those above it."""
    return counts.at_most(limit) if isinstance(counts, WeightedSum) else np.minimum(counts, limit)


def or_perfect(scores: Any, equal: Any, sentences: Any) -> Any:
    """Replace undefined scores by 1 where all trees are equal."""
    if isinstance(scores, Fraction):
        return scores
    sentences = np.asarray(sentences, dtype=np.float64)
    return np.where(np.isnan(scores) & (sentences > 0) & (equal == sentences), 1.0, scores)


@cache
def formula_as_fraction(metric: Metric) -> Fraction:
    """Return numerator and denominator of a metric's formula.

    Examples
    --------
    >>> from evaltools import METRICS
    >>> formula_as_fraction(METRICS["f1"]).numerator.weights
    {'e_matched_roof': 2.0}
    """
    recorded: Any = metric.score(_columns(metric))
    return recorded if isinstance(recorded, Fraction) else Fraction(recorded, WeightedSum({}))


def _columns(metric: Metric) -> Any:
    return {name: WeightedSum({name: 1.0}) for name in metric.columns}


def formula(metric: Metric) -> str:
    """Return the formula of a metric in the symbols of its counts.

    Examples
    --------
    >>> from evaltools import METRICS
    >>> formula(METRICS["f1"]), formula(METRICS["ted"]), formula(METRICS["crossing"])
    ('2M / (G + T)', '1 − (D + I + S) / (G + T − 2W)', 'test brackets that cross a gold bracket / sentences')
    """
    return _written(metric, None)


def formula_with(metric: Metric, counts: Mapping[str, float]) -> str:
    """Return the formula of a metric with numbers put in.

    Examples
    --------
    >>> from evaltools import METRICS
    >>> formula_with(METRICS["f1"], {"e_matched_roof": 1, "e_gold_roof": 3, "e_test_roof": 3})
    '2 × 1 / (3 + 3)'
    """
    return _written(metric, counts)


def _written(metric: Metric, counts: Mapping[str, float] | None) -> str:
    fraction = formula_as_fraction(metric)
    above, below = (_terms(metric, part, counts) for part in (fraction.above, fraction.denominator))
    if not below:
        return " ".join(above)
    parts = [" ".join(terms) if len(terms) == 1 else f"({' '.join(terms)})" for terms in (above, below)]
    return f"{'1 − ' if fraction.is_rest else ''}{' / '.join(parts)}"


def _terms(metric: Metric, total: WeightedSum, counts: Mapping[str, float] | None) -> list[str]:
    """Return the terms of a sum, one for each symbol, all but the first with a sign."""
    weights: dict[str, float] = {}
    numbers: dict[str, float] = {}
    for name, weight in total.weights.items():
        count = metric.family.count(name)
        symbol = count.symbol or count.name
        weights[symbol] = weights.get(symbol, 0.0) + weight if count.repeats else weight
        if counts is not None and not count.repeats:
            number_of = min(counts[item] for item in (name, total.limits.get(name, name)))
            numbers[symbol] = numbers.get(symbol, 0.0) + number_of
    terms: list[str] = []
    for symbol, weight in weights.items():
        sign = ("− " if weight < 0 else "+ ") if terms else ""
        factor = "" if abs(weight) == 1 else f"{number(abs(weight))}{'' if counts is None else ' × '}"
        terms.append(f"{sign}{factor}{symbol if counts is None else number(numbers[symbol])}")
    return terms


def hint(metric: Metric) -> str:
    """Return the hint at the head of a metric's column: the title if the head is shorter, its help and formula."""
    title = f"{metric.title}. " if metric.short != metric.title else ""
    return f"{title}{metric.help} Formula: {formula(metric)}"


def figure_column(metric: Metric, name: str = "", title: str = "", *, whole: bool = False) -> Column:
    """Return a column of figures of a metric, by default under its id and its usual head.

    `whole`: numbers are written without decimals if they are whole, as counts of one sentence are.
    """
    form: Format = "points" if metric.is_share else "amount" if whole else "figure"
    return Column(name or metric.id, title or metric.short, form, hint(metric))


def find_metric(name: str, metrics: Iterable[Metric], families: Sequence[str] = ()) -> Metric:
    """Return the metric that a reader names by its id or an old one, in any case and with hyphens or underscores.

    Raises
    ------
    ParameterError
        If there is none; the message has the nearest ids, the common ones, and families.

    Examples
    --------
    >>> from evaltools import METRICS
    >>> find_metric("LAS", METRICS.values()).id, find_metric("e-dice-whole", METRICS.values()).id
    ('las', 'f1_pos')
    >>> find_metric("lass", [METRICS[name] for name in ("uas", "las", "label", "mlas")])
    Traceback (most recent call last):
    evaltools.errors.ParameterError: unknown metric 'lass'; nearest: las, mlas, uas; common: uas, las, label, mlas
    """
    known = {metric.id: metric for metric in metrics}
    key = name.strip().lower().replace("-", "_")
    id_ = OLD_IDS.get(key, key)
    if id_ in known:
        return known[id_]
    nearest = get_close_matches(id_, known, n=_N_NEAREST, cutoff=0.0)
    common = [metric.id for metric in known.values() if metric.place.overview] or list(known)
    parts = {"nearest": nearest, "common": common[:_N_COMMON], "families": families}
    lists = [f"{part}: {', '.join(names)}" for part, names in parts.items() if names]
    raise ParameterError(f"unknown metric {name!r}; {'; '.join(lists)}")


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """The number of errors of a parse, by which lists of sentences are sorted first."""

    metric: Metric  # The number, of one sentence; it is in no table of metrics
    singular: str  # One error, such as ``"wrong bracket"``
    plural: str

    def noun(self, number: float) -> str:
        """Return the noun for a number of errors."""
        return self.singular if number == 1 else self.plural


@dataclass(frozen=True)
class OfficialFigure:
    """A figure of an official evaluation program, which prints its counts in a fixed layout."""

    name: str  # As the program prints it
    metric: str  # Id of the metric that is its F1
    right: str  # Units of the parser that are right
    gold: str  # Gold units
    test: str  # The parser's units
    aligned: str = ""  # Aligned units, of which the accuracy is a share; empty if there is none

    @property
    def columns(self) -> tuple[str, ...]:
        """Its count columns."""
        return tuple(filter(None, (self.right, self.gold, self.test, self.aligned)))
