"""Objects in memory in place of files: lists with one object for each sentence, read as a file of them would be.

Libraries are recognized by the members of their objects and are not imported. A new kind of object is an
:class:`ObjectKind` in a module of this package, and one line in :data:`OBJECTS`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from evaltools.formats import guess_format
from evaltools.formats.objects.brackets import NLTK_TREES, TREES
from evaltools.formats.objects.dependencies import DEPENDENCY_TREES, SPACY_DOCS, STANZA_DOCUMENTS, TOKEN_LISTS
from evaltools.formats.objects.graphs import PENMAN_GRAPHS, PYDELPHIN_STRUCTURES, SEMANTIC_GRAPHS
from evaltools.formats.objects.kind import ObjectKind, object_error
from evaltools.formats.objects.strings import read_strings
from evaltools.formats.reading.byte_stream import ByteStream
from evaltools.formats.reading.locations import without_file_scheme
from evaltools.formats.reading.source import Source, open_source, peek_source
from evaltools.formats.semantics import guess_semantic
from evaltools.formats.semantics.bank import SemanticBank

__all__ = ["OBJECTS", "decoded", "read_inputs", "read_objects"]

STRINGS = ObjectKind(
    "str (a tree in brackets, a sentence of CoNLL-U, or a graph, such as an AMR)",
    lambda item: isinstance(item, str),
    lambda items, name: read_strings(items, name, None, None),
)

OBJECTS: tuple[ObjectKind, ...] = (
    STRINGS,
    TREES,
    DEPENDENCY_TREES,
    SEMANTIC_GRAPHS,
    NLTK_TREES,
    TOKEN_LISTS,
    SPACY_DOCS,
    STANZA_DOCUMENTS,
    PYDELPHIN_STRUCTURES,
    PENMAN_GRAPHS,
)
"""The kinds of objects, in the order in which they are tried."""


def read_objects(
    source: Any, name: str, format_name: str | None = None, gold_format: str | None = None
) -> tuple[Any, ObjectKind | None]:
    """Return objects as a source, with their kind; a file is returned as it is, with None.

    `format_name` is the format of strings, if it is known, `gold_format` that of the gold corpus, for a parser's list,
    in which every sentence may be missing.
    """
    if _is_file(source):
        if _is_tree_text(source):
            raise object_error(name, "a tree as text", 'a file, or a list of trees: ["(S …)", …]')
        return source, None
    kind = _kind_of(source)
    if kind is not None:
        return kind.corpus([source] if kind.sentences is None else kind.sentences(source), name), kind
    if not isinstance(source, Iterable) or isinstance(source, bytes | Mapping):
        raise object_error(name, _type_of(source), f"a file, or a list with objects of one type: {_titles()}")
    items = [None if isinstance(item, str) and not item.strip() else item for item in source]
    numbered = [(number, item) for number, item in enumerate(items, start=1) if item is not None]
    if not items or (not numbered and gold_format is None):
        found = f"a list of {len(items)} × None" if items else "an empty list"
        raise object_error(name, found, "at least one sentence")
    first = numbered[0] if numbered else None
    kind = STRINGS if first is None else _kind_of(first[1])
    for number, item in numbered:
        if kind is None:
            raise object_error(name, _type_of(item), f"one of {_titles()}, or None for a missing parse", number)
        if not kind.matches(item):
            expected = f"{kind.title}, as sentence {numbered[0][0]}, or None for a missing parse"
            raise object_error(name, _type_of(item), expected, number)
    assert kind is not None
    if kind is STRINGS:
        return read_strings(items, name, format_name, gold_format), kind
    return kind.corpus(items, name), kind


def read_inputs(
    gold: Any, parsers: Mapping[str, Any], format_name: str | None = None, encoding: str | None = None
) -> tuple[Any, dict[str, Any]]:
    """Return a gold input and those of parsers, with lists of objects, and files in an encoding, as sources."""
    gold, *tests = (decoded(source, encoding) for source in (gold, *parsers.values()))
    parsers = dict(zip(parsers, tests, strict=True))
    source, _ = read_objects(gold, "<gold>", format_name)
    gold_format = format_name
    if gold_format is None and not all(map(_is_file, parsers.values())):
        source, gold_format = _with_format(source)
    return source, {
        name: read_objects(test, f"<{name}>", format_name, gold_format)[0] for name, test in parsers.items()
    }


def decoded(source: Any, encoding: str | None) -> Any:
    """Return a file in an encoding as a source; other inputs as they are."""
    if encoding is None:
        return source
    is_folder = isinstance(source, str | os.PathLike) and os.path.isdir(without_file_scheme(source))
    is_read = isinstance(source, Source | ByteStream | SemanticBank)
    if is_folder or is_read or not _is_file(source) or _is_tree_text(source):
        return source
    return open_source(source, encoding=encoding)


def _with_format(source: Any) -> tuple[Any, str | None]:
    """Return a gold input and its format; a pipe is returned as a stream that can be read on."""
    if isinstance(source, SemanticBank):
        return source, source.format
    source, beginning = peek_source(source)
    if beginning is None:
        return source, guess_semantic(source)
    return source, beginning.format or guess_semantic(beginning) or guess_format(beginning)


def _is_file(source: object) -> bool:
    return isinstance(source, str | os.PathLike | Source | ByteStream | SemanticBank) or hasattr(source, "read")


def _is_tree_text(source: object) -> bool:
    """Return whether a string that should be a path is a tree in brackets."""
    text = source.strip() if isinstance(source, str) else ""
    return text[:1] + text[-1:] in ("()", "[]") and not os.path.exists(text)


def _kind_of(item: object) -> ObjectKind | None:
    return next((kind for kind in OBJECTS if kind.matches(item)), None)


def _type_of(item: object) -> str:
    kind = type(item)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"an object of type {module}{kind.__qualname__}"


def _titles() -> str:
    *titles, last = (kind.title for kind in OBJECTS)
    return f"{', '.join(titles)} or {last}"
