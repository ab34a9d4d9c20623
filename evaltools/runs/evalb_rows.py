"""Rows of evalb's report for lines with brackets that are never closed, which are no trees to anyone else."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaltools.normalize.evalb_lines import EvalbLine, EvalbRow, compare_lines, read_line
from evaltools.normalize.evalb_parameters import EvalbParameters
from evaltools.treebank import Treebank

__all__ = ["EVALB_ROW", "with_evalb_rows"]

EVALB_ROW = tuple(f"evalb_{one.name}" for one in fields(EvalbRow))
"""Columns of the sentences table under an evalb preset: null where the other columns say what evalb says."""


def with_evalb_rows(rows: pa.Table, gold: Treebank, test: Treebank, parameters: EvalbParameters) -> pa.Table:
    """Add evalb's rows for the sentences where a bracket of either line is never closed.

    Parameters
    ----------
    rows : Table
        The sentences table of a parser.
    gold, test : Treebank
        As read.
    parameters : EvalbParameters
        The rules.
    """
    found: dict[int, EvalbRow] = {}
    lengths = rows["evalb_length"].to_numpy().copy()
    for sentence in sorted({*_unread(gold), *_unread(test)}):
        lines = [_line(treebank, sentence, parameters) for treebank in (gold, test)]
        ours, its = lines
        if ours is not None:
            lengths[sentence] = ours.length
        if ours is not None and its is not None and not (ours.closed and its.closed):
            found[sentence] = compare_lines(ours, its, parameters)
    places = np.fromiter(found, dtype=np.int64, count=len(found))
    for name, column in zip((one.name for one in fields(EvalbRow)), EVALB_ROW, strict=True):
        values = np.zeros(len(rows), dtype=np.int32)
        values[places] = [getattr(row, name) for row in found.values()]
        empty = np.ones(len(rows), dtype=np.bool_)
        empty[places] = False
        rows = rows.append_column(column, pa.array(values, mask=empty))
    place = rows.schema.get_field_index("evalb_length")
    return rows.set_column(place, "evalb_length", pc.cast(pa.array(lengths), rows.schema.field(place).type))


def _unread(treebank: Treebank) -> list[int]:
    """List the sentences that have text and no tree."""
    empty = np.diff(treebank.offsets) == 0
    chosen: list[int] = np.flatnonzero(empty & (treebank.text_end > treebank.text_start)).tolist()
    return chosen


def _line(treebank: Treebank, sentence: int, parameters: EvalbParameters) -> EvalbLine | None:
    raw = treebank.text[treebank.text_start[sentence] : treebank.text_end[sentence]]
    return read_line(raw.decode("utf-8", "backslashreplace"), parameters)
