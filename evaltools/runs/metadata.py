"""The metadata of a run's sentences, such as document and genre: joined from files, stored, and read as groups."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.sentence_ids import DOCUMENT, SENTENCE_ID
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import Source
from evaltools.formats.metadata_files import NUMBER, MetadataFile, read_metadata
from evaltools.frameworks.common.columns import Rows, text_column
from evaltools.runs.meta import metadata_keys
from evaltools.runs.sums import metadata_groups
from evaltools.text import excerpt

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.runs.store import Run


_MAX_LISTED = 100
"""Maximum number of problems of one kind that are listed of a file."""


def as_files(files: Any) -> list[Any]:
    """Return one or several files of metadata as a list."""
    return [files] if isinstance(files, str | os.PathLike | Source) else list(files or ())


def metadata_table(first: int, rows: Sequence[Mapping[str, str]]) -> Rows:
    """Build a row for each value of each sentence: ``sentence``, ``key``, ``value``; `first` sentences are before."""
    keys = [key for row in rows for key in row]
    values = [value for row in rows for value in row.values()]
    numbers = np.repeat(np.arange(1, len(rows) + 1, dtype=np.int32) + np.int32(first), [len(row) for row in rows])
    return {"sentence": numbers, "key": text_column(keys), "value": text_column(values)}


class _Joined:
    """A file of metadata while sentences are joined with its rows."""

    def __init__(self, file: MetadataFile) -> None:
        self.file = file
        self.used: set[str] = set()
        self.lacking: dict[str, int] = {}  # Number of sentences by what no row is known by
        self.n_without = 0  # Number of sentences without an id, or without a document

    def values(self, number: int, row: Mapping[str, str], line: int | None) -> Mapping[str, str]:
        """Return the values of a sentence; `row` holds its values so far, `line` is its line in the gold file."""
        file = self.file
        name: str | None = str(number) if file.by == NUMBER else row.get(file.by)
        if name is None and file.by == DOCUMENT and line is not None:
            name = file.document_at(line)
        if name is None:
            self.n_without += 1
            return {}
        if name not in file.rows:
            self.lacking[name] = self.lacking.get(name, 0) + 1
            return {}
        self.used.add(name)
        return file.rows[name].values

    def problems(self) -> list[Problem]:
        """List rows that no sentence has, and sentences that have no row, once all are joined."""
        file, by = self.file, self.file.by
        problems = list(file.problems)
        thing = {NUMBER: "the number of a sentence of the gold file", SENTENCE_ID: "the id of a gold sentence"}
        unused = [(name, row) for name, row in file.rows.items() if name not in self.used]
        for name, row in [] if file.is_treebank else unused[:_MAX_LISTED]:
            expected = thing.get(by, "a document of the gold file")
            problems.append(_problem(file, row.line, f"{by} {excerpt(name)}, which no gold sentence has", expected))
        if file.is_treebank and unused:
            found = f"{len(unused):,} of {len(file.rows):,} sentences that are not in the gold file"
            problems.append(_problem(file, unused[0][1].line, found, "the sentences of the gold file"))
        elif len(unused) > _MAX_LISTED:
            found = f"{len(unused) - _MAX_LISTED:,} more rows that no gold sentence has"
            problems.append(_problem(file, None, found, "rows of the gold sentences"))
        if by == DOCUMENT:
            for name, n in list(self.lacking.items())[:_MAX_LISTED]:
                found = f"no row of document {excerpt(name)}, which has {n:,} gold sentences"
                problems.append(_problem(file, None, found, "a row for each document"))
        elif self.lacking:
            found = f"no row of {len(self.lacking):,} gold sentences, first {by} {excerpt(next(iter(self.lacking)))}"
            problems.append(_problem(file, None, found, "a row for each sentence"))
        if self.n_without:
            found = f"{self.n_without:,} gold sentences that belong to no row: they have no {by}"
            problems.append(_problem(file, None, found, f"a {by} of each sentence"))
        return problems


def _problem(file: MetadataFile, line: int | None, found: str, expected: str) -> Problem:
    return Problem("metadata", file.name, line, None, found, expected)


class MetadataJoin:
    """Joins the values that the gold file has of its sentences with those of files, which come before them."""

    def __init__(self, files: Iterable[Any] = ()) -> None:
        self._files = [_Joined(read_metadata(file)) for file in files]
        self._keys: dict[str, None] = {}
        self._n = 0

    def add(self, n: int, own: Sequence[Mapping[str, str]], lines: Sequence[int | None]) -> Rows | None:
        """Join the next sentences; return their rows of the table ``metadata``, None if there are none.

        `own` has what the gold file says of each sentence, or is empty; `lines` are their lines in the gold file.
        """
        rows = [dict(row) for row in own] or [{} for _ in range(n)]
        for file in self._files:
            if not self._n and file.file.is_treebank and not any(SENTENCE_ID in row for row in rows):
                file.file = file.file.by_position()  # the gold file has no ids
            self._check(file.file, rows)
            for index, row in enumerate(rows):
                row.update(file.values(self._n + index + 1, row, lines[index]))
        first, self._n = self._n, self._n + n
        self._keys |= {key: None for row in rows for key in row}
        return metadata_table(first, rows) if any(rows) else None

    def _check(self, file: MetadataFile, rows: Sequence[Mapping[str, str]]) -> None:
        """Raise InputError if the first sentences lack what the rows of a file are known by."""
        if self._n or file.by == NUMBER or file.ranges or any(file.by in row for row in rows):
            return
        sentences = "the gold sentences have neither ids nor documents"
        expected = "columns first_line and last_line, or documents in the gold file (# newdoc id)"
        if file.by == SENTENCE_ID:
            sentences = f"rows by {SENTENCE_ID}, and gold sentences without one"
            expected = f"a column {NUMBER}, or ids in the gold file (# sent_id)"
        raise InputError(_problem(file, 1, sentences, expected))

    def problems(self) -> list[Problem]:
        """List the problems of the files, once all sentences are joined."""
        for file in self._files:
            self._check_number(file.file)
        return [problem for file in self._files for problem in file.problems()]

    def _check_number(self, file: MetadataFile) -> None:
        """Raise InputError if sentences without ids are paired by their number with another number of sentences."""
        if file.by == NUMBER and file.n_sentences not in (None, self._n):
            found = f"{file.n_sentences:,} sentences, and no ids in both files"
            raise InputError(_problem(file, None, found, f"{self._n:,}, as in the gold file"))

    def entry(self) -> dict[str, Any]:
        """Return the entry of ``meta.json``: ``metadata`` with keys and sources; empty if there is neither."""
        sources = [
            {"file": file.name, "path": file.source.path, "sha256": file.source.digest}
            for file in (joined.file for joined in self._files)
        ]
        entry = {"keys": list(self._keys), "sources": sources}
        return {"metadata": entry} if self._keys or sources else {}


MAX_GROUPS = 200
"""Maximum number of values of a column that divides the sentences into groups."""


@dataclass(frozen=True, slots=True)
class Group:
    """The sentences with one value of a column."""

    key: str
    value: str

    def __str__(self) -> str:
        """Return ``key: value``."""
        return f"{self.key}: {self.value}"

    def mask(self, run: Run) -> NDArray[np.bool_]:
        """Return which sentences are in the group, shape (sentences,)."""
        values, numbers = metadata_groups(run, self.key)
        if self.value not in values:
            raise ParameterError.unknown(self.key, self.value, values)
        return np.asarray(numbers == values.index(self.value) + 1)

    def sentences(self, run: Run) -> NDArray[np.int64]:
        """Return the numbers of the sentences in the group, from 1."""
        return np.flatnonzero(self.mask(run)) + 1


def plural_of(key: str) -> str:
    """Return the plural of a column's name.

    Examples
    --------
    >>> plural_of("document"), plural_of("s_type")
    ('documents', 'values of s_type')
    """
    return f"{key}s" if key in ("document", "paragraph", "speaker", "genre") else f"values of {key}"


def parse_group(text: str) -> Group:
    """Read ``KEY=VALUE``."""
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise ParameterError(f"a group is given as KEY=VALUE, such as genre=news, not {text!r}")
    return Group(key.strip(), value.strip())


def group_keys(run: Run) -> list[str]:
    """Return the columns that divide the sentences into 2 to `MAX_GROUPS` groups, in the order of the run.

    Columns with another value for each sentence are left out, and those that divide the sentences just as an earlier
    one does, such as the titles of documents.
    """
    keys = metadata_keys(run.meta)
    if not keys:
        return []
    rows = run.columns("select key, count(distinct value) as n, count(*) as sentences from metadata group by key")
    counts = zip(rows["key"].tolist(), rows["n"].tolist(), rows["sentences"].tolist(), strict=True)
    sizes = {key: n for key, n, sentences in counts if n < sentences}  # ids are no groups
    by_division: dict[bytes, str] = {}
    for key in keys:
        if 2 <= sizes.get(key, 0) <= MAX_GROUPS:
            _, numbers = metadata_groups(run, key)
            _, first, index = np.unique(numbers, return_index=True, return_inverse=True)
            by_division.setdefault(np.argsort(np.argsort(first))[index].tobytes(), key)
    return list(by_division.values())


def metadata_frame(run: Run) -> pd.DataFrame:
    """Return ``sentence`` and a column for each key, with None where a sentence has no value."""
    import pandas as pd

    frame = pd.DataFrame({"sentence": np.arange(1, run.n_sentences + 1, dtype=np.int64)})
    for key in metadata_keys(run.meta):
        values, numbers = metadata_groups(run, key)
        column = np.array([None, *values], dtype=object)[numbers]
        frame[key if key != "sentence" else "sentence_"] = pd.Series(column, dtype=object)
    return frame
