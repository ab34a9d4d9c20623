"""File formats: one module each, all with ``looks_like``, ``layout``, ``cut``, ``read`` and ``write``."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import IO

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import ptb, sampson
from evaltools.formats.source import Source, open_source
from evaltools.treebank import Tree, Treebank, Vocabulary

__all__ = ["FORMATS", "Source", "guess_format", "open_source", "read_treebank", "write_treebank"]

FORMATS: dict[str, ModuleType] = {module.NAME: module for module in (sampson, ptb)}
"""Every format by name, in the order in which content is tried."""


def guess_format(source: Source) -> str:
    """Return the name of the format that a file's content looks like.

    Raises
    ------
    InputError
        If it looks like none of them.
    """
    for name, module in FORMATS.items():
        if module.looks_like(source):
            return name
    if not source.data.strip():
        raise InputError(Problem("empty", source.name, 1, None, "an empty file", "at least one tree"))
    first = source.data.lstrip()[:40].split(b"\n")[0].decode("utf-8", "backslashreplace")
    line = source.data[: len(source.data) - len(source.data.lstrip())].count(b"\n") + 1
    expected = " or ".join(module.TITLE for module in FORMATS.values())
    raise InputError(Problem("format", source.name, line, 1, f"text that is no known format: {first!r}", expected))


def read_treebank(
    source: str | os.PathLike[str] | Source | IO[bytes],
    format: str | None = None,  # noqa: A002 - the word users know
    vocabulary: Vocabulary | None = None,
) -> Treebank:
    """Read a treebank or a parser's output.

    Parameters
    ----------
    source : str, path, Source, or binary file
        As for :func:`evaltools.formats.open_source`.
    format : str, optional
        A name in :data:`FORMATS`; guessed from the content if not given.
    vocabulary : Vocabulary, optional
        Shared by treebanks that will be compared; a new one if not given.

    Returns
    -------
    Treebank
        Sentences that cannot be read are kept as missing ones; its ``problems`` say where and why.

    Raises
    ------
    InputError
        If the file cannot be opened or is of no known format.
    ParameterError
        If `format` is no known name.
    """
    opened = open_source(source)
    name = format or guess_format(opened)
    if name not in FORMATS:
        raise ParameterError.unknown("format", name, FORMATS)
    treebank: Treebank = FORMATS[name].read(opened, vocabulary or Vocabulary())
    return treebank


def write_treebank(
    trees: Iterable[Tree | None],
    path: str | os.PathLike[str],
    format: str = "ptb",  # noqa: A002 - the word users know
) -> None:
    """Write trees to a file, one a line.

    Parameters
    ----------
    trees : iterable of Tree or None
        The trees; None is a missing parse.
    path : path
        The file; compressed if its name ends in ``.gz`` or ``.zst``.
    format : str
        A name in :data:`FORMATS`.

    Raises
    ------
    ParameterError
        If `format` is no known name.
    InputError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_treebank([tree, None], f"{folder}/out.ptb.gz")
    ...     len(read_treebank(f"{folder}/out.ptb.gz"))
    2
    """
    if format not in FORMATS:
        raise ParameterError.unknown("format", format, FORMATS)
    data = FORMATS[format].write(trees).encode("utf-8", "backslashreplace")
    target = Path(path)
    if target.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    elif target.suffix == ".zst":
        import zstandard

        data = zstandard.ZstdCompressor().compress(data)
    try:
        target.write_bytes(data)
    except OSError as error:
        found = error.strerror or str(error)
        raise InputError(Problem("file", str(path), None, None, found, "a file that can be written")) from None
