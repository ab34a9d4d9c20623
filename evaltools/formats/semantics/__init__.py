"""Formats of semantic graphs: EDS, DMRS, MRS (converted to EDS), AMR (PENMAN), and graphs of the SDP and MRP tasks.

Each format of text is a ``Notation``, which cuts a text into graphs and then reads each of them; so a broken graph does
not affect the others. A profile of [incr tsdb()] is a folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Literal

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS, looks_like_format
from evaltools.formats.detection import (
    OF_LINES,
    LooksLike,
    detect,
    first_items,
    formats_of_suffix,
    has_no_items,
    without_edges,
)
from evaltools.formats.semantics.bank import SemanticBank, SemanticItem, group_segments, merge_span_problems, read_item
from evaltools.formats.semantics.json_formats import DMRSJSON, EDSJSON, MRP, MRSJSON, write_mrp
from evaltools.formats.semantics.mrs import DMRX, EDS, MRX, SIMPLEDMRS, SIMPLEMRS, write_eds
from evaltools.formats.semantics.penman import PENMAN, write_penman
from evaltools.formats.semantics.pydelphin import graph_of
from evaltools.formats.semantics.sdp import SDP
from evaltools.formats.semantics.segments import Notation, SemanticFormat
from evaltools.formats.semantics.tsdb import TSDB, is_profile, profile_digest, read_profile
from evaltools.formats.source import Source, is_url, open_bytes, open_source, without_file_scheme

__all__ = [
    "SEMANTIC_FORMATS",
    "SemanticBank",
    "SemanticItem",
    "all_formats",
    "graph_of",
    "guess_semantic",
    "profile_digest",
    "read_semantics",
    "write_eds",
    "write_mrp",
    "write_penman",
]

SEMANTIC_FORMATS: dict[str, SemanticFormat] = {
    item.NAME: item
    for item in (SIMPLEMRS, SIMPLEDMRS, EDS, MRX, DMRX, MRP, PENMAN, SDP, MRSJSON, EDSJSON, DMRSJSON, TSDB)
}
"""Formats of semantic graphs by name, in the order of detection."""

_Input = str | os.PathLike[str] | Source | IO[bytes]
_NOTATIONS = [item for item in SEMANTIC_FORMATS.values() if isinstance(item, Notation)]
_LINES_OF_ACE = re.compile(r"(?:\s*(?:SENT|SKIP|NOTE|WARNING|ERROR):[^\n]*)*\s*")


def guess_semantic(source: _Input, like: str | None = None) -> str | None:
    """Detect the format of semantic graphs of an input; None for other inputs.

    Parameters
    ----------
    source : str, path, Source, or binary file
        A file, a folder, or a Source. Of a file only the beginning is read; a binary file that cannot be rewound and
        standard input are not read at all.
    like : str, optional
        The format of the gold file, for a parser's file, as for :func:`evaltools.formats.guess_format`.

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
        name = _guess(source, all_formats(), like)
        return name if name in SEMANTIC_FORMATS else None
    if isinstance(source, str | os.PathLike):
        if not is_url(source) and _is_folder(source):
            return TSDB.NAME if is_profile(Path(without_file_scheme(source))) else None
        if str(source) == "-":
            return None
        beginning = _beginning(source)
    elif not source.seekable():
        return None
    else:
        offset = source.tell()
        beginning = _beginning(source)
        source.seek(offset)
    name = os.fsdecode(source) if isinstance(source, str | os.PathLike) else str(getattr(source, "name", ""))
    return guess_semantic(Source(name, beginning, ""), like)


def _guess(source: Source, formats: Mapping[str, LooksLike], like: str | None = None) -> str | None:
    """Return the format of a text; an empty one is of the format of the gold file."""
    if like in formats and has_no_items(source.data):
        return like
    preferred = [*formats_of_suffix(source.name, [*SEMANTIC_FORMATS, *FORMATS]), *([like] if like is not None else [])]
    return detect(first_items(source.data), formats, preferred)


def _looks_like(notation: Notation) -> LooksLike:
    """Return whether a text begins like a notation; lines of ACE may come first."""

    def looks_like(data: bytes) -> object:
        text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
        lines = _LINES_OF_ACE.match(text)
        rest = text[lines.end() :] if lines is not None else text
        if lines is not None and lines[0].strip() and not rest:
            return notation is SIMPLEMRS
        return notation.looks_like(rest)

    return looks_like


