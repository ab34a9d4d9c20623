"""A tree that can be changed, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from evaltools.analysis.repair.steps import Bracket, Part
from evaltools.treebank import Kind, Span, Tree

__all__ = ["Key", "Node", "beside", "build", "freeze", "label_of", "parts_of", "phrases"]

Key = tuple[str, int, int]
"""A bracket: label, first word, word after the last."""


@dataclass(eq=False, slots=True)
class Node:
    """A bracket, or a word together with its tag.

    Parameters
    ----------
    label : str
        The label; for a word its tag, or its form where it has none.
    start, end : int
        The words it covers, half-open.
    children : list of Node
        Left to right.
    parent : Node or None
        None for the top.
    word : Tree or None
        For a word, itself with its tag.
    """

    label: str
    start: int
    end: int
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    word: Tree | None = None

    @property
    def key(self) -> Key:
        """Label and span."""
        return self.label, self.start, self.end

    @property
    def part(self) -> Part:
        """The node as steps name it."""
        return Part(self.label, Span(self.start, self.end), self.word is not None)

    @property
    def bracket(self) -> Bracket:
        """The bracket as steps name it."""
        return Bracket(self.label, Span(self.start, self.end))

    @property
    def place(self) -> int:
        """Its place among its parent's children."""
        assert self.parent is not None
        return next(at for at, child in enumerate(self.parent.children) if child is self)


def build(gold: Tree, test: Tree) -> Node:
    """Return a top without a label over the test tree, its words with the gold tree's tags."""
    nodes: list[Node] = []
    for node, label in enumerate(test.labels):
        start, end = test.span(node)
        children = [nodes[child] for child in test.children(node)]
        if test.kinds[node] is Kind.WORD:
            tag = test.tag(start)
            known = gold.tag(start) or tag
            form = Tree.from_nested((tag, label)) if tag is not None else None
            nodes.append(Node(known or label, start, end, word=form or _bare(label)))
        elif test.kinds[node] is Kind.PRETERMINAL:
            nodes.append(children[0])  # a word and its tag are one leaf here
        else:
            nodes.append(Node(label, start, end, children))
            for child in children:
                child.parent = nodes[-1]
    top = Node("", 0, len(test.words), [nodes[root] for root in test.roots])
    for child in top.children:
        child.parent = top
    return top


def _bare(form: str) -> Tree:
    return Tree((form,), (-1,), (0,), (1,), (Kind.WORD,))


def freeze(top: Node) -> Tree:
    """Return the tree as it stands, with the tags it came with."""
    labels: list[str] = []
    parents: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    kinds: list[Kind] = []
    done: dict[int, int] = {}
    stack: list[tuple[Node, bool]] = [(child, False) for child in reversed(top.children)]
    while stack:
        node, ready = stack.pop()
        if node.word is not None:
            for at, label in enumerate(node.word.labels):
                labels.append(label)
                kinds.append(node.word.kinds[at])
                parents.append(len(labels) if node.word.parents[at] >= 0 else -1)
                starts.append(node.start)
                ends.append(node.end)
        elif not ready:
            stack.append((node, True))
            stack += [(child, False) for child in reversed(node.children)]
            continue
        else:
            labels.append(node.label)
            kinds.append(Kind.PHRASE)
            parents.append(-1)
            starts.append(node.start)
            ends.append(node.end)
            for child in node.children:
                parents[done[id(child)]] = len(labels) - 1
        done[id(node)] = len(labels) - 1
    return Tree(tuple(labels), tuple(parents), tuple(starts), tuple(ends), tuple(kinds))


def phrases(top: Node) -> Iterator[Node]:
    """Yield all brackets, parents before their children."""
    stack = list(reversed(top.children))
    while stack:
        node = stack.pop()
        if node.word is None:
            yield node
            stack += reversed(node.children)


def beside(node: Node) -> list[Node]:
    """Return the other children of a node's parent."""
    return [child for child in node.parent.children if child is not node] if node.parent is not None else []


def label_of(node: Node | None) -> str | None:
    """Return a node's label, None for the top."""
    return node.label if node is not None and node.parent is not None else None


def parts_of(nodes: list[Node]) -> tuple[Part, ...]:
    """Return nodes as steps name them."""
    return tuple(node.part for node in nodes)
