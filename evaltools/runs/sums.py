"""Sums of counts and scores over groups of sentences, and figures from them.

A figure is a formula over such sums, and so is each of its resamples. Up to :data:`MAX_SINGLE` sentences, each sentence
is a group. Longer runs have :data:`GROUPS` groups, with sentence number modulo :data:`GROUPS`, which are resampled
instead of sentences. With a column of the metadata, such as the document, its values are the groups.

All sums are over sentences in their order, block by block, so that they never depend on threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.figures import Sentences, count_column, needed_columns, over_of
from evaltools.frameworks.formulas import ratio
from evaltools.frameworks.metric import ZERO, Metric
from evaltools.frameworks.registry import METRICS

if TYPE_CHECKING:
    import pandas as pd


LengthBins = list[tuple[int, int | None]]
"""First and last length of each bin, from 1; the last bin may be open."""

_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100)
_QUANTILE = 0.98
"""Share of the sentences that the bins of equal width must contain."""


def length_bins(lengths: Mapping[int, int], max_bins: int = 8) -> LengthBins:
    """Cut sentence lengths into bins of one round width.

    Examples
    --------
    >>> length_bins({3: 1, 8: 1, 12: 1, 19: 1, 4: 1})
    [(1, 5), (6, 10), (11, 15), (16, 20)]
    """
    if not lengths:
        return []
    longest, covered = max(lengths), int(_quantile(lengths, _QUANTILE))
    width = next((width for width in _WIDTHS if width * max_bins >= covered), -(-covered // max_bins))
    number = max(1, -(-covered // width))
    bins: LengthBins = [(1 + index * width, (index + 1) * width) for index in range(number)]
    if longest > number * width:
        if number < max_bins:
            bins.append((number * width + 1, None))
        else:
            bins[-1] = (bins[-1][0], None)
    return bins


def _quantile(counts: Mapping[int, int], share: float) -> float:
    """Return the quantile of values given with their counts, as numpy interpolates it."""
    values = sorted(counts)
    ends = np.cumsum([counts[value] for value in values])
    index = share * (int(ends[-1]) - 1)
    below = int(index)
    low, high = (
        values[int(np.searchsorted(ends, rank, side="right"))] for rank in (below, min(below + 1, ends[-1] - 1))
    )
    return low + (high - low) * (index - below)


def figure_from_sums(figure: str, metric: Metric, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute a figure from sums: of the metric's counts, or of scores and of their number; a row each."""
    if figure.startswith("pooled"):
        return np.asarray(metric.score(dict(zip(metric.columns, sums.T, strict=True))), dtype=np.float64)
    return ratio(sums[:, 0], sums[:, 1])


def columns_of(sums: Sums, metric: Metric, figure: str) -> list[NDArray[np.float64]]:
    """Return the sums in each group that a figure is computed from: counts, or scores and their number."""
    over = over_of(figure)
    if figure.startswith("pooled"):
        return [sums.count(metric, over, name) for name in metric.columns]
    return [sums.score(metric, over), sums.defined(metric, over)]


def members_of(sums: Sums, metric: Metric, figure: str) -> NDArray[np.float64]:
    """Return the number of sentences of a figure in each group: with counts if it is pooled, with a score if a mean."""
    over = over_of(figure)
    return sums.members(metric, over) if figure.startswith("pooled") else sums.defined(metric, over)


def figure_of(sums: Sums, metric: Metric, figure: str) -> float:
    """Return one of the figures of the sentences that were added up, NaN where undefined."""
    columns = columns_of(sums, metric, figure)
    return float(figure_from_sums(figure, metric, np.array([[column.sum() for column in columns]]))[0])


def n_of(sums: Sums, metric: Metric, figure: str) -> int:
    """Return the number of sentences of a figure."""
    return int(members_of(sums, metric, figure).sum())


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

_Key = tuple[str, str, str]
"""Metric id, ``"scored"`` or ``"all"``, and what is added up: a count column, or one of the following."""
_MEMBERS, _SCORE, _DEFINED = " members", " score", " defined"


