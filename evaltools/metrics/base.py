"""What a metric is: counts for each sentence, and a formula from counts to a score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics.expression import Symbol, formula_as_sql
from evaltools.metrics.fraction import Fraction, formula_as_fraction
from evaltools.normalize import Pair, Preset, Status
from evaltools.treebank import Kind, Treebank
from evaltools.treebank.vocabulary import StringTable

__all__ = ["Counts", "Metric", "Symbols", "columns_of", "not_negative", "or_perfect", "ratio", "symbols_of"]

Counts = Mapping[str, NDArray[np.float64]]
"""Columns of counts by name: one value a sentence, or sums of any groups of sentences."""


def ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide; NaN where the denominator is 0."""
    column: Any = numerator
    if isinstance(column, Symbol):  # the formula itself is asked for
        return column.ratio(denominator)  # type: ignore[no-any-return]
    denominator = np.asarray(denominator, dtype=np.float64)
    result: NDArray[np.float64] = np.full(np.shape(denominator), np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def not_negative(counts: Any) -> Any:
    """Return counts, 0 in the place of those below 0.

    Parameters
    ----------
    counts : ndarray of float64
        A difference of counts.
    """
    return counts.not_negative() if isinstance(counts, Symbol) else np.maximum(counts, 0.0)


def or_perfect(scores: Any, equal: Any, sentences: Any) -> Any:
    """Give 1 where a score is undefined because there is nothing to count, and all trees are equal.

    Parameters
    ----------
    scores : ndarray of float64
        NaN where undefined.
    equal, sentences : ndarray of float64
        Numbers of sentences whose trees are equal, and of all.
    """
    if isinstance(scores, Symbol):
        return scores.or_perfect(equal, sentences)
    sentences = np.asarray(sentences, dtype=np.float64)
    return np.where(np.isnan(scores) & (sentences > 0) & (equal == sentences), 1.0, scores)


@dataclass(frozen=True, slots=True)
class Metric:
    """A score, defined by the count columns it needs and its formula.

    Parameters
    ----------
    id : str
        Name in reports, tables and options, such as ``e_dice_roof``.
    title : str
        What people call it.
    family : {"e", "t", "la"}
        Which pass over the trees makes its counts.
    formula : str
        The formula in the paper's symbols.
    columns : tuple of str
        The counts it is made of.
    score : callable
        From :data:`Counts` to scores; NaN where undefined. The same function serves one sentence, a corpus, groups
        and resamples.
    where_words_differ : str
        Over what the score is computed in sentences whose words are not those of the gold tree.
    scored_on : tuple of Status
        Sentences that have a score; beside them those whose words differ and were aligned.
    scored_aligned : bool
        False where sentences whose words differ have no score even if their words or characters were aligned.
    over_all : dict
        Count columns that others take the place of in figures over all sentences.
    zero_over_all : tuple of str
        Count columns that are missing where the metric is undefined, and 0 there in figures over all sentences.
    gold : tuple of str
        Count columns of what there is to match, for a formula that does not divide by them, such as precision: where
        their sum is positive and the score is undefined, the parse is at fault, and figures over all sentences count it
        as nothing matched.
    higher_is_better : bool
        False for counts of errors.
    is_share : bool
        Whether scores are shares of 1, to be shown as percentages.
    """

    id: str
    title: str
    family: str
    formula: str
    columns: tuple[str, ...]
    score: Callable[[Counts], NDArray[np.float64]]
    where_words_differ: str = ""
    scored_on: tuple[Status, ...] = (Status.OK,)
    scored_aligned: bool = True
    over_all: Mapping[str, str] = field(default_factory=dict)
    zero_over_all: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    higher_is_better: bool = True
    is_share: bool = True

    @property
    def all_columns(self) -> tuple[str, ...]:
        """The counts it is made of, and those that figures over all sentences need."""
        return tuple(dict.fromkeys((*self.columns, *self.over_all.values(), *self.gold)))

    @property
    def sql(self) -> str:
        """The formula in SQL, over columns of these names; null where undefined."""
        return formula_as_sql(self.score, self.columns)

    @property
    def fraction(self) -> Fraction:
        """What the formula divides by what."""
        return formula_as_fraction(self.score, self.columns)

    @property
    def sql_over_all(self) -> str:
        """The formula in SQL for figures over all sentences."""
        zeros = {name: f"coalesce({name}, 0)" for name in self.zero_over_all}
        return formula_as_sql(self.score, self.columns, zeros | dict(self.over_all))


Columns = tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.uint8],
    NDArray[np.int64],
]


def columns_of(
    treebank: Treebank,
    symbols: NDArray[np.int32] | None = None,
    spans: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
) -> Columns:
    """Return the columns of a treebank as kernels take them, with other symbols for the labels, or spans, if given."""
    start, end = (treebank.start, treebank.end) if spans is None else spans
    return (
        treebank.label if symbols is None else symbols,
        treebank.parent,
        treebank.leftmost,
        start,
        end,
        treebank.kind,
        treebank.offsets,
    )


@dataclass(frozen=True, slots=True)
class Symbols:
    """Labels as numbers that are equal where labels count as equal.

    ``EQ_LABEL`` and ``EQ_WORD`` are not transitive, which suits brackets, where two labels are compared; an alignment
    and an edit distance need an equivalence, so there the pairs are closed transitively.

    Parameters
    ----------
    label_class : ndarray of int32, shape (labels,)
        The smallest label number each label is equal to.
    initial : ndarray of int32, shape (labels,)
        Number of each class's first character.
    equal : ndarray of int32, shape (pairs, 2)
        The pairs as they are.
    gold, test : ndarray of int32, shape (nodes,)
        Class of every node; words follow after all labels.
    """

    label_class: NDArray[np.int32]
    initial: NDArray[np.int32]
    equal: NDArray[np.int32]
    gold: NDArray[np.int32]
    test: NDArray[np.int32]


def symbols_of(pair: Pair, preset: Preset) -> Symbols:
    """Give the labels and words of a pair their numbers under a preset's equations."""
    vocabulary = pair.gold.treebank.vocabulary
    rules = preset.evalb
    strings = vocabulary.labels.strings()
    classes, known = _classes(vocabulary.labels, () if rules is None else rules.equal_labels)
    word_classes, _ = _classes(vocabulary.words, () if rules is None else rules.equal_words)
    first_characters = {character: number for number, character in enumerate(sorted({s[:1] for s in strings}))}
    initial = np.array([first_characters[strings[number][:1]] for number in classes.tolist()], dtype=np.int32)
    sides = []
    for side in (pair.gold.treebank, pair.test.treebank):
        is_word = side.kind == Kind.WORD
        symbols = np.empty_like(side.label)
        symbols[is_word] = word_classes[side.label[is_word]] + np.int32(len(strings))
        symbols[~is_word] = classes[side.label[~is_word]]
        sides.append(symbols)
    return Symbols(classes, initial, np.array(known, dtype=np.int32).reshape(-1, 2), sides[0], sides[1])


def _classes(table: StringTable, equal: Iterable[tuple[str, str]]) -> tuple[NDArray[np.int32], list[tuple[int, int]]]:
    """Return the smallest number that each string is equal to, and those of the pairs whose strings occur."""
    classes = np.arange(len(table), dtype=np.int32)
    pairs = [(table.find(one), table.find(other)) for one, other in equal]
    known = [pair for pair in pairs if min(pair) >= 0]
    for a, b in known:
        low, high = sorted((int(classes[a]), int(classes[b])))
        classes[classes == high] = low
    return classes, known
