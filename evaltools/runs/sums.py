"""Sums of counts and scores over groups of sentences, and figures from them.

A figure is a formula over such sums, and so is each of its resamples. Up to :data:`MAX_SINGLE` sentences, each sentence
is a group. Longer runs have :data:`GROUPS` groups, with sentence number modulo :data:`GROUPS`, which are resampled
instead of sentences. With a column of the metadata, such as the document, its values are the groups.

All sums are over sentences in their order, block by block, so that they never depend on threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.figures import FIGURES, Sentences, needed_columns
from evaltools.frameworks.metric import Metric, ratio
from evaltools.frameworks.registry import METRICS
from evaltools.runs.meta import metadata_keys

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.runs.database import FrameTables
    from evaltools.runs.store import Run

    Tables: TypeAlias = Run | FrameTables


LengthBins = list[tuple[int, int | None]]
"""First and last length of each bin, from 1; the last bin may be open."""

_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100)
_QUANTILE = 0.98
"""Share of the sentences that the bins of equal width must contain."""
_MAX_BINS = 8


def length_bins(lengths: NDArray[np.int64]) -> LengthBins:
    """Cut sentence lengths into bins of one round width.

    Examples
    --------
    >>> length_bins(np.array([3, 8, 12, 19, 4]))
    [(1, 5), (6, 10), (11, 15), (16, 20)]
    """
    lengths = lengths[lengths > 0]
    if not len(lengths):
        return []
    longest, covered = int(lengths.max()), int(np.quantile(lengths, _QUANTILE))
    width = next((width for width in _WIDTHS if width * _MAX_BINS >= covered), -(-covered // _MAX_BINS))
    number = max(1, -(-covered // width))
    bins: LengthBins = [(1 + index * width, (index + 1) * width) for index in range(number)]
    if longest > number * width:
        if number < _MAX_BINS:
            bins.append((number * width + 1, None))
        else:
            bins[-1] = (bins[-1][0], None)
    return bins


def figure_from_sums(figure: str, metric: Metric, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute a figure from sums: of the metric's counts, or of scores and of their number; a row each."""
    if figure.startswith("pooled"):
        return np.asarray(metric.score(dict(zip(metric.columns, sums.T, strict=True))), dtype=np.float64)
    return ratio(sums[:, 0], sums[:, 1])


MAX_SINGLE = 20_000
GROUPS = 1024
STEPS = 20
"""Steps from 0 to 1 of a histogram of scores."""

LEFT_OUT = "left_out"
"""Instead of the status of a sentence whose gold tree has nothing that counts."""
STATUS_SQL = f"case when sentences.sentences > 0 then status else '{LEFT_OUT}' end"
"""The status of a sentence, or that it is left out."""
_SENTENCES_PER_BLOCK = 50_000
"""Number of sentences whose columns are held at a time."""

Columns = Mapping[str, NDArray[Any]]
"""The columns of a table by name; missing numbers are NaN, missing texts None."""


Key = tuple[str, str]
"""A metric's id and a figure."""
_WORDS: Key = ("", "words")
"""In the place of a metric and a figure: all sentences, and their words."""