class Tables(Protocol):
    """The tables of a run, such as :class:`evaltools.Run`."""

    @property
    def parsers(self) -> list[str]:
        """Names of the parsers."""

    @property
    def n_sentences(self) -> int:
        """Number of gold sentences."""

    def columns(self, sql: str, parameters: list[Any] | None = None) -> Columns:
        """Run an SQL query."""


@dataclass(frozen=True, slots=True)
class _Division:
    """The rows of sums: one for each group in each bin."""

    row_of_sentence: NDArray[np.int64]  # -1: the sentence is in no bin
    groups: NDArray[np.int64]  # The group of each row
    bins: NDArray[np.int64]  # The bin of each row

    @classmethod
    def of(cls, groups: NDArray[np.int64], bins: NDArray[np.int64]) -> _Division:
        """Return the division of sentences with these groups and bins; they are in none if their bin is below 0."""
        inside = bins >= 0
        pairs = np.column_stack([bins, groups])[inside]
        rows, index = np.unique(pairs, axis=0, return_inverse=True)
        row_of_sentence = np.full(len(groups), -1, dtype=np.int64)
        row_of_sentence[inside] = index.reshape(-1)
        return cls(row_of_sentence, rows[:, 1], rows[:, 0])

    @property
    def sentence_of_row(self) -> NDArray[np.int64]:
        """The sentence of each row, from 0; one of them if there are several."""
        sentences = np.zeros(len(self.groups), dtype=np.int64)
        inside = np.flatnonzero(self.row_of_sentence >= 0)
        sentences[self.row_of_sentence[inside]] = inside
        return sentences


