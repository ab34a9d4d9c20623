"""Sums of counts and scores over groups of sentences, computed by DuckDB.

A figure is a formula over such sums, and so is each of its resamples. Up to :data:`MAX_SINGLE` sentences, each sentence
is a group. Longer runs have :data:`GROUPS` groups, with sentence number modulo :data:`GROUPS`, which are resampled
instead of sentences. With a column of the metadata, such as the document, its values are the groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError, RunError
from evaltools.frameworks.common.status import Status
from evaltools.frameworks.formulas import exact_sum
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "GROUPS",
    "LEFT_OUT",
    "MAX_SINGLE",
    "STATUS_SQL",
    "STEPS",
    "Columns",
    "Query",
    "Sums",
    "condition",
    "formula",
    "group_numbers_sql",
    "has",
    "length_counts",
    "score_sql",
    "score_steps",
    "status_counts",
    "sum_by_length",
    "sum_sentences",
]

MAX_SINGLE = 20_000
GROUPS = 1024
STEPS = 20
"""Steps from 0 to 1 of a histogram of scores."""

LEFT_OUT = "left_out"
"""Instead of the status of a sentence whose gold tree has nothing that counts."""
STATUS_SQL = f"case when sentences.sentences > 0 then status else '{LEFT_OUT}' end"
"""The status of a sentence, or that it is left out."""
_TEXTS = ("parser", "status")
_NUMBERS = ("place", "bin", "step", "count", "best", "sentences")
_BITS = 62
"""Number of bits used of an integer column; each bit is for a figure that all parsers have for a sentence."""

Columns = Mapping[str, NDArray[Any]]
"""The columns of a table by name; missing numbers are NaN, missing texts None."""

Query = Callable[[str], "Columns | pd.DataFrame"]
"""A function that runs SQL on the tables of a run, such as :meth:`evaltools.Run.columns`."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over groups of sentences."""

    # ``parser``, ``bin`` (0 without bins), ``place`` (the group), ``sentences`` and ``words`` (their numbers);
    # a Boolean column for each condition; the sums; integer columns with a bit for each figure that all parsers have.
    table: Columns
    conditions: Mapping[str, str]  # Columns of `table` by the SQL of the condition
    sums: Mapping[str, str]  # Columns of `table` by the SQL of the sum
    shared: Mapping[str, int]  # Bits by the SQL of what all parsers must have; empty without ``common=True``
    grouped: bool  # Whether a group may have several sentences
    rows: NDArray[np.int64]  # The rows of `table` that belong to it
    groups: NDArray[np.int64]  # The groups, in order
    mask: NDArray[np.bool_] | None = None  # Whether each row of `table` counts; by default all do
    cluster: str = ""  # The column of the metadata whose values are the groups; empty for none
    _rows_by_condition: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _added: dict[tuple[str, str], NDArray[np.float64]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of(self, parser: str) -> Sums:
        """Return the sums of one parser."""
        return replace(self, rows=self.rows[self.table["parser"][self.rows] == parser])

    def common(self, metric: Metric, figure: str) -> Sums:
        """Return the sums over the sentences that count in the figure of every parser."""
        # Parsers without such a figure are ignored.
        sql = has(metric, figure)
        if sql not in self.shared:
            raise ParameterError("sums without common=True do not record which sentences all parsers have")
        word, bit = divmod(self.shared[sql], _BITS)
        return replace(self, mask=(self.table[f"shared_{word}"] >> bit) & 1 == 1)

    def within(self, bin: int) -> Sums:  # noqa: A002 - the column's name
        """Return the sums of one bin."""
        rows = self.rows[self.table["bin"][self.rows] == bin]
        return replace(self, rows=rows, groups=np.unique(self.table["place"][rows]))

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return int(self.table["sentences"][self.rows].sum())

    @property
    def words(self) -> float:
        """Number of words."""
        return float(self.table["words"][self.rows].sum())

    def members(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return the numbers of sentences that count, shape (groups,); `over` as in :func:`condition`."""
        return self._sums_by_group("sentences", metric, over)

    def count(self, metric: Metric, over: str, name: str) -> NDArray[np.float64]:
        """Return the sums of a count column of a metric, shape (groups,); NaN if the column is empty in this run."""
        column = self.sums[f"sum({_column(metric, over, name)})"]
        zero = over == "all" and name in metric.zero_over_all
        if len(self.rows) and not zero and np.isnan(self.table[column][self.rows]).all():
            return np.full(len(self.groups), np.nan)
        return self._sums_by_group(column, metric, over)

    def score(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return the sums of the scores, shape (groups,)."""
        return self._sums_by_group(self.sums[f"sum({formula(metric, over)})"], metric, over)

    def defined(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return the numbers of sentences with a score, shape (groups,)."""
        return self._sums_by_group(self.sums[f"count({formula(metric, over)})"], metric, over)

    def _sums_by_group(self, column: str, metric: Metric, over: str) -> NDArray[np.float64]:
        counts_if = self.conditions[condition(metric, over)]
        if (column, counts_if) not in self._added:
            rows, groups = self._counting_rows(counts_if)
            values = self.table[column][rows].astype(np.float64)
            sums = np.bincount(groups, np.where(np.isnan(values), 0.0, values), len(self.groups)).astype(np.float64)
            sums.flags.writeable = False  # it is returned again
            self._added[column, counts_if] = sums
        return self._added[column, counts_if]

    def _counting_rows(self, column: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows for which the column of a condition is true, and the indices of their groups."""
        if column not in self._rows_by_condition:
            counts = self.table[column] if self.mask is None else self.table[column] & self.mask
            rows = self.rows[counts[self.rows]]
            self._rows_by_condition[column] = rows, np.searchsorted(self.groups, self.table["place"][rows])
        return self._rows_by_condition[column]


def _run(query: Query, sql: str, columns: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Run a query; raise RunError if the result, which may come from a cache, has not the right columns."""
    rows = query(sql)
    chosen = {name: np.asarray(rows[name]) for name in columns if name in rows}
    for name in columns:
        if name not in chosen or not _is_right(name, chosen[name]):
            raise RunError(f"the run is damaged: its sentence counts have an invalid {name}; score it again")
    return chosen


def _frame(query: Query, sql: str, columns: Sequence[str]) -> pd.DataFrame:
    """Run a query as :func:`_run` does, and return a data frame."""
    import pandas as pd

    return pd.DataFrame(_run(query, sql, columns))


def _is_right(name: str, column: NDArray[Any]) -> bool:
    if not len(column):
        return True
    if name in _TEXTS:
        return all(isinstance(value, str) for value in column)
    return column.dtype.kind in ("iu" if name in _NUMBERS or name.startswith("shared_") else "iufb")


def _typed(name: str, column: NDArray[Any]) -> NDArray[Any]:
    """Return a column of the sums with the type of its numbers, which an empty column may lack."""
    if name in _TEXTS:
        return column
    if name in _NUMBERS or name.startswith("shared_"):
        return column.astype(np.int64)
    return column.astype(np.bool_ if name.startswith("holds_") else np.float64)


def _column(metric: Metric, over: str, name: str) -> str:
    return metric.over_all.get(name, name) if over == "all" else name


def _has_counts(metric: Metric, over: str) -> str:
    """Return the SQL of whether a sentence has the counts, which are missing if a tree is too large or rejected."""
    if metric.too_large:
        return f"{metric.too_large} >= 0"
    if not metric.nullable:
        return ""
    missing = metric.columns[1]
    if zeros := metric.zero_over_all:  # over all sentences, the counts of gold tell whether there is a score
        missing = next(name for name in metric.columns if (name in zeros) == (over == "scored"))
    return f"{_column(metric, over, missing)} is not null"


def _all_of(*conditions: str) -> str:
    return " and ".join(filter(None, conditions))


def condition(metric: Metric, over: str) -> str:
    """Return the SQL of which sentences count: the ``"scored"`` ones, or ``"all"``."""
    # A metric scores sentences with one of its statuses, and those with other words that were aligned. Gold sentences
    # of which the preset leaves nothing count in neither, and sentences without counts are not scored. Metrics that
    # count errors are over the scored sentences in both cases, unless they have a number of errors for missing parses.
    if over == "scored" or not metric.counts_every_sentence:
        statuses = ", ".join(f"'{status.label}'" for status in metric.scored_on)
        status = f"status in ({statuses})"
        if Status.WORDS_DIFFER in metric.scored_on:  # the status also of a sentence whose gold tree has no words
            status = f"({status} and sentences > 0)"
        if metric.scored_aligned:
            status = f"({status} or words_aligned is not null)"
        if over == "scored":
            return _all_of(status, _has_counts(metric, over))
        return _all_of("sentences > 0", status, _has_counts(metric, "scored"), _has_counts(metric, over))
    return _all_of("sentences > 0", _has_counts(metric, over))


def formula(metric: Metric, over: str) -> str:
    """Return the SQL of a sentence's score, null where it is undefined; to be used under :func:`condition`."""
    # Over all sentences the score is 0 if there is no parse, or if only the parse makes it undefined.
    if over == "scored":
        return metric.sql
    if not metric.higher_is_better or metric.gold_only:
        return metric.sql_over_all
    parse_lacks = f"not ({condition(metric, 'scored')})"
    if metric.gold:
        parse_lacks += f" or {' + '.join(metric.gold)} > 0"
    return f"coalesce({metric.sql_over_all}, case when {parse_lacks} then 0.0 end)"


def score_sql(metric: Metric) -> str:
    """Return the SQL of a sentence's score; null if it is undefined or the sentence is not scored."""
    return f"case when {condition(metric, 'scored')} then {metric.sql} end"


def has(metric: Metric, figure: str) -> str:
    """Return the SQL of whether a sentence counts in a figure: with its counts if pooled, with its score if a mean."""
    over = "all" if figure.endswith("_all") else "scored"
    if figure.startswith("pooled"):
        return condition(metric, over)
    return f"{condition(metric, over)} and {formula(metric, over)} is not null"


def group_numbers_sql(key: str) -> str:
    """Return the SQL of ``sentence``, ``value`` of a column of the metadata, and ``number`` of the value, from 1."""
    quoted = key.replace("'", "''")
    number = "dense_rank() over (order by value)::bigint as number"
    return f"select sentence, value, {number} from metadata where key = '{quoted}'"


def sum_sentences(
    query: Query,
    metrics: Sequence[str],
    n_sentences: int,
    *,
    bins: str = "0",
    where: str = "true",
    common: bool = False,
    by: str = "",
    cluster: str = "",
) -> Sums:
    """Add up the sentences of every parser.

    `by`: a column of the metadata whose values are the bins, numbered as in :func:`group_numbers_sql`, 0 for none;
    `cluster`: one whose values are the groups; sentences without a value are groups of their own.
    """
    chosen = [METRICS[name] for name in metrics]
    grouped = n_sentences > MAX_SINGLE or bool(cluster)
    conditions = {condition(metric, over): "" for metric in chosen for over in ("scored", "all")}
    conditions = {value: f"holds_{index}" for index, value in enumerate(conditions)}
    formulas = dict.fromkeys(formula(metric, over) for over in ("scored", "all") for metric in chosen)
    scores = {sql: f"score_{index}" for index, sql in enumerate(formulas)}
    counts = [_column(metric, over, name) for over in ("scored", "all") for metric in chosen for name in metric.columns]
    aggregates = {f"sum({name})": exact_sum(name) for name in counts}
    aggregates |= {f"sum({sql})": exact_sum(name) for sql, name in scores.items()}
    aggregates |= {f"count({sql})": f"count({name})" for sql, name in scores.items()}
    sums = {value: f"sum_{index}" for index, value in enumerate(aggregates)}
    condition_sql = ", ".join(f"coalesce({value}, false) as {name}" for value, name in conditions.items())
    score_columns = ", ".join(f"{sql} as {name}" for sql, name in scores.items())
    sum_sql = ", ".join(f"({aggregates[value]})::double as {name}" for value, name in sums.items())
    figures = ("pooled", "mean", "pooled_all", "mean_all") if common else ()
    shared_figures = {has(metric, figure): (metric, figure) for metric in chosen for figure in figures}
    shared = {value: bit for bit, value in enumerate(shared_figures)}
    words = [f"shared_{word}" for word in range(-(-len(shared) // _BITS))] if grouped else []
    keys = ", ".join(("parser", "bin", "place", *conditions.values(), *words))
    group = f"sentence % {GROUPS}" if grouped else "sentence"
    group = "coalesce(cluster_number, -sentence)" if cluster else group
    bins = "coalesce(by_number, 0)" if by else bins
    columns = dict.fromkeys(("parser", "words", *counts))
    if words:
        before, source = _shared_sql(list(shared), words, where), "sentences join shared using (sentence)"
    else:
        before, source = "", "sentences"
    for name, key in (("cluster", cluster), ("by", by)):
        if key:
            numbers = f"select sentence, number as {name}_number from ({group_numbers_sql(key)})"
            source += f" left join ({numbers}) using (sentence)"
    # grouping by the conditions is ten times as fast as an aggregate with a filter for each of them
    found = _run(
        query,
        f"{before}select {keys}, count(*) as sentences, sum(words)::double as words, {sum_sql} from ("
        f"select {', '.join((*columns, *words))}, {group} as place, {bins} as bin, {condition_sql}, {score_columns} "
        f"from {source} where {where}) group by {keys} order by {keys}",
        ("parser", "bin", "place", *conditions.values(), *words, "sentences", "words", *sums.values()),
    )
    table = {name: _typed(name, column) for name, column in found.items()}
    rows = np.arange(len(table["place"]))
    if common and not grouped:
        table |= _shared_in_rows(
            table, [_has_in_rows(table, *figure, conditions, sums) for figure in shared_figures.values()]
        )
    return Sums(table, conditions, sums, shared, grouped, rows, np.unique(table["place"]), cluster=cluster)


def _has_in_rows(
    table: Columns, metric: Metric, figure: str, conditions: Mapping[str, str], sums: Mapping[str, str]
) -> NDArray[np.bool_]:
    """Return :func:`has` for each row of a table of single sentences."""
    over = "all" if figure.endswith("_all") else "scored"
    counts: NDArray[np.bool_] = table[conditions[condition(metric, over)]]
    if figure.startswith("pooled"):
        return counts
    return counts & (table[sums[f"count({formula(metric, over)})"]] > 0)


def _shared_in_rows(table: Columns, figures: Sequence[NDArray[np.bool_]]) -> Columns:
    """Return for each row of a table of single sentences the bits of the figures in which all parsers have it."""
    # Parsers without any sentence for a figure are ignored for it.
    _, parser = np.unique(table["parser"].astype(str), return_inverse=True)
    _, sentence = np.unique(table["place"], return_inverse=True)
    n_parsers = int(parser.max(initial=-1)) + 1
    words = {f"shared_{word}": np.zeros(len(parser), np.int64) for word in range(-(-len(figures) // _BITS))}
    for number, has_it in enumerate(figures):
        has_any = np.bincount(parser, has_it, n_parsers) > 0
        agreeing = np.bincount(sentence, has_it | ~has_any[parser])
        word, bit = divmod(number, _BITS)
        words[f"shared_{word}"] |= (agreeing[sentence] == n_parsers).astype(np.int64) << bit
    return words


def _shared_sql(figures: Sequence[str], words: Sequence[str], where: str) -> str:
    """Return the SQL of a table ``shared``: for each sentence the bits of the figures in which all parsers have it."""
    # Parsers without any sentence for a figure are ignored for it.
    own, union, shared = list[str](), list[str](), list[str]()
    n_parsers = "(select count(*) from parsers)"
    for number, word in enumerate(words):
        bits = [
            f"(case when {value} then {1 << bit} else 0 end)::bigint"
            for bit, value in enumerate(figures[number * _BITS : (number + 1) * _BITS])
        ]
        own.append(f"{' + '.join(bits)} as {word}")
        union.append(f"bit_or({word}) as any_{word}")
        shared.append(f"case when count(*) = {n_parsers} then bit_and({word} | ~any_{word}) else 0 end as {word}")
    return (
        f"with own as materialized (select parser, sentence, {', '.join(own)} from sentences where {where}), "
        f"parsers as (select parser, {', '.join(union)} from own group by parser), "
        f"shared as (select sentence, {', '.join(shared)} from own join parsers using (parser) group by sentence) "
    )


def score_steps(query: Query, metric: str, steps: int) -> pd.DataFrame:
    """Count each parser's sentences by score."""
    item = METRICS[metric]
    unit = steps if item.is_share else 1
    best = 1 if item.higher_is_better else 0
    return _frame(
        query,
        f"select parser, floor((score + 1e-9) * {unit})::bigint as step, count(*) as count, "
        f"count(*) filter (abs(score - {best}) < 1e-9) as best "
        f"from (select parser, {score_sql(item)} as score from sentences) where score is not null "
        "group by parser, step order by parser, step",
        ("parser", "step", "count", "best"),
    )


def status_counts(query: Query) -> pd.DataFrame:
    """Return each parser's number of sentences by status."""
    counts = "count(*) as sentences, count(words_aligned) filter (sentences > 0) as words_aligned"
    return _frame(
        query,
        f"select parser, {STATUS_SQL} as status, {counts} from sentences group by all order by parser, status",
        ("parser", "status", "sentences", "words_aligned"),
    )


def length_counts(query: Query) -> dict[int, int]:
    """Return the number of sentences by length in words, over all parsers, without empty gold trees."""
    sql = "select words, count(*) as sentences from sentences where words > 0 group by words order by words"
    rows = _run(query, sql, ("words", "sentences"))
    return dict(zip(rows["words"].tolist(), rows["sentences"].tolist(), strict=True))


def sum_by_length(
    query: Query, metric: str, n_sentences: int, bins: Sequence[tuple[int, int | None]], cluster: str = ""
) -> Sums:
    """Add up the sentences by length."""
    width = bins[1][0] - bins[0][0] if len(bins) > 1 else 1
    bin_index = f"least((words - 1) // {width}, {max(len(bins) - 1, 0)})"
    return sum_sentences(query, [metric], n_sentences, bins=bin_index, where="words > 0", cluster=cluster)
