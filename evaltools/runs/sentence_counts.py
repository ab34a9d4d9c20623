"""The counts of a parser's sentences under one metric as arrays, for comparisons of parsers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.figures import over_of
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.runs.store import Run
from evaltools.runs.sums import sentence_blocks

__all__ = ["OVER", "SentenceCounts", "sentence_counts", "shared_counts"]

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
