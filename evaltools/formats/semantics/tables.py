"""The tables of a profile of [incr tsdb()]: fields by their names, escapes undone, odd rows listed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evaltools.errors import InputError, Problem
from evaltools.formats.source import Source

__all__ = ["Row", "Tables", "is_profile", "profile_digest"]

_ENDINGS = ("", ".gz", ".zst")
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_MEANING = {"s": "@", "n": "\n", "\\": "\\"}
_NEEDED = {
    "item": ("i-id", "i-input"),
    "parse": ("parse-id", "i-id"),
    "result": ("parse-id", "result-id", "mrs"),
}
_CHOICE = "preference"
"""The table of the results that annotators chose: parse-id, t-version, result-id; most profiles leave it empty."""
_READ = ("relations", *_NEEDED, _CHOICE)
_RELATION = re.compile(r"([^\s:]+):\s*(?:#.*)?$")
_FIELD = re.compile(r"\s+([^\s:]+)\s+:")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Parameters
    ----------
    file : str
        The table's name, for problems.
    line : int
        Where it is, from 1.
    values : list of str
        As they are stored.
    places : dict of str to int
        The number of each field.
    """

    file: str
    line: int
    values: list[str]
    places: dict[str, int]

    def get(self, name: str) -> str:
        """Return the value of a field; empty if the row has none."""
        place = self.places.get(name, len(self.values))
        value = self.values[place] if place < len(self.values) else ""
        return _ESCAPE.sub(lambda match: _MEANING.get(match[1], match[0]), value) if "\\" in value else value


@dataclass(slots=True)
class Tables:
    """Some tables of a profile.

    Parameters
    ----------
    name : str
        What to call the profile in problems.
    fields : dict of str to dict
        The number of each field of each table, as the table ``relations`` says.
    sources : dict of str to Source
        The tables there are.
    digest : str
        SHA-256 of the bytes as stored of ``relations`` and of these tables, of ``preference`` too if it has rows.
    problems : list of Problem
        Tables that are missing, rows that are odd.
    """

    name: str
    fields: dict[str, dict[str, int]]
    sources: dict[str, Source]
    digest: str
    problems: list[Problem] = field(default_factory=list)

    @classmethod
    def open(cls, folder: Path, name: str) -> Tables:
        """Read the tables of a folder.

        Parameters
        ----------
        folder : path
            The folder.
        name : str
            What to call it in problems.

        Raises
        ------
        InputError
            If there is no table ``relations``, or a table cannot be read.
        """
        stored = {table: _stored(folder, name, table) for table in _READ}
        stored[_CHOICE] = [one for one in stored[_CHOICE] if one[0]]
        if not stored["relations"]:
            raise _no_profile(name)
        sources = {table: Source.from_bytes(*found[0]) for table, found in stored.items() if found}
        relations = sources.pop("relations")
        digest = hashlib.sha256(b"".join(found[0][0] for found in stored.values() if found))
        tables = cls(name, _fields(relations), sources, digest.hexdigest(), [*relations.problems])
        for table in _NEEDED:
            for _, other in stored[table][1:]:
                expected = f"one, here {Path(sources[table].name).name} is used"
                tables.problems.append(Problem("two_tables", other, None, None, f"another table {table}", expected))
            tables._check(table, relations.name)
        return tables

    def _check(self, table: str, relations: str) -> None:
        """List what is wrong with a table before its rows are looked at."""
        if table not in self.sources:
            file = f"{self.name}/{table}"
            self.problems.append(Problem("no_table", file, None, None, "no such table", f"the table {table}"))
            return
        source = self.sources[table]
        self.problems += source.problems
        if not source.data.strip():
            self.problems.append(Problem("no_table", source.name, None, None, "an empty table", "rows"))
        for needed in _NEEDED[table]:
            if needed not in self.fields.get(table, {}):
                found = f"no field {needed} of the table {table}"
                self.problems.append(Problem("no_field", relations, None, None, found, f"{needed} among its fields"))

    def has(self, table: str) -> bool:
        """Tell whether there is a table with anything in it."""
        return table in self.sources and bool(self.sources[table].data.strip())

    def note(self, kind: str, row: Row, found: str, expected: str) -> None:
        """List something wrong with a row."""
        self.problems.append(Problem(kind, row.file, row.line, None, found, expected))

    def rows(self, table: str) -> Iterator[Row]:
        """Yield the rows of a table that name what they are about; those of the wrong length are listed."""
        places = self.fields.get(table, {})
        key = "parse-id" if table == _CHOICE else _NEEDED[table][0]
        if table not in self.sources or key not in places:
            return
        source = self.sources[table]
        for number, line in enumerate(source.data.decode("utf-8", "backslashreplace").split("\n"), start=1):
            line = line.removesuffix("\r")
            if not line.strip():
                continue
            row = Row(source.name, number, line.split("@"), places)
            if len(row.values) != len(places):
                self.note("fields", row, f"{len(row.values)} fields", f"{len(places)} fields, as relations says")
            if row.get(key).strip():
                yield row
            else:
                self.note("fields", row, f"no {key}", f"a value of {key}; the row is left out")


def is_profile(folder: Path) -> bool:
    """Tell whether a folder has the table ``relations``, perhaps compressed."""
    return any((folder / f"relations{ending}").is_file() for ending in _ENDINGS)


def profile_digest(folder: Path, name: str) -> str:
    """Return the SHA-256 of what :func:`evaltools.formats.semantics.read_semantics` reads of a profile.

    Parameters
    ----------
    folder : path
        The folder.
    name : str
        What to call it in the error.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    InputError
        If it is no profile, or a table cannot be read.
    """
    digest = hashlib.sha256()
    if not _stored(folder, name, "relations"):
        raise _no_profile(name)
    for table in _READ:
        for content, _ in _stored(folder, name, table)[:1]:
            digest.update(content)
    return digest.hexdigest()


def _no_profile(name: str) -> InputError:
    found, expected = "a folder without the table relations", "a profile of [incr tsdb()]"
    return InputError(Problem("file", name, None, None, found, expected))


def _stored(folder: Path, name: str, table: str) -> list[tuple[bytes, str]]:
    """Return what the files of a table hold, and their names; the first is used, so those that are empty count last."""
    found: list[tuple[bytes, str]] = []
    for ending in _ENDINGS:
        file = folder / f"{table}{ending}"
        if not file.is_file():
            continue
        shown = f"{name}/{table}{ending}"
        try:
            found.append((file.read_bytes(), shown))
        except OSError as error:
            why = error.strerror or str(error)
            raise InputError(Problem("file", shown, None, None, why, "a readable file")) from None
    return [one for one in found if one[0]] or found[:1]


def _fields(relations: Source) -> dict[str, dict[str, int]]:
    fields: dict[str, dict[str, int]] = {}
    current: dict[str, int] = {}
    for line in relations.data.decode("utf-8", "backslashreplace").split("\n"):
        if (begun := _RELATION.match(line.rstrip())) is not None:
            current = fields.setdefault(begun[1], {})
        elif (one := _FIELD.match(line)) is not None:
            current.setdefault(one[1], len(current))
    return fields
