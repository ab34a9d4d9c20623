"""CoNLL-U and CoNLL-X: ten columns a word and an empty line after each sentence; and files in other columns.

CoNLL-U has comments, multiword tokens and empty nodes. Everything is kept: a file is written back as it was, but for
the ends of its lines. A missing parse is a block of comments alone, with ``# sent_id``, ``# text`` or ``# no parse``
among them. The last two columns of CoNLL-X are a projective head and its relation; it has no multiword tokens, empty
nodes or comments, and comments and missing parses are read and written as in CoNLL-U. Metrics look at words only.

Other columns are those a file names (``# global.columns`` of CoNLL-U Plus), those of CoNLL-2009, or ten with blanks
before the first one, tabs too many, or blanks in place of tabs; each line is read in ten columns.

References
----------
https://universaldependencies.org/format.html
https://universaldependencies.org/ext-format.html
Sabine Buchholz and Erwin Marsi (2006). CoNLL-X shared task on multilingual dependency parsing. CoNLL.
Jan Hajič et al. (2009). The CoNLL-2009 shared task: syntactic and semantic dependencies in multiple languages. CoNLL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, DependencyTree, Vocabulary
from evaltools.corpus.columns import concatenate
from evaltools.corpus.dependency_text import COLUMNS, NO_PARSE, loose_columns, parse_rows
from evaltools.errors import Problem
from evaltools.formats.edges import AT_TABS
from evaltools.formats.format import Format, each_written
from evaltools.formats.reader_strings import ReaderStrings
from evaltools.formats.source import ProblemLog, Source

_NAMES = COLUMNS["conllu"]
_OLDER = {"UPOSTAG": "UPOS", "XPOSTAG": "XPOS", "CPOSTAG": "UPOS", "POSTAG": "XPOS"}
_GLOBAL = re.compile(rb"^#\s*global\.columns\s*=([^\r\n]*)", re.MULTILINE)
_HEAD_BYTES = 1 << 18
_HEAD_ROWS = 200
_CONLL09 = 12
"""Columns of CoNLL-2009 up to PDEPREL; FILLPRED, PRED and one column a predicate follow."""


@dataclass(frozen=True, slots=True)
class ColumnOrder:
    """Which columns of a file are the ten of CoNLL-U."""

    indices: tuple[int, ...]  # For each of the ten its index in the file; -1 if the file does not have it
    n: int  # Number of columns of a line
    more: bool = False  # Whether a line may have more
    read_as: str = ""  # What is said of columns that are not named in the file

    @classmethod
    def of_names(cls, names: Sequence[str]) -> ColumnOrder:
        """Return the order of columns with these names."""
        known = [_OLDER.get(name.upper(), name.upper()) for name in names]
        return cls(tuple(known.index(name) if name in known else -1 for name in _NAMES), len(known))

    def row(self, line: str) -> str:
        """Return a line in ten columns; as it is if it has another number of columns than it should."""
        columns = loose_columns(line, self.n)
        if len(columns) < self.n or (len(columns) > self.n and not self.more):
            return line
        return "\t".join([columns[index] if index >= 0 else "_" for index in self.indices])

    def note(self, log: ProblemLog, name: str) -> None:
        """Enter once what is said of the columns of a file."""
        if self.read_as:
            log.count(Problem("column_blanks", name, 1, None, self.read_as, "10 columns with tabs between them"), 1)

    def rewritten(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a file, given part by part, in ten columns."""
        rest = b""
        for block in blocks:
            lines, newline, rest = (rest + block).rpartition(b"\n")
            if newline:
                yield b"".join(self._line(line) + b"\n" for line in lines.split(b"\n"))
        if rest:
            yield self._line(rest)

    def _line(self, line: bytes) -> bytes:
        if line.startswith(b"#") or not line.strip():
            return line
        text = line.rstrip(b"\r").decode("utf-8", "surrogateescape")
        return self.row(text).encode("utf-8", "surrogateescape") + line[len(line.rstrip(b"\r")) :]


