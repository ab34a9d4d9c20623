"""One sentence's tree, small and immutable, for drawing, teaching and tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from evaltools.corpus.bracket_text import (
    NOTATIONS,
    Kind,
    Notation,
    is_numbered,
    notation_of,
    read_nodes,
    split_positions,
)
from evaltools.display import NotebookObject
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.text import short_repr


class Span(NamedTuple):
    """Half-open range of word positions, ``[start, end)``, counted from 0.

    Parameters
    ----------
    start : int
        The first word.
    end : int
        The word after the last.
    """

    start: int
    end: int


@dataclass(frozen=True)
class Tree(NotebookObject):
    """An ordered labeled tree, or a forest, over the words of one sentence.

    Nodes are numbered in postorder: children before their parent, left before right. Where phrases are discontinuous,
    siblings are in the order of their first words, the words in the order of the tree, and `positions` has their
    positions in the sentence.

    Parameters
    ----------
    labels : tuple of str
        Label of each node; for a word, its form.
    parents : tuple of int
        Number of each node's parent, -1 for a root.
    starts, ends : tuple of int
        Half-open word span of each node, in the tree's order of the words.
    kinds : tuple of Kind
        Phrase, preterminal or word.
    positions : tuple of int, optional
        For the words in the tree's order, their positions in the sentence, from 0; None where the two orders are the
        same, as they are if all phrases are continuous.
    functions : tuple of str, optional
        Grammatical function of each node, empty where it has none; None where no node has one apart from its label.
    sent_id : str, optional
        Id of the sentence in its file, in formats that have ids; trees that differ in it alone are equal.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    >>> tree.words
    ('dogs', 'bark')
    >>> tree.labels[tree.roots[0]], tree.span(tree.roots[0])
    ('S', Span(start=0, end=2))
    >>> tree = Tree.from_string("(S (VP (V 0=is) (A 2=rich)) (N 1=John))", "discbracket")
    >>> tree.words, tree.is_continuous, sorted(tree.yield_(4))
    (('is', 'John', 'rich'), False, [0, 2])
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    kinds: tuple[Kind, ...]
    positions: tuple[int, ...] | None = None
    functions: tuple[str, ...] | None = None
    sent_id: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.positions is not None and self.positions == tuple(range(len(self.positions))):
            object.__setattr__(self, "positions", None)
        if self.functions is not None and not any(self.functions):
            object.__setattr__(self, "functions", None)

    def __repr__(self) -> str:
        return short_repr(self, f"of {len(self.words)} words: {self}")

    def __len__(self) -> int:
        return len(self.labels)

    def __str__(self) -> str:
        return self.to_string("ptb" if self.is_continuous else "discbracket")

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
        nodes = [node for node, kind in enumerate(self.kinds) if kind is Kind.WORD]
        if self.positions is not None:
            nodes = [node for _, node in sorted(zip(self.positions, nodes, strict=True))]
        return tuple(nodes)

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
        """Return a node's word span, in the tree's order of the words.

        Parameters
        ----------
        node : int
            The node's number.
        """
        return Span(self.starts[node], self.ends[node])

    @property
    def is_continuous(self) -> bool:
        """Whether every node's words are adjacent in the sentence."""
        return self.positions is None

    def yield_(self, node: int) -> frozenset[int]:
        """Return the positions in the sentence of the words below a node.

        Parameters
        ----------
        node : int
            The node's number.
        """
        start, end = self.span(node)
        return frozenset(range(start, end) if self.positions is None else self.positions[start:end])

    def first(self, node: int) -> int:
        """Return the position in the sentence of the first word below a node.

        Parameters
        ----------
        node : int
            The node's number.
        """
        start, end = self.span(node)
        return start if self.positions is None or start == end else min(self.positions[start:end])

    def last(self, node: int) -> int:
        """Return the position in the sentence of the last word below a node.

        Parameters
        ----------
        node : int
            The node's number.
        """
        start, end = self.span(node)
        return end - 1 if self.positions is None or start == end else max(self.positions[start:end])

    def has_gap(self, node: int) -> bool:
        """Return whether the words below a node are not adjacent in the sentence.

        Parameters
        ----------
        node : int
            The node's number.
        """
        return self.positions is not None and bool(words := self.yield_(node)) and max(words) - min(words) >= len(words)

    def words_below(self, node: int) -> tuple[str, ...]:
        """Return the words below a node, in the order of the sentence.

        Parameters
        ----------
        node : int
            The node's number.
        """
        start, end = self.span(node)
        return (
            self.words[start:end]
            if self.positions is None
            else tuple(self.words[at] for at in sorted(self.yield_(node)))
        )

    def tag(self, word: int) -> str | None:
        """Return the part-of-speech tag of the word at a position, None where it has none.

        Parameters
        ----------
        word : int
            The word's position, from 0.
        """
        parent = self.parents[self.word_nodes[word]]
        return self.labels[parent] if parent >= 0 and self.kinds[parent] is Kind.PRETERMINAL else None

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield a node's parent, its parent's parent, and so on up to a root.

        Parameters
        ----------
        node : int
            The node's number.
        """
        while (node := self.parents[node]) >= 0:
            yield node

    def reordered(self, positions: Sequence[int]) -> tuple[Tree, tuple[int, ...]]:
        """Return the tree with its words in another order than that of the sentence.

        Parameters
        ----------
        positions : sequence of int
            The positions of the words in the sentence, in the new order.

        Returns
        -------
        Tree
            The tree, siblings in the order of their first words. A phrase is one span of it if its words are adjacent
            in the new order.
        tuple of int
            For each of its nodes the number of that node in this tree.

        Examples
        --------
        >>> tree, nodes = Tree.from_string("(S (V is) (N John) (A rich))").reordered((0, 2, 1))
        >>> tree.positions, nodes, tree.words
        ((0, 2, 1), (0, 1, 4, 5, 2, 3, 6), ('is', 'John', 'rich'))
        """
        ranks = {position: rank for rank, position in enumerate(positions)}
        new_positions = [-1] * len(self)
        for position, node in enumerate(self.word_nodes):
            new_positions[node] = ranks[position]
        order, parents, starts, ends, words = _arrange(new_positions, self.parents, self.kinds)
        tree = Tree(
            tuple(self.labels[node] for node in order),
            parents,
            starts,
            ends,
            tuple(self.kinds[node] for node in order),
            tuple(positions[rank] for rank in words),
            None if self.functions is None else tuple(self.functions[node] for node in order),
        )
        return tree, tuple(order)

    def to_string(self, notation: str | Notation = "ptb") -> str:
        """Return the tree on one line; functions that are not part of a label are left out.

        Parameters
        ----------
        notation : {"ptb", "sampson", "functions", "discbracket"} or Notation
            Round brackets, Sampson's square brackets with a space before each ``]`` but those of tags, round brackets,
            or round brackets with the position of each word before it, as in ``"functions"`` where the tree is
            discontinuous. Brackets
            and blanks inside labels and words are escaped.

        Raises
        ------
        ParameterError
            If the notation is unknown, or the tree is discontinuous and the notation cannot hold that.
        """
        written = notation_of(notation)
        numbered = written.is_numbered
        if numbered is None:
            numbered = not self.is_continuous or is_numbered(self.words)  # which would else be read as positions
        elif not self.is_continuous and not numbered:
            raise ParameterError(f"{written} cannot hold a discontinuous tree; discbracket and export can")
        opening, closing = written.opening, written.closing
        before_close, escape = written.before_closing, written.escape
        words = iter(range(self.kinds.count(Kind.WORD)) if self.positions is None else self.positions)
        n_children = [0] * (len(self) + 1)  # the last for the roots, whose parent is -1
        for parent in self.parents:
            n_children[parent] += 1
        parts: list[str] = []
        for name, kind, n in zip(self.labels, self.kinds, n_children, strict=False):
            label = name if name.isalnum() else name.translate(escape)  # which is slow
            if kind is Kind.WORD:
                parts.append(f"{next(words)}={label}" if numbered else label)
                continue
            inner = " ".join(parts[len(parts) - n :]) if n else ""
            del parts[len(parts) - n :]
            end = closing if kind is Kind.PRETERMINAL else before_close + closing
            parts.append(f"{opening}{label} {inner}{end}" if inner else f"{opening}{label}{closing}")
        return " ".join(parts)

    @classmethod
    def from_string(cls, text: str, notation: str | Notation = "ptb") -> Tree:
        """Read one tree (or a forest) from text.

        Parameters
        ----------
        text : str
            Brackets; white space and line ends between them do not matter.
        notation : {"ptb", "sampson", "functions", "discbracket"} or Notation
            In ``"ptb"`` and ``"discbracket"`` a node whose only child is a word is a preterminal;
            in ``"sampson"`` and ``"functions"`` every bracket is a phrase.

        Returns
        -------
        Tree
            The tree.

        Raises
        ------
        InputError
            If brackets do not balance, text is outside them, or, in ``"discbracket"`` and in ``"functions"`` where
            all words have positions, these are not those from 0 on; the problem holds the column.
        """
        if isinstance(notation, str) and notation not in NOTATIONS:
            raise InputError(Problem("notation", "<text>", None, None, notation, " or ".join(NOTATIONS)))
        written = notation_of(notation)
        labels, parents, starts, ends, kinds = read_nodes(text, written)
        words = [label for label, kind in zip(labels, kinds, strict=True) if kind is Kind.WORD]
        numbered = is_numbered(words) if written.is_numbered is None else written.is_numbered
        if numbered:
            return cls.from_nodes(*split_positions(labels, kinds, unescape=bool(written.is_numbered)), parents, kinds)
        return cls(tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(kinds))

    @classmethod
    def from_nodes(
        cls,
        labels: Sequence[str],
        positions: Sequence[int],
        parents: Sequence[int],
        kinds: Sequence[Kind],
        functions: Sequence[str] | None = None,
    ) -> Tree:
        """Build a tree from nodes in any order, with discontinuous phrases or without.

        Parameters
        ----------
        labels : sequence of str
            Label of each node; for a word, its form.
        positions : sequence of int
            For each node that is a word, its position in the sentence, from 0; for others anything.
        parents : sequence of int
            Number of each node's parent, -1 for a root.
        kinds : sequence of Kind
            What each node is.
        functions : sequence of str, optional
            Grammatical function of each node.

        Returns
        -------
        Tree
            The tree.
        """
        order, new_parents, starts, ends, words = _arrange(positions, parents, kinds)
        return cls(
            tuple(labels[node] for node in order),
            new_parents,
            starts,
            ends,
            tuple(kinds[node] for node in order),
            words,
            None if functions is None else tuple(functions[node] for node in order),
        )


def _arrange(
    positions: Sequence[int], parents: Sequence[int], kinds: Sequence[Kind]
) -> tuple[list[int], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Put nodes into postorder, siblings in the order of their first words."""
    children: list[list[int]] = [[] for _ in parents]
    downwards: list[int] = []
    for node, parent in enumerate(parents):
        (children[parent] if parent >= 0 else downwards).append(node)
    roots = list(downwards)
    for node in downwards:  # grows while it is read
        downwards.extend(children[node])
    last = len(parents)  # nodes without words come after their siblings
    first = [position if kind is Kind.WORD else last for position, kind in zip(positions, kinds, strict=True)]
    for node in reversed(downwards):
        if children[node]:
            children[node].sort(key=first.__getitem__)
            first[node] = first[children[node][0]]
    roots.sort(key=first.__getitem__)

    order: list[int] = []
    number = [-1] * len(parents)
    starts: list[int] = []
    ends: list[int] = []
    words: list[int] = []
    begun = [0] * len(parents)  # words before a node
    waiting = [*reversed(roots)]
    while waiting:
        node = waiting.pop()
        if node >= 0:
            begun[node] = len(words)
            waiting.append(~node)
            waiting += reversed(children[node])
            continue
        node = ~node
        number[node] = len(order)
        order.append(node)
        if kinds[node] is Kind.WORD:
            words.append(positions[node])
        starts.append(begun[node])
        ends.append(len(words))
    new_parents = tuple(number[parents[node]] if parents[node] >= 0 else -1 for node in order)
    return order, new_parents, tuple(starts), tuple(ends), tuple(words)
