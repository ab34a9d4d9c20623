"""One sentence of CoNLL-U or CoNLL-X as text: its rows and their faults."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evaltools.text import count_of, excerpt

COLUMNS = {
    "conllu": ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    "conllx": ("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"),
}
"""Names of the columns, by notation."""

_HEAD, _RELATION, _DEPS = 6, 7, 8
NO_HEAD = -2
"""In place of a head: HEAD and DEPREL of the word are ``_``."""

NO_PARSE = "# no parse"
"""The comment in place of a sentence without a parse."""

_SPACES = "".join(map(chr, (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))
"""The characters of the Unicode category Zs."""
_SPACE = re.compile(f"[{_SPACES}]")
_BROKEN_OFF = re.compile(r"[0-9]+\t\s*")
_WORD_ID = re.compile("[1-9][0-9]{0,8}")
_RANGE_ID = re.compile("([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY_ID = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_HEAD_NUMBER = re.compile("0|[1-9][0-9]{0,17}")


class Fault(NamedTuple):
    """A fault of a sentence."""

    kind: str  # As in a Problem
    line: int  # The line, counted from the sentence's first, which is 0
    found: str  # The text found
    expected: str
    fatal: bool  # Whether the sentence cannot be used


@dataclass(slots=True)
class Rows:
    """The parts of one sentence."""

    comments: list[str] = field(default_factory=list)
    words: list[list[str]] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    ranges: list[tuple[int, int, list[str]]] = field(default_factory=list)
    empty: list[tuple[int, int, list[str]]] = field(default_factory=list)
    empty_lines: list[int] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def usable(self) -> bool:
        """Whether the sentence has words and every one of them a head."""
        return bool(self.words) and not any(fault.fatal for fault in self.faults)


def parse_rows(lines: Sequence[str], notation: str) -> Rows:
    """Read the lines of one sentence."""
    rows = Rows()
    names = COLUMNS[notation]

    def fault(kind: str, found: str, expected: str, *, fatal: bool) -> None:
        rows.faults.append(Fault(kind, number, found, expected, fatal))

    next_id = 1
    n_empty = 0
    ranges: list[tuple[int, int, int, list[str]]] = []
    has_blank_line = False
    for number, line, is_joined in whole_rows(lines):
        if not line or line.isspace():
            if not has_blank_line:
                fault("blank", "a blank line inside a sentence", "blank lines between sentences only", fatal=False)
            has_blank_line = True
            continue
        if is_joined:
            found = f"word {line.split()[0]} is a line break"
            expected = f"{len(names)} columns in one line"
            if line.count("\t") == len(names) - 1:
                fault("line_break", f"{found}, read as a space", expected, fatal=False)
            else:
                fault("line_break", found, expected, fatal=True)
                next_id += 1
                continue
        if line.startswith("#"):
            rows.comments.append(line)
            if rows.words:
                fault("comment", "a comment after the first word", "comments before the words", fatal=False)
            continue
        columns = loose_columns(line, len(names))
        word_id = columns[0]
        if len(columns) == len(names) and (line.startswith(" ") or line.count("\t") != len(names) - 1):
            found = f"{{n}} lines of {len(names)} columns with other blanks than one tab between them"
            fault("column_blanks", found, f"{len(names)} columns with tabs between them", fatal=False)
        elif len(columns) != len(names):
            many = count_of(len(columns), "column")
            fault("columns", many, f"{len(names)} columns with tabs between them", fatal=True)
            next_id += word_id == str(next_id)
            continue
        for name, value in zip(names, columns, strict=True):
            if not value:
                fault("empty_column", f"an empty column {name}", "_ for an empty column", fatal=False)
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
                rows.empty_lines.append(number)
                n_empty += 1
        else:
            fault("ids", f"id {excerpt(word_id)!r}", f"word {next_id}", fatal=True)
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
    if notation == "conllu":
        _check_deps(rows)
    rows.faults.sort(key=lambda fault: fault.line)
    return rows


def whole_rows(lines: Sequence[str]) -> list[tuple[int, str, bool]]:
    r"""Return the rows of a sentence: number of the first line, text, whether put together from several lines.

    A row goes over several lines if its form is a line break; the form is given as a space.

    Examples
    --------
    >>> whole_rows(["1\tGo\tgo", "2\t", "\t", "\tSPACE\t"])
    [(0, '1\tGo\tgo', False), (1, '2\t \t_\tSPACE\t_', True)]
    """
    rows: list[tuple[int, str, bool]] = []
    number = 0
    while number < len(lines):
        row, end = lines[number], number + 1
        while end < len(lines) and (not lines[end] or lines[end][0].isspace()) and _BROKEN_OFF.fullmatch(row):
            row += "\n" + lines[end]
            end += 1
        is_joined = end > number + 1
        if is_joined:
            columns = [column.strip() or "_" for column in row.split("\t")]
            row = "\t".join([columns[0], " ", *columns[2:]])
        rows.append((number, row, is_joined))
        number = end
    return rows


def loose_columns(line: str, n: int) -> list[str]:
    r"""Return the columns of a line; without empty ones and blanks around it if there are `n` only then.

    Examples
    --------
    >>> loose_columns("1\tGo\t", 2), loose_columns(" 1  Go", 2), loose_columns("1\tGo home", 2)
    (['1', 'Go'], ['1', 'Go'], ['1', 'Go home'])
    """
    columns = line.split("\t")
    if len(columns) == n and not line.startswith(" "):
        return columns
    filled = [column for column in line.strip(" ").split("\t") if column] if "\t" in line else line.split()
    return filled if len(filled) == n else columns


def _read_heads(rows: Rows, notation: str) -> None:
    heads = []
    n_words = len(rows.words)
    for columns, number in zip(rows.words, rows.lines, strict=True):
        written = columns[_HEAD]
        expected = f"a number from 0 to {n_words}"
        if written == columns[_RELATION] == "_":
            heads.append(NO_HEAD)
        elif not _HEAD_NUMBER.fullmatch(written):
            rows.faults.append(Fault("head", number, f"head {excerpt(written)!r}", expected, True))
        elif int(written) > n_words:
            rows.faults.append(Fault("head_range", number, f"head {written}", expected, True))
        else:
            heads.append(int(written) - 1)
    if len(heads) < n_words or any(fault.fatal for fault in rows.faults):
        return
    rows.heads = heads
    for head, number in zip(heads, rows.lines, strict=True):
        if head >= 0 and heads[head] == NO_HEAD:
            found, expected = f"head {head + 1}, a word without a head", "a word that has a head"
            rows.faults.append(Fault("head", number, found, expected, True))
    if rows.usable and (structure := structure_fault(heads, rows.lines, notation)):
        rows.faults.append(structure)
    if rows.usable:
        found = "{n} words whose HEAD and DEPREL are _"
        expected = "a head; where the gold file has none, the word counts in no figure over heads"
        without = (number for head, number in zip(heads, rows.lines, strict=True) if head == NO_HEAD)
        rows.faults += [Fault("no_head", number, found, expected, False) for number in without]


def _check_deps(rows: Rows) -> None:
    """List the lines whose column DEPS has an entry that cannot be read."""
    empty = {f"{after}.{index}" for after, index, _ in rows.empty}
    words = zip((columns[_DEPS] for columns in rows.words), rows.lines, strict=True)
    nodes = zip((columns[_DEPS] for _, _, columns in rows.empty), rows.empty_lines, strict=True)
    for deps, number in (*words, *nodes):
        edge = unreadable_edge(deps, len(rows.words), empty) if deps else None
        if edge is not None:
            expected = "_, or the number of a head in the sentence, a colon and a relation"
            rows.faults.append(Fault("deps", number, f"{excerpt(edge)!r} in DEPS, which is no edge", expected, False))


def unreadable_edge(deps: str, n_words: int, empty: Container[str]) -> str | None:
    """Return the first part of a column DEPS that is no edge from a node of its sentence; None if there is none.

    Examples
    --------
    >>> unreadable_edge("0:root|1.1:nsubj", 2, {"1.1"}), unreadable_edge("2:obj|a:b", 2, ())
    (None, 'a:b')
    >>> unreadable_edge("_", 2, ()), unreadable_edge("3:obj", 2, ())
    (None, '3:obj')
    """
    if deps == "_":
        return None
    for edge in deps.split("|"):
        head, _, relation = edge.partition(":")
        if not relation or not (head in empty or (head.isascii() and head.isdigit() and int(head[:10]) <= n_words)):
            return edge
    return None


def structure_fault(heads: Sequence[int], lines: Sequence[int], notation: str) -> Fault | None:
    """Return why the arcs of a sentence are not a tree: no root, a cycle, or in CoNLL-U several roots.

    One or two words need no head, such as a sentence that is a punctuation mark.
    """
    roots = [word for word, head in enumerate(heads) if head == -1]
    if not roots and (len(heads) > 2 or max(heads) >= 0):
        return Fault("no_root", lines[0], "no word whose head is 0", "a root", True)
    cycle = find_cycle(heads)
    if cycle:
        numbers = [str(word + 1) for word in cycle]
        numbers = [*numbers[:8], "…"] if len(numbers) > 9 else numbers
        found = f"a cycle of heads: {' → '.join([*numbers, str(cycle[0] + 1)])}"
        return Fault("cycle", lines[cycle[0]], found, "heads that lead to the root", True)
    if len(roots) > 1 and notation == "conllu":
        numbers = [str(word + 1) for word in roots]
        numbers = [*numbers[:8], "…"] if len(numbers) > 9 else numbers
        return Fault("two_roots", lines[roots[1]], f"{len(roots)} roots: words {', '.join(numbers)}", "one root", False)
    return None


def find_cycle(heads: Sequence[int]) -> list[int]:
    """Return the words of the first cycle, each followed by its head; none if every word leads to a root.

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


def without_spaces(form: str) -> str:
    """Return a form without its space separators, whose characters make up the text."""
    return form.replace(" ", "") if form.isascii() else _SPACE.sub("", form)


def all_without_spaces(forms: list[str]) -> list[str]:
    """Return forms without their space separators."""
    joined = "".join(forms)
    if not any(space in joined for space in _SPACES):
        return forms
    return [without_spaces(form) for form in forms]
