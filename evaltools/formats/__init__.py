"""File formats, of trees and graphs: one table, one :class:`Format` each, which is made in the module of the format."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from evaltools.corpus import Dependencies, DependencyTree, FunctionTree, Tree, Treebank, Vocabulary
from evaltools.corpus.bracket_text import Notation
from evaltools.display import NamedTable
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.files import write_file
from evaltools.formats.brackets import has_phrases, is_mostly_text, outside_brackets
from evaltools.formats.conll import CONLLU, CONLLX, column_order, described_columns
from evaltools.formats.discbracket import DISCBRACKET
from evaltools.formats.edges import without_edges, without_line_edges
from evaltools.formats.export import EXPORT
from evaltools.formats.format import Format, detect, first_items, format_of_suffix, has_no_items
from evaltools.formats.functions import FUNCTIONS
from evaltools.formats.graphs import GraphFormat, SemanticBank, SemanticItem, read_bank
from evaltools.formats.json_formats import DMRSJSON, EDSJSON, MRP, MRSJSON, write_mrp
from evaltools.formats.mrs import DMRX, EDS, MRX, SIMPLEDMRS, SIMPLEMRS, write_eds
from evaltools.formats.penman import PENMAN, write_penman
from evaltools.formats.ptb import PTB
from evaltools.formats.pydelphin import graph_of
from evaltools.formats.rr import RR
from evaltools.formats.sampson import SAMPSON, is_json
from evaltools.formats.sdp import SDP
from evaltools.formats.source import (
    ByteStream,
    FileSource,
    Source,
    is_folder,
    open_bytes,
    open_source,
    without_file_scheme,
    zstandard_library,
)
from evaltools.formats.tigerxml import TIGERXML
from evaltools.formats.tsdb import TSDB, is_profile, profile_digest, read_profile

__all__ = [
    "FORMATS",
    "HELD",
    "Format",
    "SemanticBank",
    "SemanticItem",
    "Source",
    "content_of",
    "detected_format",
    "format_of",
    "graph_of",
    "guess_format",
    "notation_of",
    "open_source",
    "opened",
    "profile_digest",
    "read_semantics",
    "read_treebank",
    "require_constituency",
    "write_eds",
    "write_mrp",
    "write_penman",
    "write_treebank",
]

_GRAPHS = (SIMPLEMRS, SIMPLEDMRS, EDS, MRX, DMRX, MRP, PENMAN, SDP, MRSJSON, EDSJSON, DMRSJSON, TSDB)
_TREES = (EXPORT, TIGERXML, CONLLU, CONLLX, FUNCTIONS, DISCBRACKET, RR, SAMPSON, PTB)
FORMATS: dict[str, Format] = NamedTable({item.name: item for item in (*_GRAPHS, *_TREES)})
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
        Its ``notation``; without one, the notation of the same name.
    """
    return (FORMATS[name].notation if name in FORMATS else None) or name


HELD: dict[type, str] = {
    Treebank: "constituency trees",
    Dependencies: "dependency trees",
    FunctionTree: "function trees",
    SemanticBank: "semantic graphs",
}
"""Descriptions of the classes of corpora."""


def content_of(format_name: str) -> str:
    """Return what files of a format hold, in words.

    Parameters
    ----------
    format_name : str
        A name in :data:`FORMATS`.

    Returns
    -------
    str
        Such as ``dependency trees (CoNLL-U)``.
    """
    item = FORMATS[format_name]
    return f"{HELD.get(item.holds, item.name)} ({item.title})"


def detected_format(source: Source, like: str | None = None) -> str | None:
    """Return the format that a text seems to have.

    Parameters
    ----------
    source : Source
        The input, or its beginning.
    like : str, optional
        The format of the gold file, for a parser's file. It is the format of every file that has an item like it,
        unless the suffix of the file is that of another format, and of an empty file.

    Returns
    -------
    str or None
        A name in :data:`FORMATS`: the first of the format of the suffix and `like` that one of the first items looks
        like; else the format of most of them. None if no item looks like any.

    Examples
    --------
    >>> detected_format(Source("one.eds", b"{e2: e2:_rain_v_1<3:8>{e TENSE pres}[]}", ""))
    'eds'
    """
    if source.format is not None:
        return source.format
    if has_no_items(source.data) and (like is not None or source.data.strip()):
        return like or (SAMPSON if source.data.lstrip().startswith(b"[") else PTB).name
    own = format_of_suffix(source.name, FORMATS.values())
    if own is not None and (named := FORMATS[own].named) is not None and any(map(named, first_items(source.data))):
        return own
    return detect(first_items(source.data), FORMATS, _preferred(source, like))


