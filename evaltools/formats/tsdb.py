"""Profiles of [incr tsdb()]: a folder with the tables ``item``, ``parse`` and ``result``, perhaps compressed.

Items are in the order of ``item``; all rows of ``result`` that belong to an item are its results, by ``result-id``.
Their MRS may be in any notation that is one of the formats of text. If only one result is read and annotators have
chosen one (``preference``), it is that one.

References
----------
Stephan Oepen and Dan Flickinger. 1998. Towards systematic grammar profiling. Computer Speech & Language 12(4).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evaltools.corpus import SemanticGraph
from evaltools.errors import InputError, Problem
from evaltools.formats.format import Format
from evaltools.formats.graphs import (
    GraphFormat,
    SemanticBank,
    SemanticItem,
    item_problem,
    merge_span_problems,
    read_graph,
)
from evaltools.formats.segments import Remark, Segment
from evaltools.formats.source import Source
from evaltools.text import excerpt

TSDB = Format(
    name="tsdb",
    title="profile of [incr tsdb()]",
    holds=SemanticBank,
    looks_like=lambda _: False,  # it is a folder
)

_ENDINGS = ("", ".gz", ".zst")
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_MEANINGS = {"s": "@", "n": "\n", "\\": "\\"}
_REQUIRED = {
    "item": ("i-id", "i-input"),
    "parse": ("parse-id", "i-id"),
    "result": ("parse-id", "result-id", "mrs"),
}
_PREFERENCE = "preference"
"""The table of the results that annotators chose: parse-id, t-version, result-id; most profiles leave it empty."""
_TABLES = ("relations", *_REQUIRED, _PREFERENCE)
_RELATION = re.compile(r"([^\s:]+):\s*(?:#.*)?$")
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_FIELD = re.compile(r"\s+([^\s:]+)\s+:")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table."""

    file: str  # The table's name, for problems
    line: int  # From 1
    values: list[str]  # As they are stored
    indices: dict[str, int]  # The index of each field

    def get(self, name: str) -> str:
        """Return the value of a field; empty if the row has none."""
        index = self.indices.get(name, len(self.values))
        value = self.values[index] if index < len(self.values) else ""
        return _ESCAPE.sub(lambda match: _MEANINGS.get(match[1], match[0]), value) if "\\" in value else value


@dataclass(slots=True)
class _Tables:
    """The tables of a profile: fields by their names, without escapes; invalid rows are listed."""

    name: str  # The profile's name in problems
    fields: dict[str, dict[str, int]]  # The index of each field of each table, from the table ``relations``
    sources: dict[str, Source]  # The existing tables
    # SHA-256 of the bytes as stored of ``relations`` and of these tables, of ``preference`` too if it has rows.
    digest: str
    problems: list[Problem] = field(default_factory=list)  # Missing tables, invalid rows

    @classmethod
    def open(cls, folder: Path, name: str) -> _Tables:
        """Read the tables of a folder."""
        stored = {table: _stored(folder, name, table) for table in _TABLES}
        stored[_PREFERENCE] = [entry for entry in stored[_PREFERENCE] if entry[0]]
        if not stored["relations"]:
            raise _no_profile(name)
        sources = {table: Source.from_bytes(*entries[0]) for table, entries in stored.items() if entries}
        relations = sources.pop("relations")
        digest = hashlib.sha256(b"".join(entries[0][0] for entries in stored.values() if entries))
        tables = cls(name, _fields(relations), sources, digest.hexdigest(), [*relations.problems])
        for table in _REQUIRED:
            for _, file in stored[table][1:]:
                expected = f"one, here {Path(sources[table].name).name} is used"
                tables.problems.append(Problem("two_tables", file, None, None, f"another table {table}", expected))
            tables._check(table, relations.name)
        return tables

    def _check(self, table: str, relations: str) -> None:
        """List problems of a table as a whole."""
        if table not in self.sources:
            file = f"{self.name}/{table}"
            self.problems.append(Problem("no_table", file, None, None, "no such table", f"the table {table}"))
            return
        source = self.sources[table]
        self.problems += source.problems
        if not source.data.strip():
            self.problems.append(Problem("no_table", source.name, None, None, "an empty table", "rows"))
        for name in _REQUIRED[table]:
            if name not in self.fields.get(table, {}):
                found = f"no field {name} of the table {table}"
                self.problems.append(Problem("no_field", relations, None, None, found, f"{name} among its fields"))

    def has(self, table: str) -> bool:
        """Return whether there is a table that is not empty."""
        return table in self.sources and bool(self.sources[table].data.strip())

    def add_problem(self, kind: str, row: _Row, found: str, expected: str) -> None:
        """List a problem of a row."""
        self.problems.append(Problem(kind, row.file, row.line, None, found, expected))

    def rows(self, table: str) -> Iterator[_Row]:
        """Yield the rows of a table that have a key; those of the wrong length are listed."""
        indices = self.fields.get(table, {})
        key = "parse-id" if table == _PREFERENCE else _REQUIRED[table][0]
        if table not in self.sources or key not in indices:
            return
        source = self.sources[table]
        for number, line in enumerate(source.data.decode("utf-8", "backslashreplace").split("\n"), start=1):
            line = line.removesuffix("\r")
            if not line.strip():
                continue
            row = _Row(source.name, number, line.split("@"), indices)
            if len(row.values) != len(indices):
                self.add_problem("fields", row, f"{len(row.values)} fields", f"{len(indices)} fields, as in relations")
            if row.get(key).strip():
                yield row
            else:
                self.add_problem("fields", row, f"no {key}", f"a value of {key}; the row is left out")


