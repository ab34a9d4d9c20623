"""File formats: one module each, all with ``looks_like``, ``layout``, ``cut``, ``read`` and ``write``.

``HOLDS`` says whether a format holds ``"constituency"`` trees, ``"dependency"`` trees or ``"functions"`` (function
trees), ``DISCONTINUOUS`` whether phrases may be discontinuous or arcs cross.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import IO, Literal, overload

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import conllu, conllx, discbracket, export, functions, ptb, rr, sampson
from evaltools.formats.source import Source, open_source
from evaltools.treebank import Dependencies, DependencyTree, Tree, Treebank, Vocabulary

__all__ = [
    "FORMATS",
    "Source",
    "guess_format",
    "open_source",
    "read_treebank",
    "require_constituency",
    "write_treebank",
]

FORMATS: dict[str, ModuleType] = {
    module.NAME: module for module in (export, conllu, conllx, discbracket, rr, functions, sampson, ptb)
}
"""Every format by name, in the order in which content is tried."""


def guess_format(source: Source) -> str:
    """Return the name of the format that a file's content looks like.

    Parameters
    ----------
    source : Source
        The input.

    Returns
    -------
    str
        A name in :data:`FORMATS`.

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


_SCORES = "bracketing scores, tree distance and leaf-ancestor"


def require_constituency(format_name: str, name: str, why: str = _SCORES) -> None:
    """Do nothing if a format holds constituency trees.

    Parameters
    ----------
    format_name : str
        A name in :data:`FORMATS`.
    name : str
        What to call the input in the error.
    why : str
        What needs them, for the error.

    Raises
    ------
    InputError
        If it holds dependencies or function trees.
    """
    module = FORMATS[format_name]
    if module.HOLDS != "constituency":
        held = {"dependency": "dependencies", "functions": "function trees"}[module.HOLDS]
        expected = f"constituency trees, as {why} need them"
        raise InputError(Problem("format", name, None, None, f"{held} ({module.TITLE})", expected))


_Input = str | os.PathLike[str] | Source | IO[bytes]
_Constituency = Literal["ptb", "sampson", "discbracket", "export", "functions", "rr"]


@overload
def read_treebank(source: _Input, format: _Constituency, vocabulary: Vocabulary | None = None) -> Treebank: ...
@overload
def read_treebank(
    source: _Input, format: Literal["conllu", "conllx"], vocabulary: Vocabulary | None = None
) -> Dependencies: ...
@overload
def read_treebank(
    source: _Input, format: str | None = None, vocabulary: Vocabulary | None = None
) -> Treebank | Dependencies: ...
def read_treebank(
    source: _Input,
    format: str | None = None,  # noqa: A002 - the word users know
    vocabulary: Vocabulary | None = None,
) -> Treebank | Dependencies:
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
    Treebank or Dependencies
        What the format holds. Sentences that cannot be read are kept as missing ones; its ``problems`` say where and
        why.

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
    treebank: Treebank | Dependencies = FORMATS[name].read(opened, vocabulary or Vocabulary())
    return treebank


def write_treebank(
    trees: Iterable[Tree | DependencyTree | None],
    path: str | os.PathLike[str],
    format: str = "ptb",  # noqa: A002 - the word users know
) -> None:
    """Write trees to a file.

    Parameters
    ----------
    trees : iterable of Tree, DependencyTree or None
        The trees; None is a missing parse.
    path : path
        The file; compressed if its name ends in ``.gz`` or ``.zst``.
    format : str
        A name in :data:`FORMATS`.

    Raises
    ------
    ParameterError
        If `format` is no known name, or cannot hold the trees; nothing is written then.
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
    module = FORMATS[format]
    kind = DependencyTree if module.HOLDS == "dependency" else Tree

    def checked() -> Iterator[Tree | DependencyTree | None]:
        for number, tree in enumerate(trees, start=1):
            if tree is not None and not isinstance(tree, kind):
                found = "dependencies" if isinstance(tree, DependencyTree) else "a constituency tree"
                raise ParameterError(f"sentence {number}: {module.TITLE} cannot hold {found}")
            yield tree

    data = module.write(checked()).encode("utf-8", "backslashreplace")
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
