"""Compares the tables of two runs cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from evaltools.errors import RunError
from evaltools.frameworks.common.columns import Rows
from evaltools.runs.folders.folder import Folder
from evaltools.runs.schema import METADATA, tables_of
from evaltools.text import beginning, first_line

__all__ = ["Difference", "Differences", "compare_tables"]

_SENTENCES_PER_BLOCK = 4096
_MAX_VALUE_LENGTH = 80
_VIEWS = ("found", "expected")
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
    database = duckdb.connect()
    for table in tables_of(meta):
        try:
            for view in _VIEWS:
                database.execute(f"drop view if exists {view}")
            types = [found.attach(database, table, _VIEWS[0]), expected.attach(database, table, _VIEWS[1])]
            if not _same_columns(table, types[0], types[1], differences):
                continue
            if table == "problems":
                _compare_unordered(table, database, differences)
            else:
                _compare_in_order(table, database, parsers, n_sentences, differences)
        except (duckdb.Error, RunError, OSError) as error:
            text = f"cannot be read ({first_line(error)})"
            differences.add(table, _Description(text), _Description("a readable table"))


def _same_columns(table: str, found: Mapping[str, str], expected: Mapping[str, str], differences: Differences) -> bool:
    """Compare the columns."""
    types = [{name: _Description(f"a column of {kind}") for name, kind in side.items()} for side in (found, expected)]
    missing = _Description("no such column")
    differing = [name for name in {**types[1], **types[0]} if types[0].get(name) != types[1].get(name)]
    for name in differing:
        differences.add(table, types[0].get(name, missing), types[1].get(name, missing), column=name)
    return not differing


def _compare_unordered(table: str, database: duckdb.DuckDBPyConnection, differences: Differences) -> None:
    """Compare rows in any order."""
    item, none = _Description("a row"), _Description("no such row")
    for sides, texts in ((_VIEWS, (item, none)), (_VIEWS[::-1], (none, item))):
        rows = database.execute(f"from {sides[0]} except all from {sides[1]} order by all")
        names = [name for name, *_ in rows.description]
        for values in rows.fetchall():
            row = dict(zip(names, values, strict=True))
            position = {"sentence": row["sentence"], "parser": row["parser"]}
            differences.add(table, *texts, **position, column=f"{row['kind']} at {row['file']}:{row['line']}")


def _compare_in_order(
    table: str, database: duckdb.DuckDBPyConnection, parsers: list[str], n_sentences: int, differences: Differences
) -> None:
    """Compare cell by cell; each parser and sentence has its rows in a fixed order."""
    n_rows = 0
    owner = _OWNERS.get(table, "parser")
    owners: list[str | None] = [None, *parsers] if table == "trees" else [*parsers]
    if owner != "parser":
        owners = [name for (name,) in database.execute(f"select distinct {owner} from expected order by 1").fetchall()]
    for first in range(1, n_sentences + 1, _SENTENCES_PER_BLOCK):
        rows = [
            database.execute(
                f"select * from {view} where sentence between ? and ?", [first, first + _SENTENCES_PER_BLOCK - 1]
            ).fetchnumpy()
            for view in _VIEWS
        ]
        for parser in owners:
            found, expected = (_rows_of(item, owner, parser) for item in rows)
            n_rows += len(found["sentence"])
            _compare_parser(table, parser, found, expected, first, differences)
    ((n_found,),) = database.execute("select count(*) from found").fetchall()
    if n_found > n_rows:
        extra = _Description(f"{n_found - n_rows} rows of no parser or sentence of the run")
        differences.add(table, extra, _Description("none"))


def _rows_of(rows: Mapping[str, Any], owner: str, parser: str | None) -> Rows:
    """Return the rows of one owner, those of each sentence together."""
    column = rows[owner]
    is_null = np.ma.getmaskarray(column)
    chosen = np.flatnonzero(is_null if parser is None else ~is_null & (np.ma.getdata(column) == parser))
    chosen = chosen[np.argsort(np.ma.getdata(rows["sentence"])[chosen], kind="stable")]
    return {name: values[chosen] for name, values in rows.items()}


def _compare_parser(
    table: str, parser: str | None, found: Rows, expected: Rows, first: int, differences: Differences
) -> None:
    numbers = [np.ma.getdata(side["sentence"]) for side in (found, expected)]
    counts = [np.bincount(side - first, minlength=_SENTENCES_PER_BLOCK) for side in numbers]
    uneven = counts[0] != counts[1]
    for index in np.flatnonzero(uneven).tolist():
        texts = (_Description(f"{side[index]} rows") for side in counts)
        differences.add(table, *texts, sentence=first + index, parser=parser)
    if uneven.any():
        found, expected = (
            {name: values[~uneven[number - first]] for name, values in side.items()}
            for side, number in zip((found, expected), numbers, strict=True)
        )
    for name in found:
        columns = found[name], expected[name]
        rows = np.flatnonzero(_unequal(*columns))
        first_rows = rows[: differences.n_free].tolist()
        for row in first_rows:
            values = [column[row : row + 1].tolist()[0] for column in columns]
            sentence = int(expected["sentence"][row])
            differences.add(table, *values, sentence=sentence, parser=parser, column=name)
        differences.total += len(rows) - len(first_rows)


def _unequal(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which cells differ; null equals null."""
    is_null = [np.ma.getmaskarray(side) for side in (left, right)]
    differ: NDArray[np.bool_] = np.asarray(np.ma.getdata(left) != np.ma.getdata(right), dtype=np.bool_)
    return (differ & ~is_null[0] & ~is_null[1]) | (is_null[0] ^ is_null[1])
