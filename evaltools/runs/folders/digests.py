"""Digests of the files of a run: each part, each cached result, and ``meta.json`` itself.

They detect damage, files of another run, and manual edits. They do not protect against forgery: a program that rewrites
a run can also write its digests.

For each part there are its size, a digest of its footer (where Parquet keeps the sizes, offsets and statistics of all
columns), and a digest of all bytes. Size and footer are compared before the first figure is computed, and so are all
bytes of a small table. In a long run, all bytes of a part are compared when a sentence is read from it;
``evaltools verify`` compares all bytes of every part.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import IO, Any

from evaltools.runs.folders.names import ANSWERS

__all__ = [
    "PartDigest",
    "digest_of",
    "digest_of_meta",
    "digest_of_tables",
    "footer_of",
    "has_digests",
    "invalid_digests",
    "valid_answers",
    "with_digests",
]

PartDigest = Mapping[str, Any]
"""``bytes``: size; ``footer``, ``sha256``: digests of the footer and of all bytes, in hexadecimal."""

_TAIL = 1 << 16
_FOOTER_DIGITS = 16
_FIELDS: Mapping[str, type] = {"bytes": int, "footer": str, "sha256": str}


def footer_of(file: IO[bytes]) -> tuple[int, str]:
    """Return the size of a Parquet file and the digest of its footer; for other files, the digest of the last bytes."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _TAIL))
    tail = file.read()
    length = int.from_bytes(tail[-8:-4], "little") + 8
    if len(tail) < length <= size:
        file.seek(size - length)
        tail = file.read()
    return size, hashlib.sha256(tail[-length:]).hexdigest()[:_FOOTER_DIGITS]


def digest_of(file: IO[bytes]) -> PartDigest:
    """Return size and digests of a part or a cached result."""
    size, footer = footer_of(file)
    file.seek(0)
    return {"bytes": size, "footer": footer, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}  # type: ignore[arg-type]


def digest_of_meta(meta: Mapping[str, Any]) -> str:
    """Return the digest of the content of ``meta.json``, independent of layout and order of keys."""
    content = {name: value for name, value in meta.items() if name != "digest"}
    canonical = json.dumps(json.loads(json.dumps(content)), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def digest_of_tables(parts: Mapping[str, PartDigest]) -> str:
    """Return one digest of all parts of a run's tables."""
    lines = [f"{name} {parts[name]['sha256']}\n" for name in sorted(parts)]
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def with_digests(
    meta: Mapping[str, Any], parts: Mapping[str, PartDigest], answers: Mapping[str, PartDigest] | None = None
) -> dict[str, Any]:
    """Return the content of ``meta.json`` with the digests of the run's files and of itself."""
    digests: dict[str, Any] = {"parts": dict(sorted(parts.items()))}
    if answers:
        digests[ANSWERS] = {"tables": digest_of_tables(parts), "files": dict(sorted(answers.items()))}
    content = {**meta, "digests": digests}
    return {**content, "digest": digest_of_meta(content)}


def has_digests(meta: Mapping[str, Any]) -> bool:
    """Return whether a run has digests; runs of evaltools 0.2.0 (schema 4) have none."""
    return "digests" in meta


def _are_digests(entries: Any) -> bool:
    return isinstance(entries, dict) and all(
        isinstance(entry, dict)
        and entry.keys() == _FIELDS.keys()
        and all(type(entry[field]) is kind for field, kind in _FIELDS.items())
        for entry in entries.values()
    )


def invalid_digests(meta: Mapping[str, Any]) -> str:
    """Return what is wrong with the form of the digests in ``meta.json``; empty if nothing is."""
    digests = meta.get("digests")
    if not isinstance(digests, dict) or not _are_digests(digests.get("parts")):
        return "it has no digests of its parts"
    if not isinstance(meta.get("digest"), str):
        return "it has no digest of itself"
    answers = digests.get(ANSWERS, {"tables": "", "files": {}})
    if not (
        isinstance(answers, dict) and isinstance(answers.get("tables"), str) and _are_digests(answers.get("files"))
    ):
        return "its digests of answers are not digests"
    return ""


def valid_answers(meta: Mapping[str, Any]) -> dict[str, PartDigest]:
    """Return the digests of the cached results that were computed from the present tables."""
    digests = meta.get("digests", {})
    answers = digests.get(ANSWERS)
    if answers is None or answers["tables"] != digest_of_tables(digests["parts"]):
        return {}
    return dict(answers["files"])