def head_rows(data: bytes) -> list[str]:
    """Return the first lines of a text that are no comments."""
    end = data.rfind(b"\n", 0, _HEAD_BYTES) + 1 if len(data) > _HEAD_BYTES else len(data)
    lines = (line for line in BytesIO(data[:end]) if line.strip() and not line.startswith(b"#"))
    return [line.rstrip(b"\r\n").decode("utf-8", "surrogateescape") for line in islice(lines, _HEAD_ROWS)]


def named_columns(data: bytes) -> list[str]:
    """Return the names that a text gives its columns at its beginning; none if ID and FORM are not among them."""
    head = data[:_HEAD_BYTES]
    named = _GLOBAL.search(head) if b"global.columns" in head else None
    names = named[1].decode("utf-8", "surrogateescape").split() if named else []
    return names if {"ID", "FORM"} <= set(names) else []


def column_order(data: bytes) -> ColumnOrder | None:
    r"""Return the order of columns of a file from its beginning; None if it has the ten, or what it has is unknown.

    Examples
    --------
    >>> column_order(b"# global.columns = ID FORM HEAD\n1\tGo\t0\n").row("1\tGo\t0")
    '1\tGo\t_\t_\t_\t_\t0\t_\t_\t_'
    """
    names = named_columns(data)
    if names:
        return None if tuple(names) == _NAMES else ColumnOrder.of_names(names)
    rows = head_rows(data)
    if not rows:
        return None
    columns = [row.split("\t") for row in rows]
    if all(len(row) > _CONLL09 and row[0].isdigit() and row[12] in ("Y", "_") for row in columns):
        return _conll09(columns)
    is_loose = len(columns[0]) != len(_NAMES) or rows[0].startswith(" ")
    if is_loose and len(loose_columns(rows[0], len(_NAMES))) == len(_NAMES):
        read_as = f"{len(_NAMES)} columns with other blanks than one tab between them"
        return ColumnOrder(tuple(range(len(_NAMES))), len(_NAMES), read_as=read_as)
    return None


def _conll09(rows: Sequence[Sequence[str]]) -> ColumnOrder | None:
    """Return where CoNLL-2009 has the ten columns: what was predicted where nothing else is given."""

    def filled(index: int) -> int:
        return index + all(row[index] == "_" != row[index + 1] for row in rows)

    lemma, tag, feats, head, relation = (filled(index) for index in (2, 4, 6, 8, 10))
    if not all(row[head].isdigit() for row in rows):
        return None
    used = [("LEMMA", lemma, 2), ("POS", tag, 4), ("FEAT", feats, 6), ("HEAD", head, 8), ("DEPREL", relation, 10)]
    names = ", ".join(name if index == usual else f"P{name}" for name, index, usual in used)
    read_as = f"{len(rows[0])} columns, read as CoNLL-2009: {names}"
    return ColumnOrder((0, 1, lemma, tag, tag, feats, head, relation, -1, -1), _CONLL09, more=True, read_as=read_as)


def described_columns(data: bytes) -> str:
    """Return the number of columns of a text in a message; empty if it is no table of numbered words."""
    columns = [row.split("\t") for row in head_rows(data)]
    n = len(columns[0]) if columns else 0
    if n < 4 or columns[0][0].split("-")[0].strip() not in ("0", "1") or any(len(row) != n for row in columns):
        return ""
    return f"{n} columns; CoNLL-U has {len(_NAMES)}"


# ---------------------------------------------------------------------------------------- sentences as blocks of lines

_IS_TEXT = np.ones(256, dtype=bool)
_IS_TEXT[list(b" \t\n\r\v\f")] = False

_ROW_NUMBER = re.compile(rb"([0-9]{1,9})(?:-[0-9]+)?[\t ]")
_BROKEN_OFF = re.compile(rb"[0-9]+\t\s*")
_NAMES_A_SENTENCE = re.compile(rb"^#\s*(?:(?:sent_id|text)\s*=|no parse\s*$)", re.MULTILINE)


