"""The steps that may be taken next, and the best of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from evaltools.analysis.repair.nodes import Key, Node, phrases
from evaltools.analysis.repair.steps import Operation

__all__ = ["Candidate", "Situation"]

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
