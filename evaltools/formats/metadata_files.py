"""Metadata of sentences from a file of its own: a table by sentence or by document, or the comments of CoNLL-U.

A table has a heading, and tabs between its fields. Its rows are known by the id of the sentence (column ``sent_id``),
by its number (``sentence``), or by the document (``document``); other columns are values. For gold files without ids, a
table of documents may have columns of the first and last line (``first_line``, ``last_line``) in the gold file.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from evaltools.corpus import Vocabulary
from evaltools.corpus.sentence_ids import DOCUMENT, SENTENCE_ID, CommentReader
from evaltools.errors import InputError, Problem
from evaltools.formats.conll import CONLLU
from evaltools.formats.source import Source, open_source
from evaltools.text import excerpt

__all__ = ["NUMBER", "MetadataFile", "Row", "read_metadata"]

NUMBER = "sentence"
"""The column with the number of a sentence, from 1."""
_ENDS = ("first_line", "last_line")
_MAX_DIGITS = 12
_EXPECTED = f"a heading with tabs, with a column {SENTENCE_ID}, {NUMBER} or {DOCUMENT}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, or the comments of a sentence."""

    line: int
    values: Mapping[str, str]


@dataclass
class MetadataFile:
    """The rows of a file, by what they are known by."""

    source: Source
    by: str  # NUMBER, SENTENCE_ID or DOCUMENT
    rows: dict[str, Row]
    problems: list[Problem] = field(default_factory=list)
    ranges: list[tuple[int, int, str]] = field(default_factory=list)  # First and last line, and document, in order
    n_sentences: int | None = None  # Number of sentences, if rows are those of a file of sentences
    is_treebank: bool = False  # Whether it also has sentences that no gold sentence need have

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.source.name

    def by_position(self) -> MetadataFile:
        """Return the rows of a treebank by the numbers of its sentences instead of their ids."""
        rows = {str(number): row for number, row in enumerate(self.rows.values(), start=1)}
        return replace(self, by=NUMBER, rows=rows)

    def document_at(self, line: int) -> str | None:
        """Return the document whose range has a line of the gold file."""
        index = bisect_right(self.ranges, line, key=lambda item: item[0]) - 1
        return self.ranges[index][2] if index >= 0 and line <= self.ranges[index][1] else None


def read_metadata(path: str | os.PathLike[str] | Source) -> MetadataFile:
    """Read a table of metadata, or the comments of a file of CoNLL-U.

    Raises
    ------
    InputError
        If the file cannot be read, or its heading has no column by which sentences or documents are known.
    """
    source = open_source(path)
    if source.problems:
        raise InputError(source.problems[0])
    return _comments(source) if CONLLU.looks_like(source.data) else _table(source)


def _comments(source: Source) -> MetadataFile:
    """Return the comments of all sentences, by id if every sentence has one, else by number."""
    trees = CONLLU.read(source, Vocabulary())
    values = CommentReader().read(trees.text, trees.text_start, trees.text_end)
    ids = [row.get(SENTENCE_ID) for row in values]
    by = SENTENCE_ID if all(ids) and len(set(ids)) == len(ids) else NUMBER
    lines = trees.line.tolist()
    rows = {
        str(number if by == NUMBER else name): Row(line, row)
        for number, (name, line, row) in enumerate(zip(ids, lines, values, strict=True), start=1)
    }
    return MetadataFile(source, by, rows, n_sentences=len(values), is_treebank=True)


def _table(source: Source) -> MetadataFile:
    lines = source.data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    heading = [name.strip() for name in lines[0].split("\t")]

    def fail(found: str, expected: str) -> InputError:
        return InputError(Problem("metadata", source.name, 1, None, found, expected))

    if len(heading) < 2 or not (known := [name for name in (SENTENCE_ID, NUMBER, DOCUMENT) if name in heading]):
        raise fail(f"the heading {excerpt(lines[0])!r}" if lines[0].strip() else "an empty line", _EXPECTED)
    if "" in heading or len(set(heading)) < len(heading):
        twice = next(name for name in heading if not name or heading.count(name) > 1)
        raise fail(f"the column {excerpt(twice)!r} twice" if twice else "a column without a name", "a name for each")
    by = known[0]
    result = MetadataFile(source, by, {})
    has_ranges = by == DOCUMENT and set(_ENDS) <= set(heading)
    left_out = {*_ENDS} if has_ranges else {by} & {NUMBER}
    for number, line in enumerate(lines[1:], start=2):
        fields = [text.strip() for text in line.split("\t")]
        if not any(fields):
            continue
        row = dict(zip(heading, fields, strict=False))
        fault = _fault(result, row, len(fields), len(heading))
        if fault is not None:
            result.problems.append(Problem("metadata", source.name, number, None, *fault))
            continue
        if has_ranges:
            _add_range(result, row, number)
        values = {name: value for name, value in row.items() if value and name not in left_out}
        result.rows[_key(row[by], by)] = Row(number, values)
    if not result.rows:
        raise fail("no row of metadata", "a row for each sentence or document")
    result.ranges.sort()
    for before, after in zip(result.ranges, result.ranges[1:], strict=False):
        if after[0] <= before[1]:
            row_line = result.rows[after[2]].line
            found = f"{_ENDS[0]} {after[0]}, which is in document {excerpt(before[2])}, too"
            raise InputError(Problem("metadata", source.name, row_line, None, found, f"a number above {before[1]}"))
    return result


def _key(text: str, by: str) -> str:
    """Return what a row is known by; empty if a number is none."""
    return text if by != NUMBER else str(int(text)) if _is_number(text) else ""


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS and int(text) > 0


def _fault(result: MetadataFile, row: Mapping[str, str], n: int, expected: int) -> tuple[str, str] | None:
    """Return what is wrong with a row, which is then left out, and what was expected; None if nothing is."""
    if n != expected:
        return f"{n} fields; the row is left out", f"{expected}, as in the heading"
    by = result.by
    key = _key(row[by], by)
    if not key:
        found = f"{by} {excerpt(row[by])!r}" if row[by] else f"no {by}"
        return f"{found}; the row is left out", "a number from 1" if by == NUMBER else f"a {by}"
    if key in result.rows:
        return f"{by} {excerpt(key)} again; the row is left out", f"one row, as in line {result.rows[key].line}"
    return None


def _add_range(result: MetadataFile, row: Mapping[str, str], number: int) -> None:
    texts = [row[name] for name in _ENDS]
    if not all(map(_is_number, texts)) or int(texts[0]) > int(texts[1]):
        found = f"{_ENDS[0]} {excerpt(texts[0])!r} and {_ENDS[1]} {excerpt(texts[1])!r}"
        raise InputError(Problem("metadata", result.name, number, None, found, "numbers from 1, the first not greater"))
    result.ranges.append((int(texts[0]), int(texts[1]), row[DOCUMENT]))
