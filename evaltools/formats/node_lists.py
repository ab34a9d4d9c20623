"""What NEGRA export and TIGER-XML share: a sentence stands between two marks, and is a list of words and phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evaltools.corpus import Kind, Tree, Treebank, Vocabulary
from evaltools.corpus.dependency_text import Fault, find_cycle
from evaltools.errors import ParameterError, Problem
from evaltools.formats.format import treebank_of
from evaltools.formats.source import Source
from evaltools.text import excerpt

NONE = "--"
"""In place of a tag, category or function that a node has not."""


class Mark(NamedTuple):
    """Text that begins a sentence, or ends one, or both."""

    start: int  # In bytes
    end: int
    begins: bool  # A sentence that is open ends here
    ends: bool


@dataclass(frozen=True, slots=True)
class Marks:
    """How a format separates sentences."""

    first: str  # How marks are written, for problems
    last: str
    find: Callable[[bytes], Iterable[Mark]]
    outside: re.Pattern[bytes]  # What may stand between sentences
    with_column: bool  # Whether faults of a sentence have a column

    def cut(self, data: bytes, layout: str, max_sentences: int, *, last: bool) -> tuple[int, int]:
        """Find where the first sentences end: behind their last mark, or before the next one that begins a sentence."""
        count = end = 0
        is_open = False
        for mark in self.find(data):
            if mark.begins and is_open:
                count, end = count + 1, mark.start
            if mark.begins and count == max_sentences:
                return count, end
            is_open |= mark.begins
            if is_open and mark.ends:
                count, end, is_open = count + 1, mark.end, False
        return (count + is_open, len(data)) if last else (count, end)

    def read(
        self, source: Source, vocabulary: Vocabulary, format_name: str, parse: Callable[[str], tuple[Tree, list[Fault]]]
    ) -> Treebank:
        """Read the sentences of a text, given how the text of one is read with its marks."""
        data = source.data
        line_ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
        trees: list[Tree] = []
        bounds: list[tuple[int, int]] = []
        problems: list[Problem] = []

        def note(kind: str, at: int, found: str, expected: str, number: int | None, below: int | None = None) -> None:
            """Note a problem at a byte, or some lines below that in a sentence."""
            before = data.rfind(b"\n", 0, at) + 1
            line = source.first_line + int(np.searchsorted(line_ends, at)) + (below or 0)
            column: int | None = 1 if below else at - before + (1 if before else source.first_column)
            if below is not None and not self.with_column and kind != "text":
                column = None
            problems.append(Problem(kind, source.name, line, column, found, expected, number))

        def add(start: int, end: int, *, is_whole: bool) -> None:
            number = source.first_sentence + len(trees) + 1
            tree = Tree((), (), (), (), ())
            if is_whole:
                tree, faults = parse(data[start:end].decode("utf-8", "backslashreplace"))
                for fault in faults:
                    note(fault.kind, start, fault.found, fault.expected, number, fault.line)
            else:
                note("unbalanced", start, f"{self.first} that is never closed", self.last, number)
            trees.append(tree)
            bounds.append((start, end))

        def skip(start: int, end: int) -> None:
            rest = self.outside.sub(lambda match: b" " * len(match[0]), data[start:end])
            if text := rest.strip():
                found = excerpt(text.split(b"\n")[0].strip().decode("utf-8", "backslashreplace"))
                at = start + rest.index(text)
                note("text", at, f"text outside any sentence: {found!r}", self.first, None)

        begin, after = -1, 0
        for mark in [*self.find(data), Mark(len(data), len(data), True, False)]:
            if mark.begins and begin >= 0:
                add(begin, mark.start, is_whole=False)
            elif mark.begins:
                skip(after, mark.start)
            if mark.begins:
                begin = mark.start
            if mark.ends and begin >= 0:  # else it is text outside any sentence
                add(begin, mark.end, is_whole=True)
                begin, after = -1, mark.end
        starts, ends = np.array(bounds, dtype=np.int64).reshape(-1, 2).T
        lines = np.searchsorted(line_ends, starts)
        return treebank_of(source, format_name, trees, lines, starts, ends, problems, vocabulary)


class Row(NamedTuple):
    """A word or a phrase."""

    line: int  # The line, counted from the sentence's first
    name: str  # The form of a word, the number or id of a phrase
    is_phrase: bool
    label: str  # The tag of a word or the category of a phrase, NONE if it has none
    function: str  # NONE if it has none


def tree_of(rows: Sequence[Row], parents: Sequence[int], faults: Sequence[Fault]) -> tuple[Tree, list[Fault]]:
    """Return the tree of words and phrases, each with the index of the one above or -1, and all its faults.

    Words are in the order of the sentence. The tree is missing if the phrases form a cycle, or if a fault is fatal.
    """
    all_faults = [*faults]
    cycle = find_cycle(parents)
    if cycle:
        found = f"phrases that are above each other: {' → '.join(rows[index].name for index in cycle[:8])}"
        all_faults.append(Fault("cycle", rows[cycle[0]].line, found, "phrases that lead to a root", True))
    if any(fault.fatal for fault in all_faults):
        return Tree((), (), (), (), ()), all_faults
    has_words = [not row.is_phrase for row in rows]
    for index, row in enumerate(rows):
        phrase = -1 if row.is_phrase else parents[index]
        while phrase >= 0 and not has_words[phrase]:
            has_words[phrase] = True
            phrase = parents[phrase]
    # label, position in the sentence, kind, function and the row of each node; a word comes after its tag
    nodes: list[tuple[str, int, Kind, str, int]] = []
    top: dict[int, int] = {}  # the topmost node of a row
    n_words = 0
    for index, row in enumerate(rows):
        if not has_words[index]:
            found = f"phrase {row.name} without words"
            all_faults.append(Fault("empty_bracket", row.line, found, "at least one word in it", False))
            continue
        top[index] = len(nodes)
        label = "" if row.label == NONE else row.label
        function = "" if row.function == NONE else row.function
        if row.is_phrase:
            nodes.append((label, -1, Kind.PHRASE, function, index))
            continue
        if row.label != NONE:
            nodes.append((label, -1, Kind.PRETERMINAL, function, index))
            function = ""
        nodes.append((row.name, n_words, Kind.WORD, function, index))
        n_words += 1
    above = [top[row] if node != top[row] else top.get(parents[row], -1) for node, (*_, row) in enumerate(nodes)]
    labels, positions, kinds, functions, _ = zip(*nodes, strict=True) if nodes else ((),) * 5
    return Tree.from_nodes(labels, positions, above, kinds, functions), all_faults


def written_words(tree: Tree, title: str) -> list[tuple[int, int, str]]:
    """Return for each word its node, that of its tag or itself, and its tag; raise ParameterError for one not held."""
    if any(start == end for start, end in zip(tree.starts, tree.ends, strict=True)):
        raise ParameterError(f"{title} cannot hold a bracket without words")
    words = []
    for word in tree.word_nodes:
        above = tree.parents[word]
        if above < 0 or tree.kinds[above] is not Kind.PRETERMINAL:
            words.append((word, word, NONE))
            continue
        tag = tree.labels[above]
        if tag in ("", NONE):
            raise ParameterError(f"{title} cannot hold the tag {tag!r}, which means none in it")
        if tree.functions and tree.functions[word]:
            raise ParameterError(f"{title} cannot hold a function of the word apart from its tag's")
        words.append((word, above, tag))
    return words
