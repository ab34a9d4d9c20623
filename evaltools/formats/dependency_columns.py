"""Files of dependencies in other columns than the ten of CoNLL-U: which they are, and each line in ten columns.

Columns are named in the file (``# global.columns`` of CoNLL-U Plus), or those of CoNLL-2009, or ten columns with blanks
before the first one, tabs too many, or blanks in place of tabs.

References
----------
https://universaldependencies.org/ext-format.html
Jan Hajič et al. (2009). The CoNLL-2009 shared task: syntactic and semantic dependencies in multiple languages. CoNLL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaltools.corpus.dependency_text import COLUMNS, loose_columns
from evaltools.errors import Problem
from evaltools.formats.reading.problem_log import ProblemLog

__all__ = ["ColumnOrder", "column_order", "described_columns", "head_rows", "is_named"]

_NAMES = COLUMNS["conllu"]
_OLDER = {"UPOSTAG": "UPOS", "XPOSTAG": "XPOS", "CPOSTAG": "UPOS", "POSTAG": "XPOS"}
_GLOBAL = re.compile(rb"^#\s*global\.columns\s*=([^\r\n]*)", re.MULTILINE)
_HEAD_BYTES = 1 << 18
_HEAD_ROWS = 200
_CONLL09 = 12
"""Columns of CoNLL-2009 up to PDEPREL; FILLPRED, PRED and one column a predicate follow."""


@dataclass(frozen=True, slots=True)
class ColumnOrder:
    """Which columns of a file are the ten of CoNLL-U."""

    places: tuple[int, ...]  # For each of the ten its place; -1 if the file does not have it
    n: int  # Number of columns of a line
    more: bool = False  # Whether a line may have more
    read_as: str = ""  # What is said of columns that are not named in the file

    @classmethod
    def of_names(cls, names: Sequence[str]) -> ColumnOrder:
        """Return the order of columns with these names."""
        known = [_OLDER.get(name.upper(), name.upper()) for name in names]
        return cls(tuple(known.index(name) if name in known else -1 for name in _NAMES), len(known))

    def row(self, line: str) -> str:
        """Return a line in ten columns; as it is if it has another number of columns than it should."""
        columns = loose_columns(line, self.n)
        if len(columns) < self.n or (len(columns) > self.n and not self.more):
            return line
        return "\t".join([columns[place] if place >= 0 else "_" for place in self.places])

    def note(self, log: ProblemLog, name: str) -> None:
        """Enter once what is said of the columns of a file."""
        if self.read_as:
            log.count(Problem("column_blanks", name, 1, None, self.read_as, "10 columns with tabs between them"), 1)

    def rewritten(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a file, given part by part, in ten columns."""
        rest = b""
        for block in blocks:
            lines, newline, rest = (rest + block).rpartition(b"\n")
            if newline:
                yield b"".join(self._line(line) + b"\n" for line in lines.split(b"\n"))
        if rest:
            yield self._line(rest)

    def _line(self, line: bytes) -> bytes:
        if line.startswith(b"#") or not line.strip():
            return line
        text = line.rstrip(b"\r").decode("utf-8", "surrogateescape")
        return self.row(text).encode("utf-8", "surrogateescape") + line[len(line.rstrip(b"\r")) :]


def head_rows(data: bytes) -> list[str]:
    """Return the first lines of a text that are no comments."""
    lines = data[:_HEAD_BYTES].split(b"\n")
    lines = lines[:-1] if len(data) > _HEAD_BYTES else lines
    rows = [line.rstrip(b"\r") for line in lines if line.strip() and not line.startswith(b"#")]
    return [row.decode("utf-8", "surrogateescape") for row in rows[:_HEAD_ROWS]]


def is_named(data: bytes) -> bool:
    """Return whether a text names its columns, ID and FORM among them."""
    named = _GLOBAL.search(data[:_HEAD_BYTES])
    return named is not None and {b"ID", b"FORM"} <= set(named[1].split())


def column_order(data: bytes) -> ColumnOrder | None:
    r"""Return the order of columns of a file from its beginning; None if it has the ten, or what it has is unknown.

    Examples
    --------
    >>> column_order(b"# global.columns = ID FORM HEAD\n1\tGo\t0\n").row("1\tGo\t0")
    '1\tGo\t_\t_\t_\t_\t0\t_\t_\t_'
    """
    named = _GLOBAL.search(data[:_HEAD_BYTES])
    if named is not None and is_named(data):
        names = named[1].decode("utf-8", "surrogateescape").split()
        return None if tuple(names) == _NAMES else ColumnOrder.of_names(names)
    rows = head_rows(data)
    if not rows:
        return None
    columns = [row.split("\t") for row in rows]
    if all(len(row) > _CONLL09 and row[0].isdigit() and row[12] in ("Y", "_") for row in columns):
        return _conll09(columns)
    is_loose = len(columns[0]) != len(_NAMES) or rows[0].startswith(" ")
    if is_loose and len(loose_columns(rows[0], len(_NAMES))) == len(_NAMES):
        said = f"{len(_NAMES)} columns with other blanks than one tab between them"
        return ColumnOrder(tuple(range(len(_NAMES))), len(_NAMES), read_as=said)
    return None


def _conll09(rows: Sequence[Sequence[str]]) -> ColumnOrder | None:
    """Return where CoNLL-2009 has the ten columns: what was predicted where nothing else is given."""

    def filled(place: int) -> int:
        return place + all(row[place] == "_" != row[place + 1] for row in rows)

    lemma, tag, feats, head, relation = (filled(place) for place in (2, 4, 6, 8, 10))
    if not all(row[head].isdigit() for row in rows):
        return None
    used = [("LEMMA", lemma, 2), ("POS", tag, 4), ("FEAT", feats, 6), ("HEAD", head, 8), ("DEPREL", relation, 10)]
    names = ", ".join(name if place == usual else f"P{name}" for name, place, usual in used)
    said = f"{len(rows[0])} columns, read as CoNLL-2009: {names}"
    return ColumnOrder((0, 1, lemma, tag, tag, feats, head, relation, -1, -1), _CONLL09, more=True, read_as=said)


def described_columns(data: bytes) -> str:
    """Return the number of columns of a text in a message; empty if it is no table of numbered words."""
    columns = [row.split("\t") for row in head_rows(data)]
    n = len(columns[0]) if columns else 0
    if n < 4 or columns[0][0].split("-")[0].strip() not in ("0", "1") or any(len(row) != n for row in columns):
        return ""
    return f"{n} columns; CoNLL-U has {len(_NAMES)}"