def is_profile(folder: Path) -> bool:
    """Return whether a folder has the table ``relations``, perhaps compressed."""
    return any((folder / f"relations{ending}").is_file() for ending in _ENDINGS)


def profile_digest(folder: Path, name: str) -> str:
    """Return the SHA-256 of the tables of a profile that :func:`evaltools.formats.read_semantics` reads.

    Parameters
    ----------
    folder : path
        The folder.
    name : str
        Its name in the error.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    InputError
        If it is no profile, or a table cannot be read.
    """
    return _Tables.open(folder, name).digest


def _no_profile(name: str) -> InputError:
    found, expected = "a folder without the table relations", "a profile of [incr tsdb()]"
    return InputError(Problem("file", name, None, None, found, expected))


def _stored(folder: Path, name: str, table: str) -> list[tuple[bytes, str]]:
    """Return the content and names of the files of a table; the first is used, so empty files are left out."""
    entries: list[tuple[bytes, str]] = []
    for ending in _ENDINGS:
        file = folder / f"{table}{ending}"
        if not file.is_file():
            continue
        file_name = f"{name}/{table}{ending}"
        try:
            entries.append((file.read_bytes(), file_name))
        except OSError as error:
            found = error.strerror or str(error)
            raise InputError(Problem("file", file_name, None, None, found, "a readable file")) from None
    return [entry for entry in entries if entry[0]] or entries[:1]


def _fields(relations: Source) -> dict[str, dict[str, int]]:
    fields: dict[str, dict[str, int]] = {}
    current: dict[str, int] = {}
    for line in relations.data.decode("utf-8", "backslashreplace").split("\n"):
        if (head := _RELATION.match(line.rstrip())) is not None:
            current = fields.setdefault(head[1], {})
        elif (item := _FIELD.match(line)) is not None:
            current.setdefault(item[1], len(current))
    return fields


def read_profile(
    folder: Path, name: str, guess: Callable[[str], GraphFormat | None], *, first_only: bool
) -> SemanticBank:
    """Read a profile; `guess` returns the format of an MRS."""
    tables = _Tables.open(folder, name)
    rows = _items(tables)
    parses = _parses(tables, rows)
    results = _results(tables, parses)
    if first_only:
        results = _preferred_first(tables, parses, results)
    problems = list(tables.problems)
    items: list[SemanticItem] = []
    for number, (i_id, row) in enumerate(rows.items(), start=1):
        graphs: list[SemanticGraph | None] = []
        is_empty = False
        for result in results.get(i_id, [])[: 1 if first_only else None]:
            graph, flaws = _graph(result, row.get("i-input"), guess)
            is_empty = is_empty or (not graphs and graph is None and not flaws)
            graphs.append(graph)
            problems += [item_problem(flaw, result.file, number, i_id) for flaw in flaws]
        items.append(SemanticItem(i_id, row.line, row.get("i-input"), tuple(graphs), is_empty))
    problems = merge_span_problems(problems, items)
    if not items:
        problems.append(Problem("empty", name, None, None, "no item", "at least one item"))
    path = str(folder.resolve())
    is_text = path.encode("utf-8", "replace").decode("utf-8") == path
    return SemanticBank(name, path if is_text else None, tables.digest, TSDB.name, bool(items), tuple(items), problems)


