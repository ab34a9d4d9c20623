"""Sentences as strings: trees in brackets, sentences of CoNLL-U, graphs, or whatever a parser printed instead.

The format of a parser's strings is that of the gold corpus, or one of the same kind if they look like it. A string that
cannot be read is a missing parse and a problem, whatever it is, and no other string is affected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from evaltools.corpus import Dependencies, SemanticGraph, Tree
from evaltools.corpus.dependency_text import whole_rows
from evaltools.errors import InputError, Problem
from evaltools.formats import FORMATS, read_treebank, sampson
from evaltools.formats.brackets import LINES
from evaltools.formats.objects.brackets import TREES
from evaltools.formats.objects.graphs import bank_of
from evaltools.formats.objects.kind import object_error, text_source
from evaltools.formats.reading.blocks import NO_PARSE, beginning, find_blocks
from evaltools.formats.reading.detection import detect
from evaltools.formats.reading.lines_between import is_between
from evaltools.formats.reading.source import Source
from evaltools.formats.semantics import SEMANTIC_FORMATS, SemanticBank, all_formats, read_semantics
from evaltools.formats.semantics.pydelphin import Remark
from evaltools.text import excerpt

__all__ = ["read_strings"]

_MAX_COMPARED = 100
_ANY_WORD = re.compile(r"\w")
_EXPECTED = "trees in brackets, sentences of CoNLL-U, or graphs, such as AMRs"


def read_strings(
    items: Sequence[str | None], name: str, format_name: str | None, gold_format: str | None
) -> Source | SemanticBank:
    """Return strings as a corpus: of a format, or of one like that of the gold corpus."""
    texts = [None if item is None else item.strip().replace("\r\n", "\n").replace("\r", "\n") for item in items]
    format_name = format_name or _format_of(texts, gold_format)
    if format_name is None:
        number, text = next((number, text) for number, text in enumerate(texts, start=1) if text)
        raise object_error(name, f"text in an unknown format: {excerpt(text)!r}", _EXPECTED, number)
    if format_name in SEMANTIC_FORMATS:
        read = [None if text is None else _read_graph(text, name, format_name) for text in texts]
        return bank_of(lambda item: (item.graph, item.remarks), lambda _: format_name)(read, name)
    module = FORMATS[format_name]
    if module.HOLDS is Dependencies:
        return _blocks(texts, name, format_name)
    if module.layout(b"") == LINES:
        return _lines(texts, name, format_name)
    return _trees(texts, name, format_name)


def _format_of(texts: Sequence[str | None], gold_format: str | None) -> str | None:
    """Return the format of strings: like that of the gold corpus, unless most of them are of another kind."""
    first = texts[:_MAX_COMPARED]
    items = [text.encode("utf-8", "backslashreplace") for text in first if text and _ANY_WORD.search(text)]
    formats = all_formats()
    format_name = detect(items, formats, [gold_format] if gold_format is not None else [])
    if gold_format is None or format_name is None or _kind(format_name) is _kind(gold_format):
        return format_name or gold_format
    n_alike = sum(bool(formats[format_name](item)) for item in items)
    return format_name if 2 * n_alike > len(first) else gold_format


def _kind(format_name: str) -> type:
    """Return the class of corpus of a format."""
    return SemanticGraph if format_name in SEMANTIC_FORMATS else FORMATS[format_name].HOLDS


def _lines(texts: Sequence[str | None], name: str, format_name: str) -> Source:
    """Return trees in brackets as one text; each is one line."""
    missing = FORMATS[format_name].write([None])
    lines, problems = [], []
    for number, text in enumerate(texts, start=1):
        if text is not None and is_between(text.encode("utf-8", "backslashreplace"), 0):  # a comment in a file
            problems.append(_unreadable(name, number, text, "a tree"))
            text = None
        lines.append(missing if text is None else text.replace("\n", " ") + "\n")
    text = "".join(lines)
    is_square = format_name == sampson.NAME
    layout = sampson.layout_of_lines(text.encode("utf-8", "backslashreplace")) if is_square else LINES
    return text_source(text, name, format_name, layout=layout, problems=problems)


def _blocks(texts: Sequence[str | None], name: str, format_name: str) -> Source:
    """Return sentences of CoNLL as one text; each is one block."""
    blocks: list[str] = []
    problems = []
    for number, text in enumerate(texts, start=1):
        rows = [] if text is None else whole_rows(text.split("\n"))
        block = NO_PARSE if text is None else "\n".join(row for _, row, _ in rows if row and not row.isspace())
        encoded = block.encode("utf-8", "backslashreplace")
        if not find_blocks(encoded).is_sentence.all():  # nothing but comments
            problems.append(_unreadable(name, number, block, "words"))
            block = NO_PARSE
        if blocks and beginning(blocks[-1].encode("utf-8", "backslashreplace"), encoded):
            block = f"#\n{block}"
        blocks.append(f"{block}\n\n")
    return text_source("".join(blocks), name, format_name, problems=problems)


def _trees(texts: Sequence[str | None], name: str, format_name: str) -> Source:
    """Return trees of a format that has more than brackets, each read separately, in a format that holds all."""
    trees: list[Tree | None] = []
    problems = []
    for number, text in enumerate(texts, start=1):
        trees.append(None)
        if text is None:
            continue
        treebank = read_treebank(Source(name, text.encode("utf-8", "backslashreplace"), ""), format_name)
        if len(treebank) == 1 and treebank.n_filled and not treebank.problems:
            tree = treebank.tree(0)
            assert isinstance(tree, Tree)
            trees[-1] = tree
        elif treebank.problems:
            first = treebank.problems[0]
            problems.append(Problem("object", name, None, None, first.found, first.expected, number))
        else:
            problems.append(_unreadable(name, number, text, "one sentence"))
    source = TREES.corpus(trees, name)
    assert isinstance(source, Source)
    source.problems += problems
    return source


def _unreadable(name: str, number: int, text: str, expected: str) -> Problem:
    return Problem("object", name, None, None, excerpt(text), expected, number)


@dataclass(frozen=True)
class _ReadGraph:
    """A string that was read as a graph."""

    identifier: str | None
    graph: SemanticGraph | None
    remarks: list[Remark]
    metadata: dict[str, str] = field(default_factory=dict)


def _read_graph(text: str, name: str, format_name: str) -> _ReadGraph:
    """Read a string with one graph; with another number of graphs, or text beside it, it has none."""
    try:
        bank = read_semantics(Source(name, text.encode("utf-8", "backslashreplace"), ""), format_name)
    except InputError as error:
        return _ReadGraph(None, None, [Remark("object", error.problem.found, error.problem.expected)])
    remarks = [Remark(problem.kind, problem.found, problem.expected) for problem in bank.problems]
    stray = [remark for remark in remarks if remark.kind in ("stray_text", "empty")]
    if len(bank.items) != 1 or stray:
        several = Remark("object", f"{len(bank.items)} graphs", "one graph in each string")
        return _ReadGraph(None, None, stray[:1] or [several])
    item = bank.items[0]
    return _ReadGraph(item.id, item.graph, remarks, dict(item.metadata))
