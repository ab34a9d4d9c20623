"""Sums of counts and of scores over groups of sentences, added up by DuckDB: all that figures are made of.

A figure is a formula over sums, and so is each of its resamples: nobody needs the sentences themselves. Up to
:data:`MOST_SINGLE` sentences each one is a group of its own; of more there are :data:`GROUPS` groups, every so many
sentences in one, which are drawn instead of sentences when figures are resampled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.errors import RunError
from evaltools.metrics import METRICS, Metric

__all__ = [
    "GROUPS",
    "MOST_SINGLE",
    "STEPS",
    "Query",
    "Sums",
    "condition",
    "length_counts",
    "score_sql",
    "score_steps",
    "status_counts",
    "sum_by_length",
    "sum_sentences",
]

MOST_SINGLE = 20_000
GROUPS = 1024
STEPS = 20
"""Steps from 0 to 1 of a histogram of scores."""

_TEXTS = ("parser", "status")
_NUMBERS = ("place", "bin", "step", "count", "best", "sentences")

Query = Callable[[str], pd.DataFrame]
"""What runs SQL over the tables of a run, such as :meth:`evaltools.Run.query`."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over groups of sentences.

    Parameters
    ----------
    rows : DataFrame
        ``parser``, ``bin`` (0 where there are no bins), ``place`` (the group), ``sentences`` (how many) and ``words``
        (of all of them); a column for each condition, true or false for all sentences of the row; the sums.
    conditions : mapping of str to str
        From what :func:`condition` says to a column of `rows`.
    sums : mapping of str to str
        From the SQL of what was added up to a column of `rows`.
    grouped : bool
        Whether groups are of several sentences.
    places : ndarray of int64
        The groups, in order.
    """

    rows: pd.DataFrame
    conditions: Mapping[str, str]
    sums: Mapping[str, str]
    grouped: bool
    places: NDArray[np.int64]
    _known: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of(self, parser: str) -> Sums:
        """Return the sums of one parser."""
        return replace(self, rows=self.rows[self.rows["parser"] == parser])

    def within(self, bin: int) -> Sums:  # noqa: A002 - the column's name
        """Return the sums of one bin."""
        return _placed(replace(self, rows=self.rows[self.rows["bin"] == bin]))

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return int(self.rows["sentences"].sum())

    def members(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return how many sentences count, shape (groups,): ``"scored"`` ones or ``"all"``, see :func:`condition`."""
        return self._folded("sentences", metric, over)

    def count(self, metric: Metric, over: str, name: str) -> NDArray[np.float64]:
        """Return the sums of a count column of a metric, shape (groups,)."""
        return self._folded(self.sums[f"sum({_column(metric, over, name)})"], metric, over)

    def score(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return the sums of the sentences' scores, shape (groups,)."""
        return self._folded(self.sums[f"sum({_formula(metric, over)})"], metric, over)

    def defined(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return how many sentences have a score, shape (groups,)."""
        return self._folded(self.sums[f"count({_formula(metric, over)})"], metric, over)

    def _folded(self, column: str, metric: Metric, over: str) -> NDArray[np.float64]:
        rows, at = self._counting(self.conditions[condition(metric, over)])
        values = self.rows[column].to_numpy(dtype=np.float64, na_value=0.0)
        folded: NDArray[np.float64] = np.bincount(at, values[rows], len(self.places)).astype(np.float64)
        return folded

    def _counting(self, held: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows that fulfil a condition, and their groups."""
        if held not in self._known:
            rows = np.flatnonzero(self.rows[held].to_numpy(dtype=np.bool_, na_value=False))
            self._known[held] = rows, np.searchsorted(self.places, self.rows["place"].to_numpy(dtype=np.int64)[rows])
        return self._known[held]


def _asked(query: Query, sql: str, columns: Sequence[str]) -> pd.DataFrame:
    """Put a question, and see that the answer, which may have been kept, is one to it."""
    rows = query(sql)
    for name in columns:
        if name not in rows or not _is_right(name, rows[name]):
            raise RunError(f"the run is damaged: what it says of its sentences has no right {name}; score it again")
    return rows


def _is_right(name: str, column: pd.Series) -> bool:
    types = pd.api.types
    if name in _TEXTS:
        return bool(column.empty or types.is_string_dtype(column))
    if name in _NUMBERS:
        return bool(column.empty or (types.is_integer_dtype(column) and not column.hasnans))
    return bool(column.empty or types.is_numeric_dtype(column))


def _placed(sums: Sums) -> Sums:
    return replace(sums, places=np.unique(sums.rows["place"].to_numpy(dtype=np.int64)))


def _column(metric: Metric, over: str, name: str) -> str:
    return metric.over_all.get(name, name) if over == "all" else name


def _formula(metric: Metric, over: str) -> str:
    return metric.sql_over_all if over == "all" else metric.sql


def condition(metric: Metric, over: str) -> str:
    """Say in SQL which sentences count: ``"scored"``, those that the metric can score, or ``"all"``.

    It can score those of its statuses, and those whose words differ and were aligned.
    Gold sentences with nothing left, and pairs too large for tree distance, are in neither; what TedEval of 2011
    refuses, and a parser's graph without spans, are among all.
    """
    statuses = ", ".join(f"'{status.label}'" for status in metric.scored_on)
    said = f"(status in ({statuses}) or words_aligned is not null)" if over == "scored" else "sentences > 0"
    if metric.family == "t":
        return f"{said} and t_gold >= 0"
    if metric.family == "edm" and over == "scored":
        if metric.family.startswith("tedeval"):
        return f"{said} and {_column(metric, over, metric.columns[1])} is not null"
    return said


def score_sql(metric: Metric) -> str:
    """Return the SQL of a sentence's score, null where it is undefined or its status gives it none."""
    return f"case when {condition(metric, 'scored')} then {metric.sql} end"


def sum_sentences(
    query: Query, metrics: Sequence[str], n_sentences: int, *, bins: str = "0", where: str = "true"
) -> Sums:
    """Add up the sentences of every parser.

    Parameters
    ----------
    query : callable
        Runs SQL over the table ``sentences``.
    metrics : sequence of str
        Metric ids.
    n_sentences : int
        How many gold sentences there are.
    bins : str
        SQL of a whole number, by which sentences are kept apart.
    where : str
        SQL of a condition that sentences must fulfil.
    """
    chosen = [METRICS[name] for name in metrics]
    grouped = n_sentences > MOST_SINGLE
    conditions = {condition(metric, over): "" for metric in chosen for over in ("scored", "all")}
    conditions = {said: f"holds_{place}" for place, said in enumerate(conditions)}
    formulas = dict.fromkeys(_formula(metric, over) for over in ("scored", "all") for metric in chosen)
    scores = {sql: f"score_{place}" for place, sql in enumerate(formulas)}
    counted = [
        _column(metric, over, name) for over in ("scored", "all") for metric in chosen for name in metric.columns
    ]
    inside = {f"sum({name})": f"sum({name})" for name in counted}
    inside |= {f"sum({sql})": f"sum({name})" for sql, name in scores.items()}
    inside |= {f"count({sql})": f"count({name})" for sql, name in scores.items()}
    sums = {said: f"sum_{place}" for place, said in enumerate(inside)}
    held = ", ".join(f"coalesce({said}, false) as {name}" for said, name in conditions.items())
    scored = ", ".join(f"{sql} as {name}" for sql, name in scores.items())
    added = ", ".join(f"({inside[said]})::double as {name}" for said, name in sums.items())
    keys = ", ".join(("parser", "bin", "place", *conditions.values()))
    place = f"sentence % {GROUPS}" if grouped else "sentence"
    columns = dict.fromkeys(("parser", "words", *counted))
    # conditions are what is grouped by: an aggregate of its own for each of them takes ten times as long
    rows = _asked(
        query,
        f"select {keys}, count(*) as sentences, sum(words)::double as words, {added} from ("
        f"select {', '.join(columns)}, {place} as place, {bins} as bin, {held}, {scored} from sentences where {where}"
        f") group by {keys} order by {keys}",
        ("parser", "bin", "place", *conditions.values(), "sentences", "words", *sums.values()),
    )
    return _placed(Sums(rows, conditions, sums, grouped, np.zeros(0, dtype=np.int64)))


def score_steps(query: Query, metric: str, steps: int) -> pd.DataFrame:
    """Count each parser's sentences by score.

    Parameters
    ----------
    query : callable
        Runs SQL over the table ``sentences``.
    metric : str
        A metric id.
    steps : int
        How many steps there are from 0 to 1; a score on a border is in the upper step, whatever its last bit says. The
        steps of metrics that are no shares of 1 are whole numbers.

    Returns
    -------
    DataFrame
        ``parser``, ``step`` (from 0), ``count``, and ``best``, how many of these have the
        best score there can be.
    """
    one = METRICS[metric]
    unit = steps if one.is_share else 1
    best = 1 if one.higher_is_better else 0
    return _asked(
        query,
        f"select parser, floor((score + 1e-9) * {unit})::bigint as step, count(*) as count, "
        f"count(*) filter (abs(score - {best}) < 1e-9) as best "
        f"from (select parser, {score_sql(one)} as score from sentences) where score is not null "
        "group by parser, step order by parser, step",
        ("parser", "step", "count", "best"),
    )


def status_counts(query: Query) -> pd.DataFrame:
    """Return how many of a parser's sentences have a status.

    Returns
    -------
    DataFrame
        ``parser``, ``status``, ``sentences``, and ``words_aligned``: how many of these are scored over aligned words.
    """
    counted = "count(*) as sentences, count(words_aligned) as words_aligned"
    return _asked(
        query,
        f"select parser, status, {counted} from sentences group by parser, status order by parser, status",
        ("parser", "status", "sentences", "words_aligned"),
    )


def length_counts(query: Query) -> dict[int, int]:
    """Return how many sentences, of all parsers together, have each length in words; blank gold trees are left out."""
    sql = "select words, count(*) as sentences from sentences where words > 0 group by words order by words"
    rows = _asked(query, sql, ("words", "sentences"))
    return dict(zip(rows["words"].tolist(), rows["sentences"].tolist(), strict=True))


def sum_by_length(query: Query, metric: str, n_sentences: int, bins: Sequence[tuple[int, int | None]]) -> Sums:
    """Add up the sentences by length.

    Parameters
    ----------
    query : callable
        Runs SQL over the table ``sentences``.
    metric : str
        A metric id.
    n_sentences : int
        How many gold sentences there are.
    bins : sequence of (int, int or None)
        First and last length of each bin, from 1 on, all of one width but the last.
    """
    width = bins[1][0] - bins[0][0] if len(bins) > 1 else 1
    place = f"least((words - 1) // {width}, {max(len(bins) - 1, 0)})"
    return sum_sentences(query, [metric], n_sentences, bins=place, where="words > 0")
