"""NEGRA's export format, versions 3 and 4: a line for each word and each phrase, with the number of the phrase above.

::

    #BOS 1
    is      VB  --  HD  500
    John    NP  --  SB  0
    rich    JJ  --  PD  500
    #500    VP  --  --  0
    #EOS 1

Columns: word or number, in version 4 the lemma, tag or category, morphology, function (``--`` for none), parent (0 for
none); then secondary edges, and a comment after ``%%``. Phrases may be discontinuous; a node without parent is a root.
A tag ``--`` is none. Words, tags, categories and functions are read; lemmas, morphology and comments stay in the file,
each secondary edge is listed as a problem. Version 3 is written. A missing parse is a sentence without lines.
The number after ``#BOS`` is the id of the sentence; ``s17`` of TIGER-XML is the sentence 17.

References
----------
Thorsten Brants (1997). The NeGra export format for annotated corpora. Universität des Saarlandes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from evaltools.corpus import Kind, Tree, Treebank, Vocabulary
from evaltools.corpus.dependency_text import Fault, find_cycle
from evaltools.corpus.sentence_ids import number_in
from evaltools.errors import ParameterError, Problem
from evaltools.formats.edges import IN_COLUMNS
from evaltools.formats.format import Format, treebank_of
from evaltools.formats.source import Source
from evaltools.text import count_of, excerpt


class Row(NamedTuple):
    """A word or a phrase."""

    line: int  # The line, counted from the sentence's first
    name: str  # The form of a word, the number or id of a phrase
    is_phrase: bool
    label: str  # The tag of a word, the category of a phrase
    function: str
    is_tagged: bool  # Whether a word has a tag


def tree_of(rows: Sequence[Row], parents: Sequence[int], *, usable: bool = True) -> tuple[Tree, list[Fault]]:
    """Return the tree of words and phrases, each with the index of the one above or -1, and what is wrong with it.

    Words are in the order of the sentence. The tree is missing if the phrases form a cycle, or if it is not usable.
    """
    faults: list[Fault] = []
    if cycle := find_cycle(parents):
        names = [rows[index].name for index in cycle[:8]]
        found = f"phrases that are above each other: {' → '.join(names)}"
        faults.append(Fault("cycle", rows[cycle[0]].line, found, "phrases that lead to a root", True))
    if faults or not usable:
        return Tree((), (), (), (), ()), faults
    used = _with_words(rows, parents)
    faults += [
        Fault("empty_bracket", row.line, f"phrase {row.name} without words", "at least one word in it", False)
        for row, is_used in zip(rows, used, strict=True)
        if not is_used
    ]
    return _tree(rows, parents, used), faults


def _with_words(rows: Sequence[Row], parents: Sequence[int]) -> list[bool]:
    """Return for each row whether it is a word or above one."""
    used = [False] * len(rows)
    for index, row in enumerate(rows):
        if not row.is_phrase:
            while index >= 0 and not used[index]:
                used[index] = True
                index = parents[index]
    return used


def _tree(rows: Sequence[Row], parents: Sequence[int], used: Sequence[bool]) -> Tree:
    labels: list[str] = []
    kinds: list[Kind] = []
    functions: list[str] = []
    positions: list[int] = []
    above: list[int] = []
    top = [-1] * len(rows)  # the topmost node of a row

    def add(label: str, kind: Kind, function: str, position: int = -1) -> int:
        labels.append(label)
        kinds.append(kind)
        functions.append(function)
        positions.append(position)
        above.append(-1)
        return len(labels) - 1

    n_words = 0
    for index, row in enumerate(rows):
        if not used[index]:
            continue
        if row.is_phrase:
            top[index] = add(row.label, Kind.PHRASE, row.function)
            continue
        top[index] = add(row.name, Kind.WORD, "" if row.is_tagged else row.function, n_words)
        n_words += 1
        if row.is_tagged:
            tag = add(row.label, Kind.PRETERMINAL, row.function)
            above[top[index]] = tag
            top[index] = tag
    for index, parent in enumerate(parents):
        if used[index] and parent >= 0:
            above[top[index]] = top[parent]
    return Tree.from_nodes(labels, positions, above, kinds, functions)


_TITLE = "NEGRA export"

_MARK = re.compile(rb"^#(BOS|EOS)(?![^ \t\r\n])[^\n]*", re.MULTILINE)
_FORMAT = re.compile(rb"^#FORMAT[ \t]+([0-9]+)", re.MULTILINE)
_BEGINNING = re.compile(rb"(?:[ \t\r]*(?:%%[^\n]*)?\n)*#(?:BOS|BOT|FORMAT)(?![^ \t\r\n])")
_NUMBER = re.compile(rb"[0-9]+")
_COLUMNS = re.compile(rb"[ \t\r]+")
_ODD_WORD = re.compile(r"%%.*|#(?:BOS|EOS|BOT|EOT|FORMAT)", re.DOTALL)
_BLANK = re.compile(r"[ \t\n\r\v\f]|^$")
NODE = re.compile("#([0-9]{3,9})")
"""The number of a phrase."""

_BLANKS = re.compile(r"[ \t\r\v\f]+")
_PARENT = re.compile("0|[0-9]{3,9}")
_N_COLUMNS = {"3": 5, "4": 6}


def looks_like(data: bytes) -> bool:
    """Return whether the file begins with ``#BOS``, ``#BOT`` or ``#FORMAT``, perhaps after comments."""
    return _BEGINNING.match(data.lstrip(b"\n")) is not None


