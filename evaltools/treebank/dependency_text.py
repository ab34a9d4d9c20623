"""One sentence of CoNLL-U or CoNLL-X as text: its rows, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evaltools.errors import excerpt

__all__ = ["COLUMNS", "Fault", "Rows", "find_cycle", "parse_rows", "structure_fault"]

COLUMNS = {
    "conllu": ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    "conllx": ("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"),
}
"""Names of the columns, by notation."""

_HEAD = 6
_WORD_ID = re.compile("[1-9][0-9]{0,8}")
_RANGE_ID = re.compile("([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY_ID = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_HEAD_NUMBER = re.compile("0|[1-9][0-9]{0,17}")


class Fault(NamedTuple):
    """One thing wrong with a sentence.

    Parameters
    ----------
    kind : str
        As in a :class:`~evaltools.errors.Problem`.
    line : int
        The line, counted from the sentence's first, which is 0.
    found, expected : str
        What stands there and what should.
    fatal : bool
        Whether the sentence cannot be used.
    """

    kind: str
    line: int
    found: str
    expected: str
    fatal: bool


@dataclass(slots=True)
class Rows:
    """The parts of one sentence.

    Attributes
    ----------
    comments : list of str
        Lines that begin with ``#``, with it.
    words : list of list of str
        The ten columns of each word.
    heads : list of int
        The words' heads as positions from 0, -1 for the root; empty if they cannot be told.
    lines : list of int
        The words' lines, counted from the sentence's first, which is 0.
    ranges, empty : list of (int, int, list of str)
        For each multiword token the half-open range of words; for each empty node the number of words before it and
        its number there; and the ten columns.
    faults : list of Fault
        What is wrong.
    """

    comments: list[str] = field(default_factory=list)
    words: list[list[str]] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    ranges: list[tuple[int, int, list[str]]] = field(default_factory=list)
    empty: list[tuple[int, int, list[str]]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def usable(self) -> bool:
        """Whether the sentence has words and every one of them a head."""
        return bool(self.words) and not any(fault.fatal for fault in self.faults)


def parse_rows(lines: Sequence[str], notation: str) -> Rows:
    """Read the lines of one sentence.

    Parameters
    ----------
    lines : sequence of str
        The lines without their ends; none of them is blank.
    notation : {"conllu", "conllx"}
        CoNLL-X knows neither multiword tokens nor empty nodes and may have several roots.
    """
    rows = Rows()
    names = COLUMNS[notation]

    def fault(kind: str, found: str, expected: str, *, fatal: bool) -> None:
        rows.faults.append(Fault(kind, number, found, expected, fatal))

    next_id = 1
    n_empty = 0
    ranges: list[tuple[int, int, int, list[str]]] = []
    for number, line in enumerate(lines):
        if line.startswith("#"):
            rows.comments.append(line)
            if rows.words:
                fault("comment", "a comment after the first word", "comments before the words", fatal=False)
            continue
        columns = line.split("\t")
        word_id = columns[0]
        if len(columns) != len(names):
            many = f"{len(columns)} column{'s' if len(columns) != 1 else ''}"
            fault("columns", many, f"{len(names)} columns with tabs between them", fatal=True)
            next_id += word_id == str(next_id)
            continue
        for name, value in zip(names, columns, strict=True):
            if not value:
                fault("empty_column", f"nothing in column {name}", "_ where there is nothing", fatal=False)
        if _WORD_ID.fullmatch(word_id):
            if int(word_id) != next_id:
                kind = "duplicate_id" if int(word_id) < next_id else "ids"
                fault(kind, f"word {word_id}", f"word {next_id}", fatal=True)
            next_id, n_empty = int(word_id) + 1, 0
            rows.words.append(columns)
            rows.lines.append(number)
        elif notation == "conllu" and (match := _RANGE_ID.fullmatch(word_id)):
            first, last = map(int, match.groups())
            if first != next_id or last < first or (ranges and first <= ranges[-1][1]):
                expected = f"a range that begins with the next word, {next_id}, and overlaps no other"
                fault("multiword", f"multiword token {word_id}", expected, fatal=False)
            else:
                ranges.append((first, last, number, columns))
        elif notation == "conllu" and (match := _EMPTY_ID.fullmatch(word_id)):
            before, index = map(int, match.groups())
            if before != next_id - 1 or index != n_empty + 1:
                fault("empty_node", f"empty node {word_id}", f"{next_id - 1}.{n_empty + 1}", fatal=False)
            else:
                rows.empty.append((before, index, columns))
                n_empty += 1
        else:
            shown = excerpt(word_id)
            fault("ids", f"id {shown!r}", f"word {next_id}", fatal=True)
    for first, last, number, columns in ranges:
        if last >= next_id:
            expected = f"a range of the words 1 to {next_id - 1}"
            rows.faults.append(Fault("multiword", number, f"multiword token {columns[0]}", expected, False))
        else:
            rows.ranges.append((first - 1, last, columns))
    if not rows.words and not rows.faults and len(lines) > len(rows.comments):
        number = next(at for at, line in enumerate(lines) if not line.startswith("#"))
        rows.faults.append(Fault("ids", number, "no words", "at least one word", True))
    _read_heads(rows, notation)
    rows.faults.sort(key=lambda one: one.line)
    return rows


def _read_heads(rows: Rows, notation: str) -> None:
    heads = []
    n_words = len(rows.words)
    for columns, number in zip(rows.words, rows.lines, strict=True):
        head = columns[_HEAD]
        expected = f"a number from 0 to {n_words}"
        if not _HEAD_NUMBER.fullmatch(head):
            shown = excerpt(head)
            rows.faults.append(Fault("head", number, f"head {shown!r}", expected, True))
        elif int(head) > n_words:
            rows.faults.append(Fault("head_range", number, f"head {head}", expected, True))
        else:
            heads.append(int(head) - 1)
    if len(heads) < n_words or any(fault.fatal for fault in rows.faults):
        return
    rows.heads = heads
    if heads and (wrong := structure_fault(heads, rows.lines, notation)):
        rows.faults.append(wrong)


def structure_fault(heads: Sequence[int], lines: Sequence[int], notation: str) -> Fault | None:
    """Tell why the arcs of a sentence are no tree: no root, a cycle, or in CoNLL-U several roots.

    Parameters
    ----------
    heads : sequence of int
        Positions from 0, -1 for a root.
    lines : sequence of int
        The words' lines.
    notation : str
        As for :func:`parse_rows`.
    """
    roots = [word for word, head in enumerate(heads) if head < 0]
    if not roots:
        return Fault("no_root", lines[0], "no word whose head is 0", "a root", True)
    cycle = find_cycle(heads)
    if cycle:
        shown = [str(word + 1) for word in cycle]
        shown = [*shown[:8], "…"] if len(shown) > 9 else shown
        found = f"a cycle of heads: {' → '.join([*shown, str(cycle[0] + 1)])}"
        return Fault("cycle", lines[cycle[0]], found, "heads that lead to the root", True)
    if len(roots) > 1 and notation == "conllu":
        shown = [str(word + 1) for word in roots]
        shown = [*shown[:8], "…"] if len(shown) > 9 else shown
        return Fault("two_roots", lines[roots[1]], f"{len(roots)} roots: words {', '.join(shown)}", "one root", False)
    return None


def find_cycle(heads: Sequence[int]) -> list[int]:
    """Return the words of the first cycle, each followed by its head; none if every word leads to a root.

    Parameters
    ----------
    heads : sequence of int
        Positions from 0, -1 for a root.

    Examples
    --------
    >>> find_cycle([-1, 2, 1]), find_cycle([-1, 0])
    ([1, 2], [])
    """
    seen = [0] * len(heads)  # the number of the walk, counted from 1, on which a word was met first
    for start in range(len(heads)):
        word = start
        while word >= 0 and not seen[word]:
            seen[word] = start + 1
            word = heads[word]
        if word >= 0 and seen[word] == start + 1:
            cycle = [word]
            while heads[cycle[-1]] != word:
                cycle.append(heads[cycle[-1]])
            return cycle
    return []