@dataclass(frozen=True, slots=True)
class _ParserSums:
    """The sums of one parser: a value for each row of the division."""

    sentences: NDArray[np.float64]
    words: NDArray[np.float64]
    values: Mapping[_Key, NDArray[np.float64]]
    masks: Mapping[_Key, tuple[bytes, ...]]  # Which sentences are members, or have a score: bits, in blocks

    def only(self, metric: Metric, rows: NDArray[np.bool_]) -> _ParserSums:
        """Return the sums of one metric in some rows; 0 in the others."""
        values = {key: np.where(rows, sums, 0.0) for key, sums in self.values.items() if key[0] == metric.id}
        return _ParserSums(np.where(rows, self.sentences, 0.0), np.where(rows, self.words, 0.0), values, {})


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over groups of sentences."""

    run: Tables
    division: _Division
    by_parser: Mapping[str, _ParserSums]
    grouped: bool  # Whether a group may have several sentences
    rows: NDArray[np.int64]  # The rows of the division that belong to it
    cluster: str = ""  # The column of the metadata whose values are the groups; empty for none
    parser: str | None = None  # The only parser; None for all

    def of(self, parser: str) -> Sums:
        """Return the sums of one parser."""
        return replace(self, parser=parser)

    def within(self, bin: int) -> Sums:  # noqa: A002 - the column's name
        """Return the sums of one bin."""
        return replace(self, rows=self.rows[self.division.bins[self.rows] == bin])

    @property
    def groups(self) -> NDArray[np.int64]:
        """The groups, in order."""
        return self.division.groups[self.rows]

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return int(sum(sums.sentences[self.rows].sum() for sums in self._parsers))

    @property
    def words(self) -> float:
        """Number of words."""
        return float(sum(sums.words[self.rows].sum() for sums in self._parsers))

    @property
    def _parsers(self) -> list[_ParserSums]:
        return list(self.by_parser.values()) if self.parser is None else [self.by_parser[self.parser]]

    def members(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return the numbers of sentences that a micro figure includes, shape (groups,)."""
        return self._values(metric, over, _MEMBERS)

    def count(self, metric: Metric, over: str, name: str) -> NDArray[np.float64]:
        """Return the sums of a count column of a metric, shape (groups,); NaN if the column is empty in this run."""
        return self._values(metric, over, name)

    def score(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return the sums of the scores, shape (groups,)."""
        return self._values(metric, over, _SCORE)

    def defined(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return the numbers of sentences with a score, shape (groups,)."""
        return self._values(metric, over, _DEFINED)

    def _values(self, metric: Metric, over: str, name: str) -> NDArray[np.float64]:
        (sums,) = self._parsers
        return sums.values[metric.id, over, name][self.rows]

    def shared(self, parser_a: str, parser_b: str, metric: Metric, figure: str) -> tuple[Sums, Sums]:
        """Return the sums of two parsers over the sentences that count in a figure of both."""
        over = over_of(figure)
        name = _MEMBERS if figure.startswith("pooled") else _DEFINED
        parts = [self.by_parser[parser].masks[metric.id, over, name] for parser in (parser_a, parser_b)]
        if parts[0] == parts[1]:
            return self.of(parser_a), self.of(parser_b)
        first, second = (np.unpackbits(np.frombuffer(b"".join(blocks), dtype=np.uint8)) for blocks in parts)
        both = (first & second).astype(np.bool_)
        only = {}
        for parser in (parser_a, parser_b):
            if self.grouped:
                only[parser] = _sums_of_parser(self.run, parser, [metric], self.division, both)
            else:
                only[parser] = self.by_parser[parser].only(metric, both[self.division.sentence_of_row])
        shared = replace(self, by_parser=only)
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


def _sums_of_parser(
    run: Tables, parser: str, metrics: Sequence[Metric], division: _Division, only: NDArray[np.bool_] | None = None
) -> _ParserSums:
    """Add up the sentences of a parser, or only those for which `only` is true."""
    n_rows = len(division.groups)
    sums: dict[_Key, NDArray[np.float64]] = {}
    masks: dict[_Key, list[bytes]] = {}
    sentences, words = np.zeros(n_rows), np.zeros(n_rows)
    for numbers, block in sentence_blocks(run, parser, metrics):
        inside = division.row_of_sentence[numbers - 1] >= 0
        if only is not None:
            inside &= only[numbers - 1]
        adder = _Adder(division, numbers, inside)
        sentences += adder.number(inside)
        words += adder.sum("words", block.numbers("words"), inside)
        for metric in metrics:
            for over in ("scored", "all"):
                every = over == "all"
                members, scores = block.members(metric, every=every), block.scores(metric, every=every)
                known = ~np.isnan(scores)
                parts = {_MEMBERS: adder.number(members), _DEFINED: adder.number(known)}
                parts[_SCORE] = adder.sum(f"{metric.id} {over}", scores, known)
                for name, values in block.counts(metric, every=every).items():
                    column = count_column(metric, name, every=every)
                    parts[name] = adder.sum(f"{name} {column}" if column == ZERO else column, values, members)
                for name, values in parts.items():
                    key = (metric.id, over, name)
                    sums[key] = sums[key] + values if key in sums else values
                for name, mask in ((_MEMBERS, members), (_DEFINED, known)):
                    masks.setdefault((metric.id, over, name), []).append(adder.bits(mask))
    return _ParserSums(sentences, words, sums, {key: tuple(blocks) for key, blocks in masks.items()})


class _Adder:
    """Adds up a block of sentences; equal sums are computed once."""

    def __init__(self, division: _Division, numbers: NDArray[np.int64], inside: NDArray[np.bool_]) -> None:
        self._n_rows = len(division.groups)
        self._inside = inside
        self._rows = division.row_of_sentence[numbers - 1]
        self._positions = (numbers - 1) % _SENTENCES_PER_BLOCK
        self._n = min(_SENTENCES_PER_BLOCK, len(division.row_of_sentence))
        self._sums: dict[tuple[str, bytes], NDArray[np.float64]] = {}
        self._bits: dict[bytes, bytes] = {}

    def bits(self, mask: NDArray[np.bool_]) -> bytes:
        """Return which sentences of the run a mask of those of the block names, eight to a byte."""
        named = np.zeros(self._n, dtype=np.bool_)
        named[self._positions] = mask & self._inside
        bits = np.packbits(named).tobytes()
        return self._bits.setdefault(bits, bits)

    def number(self, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the number of sentences in each row."""
        return self.sum(" number", np.ones(len(mask)), mask)

    def sum(self, name: str, values: NDArray[np.float64], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the sum in each row over the sentences for which the mask is true."""
        key = (name, self.bits(mask))
        if key not in self._sums:
            chosen = mask & self._inside
            sums = np.bincount(self._rows[chosen], np.nan_to_num(values[chosen]), self._n_rows).astype(np.float64)
            sums.flags.writeable = False  # it is returned again
            self._sums[key] = sums
        return self._sums[key]


def group_numbers_sql(key: str) -> str:
    """Return the SQL of ``sentence``, ``value`` of a column of the metadata, and ``number`` of the value, from 1."""
    quoted = key.replace("'", "''")
    number = "dense_rank() over (order by value)::bigint as number"
    return f"select sentence, value, {number} from metadata where key = '{quoted}'"


def sum_sentences(
    run: Tables,
    metrics: Sequence[str],
    *,
    by: str = "",
    cluster: str = "",
    bins: NDArray[np.int64] | None = None,
    parsers: Sequence[str] | None = None,
) -> Sums:
    """Add up the sentences of every parser, or of some.

    `by`: a column of the metadata whose values are the bins, numbered as in :func:`group_numbers_sql`, 0 for none;
    `cluster`: one whose values are the groups, where sentences without a value are groups of their own; `bins`: the
    bin of each sentence, which is in none if it is below 0.
    """
    sentences = np.arange(1, run.n_sentences + 1, dtype=np.int64)
    grouped = run.n_sentences > MAX_SINGLE or bool(cluster)
    groups = sentences % GROUPS if grouped else sentences
    if cluster:
        numbers = _value_numbers(run, cluster)
        groups = np.where(numbers > 0, numbers, -sentences)
    if bins is None:
        bins = _value_numbers(run, by) if by else np.zeros(run.n_sentences, dtype=np.int64)
    division = _Division.of(groups, bins)
    chosen = [METRICS[name] for name in metrics]
    by_parser = {parser: _sums_of_parser(run, parser, chosen, division) for parser in parsers or run.parsers}
    return Sums(run, division, by_parser, grouped, np.arange(len(division.groups)), cluster)


def _value_numbers(run: Tables, key: str) -> NDArray[np.int64]:
    rows = run.columns(group_numbers_sql(key))
    numbers = np.zeros(run.n_sentences, dtype=np.int64)
    numbers[np.asarray(rows["sentence"], dtype=np.int64) - 1] = np.asarray(rows["number"])
    return numbers


def score_steps(run: Tables, metric: str, steps: int) -> pd.DataFrame:
    """Count each parser's parsed sentences by score."""
    import pandas as pd

    item = METRICS[metric]
    unit, best = steps if item.is_share else 1, 1 if item.higher_is_better else 0
    rows = []
    for parser in run.parsers:
        blocks = [block.scores(item) for _, block in sentence_blocks(run, parser, [item])]
        scores = np.concatenate([np.zeros(0), *blocks])
        scores = scores[~np.isnan(scores)]
        found, index = np.unique(np.floor((scores + 1e-9) * unit).astype(np.int64), return_inverse=True)
        counts, perfect = np.bincount(index), np.bincount(index, np.abs(scores - best) < 1e-9)
        rows += [
            {"parser": parser, "step": step, "count": count, "best": int(n_best)}
            for step, count, n_best in zip(found.tolist(), counts.tolist(), perfect.tolist(), strict=True)
        ]
    return pd.DataFrame(rows, columns=["parser", "step", "count", "best"])


def _lengths(run: Tables) -> NDArray[np.int64]:
    """Return the number of words of each gold sentence."""
    lengths = np.zeros(run.n_sentences, dtype=np.int64)
    for numbers, block in sentence_blocks(run, run.parsers[0], []):
        lengths[numbers - 1] = block.numbers("words")
    return lengths


def length_counts(run: Tables) -> dict[int, int]:
    """Return the number of sentences by length in words, without empty gold trees."""
    lengths, counts = np.unique(_lengths(run), return_counts=True)
    return {length: n for length, n in zip(lengths.tolist(), counts.tolist(), strict=True) if length > 0}


def sum_by_length(run: Tables, metric: str, bins: Sequence[tuple[int, int | None]], cluster: str = "") -> Sums:
    """Add up the sentences by length."""
    width = bins[1][0] - bins[0][0] if len(bins) > 1 else 1
    lengths = _lengths(run)
    indices = np.minimum((lengths - 1) // width, max(len(bins) - 1, 0))
    return sum_sentences(run, [metric], bins=np.where(lengths > 0, indices, -1), cluster=cluster)
