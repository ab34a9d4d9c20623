"""The type of a step of a repair, decision by decision, as the published program takes them.

Rows are numbered as in the bundled file ``error_rules/ptb.toml``. Brackets are looked up in the trees before and after
a step; only what moves, and what stands beside it, is taken from the step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltools.corpus import Kind, Tree
from evaltools.frameworks.constituency.error_types import Rule
from evaltools.frameworks.constituency.repair import Operation
from tests.slow.repair import Part, RepairStep

__all__ = ["fits", "table_type"]


def table_type(gold: Tree, before: Tree, step: RepairStep) -> str:
    """Return the title of the type of a step on the tree ``before``."""
    if step.operation is Operation.MOVE:
        return _of_move(step)
    if step.operation is Operation.ADD:
        children, is_word, label, parent, siblings, right = _around(gold, step.tree, step, added=True)
    else:
        children, is_word, label, parent, siblings, right = _around(gold, before, step, added=False)
    if len(children) == 1 and is_word == [True]:  # row 4
        return "one-word bracket"
    if step.operation is Operation.RELABEL:  # row 5
        return "wrong label"
    if step.operation is Operation.ADD and len(children) == 1:  # row 6
        return "X-over-X chain" if children[0] == label else "unary"
    if step.operation is Operation.REMOVE and siblings == 0:  # row 7
        return "X-over-X chain" if parent == label else "unary"
    if step.operation is Operation.REMOVE and len(children) == 1:
        return "unary"
    if label == "UCP" or right == "CC":  # row 8
        return "coordination"
    if "PP" in children[1:]:  # row 9
        return "PP attachment"
    if "S" in children[1:] or "SBAR" in children[1:] or "SINV" in children[1:]:
        return "clause attachment"
    if parent in ("NP", "WHNP") and children and all(is_word):  # row 10
        return "NP-internal structure"
    if label in ("ADVP", "ADJP", "WHADVP", "WHADJP"):  # row 11
        return "modifier attachment"
    if "ADVP" in children[1:] or "ADJP" in children[1:]:
        return "modifier attachment"
    if children and all(child == label for child in children):  # row 12
        return "NP-internal structure" if label == "NP" else "coordination"
    return "unclassified"  # row 13


def _of_move(step: RepairStep) -> str:
    assert step.target is not None
    moved = [part.label for part in step.moved]
    if "CC" in [part.label for part in step.siblings] or moved[0] == "CC" or moved[-1] == "CC":  # row 1
        return "coordination"
    for labels, title in (  # row 2
        (["PP"], "PP attachment"),
        (["NP"], "NP attachment"),
        (["VP"], "VP attachment"),
        (["S", "SINV", "SBAR"], "clause attachment"),
        (["RB", "ADVP", "ADJP"], "modifier attachment"),
    ):
        if any(label in moved for label in labels):
            return title
    if step.bracket.label in ("NP", "WHNP", "QP") and step.target.label in ("NP", "WHNP", "QP"):  # row 3
        return "NP-internal structure"
    return "unclassified"  # the other rows ask for a bracket, its children and its parent, which a move does not have


def _around(
    gold: Tree, tree: Tree, step: RepairStep, *, added: bool
) -> tuple[list[str], list[bool], str, str | None, int, str | None]:
    """Return a bracket's children, which are words, its label, its parent, the number of its siblings, the right one.

    An added bracket counts as the outermost of all over the same words: the others are inside it.
    """
    label, span = step.bracket.label, step.bracket.span
    phrases = [node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE]
    node = max(node for node in phrases if tree.labels[node] == label and tree.span(node) == span)
    if added and span.start < span.end:
        same = [other for other in phrases if tree.span(other) == span]  # inner ones first
        if len(same) > 1:
            before = [other for other in same if other != _added(tree, same, step)]
            return [tree.labels[before[-1]]], [False], label, None, 0, None
    children = list(tree.children(node))
    is_word = [tree.kinds[child] is not Kind.PHRASE for child in children]
    above = tree.parents[node]
    beside = [child for child in (tree.roots if above < 0 else tree.children(above)) if child != node]
    right = [child for child in beside if tree.starts[child] >= span.end]
    return (
        [_label(gold, tree, child) for child in children],
        is_word,
        label,
        tree.labels[above] if above >= 0 else None,
        len(beside),
        _label(gold, tree, right[0]) if right else None,
    )


def _added(tree: Tree, same: list[int], step: RepairStep) -> int:
    """Return the bracket that was added, of those over the same words: the one that has its parent and its children."""
    for node in same:
        above = tree.parents[node]
        children = [tree.span(child) for child in tree.children(node)]
        labels = [tree.labels[child] for child in tree.children(node) if tree.kinds[child] is Kind.PHRASE]
        parts = [part.label for part in step.children if not part.is_word]
        if (
            tree.labels[node] == step.bracket.label
            and (tree.labels[above] if above >= 0 else None) == step.parent
            and children == [part.span for part in step.children]
            and labels == parts
        ):
            return node
    raise AssertionError("the added bracket is not in the tree")


def _label(gold: Tree, tree: Tree, node: int) -> str:
    """Return a label; of a word its tag, the gold tag, or its form."""
    if tree.kinds[node] is Kind.WORD:
        return gold.tag(tree.starts[node]) or tree.labels[node]
    return tree.labels[node] or (gold.tag(tree.starts[node]) or "" if tree.kinds[node] is Kind.PRETERMINAL else "")


def fits(rule: Rule, step: RepairStep) -> bool:
    """Return whether all conditions of a rule hold for a step."""
    if step.operation not in (rule.operations or Operation):
        return False
    if step.same_words is not None:  # an added bracket counts as the outermost of those over the same words
        children, n_words = [step.same_words], 0
    else:
        children, n_words = [child.label for child in step.children], sum(child.is_word for child in step.children)
    moved = [part.label for part in step.moved]
    label = step.bracket.label
    return (
        (rule.label is None or label in rule.label or step.new_label in rule.label)
        and (rule.target is None or (step.target is not None and step.target.label in rule.target))
        and (rule.parent is None or step.parent in rule.parent)
        and (rule.moved is None or not rule.moved.isdisjoint(moved))
        and (rule.near is None or any(part.label in rule.near for part in _near(step)))
        and (rule.right_sibling is None or _right_sibling(step) in rule.right_sibling)
        and (rule.later_children is None or not rule.later_children.isdisjoint(children[1:]))
        and (rule.all_children is None or (bool(children) and rule.all_children.issuperset(children)))
        and (rule.adjoined is None or _is_adjunction(label, children, rule.adjoined))
        and (rule.over_word is None or (len(children) == n_words == 1) == rule.over_word)
        and (rule.all_words is None or (0 < len(children) == n_words) == rule.all_words)
        and (rule.all_same is None or (bool(children) and set(children) == {label}) == rule.all_same)
        and (rule.one_child is None or (len(children) == 1) == rule.one_child)
        and (rule.only_child is None or (not step.siblings and step.operation is not Operation.MOVE) == rule.only_child)
        and (rule.child_label is None or (list(children) == [label]) == rule.child_label)
        and (rule.parent_label is None or (step.parent == label) == rule.parent_label)
    )


def _near(step: RepairStep) -> Iterator[Part]:
    """Yield the siblings of the bracket or of the nodes that move, and the first and the last node that move."""
    yield from step.siblings
    yield from step.moved[:1]
    yield from step.moved[-1:]


def _right_sibling(step: RepairStep) -> str | None:
    """Return the label of the next node to the right of a bracket."""
    if step.operation is Operation.MOVE:
        return None
    end = step.bracket.span.end
    return next((part.label for part in step.siblings if part.span.start >= end), None)


def _is_adjunction(label: str, children: Sequence[str], adjoined: frozenset[str]) -> bool:
    if label not in children:
        return False
    rest = list(children)
    rest.remove(label)
    return not adjoined.isdisjoint(rest)
