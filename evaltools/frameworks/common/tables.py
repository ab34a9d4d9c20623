"""Tables that runs of every framework have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.frameworks.common.arrow_columns import coded, constant
from evaltools.frameworks.common.status import Status
from evaltools.frameworks.passes import Pass, Passes

__all__ = ["problems_table", "sentences_table", "stored_trees"]


def sentences_table(
    parser: str,
    passes: Passes[Any],
    *,
    first: int,
    line: NDArray[Any],
    words: NDArray[Any],
    words_scored: NDArray[Any],
    status: NDArray[Any],
    counted: NDArray[Any],
    words_aligned: pa.Array,
    more: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Build one row a sentence: status, lengths, and the counts of all passes of the framework."""
    n = len(status)
    columns: dict[str, Any] = {
        "parser": constant(parser, n),
        "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(first),
        "line": pa.array(line.astype(np.int32), mask=line == 0),
        "words": words.astype(np.int32),
        "words_scored": words_scored.astype(np.int32),
        "status": coded(status.astype(np.int64), [item.label for item in Status]),
        "sentences": counted.astype(np.int32),
        "words_aligned": words_aligned,
        **(more or {}),
    }
    for kind in passes.kinds:
        for name, values in _count_columns(kind, passes.get(kind), n):
            columns.setdefault(name, values)
    return pa.table(columns)


def _count_columns(kind: type[Pass[Any]], made: Pass[Any] | None, n: int) -> Iterable[tuple[str, pa.Array]]:
    """Return the counts of a pass, and those that take their place in figures over all sentences."""
    if made is None:
        yield from ((name, pa.nulls(n, pa.float64())) for name in kind.columns)
        return
    counts = made.counts
    over_all = {column: added for metric in kind.metrics for column, added in metric.over_all.items()}
    for index, name in enumerate(kind.columns):
        values = np.ascontiguousarray(counts[:, index])
        yield name, pa.array(values, mask=made.undefined(name))
        if name in over_all:
            yield over_all[name], pa.array(values, mask=made.undefined(over_all[name]))


def stored_trees(
    parser: str | None,
    first: int,
    line: NDArray[np.int32],
    notation: str,
    trees: Sequence[str | None],
    texts: pa.Array | Sequence[str | None] | None = None,
) -> pa.Table:
    """Build one row a tree as it was read, None if it is missing, with the words of gold trees as ``texts``."""
    n = len(trees)
    return pa.table(
        {
            "parser": constant(parser, n),
            "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(first),
            "line": pa.array(line, mask=line == 0),
            "notation": constant(notation, n),
            "tree": pa.array(trees, pa.string()),
            "text": pa.nulls(n, pa.string()) if texts is None else pa.array(texts, pa.string()),
        }
    )


def problems_table(problems: Iterable[Problem]) -> pa.Table:
    """Build one row a problem."""
    rows = list(problems)
    return pa.table(
        {
            "kind": pa.array([p.kind for p in rows], pa.string()),
            "parser": pa.array([p.parser for p in rows], pa.string()),
            "sentence": pa.array([p.sentence for p in rows], pa.int32()),
            "file": pa.array([p.file for p in rows], pa.string()),
            "line": pa.array([p.line for p in rows], pa.int32()),
            "column": pa.array([p.column for p in rows], pa.int32()),
            "found": pa.array([p.found for p in rows], pa.string()),
            "expected": pa.array([p.expected for p in rows], pa.string()),
        }
    )