_LOOKS: dict[str, LooksLike] = {notation.NAME: _looks_like(notation) for notation in _NOTATIONS}


def all_formats() -> dict[str, LooksLike]:
    """Return how texts of each format begin, of graphs and of trees.

    Returns
    -------
    dict of str to callable
        For each format a function that says whether a text begins like it.
    """
    return {**_LOOKS, **{name: looks_like_format(module) for name, module in FORMATS.items()}}


def _is_folder(path: str | os.PathLike[str]) -> bool:
    try:
        return os.path.isdir(without_file_scheme(path))
    except (OSError, ValueError):
        return False


def _beginning(source: str | os.PathLike[str] | IO[bytes]) -> bytes:
    """Return the first bytes of a file; none if it cannot be read."""
    try:
        stream = open_bytes(source)
        beginning = stream.read_block()
        stream.close()
    except InputError:
        return b""
    return beginning


def _guess_notation(text: str) -> Notation | None:
    """Return the format of a text."""
    notation = SEMANTIC_FORMATS.get(_guess(Source("", text.encode("utf-8", "backslashreplace"), ""), _LOOKS) or "")
    return notation if isinstance(notation, Notation) else None


def read_semantics(
    source: _Input,
    format: str | None = None,  # noqa: A002 - the word users know
    *,
    results: Literal["first", "all"] = "first",
    encoding: str | None = None,
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
    encoding : str, optional
        Encoding of a file, such as ``"latin-1"``; by default UTF-8, UTF-16 with a byte order mark, or what
        XML declares.

    Returns
    -------
    SemanticBank
        The items. An item whose graph cannot be read has None in its place; ``problems`` lists where and why.

    Raises
    ------
    InputError
        If the file cannot be opened or is of no known format.
    ParameterError
        If `format` or `results` is unknown.

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
        name = os.fsencode(source).decode("utf-8", "backslashreplace")
        if format is not None and format != TSDB.NAME:
            expected = f"a file of {SEMANTIC_FORMATS[format].TITLE}"
            raise InputError(Problem("file", name, None, None, "a folder", expected))
        folder = Path(without_file_scheme(source))
        return read_profile(folder, name.rstrip("/") or name, _guess_notation, first_only=first_only)
    opened = open_source(source, encoding=encoding)
    if format == TSDB.NAME:
        raise InputError(Problem("format", opened.name, None, None, "a file", "the folder of a profile"))
    data = b"".join(without_edges([opened.data], OF_LINES, opened.name, opened.log))
    text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    notation = SEMANTIC_FORMATS.get(format or _guess(opened, _LOOKS) or "")
    if not isinstance(notation, Notation):
        found = "text in an unknown format" if text.strip() else "an empty file"
        expected = " or ".join(item.TITLE for item in _NOTATIONS)
        raise InputError(Problem("format", opened.name, 1, None, found, expected))
    return _read_bank(opened, notation, text, first_only=first_only)


def _read_bank(source: Source, notation: Notation, text: str, *, first_only: bool) -> SemanticBank:
    cut = notation.cut(text)
    problems = [*source.problems, *source.log.rest(source.name)]
    problems += [Problem(flaw.kind, source.name, flaw.line, None, flaw.found, flaw.expected) for flaw in cut.flaws]
    items = []
    groups = group_segments(cut.segments) if notation.has_lists else [[segment] for segment in cut.segments]
    for number, segments in enumerate(groups, start=1):
        item, item_problems = read_item(segments, number, notation, source.name, first_only=first_only)
        items.append(item)
        problems += item_problems
    if not items:
        problems.append(Problem("empty", source.name, 1, None, "no graph", "at least one graph"))
    problems = merge_span_problems(problems, items)
    n_nameless = sum(item.id is None and item.graph is not None for item in items)
    n_named = sum(item.id is not None for item in items)
    if n_named and n_nameless:
        found, expected = f"{n_nameless} of {len(items)} items without a name", "a name for each, or for none"
        problems.append(Problem("no_name", source.name, None, None, found, expected))
    has_ids = n_named > n_nameless
    return SemanticBank(source.name, source.path, source.digest, notation.NAME, has_ids, tuple(items), problems)
