"""Bilexical graphs in the columns of the shared tasks on semantic dependency parsing (SDP 2014 and 2015).

A line is a word: number, form, lemma, part of speech, whether it is a top, whether it is a predicate (``+`` or ``-``),
in SDP 2015 its frame, and a column for each predicate of the sentence with the label of the word as its argument, or
``_``. A line ``#number`` before the words names the sentence; the first line of a file may be ``#SDP 2015``.

The words that are tops, predicates or arguments are nodes. The sentence is the forms with single spaces between them,
and a node is anchored to the characters of its form there. A sentence without nodes is a graph, too.

References
----------
Stephan Oepen, Marco Kuhlmann, Yusuke Miyao, Daniel Zeman, Silvie Cinková, Dan Flickinger, Jan Hajič, and Zdeňka
Urešová. 2015. SemEval 2015 Task 18: Broad-coverage semantic dependency parsing. SemEval.
"""

from __future__ import annotations

import re
from itertools import accumulate

from evaltools.corpus import SemanticGraph, SemanticNode
from evaltools.errors import excerpt
from evaltools.formats.semantics.pydelphin import GraphError, Remark, build_graph
from evaltools.formats.semantics.segments import Notation, Segment, SegmentedText

__all__ = ["SDP"]

_FIRST_WORD = r"1\t[^\t\n]+\t[^\t\n]+\t[^\t\n]+\t[+-]\t[+-](?=\t|\n|\Z)"
_START = re.compile(rf"\s*(?:#SDP 20\d\d[ \t]*\n|(?:#[^\t\n]*\n)*{_FIRST_WORD})")
_PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
_MARKS = {"+": True, "-": False}
_FIXED_2014, _FIXED_2015 = 6, 7


def _cut(text: str) -> SegmentedText:
    """Cut a text into sentences, which empty lines separate."""
    result = SegmentedText(text)
    for paragraph in _PARAGRAPH.finditer(text):
        lines = paragraph[0].split("\n")
        n_comments = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
        names = [line[1:].strip() for line in lines[:n_comments] if not line.startswith("#SDP 20")]
        if names or n_comments < len(lines):
            line = result.line(paragraph.start()) + n_comments
            text_of_words = "\n".join(lines[n_comments:])
            result.segments.append(Segment(line, text_of_words, next(filter(None, names), None)))
    return result


def _decode(segment: Segment) -> tuple[SemanticGraph, list[Remark]]:
    rows = [line.split("\t") for line in segment.body.split("\n")]
    marks = [_marks_of(row, number) for number, row in enumerate(rows)]
    predicates = [number for number, (_, is_predicate) in enumerate(marks) if is_predicate]
    n_fixed = len(rows[0]) - len(predicates)
    if n_fixed not in (_FIXED_2014, _FIXED_2015):
        expected = f"{_FIXED_2014 + len(predicates)} or {_FIXED_2015 + len(predicates)}"
        raise GraphError(f"{len(rows[0])} columns, where {len(predicates)} predicates need {expected}")
    links = []
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise GraphError(f"{len(row)} columns, where the first word has {len(rows[0])}", number)
        roles = zip(predicates, row[n_fixed:], strict=True)
        links += [(str(source + 1), role, str(number + 1)) for source, role in roles if role != "_"]
    tops = [str(number + 1) for number, (is_top, _) in enumerate(marks) if is_top]
    named = {*tops, *(name for source, _, target in links for name in (source, target))}
    ends = [*accumulate(len(row[1]) + 1 for row in rows)]
    nodes = [
        SemanticNode(
            str(number),
            row[1] if row[2] == "_" else row[2],
            ((end - 1 - len(row[1]), end - 1),),
            (("pos", row[3]), *([("frame", row[6])] if n_fixed == _FIXED_2015 and row[6] != "_" else [])),
        )
        for number, (row, end) in enumerate(zip(rows, ends, strict=True), start=1)
        if str(number) in named
    ]
    return build_graph(nodes, links, tops, " ".join(row[1] for row in rows), "sdp")


def _marks_of(row: list[str], number: int) -> tuple[bool, bool]:
    """Return whether a word is a top, and whether it is a predicate."""
    if len(row) < _FIXED_2014:
        raise GraphError(f"{len(row)} columns, where a word has at least {_FIXED_2014}", number)
    if row[0] != str(number + 1):
        raise GraphError(f"{excerpt(row[0])!r} as the number of word {number + 1}", number)
    if row[4] not in _MARKS or row[5] not in _MARKS:
        raise GraphError(f"{excerpt(row[4])!r} and {excerpt(row[5])!r}, where a top and a predicate have '+'", number)
    return _MARKS[row[4]], _MARKS[row[5]]


SDP = Notation("sdp", "SDP (bilexical graphs in columns)", _START.match, _cut, _decode, has_lists=False)
