"""Columns of a parser's sentences as arrays, and complete rows of a few sentences, for long lists of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaltools.frameworks.common.status import Status
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.runs.sums import LEFT_OUT, STATUS_SQL, score_sql

__all__ = ["Facts", "by_sentence", "columns", "error_counts", "rows_of"]

_STATUSES = [*(status.label for status in Status), LEFT_OUT]


@dataclass(frozen=True, slots=True)
class Facts:
    """Length and status of each sentence of a parser."""

    words: NDArray[np.int32]  # Length of the gold sentence
    status: NDArray[np.int8]  # Value of its Status, the next one if it is left out; -1 if the run has an unknown one

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
    """Read facts and scores of all sentences of a parser in one query."""
    cases = " ".join(f"when '{label}' then {index}" for index, label in enumerate(_STATUSES))
    selected = ["sentence", *(f"{score_sql(METRICS[name])} as {name}" for name in metrics)]
    if with_facts:
        selected += ["words", f"(case ({STATUS_SQL}) {cases} else -1 end)::tinyint as status"]
    rows = run.arrow(f"select {', '.join(selected)} from sentences where parser = ?", [parser])
    sentences = rows["sentence"].to_numpy()
    in_order = np.array_equal(sentences, np.arange(1, run.n_sentences + 1))

    def placed(name: str, empty: Any) -> NDArray[Any]:
        values: NDArray[Any] = pc.fill_null(rows[name], pa.scalar(empty, rows[name].type)).to_numpy()
        values = values.astype(empty.dtype, copy=False)
        return values if in_order else by_sentence(run.n_sentences, sentences, values, empty)

    facts = Facts(placed("words", np.int32(0)), placed("status", np.int8(-1))) if with_facts else None
    return facts, {name: placed(name, np.float64("nan")) for name in metrics}


def error_counts(run: Run, parser: str) -> NDArray[np.float64] | None:
    """Read the number of errors of all sentences of a parser, NaN if undefined; None if the run does not have them."""
    count = run.framework.error_count
    counted = {column for name in run.metrics for column in METRICS[name].columns}
    if count is None or not counted.issuperset(count.metric.columns):
        return None
    rows = run.arrow(f"select sentence, {score_sql(count.metric)} as errors from sentences where parser = ?", [parser])
    values = rows["errors"].cast(pa.float64())
    errors = pc.fill_null(values, pa.scalar(float("nan"))).to_numpy()
    return by_sentence(run.n_sentences, rows["sentence"].to_numpy(), errors, np.float64("nan"))


def rows_of(run: Run, parser: str, sentences: Sequence[int], metrics: Sequence[str]) -> pd.DataFrame:
    """Return length, status, text and scores of some sentences."""
    chosen = list(sentences)
    scores = ", ".join(f"{score_sql(METRICS[name])} as {name}" for name in metrics)
    among = "between ? and ? and sentence in (select unnest(?::integer[]))"
    ends = [min(chosen, default=0), max(chosen, default=0), chosen]
    rows = run.query(
        f"select sentence, words, {STATUS_SQL} as status, {scores} from sentences "
        f"where parser = ? and sentence {among}",
        [parser, *ends],
    )
    texts = run.query(
        f"select sentence, coalesce(text, '') as text from trees where parser is null and sentence {among}", ends
    )
    joined = rows.merge(texts, on="sentence", how="left").set_index("sentence").reindex(chosen)
    return joined[["words", "status", "text", *metrics]].rename_axis("sentence").reset_index()
