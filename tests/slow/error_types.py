"""The type of a step of a repair, decision by decision, as the published program takes them.

Rows are numbered as in the bundled file ``error_rules/ptb.toml``. Brackets are looked up in the trees before and after
a step; only what moves, and what stands beside it, is taken from the step.
"""

from __future__ import annotations

from evaltools.corpus import Kind, Tree
from evaltools.frameworks.constituency.aligned_trees import Operation
from evaltools.frameworks.constituency.repair import RepairStep

__all__ = ["table_type"]


def table_type(gold: Tree, before: Tree, step: RepairStep) -> str:
    """Return the title of the type of a step.

    Parameters
    ----------
    gold : Tree
        The gold tree.
    before : Tree
        The tree that the step is taken on.
    step : RepairStep
        The step, with the tree after it.
    """
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
