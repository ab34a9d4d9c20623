"""What CoNLL-U and CoNLL-X share: columns from rows, detecting them, writing them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, DependencyTree, Vocabulary
from evaltools.corpus.dependency_text import Rows, parse_rows, structure_fault
from evaltools.corpus.enhanced import collapse, parts_of
from evaltools.errors import ParameterError, Problem
from evaltools.formats.reading.blocks import NO_PARSE, find_blocks
from evaltools.formats.reading.source import Source

__all__ = ["guess_notation", "read_rows", "write_rows"]

_FLUSH = 1 << 14
_ID = re.compile(rb"[0-9]+(?:[-.][0-9]+)?")
_NAMES_A_SENTENCE = re.compile(rb"#\s*sent_id\s*=|# no parse\s*$")
_UPOS = frozenset(b"ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X _".split())


class _Words:
    """Columns of words while they are collected; strings get their numbers some thousand at a time."""

    _FIELDS: ClassVar = {"form": 1, "lemma": 2, "tag": 3, "xtag": 4, "feats": 5, "relation": 7}

    def __init__(self, vocabulary: Vocabulary, notation: str) -> None:
        self.heads: list[int] = []
        self.parts: list[int] = []
        self._has_deps = notation == "conllu"
        words, labels, annotations = vocabulary.words, vocabulary.labels, vocabulary.annotations
        self._tables = {
            **{"form": words, "token": words},
            **dict.fromkeys(("tag", "xtag", "relation"), labels),
            **dict.fromkeys(("lemma", "feats", "deps"), annotations),
        }
        self._strings: dict[str, list[str]] = {name: [] for name in self._tables}
        self._numbers: dict[str, list[NDArray[np.int32]]] = {name: [np.zeros(0, np.int32)] for name in self._tables}

    def add(self, rows: list[list[str]], heads: list[int]) -> None:
        """Append a sentence without multiword tokens and empty nodes."""
        self._add(rows, heads, [row[8] for row in rows])
        self._strings["token"] += [row[1] for row in rows]
        self.parts += [0] * len(rows)

    def add_parsed(self, rows: Rows) -> None:
        """Append a sentence."""
        empty = {f"{after}.{index}": columns[8] for after, index, columns in rows.empty}
        self._add(rows.words, rows.heads, collapse([row[8] for row in rows.words], empty))
        tokens = [(first, end, columns[1]) for first, end, columns in rows.ranges]
        for form, part in parts_of([row[1] for row in rows.words], tokens):
            self._strings["token"].append(form)
            self.parts.append(part)

    def _add(self, rows: list[list[str]], heads: list[int], deps: list[str]) -> None:
        for name, index in self._FIELDS.items():
            self._strings[name] += [row[index] for row in rows]
        self._strings["deps"] += deps if self._has_deps else ["_"] * len(rows)
        self.heads += heads
        if len(self._strings["form"]) >= _FLUSH:
            self._flush()

    def _flush(self) -> None:
        for name, strings in self._strings.items():
            self._numbers[name].append(self._tables[name].add_all(strings))
            strings.clear()

    def columns(self, keep: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the columns of the words to keep."""
        self._flush()
        columns: dict[str, Any] = {name: np.concatenate(numbers)[keep] for name, numbers in self._numbers.items()}
        head, part = np.array(self.heads, dtype=np.int32), np.array(self.parts, dtype=np.uint8)
        return columns | {"head": head[keep], "part": part[keep]}


