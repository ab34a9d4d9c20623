"""Single columns of a parser's sentences as arrays, and whole rows of a few: what a long list of sentences needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaltools.metrics import METRICS
from evaltools.normalize import Status
from evaltools.runs.store import Run
from evaltools.runs.sums import score_sql

__all__ = ["Facts", "columns", "rows_of", "trees_of"]

_STATUSES = [status.label for status in Status]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of each sentence of a parser, whatever the metric.

    Parameters
    ----------
    words : ndarray of int32, shape (sentences,)
        Length of the gold sentence.
    status : ndarray of int8, shape (sentences,)
        Place of its :class:`~evaltools.normalize.Status`, -1 where the run says nothing known.
    """

    words: NDArray[np.int32]
    status: NDArray[np.int8]

    def has_status(self, label: str) -> NDArray[np.bool_]:
        """Return the sentences of a status."""
        return np.asarray(self.status == _STATUSES.index(label))

    def labels(self, places: NDArray[np.int32]) -> list[str | None]:
        """Return the status of some sentences in words; None where the run says nothing known."""
        known = [*_STATUSES, None]
        return [known[status] for status in self.status[places].tolist()]


def columns(
    run: Run, parser: str, metrics: Sequence[str], *, with_facts: bool = True
) -> tuple[Facts | None, dict[str, NDArray[np.float64]]]:
    """Read facts and scores of every sentence of a parser, all at once.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    metrics : sequence of str
        Metric ids.
    with_facts : bool
        Whether facts are wanted.

    Returns
    -------
    facts : Facts or None
        Length and status of every sentence.
    scores : dict of str to ndarray of float64, shape (sentences,)
        By metric; NaN where undefined.
    """
    cases = " ".join(f"when '{label}' then {place}" for place, label in enumerate(_STATUSES))
    wanted = ["sentence", *(f"{score_sql(METRICS[name])} as {name}" for name in metrics)]
    if with_facts:
        wanted += ["words", f"(case status {cases} else -1 end)::tinyint as status"]
    rows = run.arrow(f"select {', '.join(wanted)} from sentences where parser = ?", [parser])
    sentences = rows["sentence"].to_numpy()
    # what a damaged run says of other sentences is left out
    inside = (sentences >= 1) & (sentences <= run.n_sentences)
    in_order = np.array_equal(sentences, np.arange(1, run.n_sentences + 1))

    def placed(name: str, empty: Any) -> NDArray[Any]:
        values: NDArray[Any] = pc.fill_null(rows[name], pa.scalar(empty, rows[name].type)).to_numpy()
        values = values.astype(empty.dtype, copy=False)
        if in_order:
            return values
        found: NDArray[Any] = np.full(run.n_sentences, empty, dtype=empty.dtype)
        found[sentences[inside] - 1] = values[inside]
        return found

    facts = Facts(placed("words", np.int32(0)), placed("status", np.int8(-1))) if with_facts else None
    return facts, {name: placed(name, np.float64("nan")) for name in metrics}


def rows_of(run: Run, parser: str, sentences: Sequence[int], metrics: Sequence[str]) -> pd.DataFrame:
    """Return whole rows of some sentences.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    sentences : sequence of int
        Their numbers, from 1.
    metrics : sequence of str
        Metric ids.

    Returns
    -------
    DataFrame
        ``sentence``, ``words``, ``status``, ``text`` (the gold words) and the metrics, in the order given.
    """
    wanted = list(sentences)
    shown = ", ".join(f"{score_sql(METRICS[name])} as {name}" for name in metrics)
    among = "between ? and ? and sentence in (select unnest(?::integer[]))"
    ends = [min(wanted, default=0), max(wanted, default=0), wanted]
    rows = run.query(
        f"select sentence, words, status, {shown} from sentences where parser = ? and sentence {among}",
        [parser, *ends],
    )
    texts = run.query(
        f"select sentence, coalesce(text, '') as text from trees where parser is null and sentence {among}", ends
    )
    joined = rows.merge(texts, on="sentence", how="left").set_index("sentence").reindex(wanted)
    first = ["words", "status", "text"]
    return joined[[*first, *metrics]].rename_axis("sentence").reset_index()


def trees_of(run: Run, parser: str | None, sentences: Sequence[int]) -> tuple[dict[int, str | None], str]:
    """Return the trees of some sentences as they were read, by number; and their notation.

    Parameters
    ----------
    run : Run
        The run.
    parser : str or None
        Whose trees; None for the gold ones.
    sentences : sequence of int
        Their numbers, from 1.
    """
    rows = run.query(
        "select sentence, tree, notation from trees where parser is not distinct from ? "
        "and sentence in (select unnest(?::integer[]))",
        [parser, list(sentences)],
    )
    pairs = zip(rows["sentence"].tolist(), rows["tree"].tolist(), strict=True)
    return {at: tree if isinstance(tree, str) else None for at, tree in pairs}, str(rows["notation"].iloc[0]) if len(
        rows
    ) else "ptb"
