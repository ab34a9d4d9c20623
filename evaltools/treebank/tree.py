"""One sentence's tree, small and immutable, for drawing, teaching and tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple

from evaltools.errors import InputError, Problem

__all__ = ["Kind", "Span", "Tree"]


class Kind(IntEnum):
    """What a node is: a phrase (roof node), a preterminal (part-of-speech tag), or a word."""

    PHRASE = 0
    PRETERMINAL = 1
    WORD = 2


class Span(NamedTuple):
    """Half-open range of word positions, ``[start, end)``, counted from 0."""

    start: int
    end: int


_BRACKETS = {"ptb": ("(", ")"), "sampson": ("[", "]")}
_BLANKS = " \t\n\r\v\f"  # what separates tokens, as in the readers of files; a no-break space does not


@dataclass(frozen=True)
class Tree:
    """An ordered labelled tree, or a forest, over the words of one sentence.

    Nodes are numbered in postorder: children before their parent, left before right.

    Parameters
    ----------
    labels : tuple of str
        Label of each node; for a word, its form.
    parents : tuple of int
        Number of each node's parent, -1 for a root.
    starts, ends : tuple of int
        Half-open word span of each node.
    kinds : tuple of Kind
        Phrase, preterminal or word.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    >>> tree.words
    ('dogs', 'bark')
    >>> tree.labels[tree.roots[0]], tree.span(tree.roots[0])
    ('S', Span(start=0, end=2))
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    kinds: tuple[Kind, ...]

    def __len__(self) -> int:
        return len(self.labels)

    def __str__(self) -> str:
        return self.to_string()

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(node)
        return tuple(tuple(nodes) for nodes in children)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Nodes without a parent, left to right."""
        return tuple(node for node, parent in enumerate(self.parents) if parent < 0)

    @cached_property
    def leftmost(self) -> tuple[int, ...]:
        """For each node, its leftmost leaf (itself where it has no children)."""
        leaves: list[int] = []
        for node, children in enumerate(self._children):
            leaves.append(leaves[children[0]] if children else node)
        return tuple(leaves)

    @cached_property
    def word_nodes(self) -> tuple[int, ...]:
        """Node number of each word, in sentence order."""
        return tuple(node for node, kind in enumerate(self.kinds) if kind is Kind.WORD)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Forms of the words, in sentence order."""
        return tuple(self.labels[node] for node in self.word_nodes)

    def children(self, node: int) -> tuple[int, ...]:
        """Return a node's children, left to right.

        Parameters
        ----------
        node : int
            The node's number.
        """
        return self._children[node]

    def span(self, node: int) -> Span:
        """Return a node's word span.

        Parameters
        ----------
        node : int
            The node's number.
        """
        return Span(self.starts[node], self.ends[node])

    def tag(self, word: int) -> str | None:
        """Return the part-of-speech tag of the word at a position, None where it has none.

        Parameters
        ----------
        word : int
            The word's position, from 0.
        """
        parent = self.parents[self.word_nodes[word]]
        return self.labels[parent] if parent >= 0 and self.kinds[parent] is Kind.PRETERMINAL else None

    @cached_property
    def heights(self) -> tuple[int, ...]:
        """Edges from each node down to its deepest leaf."""
        heights: list[int] = []
        for children in self._children:
            heights.append(1 + max(heights[child] for child in children) if children else 0)
        return tuple(heights)

    def height(self, node: int) -> int:
        """Return the number of edges from a node down to its deepest leaf.

        Parameters
        ----------
        node : int
            The node's number.
        """
        return self.heights[node]

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield a node's parent, its parent's parent, and so on up to a root.

        Parameters
        ----------
        node : int
            The node's number.
        """
        while (node := self.parents[node]) >= 0:
            yield node

    def to_string(self, notation: str = "ptb") -> str:
        """Return the tree on one line.

        Parameters
        ----------
        notation : {"ptb", "sampson"}
            Round brackets, or Sampson's square brackets with a space before each ``]``.
        """
        opening, closing = _BRACKETS[notation]
        before_close = " " if notation == "sampson" else ""
        parts: list[str] = []
        for node, label in enumerate(self.labels):
            if self.kinds[node] is Kind.WORD:
                parts.append(label)
                continue
            children = self._children[node]
            inner = " ".join(parts[len(parts) - len(children) :]) if children else ""
            del parts[len(parts) - len(children) :]
            parts.append(f"{opening}{label} {inner}{before_close}{closing}" if inner else f"{opening}{label}{closing}")
        return " ".join(parts)

    @classmethod
    def from_string(cls, text: str, notation: str = "ptb") -> Tree:
        """Read one tree (or a forest) from text.

        Parameters
        ----------
        text : str
            Brackets; white space and line ends between them do not matter.
        notation : {"ptb", "sampson"}
            In ``"ptb"`` a node whose only child is a word is a preterminal;
            in ``"sampson"`` every bracket is a phrase.

        Raises
        ------
        InputError
            If brackets do not balance, or text stands outside them; the problem holds the column.
        """
        return _Builder(text, notation).tree()

    @classmethod
    def from_nested(cls, nested: Sequence[Any], notation: str = "ptb") -> Tree:
        """Build a tree from nested sequences, ``("S", ("NP", "dogs"), ("VP", "bark"))``.

        Parameters
        ----------
        nested : sequence
            The label, then the children: sequences, or strings for words.
        notation : {"ptb", "sampson"}
            As for :meth:`from_string`.
        """
        opening, closing = _BRACKETS[notation]

        parts: list[str] = []
        waiting: list[Any] = [nested]  # a list of its own and no recursion, so depth is no limit
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                parts.append(item)
                continue
            label, *children = item
            parts.append(f"{opening}{label}")
            waiting += [closing, *reversed(children)]
        return cls.from_string(" ".join(parts), notation)


class _Builder:
    """Reads brackets into postorder columns with an explicit stack, so depth is no limit."""

    def __init__(self, text: str, notation: str) -> None:
        if notation not in _BRACKETS:
            raise InputError(Problem("notation", "<text>", None, None, notation, " or ".join(_BRACKETS)))
        self.text = text
        self.notation = notation
        self.opening, self.closing = _BRACKETS[notation]

    def _error(self, at: int, found: str, expected: str) -> InputError:
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return InputError(Problem("unbalanced", "<text>", line, column, found, expected))

    def tree(self) -> Tree:
        labels: list[str] = []
        parents: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        kinds: list[Kind] = []
        stack: list[tuple[str, list[int], int, int]] = []  # label, children, first word, place in the text
        n_words = 0

        def add(label: str, kind: Kind, start: int, children: Sequence[int]) -> None:
            node = len(labels)
            labels.append(label)
            parents.append(-1)
            starts.append(start)
            ends.append(n_words)
            kinds.append(kind)
            for child in children:
                parents[child] = node
            if stack:
                stack[-1][1].append(node)

        text, at = self.text, 0
        while at < len(text):
            char = text[at]
            if char in _BLANKS:
                at += 1
            elif char == self.opening:
                begin = at
                at += 1
                while at < len(text) and text[at] in _BLANKS:  # "( S" is "(S"
                    at += 1
                label, at = self._token(at)
                stack.append((label, [], n_words, begin))
            elif char == self.closing:
                if not stack:
                    raise self._error(at, f"{char!r} without its opening bracket", f"{self.opening!r}")
                label, children, start, _ = stack.pop()
                tag = self.notation == "ptb" and len(children) == 1 and kinds[children[0]] is Kind.WORD
                add(label, Kind.PRETERMINAL if tag else Kind.PHRASE, start, children)
                at += 1
            else:
                if not stack:
                    raise self._error(at, "text outside any bracket", f"{self.opening!r}")
                word, at = self._token(at)
                n_words += 1
                add(word, Kind.WORD, n_words - 1, ())
        if stack:
            raise self._error(stack[-1][3], f"{self.opening!r} that is never closed", f"{self.closing!r}")
        return Tree(tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(kinds))

    def _token(self, at: int) -> tuple[str, int]:
        end = at
        separators = f"{_BLANKS}{self.opening}{self.closing}"
        while end < len(self.text) and self.text[end] not in separators:
            end += 1
        return self.text[at:end], end
