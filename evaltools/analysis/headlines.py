"""Headlines: one sentence about a table, which names its first row with value and unit.

Each function takes the table as it is sorted. The first row is the item named, unless its value is uninformative, such
as a best sentence without errors in a list of the sentences with most errors; then the headline says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evaltools.frameworks.metric import ErrorCount, Metric
from evaltools.runs.sentences import INSTRUCTIVE_WORDS
from evaltools.runs.store import Run
from evaltools.text import count_of, decimals, number, percentage, rank_in_words

_WORST = 50
"""The number of worst sentences whose share of the errors is named."""
_PERFECT = 1 - 1e-12
BY_ERRORS = ("instructive", "errors", "per_word")
"""The orders by numbers of errors."""


@dataclass(frozen=True, slots=True)
class RankPair:
    """What two rankings of the same sentences are by: metrics, or a metric and the parser it scores."""

    titles: tuple[str, str]
    metrics: tuple[Metric, Metric]
    worst_first: bool  # Whether rank 1 is the worst sentence


@dataclass(frozen=True, slots=True)
class Sorting:
    """The order of a list of a parser's sentences."""

    # ``"instructive"``, ``"errors"``, ``"per_word"``; ``"worst"``, ``"best"`` by the metric; ``"either"``, ``"first"``,
    # ``"second"`` by the difference of two ranks; or ``"file"``
    order: str
    parser: str
    total: int  # Number of sentences of the run
    metric: Metric
    against: Metric | None = None  # The second metric, for differences of ranks
    count: ErrorCount | None = None  # The errors, if the run counts them


def worst_parses_headline(table: pd.DataFrame, sorting: Sorting, *, ranked: int | None = None) -> str:
    """Return the headline of *Worst parses*.

    Parameters
    ----------
    table : DataFrame
        The list as it is sorted and filtered: ``sentence``, ``words``, ``score`` by the metric, ``unparsed``: whether
        it has no parse; ``errors`` if they are counted, and ``largest``: how many one repair mends at most; with a
        second metric ``score_b``, and ``rank_a`` and ``rank_b``, of which 1 is the worst. NaN where undefined.
    sorting : Sorting
        The order of the list.
    ranked : int, optional
        Number of sentences that have both ranks, if the list does not have all of them.
    """
    if sorting.order in BY_ERRORS or (sorting.order == "file" and sorting.count is not None):
        return _by_errors(table, sorting)
    if sorting.order in ("either", "first", "second") and sorting.against is not None:
        metrics = sorting.metric, sorting.against
        pair = RankPair((metrics[0].title, metrics[1].title), metrics, worst_first=True)
        return _by_difference(table, pair, sorting.parser, ranked, counts_listed=True)
    return _by_metric(table, sorting)


def disagreement_headline(table: pd.DataFrame, pair: RankPair, parser: str = "", *, n: int | None = None) -> str:
    """Return the headline of *Disagreement*.

    Parameters
    ----------
    table : DataFrame
        The list as it is sorted: ``sentence``, the scores ``a`` and ``b``, and ``rank_a`` and ``rank_b``.
    pair : RankPair
        What the rankings are by.
    parser : str
        Name of the parser, if both rankings are of its sentences.
    n : int, optional
        Number of ranked sentences, if the list does not have all of them.
    """
    return _by_difference(table.rename(columns={"a": "score", "b": "score_b"}), pair, parser, n)


def instructive_in_words(run: Run) -> str:
    """Describe which sentences come first in the order ``"instructive"`` of a run that counts errors."""
    count, types = run.framework.figures.errors, run.framework.figures.error_types
    assert count is not None
    minimum, maximum = INSTRUCTIVE_WORDS
    of_repair = "" if types is None else " that one repair mends"
    return f"sentences of {minimum} to {maximum} words first, those with most {count.plural}{of_repair}"


