"""Columns of a parser's sentences as arrays, and complete rows of a few sentences, for long lists of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.figures import sentence_scores
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.runs.sums import LEFT_OUT, STATUS_SQL, metric_columns, sentence_blocks

__all__ = ["Facts", "by_sentence", "columns", "error_counts", "rows_of"]

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


def by_sentence(n_sentences: int, numbers: NDArray[Any], values: Any, empty: Any) -> NDArray[Any]:
    """Return values in the order of the sentences; `empty` for sentences without a value."""
    inside = (numbers >= 1) & (numbers <= n_sentences)  # a damaged run may have other numbers
    ordered: NDArray[Any] = np.full(n_sentences, empty)
    ordered[numbers[inside] - 1] = np.broadcast_to(values, len(numbers))[inside]
    return ordered


def columns(
    run: Run, parser: str, metrics: Sequence[str], *, with_facts: bool = True
) -> tuple[Facts | None, dict[str, NDArray[np.float64]]]:
    """Read facts and scores of all sentences of a parser."""
    items, n = [METRICS[name] for name in metrics], run.n_sentences
    scores = {name: np.full(n, np.nan) for name in metrics}
    words, status = np.zeros(n, dtype=np.int32), np.full(n, -1, dtype=np.int8)
    for numbers, block in sentence_blocks(run, parser, items):
        for item in items:
            scores[item.id][numbers - 1] = block.scores(item)
        if with_facts:
            words[numbers - 1] = block.numbers("words")
            codes = np.full(len(numbers), -1, dtype=np.int8)
            for known in SentenceStatus:
                codes[block.has(known)] = _STATUSES.index(known.label)
            codes[~(block.numbers("sentences") > 0)] = _STATUSES.index(LEFT_OUT)
            status[numbers - 1] = codes
    return Facts(words, status) if with_facts else None, scores


def error_counts(run: Run, parser: str) -> NDArray[np.float64] | None:
    """Read the number of errors of all sentences of a parser, NaN if undefined; None if the run does not have them."""
    count = run.framework.error_count
    counted = {column for name in run.metrics for column in METRICS[name].columns}
    if count is None or not counted.issuperset(count.metric.columns):
        return None
    errors = np.full(run.n_sentences, np.nan)
    for numbers, block in sentence_blocks(run, parser, [count.metric]):
        errors[numbers - 1] = block.scores(count.metric)
    return errors


def rows_of(run: Run, parser: str, sentences: Sequence[int], metrics: Sequence[str]) -> pd.DataFrame:
    """Return length, status, text and scores of some sentences."""
    chosen = list(sentences)
    items = [METRICS[name] for name in metrics]
    needed = [name for name in metric_columns(items) if name != "status"]
    among = "between ? and ? and sentence in (select unnest(?::integer[]))"
    ends = [min(chosen, default=0), max(chosen, default=0), chosen]
    rows = run.query(
        f"select sentence, status, {', '.join(needed)}, {STATUS_SQL} as listed from sentences "
        f"where parser = ? and sentence {among}",
        [parser, *ends],
    )
    rows = sentence_scores(rows, items).assign(sentence=rows["sentence"], words=rows["words"], status=rows["listed"])
    texts = run.query(
        f"select sentence, coalesce(text, '') as text from trees where parser is null and sentence {among}", ends
    )
    joined = rows.merge(texts, on="sentence", how="left").set_index("sentence").reindex(chosen)
    return joined[["words", "status", "text", *metrics]].rename_axis("sentence").reset_index()
