"""Sums of counts and scores over groups of sentences, and figures from them.

A figure is a formula over such sums, and so is each of its resamples. Up to :data:`MAX_SINGLE` sentences, each sentence
is a group. Longer runs have :data:`GROUPS` groups, with sentence number modulo :data:`GROUPS`, which are resampled
instead of sentences. With a column of the metadata, such as the document, its values are the groups.

All sums are over sentences in their order, block by block, so that they never depend on threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.figures import FIGURES, Sentences, needed_columns
from evaltools.frameworks.formulas import ratio
from evaltools.frameworks.metric import Metric
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


def length_bins(lengths: NDArray[np.int64], max_bins: int = 8) -> LengthBins:
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
    width = next((width for width in _WIDTHS if width * max_bins >= covered), -(-covered // max_bins))
    number = max(1, -(-covered // width))
    bins: LengthBins = [(1 + index * width, (index + 1) * width) for index in range(number)]
    if longest > number * width:
        if number < max_bins:
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
        rows, index = np.unique(np.column_stack([bins, groups])[inside], axis=0, return_inverse=True)
        row_of_sentence = np.full(len(groups), -1, dtype=np.int64)
        row_of_sentence[inside] = index.reshape(-1)
        return cls(row_of_sentence, rows[:, 1], rows[:, 0])


@dataclass(frozen=True, slots=True)
class _Total:
    """What a figure of a parser is computed from; each array has a value for each row of the division."""

    columns: list[NDArray[np.float64]]  # Sums of the metric's counts, or of the scores and of their number
    members: NDArray[np.float64]  # Number of sentences
    mask: NDArray[np.uint8]  # Which sentences these are, eight to a byte

    def only(self, rows: NDArray[np.bool_]) -> _Total:
        """Return the sums of some rows; 0 in the others."""
        return _Total(
            [np.where(rows, sums, 0.0) for sums in self.columns], np.where(rows, self.members, 0.0), self.mask
        )


@dataclass(frozen=True, slots=True)
class _ParserSums:
    """The sums of one parser: a value for each row of the division."""

    sentences: NDArray[np.float64]
    words: NDArray[np.float64]
    totals: Mapping[tuple[str, str], _Total]  # By metric id and figure


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over groups of sentences."""

    run: Tables
    division: _Division
    by_parser: Mapping[str, _ParserSums]
    grouped: bool  # Whether a group may have several sentences
    rows: NDArray[np.int64]  # The rows of the division that belong to it
    cluster: str = ""  # The column of the metadata whose values are the groups; empty for none
    parser: str = ""  # The only parser; empty for all

    def of(self, parser: str) -> Sums:
        """Return the sums of one parser."""
        return replace(self, parser=parser)

    def within(self, bin: int) -> Sums:  # noqa: A002 - the column's name
        """Return the sums of one bin."""
        return replace(self, rows=self.rows[self.division.bins[self.rows] == bin])

    @property
    def sentences(self) -> int:
        """Number of sentences of the parser."""
        return int(self.by_parser[self.parser].sentences[self.rows].sum())

    @property
    def words(self) -> float:
        """Number of words of these sentences."""
        return float(self.by_parser[self.parser].words[self.rows].sum())

    def columns(self, metric: Metric, figure: str) -> list[NDArray[np.float64]]:
        """Return the sums in each group that a figure is computed from: counts, or scores and their number."""
        total = self.by_parser[self.parser].totals[metric.id, figure]
        return [column[self.rows] for column in total.columns]

    def members(self, metric: Metric, figure: str) -> NDArray[np.float64]:
        """Return the number of sentences of a figure in each group: with counts if it is pooled, with scores if not."""
        return self.by_parser[self.parser].totals[metric.id, figure].members[self.rows]

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
        sides = [self.by_parser[parser].totals[key] for parser in parsers]
        if np.array_equal(sides[0].mask, sides[1].mask):
            return self.of(parser_a), self.of(parser_b)
        row_of_sentence = self.division.row_of_sentence
        both = np.unpackbits(sides[0].mask & sides[1].mask, count=len(row_of_sentence)).astype(np.bool_)
        if self.grouped:
            only = {parser: _sums_of_parser(self.run, parser, [metric], self.division, both) for parser in parsers}
        else:
            rows = np.isin(np.arange(len(self.division.groups)), row_of_sentence[both])
            only = {
                parser: replace(self.by_parser[parser], totals={key: side.only(rows)})
                for parser, side in zip(parsers, sides, strict=True)
            }
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
    n_rows, n_sentences = len(division.groups), len(division.row_of_sentence)
    sentences, words = np.zeros(n_rows), np.zeros(n_rows)
    keys = [(metric, figure) for metric in metrics for figure in FIGURES]
    columns: dict[tuple[str, str], list[NDArray[np.float64]]] = {}
    masks = {(metric.id, figure): np.zeros(n_sentences, dtype=np.bool_) for metric, figure in keys}
    for numbers, block in sentence_blocks(run, parser, metrics):
        rows = division.row_of_sentence[numbers - 1]
        inside = rows >= 0 if only is None else (rows >= 0) & only[numbers - 1]
        sentences += np.bincount(rows[inside], minlength=n_rows)
        words += np.bincount(rows[inside], np.nan_to_num(block.numbers("words")[inside]), n_rows)
        for metric, figure in keys:
            mask, values = block.summands(metric, figure)
            chosen = np.flatnonzero(mask & inside)
            at = rows[chosen]
            sums = [
                np.asarray(np.bincount(at, column, n_rows), dtype=np.float64)
                for column in (*(column[chosen] for column in values), np.ones(len(chosen)))
            ]
            before = columns.get((metric.id, figure))
            columns[metric.id, figure] = sums if before is None else [a + b for a, b in zip(before, sums, strict=True)]
            masks[metric.id, figure][numbers[chosen] - 1] = True
    unique: dict[bytes, NDArray[np.float64]] = {}  # equal sums are held once
    totals = {}
    for key, sums in columns.items():
        *own, members = (unique.setdefault(column.tobytes(), column) for column in sums)
        totals[key] = _Total(own, members, np.packbits(masks[key]))
    return _ParserSums(sentences, words, totals)


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
    quoted = key.replace("'", "''")
    rows = run.columns(
        "select sentence, value, dense_rank() over (order by value)::bigint as number "
        f"from metadata where key = '{quoted}'"
    )
    sentence, number = rows["sentence"], rows["number"]
    inside = (sentence >= 1) & (sentence <= run.n_sentences)  # a damaged run may have other numbers
    numbers = np.zeros(run.n_sentences, dtype=np.int64)
    numbers[sentence[inside] - 1] = number[inside]
    _, first = np.unique(number, return_index=True)
    return rows["value"][first].tolist(), numbers


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
    division = _Division.of(groups, np.zeros(run.n_sentences, dtype=np.int64) if bins is None else bins)
    chosen = [METRICS[name] for name in metrics]
    by_parser = {parser: _sums_of_parser(run, parser, chosen, division) for parser in parsers or run.parsers}
    return Sums(run, division, by_parser, units is not None, np.arange(len(division.groups)), cluster)


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


def sum_by_length(run: Tables, metric: str, cluster: str = "") -> tuple[Sums, LengthBins]:
    """Add up the sentences by length in words, and return the bins; empty gold trees are in none."""
    lengths = np.zeros(run.n_sentences, dtype=np.int64)
    for numbers, block in sentence_blocks(run, run.parsers[0], []):
        lengths[numbers - 1] = block.numbers("words")
    bins = length_bins(lengths)
    index = np.searchsorted([first for first, _ in bins], lengths, side="right") - 1
    return sum_sentences(run, [metric], bins=index, cluster=cluster), bins
