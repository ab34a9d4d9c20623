"""Two runs, cell by cell: where one differs from the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from numpy.typing import NDArray

from evaltools.runs.folder import Folder

__all__ = ["Difference", "Findings", "compare_tables"]

_SENTENCES_AT_A_TIME = 4096
_LONGEST_VALUE = 80


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs.

    Parameters
    ----------
    table : str
        The table, ``"meta.json"``, ``"source"``, or a part such as ``"words/00000-0000.parquet"``.
    found, expected : str
        What the run holds, and what it should hold.
    sentence : int or None
        Number of the sentence, from 1.
    parser : str or None
        The parser; None for gold trees and where no parser is concerned.
    column : str or None
        The column, or the key of ``meta.json``.
    """

    table: str
    found: str
    expected: str
    sentence: int | None = None
    parser: str | None = None
    column: str | None = None

    def __str__(self) -> str:
        """Return ``table, parser, sentence, column: found; expected …``."""
        place = [self.table]
        if self.parser is not None:
            place.append(f"parser {self.parser}")
        if self.sentence is not None:
            place.append(f"sentence {self.sentence}")
        if self.column is not None:
            place.append(self.column)
        return f"{', '.join(place)}: {self.found}; expected {self.expected}"


@dataclass
class Findings:
    """All differences are counted, the first ones kept.

    Parameters
    ----------
    most : int
        How many are kept.
    """

    most: int = 20
    kept: list[Difference] = field(default_factory=list)
    total: int = 0

    def add(self, table: str, found: Any, expected: Any, **place: Any) -> None:
        """Count a difference; keep it if there is room."""
        self.total += 1
        if self.room:
            self.kept.append(Difference(table, _shown(found), _shown(expected), **place))

    def add_part(self, name: str, fault: str) -> None:
        """Count a part or an answer that is not the file that was written."""
        self.add(name, _Plain(fault), _Plain("the file that was written"))

    @property
    def room(self) -> int:
        """How many more are kept."""
        return self.most - len(self.kept)


class _Plain(str):
    """A text that is shown as it is."""


