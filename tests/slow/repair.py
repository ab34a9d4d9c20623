"""The repair of a tree, node by node and candidate by candidate, as its description says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from msgspec import Struct, structs

from evaltools.corpus import Kind, Span, Tree
from evaltools.frameworks.constituency.repair import Operation

Key = tuple[str, int, int]
"""A bracket: label, first word, word after the last."""
NO_TREE = Tree((), (), (), (), ())


class Bracket(Struct, frozen=True):
    """A label over a span of words, in the order of the words in which the tree is repaired."""

    label: str
    span: Span


class Part(Struct, frozen=True):
    """A node before a step."""

    label: str  # For a word its tag in the test tree, else in the gold tree, else its form
    span: Span
    is_word: bool = False


class RepairStep(Struct, frozen=True):
    """One step of the repair."""

    operation: Operation
    repaired: int  # Number of errors that the step removes
    # The bracket that gets a new label, is added or removed; for a move the bracket that the nodes leave.
    bracket: Bracket
    new_label: str | None = None  # The new label of a relabeling
    target: Bracket | None = None  # For a move: the bracket, as it was, that the nodes become children of
    moved: tuple[Part, ...] = ()  # For a move: the nodes that move, left to right
    added: Bracket | None = None  # A bracket that a move makes possible and that is added with it
    parent: str | None = None  # Label of the bracket's parent before the step, None at the top
    # Children of the bracket: before the step if it is removed, relabeled or left, after it if it is added.
    children: tuple[Part, ...] = ()
    siblings: tuple[Part, ...] = ()  # Of the bracket; for a move of the nodes, where they were and where they are then
    # For an addition: label of the outermost other bracket over the same words, None if there is none.
    same_words: str | None = None
    # Where the words do not stand in the order of the sentence, their positions there: spans are over these.
    order: tuple[int, ...] | None = None
    tree: Tree = NO_TREE  # The tree after the step


def errors(gold: Tree, test: Tree) -> tuple[Counter[Key], Counter[Key]]:
    """Return the extra and the missing phrase brackets of a test tree, with how often each occurs.

    `classes` has the class of each label that is equal to another one.
    """
    gold_brackets, test_brackets = phrase_brackets(gold), phrase_brackets(test)
    return test_brackets - gold_brackets, gold_brackets - test_brackets


def phrase_brackets(tree: Tree) -> Counter[Key]:
    phrases = (node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE)
    return Counter((tree.labels[node], *tree.span(node)) for node in phrases)


@dataclass(eq=False, slots=True)
class Node:
    """A bracket over the words from ``start`` to ``end``, or a word itself; its label is its tag, or else its form."""

    label: str
    start: int
    end: int
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    word: Tree | None = None

    @property
    def key(self) -> Key:
        return self.label, self.start, self.end

    @property
    def part(self) -> Part:
        return Part(self.label, Span(self.start, self.end), self.word is not None)

    @property
    def bracket(self) -> Bracket:
        return Bracket(self.label, Span(self.start, self.end))

    @property
    def place(self) -> int:
        """Its place among its parent's children."""
        assert self.parent is not None
        return next(at for at, child in enumerate(self.parent.children) if child is self)


def build(gold: Tree, test: Tree) -> Node:
    """Return a top without a label over the test tree, its words with their tags or else those of the gold tree."""
    nodes: list[Node] = []
    for node, label in enumerate(test.labels):
        start, end = test.span(node)
        children = [nodes[child] for child in test.children(node)]
        if test.kinds[node] is Kind.WORD:
            tag = test.tag(start)
            known = tag or gold.tag(start)
            form = Tree.from_string(f"({tag} {label})") if tag is not None else None
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
    stack = list(reversed(top.children))
    while stack:
        node = stack.pop()
        if node.word is None:
            yield node
            stack += reversed(node.children)


def beside(node: Node) -> list[Node]:
    return [child for child in node.parent.children if child is not node] if node.parent is not None else []


def label_of(node: Node | None) -> str | None:
    return node.label if node is not None and node.parent is not None else None