@dataclass(frozen=True, slots=True)
class _Total:
    """What a figure of a parser is computed from; each array has a value for each row."""

    columns: list[NDArray[np.float64]]  # Sums of the metric's counts, or of the scores and of their number
    members: NDArray[np.float64]  # Number of sentences
    mask: NDArray[np.uint8]  # Which sentences these are, eight to a byte

    def only(self, rows: NDArray[np.bool_]) -> _Total:
        """Return the sums of some rows; 0 in the others."""
        columns = [np.where(rows, sums, 0.0) for sums in self.columns]
        return _Total(columns, np.where(rows, self.members, 0.0), self.mask)


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over groups of sentences; a row is a group, or what a bin has of it."""

    run: Tables
    row_of_sentence: NDArray[np.int64]  # -1: the sentence is in no bin
    bins: NDArray[np.int64]  # The bin of each row
    totals: Mapping[str, Mapping[Key, _Total]]  # By parser
    grouped: bool  # Whether a group may have several sentences
    rows: NDArray[np.int64]  # The rows that count
    cluster: str = ""  # The column of the metadata whose values are the groups; empty for none
    parser: str = ""  # The only parser; empty for all

    def of(self, parser: str) -> Sums:
        """Return the sums of one parser."""
        return replace(self, parser=parser)

    def within(self, bin: int) -> Sums:  # noqa: A002 - the column's name
        """Return the sums of one bin."""
        return replace(self, rows=self.rows[self.bins[self.rows] == bin])

    @property
    def sentences(self) -> int:
        """Number of sentences of the parser."""
        return int(self.totals[self.parser][_WORDS].members[self.rows].sum())

    @property
    def words(self) -> float:
        """Number of words of these sentences."""
        return float(self.totals[self.parser][_WORDS].columns[0][self.rows].sum())

    def columns(self, metric: Metric, figure: str) -> list[NDArray[np.float64]]:
        """Return the sums in each group that a figure is computed from: counts, or scores and their number."""
        return [column[self.rows] for column in self.totals[self.parser][metric.id, figure].columns]

    def members(self, metric: Metric, figure: str) -> NDArray[np.float64]:
        """Return the number of sentences of a figure in each group: with counts if it is pooled, with scores if not."""
        return self.totals[self.parser][metric.id, figure].members[self.rows]

    def figure(self, metric: Metric, figure: str) -> float:
        """Return a figure of all groups, NaN where undefined."""
        totals = np.array([[column.sum() for column in self.columns(metric, figure)]])
        return float(figure_from_sums(figure, metric, totals)[0])

    def n(self, metric: Metric, figure: str) -> int:
        """Return the number of sentences of a figure."""
        return int(self.members(metric, figure).sum())

    def shared(self, parser_a: str, parser_b: str, metric: Metric, figure: str) -> tuple[Sums, Sums]:
        """Return the sums of two parsers over the sentences that count in a figure of both."""
        key, parsers = (metric.id, figure), (parser_a, parser_b)
        sides = {parser: self.totals[parser][key] for parser in parsers}
        if np.array_equal(sides[parser_a].mask, sides[parser_b].mask):
            return self.of(parser_a), self.of(parser_b)
        n = len(self.row_of_sentence)
        both = np.unpackbits(sides[parser_a].mask & sides[parser_b].mask, count=n).astype(np.bool_)
        rows = np.where(both, self.row_of_sentence, -1)
        if self.grouped:
            totals = {parser: _totals(self.run, parser, [metric], rows, len(self.bins)) for parser in parsers}
        else:
            inside = np.isin(np.arange(len(self.bins)), rows)
            totals = {parser: {key: side.only(inside)} for parser, side in sides.items()}
        shared = replace(self, totals=totals)
        return shared.of(parser_a), shared.of(parser_b)


def metric_columns(metrics: Sequence[Metric]) -> list[str]:
    """Return the columns of the table of sentences that the figures of some metrics need."""
    counts = [name for metric in metrics for name in needed_columns(metric)]
    return list(dict.fromkeys(["words", "status", "sentences", "words_aligned", *counts]))


def sentence_blocks(
    run: Tables, parser: str, metrics: Sequence[Metric], others: Sequence[str] = ()
) -> Iterator[tuple[NDArray[np.int64], Sentences]]:
    """Yield blocks of a parser's sentences in their order: their numbers, from 1, and their columns."""
    columns = ", ".join(dict.fromkeys([*metric_columns(metrics), *others]))
    sql = f"select sentence, {columns} from sentences where parser = ? and sentence between ? and ?"
    for first in range(1, max(run.n_sentences, 1) + 1, _SENTENCES_PER_BLOCK):
        last = min(first + _SENTENCES_PER_BLOCK - 1, run.n_sentences)
        rows = run.columns(sql, [parser, first, last])
        numbers = np.asarray(rows["sentence"], dtype=np.int64)
        order = np.argsort(numbers, kind="stable")
        yield numbers[order], Sentences({name: np.asarray(column)[order] for name, column in rows.items()})


def _totals(
    run: Tables, parser: str, metrics: Sequence[Metric], row_of_sentence: NDArray[np.int64], n_rows: int
) -> dict[Key, _Total]:
    """Add up the sentences of a parser that are in a row, for all figures of some metrics."""
    by_id, n = {metric.id: metric for metric in metrics}, len(row_of_sentence)
    masks = {key: np.zeros(n, dtype=np.bool_) for key in (_WORDS, *product(by_id, FIGURES))}
    sums: dict[Key, list[NDArray[np.float64]]] = {}
    for numbers, block in sentence_blocks(run, parser, metrics):
        rows = row_of_sentence[numbers - 1]
        for key, in_figure in masks.items():
            if key == _WORDS:
                mask, values = np.ones(len(rows), dtype=np.bool_), [np.nan_to_num(block.numbers("words"))]
            else:
                mask, values = block.summands(by_id[key[0]], key[1])
            chosen = np.flatnonzero(mask & (rows >= 0))
            at = rows[chosen]
            own = [
                np.asarray(np.bincount(at, column, n_rows), dtype=np.float64)
                for column in (*(column[chosen] for column in values), np.ones(len(chosen)))
            ]
            sums[key] = [a + b for a, b in zip(sums[key], own, strict=True)] if key in sums else own
            in_figure[numbers[chosen] - 1] = True
    unique: dict[bytes, NDArray[np.float64]] = {}  # equal sums are held once
    totals = {}
    for key, columns in sums.items():
        *own, members = (unique.setdefault(column.tobytes(), column) for column in columns)
        totals[key] = _Total(own, members, np.packbits(masks[key]))
    return totals


