"""The repair of a tree, node by node and candidate by candidate, as its description says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from evaltools.analysis.repair import Bracket, Operation, Part, RepairStep
from evaltools.treebank import Kind, Span, Tree

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


_Changed = tuple[tuple[Node, int, int], ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A step that may be taken; the larger `gain` the better, then the smaller `order`."""

    gain: int
    order: tuple[int, ...]
    operation: Operation
    node: Node | None = None
    key: Key | None = None
    first: int = 0
    last: int = 0
    target: Node | None = None
    at: int = 0
    added: Key | None = None
    changed: _Changed = ()


class Situation:
    """A test tree on its way to the gold tree: what is wrong with it now.

    Parameters
    ----------
    top : Node
        The tree.
    gold : Counter
        The gold brackets.
    """

    def __init__(self, top: Node, gold: Counter[Key]) -> None:
        self.top, self.gold = top, gold
        self._nodes = list(phrases(top))
        self._here = Counter(node.key for node in self._nodes)
        self._missing = gold - self._here
        self._wrong: set[int] = set()
        left = Counter(gold)
        for node in self._nodes:  # the outermost of equal brackets are the right ones
            if left[node.key]:
                left[node.key] -= 1
            else:
                self._wrong.add(id(node))

    def best(self) -> Candidate | None:
        """Return the step that leaves the fewest errors, None where nothing is wrong."""
        return min(self._candidates(), key=lambda one: (-one.gain, one.order), default=None)

    def _candidates(self) -> Iterator[Candidate]:
        spans = {(node.start, node.end) for node in self._nodes}
        wrong = [node for node in self._nodes if id(node) in self._wrong]
        for node in wrong:
            order = (node.start, -node.end)
            yield Candidate(1, (3, 0, *order), Operation.REMOVE, node)
            for key in self._missing:
                if key[1:] == (node.start, node.end):
                    yield Candidate(2, (0, 0, *order), Operation.RELABEL, node, key)
        for key in self._missing:
            if not any(_cross(key[1:], span) for span in spans):
                yield Candidate(1, (2, 0, key[1], -key[2]), Operation.ADD, key=key)
        if wrong:
            crossed = {
                key: {id(node) for node in self._nodes if _cross(key[1:], (node.start, node.end))}
                for key in self._missing
            }
            yield from self._moves(crossed)

    def _moves(self, crossed: dict[Key, set[int]]) -> Iterator[Candidate]:
        for source in [self.top, *self._nodes]:
            children = source.children
            for first in range(len(children)):
                for last in range(first + 1, len(children) + 1):
                    if last - first == len(children):
                        continue
                    start, end = children[first].start, children[last - 1].end
                    if start == end:
                        continue
                    for target, at, changed in self._places(source, first, last, start, end):
                        gain = self._gain(changed)
                        if gain < 0:
                            continue
                        added = self._possible(crossed, changed, (start, end))
                        gain += added is not None
                        if gain > 0:
                            order = (1, end - start, start, -end, target.start, -target.end)
                            yield Candidate(
                                gain, order, Operation.MOVE, source, None, first, last, target, at, added, changed
                            )

    def _places(
        self, source: Node, first: int, last: int, start: int, end: int
    ) -> Iterator[tuple[Node, int, _Changed]]:
        """Yield where children of a node can go without a change of the words' order: new parent, place, new spans."""
        # down into the neighbour on either side
        if first > 0:
            yield from self._down(source.children[first - 1], (), right=True, to=end)
        if last < len(source.children):
            yield from self._down(source.children[last], (), right=False, to=start)
        # up along an edge, and from there down into the next neighbour
        for right in (True, False):
            if (last != len(source.children)) if right else (first != 0):
                continue
            node, changed = source, list[tuple[Node, int, int]]()
            while node.parent is not None and id(node) in self._wrong:
                changed.append((node, node.start, start) if right else (node, end, node.end))
                above, place = node.parent, node.place
                beside = place + 1 if right else place
                yield above, beside, tuple(changed)
                neighbour = place + 1 if right else place - 1
                if 0 <= neighbour < len(above.children):
                    below = above.children[neighbour]
                    yield from self._down(below, tuple(changed), right=not right, to=start if right else end)
                if neighbour not in (-1, len(above.children)):
                    break  # the node is not at the edge of the one above
                node = above

    def _down(self, node: Node, changed: _Changed, *, right: bool, to: int) -> Iterator[tuple[Node, int, _Changed]]:
        """Yield the wrong brackets along a node's right or left edge, which would reach to another place."""
        while node.word is None and id(node) in self._wrong:
            changed = (*changed, (node, node.start, to) if right else (node, to, node.end))
            yield node, len(node.children) if right else 0, changed
            if not node.children:
                return
            node = node.children[-1 if right else 0]

    def _gain(self, changed: _Changed) -> int:
        change: Counter[Key] = Counter()
        for node, start, end in changed:
            change[node.key] -= 1
            change[node.label, start, end] += 1
        gain = 0
        for key, more in change.items():
            wanted, now = self.gold[key], self._here[key]
            gain += abs(now - wanted) - abs(now + more - wanted)
        return gain

    def _possible(self, crossed: dict[Key, set[int]], changed: _Changed, moved: tuple[int, int]) -> Key | None:
        """Return a missing bracket that holds what moves, and that crosses others before the move but none after it."""
        others = {id(node) for node, _, _ in changed}
        now = [(start, end) for _, start, end in changed]
        made = [(node.label, start, end) for node, start, end in changed]
        for key, crossers in crossed.items():
            if not crossers or not crossers <= others or self._missing[key] <= made.count(key):
                continue
            holds = key[1] <= moved[0] and moved[1] <= key[2]
            if holds and not any(_cross(key[1:], span) for span in now):
                return key
        return None