class Blocks(NamedTuple):
    """The blocks of a text."""

    start: NDArray[np.int64]  # Bounds of each block in bytes; the end includes the line feed
    end: NDArray[np.int64]
    first: NDArray[np.int64]  # Numbers of its first and last line, from 0
    last: NDArray[np.int64]
    is_sentence: NDArray[np.bool_]  # False for a block of comments that names no sentence
    n_lines: int  # Number of lines, including a last one without line feed


def find_blocks(data: bytes) -> Blocks:
    """Find the blocks of a text: lines that are not blank, between those that are.

    A block that goes on with the last row or the numbers of the one before belongs to it.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    starts = np.concatenate(([0], np.flatnonzero(text == ord("\n")) + 1))
    if starts[-1] == len(text):
        starts = starts[:-1]
    if not len(starts):
        none = np.zeros(0, dtype=np.int64)
        return Blocks(none, none, none, none, none.astype(bool), 0)
    ends = np.concatenate((starts[1:], [len(text)]))
    filled = _IS_TEXT[text[starts]]
    for line in np.flatnonzero(~filled & (ends - starts > 1)).tolist():  # those that begin with white space
        filled[line] = bool(data[starts[line] : ends[line]].strip())
    is_row = filled & (text[starts] != ord("#"))
    before = np.concatenate(([False], filled[:-1]))
    after = np.concatenate((filled[1:], [False]))
    first, last = np.flatnonzero(filled & ~before), np.flatnonzero(filled & ~after)
    begins = _begins_with_comment_or_word_1(text, starts[first])
    for block in np.flatnonzero(~begins).tolist():
        row = data[starts[first[block]] : ends[first[block]]]
        begins[block] = not block or not _goes_on(data[starts[last[block - 1]] : ends[last[block - 1]]], row)
    first, last = first[begins], last[np.append(begins[1:], True)[: len(begins)]]
    n_rows = np.concatenate(([0], np.cumsum(is_row)))
    is_sentence = n_rows[last + 1] > n_rows[first]
    start, end = starts[first], ends[last]
    for block in np.flatnonzero(~is_sentence).tolist():
        is_sentence[block] = names_a_sentence(data[start[block] : end[block]])
    return Blocks(start, end, first, last, is_sentence, len(starts))


def _begins_with_comment_or_word_1(text: NDArray[np.uint8], start: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which blocks do, so that they begin a sentence."""
    second = text[np.minimum(start + 1, len(text) - 1)]
    is_word_1 = (text[start] == ord("1")) & ((second == ord("\t")) | (second == ord("-")))
    begins: NDArray[np.bool_] = (text[start] == ord("#")) | is_word_1
    return begins


def _goes_on(before: bytes, row: bytes) -> bool:
    """Return whether a row after blank lines belongs to the sentence whose last row is the one before.

    It has the next number, or is the rest of a row whose form is a line break.
    """
    number, last = _ROW_NUMBER.match(row), _ROW_NUMBER.match(before)
    if number is None:
        return row[:1].isspace() and _BROKEN_OFF.fullmatch(before) is not None
    return last is not None and int(number[1]) == int(last[1]) + 1


def beginning(before: bytes, sentence: bytes) -> bytes:
    r"""Return what is to stand before a sentence so that it is not joined to the text before it.

    Examples
    --------
    >>> beginning(b"1\tGo\n\n", b"1\tHome\n"), beginning(b"1\tGo\n\n", b"2\tHome\n")
    (b'', b'#\n')
    """
    last = before.rstrip(b"\r\n").rpartition(b"\n")[2]
    return b"#\n" if _goes_on(last, sentence.lstrip(b"\r\n").partition(b"\n")[0]) else b""


def names_a_sentence(comments: bytes) -> bool:
    """Return whether a block of comments stands for a sentence."""
    return _NAMES_A_SENTENCE.search(comments) is not None


def layout(data: bytes) -> str:
    """Return the layout of sentences: the only one there is."""
    return "blocks"


