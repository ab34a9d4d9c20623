"""The sentences of a run as arrays: a parser's scores, counts and statuses, rows of some, and search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb
import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.figures import over_of
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.runs.store import Run
from evaltools.runs.sums import LEFT_OUT, sentence_blocks
from evaltools.text import first_line

OVER = ("scored", "all")
"""Which sentences count: those that have a score, or all, with nothing matched if there is no parse."""
INSTRUCTIVE_WORDS = 8, 25
"""Fewest and most words of a sentence that shows an error well: with context, and drawn at a glance."""


@dataclass(frozen=True, slots=True)
class SentenceCounts:
    """A parser's sentences under one metric."""

    counts: Mapping[str, NDArray[np.float64]]  # The metric's count columns; 0 in sentences that do not count
    score: NDArray[np.float64]  # The scores, NaN where undefined and in sentences that do not count
    mask: NDArray[np.bool_]  # The sentences that count
    words: NDArray[np.int32]  # Length of the gold sentence
    # Number of unaligned gold words if the parse has other words; −1 if it has the same words
    lost: NDArray[np.int32]
    missing: NDArray[np.bool_]  # Whether there is no parse
    n_own: int  # Number of sentences that count for this parser, whatever other parsers have

    def __len__(self) -> int:
        return len(self.mask)