def parts_of(nodes: list[Node]) -> tuple[Part, ...]:
    """Return nodes as steps name them."""
    return tuple(node.part for node in nodes)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A step that may be taken."""

    gain: int
    operation: Operation
    node: Node | None = None
    key: Key | None = None
    first: int = 0
    last: int = 0
    target: Node | None = None
    at: int = 0
    added: Key | None = None
    changed: tuple[Node, ...] = ()


class Situation:
    """A test tree on its way to the gold tree, whose brackets are sorted parents first: what is wrong with it now."""

    def __init__(self, top: Node, gold: list[Key]) -> None:
        self.top, self.gold = top, Counter(gold)
        self._keys = sorted(dict.fromkeys(gold), key=lambda key: key[1:])
        self._nodes = list(phrases(top))
        here = Counter(node.key for node in self._nodes)
        self._missing = [key for key in self._keys if self.gold[key] > here[key]]
        self._wrong = {id(node) for node in self._nodes if here[node.key] > self.gold[node.key]}
        self.n_errors = self._errors(top)

    def best(self) -> Candidate | None:
        """Return the first of the steps that leave the fewest errors, None where nothing is wrong."""
        return max(self.candidates(), key=lambda one: one.gain, default=None)

    def _errors(self, top: Node) -> int:
        here = Counter(node.key for node in phrases(top))
        return (here - self.gold).total() + (self.gold - here).total()

    def candidates(self) -> Iterator[Candidate]:
        """Yield the steps that can be taken."""
        wrong = [node for node in self._nodes if id(node) in self._wrong]
        wrong.sort(key=lambda node: (node.start, node.end))
        for key in self._missing:
            for node in wrong:
                if key[1:] == (node.start, node.end):
                    yield Candidate(2, Operation.RELABEL, node, key)
        for key in self._missing:
            if not _crosses_any(key, self._nodes):
                yield Candidate(1, Operation.ADD, key=key)
        for node in wrong:
            yield Candidate(1, Operation.REMOVE, node)
        yield from self._moves()

    def _moves(self) -> Iterator[Candidate]:
        for source in [self.top, *self._nodes]:
            children = source.children
            for first in range(len(children)):
                for last in range(first + 1, len(children) + 1):
                    is_part = last - first < len(children)
                    if is_part and children[first].start < children[last - 1].end:
                        for target, at, changed in self._destinations(source, first, last):
                            candidate = self._move(source, first, last, target, at, changed)
                            if candidate is not None:
                                yield candidate

    def _destinations(self, source: Node, first: int, last: int) -> Iterator[tuple[Node, int, tuple[Node, ...]]]:
        """Yield where children of a node can go: new parent, index there, brackets whose spans change."""
        if first > 0:  # down into the neighbor on the left
            yield from self._edge(source.children[first - 1], (), right=True)
        if last < len(source.children):  # down into the neighbor on the right
            yield from self._edge(source.children[last], (), right=False)
        if id(source) not in self._wrong:
            return
        for right in (False, True):
            if (last < len(source.children)) if right else (first > 0):
                continue
            # out of all brackets that end there, into those that end before them
            path = [source]
            while path[-1].parent is not None and path[-1].place in _edges(path[-1], right=right):
                path.append(path[-1].parent)
            outside = path[-1]
            if outside.parent is not None:
                neighbor = outside.parent.children[outside.place + (1 if right else -1)]
                yield from self._edge(neighbor, tuple(path), right=not right)
            # up
            below, target = [source], source.parent
            while target is not None and target.parent is not None:
                yield target, below[-1].place + right, tuple(below)
                above = target.parent
                if below[-1].place not in _edges(below[-1], right=right):
                    break  # a bracket without words may stand there
                if (above.end > source.end) if right else (above.start < source.start):
                    break
                below.append(target)
                target = above

    def _edge(
        self, node: Node, changed: tuple[Node, ...], *, right: bool
    ) -> Iterator[tuple[Node, int, tuple[Node, ...]]]:
        """Yield the wrong brackets along the right or the left edge of a node."""
        while node.word is None:
            changed = (*changed, node)
            if id(node) in self._wrong:
                yield node, len(node.children) if right else 0, changed
            if not node.children:
                return
            node = node.children[-1 if right else 0]

    def _move(
        self, source: Node, first: int, last: int, target: Node, at: int, changed: tuple[Node, ...]
    ) -> Candidate | None:
        """Make the move on a copy of the tree, add a bracket around what moved, and count."""
        copies: dict[int, Node] = {}
        top = _copy(self.top, copies)
        there = copies[id(target)]
        moved = move(copies[id(source)], first, last, there, at)
        respan(top)
        if not any(node is there for node in phrases(top)) and there is not top:
            return None  # the new parent was merged into the old one
        start, end = moved[0].start, moved[-1].end
        nodes = list(phrases(top))
        here = Counter(node.key for node in nodes)
        added = None
        for key in self._keys:
            holds = key[1] <= start and end <= key[2] and key[1:] != (start, end)
            inside = there.start <= key[1] and key[2] <= there.end
            possible = holds and inside and self.gold[key] > here[key] and not _crosses_any(key, nodes)
            if possible and (added is None or added[1] < key[1] or key[2] < added[2]):
                added = key
        gain = self.n_errors - self._errors(top) + (added is not None)
        return Candidate(gain, Operation.MOVE, source, None, first, last, target, at, added, changed)


def _edges(node: Node, *, right: bool) -> tuple[int, ...]:
    assert node.parent is not None
    return (len(node.parent.children) - 1,) if right else (0,)


def _copy(node: Node, copies: dict[int, Node]) -> Node:
    made = Node(node.label, node.start, node.end, [_copy(child, copies) for child in node.children], word=node.word)
    for child in made.children:
        child.parent = made
    copies[id(node)] = made
    return made


def move(source: Node, first: int, last: int, target: Node, at: int) -> list[Node]:
    """Move children of a node; a node that is left with one child of its own label is merged with it."""
    moved = source.children[first:last]
    del source.children[first:last]
    target.children[at:at] = moved
    for child in moved:
        child.parent = target
    if len(source.children) == 1 and source.children[0].word is None and source.children[0].label == source.label:
        (child,) = source.children
        source.children, source.start, source.end = child.children, child.start, child.end
        for child in source.children:
            child.parent = source
    return moved


def respan(node: Node) -> None:
    """Compute the spans of brackets from those of their children."""
    for child in node.children:
        respan(child)
    if node.children and node.parent is not None:
        node.start = min(child.start for child in node.children)
        node.end = max(child.end for child in node.children)


def _crosses_any(key: Key, nodes: list[Node]) -> bool:
    return any(_cross(key[1:], (node.start, node.end)) for node in nodes)


def _cross(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


class Changes:
    """Steps taken on a tree; the gold tree says in which order brackets of one span stand."""

    def __init__(self, top: Node, gold: Tree) -> None:
        self.top = top
        self._chains: dict[tuple[int, int], list[str]] = {}
        for node in reversed(range(len(gold))):  # parents before their children
            if gold.kinds[node] is Kind.PHRASE:
                self._chains.setdefault(gold.span(node), []).append(gold.labels[node])

    def take(self, chosen: Candidate) -> RepairStep:
        """Take a step that was found on this very tree."""
        if chosen.operation is Operation.MOVE:
            return self._move(chosen)
        if chosen.operation is Operation.ADD:
            assert chosen.key is not None
            made = self._insert(chosen.key)
            step = self._done(chosen, made.bracket, made.parent, made.children, beside(made))
            return structs.replace(step, same_words=self._same_words(made))
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
        left_behind = source.children[max(chosen.first - 1, 0) : chosen.first]
        left_behind += source.children[chosen.last : chosen.last + 1]
        siblings = parts_of(left_behind + target.children[max(chosen.at - 1, 0) : chosen.at + 1])
        moved = move(source, chosen.first, chosen.last, target, chosen.at)
        respan(self.top)
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

    def _same_words(self, made: Node) -> str | None:
        """Return the label of the outermost bracket over the words of a new one, apart from it."""
        same = [
            node
            for node in phrases(self.top)
            if node is not made and made.start < made.end and (node.start, node.end) == (made.start, made.end)
        ]
        return same[0].label if same else None

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
    brackets = [
        (gold.labels[node], *gold.span(node)) for node in reversed(range(len(gold))) if gold.kinds[node] is Kind.PHRASE
    ]
    changes = Changes(build(gold, test), gold)
    steps = []
    while (chosen := Situation(changes.top, brackets).best()) is not None:
        steps.append(changes.take(chosen))
    return steps


def fewest_steps(gold: Tree, test: Tree, most: int) -> int:
    """Return the lowest number of the repair's steps to the gold tree, in any order; `most` if fewer do not suffice."""
    brackets = [
        (gold.labels[node], *gold.span(node)) for node in reversed(range(len(gold))) if gold.kinds[node] is Kind.PHRASE
    ]
    trees = {freeze(build(gold, test)): build(gold, test)}
    seen = set(trees)
    for number in range(most):
        following: dict[Tree, Node] = {}
        for top in trees.values():
            situation = Situation(top, brackets)
            if situation.n_errors == 0:
                return number
            if number + 1 == most:
                continue  # whatever the next step is, the answer is `most`
            for candidate in situation.candidates():
                copies: dict[int, Node] = {}
                changes = Changes(_copy(top, copies), gold)
                changes.take(_on_copy(candidate, copies))
                tree = freeze(changes.top)
                if tree not in seen:
                    seen.add(tree)
                    following[tree] = changes.top
        trees = following
    return most


def _on_copy(candidate: Candidate, copies: dict[int, Node]) -> Candidate:
    node, target = (None if one is None else copies[id(one)] for one in (candidate.node, candidate.target))
    changed = tuple(copies[id(one)] for one in candidate.changed)
    return replace(candidate, node=node, target=target, changed=changed)
