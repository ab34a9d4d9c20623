"""Single columns of a parser's sentences as arrays, and whole rows of a few: what a long list of sentences needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.metrics import METRICS
from evaltools.normalize import Status
from evaltools.runs.store import Run
from evaltools.runs.sums import score_sql

__all__ = ["Facts", "facts", "rows_of", "scores", "trees_of"]

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


def _placed(run: Run, rows: pd.DataFrame, column: str, empty: Any) -> NDArray[Any]:
    """Put a column in the order of the sentences; what a damaged run says of others is left out."""
    values = rows[column].to_numpy(dtype=empty.dtype, na_value=empty)
    sentences = rows["sentence"].to_numpy()
    inside = (sentences >= 1) & (sentences <= run.n_sentences)
    placed = np.full(run.n_sentences, empty, dtype=empty.dtype)
    placed[sentences[inside] - 1] = values[inside]
    return placed


def facts(run: Run, parser: str) -> Facts:
    """Return length and status of every sentence.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    """
    cases = " ".join(f"when '{label}' then {place}" for place, label in enumerate(_STATUSES))
    rows = run.query(
        f"select sentence, words, (case status {cases} else -1 end)::tinyint as status from sentences where parser = ?",
        [parser],
    )
    return Facts(_placed(run, rows, "words", np.int32(0)), _placed(run, rows, "status", np.int8(-1)))


def scores(run: Run, parser: str, metric: str) -> NDArray[np.float64]:
    """Return the score of every sentence of a parser, NaN where undefined.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    metric : str
        A metric id.
    """
    rows = run.query(
        f"select sentence, {score_sql(METRICS[metric])} as score from sentences where parser = ?", [parser]
    )
    return _placed(run, rows, "score", np.float64("nan"))


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
