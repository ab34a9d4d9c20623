"""Compares the tables of two runs cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from numpy.typing import NDArray

from evaltools.runs.folders.folder import Folder
from evaltools.runs.schema import METADATA, tables_of
from evaltools.text import beginning, first_line

__all__ = ["Difference", "Differences", "compare_tables"]

_SENTENCES_PER_BLOCK = 4096
_MAX_VALUE_LENGTH = 80
_OWNERS = {"golds": "theory", METADATA: "key"}
"""The columns that, with the sentence, identify the rows of tables without a parser."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a run and the recomputed run."""

    table: str  # The table, ``"meta.json"``, ``"source"``, or a part such as ``"words/00000-0000.parquet"``
    found: str  # Value in the run, and recomputed value
    expected: str
    sentence: int | None = None  # From 1
    parser: str | None = None  # None for gold trees, and if the difference concerns no parser
    column: str | None = None  # Column, or key of ``meta.json``

    def __str__(self) -> str:
        """Return ``table, parser, sentence, column: found; expected …``."""
        parts = [self.table]
        if self.parser is not None:
            parts.append(f"parser {self.parser}")
        if self.sentence is not None:
            parts.append(f"sentence {self.sentence}")
        if self.column is not None:
            parts.append(self.column)
        return f"{', '.join(parts)}: {self.found}; expected {self.expected}"


@dataclass
class Differences:
    """Differences: their total number, and the first ones."""

    limit: int = 20  # How many are listed
    listed: list[Difference] = field(default_factory=list)
    total: int = 0

    def add(self, table: str, found: Any, expected: Any, **position: Any) -> None:
        """Count a difference, and list it if the limit is not reached."""
        self.total += 1
        if self.n_free:
            self.listed.append(Difference(table, _as_text(found), _as_text(expected), **position))

    def add_table(self, name: str, fault: str) -> None:
        """Count a table whose file is not what was written."""
        self.add(name, _Description(fault), _Description("the file that was written"))

    @property
    def n_free(self) -> int:
        """How many more can be listed."""
        return self.limit - len(self.listed)


class _Description(str):
    """A text about a value, which is printed without quotation marks."""


def _as_text(value: Any) -> str:
    text = str(value) if isinstance(value, _Description) else "nothing" if value is None else repr(value)
    return beginning(text, _MAX_VALUE_LENGTH)


def compare_tables(
    found: Folder,
    expected: Folder,
    meta: Mapping[str, Any],
    parsers: list[str],
    n_sentences: int,
    differences: Differences,
) -> None:
    """Compare every table of two runs, in blocks of sentences; `meta` is of the first run."""
    for table in tables_of(meta):
        try:
            sides = found.dataset(table), expected.dataset(table)
            if not _same_columns(table, sides[0].schema, sides[1].schema, differences):
                continue
            if table == "problems":
                _compare_unordered(table, sides, differences)
            else:
                _compare_in_order(table, sides, parsers, n_sentences, differences)
        except (pa.ArrowException, OSError) as error:
            text = f"cannot be read ({first_line(error)})"
            differences.add(table, _Description(text), _Description("a readable table"))


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _same_columns(table: str, found: pa.Schema, expected: pa.Schema, differences: Differences) -> bool:
    """Compare the columns."""
    types = [
        {column.name: _Description(f"a column of {_value_type(column.type)}") for column in schema}
        for schema in (found, expected)
    ]
    missing = _Description("no such column")
    differing = [name for name in {**types[1], **types[0]} if types[0].get(name) != types[1].get(name)]
    for name in differing:
        differences.add(table, types[0].get(name, missing), types[1].get(name, missing), column=name)
    return not differing


