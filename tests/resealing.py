"""Rewrite the digests of a run folder, for tests of other checks than digests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from evaltools.runs.folders.digests import digest_of, digest_of_meta, with_digests
from evaltools.runs.folders.folder import meta_bytes
from evaltools.runs.folders.names import ANSWERS, META
from evaltools.runs.schema import tables_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["reseal", "write_meta"]


def write_meta(folder: Path, meta: dict[str, Any]) -> None:
    """Write a ``meta.json``, with a correct digest of its content if it had one."""
    if "digest" in meta:
        meta["digest"] = digest_of_meta(meta)
    (folder / META).write_bytes(meta_bytes(meta))


def reseal(folder: Path) -> None:
    """Rewrite the digests of all parts and cached results, so that they match the files."""
    meta = json.loads((folder / META).read_bytes())

    def digests_in(name: str) -> dict[str, Any]:
        digests = {}
        for path in sorted((folder / name).glob("*.parquet")):
            with path.open("rb") as file:
                digests[path.name] = digest_of(file)
        return digests

    parts = {f"{table}/{name}": digest for table in tables_of(meta) for name, digest in digests_in(table).items()}
    (folder / META).write_bytes(meta_bytes(with_digests(meta, parts, digests_in(ANSWERS))))
