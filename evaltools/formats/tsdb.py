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
from dataclasses import dataclass, replace
from pathlib import Path

from evaltools.errors import InputError, Problem
from evaltools.formats.format import Format
from evaltools.formats.graphs import GraphFormat, ReadGraph, SemanticBank, read_graph, read_items
from evaltools.formats.segments import Remark, Segment
from evaltools.formats.source import Source, path_as_text
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
_PREFERENCE = "preference"
"""The table of the results that annotators chose; most profiles leave it empty."""
_FIELDS = {
    "item": ("i-id", "i-input"),
    "parse": ("parse-id", "i-id"),
    "result": ("parse-id", "result-id", "mrs"),
    _PREFERENCE: ("parse-id", "t-version", "result-id"),
}
"""The fields that are read of each table; rows without the first one are left out."""
_REQUIRED = ("item", "parse", "result")
_RELATION = re.compile(r"([^\s:]+):\s*(?:#.*)?$")
_FIELD = re.compile(r"\s+([^\s:]+)\s+:")
_INTEGER = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table."""

    file: str  # The table's name, for problems
    line: int  # From 1
    values: list[str]  # As they are stored
    fields: dict[str, int]  # The index of each field

    @property
    def text(self) -> str:
        """The line of the table."""
        return "@".join(self.values)

    def get(self, name: str) -> str:
        """Return the value of a field; empty if the row has none."""
        index = self.fields.get(name, len(self.values))
        value = self.values[index] if index < len(self.values) else ""
        return _ESCAPE.sub(lambda match: _MEANINGS.get(match[1], match[0]), value) if "\\" in value else value

    def integer(self, name: str) -> int | None:
        """Return the value of a field that is a whole number."""
        value = self.get(name).strip()
        return int(value) if _INTEGER.fullmatch(value) else None


class _Profile:
    """The tables of a folder; what is wrong with them is listed."""

    def __init__(self, folder: Path, name: str) -> None:
        files = {table: _stored(folder, name, table) for table in ("relations", *_FIELDS)}
        if not files["relations"]:
            found, expected = "a folder without the table relations", "a profile of [incr tsdb()]"
            raise InputError(Problem("file", name, None, None, found, expected))
        files[_PREFERENCE] = [file for file in files[_PREFERENCE] if file[0]]
        # of the bytes as stored of ``relations`` and of the tables, of ``preference`` too if it has rows
        self.digest = hashlib.sha256(b"".join(stored[0][0] for stored in files.values() if stored)).hexdigest()
        self.sources = {table: Source.from_bytes(*stored[0]) for table, stored in files.items() if stored}
        relations = self.sources["relations"]
        self.fields = _fields(relations)
        self.problems = [*relations.problems]
        for table in _REQUIRED:
            for _, file in files[table][1:]:
                expected = f"one, here {Path(self.sources[table].name).name} is used"
                self.note("two_tables", file, f"another table {table}", expected)
            if table not in self.sources:
                self.note("no_table", f"{name}/{table}", "no such table", f"the table {table}")
                continue
            self.problems += self.sources[table].problems
            if not self.has(table):
                self.note("no_table", self.sources[table].name, "an empty table", "rows")
            for field in _FIELDS[table]:
                if field not in self.fields.get(table, {}):
                    found = f"no field {field} of the table {table}"
                    self.note("no_field", relations.name, found, f"{field} among its fields")

    def has(self, table: str) -> bool:
        """Return whether there is a table that is not empty."""
        return table in self.sources and bool(self.sources[table].data.strip())

    def note(self, kind: str, origin: str | _Row, found: str, expected: str) -> None:
        """List a problem of a file or of a row."""
        file, line = (origin.file, origin.line) if isinstance(origin, _Row) else (origin, None)
        self.problems.append(Problem(kind, file, line, None, found, expected))

    def rows(self, table: str) -> Iterator[_Row]:
        """Yield the rows of a table that have a key; those of the wrong length are listed."""
        fields, key = self.fields.get(table, {}), _FIELDS[table][0]
        if table not in self.sources or key not in fields:
            return
        source = self.sources[table]
        for number, line in enumerate(source.data.decode("utf-8", "backslashreplace").split("\n"), start=1):
            if not line.strip():
                continue
            row = _Row(source.name, number, line.removesuffix("\r").split("@"), fields)
            if len(row.values) != len(fields):
                self.note("fields", row, f"{len(row.values)} fields", f"{len(fields)} fields, as in relations")
            if row.get(key).strip():
                yield row
            else:
                self.note("fields", row, f"no {key}", f"a value of {key}; the row is left out")

    def first_rows(self, table: str) -> Iterator[tuple[str, _Row]]:
        """Yield key and row of a table for the first row of each key; others are listed."""
        seen = set()
        for row in self.rows(table):
            if (key := row.get(_FIELDS[table][0])) not in seen:
                seen.add(key)
                yield key, row
            else:
                expected = f"one row for each {table}; the first is used"
                self.note(f"repeated_{table}", row, f"{table} {excerpt(key)} again", expected)


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
    return _Profile(folder, name).digest


def _stored(folder: Path, name: str, table: str) -> list[tuple[bytes, str]]:
    """Return the content and names of the files of a table; the first is used, so empty files are left out."""
    files: list[tuple[bytes, str]] = []
    for ending in _ENDINGS:
        file, file_name = folder / f"{table}{ending}", f"{name}/{table}{ending}"
        try:
            if file.is_file():
                files.append((file.read_bytes(), file_name))
        except OSError as error:
            found = error.strerror or str(error)
            raise InputError(Problem("file", file_name, None, None, found, "a readable file")) from None
    return [file for file in files if file[0]] or files[:1]


def _fields(relations: Source) -> dict[str, dict[str, int]]:
    """Return the index of each field of each table."""
    fields: dict[str, dict[str, int]] = {}
    current: dict[str, int] = {}
    for line in relations.data.decode("utf-8", "backslashreplace").split("\n"):
        if (head := _RELATION.match(line.rstrip())) is not None:
            current = fields.setdefault(head[1], {})
        elif (item := _FIELD.match(line)) is not None:
            current.setdefault(item[1], len(current))
    return fields


def read_profile(
    folder: Path, name: str, guess: Callable[[str, GraphFormat | None], GraphFormat | None], *, first_only: bool
) -> SemanticBank:
    """Read a profile; `guess` returns the format of an MRS, given that of the first one."""
    profile = _Profile(folder, name)
    rows = dict(profile.first_rows("item"))
    results = _results(profile, rows, first_only=first_only)
    groups = []
    for i_id, row in rows.items():
        item = Segment(row.line, "", i_id, row.get("i-input"))
        in_item = results.get(i_id, ())
        groups.append(
            [item, *(replace(item, line=result.line, body=result.text, content=result) for result in in_item)]
        )
    all_results = [row for of_item in results.values() for row in of_item]
    usual = next(filter(None, (guess(row.get("mrs"), None) for row in all_results)), None)

    def read(segment: Segment) -> ReadGraph:
        return _graph(segment, guess(segment.content.get("mrs"), usual))

    file = all_results[0].file if all_results else name
    items, problems = read_items(groups, read, file, first_only=first_only)
    if not items:
        problems.append(Problem("empty", name, None, None, "no item", "at least one item"))
    path = path_as_text(folder)
    return SemanticBank(name, path, profile.digest, TSDB.name, bool(items), items, [*profile.problems, *problems])


def _results(profile: _Profile, items: dict[str, _Row], *, first_only: bool) -> dict[str, list[_Row]]:
    """Return the rows of the results of each item, in order; items that only other tables name are added."""
    item_of: dict[str, str] = {}  # the item of each parse
    for parse_id, row in profile.first_rows("parse"):
        item_of[parse_id] = i_id = row.get("i-id")
        if i_id not in items and profile.has("item"):
            found = f"parse {excerpt(parse_id)} of item {excerpt(i_id)}, which is not in the table item"
            profile.note("no_such_item", row, found, "an item of the profile")
        items.setdefault(i_id, row)
    if not profile.has("parse"):
        if not profile.has("item"):
            for row in profile.rows("result"):
                items.setdefault(row.get("parse-id"), row)
        item_of = {i_id: i_id for i_id in items}  # in nearly all profiles the two are the same
    chosen = _chosen(profile) if first_only else {}
    results: dict[str, list[_Row]] = {}
    for row in profile.rows("result"):
        parse_id = row.get("parse-id")
        if parse_id in item_of:
            results.setdefault(item_of[parse_id], []).append(row)
        else:
            found = f"a result of parse {excerpt(parse_id)}, which is not in the table parse"
            profile.note("no_such_parse", row, found, "a parse of the profile")

    def rank(row: _Row) -> tuple[bool, bool, int]:
        number = row.integer("result-id")
        return row.get("result-id") not in chosen.get(row.get("parse-id"), ()), number is None, number or 0

    return {i_id: sorted(rows, key=rank) for i_id, rows in results.items()}


def _chosen(profile: _Profile) -> dict[str, list[str]]:
    """Return the results that the latest version of ``preference`` names for each parse."""
    versions: dict[str, dict[int, list[str]]] = {}
    for row in profile.rows(_PREFERENCE):
        of_parse = versions.setdefault(row.get("parse-id"), {})
        of_parse.setdefault(row.integer("t-version") or 0, []).append(row.get("result-id"))
    return {parse_id: of_parse[max(of_parse)] for parse_id, of_parse in versions.items()}


def _graph(segment: Segment, notation: GraphFormat | None) -> ReadGraph:
    """Return the graph of a row of ``result``, and its flaws."""
    row: _Row = segment.content
    body = row.get("mrs")
    if not body.strip():
        return None, [Remark("no_mrs", f"result {row.get('result-id')} without an MRS", "an MRS", row.line)]
    if notation is None:
        found = f"an MRS in no known notation: {excerpt(body.strip())!r}"
        return None, [Remark("graph", found, "SimpleMRS, EDS or another known notation", row.line)]
    cut = notation.segments(body)
    graphs = [graph for graph in cut.segments if graph.body]
    flaws = [Remark("more_in_row", flaw.found, "one graph", row.line) for flaw in cut.flaws]
    if not graphs:
        return None, [*flaws, Remark("graph", "no graph in the row", "one graph", row.line)]
    if len(graphs) > 1:
        found = f"{len(graphs)} graphs in one row; the first is used"
        flaws.append(Remark("more_in_row", found, "one graph", row.line))
    graph, flaws_of_graph = read_graph(replace(graphs[0], text=segment.text), notation)
    return graph, flaws + [flaw._replace(line=row.line) for flaw in flaws_of_graph]
