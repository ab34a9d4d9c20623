"""What a file format is: a name, how its files begin, and the functions of its module; and which one a text has.

The format of a text is decided by preference, such as the format of the gold file or the suffix, and by the first
items. An item may begin after a blank line, and at a line that begins with a bracket or a number sign. Several of them
are compared with every format, so that a line of a log, an empty bracket or one damaged tree decides nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, FunctionTree, Tree, Treebank, Vocabulary, constituency_function_tree
from evaltools.corpus.bracket_text import Notation
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats.edges import OF_LINES, EdgePattern, without_line_edges
from evaltools.formats.source import Source


def _as_a_whole(*_: Any, **__: Any) -> Any:
    raise InputError(Problem("format", "graphs", None, None, "semantic graphs", "trees, which are read part by part"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format.

    Parameters
    ----------
    name : str
        Its name in options and runs.
    title : str
        What people call it.
    holds : type
        The class of corpus: ``Treebank``, ``Dependencies``, ``SemanticBank``, or, for function trees, which are read
        as a ``Treebank``, ``FunctionTree``.
    looks_like : callable
        Whether a text begins like this format.
    edges : pattern
        The spaces that are removed from its texts.
    layout : callable
        How the sentences of a text are separated, by its beginning.
    cut : callable
        Where the first sentences of a text with a layout end: their number, and the position.
    read : callable
        Reads a text of whole sentences.
    write : callable
        Writes sentences, None for a missing one.
    suffixes : tuple of str
        Suffixes of its files, besides its name.
    discontinuous : bool
        Whether phrases may be discontinuous, or arcs cross.
    functions : callable
        How functions are read from its constituency trees, given with ``label_map``: by default from labels such as
        ``NP-SBJ``.
    notation : str, Notation or None
        How single trees are written, if not in the notation of its name.
    named : callable or None
        Whether a text in a file with a suffix of this format begins like it, if `looks_like` asks for more.
    brackets : str
        The brackets without which a text is none of this format; empty for any text.
    """

    name: str
    title: str
    holds: type
    looks_like: Callable[[bytes], object]
    edges: EdgePattern = OF_LINES
    layout: Callable[[bytes], str] = _as_a_whole
    cut: Callable[..., tuple[int, int]] = _as_a_whole
    read: Callable[[Source, Vocabulary], Any] = _as_a_whole
    write: Callable[[Iterable[Any]], str] = _as_a_whole
    suffixes: tuple[str, ...] = ()
    discontinuous: bool = False
    functions: Callable[..., FunctionTree] = constituency_function_tree
    notation: str | Notation | None = None
    named: Callable[[bytes], object] | None = None
    brackets: str = ""

    @property
    def stands_alone(self) -> bool:
        """Whether the text of a sentence is a file of its own, as brackets are; not so a part of an XML file."""
        return bool(self.brackets) or self.holds is Dependencies


def treebank_of(
    source: Source,
    format_name: str,
    trees: list[Tree],
    lines: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    problems: Iterable[Problem],
    vocabulary: Vocabulary,
) -> Treebank:
    """Return what a file in other notations than brackets is read as.

    Parameters
    ----------
    source : Source
        The file.
    format_name : str
        Its format.
    trees : list of Tree
        One for each sentence, without nodes for a missing one.
    lines, starts, ends : ndarray of int64, shape (sentences,)
        The first line of each sentence, from 0, and the bounds of its text in bytes.
    problems : iterable of Problem
        What was found wrong with them.
    vocabulary : Vocabulary
        The vocabulary of the treebank.

    Returns
    -------
    Treebank
        The trees; alone they are written as discbracket.
    """
    return replace(
        Treebank.from_trees(trees, vocabulary),
        line=(lines + source.first_line).astype(np.int32),
        text_start=starts.astype(np.int64),
        text_end=ends.astype(np.int64),
        text=source.data,
        name=source.name,
        format=format_name,
        notation="discbracket",
        digest=source.digest,
        problems=[*source.problems, *problems],
        first_sentence=source.first_sentence,
    )


def each_written(trees: Iterable[Any], write: Callable[[Any, int], str]) -> Iterator[str]:
    """Yield the text of each sentence, given how one is written by its number, from 1; an error names the sentence."""
    for number, tree in enumerate(trees, start=1):
        try:
            yield write(tree, number)
        except ParameterError as error:
            raise ParameterError(f"sentence {number}: {error}") from None


_MAX_STARTS = 50
_MAX_ITEMS = 10
_ITEM_BYTES = 1 << 16
_START = re.compile(rb"(?:\A|\n[ \t\r]*\n)\s*(?=\S)|\n(?=[(\[{<#])")
_COMPRESSED = (".gz", ".zst")


def format_of_suffix(name: str, formats: Iterable[Format]) -> str | None:
    """Return the format that the suffix of a file name determines; None if it determines none.

    Examples
    --------
    >>> from evaltools.formats import FORMATS
    >>> format_of_suffix("gold.dbr.gz", FORMATS.values()), format_of_suffix("gold.txt", FORMATS.values())
    ('discbracket', None)
    """
    path = PurePath(name)
    suffix = (path.with_suffix("") if path.suffix.lower() in _COMPRESSED and path.stem else path).suffix.lower()
    return next((item.name for item in formats if suffix in (f".{item.name}", *item.suffixes)), None)


def has_no_items(data: bytes) -> bool:
    """Return whether a file is nothing but white space and brackets, which stand for missing parses."""
    return not data.strip(b"()[] \t\n\r\v\f")


def first_items(data: bytes) -> Iterator[bytes]:
    r"""Yield the text from each of the first items on.

    Examples
    --------
    >>> list(first_items(b"Parsed\n(S (N a))\n (N b)"))
    [b'Parsed\n(S (N a))\n (N b)', b'(S (N a))\n (N b)']
    """
    data = without_line_edges(data)
    for match in islice(_START.finditer(data), _MAX_STARTS):
        yield data[match.end() : match.end() + _ITEM_BYTES]


def detect(items: Iterable[bytes], formats: Mapping[str, Format], preferred: Iterable[str] = ()) -> str | None:
    """Return the format of a text.

    Parameters
    ----------
    items : iterable of bytes
        The text from each of its first items on.
    formats : mapping of str to Format
        The formats by name, particular ones first.
    preferred : iterable of str
        Formats that need only one item that looks like them, in this order.

    Returns
    -------
    str or None
        The first preferred format that an item looks like; else the first format that more than half of the items look
        like that look like any, or else most of them. None if no item looks like any format.

    Examples
    --------
    >>> from evaltools.formats import FORMATS
    >>> items = [b"Parsed:", b"(S (N a))", b"{e2: e2:_rain_v_1{}[]}", b"(S (N b))"]
    >>> detect(items, FORMATS), detect(items, FORMATS, ["eds"]), detect([b"Parsed:"], FORMATS)
    ('ptb', 'eds', None)
    """
    wanted = [name for name in preferred if name in formats]
    votes: Counter[str] = Counter()
    n_items = 0
    for item in items:
        if wanted and formats[wanted[0]].looks_like(item):
            return wanted[0]
        likes = [name for name, kind in formats.items() if kind.looks_like(item)]
        votes.update(likes)
        n_items += bool(likes)
        if n_items == _MAX_ITEMS:
            break
    chosen = next((name for name in wanted if votes[name]), None)
    chosen = chosen or next((name for name in formats if 2 * votes[name] > n_items), None)
    return chosen or max(votes, key=votes.__getitem__, default=None)
