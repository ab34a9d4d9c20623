"""Write the digests of a run folder again, for tests of what is checked beside them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from evaltools.runs.digests import ANSWERS, digest_of, digest_of_meta, sealed
from evaltools.runs.folder import META, meta_bytes
from evaltools.runs.kinds import tables_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["reseal", "write_meta"]


def write_meta(folder: Path, meta: dict[str, Any]) -> None:
    """Write a ``meta.json``; if it has a digest of its content, the one it ought to have."""
    if "digest" in meta:
        meta["digest"] = digest_of_meta(meta)
    (folder / META).write_bytes(meta_bytes(meta))


def reseal(folder: Path) -> None:
    """Write the digests of all parts and answers as they are now: a change is no longer noticed by them."""
    meta = json.loads((folder / META).read_bytes())

    def digests_in(name: str) -> dict[str, Any]:
        found = {}
        for path in sorted((folder / name).glob("*.parquet")):
            with path.open("rb") as file:
                found[path.name] = digest_of(file)
        return found

    parts = {f"{table}/{name}": one for table in tables_of(meta) for name, one in digests_in(table).items()}
    (folder / META).write_bytes(meta_bytes(sealed(meta, parts, digests_in(ANSWERS))))