def metadata_groups(run: Tables, key: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return the values of a column of the metadata in their order, and each sentence's value from 1; 0 for none.

    Raises
    ------
    ParameterError
        If there is no such column.
    """
    keys = metadata_keys(run.meta)
    if not keys:
        raise ParameterError(f"the run has no metadata, so no {key}; score with --metadata FILE, or comments (CoNLL-U)")
    if key not in keys:
        raise ParameterError.unknown("metadata column", key, keys)
    rows = run.columns("select sentence, value from metadata where key = ? and value is not null", [key])
    sentence = rows["sentence"]
    inside = (sentence >= 1) & (sentence <= run.n_sentences)  # a damaged run may have other numbers
    values, index = np.unique(rows["value"].astype(object), return_inverse=True)
    numbers = np.zeros(run.n_sentences, dtype=np.int64)
    numbers[sentence[inside] - 1] = index.reshape(-1)[inside] + 1
    return values.tolist(), numbers


def units_of(run: Tables, cluster: str = "") -> NDArray[np.int64] | None:
    """Return what each sentence is resampled with: a value of a column, a group of a long run, or None for nothing.

    A sentence without a value is a unit of its own.
    """
    sentences = np.arange(1, run.n_sentences + 1, dtype=np.int64)
    if cluster:
        _, numbers = metadata_groups(run, cluster)
        _, units = np.unique(np.where(numbers > 0, numbers, -sentences), return_inverse=True)
        return units.reshape(-1).astype(np.int64)
    return sentences % GROUPS if run.n_sentences > MAX_SINGLE else None


def sum_sentences(
    run: Tables,
    metrics: Sequence[str],
    *,
    cluster: str = "",
    bins: NDArray[np.int64] | None = None,
    parsers: Sequence[str] | None = None,
) -> Sums:
    """Add up the sentences of every parser, or of some.

    `cluster`: a column of the metadata whose values are the groups, where sentences without a value are groups of their
    own; `bins`: the bin of each sentence, which is in none if it is below 0.
    """
    units = units_of(run, cluster)
    groups = np.arange(1, run.n_sentences + 1, dtype=np.int64) if units is None else units
    bins = np.zeros(run.n_sentences, dtype=np.int64) if bins is None else bins
    inside = bins >= 0
    rows, index = np.unique(np.column_stack([bins, groups])[inside], axis=0, return_inverse=True)
    row_of_sentence = np.full(run.n_sentences, -1, dtype=np.int64)
    row_of_sentence[inside] = index.reshape(-1)
    chosen, n_rows = [METRICS[name] for name in metrics], len(rows)
    totals = {parser: _totals(run, parser, chosen, row_of_sentence, n_rows) for parser in parsers or run.parsers}
    return Sums(run, row_of_sentence, rows[:, 0], totals, units is not None, np.arange(n_rows), cluster)


def score_steps(run: Tables, metric: str, steps: int) -> pd.DataFrame:
    """Count each parser's parsed sentences by score."""
    import pandas as pd

    item = METRICS[metric]
    unit = steps if item.is_share else 1
    rows = []
    for parser in run.parsers:
        blocks = [block.scores(item) for _, block in sentence_blocks(run, parser, [item])]
        scores = np.concatenate([np.zeros(0), *blocks])
        scores = scores[~np.isnan(scores)]
        occurring, counts = np.unique(np.floor((scores + 1e-9) * unit).astype(np.int64), return_counts=True)
        rows += [
            {"parser": parser, "step": step, "count": count}
            for step, count in zip(occurring.tolist(), counts.tolist(), strict=True)
        ]
    return pd.DataFrame(rows, columns=["parser", "step", "count"])


def sum_by_length(run: Tables, metric: str, cluster: str = "") -> tuple[Sums, LengthBins]:
    """Add up the sentences by length in words, and return the bins; empty gold trees are in none."""
    lengths = np.zeros(run.n_sentences, dtype=np.int64)
    for numbers, block in sentence_blocks(run, run.parsers[0], []):
        lengths[numbers - 1] = block.numbers("words")
    bins = length_bins(lengths)
    index = np.searchsorted([first for first, _ in bins], lengths, side="right") - 1
    return sum_sentences(run, [metric], bins=index, cluster=cluster), bins
