"""Rows and digests of the parts of a run while it is written, from which its ``meta.json`` is completed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaltools.runs.digests import PartDigest, sealed
from evaltools.runs.kinds import tables_of
from evaltools.runs.tables import TABLES

__all__ = ["Contents"]


class Contents:
    """What has been written of a run; filled from one thread."""

    def __init__(self) -> None:
        self._rows: dict[str, int] = dict.fromkeys(TABLES, 0)
        self._digests: dict[str, PartDigest] = {}

    def add(self, part: str, rows: Mapping[str, int], digests: Mapping[str, PartDigest]) -> None:
        """Add the parts of one name, by table.

        Parameters
        ----------
        part : str
            Their name.
        rows : mapping of str to int
            Their numbers of rows.
        digests : mapping of str to PartDigest
            Their digests.
        """
        for table, n in rows.items():
            self._rows[table] += n
        for table, digest in digests.items():
            self._digests[f"{table}/{part}.parquet"] = digest

    def described(self, meta: Mapping[str, Any], answers: Mapping[str, PartDigest] | None = None) -> dict[str, Any]:
        """Return the content of ``meta.json``, with rows and digests.

        Parameters
        ----------
        meta : mapping
            What else it says.
        answers : mapping of str to PartDigest, optional
            The digests of the kept answers, by file name.
        """
        whole = {**meta, "rows": {table: self._rows[table] for table in tables_of(meta)}}
        return sealed(whole, self._digests, answers)
