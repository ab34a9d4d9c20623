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
from collections import Counter
from dataclasses import replace
from itertools import accumulate

from evaltools.corpus import SemanticGraph, SemanticNode
from evaltools.formats.graphs import graph_format
from evaltools.formats.pydelphin import GraphError, build_graph
from evaltools.formats.segments import Remark, Segment, SegmentedText
from evaltools.text import excerpt

_FIRST_WORD = r"1\t[^\t\n]+\t[^\t\n]+\t[^\t\n]+\t[+-]\t[+-](?=\t|\n|\Z)"
_START = re.compile(rf"\s*(?:#SDP 20\d\d[ \t]*\n|(?:#[^\t\n]*\n)*{_FIRST_WORD})")
_HEADER = re.compile(r"^#SDP (20\d\d)[ \t]*$", re.MULTILINE)
_MARKS = {"+": True, "-": False}
_FIXED_2014, _FIXED_2015 = 6, 7


def _cut(text: str) -> SegmentedText:
    """Cut a text into sentences: each begins with lines of comments, or else with word 1."""
    result = SegmentedText(text)
    names: list[str] = []
    rows: list[str] = []  # With the blank lines among them
    start = last = 0  # The line of the first word, and of the last one or of the last comment
    n_words = 0

    def add() -> None:
        if names or rows:
            result.segments.append(Segment(start or last, "\n".join(rows).rstrip(), next(filter(None, names), None)))

    for number, written in enumerate(text.split("\n"), start=1):
        line = written.rstrip(" ")
        is_comment = line.startswith("#") and "\t" not in line
        is_blank = not line.strip()
        is_apart = number - last > 1
        is_next = line.partition("\t")[0] == str(n_words + 1)
        if rows and not is_blank and (is_comment or line.startswith("1\t") or (is_apart and not is_next)):
            add()
            names, rows, start, n_words = [], [], 0, 0
        if is_blank:
            rows += [""] if rows else []
            continue
        last = number
        if not is_comment:
            start = start or number
            rows.append(line)
            n_words += 1
        elif not _HEADER.match(line):
            names.append(line[1:].strip())
    add()
    n_fixed = _fixed_columns(result)
    result.segments = [replace(segment, content=n_fixed) for segment in result.segments]
    return result


def _fixed_columns(result: SegmentedText) -> int:
    """Return how many columns come before those of predicates: as the header says, else as in most sentences."""
    if (header := _HEADER.search(result.text)) is not None:
        return _FIXED_2014 if header[1] == "2014" else _FIXED_2015
    counts: Counter[int] = Counter()
    for segment in result.segments:
        rows = [line.split("\t") for line in segment.body.split("\n") if line]
        if len({*map(len, rows)}) == 1 and len(rows[0]) >= _FIXED_2014:
            counts[len(rows[0]) - sum(row[5] == "+" for row in rows)] += 1
    return _FIXED_2014 if counts[_FIXED_2014] > counts[_FIXED_2015] else _FIXED_2015


def _decode(segment: Segment) -> tuple[SemanticGraph, list[Remark]]:
    lines = [(index, line.split("\t")) for index, line in enumerate(segment.body.split("\n")) if line]
    rows = [row for _, row in lines]
    marks = [_marks_of(row, number, index) for number, (index, row) in enumerate(lines, start=1)]
    predicates = [number for number, (_, is_predicate) in enumerate(marks) if is_predicate]
    n_fixed: int = segment.content
    n_columns = n_fixed + len(predicates)
    if len(rows[0]) != n_columns:
        needed = f"{len(predicates)} predicate{' needs' if len(predicates) == 1 else 's need'}"
        year = 2014 if n_fixed == _FIXED_2014 else 2015
        raise GraphError(f"{len(rows[0])} columns, where {needed} {n_columns} in the format of {year}")
    remarks = []
    if len(lines) <= lines[-1][0]:
        gap = next(index for number, (index, _) in enumerate(lines) if index > number) - 1
        remarks.append(Remark("blank_line", "a blank line inside a sentence", "blank lines between sentences", gap))
    links = []
    for number, row in enumerate(rows):
        if len(row) != n_columns:
            raise GraphError(f"{len(row)} columns, where the first word has {n_columns}", lines[number][0])
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
    graph, flaws = build_graph(nodes, links, tops, " ".join(row[1] for row in rows), "sdp")
    return graph, remarks + flaws


def _marks_of(row: list[str], number: int, line: int) -> tuple[bool, bool]:
    """Return whether a word is a top, and whether it is a predicate."""
    if len(row) < _FIXED_2014:
        raise GraphError(f"{len(row)} columns, where a word has at least {_FIXED_2014}", line)
    if row[0] != str(number):
        raise GraphError(f"{excerpt(row[0])!r} as the number of word {number}", line)
    if row[4] not in _MARKS or row[5] not in _MARKS:
        raise GraphError(f"{excerpt(row[4])!r} and {excerpt(row[5])!r}, where a top and a predicate have '+'", line)
    return _MARKS[row[4]], _MARKS[row[5]]


SDP = graph_format("sdp", "SDP (bilexical graphs in columns)", _START.match, _cut, _decode, has_lists=False)
