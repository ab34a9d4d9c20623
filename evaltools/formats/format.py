"""What a file format is: a name, how its files begin, and the functions of its module that read and write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from evaltools.corpus import Vocabulary
from evaltools.corpus.bracket_text import Notation
from evaltools.errors import InputError, Problem
from evaltools.formats.detection import OF_LINES, EdgePattern
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
    discontinuous : bool
        Whether phrases may be discontinuous, or arcs cross.
    notation : str, Notation or None
        How single trees are written, if not in the notation of its name.
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
    discontinuous: bool = False
    notation: str | Notation | None = None
    brackets: str = ""
