"""The counts of a parser's sentences under one metric, as arrays: what two parsers are compared by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics import METRICS
from evaltools.normalize import Status
from evaltools.runs.store import Run
from evaltools.runs.sums import condition, formula, has

__all__ = ["OVER", "SentenceCounts", "common_counts", "sentence_counts"]

OVER = ("scored", "all")
"""Which sentences count: those that have a score, or all, where a missing parse is one of which nothing is matched."""


@dataclass(frozen=True, slots=True)
class SentenceCounts:
    """A parser's sentences under one metric.

    Parameters
    ----------
    counts : mapping of str to ndarray of float64, shape (sentences,)
        The metric's count columns; 0 in sentences that do not count.
    score : ndarray of float64, shape (sentences,)
        The scores, NaN where undefined and in sentences that do not count.
    mask : ndarray of bool, shape (sentences,)
        The sentences that count.
    words : ndarray of int32, shape (sentences,)
        Length of the gold sentence.
    lost : ndarray of int32, shape (sentences,)
        Number of gold words without a partner where the parse has other words; −1 where it has the same.
    missing : ndarray of bool, shape (sentences,)
        Whether there is no parse.
    n_own : int
        How many sentences count for the parser, be it alone.
    """

    counts: Mapping[str, NDArray[np.float64]]
    score: NDArray[np.float64]
    mask: NDArray[np.bool_]
    words: NDArray[np.int32]
    lost: NDArray[np.int32]
    missing: NDArray[np.bool_]
    n_own: int

    def __len__(self) -> int:
        return len(self.mask)


def sentence_counts(run: Run, parser: str, metric: str, over: str = "scored") -> SentenceCounts:
    """Return the counts of every sentence of a parser.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    metric : str
        A metric id.
    over : {"scored", "all"}
        Which sentences count.

    Raises
    ------
    ParameterError
        If the run has no such parser or metric, or `over` is neither of the two.
    """
    for what, name, known in (("parser", parser, run.parsers), ("metric", metric, run.metrics), ("over", over, OVER)):
        if name not in known:
            raise ParameterError.unknown(what, name, known)
    one = METRICS[metric]
    every = over == "all"
    columns = [one.over_all.get(name, name) if every else name for name in one.columns]
    counted = ", ".join(f"{column}::double as count_{place}" for place, column in enumerate(columns))
    lost = f"case status when '{Status.WORDS_DIFFER.label}' then words_scored - coalesce(words_aligned, 0) else -1 end"
    rows = run.query(
        f"select sentence, words, {lost} as lost, status = '{Status.MISSING.label}' as missing, "
        f"coalesce({condition(one, over)}, false) as counts, {formula(one, over)} as score, "
        f"{counted} from sentences where parser = ?",
        [parser],
    )
    sentences = rows["sentence"].to_numpy()
    inside = np.flatnonzero((sentences >= 1) & (sentences <= run.n_sentences))  # a damaged run may say anything
    places = sentences[inside] - 1

    def placed(column: str, empty: Any) -> NDArray[Any]:
        values: NDArray[Any] = np.full(run.n_sentences, empty)
        values[places] = rows[column].to_numpy(dtype=values.dtype, na_value=empty)[inside]
        return values

    mask = placed("counts", np.False_)
    counts = {}
    for place, name in enumerate(one.columns):
        values = placed(f"count_{place}", np.float64(0.0))
        counts[name] = np.where(mask, np.nan_to_num(values), 0.0)
    score = np.where(mask, placed("score", np.float64("nan")), np.nan)
    words, lost_words = placed("words", np.int32(0)), placed("lost", np.int32(-1))
    return SentenceCounts(counts, score, mask, words, lost_words, placed("missing", np.False_), int(mask.sum()))


def common_counts(
    run: Run, parsers: Sequence[str], metric: str, figure: str = "pooled", *, among: Sequence[str] = ()
) -> list[SentenceCounts]:
    """Return the counts of the sentences that the figure of all of some parsers is over.

    Parameters
    ----------
    run : Run
        The run.
    parsers : sequence of str
        The parsers.
    metric : str
        A metric id.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        The figure.
    among : sequence of str
        Further parsers that must have the sentences.
    """
    over = "all" if figure.endswith("_all") else "scored"
    sides = [sentence_counts(run, parser, metric, over) for parser in parsers]
    names = list(dict.fromkeys([*parsers, *among]))
    common = np.zeros(run.n_sentences, dtype=np.bool_)
    rows = run.query(
        f"select sentence from sentences where parser in ({', '.join('?' * len(names))}) "
        f"and coalesce({has(METRICS[metric], figure)}, false) group by sentence having count(*) = {len(names)}",
        names,
    )
    places = rows["sentence"].to_numpy(dtype=np.int64) - 1
    common[places[(places >= 0) & (places < run.n_sentences)]] = True
    return [_only(side, side.mask & common, figure) for side in sides]


def _only(side: SentenceCounts, mask: NDArray[np.bool_], figure: str) -> SentenceCounts:
    counts = {name: np.where(mask, values, 0.0) for name, values in side.counts.items()}
    n_own = side.n_own if figure.startswith("pooled") else int(np.count_nonzero(~np.isnan(side.score)))
    return replace(side, counts=counts, score=np.where(mask, side.score, np.nan), mask=mask, n_own=n_own)
