"""Whether the parts and answers of a run are what was written, by the digests in ``meta.json``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from evaltools.errors import RunError
from evaltools.runs.digests import ANSWERS, PartDigest, believed_answers, digest_of, footer_of
from evaltools.runs.folder import Folder

__all__ = ["MAX_BYTES_CHECKED", "check_part", "check_parts", "damaged_parts"]

MAX_BYTES_CHECKED = 1 << 23
"""A table, or a part, of at most so many bytes is read whole and compared with its digest."""
_CHANGED = "was changed after the run was written"


def _name(place: str) -> str:
    path = PurePath(place)
    return f"{path.parent.name}/{path.name}"


def check_part(folder: Folder, place: str, expected: PartDigest) -> None:
    """Raise RunError if a part, or an answer, is not byte by byte what was written."""
    with folder.open(place) as file:
        found = digest_of(file)
    if found != expected:
        raise RunError(f"{folder} is damaged: {_name(place)} {_CHANGED}")


def check_parts(folder: Folder, meta: Mapping[str, Any], tables: Sequence[str]) -> None:
    """Compare size and footer of all parts with their digests; of small tables on this machine, all bytes.

    Parameters
    ----------
    folder : Folder
        The run.
    meta : mapping
        What its ``meta.json`` says.
    tables : sequence of str
        The run's tables.

    Raises
    ------
    RunError
        If a part is missing, was changed, or is not of this run.
    """
    for table in tables:
        expected = _parts_of(meta, table)
        places = {_name(place): place for place in folder.parts(table)}
        for name in sorted(expected.keys() ^ places.keys()):
            reason = "is missing" if name in expected else "is no part of this run"
            raise RunError(f"{folder} is damaged: {name} {reason}")
        is_small = folder.is_local and sum(entry["bytes"] for entry in expected.values()) <= MAX_BYTES_CHECKED
        for name, place in places.items():
            if is_small:
                check_part(folder, place, expected[name])
                continue
            with folder.open(place) as file:
                found = footer_of(file)
            if found != (expected[name]["bytes"], expected[name]["footer"]):
                raise RunError(f"{folder} is damaged: {name} {_CHANGED}")


def _parts_of(meta: Mapping[str, Any], table: str) -> dict[str, PartDigest]:
    return {name: entry for name, entry in meta["digests"]["parts"].items() if name.startswith(f"{table}/")}


def damaged_parts(folder: Folder, meta: Mapping[str, Any], tables: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Read all bytes of all parts and answers; return the name and the fault of each that is not what was written.

    Parameters
    ----------
    folder : Folder
        The run.
    meta : mapping
        What its ``meta.json`` says.
    tables : sequence of str
        The run's tables.
    """
    for table in (*tables, ANSWERS):
        expected = _parts_of(meta, table)
        if table == ANSWERS:
            expected = {f"{ANSWERS}/{name}": entry for name, entry in believed_answers(meta).items()}
        places = {_name(place): place for place in folder.parts(table)}
        for name in sorted(expected.keys() | places.keys()):
            if name not in places:
                if table != ANSWERS:  # which may be removed
                    yield name, "no such file"
            elif name not in expected:
                yield name, "a file of another run"
            else:
                with folder.open(places[name]) as file:
                    if digest_of(file) != expected[name]:
                        yield name, "another content"