def sentence_counts(run: Run, parser: str, metric: str, over: str = "scored") -> SentenceCounts:
    """Return the counts of every sentence of a parser."""
    for kind, name, valid in (("parser", parser, run.parsers), ("over", over, OVER)):
        if name not in valid:
            raise ParameterError.unknown(kind, name, valid)
    item, every, n = METRICS[metric_id(metric, run.metrics)], over == "all", run.n_sentences
    counts = {name: np.zeros(n) for name in item.columns}
    score, mask = np.full(n, np.nan), np.zeros(n, dtype=np.bool_)
    words, lost = np.zeros(n, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    missing = np.zeros(n, dtype=np.bool_)
    for numbers, block in sentence_blocks(run, parser, [item], ["words_scored"]):
        at = numbers - 1
        members = block.members(item, every=every)
        for name, values in block.counts(item, every=every).items():
            counts[name][at] = np.where(members, np.nan_to_num(values), 0.0)
        score[at], mask[at] = block.scores(item, every=every), members
        words[at] = block.numbers("words")
        left = block.numbers("words_scored") - np.nan_to_num(block.numbers("words_aligned"))
        lost[at] = np.where(block.has(SentenceStatus.WORDS_DIFFER), np.nan_to_num(left), -1)
        missing[at] = block.has(SentenceStatus.MISSING)
    return SentenceCounts(counts, score, mask, words, lost, missing, int(mask.sum()))


def shared_counts(
    run: Run, parser_a: str, parser_b: str, metric: str, figure: str = "pooled"
) -> tuple[SentenceCounts, SentenceCounts]:
    """Return the counts of two parsers over the sentences that count in a figure of both."""
    over = over_of(figure)
    first, second = (sentence_counts(run, parser, metric, over) for parser in (parser_a, parser_b))
    masks = [side.mask if figure.startswith("pooled") else ~np.isnan(side.score) for side in (first, second)]
    both = masks[0] & masks[1]
    return _only(first, both, int(masks[0].sum())), _only(second, both, int(masks[1].sum()))


def _only(side: SentenceCounts, mask: NDArray[np.bool_], n_own: int) -> SentenceCounts:
    counts = {name: np.where(mask, values, 0.0) for name, values in side.counts.items()}
    return replace(side, counts=counts, score=np.where(mask, side.score, np.nan), mask=mask, n_own=n_own)


_STATUSES = [*(status.label for status in SentenceStatus), LEFT_OUT]


@dataclass(frozen=True, slots=True)
class Facts:
    """Length and status of each sentence of a parser."""

    words: NDArray[np.int32]  # Length of the gold sentence
    status: NDArray[
        np.int8
    ]  # Value of its SentenceStatus, the next one if it is left out; -1 if the run has an unknown one

    def has_status(self, label: str) -> NDArray[np.bool_]:
        """Return which sentences have a status."""
        return np.asarray(self.status == _STATUSES.index(label))

    def labels(self, indices: NDArray[np.int32]) -> list[str | None]:
        """Return the labels of the status of some sentences; None if it is unknown."""
        labels = [*_STATUSES, None]
        return [labels[status] for status in self.status[indices].tolist()]


def columns(run: Run, parser: str, metrics: Sequence[str]) -> tuple[Facts, dict[str, NDArray[np.float64]]]:
    """Read facts and scores of all sentences of a parser."""
    items, n = [METRICS[name] for name in metrics], run.n_sentences
    scores = {name: np.full(n, np.nan) for name in metrics}
    words, status = np.zeros(n, dtype=np.int32), np.full(n, -1, dtype=np.int8)
    for numbers, block in sentence_blocks(run, parser, items):
        for item in items:
            scores[item.id][numbers - 1] = block.scores(item)
        words[numbers - 1] = block.numbers("words")
        codes = np.full(len(numbers), -1, dtype=np.int8)
        for known in SentenceStatus:
            codes[block.has(known)] = _STATUSES.index(known.label)
        codes[~(block.numbers("sentences") > 0)] = _STATUSES.index(LEFT_OUT)
        status[numbers - 1] = codes
    return Facts(words, status), scores


def error_counts(run: Run, parser: str) -> NDArray[np.float64] | None:
    """Read the number of errors of all sentences of a parser, NaN if undefined; None if the run does not have them."""
    count = run.framework.figures.errors
    counted = {column for name in run.metrics for column in METRICS[name].columns}
    if count is None or not counted.issuperset(count.metric.columns):
        return None
    errors = np.full(run.n_sentences, np.nan)
    for numbers, block in sentence_blocks(run, parser, [count.metric]):
        errors[numbers - 1] = block.scores(count.metric)
    return errors


def largest_repairs(run: Run, parser: str) -> NDArray[np.float64] | None:
    """Read how many errors one repair of each sentence mends at most, NaN if undefined; None without repairs."""
    types, counts = run.framework.figures.error_types, error_counts(run, parser)
    if types is None or counts is None:
        return None
    largest = types.steps(run, parser, types.rules.default).groupby("sentence")["repaired"].max()
    in_order = largest.reindex(range(1, run.n_sentences + 1), fill_value=0)
    return np.where(np.isnan(counts), np.nan, in_order.to_numpy(dtype=np.float64))


def instructive_first(
    words: NDArray[np.int32], errors: NDArray[np.float64], largest: NDArray[np.float64] | None
) -> NDArray[np.int32]:
    """Return the numbers of all sentences: those of instructive length first, by what one repair mends, or by errors.

    Of those with the same largest repair the ones with fewest other errors come first, of these the longest.
    """
    minimum, maximum = INSTRUCTIVE_WORDS
    is_last = (words < minimum) | (words > maximum) | ~(errors > 0)
    mended = errors if largest is None else largest
    order: NDArray[np.int32] = np.lexsort((-words, errors, -mended, is_last)).astype(np.int32) + np.int32(1)
    return order


_GOLD = "from trees where parser is null"


def texts_of(run: Run, sentences: NDArray[np.int32]) -> list[str]:
    """Return the gold words of some sentences, separated by spaces; an empty text if the gold tree is missing."""
    rows = run.columns(
        f"select sentence, text {_GOLD} and sentence in (select unnest(?::integer[]))", [sentences.tolist()]
    )
    texts = dict(zip(rows["sentence"].tolist(), rows["text"].tolist(), strict=True))
    return [texts.get(number) or "" for number in sentences.tolist()]


def with_text(run: Run, text: str, *, regex: bool = False) -> NDArray[np.bool_]:
    """Find sentences by their gold words, ignoring case."""
    return _matching(run, text) if regex else _matching(run, _escaped(text), "text is not null")


def _mask(run: Run, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.isin(np.arange(1, run.n_sentences + 1), numbers)


def _matching(run: Run, pattern: str, condition: str = "true") -> NDArray[np.bool_]:
    sql = f"select sentence {_GOLD} and {condition} and regexp_matches(coalesce(text, ''), ?, 'i')"
    return _mask(run, run.columns(sql, [_checked(pattern)])["sentence"])


def _checked(pattern: str) -> str:
    """Return a regular expression; raise ParameterError if it cannot be read."""
    try:
        duckdb.execute("select regexp_matches('', ?)", [pattern])
    except duckdb.Error as error:
        raise ParameterError(first_line(error).removeprefix("Invalid Input Error: ")) from None
    return pattern


def _escaped(text: str) -> str:
    """Return a regular expression of RE2 that matches a text literally."""
    return "".join(item if item.isalnum() else f"\\x{{{ord(item):x}}}" for item in text)


def with_label(run: Run, parser: str, label: str) -> NDArray[np.bool_]:
    """Find sentences with a label, relation or predicate in the gold tree or graph, or in a parser's."""
    labels = run.framework.runs.labels
    query = None if labels is None else labels.sentences(parser, label)
    if query is None:
        return np.zeros(run.n_sentences, dtype=np.bool_)
    return _mask(run, run.query(*query)["sentence"].to_numpy())