def _cross(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


class Changes:
    """Steps taken on a tree.

    Parameters
    ----------
    top : Node
        The tree, which is changed.
    gold : Tree
        The gold tree, which says in which order brackets of one span stand.
    """

    def __init__(self, top: Node, gold: Tree) -> None:
        self.top = top
        self._chains: dict[tuple[int, int], list[str]] = {}
        for node in reversed(range(len(gold))):  # parents before their children
            if gold.kinds[node] is Kind.PHRASE:
                self._chains.setdefault(gold.span(node), []).append(gold.labels[node])

    def take(self, chosen: Candidate) -> RepairStep:
        """Take a step.

        Parameters
        ----------
        chosen : Candidate
            The step, which was found on this very tree.
        """
        if chosen.operation is Operation.MOVE:
            return self._move(chosen)
        if chosen.operation is Operation.ADD:
            assert chosen.key is not None
            made = self._insert(chosen.key)
            return self._done(chosen, made.bracket, made.parent, made.children, beside(made))
        node = chosen.node
        assert node is not None
        before, parent, children, siblings = node.bracket, node.parent, list(node.children), beside(node)
        new_label = None
        if chosen.operation is Operation.RELABEL:
            assert chosen.key is not None
            node.label = new_label = chosen.key[0]
        else:
            assert parent is not None
            place = node.place
            parent.children[place : place + 1] = children
            for child in children:
                child.parent = parent
        return self._done(chosen, before, parent, children, siblings, new_label)

    def _move(self, chosen: Candidate) -> RepairStep:
        source, target = chosen.node, chosen.target
        assert source is not None
        assert target is not None
        before, onto, parent = source.bracket, target.bracket, label_of(source.parent)
        children = parts_of(source.children)
        changed = tuple(node.bracket for node, _, _ in chosen.changed)
        moved = source.children[chosen.first : chosen.last]
        left_behind = source.children[max(chosen.first - 1, 0) : chosen.first]
        left_behind += source.children[chosen.last : chosen.last + 1]
        siblings = parts_of(left_behind + target.children[max(chosen.at - 1, 0) : chosen.at + 1])
        del source.children[chosen.first : chosen.last]
        target.children[chosen.at : chosen.at] = moved
        for child in moved:
            child.parent = target
        for node, start, end in chosen.changed:
            node.start, node.end = start, end
        added = self._insert(chosen.added).bracket if chosen.added is not None else None
        return RepairStep(
            Operation.MOVE,
            chosen.gain,
            before,
            target=onto,
            moved=parts_of(moved),
            added=added,
            parent=parent,
            children=children,
            siblings=siblings,
            changed=changed,
            tree=freeze(self.top),
        )

    def _done(
        self,
        chosen: Candidate,
        bracket: Bracket,
        parent: Node | None,
        children: list[Node],
        siblings: list[Node],
        new_label: str | None = None,
    ) -> RepairStep:
        return RepairStep(
            chosen.operation,
            chosen.gain,
            bracket,
            new_label=new_label,
            parent=label_of(parent),
            children=parts_of(children),
            siblings=parts_of(siblings),
            tree=freeze(self.top),
        )

    def _insert(self, key: Key) -> Node:
        """Put a bracket that crosses no other into the tree, among equal spans where the gold tree has it."""
        label, start, end = key
        outer = self._chains.get((start, end), [])
        above = outer[: outer.index(label)] if label in outer else []
        node = self.top
        while True:
            inner = next((child for child in node.children if _may_hold(child, start, end)), None)
            if inner is None or ((inner.start, inner.end) == (start, end) and inner.label not in above):
                break
            if (inner.start, inner.end) == (start, end):
                above = above[above.index(inner.label) + 1 :]
            node = inner
        inside = [at for at, child in enumerate(node.children) if start <= child.start and child.end <= end]
        if start == end:
            place = next((at for at, child in enumerate(node.children) if child.start >= start), len(node.children))
            inside = []
        else:
            place = inside[0]
        made = Node(label, start, end, [node.children[one] for one in inside], node)
        for child in made.children:
            child.parent = made
        node.children[place : place + len(inside)] = [made]
        return made


def _may_hold(node: Node, start: int, end: int) -> bool:
    return node.word is None and node.start <= start and end <= node.end and node.start < node.end


def slow_repair(gold: Tree, test: Tree) -> list[RepairStep]:
    """Turn a test tree into the gold tree."""
    brackets = Counter(
        (gold.labels[node], *gold.span(node)) for node, kind in enumerate(gold.kinds) if kind is Kind.PHRASE
    )
    changes = Changes(build(gold, test), gold)
    steps = []
    while (chosen := Situation(changes.top, brackets).best()) is not None:
        steps.append(changes.take(chosen))
    return steps