def _shown(value: Any) -> str:
    text = str(value) if isinstance(value, _Plain) else "nothing" if value is None else repr(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def compare_tables(
    found: Folder, expected: Folder, tables: Sequence[str], parsers: list[str], n_sentences: int, findings: Findings
) -> None:
    """Compare every table of two run folders, some thousand sentences at a time.

    Parameters
    ----------
    found, expected : Folder
        The run in question, and the one it should equal.
    tables : sequence of str
        Names of the tables.
    parsers : list of str
        Names of the parsers.
    n_sentences : int
        Number of gold sentences.
    findings : Findings
        Takes what differs.
    """
    for table in tables:
        try:
            sides = found.dataset(table), expected.dataset(table)
            if not _same_columns(table, sides[0].schema, sides[1].schema, findings):
                continue
            if table == "problems":
                _compare_as_bag(table, sides, findings)
            else:
                _compare_in_order(table, sides, parsers, n_sentences, findings)
        except (pa.ArrowException, OSError) as error:
            findings.add(table, _Plain(f"cannot be read ({str(error).splitlines()[0]})"), _Plain("a readable table"))


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _same_columns(table: str, found: pa.Schema, expected: pa.Schema, findings: Findings) -> bool:
    types = [{one.name: _Plain(f"a column of {_value_type(one.type)}") for one in side} for side in (found, expected)]
    missing = _Plain("no such column")
    differing = [name for name in {**types[1], **types[0]} if types[0].get(name) != types[1].get(name)]
    for name in differing:
        findings.add(table, types[0].get(name, missing), types[1].get(name, missing), column=name)
    return not differing


def _compare_as_bag(table: str, sides: tuple[ds.Dataset, ds.Dataset], findings: Findings) -> None:
    """Compare rows whatever their order."""
    names = sides[1].schema.names
    bags = [Counter(tuple(row[name] for name in names) for row in side.to_table().to_pylist()) for side in sides]
    one, none = _Plain("a row"), _Plain("no such row")
    for rows, texts in ((bags[0] - bags[1], (one, none)), (bags[1] - bags[0], (none, one))):
        for values in rows.elements():
            row = dict(zip(names, values, strict=True))
            place = {"sentence": row["sentence"], "parser": row["parser"]}
            findings.add(table, *texts, **place, column=f"{row['kind']} at {row['file']}:{row['line']}")


def _compare_in_order(
    table: str, sides: tuple[ds.Dataset, ds.Dataset], parsers: list[str], n_sentences: int, findings: Findings
) -> None:
    """Compare cell by cell; the rows of each parser and sentence stand in a fixed order."""
    seen = [0, 0]
    owner = "theory" if table == "golds" else "parser"
    whose: list[str | None] = [None, *parsers] if table == "trees" else [*parsers]
    if table == "golds":
        whose = sides[1].to_table(columns=[owner])[owner].cast(pa.string()).unique().to_pylist()
    for first in range(1, n_sentences + 1, _SENTENCES_AT_A_TIME):
        within = (ds.field("sentence") >= first) & (ds.field("sentence") < first + _SENTENCES_AT_A_TIME)
        rows = [side.to_table(filter=within) for side in sides]
        for parser in whose:
            parts = [_rows_of(one, owner, parser) for one in rows]
            for place, part in enumerate(parts):
                seen[place] += part.num_rows
            _compare_parser(table, parser, parts[0], parts[1], first, findings)
    extra = sides[0].count_rows() - seen[0]
    if extra:
        findings.add(table, _Plain(f"{extra} rows of no parser or sentence of the run"), _Plain("none"))


def _rows_of(rows: pa.Table, owner: str, parser: str | None) -> pa.Table:
    column = rows[owner].cast(pa.string())
    chosen = rows.filter(pc.is_null(column) if parser is None else pc.equal(column, parser))
    return chosen.take(pc.sort_indices(chosen["sentence"]))


def _compare_parser(
    table: str, parser: str | None, found: pa.Table, expected: pa.Table, first: int, findings: Findings
) -> None:
    numbers = [side["sentence"].to_numpy() for side in (found, expected)]
    counts = [np.bincount(side - first, minlength=_SENTENCES_AT_A_TIME) for side in numbers]
    uneven = counts[0] != counts[1]
    for place in np.flatnonzero(uneven).tolist():
        texts = (_Plain(f"{side[place]} rows") for side in counts)
        findings.add(table, *texts, sentence=first + place, parser=parser)
    if uneven.any():
        found, expected = (
            side.filter(pa.array(~uneven[number - first]))
            for side, number in zip((found, expected), numbers, strict=True)
        )
    for name in expected.column_names:
        columns = found[name], expected[name]
        rows = np.flatnonzero(_unequal(*columns))
        shown = rows[: findings.room].tolist()
        for row in shown:
            values = [column[row].as_py() for column in columns]
            sentence = expected["sentence"][row].as_py()
            findings.add(table, *values, sentence=sentence, parser=parser, column=name)
        findings.total += len(rows) - len(shown)


def _unequal(left: pa.ChunkedArray, right: pa.ChunkedArray) -> NDArray[np.bool_]:
    """Tell which cells differ; nulls equal nulls, NaN equals NaN."""
    kind = _value_type(right.type)
    left, right = left.cast(kind), right.cast(kind)
    nothing = [pc.is_null(side, nan_is_null=pa.types.is_floating(kind)) for side in (left, right)]
    differ = pc.fill_null(pc.not_equal(left, right), False)
    known = pc.and_(pc.invert(nothing[0]), pc.invert(nothing[1]))
    result: NDArray[np.bool_] = pc.or_(pc.and_(differ, known), pc.xor(*nothing)).to_numpy().astype(np.bool_)
    return result
