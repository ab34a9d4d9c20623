"""Contributions of classes of sentences to a difference: by length, label, words, or which parser is better.

A figure is one sum over another, F = N / D, of all sentences. Let the sums of B turn into those of A at one pace, from
t = 0 to t = 1. What a class c adds to F on the way is its contribution (Aumann and Shapley's value of c):

    contribution of c = ∫ (N_c / D(t) − N(t) · D_c / D(t)²) dt = N_c · I₁ − D_c · I₂

where N_c and D_c are the sums of A minus those of B inside the class, and the two integrals, of the sums of all
sentences, have closed forms. Contributions have these properties:

- those of classes that share no sentence and leave none out add up to the difference, exactly;
- a class in which both parsers have the same sums contributes 0;
- the contribution of two classes together is the sum of theirs, however the other sentences are put into classes;
- where both parsers have the same D, as in recall, LA or attachment over the same words, it is simply N_c / D.

To swap the counts of one class alone, and see what that changes, comes close, but those changes do not add up.

References
----------
R. J. Aumann and L. S. Shapley (1974). Values of non-atomic games. Princeton University Press.
L. J. Billera and D. C. Heath (1982). Allocation of shared costs. Mathematics of Operations Research 7, 32-39.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import RESAMPLES, SEED, interval, resampled_sums
from evaltools.analysis.distribution import bin_name
from evaltools.analysis.significance import EQUAL
from evaltools.frameworks.metric import Metric, formula_as_fraction, ratio
from evaltools.runs.sentences import SentenceCounts
from evaltools.runs.store import Run
from evaltools.runs.sums import length_bins

_MAX_LABELS = 60
"""Maximum number of labels that have a bit, the most frequent ones."""


@dataclass(frozen=True, slots=True)
class ClassFamily:
    """Classes of one kind."""

    id: str  # Name in reports and links
    title: str  # Title in reports
    names: tuple[str, ...]
    bits: NDArray[np.int64]  # Bit i is set where the sentence is in class i
    overlap: bool = False  # Whether a sentence may be in several classes

    def mask(self, index: int) -> NDArray[np.bool_]:
        """Return the sentences of a class."""
        return np.asarray((self.bits >> np.int64(index)) & 1, dtype=np.bool_)


def partition(id: str, title: str, names: Sequence[str], index: NDArray[np.int64]) -> ClassFamily:  # noqa: A002
    """Return classes of which every sentence is in exactly one, or in none where its index is −1."""
    bits = np.where(index >= 0, np.int64(1) << np.maximum(index, 0), 0).astype(np.int64)
    return ClassFamily(id, title, tuple(names), bits)


ERRORS = "Error type in either parse"
"""Title of the classes by type of error."""


def class_families(
    run: Run, metric: Metric, parsers: tuple[str, str], sides: tuple[SentenceCounts, SentenceCounts]
) -> list[ClassFamily]:
    """Put the sentences that both parsers have into classes."""
    both = sides[0].mask & sides[1].mask
    families = [_by_length(sides[0].words, both), _by_better(metric, parsers, sides, both)]
    words = _by_words(sides, both)
    if (words.bits > 1).any():
        families.append(words)
    labels, bits = label_bits(run, parsers)
    own = run.framework.runs.labels
    source = None if own is None else own.classes
    if labels and source is not None:
        name = run.framework.nouns.label
        families.append(ClassFamily(name, source.title, labels, np.where(both, bits, 0), overlap=True))
    return families


def error_family(sides: tuple[SentenceCounts, SentenceCounts], steps: Sequence[pd.DataFrame]) -> ClassFamily | None:
    """Put the sentences into classes by the types of errors in either parse."""
    both = sides[0].mask & sides[1].mask
    types = pd.concat([table[["sentence", "type"]] for table in steps]).drop_duplicates()
    types = types[both[types["sentence"].to_numpy(dtype=np.int64) - 1]]
    names = list(types["type"].value_counts().index)
    if not names:
        return None
    bits = np.zeros(len(both), dtype=np.int64)
    indices = types["type"].map({name: index for index, name in enumerate(names)}).to_numpy(dtype=np.int64)
    np.bitwise_or.at(bits, types["sentence"].to_numpy(dtype=np.int64) - 1, np.int64(1) << indices)
    return ClassFamily("error", ERRORS, tuple(map(str, names)), bits, overlap=True)


def _by_length(words: NDArray[np.int32], both: NDArray[np.bool_]) -> ClassFamily:
    bins = length_bins(words[both].astype(np.int64)) or [(1, None)]
    starts = np.array([first for first, _ in bins], dtype=np.int64)
    index = np.maximum(np.searchsorted(starts, words, side="right") - 1, 0)
    return partition("length", "Length in words", [bin_name(*item) for item in bins], np.where(both, index, -1))


# a gold word is lost where it has no partner in one of the parses
_WORDS = (
    "same tokens",
    "tokens differ, none lost",
    "1 or 2 gold words lost",
    "3 or more gold words lost",
    "no parse",
)


def _by_words(sides: tuple[SentenceCounts, SentenceCounts], both: NDArray[np.bool_]) -> ClassFamily:
    lost = np.maximum(sides[0].lost, sides[1].lost)
    index = np.searchsorted([0, 1, 3], lost, side="right")
    index[sides[0].missing | sides[1].missing] = len(_WORDS) - 1
    return partition("words", "Tokens of the parses", _WORDS, np.where(both, index, -1))


def _by_better(
    metric: Metric, parsers: tuple[str, str], sides: tuple[SentenceCounts, SentenceCounts], both: NDArray[np.bool_]
) -> ClassFamily:
    difference = sides[0].score - sides[1].score
    if not metric.higher_is_better:
        difference = -difference
    index = np.select([difference > EQUAL, difference < -EQUAL, np.isnan(difference)], [0, 2, 3], 1)
    names = [f"{parsers[0]} is better", "equal scores", f"{parsers[1]} is better"]
    if (both & (index == 3)).any():
        names.append("undefined score")
    return partition("better", "Which parser is better", names, np.where(both, index, -1))


def label_bits(run: Run, parsers: tuple[str, str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return which sentences have a phrase of a label, or a word of a relation, in the gold tree."""
    bits = np.zeros(run.n_sentences, dtype=np.int64)
    own = run.framework.runs.labels
    source = None if own is None else own.classes
    if source is None:
        return (), bits
    table, column, condition = source.table, source.column, source.condition
    frequent = run.query(
        f"select {column} as label, count(*) as n from {table} where parser in (?, ?) and {condition} "
        f"group by label order by n desc, label limit {_MAX_LABELS}",
        list(parsers),
    )
    labels = tuple(frequent["label"].tolist())
    if not labels:
        return (), bits
    cases = " ".join(f"when ? then {1 << index}::bigint" for index in range(len(labels)))
    for parser in dict.fromkeys(parsers):
        rows = run.query(
            f"select sentence, bit_or(case {column} {cases} else 0::bigint end) as bits from {table} "
            f"where parser = ? and {condition} group by sentence",
            [*labels, parser],
        )
        sentences = rows["sentence"].to_numpy()
        inside = (sentences >= 1) & (sentences <= run.n_sentences)
        bits[sentences[inside] - 1] |= rows["bits"].to_numpy(dtype=np.int64)[inside]
    return labels, bits


