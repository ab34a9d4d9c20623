"""File formats: one module each, all with ``looks_like``, ``layout``, ``cut``, ``read`` and ``write``.

``HOLDS`` is the class of corpus of a format: ``Treebank``, ``Dependencies``, or, for function trees, which are read
as a ``Treebank``, ``FunctionTree``. ``DISCONTINUOUS`` is whether phrases may be discontinuous or arcs cross.
Brackets of another form than those of :data:`evaltools.corpus.bracket_text.NOTATIONS` have a ``NOTATION``.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import IO, Literal, overload

from evaltools.corpus import Dependencies, DependencyTree, FunctionTree, Tree, Treebank, Vocabulary
from evaltools.corpus.bracket_text import Notation
from evaltools.display import NamedTable
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.files import write_file
from evaltools.formats import conllu, conllx, discbracket, export, functions, ptb, rr, sampson, tigerxml
from evaltools.formats.brackets import has_phrases, is_mostly_text, outside_brackets
from evaltools.formats.conll import column_order, described_columns
from evaltools.formats.detection import (
    LooksLike,
    detect,
    edges_of,
    first_items,
    formats_of_suffix,
    has_no_items,
    without_edges,
    without_line_edges,
)
from evaltools.formats.source import Source, open_source, zstandard_library

__all__ = [
    "FORMATS",
    "HELD",
    "Source",
    "guess_format",
    "looks_like_format",
    "notation_of",
    "open_source",
    "read_treebank",
    "require_constituency",
    "write_treebank",
]

FORMATS: dict[str, ModuleType] = NamedTable(
    {module.NAME: module for module in (export, tigerxml, conllu, conllx, functions, discbracket, rr, sampson, ptb)}
)
"""Formats by name, in the order of detection."""


def notation_of(name: str) -> str | Notation:
    """Return how single trees of a format are written.

    Parameters
    ----------
    name : str
        The format.

    Returns
    -------
    str or Notation
        Its ``NOTATION``; without one, the notation of the same name.
    """
    notation: str | Notation = getattr(FORMATS.get(name), "NOTATION", name)
    return notation


HELD: dict[type, str] = {
    Treebank: "constituency trees",
    Dependencies: "dependency trees",
    FunctionTree: "function trees",
}
"""Descriptions of the classes of corpora."""


def guess_format(source: Source, like: str | None = None) -> str:
    """Detect the format of a file of trees.

    Parameters
    ----------
    source : Source
        The input.
    like : str, optional
        The format of the gold file, for a parser's file. It is the format of every file that has an item like it,
        unless the suffix of the file is that of another format.

    Returns
    -------
    str
        A name in :data:`FORMATS`: the first of the format of the suffix and `like` that one of the first items looks
        like; else the format of most of them.

    Raises
    ------
    InputError
        If no format matches.
    """
    if source.format is not None:
        return source.format
    if has_no_items(source.data) and (like is not None or source.data.strip()):
        return like or (sampson if source.data.lstrip().startswith(b"[") else ptb).NAME
    source = replace(source, data=without_line_edges(source.data))
    looks = {name: looks_like_format(module) for name, module in FORMATS.items()}
    preferred = [*formats_of_suffix(source.name, FORMATS), *([like] if like is not None else [])]
    name = detect(first_items(source.data), looks, preferred)
    brackets = getattr(FORMATS.get(name or ""), "BRACKETS", None)
    if name is not None and (brackets is None or not is_mostly_text(source.data, brackets)):
        return name
    if name is not None and name == like and has_phrases(source.data):  # refusals may be longer than trees
        return name
    if not source.data.strip():
        raise InputError(Problem("empty", source.name, 1, None, "an empty file", "at least one tree"))
    if sampson.is_json(source.data):
        expected = "trees in brackets, which HanLP writes with str(document['con'])"
        raise InputError(Problem("format", source.name, 1, 1, "lists in JSON, as of HanLP's trees", expected))
    if columns := described_columns(source.data):
        expected = "the columns of CoNLL-U, or their names in a first line # global.columns = ID FORM …"
        raise InputError(Problem("columns", source.name, 1, None, columns, expected))
    first = source.data.lstrip()[:40].split(b"\n")[0].decode("utf-8", "backslashreplace")
    line = source.data[: len(source.data) - len(source.data.lstrip())].count(b"\n") + 1
    found = f"text in an unknown format: {first!r}"
    n_outside, n_lines, _ = outside_brackets(source.data, "()")
    if b"(" in source.data and n_outside:
        found += f", {n_outside:,} of {n_lines:,} lines outside any bracket"
    expected = " or ".join(module.TITLE for module in FORMATS.values())
    if preferred:
        expected += f"; --format {preferred[0]} reads it as {FORMATS[preferred[0]].TITLE}"
    else:
        expected += "; if it is one of these, name it with --format"
    raise InputError(Problem("format", source.name, line, 1, found, expected))


def looks_like_format(module: ModuleType) -> LooksLike:
    """Return a function that says whether a text begins like a format.

    Parameters
    ----------
    module : module
        The module of the format.

    Returns
    -------
    callable
        A function of the first bytes of a text.
    """
    return lambda data: module.looks_like(Source("", data, ""))


_SCORES = "bracketing scores, tree distance and leaf-ancestor"


def require_constituency(format_name: str, name: str, why: str = _SCORES) -> None:
    """Raise InputError if a format does not hold constituency trees.

    Parameters
    ----------
    format_name : str
        A name in :data:`FORMATS`.
    name : str
        Name of the input, for the error.
    why : str
        What needs constituency trees, for the error.

    Raises
    ------
    InputError
        If the format holds dependencies or function trees.
    """
    module = FORMATS[format_name]
    if module.HOLDS is not Treebank:
        held = "dependencies" if module.HOLDS is Dependencies else HELD.get(module.HOLDS, module.NAME)
        expected = f"constituency trees, as {why} need them"
        raise InputError(Problem("format", name, None, None, f"{held} ({module.TITLE})", expected))


_Input = str | os.PathLike[str] | Source | IO[bytes]
_Constituency = Literal["ptb", "sampson", "discbracket", "export", "tigerxml", "functions", "rr"]


@overload
def read_treebank(
    source: _Input, format: _Constituency, vocabulary: Vocabulary | None = None, encoding: str | None = None
) -> Treebank: ...
@overload
def read_treebank(
    source: _Input,
    format: Literal["conllu", "conllx"],
    vocabulary: Vocabulary | None = None,
    encoding: str | None = None,
) -> Dependencies: ...
@overload
def read_treebank(
    source: _Input, format: str | None = None, vocabulary: Vocabulary | None = None, encoding: str | None = None
) -> Treebank | Dependencies: ...
def read_treebank(
    source: _Input,
    format: str | None = None,  # noqa: A002 - the word users know
    vocabulary: Vocabulary | None = None,
    encoding: str | None = None,
) -> Treebank | Dependencies:
    """Read a treebank or a parser's output.

    Parameters
    ----------
    source : str, path, Source, or binary file
        Accepted by :func:`evaltools.formats.open_source`.
    format : str, optional
        A name in :data:`FORMATS`; by default detected from the content.
    vocabulary : Vocabulary, optional
        Shared by treebanks that will be compared; by default a new one.
    encoding : str, optional
        Encoding of the file, such as ``"latin-1"``; by default UTF-8, UTF-16 with a byte order mark, or what
        XML declares.

    Returns
    -------
    Treebank or Dependencies
        The corpus. Unreadable sentences count as missing; ``problems`` has the position and the reason of
        each.

    Raises
    ------
    InputError
        If the file cannot be opened or has an unknown format.
    ParameterError
        If `format` is unknown.
    """
    opened = open_source(source, encoding=encoding)
    name = format or guess_format(opened)
    if name not in FORMATS:
        raise ParameterError.unknown("format", name, FORMATS)
    text = b"".join(without_edges([opened.data], edges_of(FORMATS[name]), opened.name, opened.log))
    if FORMATS[name].HOLDS is Dependencies and (order := column_order(text)):
        order.note(opened.log, opened.name)
        text = b"".join(order.rewritten([text]))
    treebank: Treebank | Dependencies = FORMATS[name].read(replace(opened, data=text), vocabulary or Vocabulary())
    opened.log.check(len(treebank), opened.name, FORMATS[name].TITLE)
    treebank.problems.extend(opened.log.rest(opened.name))
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
        If `format` is unknown or cannot represent the trees; nothing is written.
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
    item = {Treebank: Tree, FunctionTree: Tree, Dependencies: DependencyTree}.get(module.HOLDS, object)

    def checked() -> Iterator[Tree | DependencyTree | None]:
        for number, tree in enumerate(trees, start=1):
            if tree is not None and not isinstance(tree, item):
                found = "dependencies" if isinstance(tree, DependencyTree) else "a constituency tree"
                raise ParameterError(f"sentence {number}: {module.TITLE} cannot hold {found}")
            yield tree

    data = module.write(checked()).encode("utf-8", "backslashreplace")
    target = Path(path)
    if target.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    elif target.suffix == ".zst":
        data = zstandard_library().ZstdCompressor().compress(data)
    write_file(path, data)