def layout(data: bytes) -> str:
    """Return the version, ``"3"`` or ``"4"``: from ``#FORMAT``, or by the column of the parents' numbers."""
    if value := _FORMAT.search(data):
        return "4" if value[1] == b"4" else "3"
    third = fourth = 0
    for line in data[: 1 << 16].split(b"\n"):
        columns = _COLUMNS.split(line.strip())
        third += len(columns) > 4 and _NUMBER.fullmatch(columns[4]) is not None
        fourth += len(columns) > 5 and _NUMBER.fullmatch(columns[5]) is not None
    return "4" if fourth > third else "3"


def cut(data: bytes, layout: str, max_sentences: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end: after ``#EOS``, or before the next ``#BOS`` where it is left out."""
    marks = (mark for mark in _MARK.finditer(data) if mark.end() < len(data) or last)
    bounds = ((mark.start(), min(mark.end() + 1, len(data)), mark[1] == b"BOS", mark[1] == b"EOS") for mark in marks)
    return cut_at_marks(bounds, len(data), max_sentences, last=last)


def cut_at_marks(
    marks: Iterable[tuple[int, int, bool, bool]], size: int, max_sentences: int, *, last: bool
) -> tuple[int, int]:
    """Find where the first sentences of a text of some size end.

    Marks have their start and end, and whether they begin a sentence, which ends the one before, and whether they end
    one.
    """
    count = end = 0
    is_open = False
    for start, after, begins, closes in marks:
        if begins:
            if count == max_sentences:
                return count, end
            if is_open:
                count, end = count + 1, start
                if count == max_sentences:
                    return count, end
            is_open = True
        if is_open and closes:
            count, end, is_open = count + 1, after, False
    return (count + is_open, size) if last else (count, end)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    version = source.layout or layout(source.data)
    lines = source.data.decode("utf-8", "backslashreplace").split("\n")
    line_start = np.concatenate(([0], np.cumsum([len(line) + 1 for line in source.data.split(b"\n")])))
    trees: list[Tree] = []
    bounds: list[tuple[int, int]] = []
    problems: list[Problem] = []

    def note(kind: str, line: int, found: str, expected: str, *, inside: bool = True) -> None:
        number = source.first_sentence + len(trees) + 1 if inside else None
        column = 1 if kind in ("unbalanced", "text") else None
        problems.append(Problem(kind, source.name, line + source.first_line, column, found, expected, number))

    def finish(end: int) -> None:
        tree, faults = parse_sentence(lines[begin + 1 : end], version)
        for fault in faults:
            note(fault.kind, begin + 1 + fault.line, fault.found, fault.expected)
        trees.append(tree)

    def lose(end: int) -> None:
        note("unbalanced", begin, "#BOS that is never closed", "#EOS")
        trees.append(Tree((), (), (), (), ()))
        bounds.append((begin, end))

    begin = -1
    in_table = stray = False
    for number, line in enumerate(lines):
        name = line.split(None, 1)[0] if line[:1] == "#" else ""
        if name in ("#BOS", "#EOS") and (begin >= 0 or name == "#BOS"):
            extra = line.partition("%%")[0].split()[2:]
            if len(extra) > 3 or not all(column.removeprefix("-").isdigit() for column in extra):
                found = f"text after {name}: {excerpt(' '.join(extra))!r}"
                note("text", number, found, "numbers of editor, date and origin", inside=name == "#EOS")
        if name == "#BOS":
            if begin >= 0:
                lose(number)
            begin, stray = number, False
        elif name == "#EOS" and begin >= 0:
            before, after = (_sentence_number(lines[at]) for at in (begin, number))
            if before != after:
                note("ids", number, f"#EOS {excerpt(after)}", f"#EOS {excerpt(before)}")
            finish(number)
            bounds.append((begin, number + 1))
            begin = -1
        elif begin >= 0:
            continue
        elif name in ("#BOT", "#EOT"):
            in_table = name == "#BOT"
        elif not in_table and line.strip() and name != "#FORMAT" and not line.startswith("%%"):
            if not stray:
                note("text", number, f"text outside any sentence: {excerpt(line.strip())!r}", "#BOS", inside=False)
            stray = True
    if begin >= 0:
        lose(len(lines) - (not lines[-1]))
    first_line, end_line = np.array(bounds, dtype=np.int64).reshape(-1, 2).T
    ends = np.minimum(line_start[end_line], len(source.data))
    return treebank_of(source, "export", trees, first_line, line_start[first_line], ends, problems, vocabulary)


def _sentence_number(line: str) -> str:
    """Return the number of the sentence on a line #BOS or #EOS."""
    columns = line.split()
    return columns[1] if len(columns) > 1 else ""


def write(trees: Iterable[Tree | None]) -> str:
    """Write trees in version 3, a missing one as a sentence without lines; brackets without words cannot be held.

    Sentences without an id are numbered.
    """
    lines = ["#FORMAT 3"]
    for number, tree in enumerate(trees, start=1):
        name = str(number) if tree is None or tree.sent_id is None else number_in(tree.sent_id) or tree.sent_id
        try:
            _check_columns(name)
            rows = _rows(tree) if tree is not None and tree.words else []
        except ParameterError as error:
            raise ParameterError(f"sentence {number}: {error}") from None
        lines += [f"#BOS {name}", *rows, f"#EOS {name}"]
    return "\n".join(lines) + "\n"


def written_words(tree: Tree, title: str) -> list[tuple[int, int, str]]:
    """Return for each word its node, that of its tag or itself, and its tag; raise ParameterError for one not held."""
    if any(start == end for start, end in zip(tree.starts, tree.ends, strict=True)):
        raise ParameterError(f"{title} cannot hold a bracket without words")
    words = []
    for word in tree.word_nodes:
        above = tree.parents[word]
        if above < 0 or tree.kinds[above] is not Kind.PRETERMINAL:
            words.append((word, word, "--"))
            continue
        tag = tree.labels[above]
        if tag in ("", "--"):
            raise ParameterError(f"{title} cannot hold the tag {tag!r}, which means none in it")
        if tree.functions and tree.functions[word]:
            raise ParameterError(f"{title} cannot hold a function of the word apart from its tag's")
        words.append((word, above, tag))
    return words


def _rows(tree: Tree) -> list[str]:
    words = written_words(tree, _TITLE)
    phrases = [node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE]
    number = {node: 500 + index for index, node in enumerate(phrases)} | {-1: 0}
    functions = tree.functions or ("",) * len(tree)
    rows = []
    for word, top, tag in words:
        form = tree.labels[word]
        if _ODD_WORD.fullmatch(form) or NODE.fullmatch(form):
            raise ParameterError(f"{_TITLE} cannot hold the word {excerpt(form)!r}, which means something else in it")
        rows.append((form, tag, "--", functions[top] or "--", str(number[tree.parents[top]])))
    for node in phrases:
        label = tree.labels[node]
        if label == "--":
            raise ParameterError(f"{_TITLE} cannot hold the label '--', which means none in it")
        function = functions[node] or "--"
        rows.append((f"#{number[node]}", label or "--", "--", function, str(number[tree.parents[node]])))
    for row in rows:
        _check_columns(*row)
    return ["\t".join(row) for row in rows]


def _check_columns(*columns: str) -> None:
    for column in columns:
        if _BLANK.search(column):
            raise ParameterError(f"{_TITLE} cannot hold {excerpt(column)!r}: it has white space, or is empty")


def parse_sentence(lines: Sequence[str], version: str) -> tuple[Tree, list[Fault]]:
    """Read the lines between ``#BOS`` and ``#EOS``."""
    n_columns = _N_COLUMNS[version]
    faults: list[Fault] = []
    rows: list[Row] = []
    parent_numbers: list[int] = []
    number_of: dict[int, int] = {}  # a phrase's number in the file, and its place among the rows

    def fault(line: int, kind: str, found: str, expected: str, *, fatal: bool) -> None:
        faults.append(Fault(kind, line, found, expected, fatal))

    for at, line in enumerate(lines):
        columns = _BLANKS.split(line.strip(" \t\r\v\f"))
        if columns == [""] or columns[0] == "%%":
            continue
        comment = next((i for i, column in enumerate(columns) if i >= n_columns and column.startswith("%%")), None)
        columns = columns[:comment]
        if len(columns) < n_columns:
            found = f"{count_of(len(columns), 'column')}"
            fault(at, "columns", found, f"at least {n_columns} (version {version})", fatal=True)
            continue
        word, (label, _, function, parent) = columns[0], columns[n_columns - 4 : n_columns]
        if not _PARENT.fullmatch(parent):
            fault(at, "parent", f"parent {excerpt(parent)!r}", "the number of a phrase, or 0", fatal=True)
            continue
        secondary = columns[n_columns:]
        for name, target in zip(secondary[::2], secondary[1::2], strict=False):
            found = f"a secondary edge {excerpt(name)} to {excerpt(target)}"
            fault(at, "secondary_edge", found, "one parent; the edge is left out", fatal=False)
        if len(secondary) % 2:
            found = f"{n_columns + len(secondary)} columns"
            fault(at, "columns", found, f"{n_columns}, and two for each secondary edge", fatal=False)
        if node := NODE.fullmatch(word):
            if int(node[1]) in number_of:
                fault(at, "duplicate_id", f"phrase {word} a second time", "each number once", fatal=True)
                continue
            number_of[int(node[1])] = len(rows)
        tag, function = ("" if value == "--" else value for value in (label, function))
        rows.append(Row(at, word, node is not None, tag, function, label != "--"))
        parent_numbers.append(int(parent))
    parents = []
    for row, parent_number in zip(rows, parent_numbers, strict=True):
        if parent_number and parent_number not in number_of:
            expected = f"a phrase #{parent_number} in the sentence"
            fault(row.line, "unknown_node", f"parent {parent_number}", expected, fatal=True)
        parents.append(number_of.get(parent_number, -1))
    tree, more = tree_of(rows, parents, usable=not any(item.fatal for item in faults))
    return tree, [*faults, *more]


EXPORT = Format(
    name="export",
    title=_TITLE,
    holds=Treebank,
    looks_like=looks_like,
    edges=IN_COLUMNS,
    layout=layout,
    cut=cut,
    read=read,
    write=write,
    suffixes=(".negra",),
    discontinuous=True,
)