COLUMNS = (
    *("family", "place", "name", "overlap", "sentences", "value", "other_value"),
    *("difference", "contribution", "low", "high", "share", "weight"),
)
"""Columns of :func:`difference_by_class`."""

Array = NDArray[np.float64]

_SMALL = 1e-2


def _second_integral(x: Array) -> Array:
    """Return ∫ t / (1 + xt)² dt from 0 to 1; of small x by its series, where the closed form loses its digits."""
    series = np.zeros_like(x)
    for power in range(11, -1, -1):
        series = (power + 1) / (power + 2) * (-1) ** power + x * series
    small = np.abs(x) < _SMALL
    safe = np.where(small, 1.0, x)
    closed: Array = (np.log1p(safe) - safe / (1 + safe)) / safe**2
    return np.where(small, series, closed)


def contributions(
    side_a: tuple[Array, Array], side_b: tuple[Array, Array], totals: tuple[Array, Array, Array, Array]
) -> Array:
    """Return what classes contribute to a difference of two figures.

    Examples
    --------
    >>> side_a = np.array([9.0, 3.0]), np.array([10.0, 6.0])
    >>> side_b = np.array([8.0, 3.0]), np.array([10.0, 5.0])
    >>> totals = tuple(values.sum() for values in (*side_a, *side_b))
    >>> parts = contributions(side_a, side_b, totals)
    >>> parts.round(4).tolist()
    [0.0645, -0.0479]
    >>> bool(np.isclose(parts.sum(), 12 / 16 - 11 / 15))
    True
    """
    n_a, d_a, n_b, d_b = (np.asarray(total, dtype=np.float64) for total in totals)
    possible = (d_a > 0) & (d_b > 0)
    d_a, d_b = np.where(possible, d_a, 1.0), np.where(possible, d_b, 1.0)
    x = (d_a - d_b) / d_b
    first = np.where(x == 0, 1.0, np.log1p(x) / np.where(x == 0, 1.0, x)) / d_b
    second = n_b / (d_a * d_b) + (n_a - n_b) * _second_integral(x) / d_b**2
    shares: Array = (side_a[0] - side_b[0]) * first - (side_a[1] - side_b[1]) * second
    return np.where(possible, shares, np.nan)