def read_rows(source: Source, vocabulary: Vocabulary, notation: str) -> Dependencies:
    """Read sentences of ten columns."""
    blocks = find_blocks(source.data)
    lines = source.data.decode("utf-8", "backslashreplace").split("\n")
    if "\r" in lines[0] or b"\r\n" in source.data:
        lines = [line.rstrip("\r") for line in lines]
    problems: list[Problem] = []
    words = _Words(vocabulary, notation)
    sizes: list[int] = []
    first_words: list[int] = []  # the line of the first word, where the rows were plain; else -1
    ids: list[str] = []
    indices: dict[str, int] = {}
    chosen = np.flatnonzero(blocks.is_sentence)

    def note(kind: str, line: int, found: str, expected: str, sentence: int | None) -> None:
        number = None if sentence is None else source.first_sentence + sentence + 1
        problems.append(Problem(kind, source.name, line + source.first_line, None, found, expected, number))

    for sentence, (first, last) in enumerate(
        zip(blocks.first[chosen].tolist(), blocks.last[chosen].tolist(), strict=True)
    ):
        begin = first
        while begin <= last and lines[begin].startswith("#"):
            begin += 1
        rows = [line.split("\t") for line in lines[begin : last + 1]]
        n_rows = len(rows)
        for number in range(len(ids) + 1, n_rows + 1):
            ids.append(str(number))
            indices[str(number - 1)] = number - 2
        heads = [indices.get(row[6], n_rows) if len(row) == 10 and all(row) else n_rows for row in rows]
        if [row[0] for row in rows] == ids[:n_rows] and max(heads, default=0) < n_rows - (heads == []):
            words.add(rows, heads)
            sizes.append(n_rows)
            first_words.append(begin)
            continue
        parsed = parse_rows(lines[first : last + 1], notation)
        for fault in parsed.faults:
            note(fault.kind, first + fault.line, fault.found, fault.expected, sentence)
        if parsed.usable:
            words.add_parsed(parsed)
        sizes.append(len(parsed.words) if parsed.usable else 0)
        first_words.append(-1)
    head = np.array(words.heads, dtype=np.int32)
    offsets = np.array([0, *accumulate(sizes)], dtype=np.int64)
    keep = np.ones(len(head), dtype=bool)
    for sentence in _suspicious(head, offsets).tolist():
        if first_words[sentence] < 0:  # seen already
            continue
        these = slice(int(offsets[sentence]), int(offsets[sentence + 1]))
        begin = first_words[sentence]
        wrong = structure_fault(head[these].tolist(), range(begin, begin + sizes[sentence]), notation)
        if wrong is not None:
            note(wrong.kind, wrong.line, wrong.found, wrong.expected, sentence)
            keep[these] = not wrong.fatal
    for block in np.flatnonzero(~blocks.is_sentence).tolist():
        expected = "words after them, or # sent_id for a missing parse"
        note("comment", int(blocks.first[block]), "comments without words", expected, None)
    kept = np.concatenate(([0], np.cumsum(keep)))
    return Dependencies(
        vocabulary=vocabulary,
        **words.columns(keep),
        offsets=kept[offsets].astype(np.int64),
        line=(blocks.first[chosen] + source.first_line).astype(np.int32),
        text_start=blocks.start[chosen],
        text_end=blocks.end[chosen],
        text=source.data,
        name=source.name,
        format=notation,
        notation=notation,
        digest=source.digest,
        problems=[*source.problems, *sorted(problems, key=lambda problem: problem.line or 0)],
        first_sentence=source.first_sentence,
    )


def _suspicious(head: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find the sentences that have words and not exactly one root, or a cycle."""
    sizes = np.diff(offsets)
    n_words = len(head)
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    roots = np.bincount(sentence[head < 0], minlength=len(sizes))
    # pointer doubling: after log2(n) steps a word points to the root, which is n_words here, or is below a cycle
    above = np.append(np.where(head < 0, n_words, head + offsets[sentence]), n_words)
    for _ in range(int(sizes.max(initial=0)).bit_length()):
        above = above[above]
    turning = np.bincount(sentence[above[:-1] != n_words], minlength=len(sizes))
    return np.flatnonzero((sizes > 0) & ((roots != 1) | (turning > 0)))


def guess_notation(data: bytes) -> str | None:
    """Return whether a file looks like CoNLL-U, CoNLL-X, or neither."""
    lines = data[: 1 << 18].split(b"\n")
    lines = [line.rstrip(b"\r") for line in (lines[:-1] if len(data) > 1 << 18 else lines)]
    lines = [line for line in lines if line.strip()]
    if lines and lines[0].startswith((b"#BOS", b"#BOT", b"#FORMAT")):
        return None
    rows = [line.split(b"\t") for line in lines if not line.startswith(b"#")]
    if not rows:
        return "conllu" if any(_NAMES_A_SENTENCE.match(line) for line in lines) else None
    if not any(len(row) == 10 and _ID.fullmatch(row[0]) for row in rows[:20]):
        return None
    word_rows = [row for row in rows if len(row) == 10]
    comments = {line for line in lines if line.startswith(b"#")}
    if comments - {NO_PARSE.encode()} or any(not row[0].isdigit() for row in word_rows):
        return "conllu"
    projective_heads = any(row[8].isdigit() and row[9] != b"_" for row in word_rows)
    return "conllx" if projective_heads or any(row[3] not in _UPOS for row in word_rows) else "conllu"


def write_rows(trees: Iterable[DependencyTree | None], notation: str) -> str:
    """Write sentences, an empty line after each; ``# no parse`` for a missing one or one without words."""
    parts = []
    for number, tree in enumerate(trees, start=1):
        try:
            parts.append(tree.to_string(notation) if tree is not None and len(tree) else NO_PARSE)
        except ParameterError as error:
            raise ParameterError(f"sentence {number}: {error}") from None
    return "".join(f"{part}\n\n" for part in parts)