def opened(source: Any, encoding: str | None = None) -> Any:
    """Return an input opened, to be read once.

    Parameters
    ----------
    source : str, path, binary file, ByteStream, Source or SemanticBank
        The input.
    encoding : str, optional
        Encoding of a file.

    Returns
    -------
    ByteStream, Source, SemanticBank, or path of a folder
        Files are streams; the others are returned as they are.
    """
    if isinstance(source, Source | ByteStream | SemanticBank) or is_folder(source):
        return source
    return open_bytes(source, encoding=encoding)


def format_of(source: Any, name: str | None = None, like: str | None = None) -> str:
    """Return the format of an opened input, which is detected once.

    Parameters
    ----------
    source : ByteStream, Source, SemanticBank, or path of a folder
        The input, as :func:`opened` returns it.
    name : str, optional
        The format, unless the input has its own.
    like : str, optional
        The format of the gold file, for a parser's file.

    Returns
    -------
    str
        A name in :data:`FORMATS`.

    Raises
    ------
    InputError
        If no format matches, or the folder is no profile.
    ParameterError
        If `name` is unknown.
    """
    if name is not None and name not in FORMATS:
        raise ParameterError.unknown("format", name, FORMATS)
    if is_folder(source):
        if not is_profile(Path(without_file_scheme(source))):
            open_bytes(source)  # an error says that it is a folder
        return name or TSDB.name
    if (known := source.format or name) is not None:
        return str(known)
    data = source.data[:_BEGINNING] if isinstance(source, Source) else source.peek(_BEGINNING)
    if len(data) >= _BEGINNING and data.isspace():
        found = f"only white space in the first {_BEGINNING:,} bytes"
        raise InputError(Problem("format", source.name, 1, 1, found, "a tree"))
    guess = guess_format(Source(source.name, data, ""), like)
    if isinstance(source, ByteStream):
        source.format = guess
    return guess


_BEGINNING = 1 << 22


def _preferred(source: Source, like: str | None) -> list[str]:
    """Return the formats of which one item is enough."""
    return [name for name in (format_of_suffix(source.name, FORMATS.values()), like) if name is not None]


def guess_format(source: Source, like: str | None = None) -> str:
    """Return the format of a text, as :func:`detected_format`, or raise an error that says what the text is.

    Parameters
    ----------
    source : Source
        The input.
    like : str, optional
        The format of the gold file, for a parser's file.

    Returns
    -------
    str
        A name in :data:`FORMATS`.

    Raises
    ------
    InputError
        If no format matches, or the text is prose or a table with some brackets in it.
    """
    name = detected_format(source, like)
    data = without_line_edges(source.data)
    if name is not None:
        brackets = FORMATS[name].brackets
        is_known = source.format is not None or has_no_items(data) or not brackets
        if is_known or not is_mostly_text(data, brackets) or (name == like and has_phrases(data)):
            return name  # refusals in the place of trees may be longer than trees
    if not data.strip():
        raise InputError(Problem("empty", source.name, 1, None, "an empty file", "at least one tree"))
    if is_json(data):
        expected = "trees in brackets, which HanLP writes with str(document['con'])"
        raise InputError(Problem("format", source.name, 1, 1, "lists in JSON, as of HanLP's trees", expected))
    if columns := described_columns(data):
        expected = "the columns of CoNLL-U, or their names in a first line # global.columns = ID FORM …"
        raise InputError(Problem("columns", source.name, 1, None, columns, expected))
    first = data.lstrip()[:40].split(b"\n")[0].decode("utf-8", "backslashreplace")
    line = data[: len(data) - len(data.lstrip())].count(b"\n") + 1
    found = f"text in an unknown format: {first!r}"
    n_outside, n_lines, _ = outside_brackets(data, "()")
    if b"(" in data and n_outside:
        found += f", {n_outside:,} of {n_lines:,} lines outside any bracket"
    expected = " or ".join(item.title for item in FORMATS.values() if item.holds is not SemanticBank)
    if preferred := _preferred(source, like):
        expected += f"; --input-format {preferred[0]} reads it as {FORMATS[preferred[0]].title}"
    else:
        expected += "; if it is one of these, name it with --input-format"
    raise InputError(Problem("format", source.name, line, 1, found, expected))


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
        If the format holds dependencies, function trees or graphs.
    """
    if FORMATS[format_name].holds is not Treebank:
        expected = f"constituency trees, as {why} need them"
        raise InputError(Problem("format", name, None, None, content_of(format_name), expected))


def require_trees(format_name: str, name: str) -> None:
    """Raise InputError if a format holds graphs, which are not read part by part."""
    if FORMATS[format_name].holds is SemanticBank:
        raise InputError(Problem("format", name, None, None, content_of(format_name), "trees"))


def require_trees_like(gold_format: str, source: Any, format_name: str | None, parser: str) -> None:
    """Raise InputError if a parser's opened input holds graphs, while the gold file has trees."""
    if FORMATS[format_of(source, format_name, gold_format)].holds is SemanticBank:
        name = str(getattr(source, "name", source))
        expected = f"trees, as in the gold file; --input-format {gold_format} reads the file so"
        raise InputError(Problem("kind", name, None, None, HELD[SemanticBank], expected, parser=parser))


