"""The parts of a run's tables: each is written completely or not at all, and finished ones are recorded."""

from __future__ import annotations

import dataclasses
import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evaltools.errors import RunError, shortage
from evaltools.frameworks.common.tables import problems_table
from evaltools.frameworks.scoring import Scored
from evaltools.outputs import replace_file
from evaltools.runs.folders.digests import PartDigest, digest_of, with_digests
from evaltools.runs.folders.names import RECORD
from evaltools.runs.schema import all_tables, tables_of

__all__ = ["FolderParts", "PartResult", "Parts", "Writer", "part_name", "read_json", "write_json", "write_parquet"]


_TEXT_COLUMNS = ("tree", "text")
"""Columns whose values rarely repeat: a dictionary of them would cost space and time."""


def write_parquet(rows: pa.Table, file: Any) -> None:
    """Write rows as a part, with a checksum for each page."""
    coded = [name for name in rows.column_names if name not in _TEXT_COLUMNS]
    options = {"compression": "zstd", "compression_level": 1, "write_page_checksum": True}
    pq.write_table(rows, file, use_dictionary=coded, **options)


@dataclass(frozen=True)
class PartResult:
    """Result of scoring a parser on a chunk."""

    part: str  # Name of the parts
    statuses: list[int]  # Number of sentences of each Status, of those that count
    n_problems: int
    rows: Mapping[str, int]  # Number of rows by table
    digests: Mapping[str, PartDigest]  # Size and digests by table
    labels: list[str]
    n_words_aligned: int = 0  # Number of sentences with other words that are scored over aligned words
    sums: Mapping[str, Any] = field(default_factory=dict)  # What the framework adds up over the chunks


def part_name(chunk: int, parser: int | None = None) -> str:
    """Return the name of a chunk's part: of the gold trees, or of the parser with an index."""
    return f"{chunk:05d}-" + ("gold" if parser is None else f"{parser:04d}")


class Parts(ABC):
    """Writes the parts of a run's tables; different parts may be written from different threads."""

    @abstractmethod
    def write(self, table: str, part: str, rows: pa.Table) -> PartDigest:
        """Write one part of a table and return its size and digests."""

    @abstractmethod
    def check_visible(self, result: PartResult) -> None:
        """Raise RunError if parts that another program has written are not visible here."""

    def for_workers(self) -> Parts:
        """Return the object that writes the same parts from another program."""
        return self

    def record(self, result: PartResult) -> None:  # noqa: B027 - not all runs can be resumed
        """Record that every table's part of this name is complete, if the run can be resumed."""

    def recorded(self, part: str) -> PartResult | None:
        """Return the recorded result of a part, if all its files are complete."""
        return None

    def write_scored(self, part: str, scored: Scored) -> PartResult:
        """Write the tables and problems of a parser on a chunk."""
        tables = dict(scored.tables)
        if scored.problems:
            tables["problems"] = problems_table(scored.problems)
        result = PartResult(
            part,
            scored.statuses,
            len(scored.problems),
            {table: rows.num_rows for table, rows in tables.items()},
            {table: self.write(table, part, rows) for table, rows in tables.items()},
            scored.labels,
            scored.n_words_aligned,
            scored.sums,
        )
        self.record(result)
        return result


class FolderParts(Parts):
    """Writes parts into a folder of this machine."""

    def __init__(self, folder: Path, *, resumable: bool = False) -> None:
        self.folder = folder
        self.resumable = resumable

    def _path(self, table: str, part: str) -> Path:
        return self.folder / table / f"{part}.parquet"

    def write(self, table: str, part: str, rows: pa.Table) -> PartDigest:
        """Write one part of a table and return its size and digests."""
        path = self._path(table, part)
        temporary = path.with_name(f".{part}.{uuid.uuid4().hex}.tmp")
        try:
            write_parquet(rows, temporary)
            with temporary.open("rb") as file:
                digest = digest_of(file)
            temporary.replace(path)
        except OSError as error:
            message = f"cannot write to {self.folder.parent}: {error.strerror or error}"
            raise shortage(error) or RunError(message) from None
        return digest

    def for_workers(self) -> FolderParts:
        """Return the object that writes the same parts from another program."""
        return FolderParts(self.folder.resolve(), resumable=self.resumable)

    def record(self, result: PartResult) -> None:
        """Record that every table's part of this name is complete, if the run can be resumed."""
        if self.resumable:
            write_json(self.folder / RECORD / f"{result.part}.json", dataclasses.asdict(result))

    def recorded(self, part: str) -> PartResult | None:
        """Return the recorded result of a part, if all its files are complete."""
        if not self.resumable:
            return None
        try:
            result = PartResult(**read_json(self.folder / RECORD / f"{part}.json"))
            complete = result.part == part and self._has_sizes(result) and self._has_digests(result)
        except (TypeError, AttributeError, KeyError, OSError):  # no record, or a damaged one
            return None
        return result if complete else None

    def check_visible(self, result: PartResult) -> None:
        """Raise RunError if parts that another program has written are not visible here."""
        if not self._has_sizes(result):
            raise RunError(
                f"a worker's parts do not arrive in {self.folder.parent}: it must be the same folder for all"
            )

    def _has_sizes(self, result: PartResult) -> bool:
        try:
            return all(
                self._path(table, result.part).stat().st_size == digest["bytes"]
                for table, digest in result.digests.items()
            )
        except OSError:
            return False

    def _has_digests(self, result: PartResult) -> bool:
        for table, digest in result.digests.items():
            with self._path(table, result.part).open("rb") as file:
                if digest_of(file) != digest:
                    return False
        return True


class Writer(ABC):
    """Writes a run: its parts first, ``meta.json`` last. It is filled from one thread."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._rows: dict[str, int] = dict.fromkeys(all_tables(), 0)
        self._digests: dict[str, PartDigest] = {}

    def write(self, table: str, part: str, rows: pa.Table) -> None:
        """Write one part of a table."""
        self._add(part, {table: rows.num_rows}, {table: self.parts.write(table, part, rows)})

    def add_part(self, result: PartResult) -> None:
        """Count the rows, and keep the digests, of parts that a worker has written."""
        self._add(result.part, result.rows, result.digests)

    def _add(self, part: str, rows: Mapping[str, int], digests: Mapping[str, PartDigest]) -> None:
        for table, n in rows.items():
            self._rows[table] += n
        for table, digest in digests.items():
            self._digests[f"{table}/{part}.parquet"] = digest

    def _complete(self, meta: Mapping[str, Any], answers: Mapping[str, PartDigest] | None = None) -> dict[str, Any]:
        """Return the content of ``meta.json`` with rows and digests."""
        rows = {table: self._rows[table] for table in tables_of(meta)}
        return with_digests({**meta, "rows": rows}, self._digests, answers)

    @abstractmethod
    def finish(self, meta: dict[str, Any]) -> dict[str, Any]:
        """Write ``meta.json``, and return its content; from now on the folder is a run."""

    @abstractmethod
    def abandon(self) -> None:
        """Remove everything that was written."""

    @abstractmethod
    def interrupt(self) -> None:
        """Keep the finished parts if the run can be resumed; else remove them."""


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """Write a small file completely or not at all."""
    try:
        replace_file(path, json.dumps(content).encode())
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror or error}") from None


def read_json(path: Path) -> dict[str, Any]:
    """Return the content of a small file; an empty dictionary if it is missing or damaged."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
