"""Taking a step: the tree changes, and what was done is written down."""

from __future__ import annotations

from evaltools.analysis.repair.candidates import Candidate
from evaltools.analysis.repair.nodes import Key, Node, beside, freeze, label_of, parts_of
from evaltools.analysis.repair.steps import Bracket, Operation, RepairStep
from evaltools.treebank import Kind, Tree

__all__ = ["Changes"]


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