def read_treebank(
    source: FileSource,
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
    require_trees(name, opened.name)
    text = b"".join(without_edges([opened.data], FORMATS[name].edges, opened.name, opened.log))
    if FORMATS[name].holds is Dependencies and (order := column_order(text)):
        order.note(opened.log, opened.name)
        text = b"".join(order.rewritten([text]))
    treebank: Treebank | Dependencies = FORMATS[name].read(replace(opened, data=text), vocabulary or Vocabulary())
    opened.log.check(len(treebank), opened.name, FORMATS[name].title)
    treebank.problems.extend(opened.log.rest(opened.name))
    return treebank


def read_semantics(
    source: FileSource,
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
        A name in :data:`FORMATS`; guessed from the content if not given.
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
    graphs = {name: item for name, item in FORMATS.items() if item.holds is SemanticBank}
    if format is not None and format not in graphs:
        raise ParameterError.unknown("format", format, graphs)
    if results not in ("first", "all"):
        raise ParameterError.unknown("results", results, ("first", "all"))
    first_only = results == "first"
    if is_folder(source):
        name = os.fsencode(source).decode("utf-8", "backslashreplace")
        if format is not None and format != TSDB.name:
            expected = f"a file of {FORMATS[format].title}"
            raise InputError(Problem("file", name, None, None, "a folder", expected))
        folder = Path(without_file_scheme(source))
        return read_profile(folder, name.rstrip("/") or name, _graph_format, first_only=first_only)
    opened = open_source(source, encoding=encoding)
    if format == TSDB.name:
        raise InputError(Problem("format", opened.name, None, None, "a file", "the folder of a profile"))
    name = format or opened.format or detect(first_items(opened.data), graphs, _preferred(opened, None)) or ""
    if not isinstance(form := FORMATS.get(name), GraphFormat):
        found = "text in an unknown format" if opened.data.strip() else "an empty file"
        expected = " or ".join(item.title for item in graphs.values() if item is not TSDB)
        raise InputError(Problem("format", opened.name, 1, None, found, expected))
    return read_bank(opened, form, first_only=first_only)


def _graph_format(text: str, usual: GraphFormat | None) -> GraphFormat | None:
    """Return the format of a graph: the usual one, if it looks like that."""
    graphs = {name: item for name, item in FORMATS.items() if isinstance(item, GraphFormat)}
    preferred = [] if usual is None else [usual.name]
    return graphs.get(detect(first_items(text.encode("utf-8", "backslashreplace")), graphs, preferred) or "")


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
    form = FORMATS[format]
    item = {Treebank: Tree, FunctionTree: Tree, Dependencies: DependencyTree}.get(form.holds, object)

    def checked() -> Iterator[Tree | DependencyTree | None]:
        for number, tree in enumerate(trees, start=1):
            if tree is not None and not isinstance(tree, item):
                found = "dependencies" if isinstance(tree, DependencyTree) else "a constituency tree"
                raise ParameterError(f"sentence {number}: {form.title} cannot hold {found}")
            yield tree

    data = form.write(checked()).encode("utf-8", "backslashreplace")
    target = Path(path)
    if target.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    elif target.suffix == ".zst":
        data = zstandard_library().ZstdCompressor().compress(data)
    write_file(path, data)
