"""Tables that runs of every framework have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.frameworks.common.columns import (
    Rows,
    SentenceStatus,
    coded,
    concatenated,
    constant,
    integer_column,
    nothing,
    number_column,
    text_column,
)
from evaltools.frameworks.metric import ZERO, ratio
from evaltools.frameworks.passes import Pass, Passes

if TYPE_CHECKING:
    import pandas as pd


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
    words_aligned: NDArray[Any],
    more: Mapping[str, NDArray[Any]] | None = None,
) -> Rows:
    """Build one row a sentence: status, lengths, and the counts of all passes of the framework."""
    n = len(status)
    columns: Rows = {
        "parser": constant(parser, n),
        "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(first),
        "line": number_column(line.astype(np.int32), line == 0),
        "words": words.astype(np.int32),
        "words_scored": words_scored.astype(np.int32),
        "status": coded(status.astype(np.int64), [item.label for item in SentenceStatus]),
        "sentences": counted.astype(np.int32),
        "words_aligned": words_aligned,
        **(more or {}),
    }
    for kind in passes.kinds:
        for name, values in _count_columns(kind, passes.get(kind), n):
            columns.setdefault(name, values)
    return columns


def count_statuses(sentences: Rows) -> list[int]:
    """Return the number of sentences of each status, without those whose gold tree has nothing that counts."""
    statuses = sentences["status"][sentences["sentences"] > 0]
    return [int(np.count_nonzero(statuses == status.label)) for status in SentenceStatus]


def _count_columns(kind: type[Pass[Any]], made: Pass[Any] | None, n: int) -> Iterable[tuple[str, NDArray[Any]]]:
    """Return the counts of a pass, and those that take their place in figures over all sentences."""
    if made is None:
        yield from ((name, np.full(n, np.nan)) for name in kind.columns)
        return
    counts = made.counts
    for index, name in enumerate(kind.columns):
        values = np.ascontiguousarray(counts[:, index])
        yield name, number_column(values, made.undefined(name))
        over_all = kind.family.count(name).over_all
        if over_all not in ("", ZERO):
            yield over_all, number_column(values, made.undefined(over_all))


def stored_trees(
    parser: str | None,
    first: int,
    line: NDArray[np.int32],
    notation: str,
    trees: Sequence[str | None],
    texts: Sequence[str | None] | None = None,
) -> Rows:
    """Build one row a tree as it was read, None if it is missing, with the words of gold trees as ``texts``."""
    n = len(trees)
    return {
        "parser": constant(parser, n),
        "sentence": np.arange(1, n + 1, dtype=np.int32) + np.int32(first),
        "line": number_column(line, line == 0),
        "notation": constant(notation, n),
        "tree": text_column(trees),
        "text": constant(None, n) if texts is None else text_column(texts),
    }


def errors_table(
    parser: str,
    kind: str,
    sentence: NDArray[np.int32],
    status: NDArray[Any],
    cost: NDArray[Any],
    spans: tuple[NDArray[Any], NDArray[Any], Sequence[str] | NDArray[Any]],
    words: Sequence[str] | NDArray[Any],
    labels: tuple[NDArray[Any], NDArray[Any]],
    text: Sequence[str] | NDArray[Any],
    *,
    repair: NDArray[np.int32] | None = None,
    typical: NDArray[np.bool_] | None = None,
    more: Mapping[str, NDArray[Any]] | None = None,
) -> Rows:
    """Build one row an error, in the order of sentences; in each the errors are numbered from 1.

    `spans` are the first word, the one after the last, and the gaps among the words that count; `words` the stretches
    of words as read, such as ``2-4 5-6``; `text` is the error in words, `repair` the number of the repair that it
    belongs to, 0 for none, and `typical` says which are good examples.
    """
    n = len(sentence)
    return {
        "parser": constant(parser, n),
        "sentence": sentence.astype(np.int32),
        "number": _numbers(sentence),
        "repair": nothing(n) if repair is None else number_column(repair, repair == 0),
        "kind": constant(kind, n),
        "status": status,
        "cost": cost,
        "start": spans[0].astype(np.int32),
        "end": spans[1].astype(np.int32),
        "gaps": text_column(spans[2]),
        "words": text_column(words),
        "gold": labels[0],
        "test": labels[1],
        "typical": np.ones(n, dtype=np.bool_) if typical is None else typical,
        "text": text_column(text),
        **(more or {}),
    }


def numbered_errors(*kinds: Rows) -> Rows:
    """Return the errors of several kinds, those of each sentence together and numbered from 1."""
    rows = concatenated(kinds)
    order = np.argsort(rows["sentence"], kind="stable")
    rows = {name: column[order] for name, column in rows.items()}
    return rows | {"number": _numbers(rows["sentence"])}


def _numbers(sentence: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the number of each error in its sentence; those of a sentence stand together."""
    n = len(sentence)
    begins = np.flatnonzero(np.append(True, sentence[1:] != sentence[:-1])) if n else np.zeros(0, dtype=np.int64)
    return (np.arange(n) - np.repeat(begins, np.diff(np.append(begins, n))) + 1).astype(np.int32)


def problems_table(problems: Iterable[Problem]) -> Rows:
    """Build one row a problem."""
    rows = list(problems)
    return {
        "kind": text_column([p.kind for p in rows]),
        "parser": text_column([p.parser for p in rows]),
        "sentence": integer_column([p.sentence for p in rows]),
        "file": text_column([p.file for p in rows]),
        "line": integer_column([p.line for p in rows]),
        "column": integer_column([p.column for p in rows]),
        "found": text_column([p.found for p in rows]),
        "expected": text_column([p.expected for p in rows]),
    }


def label_figures(rows: pd.DataFrame, parsers: Sequence[str], kinds: Sequence[str] = ()) -> pd.DataFrame:
    """Add recall, precision and F1 to counts ``gold``, ``test`` and ``matched`` by label, NaN where undefined.

    The rows are sorted by parser, by ``kind`` if there are kinds, then the most frequent first.
    """
    gold, test, matched = (rows[name].to_numpy(dtype=np.float64) for name in ("gold", "test", "matched"))
    rows = rows.assign(recall=ratio(matched, gold), precision=ratio(matched, test), f1=ratio(2 * matched, gold + test))
    names: dict[Any, list[str]] = {"parser": [*parsers], **({"kind": [*kinds]} if kinds else {})}
    return rows.sort_values(
        [*names, "gold", "test", "label"],
        ascending=[*[True] * len(names), False, False, True],
        key=lambda column: column.map(names[column.name].index) if column.name in names else column,
        kind="stable",
        ignore_index=True,
    )
