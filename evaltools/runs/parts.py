"""The parts of a run's tables: each is written whole or not at all, and a record says which ones are finished."""

from __future__ import annotations

import dataclasses
import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evaltools.errors import RunError, shortage
from evaltools.runs.digests import PartDigest, digest_of

__all__ = ["RECORD", "PartResult", "Parts", "part_name", "write_parquet"]

RECORD = "record"
"""Subfolder for what is needed to continue; it is no part of a complete run."""


_WHOLE_TEXTS = ("tree", "text")
"""Columns whose values are hardly ever the same: a dictionary of them would take room and time."""


def write_parquet(rows: pa.Table, where: Any) -> None:
    """Write rows as a part; its checksums say whether a page is what it was.

    Parameters
    ----------
    rows : Table
        The rows.
    where : path or binary file
        Where to write.
    """
    names = [name for name in rows.column_names if name not in _WHOLE_TEXTS]
    options = {"compression": "zstd", "compression_level": 1, "write_page_checksum": True}
    pq.write_table(rows, where, use_dictionary=names, **options)


@dataclass(frozen=True)
class PartResult:
    """What scoring a parser on a chunk came to.

    Parameters
    ----------
    part : str
        Name of the parts.
    statuses : list of int
        Number of sentences of each :class:`~evaltools.normalize.Status`.
    n_problems : int
        Number of problems found.
    rows : mapping of str to int
        Rows of the part that was written of each table.
    digests : mapping of str to PartDigest
        Size and digests of these parts.
    labels : list of str
        The phrase labels, or relations, in it.
    n_words_aligned : int
        How many of the sentences whose words differ are scored over aligned words.
    """

    part: str
    statuses: list[int]
    n_problems: int
    rows: Mapping[str, int]
    digests: Mapping[str, PartDigest]
    labels: list[str]
    n_words_aligned: int = 0


def part_name(number: int, place: int | None = None) -> str:
    """Return the name of a chunk's part: of the gold trees, or of the parser at a place."""
    return f"{number:05d}-" + ("gold" if place is None else f"{place:04d}")


class Parts:
    """Writes parts into a folder; different parts may be written from different threads.

    Parameters
    ----------
    folder : Path
        Holds a subfolder for each table.
    record : bool
        Whether to write down which parts are finished.
    """

    def __init__(self, folder: Path, *, record: bool = False) -> None:
        self.folder = folder
        self.record = record

    def write(self, table: str, part: str, rows: pa.Table) -> PartDigest:
        """Write one part of a table and return its size and digests."""
        final = self.folder / table / f"{part}.parquet"
        temporary = final.with_name(f".{part}.{uuid.uuid4().hex}.tmp")
        try:
            write_parquet(rows, temporary)
            with temporary.open("rb") as file:
                digest = digest_of(file)
            temporary.replace(final)
        except OSError as error:
            message = f"cannot write to {self.folder.parent}: {error.strerror or error}"
            raise shortage(error) or RunError(message) from None
        return digest

    def shared(self) -> Parts:
        """Return what writes to the same place from another folder or machine."""
        return Parts(self.folder.resolve(), record=self.record)

    def finish(self, result: PartResult) -> None:
        """Write down that every table's part of this name is complete."""
        if self.record:
            write_json(self.folder / RECORD / f"{result.part}.json", dataclasses.asdict(result))

    def finished(self, part: str) -> PartResult | None:
        """Return what a part came to that was finished before, if all of it is there."""
        if not self.record:
            return None
        known = read_json(self.folder / RECORD / f"{part}.json")
        try:
            result = PartResult(**known)
            whole = result.part == part and self._is_there(result) and self._is_whole(result)
        except (TypeError, AttributeError, KeyError, OSError):  # no record, or a damaged one
            return None
        return result if whole else None

    def check(self, result: PartResult) -> None:
        """Raise an error if what another program has written cannot be seen from here."""
        if not self._is_there(result):
            raise RunError(
                f"a worker's parts do not arrive in {self.folder.parent}: it must be the same folder for all"
            )

    def _is_there(self, result: PartResult) -> bool:
        try:
            return all(
                (self.folder / table / f"{result.part}.parquet").stat().st_size == digest["bytes"]
                for table, digest in result.digests.items()
            )
        except OSError:
            return False

    def _is_whole(self, result: PartResult) -> bool:
        for table, digest in result.digests.items():
            with (self.folder / table / f"{result.part}.parquet").open("rb") as file:
                if digest_of(file) != digest:
                    return False
        return True


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """Write a small file whole or not at all."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        temporary.write_text(json.dumps(content), "utf-8")
        os.replace(temporary, path)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror or error}") from None


def read_json(path: Path) -> dict[str, Any]:
    """Return the content of a small file, nothing if it is not there or damaged."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
