"""Formats of semantic graphs: EDS, DMRS, MRS (which becomes EDS) and the graphs of the MRP tasks.

Each format of text is a module with ``looks_like``, ``cut`` into the texts of graphs, and ``structure`` or ``graph``,
which reads one of them; so a graph that is broken never loses another. A profile of [incr tsdb()] is a folder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import ModuleType
from typing import IO, Literal

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats.byte_stream import open_bytes
from evaltools.formats.locations import is_url, without_file_scheme
from evaltools.formats.semantics import dmrsjson, dmrx, eds, edsjson, mrp, mrsjson, mrx, simpledmrs, simplemrs, tsdb
from evaltools.formats.semantics.bank import SemanticBank, SemanticItem
from evaltools.formats.semantics.pieces import Pieces
from evaltools.formats.semantics.reading import put_together, read_item, spans_problems
from evaltools.formats.semantics.structures import graph_of
from evaltools.formats.semantics.tables import is_profile, profile_digest
from evaltools.formats.semantics.writing import write_eds, write_mrp
from evaltools.formats.source import Source, open_source

__all__ = [
    "SEMANTIC_FORMATS",
    "SemanticBank",
    "SemanticItem",
    "graph_of",
    "guess_semantic",
    "is_semantic",
    "profile_digest",
    "read_semantics",
    "write_eds",
    "write_mrp",
]

SEMANTIC_FORMATS: dict[str, ModuleType] = {
    module.NAME: module for module in (simplemrs, simpledmrs, eds, mrx, dmrx, mrp, mrsjson, edsjson, dmrsjson, tsdb)
}
"""Every format of semantic graphs by name, in the order in which content is tried."""

_Input = str | os.PathLike[str] | Source | IO[bytes]
_TEXTS = [module for module in SEMANTIC_FORMATS.values() if module is not tsdb]
_LINES_OF_ACE = re.compile(r"(?:\s*(?:SENT|SKIP|NOTE|WARNING|ERROR):[^\n]*)*\s*")
_BEGINNING = 1 << 20


def is_semantic(source: _Input) -> bool:
    """Tell whether a file or folder holds semantic graphs; see :func:`guess_semantic`.

    Parameters
    ----------
    source : path or Source
        The input.

    Returns
    -------
    bool
        Whether it does.
    """
    return guess_semantic(source) is not None


def guess_semantic(source: _Input) -> str | None:
    """Return the name of the format of semantic graphs that an input looks like, None for any other input.

    Parameters
    ----------
    source : str, path, Source, or binary file
        A file, a folder, or what has been read. Of a file only the beginning is read; a binary file that cannot be
        rewound is not read at all, nor is standard input.

    Returns
    -------
    str or None
        A name in :data:`SEMANTIC_FORMATS`, or None.

    Examples
    --------
    >>> guess_semantic(Source.from_bytes(b"{e2: e2:_rain_v_1<3:8>{e TENSE pres}[]}", "one.eds"))
    'eds'
    >>> guess_semantic(Source.from_bytes(b"(S (V rain))", "one.ptb")) is None
    True
    """
    if isinstance(source, Source):
        module = _notation(source.data[:_BEGINNING].decode("utf-8", "backslashreplace"))
        return None if module is None else str(module.NAME)
    if isinstance(source, str | os.PathLike):
        if not is_url(source) and _is_folder(source):
            return tsdb.NAME if is_profile(Path(without_file_scheme(source))) else None
        if str(source) == "-":
            return None
        beginning = _beginning(source)
    elif not source.seekable():
        return None
    else:
        place = source.tell()
        beginning = _beginning(source)
        source.seek(place)
    return None if beginning is None else guess_semantic(Source("", beginning, ""))


def _is_folder(place: str | os.PathLike[str]) -> bool:
    try:
        return Path(without_file_scheme(place)).is_dir()
    except (OSError, ValueError):
        return False


def _beginning(source: str | os.PathLike[str] | IO[bytes]) -> bytes | None:
    try:
        stream = open_bytes(source)
        beginning = stream.read_block()
        stream.close()
    except InputError:
        return None
    return beginning


def _notation(text: str) -> ModuleType | None:
    """Return the format that a text begins with; lines that ACE prints may come first."""
    lines = _LINES_OF_ACE.match(text)
    rest = text[lines.end() :] if lines is not None else text
    if lines is not None and lines[0].strip() and not rest:
        return simplemrs
    return next((module for module in _TEXTS if module.looks_like(rest)), None)


def read_semantics(
    source: _Input,
    format: str | None = None,  # noqa: A002 - the word users know
    *,
    results: Literal["first", "all"] = "first",
) -> SemanticBank:
    """Read semantic graphs.

    Parameters
    ----------
    source : str, path, Source, or binary file
        A file, as for :func:`evaltools.formats.open_source`, or the folder of a profile.
    format : str, optional
        A name in :data:`SEMANTIC_FORMATS`; guessed from the content if not given.
    results : {"first", "all"}
        Whether to read one result of each item, the first, or in a profile the one that annotators chose (its table
        ``preference``); or all of them, in their order.

    Returns
    -------
    SemanticBank
        The items. What cannot be read is kept as an item without that graph; ``problems`` says where and why.

    Raises
    ------
    InputError
        If the file cannot be opened or is of no known format.
    ParameterError
        If `format` or `results` is no known name.

    Examples
    --------
    >>> bank = read_semantics(Source.from_bytes(b"#7 {e2: e2:_rain_v_1<3:8>{e TENSE pres}[]}", "one.eds"))
    >>> bank.format, bank.items[0].id, bank.items[0].graph.nodes[0].predicate
    ('eds', '7', '_rain_v_1')
    """
    if format is not None and format not in SEMANTIC_FORMATS:
        raise ParameterError.unknown("format", format, SEMANTIC_FORMATS)
    if results not in ("first", "all"):
        raise ParameterError.unknown("results", results, ("first", "all"))
    first_only = results == "first"
    if isinstance(source, str | os.PathLike) and not is_url(source) and _is_folder(source):
        folder = Path(without_file_scheme(source))
        shown = os.fsencode(source).decode("utf-8", "backslashreplace")
        if format not in (None, tsdb.NAME):
            raise InputError(Problem("file", shown, None, None, "a folder", f"a file of {_title(format)}"))
        return tsdb.read_profile(folder, shown.rstrip("/") or shown, _notation, first_only=first_only)
    opened = open_source(source)
    text = opened.data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    module = _notation(text) if format is None else SEMANTIC_FORMATS[format]
    if module is None or module is tsdb:
        found = "a file" if module is tsdb else "text that is no known format" if text.strip() else "an empty file"
        expected = "the folder of a profile" if module is tsdb else " or ".join(one.TITLE for one in _TEXTS)
        raise InputError(Problem("format", opened.name, None if module is tsdb else 1, None, found, expected))
    return _bank(opened, module, module.cut(text), first_only=first_only)


def _title(format: str | None) -> str:  # noqa: A002 - the word users know
    return str(SEMANTIC_FORMATS[format].TITLE) if format else ""


def _bank(source: Source, module: ModuleType, pieces: Pieces, *, first_only: bool) -> SemanticBank:
    problems = list(source.problems)
    problems += [Problem(one.kind, source.name, one.line, None, one.found, one.expected) for one in pieces.flaws]
    items = []
    for number, group in enumerate(put_together(pieces.found), start=1):
        item, more = read_item(group, number, module, source.name, first_only=first_only)
        items.append(item)
        problems += more
    if not items:
        problems.append(Problem("empty", source.name, 1, None, "no graph", "at least one graph"))
    problems = spans_problems(problems, items)
    nameless = sum(item.id is None and item.graph is not None for item in items)
    named = any(item.id is not None for item in items)
    if named and nameless:
        found, expected = f"{nameless} of {len(items)} items without a name", "a name for each, or for none"
        problems.append(Problem("no_name", source.name, None, None, found, expected))
    has_ids = named and not nameless
    return SemanticBank(source.name, source.path, source.digest, str(module.NAME), has_ids, tuple(items), problems)
