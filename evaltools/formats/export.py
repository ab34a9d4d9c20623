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
from collections.abc import Iterable, Iterator

from evaltools.corpus import Kind, Tree, Treebank, Vocabulary
from evaltools.corpus.dependency_text import Fault
from evaltools.corpus.sentence_ids import number_in
from evaltools.errors import ParameterError
from evaltools.formats.edges import IN_COLUMNS
from evaltools.formats.format import Format, each_written
from evaltools.formats.node_lists import NONE, Mark, Marks, Row, tree_of, written_words
from evaltools.formats.source import Source
from evaltools.text import count_of, excerpt

_TITLE = "NEGRA export"
_MARK = re.compile(rb"^#(BOS|EOS)(?![^ \t\r\n])[^\n]*(?:\n|\Z)", re.MULTILINE)
_OUTSIDE = re.compile(
    rb"^(?:%%|#(?:FORMAT|EOT)(?![^ \t\r\n]))[^\n]*|^#BOT(?![^ \t\r\n]).*?(?:^#EOT(?![^ \t\r\n])[^\n]*|\Z)",
    re.MULTILINE | re.DOTALL,
)
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


def _marks(data: bytes) -> Iterator[Mark]:
    for mark in _MARK.finditer(data):
        yield Mark(mark.start(), mark.end(), mark[1] == b"BOS", mark[1] == b"EOS")


_SENTENCES = Marks("#BOS", "#EOS", _marks, _OUTSIDE, with_column=False)


def cut(data: bytes, layout: str, max_sentences: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end: after ``#EOS``, or before the next ``#BOS`` where it is left out."""
    whole_lines = data if last else data[: data.rfind(b"\n") + 1]
    return _SENTENCES.cut(whole_lines, layout, max_sentences, last=last)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    version = source.layout or layout(source.data)
    return _SENTENCES.read(source, vocabulary, "export", lambda text: _sentence(text, version))


def _sentence(text: str, version: str) -> tuple[Tree, list[Fault]]:
    """Read the lines from ``#BOS`` to ``#EOS``."""
    first, *lines, last = text.removesuffix("\n").split("\n")
    faults: list[Fault] = []
    rows: list[Row] = []
    parent_numbers: list[int] = []
    row_of: dict[int, int] = {}  # the row of each phrase, by its number in the file

    def fault(line: int, kind: str, found: str, expected: str, *, fatal: bool) -> None:
        faults.append(Fault(kind, line, found, expected, fatal))

    numbers = []
    for at, mark in ((0, first), (len(lines) + 1, last)):
        name, *columns = mark.partition("%%")[0].split()
        numbers.append("".join(columns[:1]))
        if len(columns) > 4 or not all(column.removeprefix("-").isdigit() for column in columns[1:]):
            found = f"text after {name}: {excerpt(' '.join(columns[1:]))!r}"
            fault(at, "text", found, "numbers of editor, date and origin", fatal=False)
    if numbers[0] != numbers[1]:
        fault(len(lines) + 1, "ids", f"#EOS {excerpt(numbers[1])}", f"#EOS {excerpt(numbers[0])}", fatal=False)
    n_columns = _N_COLUMNS[version]
    for at, line in enumerate(lines, start=1):
        columns = _BLANKS.split(line.strip(" \t\r\v\f"))
        if columns == [""] or columns[0] == "%%":
            continue
        comment = next((i for i, column in enumerate(columns) if i >= n_columns and column.startswith("%%")), None)
        columns = columns[:comment]
        if len(columns) < n_columns:
            expected = f"at least {n_columns} (version {version})"
            fault(at, "columns", count_of(len(columns), "column"), expected, fatal=True)
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
            if int(node[1]) in row_of:
                fault(at, "duplicate_id", f"phrase {word} a second time", "each number once", fatal=True)
                continue
            row_of[int(node[1])] = len(rows)
        rows.append(Row(at, word, node is not None, label, function))
        parent_numbers.append(int(parent))
    for row, number in zip(rows, parent_numbers, strict=True):
        if number and number not in row_of:
            fault(row.line, "unknown_node", f"parent {number}", f"a phrase #{number} in the sentence", fatal=True)
    return tree_of(rows, [row_of.get(number, -1) if number else -1 for number in parent_numbers], faults)


def write(trees: Iterable[Tree | None]) -> str:
    """Write trees in version 3, a missing one as a sentence without lines; brackets without words cannot be held.

    Sentences without an id are numbered.
    """
    return "#FORMAT 3\n" + "".join(each_written(trees, _written))


def _written(tree: Tree | None, number: int) -> str:
    name = str(number) if tree is None or tree.sent_id is None else number_in(tree.sent_id) or tree.sent_id
    rows = [(name,), *(_rows(tree) if tree is not None and tree.words else ())]
    for column in (column for row in rows for column in row):
        if _BLANK.search(column):
            raise ParameterError(f"{_TITLE} cannot hold {excerpt(column)!r}: it has white space, or is empty")
    return "\n".join([f"#BOS {name}", *map("\t".join, rows[1:]), f"#EOS {name}\n"])


def _rows(tree: Tree) -> Iterator[tuple[str, ...]]:
    """Yield the columns of the words and phrases."""
    phrases = [node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE]
    number = {node: 500 + index for index, node in enumerate(phrases)} | {-1: 0}
    functions = tree.functions or ("",) * len(tree)
    for word, top, tag in written_words(tree, _TITLE):
        form = tree.labels[word]
        if _ODD_WORD.fullmatch(form) or NODE.fullmatch(form):
            raise ParameterError(f"{_TITLE} cannot hold the word {excerpt(form)!r}, which means something else in it")
        yield form, tag, NONE, functions[top] or NONE, str(number[tree.parents[top]])
    for node in phrases:
        label = tree.labels[node]
        if label == NONE:
            raise ParameterError(f"{_TITLE} cannot hold the label {NONE!r}, which means none in it")
        yield f"#{number[node]}", label or NONE, NONE, functions[node] or NONE, str(number[tree.parents[node]])


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
