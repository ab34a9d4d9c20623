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

from evaltools.errors import ParameterError, RunError
from evaltools.metrics import METRICS, Metric

__all__ = [
    "GROUPS",
    "MOST_SINGLE",
    "STEPS",
    "Query",
    "Sums",
    "condition",
    "formula",
    "has",
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
_REFUSING = ("tedeval", "tedeval2011", "edm")
"""Families whose counts are null in sentences for which they are undefined."""
_BITS = 62
"""Bits of a whole number that say for how many figures all parsers have a sentence."""

Query = Callable[[str], pd.DataFrame]
"""What runs SQL over the tables of a run, such as :meth:`evaltools.Run.query`."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over groups of sentences.

    Parameters
    ----------
    rows : DataFrame
        ``parser``, ``bin`` (0 where there are no bins), ``place`` (the group), ``sentences`` (how many) and ``words``
        (of all of them); a column for each condition, true or false for all sentences of the row; the sums; columns of
        whole numbers whose bits say what all parsers have.
    conditions : mapping of str to str
        From what :func:`condition` says to a column of `rows`.
    sums : mapping of str to str
        From the SQL of what was added up to a column of `rows`.
    shared : mapping of str to int
        From the SQL of what a sentence must fulfil to the bit that says whether it does so for all parsers; empty if
        that was not asked for.
    grouped : bool
        Whether groups are of several sentences.
    places : ndarray of int64
        The groups, in order.
    only : ndarray of bool, shape (rows,), optional
        The rows that count; all if not given.
    """

    rows: pd.DataFrame
    conditions: Mapping[str, str]
    sums: Mapping[str, str]
    shared: Mapping[str, int]
    grouped: bool
    places: NDArray[np.int64]
    only: NDArray[np.bool_] | None = None
    _known: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of(self, parser: str) -> Sums:
        """Return the sums of one parser."""
        own = (self.rows["parser"] == parser).to_numpy()
        return replace(self, rows=self.rows[own], only=None if self.only is None else self.only[own])

    def common(self, metric: Metric, figure: str) -> Sums:
        """Return the sums of those sentences that the figure of every parser is over.

        A parser that has no such figure does not take part.

        Parameters
        ----------
        metric : Metric
            The metric.
        figure : {"pooled", "mean", "pooled_all", "mean_all"}
            The figure.

        Raises
        ------
        ParameterError
            If the sums were made without what all parsers have.
        """
        needed = has(metric, figure)
        if needed not in self.shared:
            raise ParameterError("the sums do not say which sentences all parsers have; make them with common=True")
        word, bit = divmod(self.shared[needed], _BITS)
        bits = self.rows[f"shared_{word}"].to_numpy(dtype=np.int64)
        return replace(self, only=(bits >> bit) & 1 == 1)

    def within(self, bin: int) -> Sums:  # noqa: A002 - the column's name
        """Return the sums of one bin."""
        inside = (self.rows["bin"] == bin).to_numpy()
        only = None if self.only is None else self.only[inside]
        return _placed(replace(self, rows=self.rows[inside], only=only))

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
        return self._folded(self.sums[f"sum({formula(metric, over)})"], metric, over)

    def defined(self, metric: Metric, over: str) -> NDArray[np.float64]:
        """Return how many sentences have a score, shape (groups,)."""
        return self._folded(self.sums[f"count({formula(metric, over)})"], metric, over)

    def _folded(self, column: str, metric: Metric, over: str) -> NDArray[np.float64]:
        rows, at = self._counting(self.conditions[condition(metric, over)])
        values = self.rows[column].to_numpy(dtype=np.float64, na_value=0.0)
        folded: NDArray[np.float64] = np.bincount(at, values[rows], len(self.places)).astype(np.float64)
        return folded

    def _counting(self, held: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows that fulfil a condition, and their groups."""
        if held not in self._known:
            chosen = self.rows[held].to_numpy(dtype=np.bool_, na_value=False)
            rows = np.flatnonzero(chosen if self.only is None else chosen & self.only)
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
    if name in _NUMBERS or name.startswith("shared_"):
        return bool(column.empty or (types.is_integer_dtype(column) and not column.hasnans))
    return bool(column.empty or types.is_numeric_dtype(column))


def _placed(sums: Sums) -> Sums:
    return replace(sums, places=np.unique(sums.rows["place"].to_numpy(dtype=np.int64)))


def _column(metric: Metric, over: str, name: str) -> str:
    return metric.over_all.get(name, name) if over == "all" else name


def _known(metric: Metric, over: str) -> str:
    """Return the SQL of whether a sentence has the counts: not if trees are too large, or are refused."""
    if metric.family == "t":
        return "t_gold >= 0"
    if metric.family not in _REFUSING or (over == "all" and metric.zero_over_all):
        return ""
    missing = next((name for name in metric.columns if name in metric.zero_over_all), metric.columns[1])
    return f"{_column(metric, over, missing)} is not null"


def _together(*conditions: str) -> str:
    return " and ".join(filter(None, conditions))


def condition(metric: Metric, over: str) -> str:
    """Return the SQL of which sentences count: ``"scored"``, those that the metric can score, or ``"all"``.

    It can score those of its statuses, and those whose words differ and were aligned. Gold sentences with nothing left
    are in neither, and sentences without counts are not scored. A metric that counts errors knows no parse that has
    nothing matched: it is over the scored sentences in both.
    """
    if over == "scored" or not metric.higher_is_better:
        statuses = ", ".join(f"'{status.label}'" for status in metric.scored_on)
        status = f"status in ({statuses})"
        if metric.scored_aligned:
            status = f"({status} or words_aligned is not null)"
        if over == "scored":
            return _together(status, _known(metric, over))
        return _together("sentences > 0", status, _known(metric, "scored"), _known(metric, over))
    return _together("sentences > 0", _known(metric, over))


def formula(metric: Metric, over: str) -> str:
    """Return the SQL of a sentence's score, null where it is undefined; to be used under :func:`condition`.

    Over all sentences 0 where there is no score, or where it is undefined by the parse alone.
    """
    if over == "scored":
        return metric.sql
    if not metric.higher_is_better:
        return metric.sql_over_all
    at_fault = f"not ({condition(metric, 'scored')})"
    if metric.gold:
        at_fault += f" or {' + '.join(metric.gold)} > 0"
    return f"coalesce({metric.sql_over_all}, case when {at_fault} then 0.0 end)"


def score_sql(metric: Metric) -> str:
    """Return the SQL of a sentence's score, null where it is undefined or its status gives it none."""
    return f"case when {condition(metric, 'scored')} then {metric.sql} end"


def has(metric: Metric, figure: str) -> str:
    """Return the SQL of whether a figure is over a sentence: a pooled one over its counts, a mean over its score."""
    over = "all" if figure.endswith("_all") else "scored"
    if figure.startswith("pooled"):
        return condition(metric, over)
    return f"{condition(metric, over)} and {formula(metric, over)} is not null"


def sum_sentences(
    query: Query,
    metrics: Sequence[str],
    n_sentences: int,
    *,
    bins: str = "0",
    where: str = "true",
    common: bool = False,
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
    common : bool
        Whether to find out which sentences all parsers have, for :meth:`Sums.common`.
    """
    chosen = [METRICS[name] for name in metrics]
    grouped = n_sentences > MOST_SINGLE
    conditions = {condition(metric, over): "" for metric in chosen for over in ("scored", "all")}
    conditions = {said: f"holds_{place}" for place, said in enumerate(conditions)}
    formulas = dict.fromkeys(formula(metric, over) for over in ("scored", "all") for metric in chosen)
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
    figures = ("pooled", "mean", "pooled_all", "mean_all") if common else ()
    needed = dict.fromkeys(has(metric, figure) for metric in chosen for figure in figures)
    shared = {said: bit for bit, said in enumerate(needed)}
    words = [f"shared_{word}" for word in range(-(-len(shared) // _BITS))]
    keys = ", ".join(("parser", "bin", "place", *conditions.values(), *words))
    place = f"sentence % {GROUPS}" if grouped else "sentence"
    columns = dict.fromkeys(("parser", "words", *counted))
    if common:
        before, source = _shared_sql(list(shared), words, where), "sentences join shared using (sentence)"
    else:
        before, source = "", "sentences"
    # conditions are what is grouped by: an aggregate of its own for each of them takes ten times as long
    rows = _asked(
        query,
        f"{before}select {keys}, count(*) as sentences, sum(words)::double as words, {added} from ("
        f"select {', '.join((*columns, *words))}, {place} as place, {bins} as bin, {held}, {scored} "
        f"from {source} where {where}) group by {keys} order by {keys}",
        ("parser", "bin", "place", *conditions.values(), *words, "sentences", "words", *sums.values()),
    )
    return _placed(Sums(rows, conditions, sums, shared, grouped, np.zeros(0, dtype=np.int64)))


def _shared_sql(needed: Sequence[str], words: Sequence[str], where: str) -> str:
    """Return the SQL of a table ``shared``: for each sentence the bits of what all parsers have.

    A parser that has no sentence for some figure does not take part in it.
    """
    own, every, together = list[str](), list[str](), list[str]()
    n_parsers = "(select count(*) from parsers)"
    for number, word in enumerate(words):
        bits = [
            f"(case when {said} then {1 << bit} else 0 end)::bigint"
            for bit, said in enumerate(needed[number * _BITS : (number + 1) * _BITS])
        ]
        own.append(f"{' + '.join(bits)} as {word}")
        every.append(f"bit_or({word}) as any_{word}")
        together.append(f"case when count(*) = {n_parsers} then bit_and({word} | ~any_{word}) else 0 end as {word}")
    return (
        f"with own as materialized (select parser, sentence, {', '.join(own)} from sentences where {where}), "
        f"parsers as (select parser, {', '.join(every)} from own group by parser), "
        f"shared as (select sentence, {', '.join(together)} from own join parsers using (parser) group by sentence) "
    )


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
