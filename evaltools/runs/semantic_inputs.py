"""Inputs that hold semantic graphs: told from treebanks by their first bytes, and read whole."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS, Source
from evaltools.formats.byte_stream import ByteStream, open_bytes
from evaltools.formats.locations import is_url, without_file_scheme
from evaltools.formats.semantics import SEMANTIC_FORMATS, SemanticBank, guess_semantic, profile_digest, read_semantics
from evaltools.runs.rereading import is_file

__all__ = ["bank_digest", "bank_entry", "bank_named", "no_graphs", "peeked", "read_bank"]


def peeked(source: Any, format_name: str | None, *, again: bool = False) -> tuple[Any, bool]:
    """Tell whether an input holds semantic graphs.

    Parameters
    ----------
    source : str, path, Source, ByteStream or binary file
        As for :func:`evaltools.score`.
    format_name : str or None
        The format, if it was named.
    again : bool
        Whether it will have to be read twice; what can be read only once is not looked into then.

    Returns
    -------
    (source, bool)
        What to read in its place, for an input that can be read only once is then open; and whether it holds graphs.
    """
    if format_name is not None:
        if format_name not in FORMATS and format_name not in SEMANTIC_FORMATS:
            raise ParameterError.unknown("format", format_name, [*FORMATS, *SEMANTIC_FORMATS])
        return source, format_name in SEMANTIC_FORMATS
    if isinstance(source, Source):
        return source, guess_semantic(source) is not None
    if again and not is_file(source):
        return source, False
    if isinstance(source, str | os.PathLike) and not is_url(source) and Path(without_file_scheme(source)).is_dir():
        return source, guess_semantic(Path(without_file_scheme(source))) is not None
    if is_file(source):
        stream = open_bytes(source)
        try:
            return source, _begins_as_semantic(stream)
        finally:
            stream.close()
    if not isinstance(source, ByteStream | str | os.PathLike) and source.seekable():
        back = source.tell()
        found = _begins_as_semantic(open_bytes(source))
        source.seek(back)
        return source, found
    stream = source if isinstance(source, ByteStream) else open_bytes(source)
    return stream, _begins_as_semantic(stream)


def _begins_as_semantic(stream: ByteStream) -> bool:
    return guess_semantic(Source(stream.name, stream.peek(), "")) is not None


def no_graphs(source: Any, format_name: str | None, parser: str) -> Any:
    """Return what to read of a parser's input; raise an error if it holds semantic graphs where trees are needed.

    Parameters
    ----------
    source, format_name
        As for :func:`peeked`.
    parser : str
        Whose it is.

    Raises
    ------
    InputError
        If it holds semantic graphs.
    """
    source, is_semantic = peeked(source, format_name)
    if is_semantic:
        name = source.name if isinstance(source, Source | ByteStream) else str(getattr(source, "name", source))
        raise InputError(
            Problem("kind", name, None, None, "semantic graphs", "trees, as in the gold file", parser=parser)
        )
    return source


def read_bank(source: Any, format_name: str | None, parser: str | None = None) -> SemanticBank:
    """Read an input of semantic graphs.

    Parameters
    ----------
    source : str, path, Source, ByteStream, binary file or SemanticBank
        The input; what has been read already is returned as it is.
    format_name : str or None
        The format; guessed if not given.
    parser : str or None
        Whose it is, all results of its items are read then; None for the gold file, of which the first is.

    Raises
    ------
    InputError
        If it cannot be read, or holds something else.
    """
    if isinstance(source, SemanticBank):
        return source
    results: Literal["first", "all"] = "first" if parser is None else "all"
    if isinstance(source, str | os.PathLike) and not is_url(source):
        path = without_file_scheme(source)
        if Path(path).is_dir():
            return read_semantics(path, format_name, results=results)
    whole = source
    if not isinstance(source, Source):
        whole = Source.from_stream(source if isinstance(source, ByteStream) else open_bytes(source))
    if format_name is None and guess_semantic(whole) is None:
        expected = f"semantic graphs, as in the gold file: {', '.join(SEMANTIC_FORMATS)}"
        raise InputError(Problem("kind", whole.name, None, None, "no semantic graphs", expected, parser=parser))
    return read_semantics(whole, format_name, results=results)


def bank_digest(folder: str) -> str:
    """Return the SHA-256 of a profile, none of a folder that is no profile."""
    try:
        return profile_digest(Path(folder), folder)
    except InputError:
        return ""


def bank_named(path: str, name: str, format_name: str | None, parser: str | None = None) -> SemanticBank:
    """Read an input once more, under the name that it had.

    Parameters
    ----------
    path : str
        Where it is.
    name : str
        What it was called.
    format_name, parser
        As for :func:`read_bank`.
    """
    if not Path(path).is_dir():
        return read_bank(open_bytes(path, name), format_name, parser)
    bank = read_bank(path, format_name, parser)
    problems = [replace(one, file=name + one.file.removeprefix(bank.name)) for one in bank.problems]
    return replace(bank, name=name, problems=problems)


def bank_entry(bank: SemanticBank) -> dict[str, Any]:
    """Return the name, place, format, number of items and digest of an input."""
    return {
        "file": bank.name,
        "path": bank.path,
        "format": bank.format,
        "sentences": len(bank.items),
        "sha256": bank.digest,
    }