def _compare_unordered(table: str, sides: tuple[ds.Dataset, ds.Dataset], differences: Differences) -> None:
    """Compare rows in any order."""
    names = sides[1].schema.names
    bags = [Counter(tuple(row[name] for name in names) for row in side.to_table().to_pylist()) for side in sides]
    item, none = _Description("a row"), _Description("no such row")
    for rows, texts in ((bags[0] - bags[1], (item, none)), (bags[1] - bags[0], (none, item))):
        for values in rows.elements():
            row = dict(zip(names, values, strict=True))
            position = {"sentence": row["sentence"], "parser": row["parser"]}
            differences.add(table, *texts, **position, column=f"{row['kind']} at {row['file']}:{row['line']}")


def _compare_in_order(
    table: str, sides: tuple[ds.Dataset, ds.Dataset], parsers: list[str], n_sentences: int, differences: Differences
) -> None:
    """Compare cell by cell; each parser and sentence has its rows in a fixed order."""
    n_rows = [0, 0]
    owner = _OWNERS.get(table, "parser")
    owners: list[str | None] = [None, *parsers] if table == "trees" else [*parsers]
    if owner != "parser":
        owners = sides[1].to_table(columns=[owner])[owner].cast(pa.string()).unique().to_pylist()
    for first in range(1, n_sentences + 1, _SENTENCES_PER_BLOCK):
        within = (ds.field("sentence") >= first) & (ds.field("sentence") < first + _SENTENCES_PER_BLOCK)
        rows = [side.to_table(filter=within) for side in sides]
        for parser in owners:
            parts = [_rows_of(item, owner, parser) for item in rows]
            for index, part in enumerate(parts):
                n_rows[index] += part.num_rows
            _compare_parser(table, parser, parts[0], parts[1], first, differences)
    extra = sides[0].count_rows() - n_rows[0]
    if extra:
        differences.add(table, _Description(f"{extra} rows of no parser or sentence of the run"), _Description("none"))


def _rows_of(rows: pa.Table, owner: str, parser: str | None) -> pa.Table:
    column = rows[owner].cast(pa.string())
    chosen = rows.filter(pc.is_null(column) if parser is None else pc.equal(column, parser))
    return chosen.take(pc.sort_indices(chosen["sentence"]))


def _compare_parser(
    table: str, parser: str | None, found: pa.Table, expected: pa.Table, first: int, differences: Differences
) -> None:
    numbers = [side["sentence"].to_numpy() for side in (found, expected)]
    counts = [np.bincount(side - first, minlength=_SENTENCES_PER_BLOCK) for side in numbers]
    uneven = counts[0] != counts[1]
    for index in np.flatnonzero(uneven).tolist():
        texts = (_Description(f"{side[index]} rows") for side in counts)
        differences.add(table, *texts, sentence=first + index, parser=parser)
    if uneven.any():
        found, expected = (
            side.filter(pa.array(~uneven[number - first]))
            for side, number in zip((found, expected), numbers, strict=True)
        )
    for name in found.column_names:
        columns = found[name], expected[name]
        rows = np.flatnonzero(_unequal(*columns))
        first_rows = rows[: differences.n_free].tolist()
        for row in first_rows:
            values = [column[row].as_py() for column in columns]
            sentence = expected["sentence"][row].as_py()
            differences.add(table, *values, sentence=sentence, parser=parser, column=name)
        differences.total += len(rows) - len(first_rows)


def _unequal(left: pa.ChunkedArray, right: pa.ChunkedArray) -> NDArray[np.bool_]:
    """Return which cells differ; null equals null, NaN equals NaN."""
    kind = _value_type(right.type)
    left, right = left.cast(kind), right.cast(kind)
    is_null = [pc.is_null(side, nan_is_null=pa.types.is_floating(kind)) for side in (left, right)]
    differ = pc.fill_null(pc.not_equal(left, right), False)
    both = pc.and_(pc.invert(is_null[0]), pc.invert(is_null[1]))
    result: NDArray[np.bool_] = pc.or_(pc.and_(differ, both), pc.xor(*is_null)).to_numpy().astype(np.bool_)
    return result