def cut(data: bytes, layout: str, max_sentences: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences of a text end; return their number and the end.

    The last block may go on after the text, also behind blank lines.
    """
    if not last:
        data = data[: data.rfind(b"\n") + 1]
    blocks = find_blocks(data)
    is_whole = np.arange(len(blocks.end)) < len(blocks.end) - (not last)
    ends = blocks.end[blocks.is_sentence & is_whole]
    count = min(max_sentences, len(ends))
    if last and count == len(ends):
        return count, len(data)
    return count, int(ends[count - 1]) if count else 0


# ------------------------------------------------------------------------------------------------ from rows to columns

SMALL = 1 << 16
"""Bytes; no kernel is loaded to read less."""
_LINE = 1 << 6  # Bytes of a line, about
_ID = re.compile(rb"[0-9]+(?:[-.][0-9]+)?")
_SENTENCE = re.compile(rb"#\s*sent_id\s*=|# no parse\s*$")
_EDGE = re.compile(rb"[0-9]+(?:\.[0-9]+)?:.")
_UPOS = frozenset(b"ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())


_FIELDS = ("form", "lemma", "tag", "xtag", "feats", "relation", "deps", "token")
_TABLES = {
    **{"form": "words", "token": "words"},
    **dict.fromkeys(("tag", "xtag", "relation"), "labels"),
    **dict.fromkeys(("lemma", "feats", "deps"), "annotations"),
}
_ONCE = ("column_blanks", "no_head")
"""Faults that are said once a file, with their number."""


def read_rows(source: Source, vocabulary: Vocabulary, notation: str) -> Dependencies:
    """Read sentences of ten columns: those without faults and empty nodes by a kernel, the others line by line."""
    data, blocks = source.data, find_blocks(source.data)
    chosen = np.flatnonzero(blocks.is_sentence)
    # whether carriage returns before line feeds belong to the ends of lines
    returns = b"\r" in data and (b"\r\n" in data or b"\r" in data[: data.find(b"\n") + 1 or len(data)])
    corpus = replace(
        Dependencies.from_trees([], vocabulary),
        offsets=np.zeros(len(chosen) + 1, dtype=np.int64),
        line=(blocks.first[chosen] + source.first_line).astype(np.int32),
        text_start=blocks.start[chosen],
        text_end=blocks.end[chosen],
        text=data,
        name=source.name,
        format=notation,
        notation=notation,
        digest=source.digest,
        first_sentence=source.first_sentence,
    )
    if len(data) + _LINE * (source.first_line - 1) >= SMALL:  # for the end of a large file the kernel is there
        corpus = _read_faultless(corpus, blocks.n_lines, returns=returns)
    problems: list[Problem] = []
    trees: list[DependencyTree | None] = []
    faulty = np.flatnonzero(corpus.n_words == 0)
    for sentence in faulty.tolist():
        lines = _lines(data, int(corpus.text_start[sentence]), int(corpus.text_end[sentence]), returns=returns)
        rows = parse_rows(lines, notation)
        for fault in rows.faults:
            position = source.name, int(corpus.line[sentence]) + fault.line, None
            number = source.first_sentence + sentence + 1
            problem = Problem(fault.kind, *position, fault.found, fault.expected, number)
            if fault.kind in _ONCE:
                source.log.count(replace(problem, sentence=None), 1)
            else:
                problems.append(problem)
        tree = DependencyTree.from_rows(rows) if rows.usable else None
        trees.append(replace(tree, deps=()) if tree and notation == "conllx" else tree)
    if trees:
        order = np.arange(len(chosen))
        order[faulty] = len(chosen) + np.arange(len(trees))
        corpus = corpus.with_words(concatenate([corpus, Dependencies.from_trees(trees, vocabulary)]).select(order))
    for block in np.flatnonzero(~blocks.is_sentence).tolist():
        line = int(blocks.first[block]) + source.first_line
        expected = "words after them, or # sent_id for a missing parse"
        problems.append(Problem("comment", source.name, line, None, "comments without words", expected))
    problems.sort(key=lambda problem: problem.line or 0)
    return replace(corpus, problems=[*source.problems, *problems])


def _read_faultless(corpus: Dependencies, n_lines: int, *, returns: bool) -> Dependencies:
    """Return sentences with the words that the kernel can read."""
    from evaltools.kernels.readers import read_dependencies

    vocabulary, conllu = corpus.vocabulary, corpus.notation == "conllu"
    text = np.frombuffer(corpus.text, dtype=np.uint8)
    bounds = corpus.text_start, corpus.text_end
    _, begin, end, head, part, offsets = read_dependencies(text, *bounds, conllu, returns, n_lines + 1)
    if not conllu:
        begin[_FIELDS.index("deps")] = end[_FIELDS.index("deps")] = 0
    kinds = np.array([ReaderStrings.KINDS.index(_TABLES[name]) for name in _FIELDS], dtype=np.uint8)
    numbers = ReaderStrings.of(vocabulary).number(text, begin, end, kinds, vocabulary)
    columns: dict[str, Any] = dict(zip(_FIELDS, numbers, strict=True))
    if not conllu:
        columns["deps"] = np.full(len(head), vocabulary.annotations.add("_"), dtype=np.int32)
    return replace(corpus, **columns, head=head, part=part, offsets=offsets)


def _lines(data: bytes, start: int, end: int, *, returns: bool) -> list[str]:
    """Return the lines of a sentence."""
    lines = data[start:end].decode("utf-8", "backslashreplace").removesuffix("\n").split("\n")
    return [line.rstrip("\r") for line in lines] if returns else lines


def guess_notation(data: bytes) -> str | None:
    """Return whether a file looks like CoNLL-U, CoNLL-X, or neither."""
    order = column_order(data)
    if order is not None:
        if order.more:
            return "conllx"
        data = b"".join(order.rewritten([data[: 1 << 18]]))
    lines = data[: 1 << 18].split(b"\n")
    lines = [line.rstrip(b"\r") for line in (lines[:-1] if len(data) > 1 << 18 else lines)]
    lines = [line for line in lines if line.strip()]
    if lines and lines[0].startswith((b"#BOS", b"#BOT", b"#FORMAT")):
        return None
    rows = [line.split(b"\t") for line in lines if not line.startswith(b"#")]
    if not rows:
        return "conllu" if any(_SENTENCE.match(line) for line in lines) else None
    if not any(len(row) == 10 and _ID.fullmatch(row[0]) for row in rows[:20]):
        return None
    word_rows = [row for row in rows if len(row) == 10]
    comments = {line for line in lines if line.startswith(b"#")}
    if comments - {NO_PARSE.encode()} or any(not row[0].isdigit() or _EDGE.match(row[8]) for row in word_rows):
        return "conllu"
    projective_heads = any(row[8].isdigit() and row[9] != b"_" for row in word_rows)
    tags = [row[3] for row in word_rows if row[3] != b"_"]
    n_universal = sum(tag in _UPOS for tag in tags)
    return "conllx" if projective_heads or (tags and 2 * n_universal <= len(tags)) else "conllu"


def write_rows(trees: Iterable[DependencyTree | None], notation: str) -> str:
    """Write sentences, an empty line after each.

    One without words is its comments, with ``# no parse`` unless they name it; a missing one is ``# no parse``.
    """

    def block(tree: DependencyTree | None, _: int) -> str:
        text = "" if tree is None else tree.to_string(notation)
        if not tree and not names_a_sentence(text.encode()):
            text = f"{text}\n{NO_PARSE}".lstrip("\n")
        return f"{text}\n\n"

    return "".join(each_written(trees, block))


def _format(name: str, title: str) -> Format:
    return Format(
        name=name,
        title=title,
        holds=Dependencies,
        looks_like=lambda data: guess_notation(data) == name,
        edges=AT_TABS,
        layout=layout,
        cut=cut,
        read=partial(read_rows, notation=name),
        write=partial(write_rows, notation=name),
        discontinuous=True,
    )


CONLLU = _format("conllu", "CoNLL-U")
CONLLX = _format("conllx", "CoNLL-X")