def _fraction_columns(metric: Metric, figure: str, side: SentenceCounts, mask: NDArray[np.bool_]) -> Array:
    """Return what a figure divides by what, shape (sentences, 2)."""
    if figure == "mean":
        has_score = mask & ~np.isnan(side.score)
        return np.column_stack([np.where(has_score, side.score, 0.0), has_score.astype(np.float64)])
    fraction = formula_as_fraction(metric)
    return np.column_stack(
        [np.where(mask, part.of(side.counts), 0.0) for part in (fraction.numerator, fraction.denominator)]
    )


def grouped(columns: Array, units: NDArray[np.int64] | None) -> Array:
    """Add up the rows of each unit, such as a document; without units, each row is its own.

    Examples
    --------
    >>> grouped(np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 0])).tolist()
    [[4.0], [2.0]]
    """
    if units is None:
        return columns
    n = int(units.max(initial=-1)) + 1
    return np.column_stack([np.bincount(units, column, n) for column in columns.T])


def difference_by_class(
    metric: Metric,
    sides: tuple[SentenceCounts, SentenceCounts],
    families: Sequence[ClassFamily],
    *,
    figure: str = "pooled",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    units: NDArray[np.int64] | None = None,
) -> pd.DataFrame:
    """Take the difference of two parsers apart by classes of sentences.

    The share of a class that works against the difference, or contributes more than all of it, is NaN.
    """
    mask = sides[0].mask & sides[1].mask
    columns = np.column_stack([_fraction_columns(metric, figure, side, mask) for side in sides])
    rows, by_group = [], [grouped(columns, units)]
    group = np.arange(len(mask)) if units is None else units
    for family in families:
        for index, name in enumerate(family.names):
            inside = np.flatnonzero(family.mask(index))
            if not len(inside):
                continue
            own, into = columns[inside].T, group[inside]
            by_group.append(np.column_stack([np.bincount(into, column, len(by_group[0])) for column in own]))
            rows.append((family.id, index, name, family.overlap, len(inside), *own.sum(axis=1)))
    names = (*COLUMNS[:5], "n_a", "d_a", "n_b", "d_b")
    table = pd.DataFrame(rows, columns=names)
    totals = columns.sum(axis=0)
    sums = table[list(names[5:])].to_numpy(dtype=np.float64).T
    difference = float(ratio(totals[0], totals[1]) - ratio(totals[2], totals[3]))
    table["value"], table["other_value"] = ratio(sums[0], sums[1]), ratio(sums[2], sums[3])
    table["difference"] = table["value"] - table["other_value"]
    table["contribution"] = contributions((sums[0], sums[1]), (sums[2], sums[3]), tuple(totals))
    counted = grouped(mask[:, None].astype(np.float64), units)[:, 0] > 0
    drawn = resampled_sums(np.column_stack(by_group)[counted], resamples, seed)
    cube = drawn.reshape(resamples, len(by_group), 4).transpose(2, 0, 1)
    parts = contributions((cube[0, :, 1:], cube[1, :, 1:]), (cube[2, :, 1:], cube[3, :, 1:]), tuple(cube[:, :, :1]))
    # resamples of one sentence are all the same
    table["low"], table["high"] = interval(parts) if np.count_nonzero(counted) > 1 else (np.nan, np.nan)
    share = table["contribution"] / (difference if abs(difference) > EQUAL else np.nan)
    # what works against the difference, or is more than all of it because others do, is no share of it
    table["share"] = share.where(share.between(-EQUAL, 1 + EQUAL)).clip(0.0, 1.0)
    table["weight"] = ratio(sums[1] + sums[3], np.full(len(table), totals[1] + totals[3]))
    return table[list(COLUMNS)]