def _by_errors(table: pd.DataFrame, sorting: Sorting) -> str:
    count, parser = sorting.count, sorting.parser
    assert count is not None
    errors = table["errors"].to_numpy(dtype=np.float64)
    if np.isnan(errors).all():
        return _nothing(table, sorting, f"has a number of {count.plural}")
    n_errors, n_sentences = float(np.nansum(errors)), int((errors > 0).sum())
    n_counted = int((~np.isnan(errors)).sum())
    listed = count_of(n_counted, "sentence" if n_counted == len(errors) else "scored sentence")
    if len(errors) < sorting.total:
        listed = f"the {listed} listed"
    if not n_errors:
        return f"{parser} has no {count.singular} in {listed}."
    text = f"{parser} has {number(n_errors)} {count.noun(n_errors)} in {n_sentences:,} of {listed}"
    if sorting.order == "file":
        return f"{text}; they are in the order of the file."
    first = table.iloc[0]
    n_first, words = float(first["errors"]), int(first["words"])
    name, unit = f"Sentence {int(first['sentence'])}", count_of(words, "word")
    if sorting.order == "per_word":
        per_word = f"{decimals(n_first / max(words, 1))} ({number(n_first)} in {unit})"
        return f"{name} has the most {count.plural} per word, {per_word}; {text}."
    if sorting.order == "instructive":
        if n_first > 1 and first.get("largest"):
            mended = f"One repair mends {number(first['largest'])} of the {number(n_first)} {count.noun(n_first)}"
            return f"{mended} of sentence {int(first['sentence'])} ({unit}); {text}."
        in_words = f" in {unit}" if words else ""  # graphs may have no words
        return f"{name} has {number(n_first)} {count.noun(n_first)}{in_words}; {text}."
    if len(errors) > 2 * _WORST:
        text += f", {percentage(np.nansum(errors[:_WORST]) / n_errors, 0)} of them in the {_WORST} worst"
    return f"{name} has the most {count.plural}, {number(n_first)} in {unit}; {text}."


def _nothing(table: pd.DataFrame, sorting: Sorting, has: str) -> str:
    """Return the headline of a list in which no sentence has a value, with the number of those without a parse."""
    n, n_unparsed = len(table), int(table["unparsed"].sum())
    listed = "listed" if n < sorting.total else "of the run"
    if n == n_unparsed:
        return f"{sorting.parser} has no parse of any sentence {listed}."
    text = f"None of the {count_of(n, 'sentence')} {listed} {has} for {sorting.parser}"
    return f"{text}: {n_unparsed:,} {'has' if n_unparsed == 1 else 'have'} no parse." if n_unparsed else f"{text}."


def _by_metric(table: pd.DataFrame, sorting: Sorting) -> str:
    metric, parser, best_first = sorting.metric, sorting.parser, sorting.order == "best"
    scores = table["score"].to_numpy(dtype=np.float64)
    scores = scores[~np.isnan(scores)]
    if not len(scores):
        return _nothing(table, sorting, f"has a score by {metric.title}")
    n = count_of(len(scores), "scored sentence")
    if metric.is_share and metric.higher_is_better:
        n_perfect = int((scores >= _PERFECT).sum())
        perfect = f"{n_perfect:,} {'is' if n_perfect == 1 else 'are'} perfect"
        rest = (
            f"a quarter of its {n} have {metric.text(float(np.quantile(scores, 0.25)), whole=True)} or less, {perfect}"
        )
    else:
        n_perfect = int((scores == 0).sum())
        rest = f"{n_perfect:,} of its {n} have none"
    if sorting.order == "file":
        return f"By {metric.title}, {parser}: {rest}."
    if n_perfect == len(scores):
        return f"By {metric.title}, {parser} has no error in {n}."
    first = table.iloc[0]
    value = float(first["score"])
    n_tied = int((np.round(scores, 12) == round(value, 12)).sum())
    shared = f", shared by {n_tied:,} sentences" if n_tied > 1 else ""
    extreme = "highest" if best_first == metric.higher_is_better else "lowest"
    words = count_of(int(first["words"]), "word")
    name = f"Sentence {int(first['sentence'])} ({words})"
    return f"{name} has the {extreme} {metric.title} of {parser}, {metric.text(value, whole=True)}{shared}; {rest}."


def _by_difference(
    table: pd.DataFrame, pair: RankPair, parser: str, n: int | None = None, *, counts_listed: bool = False
) -> str:
    """Return the headline of a list by difference of ranks; `n`: number of ranked sentences, those listed if None."""
    n_listed = int((table["rank_a"].notna() & table["rank_b"].notna()).sum())
    n = n_listed if n is None else n
    titles = pair.titles
    of = f" of {parser}" if parser else ""
    if not n_listed:
        return f"No sentence{of} has a rank by both {titles[0]} and {titles[1]}."
    first = table.iloc[0]
    ranks = [float(first["rank_a"]), float(first["rank_b"])]
    if ranks[0] == ranks[1]:
        return f"{titles[0]} and {titles[1]} rank sentence {int(first['sentence'])}{of}, the first of the list, alike."
    by = " worst by" if pair.worst_first else " by"
    parts = [
        f"{rank_in_words(rank)}{by} {title} ({metric.text(float(first[score]), whole=True)})"
        for rank, title, score, metric in zip(ranks, titles, ("score", "score_b"), pair.metrics, strict=True)
    ]
    difference = abs(ranks[0] - ranks[1])
    listed = f"; {n_listed:,} of them are listed" if counts_listed and n_listed < n else ""
    apart = f"{number(difference, 1)} {'rank' if difference == 1 else 'ranks'}"
    return f"Sentence {int(first['sentence'])}{of} is {parts[0]} and {parts[1]}: {apart} apart among {n:,}{listed}."