def _items(tables: _Tables) -> dict[str, _Row]:
    items: dict[str, _Row] = {}
    for row in tables.rows("item"):
        i_id = row.get("i-id")
        if i_id in items:
            tables.add_problem(
                "repeated_item", row, f"item {excerpt(i_id)} again", "one row for each item; the first is used"
            )
        else:
            items[i_id] = row
    return items


def _parses(tables: _Tables, items: dict[str, _Row]) -> dict[str, str]:
    """Return the item of each parse; items that are only in the table `parse` are added."""
    parses: dict[str, str] = {}
    for row in tables.rows("parse"):
        parse_id, i_id = row.get("parse-id"), row.get("i-id")
        if parse_id in parses:
            expected = "one row for each parse; the first is used"
            tables.add_problem("repeated_parse", row, f"parse {excerpt(parse_id)} again", expected)
            continue
        parses[parse_id] = i_id
        if i_id in items:
            continue
        items[i_id] = row
        if tables.has("item"):
            found = f"parse {excerpt(parse_id)} of item {excerpt(i_id)}, which is not in the table item"
            tables.add_problem("no_such_item", row, found, "an item of the profile")
    if not tables.has("parse"):
        if not tables.has("item"):
            for row in tables.rows("result"):
                items.setdefault(row.get("parse-id"), row)
        parses = {i_id: i_id for i_id in items}  # in nearly all profiles the two are the same
    return parses


def _results(tables: _Tables, parses: dict[str, str]) -> dict[str, list[_Row]]:
    results: dict[str, list[_Row]] = {}
    for row in tables.rows("result"):
        parse_id = row.get("parse-id")
        if parse_id in parses:
            results.setdefault(parses[parse_id], []).append(row)
        else:
            found = f"a result of parse {excerpt(parse_id)}, which is not in the table parse"
            tables.add_problem("no_such_parse", row, found, "a parse of the profile")
    for rows in results.values():
        rows.sort(key=_rank)
    return results


def _preferred_first(tables: _Tables, parses: dict[str, str], results: dict[str, list[_Row]]) -> dict[str, list[_Row]]:
    """Put the result first that the latest version of ``preference`` names for a parse."""
    latest: dict[str, tuple[int, list[str]]] = {}
    for row in tables.rows("preference"):
        value = row.get("t-version").strip()
        version = int(value) if _INTEGER.fullmatch(value) else 0
        last_version, chosen = latest.get(row.get("parse-id"), (version, []))
        if version > last_version:
            last_version, chosen = version, []
        if version == last_version:
            chosen.append(row.get("result-id"))
        latest[row.get("parse-id")] = last_version, chosen
    ordered = dict(results)
    for parse_id, (_, chosen) in latest.items():
        rows = ordered.get(parses.get(parse_id, ""), [])
        preferred = [row for row in rows if row.get("parse-id") == parse_id and row.get("result-id") in chosen]
        if preferred:
            ordered[parses[parse_id]] = [*preferred, *(row for row in rows if row not in preferred)]
    return ordered


def _rank(row: _Row) -> tuple[bool, int]:
    value = row.get("result-id").strip()
    return (False, int(value)) if _INTEGER.fullmatch(value) else (True, 0)


def _graph(
    row: _Row, text: str, guess: Callable[[str], GraphFormat | None]
) -> tuple[SemanticGraph | None, list[Remark]]:
    body = row.get("mrs")
    if not body.strip():
        return None, [Remark("no_mrs", f"result {row.get('result-id')} without an MRS", "an MRS", row.line)]
    notation = guess(body)
    if notation is None:
        found = f"an MRS in no known notation: {excerpt(body.strip())!r}"
        return None, [Remark("graph", found, "SimpleMRS, EDS or another known notation", row.line)]
    result = notation.segments(body)
    segments = [segment for segment in result.segments if segment.body]
    flaws = [Remark("more_in_row", flaw.found, "one graph", row.line) for flaw in result.flaws]
    if not segments:
        return None, [*flaws, Remark("graph", "no graph in the row", "one graph", row.line)]
    if len(segments) > 1:
        found = f"{len(segments)} graphs in one row; the first is used"
        flaws.append(Remark("more_in_row", found, "one graph", row.line))
    first = Segment(row.line, segments[0].body, None, text, None, segments[0].content, error=segments[0].error)
    graph, flaws_of_graph = read_graph(first, notation)
    return graph, flaws + [flaw._replace(line=row.line) for flaw in flaws_of_graph]
