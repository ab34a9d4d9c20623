"""Metrics: counts for each sentence, a formula from counts to a score, and the presentation of the score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.formulas import Symbol
from evaltools.text import decimals, listing, number, percent, percentage

if TYPE_CHECKING:
    from evaltools.frameworks.constituency.aligned_trees import Alignment


_N_NEAREST, _N_COMMON = 3, 16
SHARE = "share"
"""The unit of metrics whose scores are shares of 1."""
Better = Literal["high", "low", "none"]
"""Which values of a metric are better."""
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


def ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide; NaN where the denominator is 0."""
    column: Any = numerator
    if isinstance(column, Symbol):  # the formula is written as a fraction
        return column.ratio(denominator)  # type: ignore[no-any-return]
    denominator = np.asarray(denominator, dtype=np.float64)
    result: NDArray[np.float64] = np.full(np.shape(denominator), np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def not_negative(counts: Any) -> Any:
    """Return counts, with 0 in place of those below 0."""
    return counts.not_negative() if isinstance(counts, Symbol) else np.maximum(counts, 0.0)


def or_perfect(scores: Any, equal: Any, sentences: Any) -> Any:
    """Replace undefined scores by 1 where all trees are equal."""
    if isinstance(scores, Symbol):
        return scores.or_perfect(equal, sentences)
    sentences = np.asarray(sentences, dtype=np.float64)
    return np.where(np.isnan(scores) & (sentences > 0) & (equal == sentences), 1.0, scores)


@dataclass(frozen=True, slots=True)
class Count:
    """The description of a count column, for tables that explain a figure."""

    name: str  # What is counted, in the plural
    symbol: str = ""  # Its letter in the formulas
    repeats: str = ""  # A column whose value it usually repeats; tables leave it out where it does
    group: str = ""  # Counts of a group are left out where all of them are 0
    cost: str = ""  # The unit of edits that cost 1 each, such as ``nodes``; empty for other counts


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices that make up a metric which takes part in rankings."""

    mapping: str  # What is compared, such as brackets
    part: str  # The part of the tree that counts; empty where there is no choice
    norm: str  # The normalization, or another choice between metrics of one mapping
    # Id of the metric of which its figure over summed counts is an increasing function: both rank parsers alike.
    ranks_as: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """Where a metric is shown by default."""

    overview: bool = False  # In the tables of *Overview*, of HTML reports and of summaries
    reports: bool = False  # In text reports by groups
    lists: bool = False  # In lists of sentences, beside the chosen metric
    lab: bool = False  # In the metric lab
    if_defined: bool = False  # Not in tables of figures where it is undefined for all parsers


_NOWHERE = Shown()


@dataclass(frozen=True, slots=True)
class Metric:
    """A score, defined by its count columns and its formula, and its presentation."""

    id: str  # Its one name, such as ``f1``: in tables of runs, options, links, JSON and CSV
    title: str  # Long name, for menus, headings and sentences
    family: str  # Family of the pass that computes its counts
    formula: str  # The formula in the paper's symbols
    columns: tuple[str, ...]  # Its count columns
    # From Counts to scores; NaN where undefined. The same function serves one sentence, a corpus, groups and
    # resamples.
    score: Callable[[Counts], NDArray[np.float64]]
    # The words or characters over which sentences whose words differ from the gold tree are scored.
    where_words_differ: str = ""
    # Which parses have a score: those of equal or aligned words, only those of equal words, or those of any words.
    words: Literal["aligned", "equal", "any"] = "aligned"
    # Count columns that are replaced by others in figures over all sentences.
    over_all: Mapping[str, str] = field(default_factory=dict)
    # Count columns that are missing where the metric is undefined, and 0 there in figures over all sentences.
    zero_over_all: tuple[str, ...] = ()
    # Count columns of what there is to match, for a formula that does not divide by them, such as precision: where
    # their sum is positive and the score is undefined, the parse is at fault, and figures over all sentences count it
    # as nothing matched.
    gold: tuple[str, ...] = ()
    # Whether the formula divides by counts of the gold tree alone, such as recall: where they are 0, no parse has a
    # score, and figures over all sentences leave the sentence out even if there is no parse.
    gold_only: bool = False
    better: Better = "high"  # ``"low"`` for counts of errors, ``"none"`` where no direction is better
    unit: str = SHARE  # :data:`SHARE`, or what numbers are counted per, such as ``per sentence``
    heading: str = ""  # The head of its column; the title if empty
    narrow: str = ""  # The head of its column in tables of many metrics; the heading if empty
    help: str = ""  # One sentence with the quantity and its unit
    approach: str = ""  # Heading for the metrics of its family
    chapter: str = ""  # The chapter of *About the metrics* that explains it
    shown: Shown = _NOWHERE  # Where it is shown by default
    choices: Choices | None = None  # For rankings under every variant; None if it takes no part in them
    part: str = ""  # The part of the tree that counts, ``roof`` or ``whole``, where there are metrics for both
    variant_of: str = ""  # Id of the metric that this one is a variant of; short lists name only that one
    too_large: str = ""  # A count column that is negative where the trees are too large to be scored
    # A template for the formula with numbers, with names of counts or of the results of `values`; the first count
    # divided by the second if empty.
    numbers: str = ""
    # From sums of counts to the numbers of the template, where these are not counts.
    values: Callable[[Mapping[str, float]], Mapping[str, float]] | None = None
    # From an alignment to a description of the errors of the parse. Metrics without it give no verdict on two parses.
    faults: Callable[[Alignment], str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "heading", self.heading or self.title)
        object.__setattr__(self, "narrow", self.narrow or self.heading)

    @property
    def hint(self) -> str:
        """The hint at the head of its column: the title if the head is shorter, the help text and the formula."""
        is_shorter = self.narrow != self.title
        return " ".join([*([f"{self.title}."] if is_shorter else []), self.help, f"Formula: {self.formula}"])

    @property
    def is_share(self) -> bool:
        """Whether scores are shares of 1, which are written as percentages."""
        return self.unit == SHARE

    @property
    def higher_is_better(self) -> bool:
        """Whether lists begin with the highest value as the best; also where no direction is better."""
        return self.better != "low"

    @property
    def title_with_unit(self) -> str:
        """The title and the unit, for axes and headings.

        Examples
        --------
        >>> from evaltools import METRICS
        >>> METRICS["las"].title_with_unit, METRICS["errors"].title_with_unit
        ('LAS, %', 'Errors per sentence')
        """
        return self.title if self.title.endswith(self.unit) else f"{self.title}, {'%' if self.is_share else self.unit}"

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

    def put_in(self, counts: Mapping[str, float]) -> str:
        """Return the formula with numbers put in.

        Examples
        --------
        >>> from evaltools import METRICS
        >>> METRICS["f1"].put_in({"e_matched_roof": 1, "e_gold_roof": 3, "e_test_roof": 3})
        '2 × 1 / (3 + 3)'
        """
        values = counts if self.values is None else self.values(counts)
        template = self.numbers or " / ".join(f"{{{name}}}" for name in self.columns)
        return template.format_map({name: number(value) for name, value in values.items()})

    @property
    def all_columns(self) -> tuple[str, ...]:
        """Its count columns, and those that figures over all sentences need."""
        return tuple(dict.fromkeys((*self.columns, *self.over_all.values(), *self.gold)))


def describe_units(metrics: Iterable[Metric]) -> list[str]:
    """Return the units of those metrics of a table whose figures are no percentages.

    Examples
    --------
    >>> from evaltools import METRICS
    >>> describe_units(METRICS[name] for name in ("las", "errors", "crossing", "errors_per_100_words"))
    ['Errors and Crossing: per sentence', 'Errors / 100 w.: per 100 words']
    """
    counted: dict[str, list[str]] = {}
    for metric in metrics:
        if not metric.is_share:
            counted.setdefault(metric.unit, []).append(metric.heading)
    return [f"{listing(names, len(names))}: {unit}" for unit, names in counted.items()]


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
    common = [metric.id for metric in known.values() if metric.shown.overview] or list(known)
    parts = {"nearest": nearest, "common": common[:_N_COMMON], "families": families}
    lists = [f"{part}: {', '.join(names)}" for part, names in parts.items() if names]
    raise ParameterError(f"unknown metric {name!r}; {'; '.join(lists)}")


def over_part(metrics: Sequence[Metric], part: str) -> tuple[Metric, ...]:
    """Return the metrics of summaries, those of a part of the tree in their form for this part."""

    def form(metric: Metric) -> Metric:
        forms = (item for item in metrics if item.formula == metric.formula and item.part == part)
        return next((item for item in forms if not item.variant_of), metric) if metric.part else metric

    return tuple(form(metric) for metric in metrics if metric.shown.lists)


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
