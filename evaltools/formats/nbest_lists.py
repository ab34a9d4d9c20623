"""Lists of a parser's best analyses of each sentence: tables with tabs, or blocks of trees.

A table has a heading with ``sent_id``, ``rank`` and, in its last column, ``tree`` (brackets) or ``heads_deprels``
(``HEAD:DEPREL`` of each word, separated by blanks). Blocks have one bracketed tree a line and a blank line after each
sentence; a first line with two fields, as the Charniak parser writes it, names the sentence. The parser's own scores,
in a column between or in a line before a tree, are ignored.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import IO, NamedTuple

from evaltools.corpus import Dependencies, Treebank
from evaltools.errors import InputError, Problem
from evaltools.formats.source import Source, open_source
from evaltools.text import excerpt

__all__ = ["NBestItem", "NBestList", "NBestParse", "read_nbest"]

_EXPECTED = (
    "a heading with sent_id, rank and tree or heads_deprels; or bracketed trees, a blank line after each sentence"
)
_BRACKETS, _HEADS = ("tree",), ("heads_deprels", "heads")
_IDS = ("sent_id", "sentence", "id")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|[-+]?(inf|Infinity|nan)")
_HEADING = re.compile(r"\d+\s+(\S+)")


class NBestParse(NamedTuple):
    """One analysis."""

    text: str  # The tree in brackets, or ``HEAD:DEPREL`` of each word
    line: int  # Its line, from 1


@dataclass(slots=True)
class NBestItem:
    """The analyses of one sentence, best first."""

    id: str | None  # What the file calls the sentence
    line: int  # Where its list begins, from 1
    parses: list[NBestParse] = field(default_factory=list)  # In the order of their ranks


@dataclass(slots=True)
class NBestList:
    """The lists of a parser."""

    name: str  # The file's name as the user gave it
    path: str | None  # Where the file is, if it is one
    digest: str  # SHA-256 of the file's bytes as stored
    holds: type[Treebank | Dependencies]  # The class of corpus, as ``HOLDS`` of a format names it
    items: list[NBestItem]  # The sentences in the order of the file
    problems: list[Problem]  # What was found wrong while reading

    @property
    def max_length(self) -> int:
        """Length of the longest list."""
        return max((len(item.parses) for item in self.items), default=0)

    @property
    def has_ids(self) -> bool:
        """Whether every sentence has a name."""
        return bool(self.items) and all(item.id for item in self.items)


def read_nbest(source: str | os.PathLike[str] | Source | IO[bytes]) -> NBestList:
    """Read lists of analyses."""
    opened = open_source(source)
    lines = opened.data.decode("utf-8", "backslashreplace").split("\n")
    heading = lines[0].strip("\r").split("\t")
    table = len(heading) > 2 and heading[0] in _IDS and heading[1] == "rank"
    if table and heading[-1] not in (*_BRACKETS, *_HEADS):
        raise InputError(Problem("nbest", opened.name, 1, None, excerpt(lines[0]), _EXPECTED))
    if not table and not any(line.lstrip().startswith("(") for line in lines):
        raise InputError(Problem("nbest", opened.name, 1, None, excerpt(lines[0]) or "an empty line", _EXPECTED))
    holds = Dependencies if table and heading[-1] in _HEADS else Treebank
    lists = NBestList(opened.name, opened.path, opened.digest, holds, [], list(opened.problems))
    if table:
        _read_table(lines, len(heading), lists)
    else:
        _read_blocks(lines, lists)
    if not lists.max_length:
        raise InputError(Problem("empty", opened.name, None, None, "no analysis", "a list with at least one"))
    return lists


def _read_table(lines: list[str], n_columns: int, lists: NBestList) -> None:
    items: dict[str, NBestItem] = {}
    ranks: dict[str, dict[int, NBestParse]] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        fields = line.rstrip("\r").split("\t")
        name, expected = fields[0], f"{n_columns} columns, as above"
        if len(fields) != n_columns or not name:
            _note_problem(lists, number, f"{len(fields)} columns" if name else "no name", expected)
            continue
        if not fields[1].isdecimal() or len(fields[1]) > 6 or int(fields[1]) < 1:
            _note_problem(lists, number, f"rank {excerpt(fields[1], 20)}", "a rank from 1")
            continue
        items.setdefault(name, NBestItem(name, number))
        parses, rank = ranks.setdefault(name, {}), int(fields[1])
        if rank in parses:
            _note_problem(lists, number, f"rank {rank} of {excerpt(name)} again", "each rank once")
            continue
        parses[rank] = NBestParse(fields[-1].strip(), number)
    for name, item in items.items():
        item.parses = [parse for _, parse in sorted(ranks[name].items())]
    lists.items = list(items.values())


def _read_blocks(lines: list[str], lists: NBestList) -> None:
    item: NBestItem | None = None
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if not line:
            item = None
            continue
        if item is None:
            heading = _HEADING.fullmatch(line)
            item = NBestItem(heading[1] if heading else None, number)
            lists.items.append(item)
            if heading:
                continue
        if line.startswith("("):
            item.parses.append(NBestParse(line, number))
        elif not _NUMBER.fullmatch(line):
            _note_problem(lists, number, excerpt(line), "a bracketed tree, or the score of the next one")


def _note_problem(lists: NBestList, line: int, text: str, expected: str) -> None:
    lists.problems.append(Problem("nbest", lists.name, line, None, text, expected))
