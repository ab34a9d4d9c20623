"""The counts of a parser's sentences under one metric as arrays, for comparisons of parsers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.common.status import Status
from evaltools.frameworks.registry import METRICS
from evaltools.runs.sentence_columns import by_sentence
from evaltools.runs.store import Run
from evaltools.runs.sums import condition, formula, has

__all__ = ["OVER", "SentenceCounts", "common_counts", "sentence_counts"]

OVER = ("scored", "all")
"""Which sentences count: those that have a score, or all, with nothing matched if there is no parse."""


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
    for kind, name, valid in (("parser", parser, run.parsers), ("metric", metric, run.metrics), ("over", over, OVER)):
        if name not in valid:
            raise ParameterError.unknown(kind, name, valid)
    item = METRICS[metric]
    columns = [item.over_all.get(name, name) if over == "all" else name for name in item.columns]
    counted = ", ".join(f"{column}::double as count_{index}" for index, column in enumerate(columns))
    lost = f"case status when '{Status.WORDS_DIFFER.label}' then words_scored - coalesce(words_aligned, 0) else -1 end"
    rows = run.query(
        f"select sentence, words, {lost} as lost, status = '{Status.MISSING.label}' as missing, "
        f"coalesce({condition(item, over)}, false) as counts, {formula(item, over)} as score, "
        f"{counted} from sentences where parser = ?",
        [parser],
    )

    def placed(column: str, empty: Any) -> NDArray[Any]:
        values = rows[column].to_numpy(dtype=empty.dtype, na_value=empty)
        return by_sentence(run.n_sentences, rows["sentence"].to_numpy(), values, empty)

    mask = placed("counts", np.False_)
    counts = {}
    for index, name in enumerate(item.columns):
        values = placed(f"count_{index}", np.float64(0.0))
        counts[name] = np.where(mask, np.nan_to_num(values), 0.0)
    score = np.where(mask, placed("score", np.float64("nan")), np.nan)
    words, lost_words = placed("words", np.int32(0)), placed("lost", np.int32(-1))
    return SentenceCounts(counts, score, mask, words, lost_words, placed("missing", np.False_), int(mask.sum()))


def common_counts(
    run: Run, parsers: Sequence[str], metric: str, figure: str = "pooled", *, among: Sequence[str] = ()
) -> list[SentenceCounts]:
    """Return the counts of the sentences that count in a figure of all these parsers, and those in `among`."""
    over = "all" if figure.endswith("_all") else "scored"
    sides = [sentence_counts(run, parser, metric, over) for parser in parsers]
    names = list(dict.fromkeys([*parsers, *among]))
    rows = run.query(
        f"select sentence from sentences where parser in ({', '.join('?' * len(names))}) "
        f"and coalesce({has(METRICS[metric], figure)}, false) group by sentence having count(*) = {len(names)}",
        names,
    )
    common = by_sentence(run.n_sentences, rows["sentence"].to_numpy(dtype=np.int64), True, np.False_)
    return [_only(side, side.mask & common, figure) for side in sides]


def _only(side: SentenceCounts, mask: NDArray[np.bool_], figure: str) -> SentenceCounts:
    counts = {name: np.where(mask, values, 0.0) for name, values in side.counts.items()}
    n_own = side.n_own if figure.startswith("pooled") else int(np.count_nonzero(~np.isnan(side.score)))
    return replace(side, counts=counts, score=np.where(mask, side.score, np.nan), mask=mask, n_own=n_own)
