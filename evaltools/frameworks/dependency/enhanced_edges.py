"""Aligning enhanced dependencies: empty nodes by their place, edges as ELAS compares them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from evaltools.corpus import DependencyTree
from evaltools.corpus.enhanced import deps_of_empty_nodes, edges_of, paths
from evaltools.drawing.layouts.dependencies.arc_placement import side_by_side
from evaltools.frameworks.dependency.aligned_arcs import (
    DependencyAlignment,
    EnhancedAlignment,
    EnhancedEdge,
    EnhancedNode,
)
from evaltools.marks import Status

__all__ = ["align_enhanced", "has_enhanced"]

_Edge = tuple[str, str, str]  # Numbers of the head and the dependent, and the relation


def align_enhanced(alignment: DependencyAlignment) -> EnhancedAlignment | None:
    """Return the enhanced dependencies of two aligned trees; None if neither has any.

    Examples
    --------
    >>> from evaltools.frameworks.dependency.alignment import align_dependencies
    >>> gold = DependencyTree(("we", "see"), (1, -1), ("nsubj", "root"), deps=("2:nsubj", "0:root"))
    >>> test = DependencyTree(("we", "see"), (1, -1), ("nsubj", "root"), deps=("2:obj", "0:root"))
    >>> aligned = align_enhanced(align_dependencies(gold, test))
    >>> [(edge.side, edge.relation, str(edge.status)) for edge in aligned.edges]
    [('gold', 'nsubj', 'relabeled'), ('gold', 'root', 'right'), ('test', 'obj', 'relabeled'), ('test', 'root', 'right')]
    """
    if not has_enhanced(alignment):
        return None
    trees = {"gold": alignment.gold, "test": alignment.test}
    nodes = _nodes(alignment)
    columns = {side: {number: at for at, node in enumerate(nodes) if (number := _number(node, side))} for side in trees}
    edges = {side: _edges(tree) for side, tree in trees.items()}
    compared = {side: _by_words(tree, columns[side], nodes) for side, tree in trees.items()}
    right = compared["gold"].keys() & compared["test"].keys()
    placed = []
    for side, found in edges.items():
        through: dict[_Edge, bool] = {}
        alone = Status.MISSING if side == "gold" else Status.SPURIOUS
        for key, used in compared[side].items():
            for edge in used:
                through[edge] = through.get(edge, False) or key in right
        for edge in found:
            head, dependent, relation = edge
            status = None
            if edge in through:
                status = Status.RIGHT if through[edge] else alone
            at = None if head == "0" else columns[side].get(head)
            placed.append(EnhancedEdge(side, columns[side][dependent], at, relation, status))
    return EnhancedAlignment(tuple(nodes), tuple(_with_wrong_labels(placed)))


def has_enhanced(alignment: DependencyAlignment) -> bool:
    """Return whether one of two trees has enhanced dependencies."""
    return any(":" in column for tree in (alignment.gold, alignment.test) for column in tree.deps)


def _number(node: EnhancedNode, side: str) -> str | None:
    return node.gold if side == "gold" else node.test


def _nodes(alignment: DependencyAlignment) -> list[EnhancedNode]:
    """Return words and empty nodes in order; empty nodes of both trees at the same place are one, in their order."""
    gold, test = alignment.gold, alignment.test
    empty = {"gold": _empty_nodes(gold), "test": _empty_nodes(test)}
    nodes = _empty_columns(empty["gold"].get(0, []), empty["test"].get(0, []))
    for word, aligned in side_by_side(alignment):
        nodes.append(
            EnhancedNode(
                None if word is None else str(word + 1),
                None if aligned is None else str(aligned + 1),
                ("" if word is None else gold.forms[word], "" if aligned is None else test.forms[aligned]),
                ("" if word is None else gold.tags[word], "" if aligned is None else test.tags[aligned]),
                is_empty=False,
            )
        )
        of_gold = [] if word is None else empty["gold"].get(word + 1, [])
        of_test = [] if aligned is None else empty["test"].get(aligned + 1, [])
        nodes += _empty_columns(of_gold, of_test)
    return nodes


def _empty_nodes(tree: DependencyTree) -> dict[int, list[tuple[str, str]]]:
    """Return number and form of the empty nodes by the number of words before them."""
    nodes: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for node in tree.empty_nodes:
        nodes[node.after].append((f"{node.after}.{node.index}", node.columns[0]))
    return nodes


def _empty_columns(gold: list[tuple[str, str]], test: list[tuple[str, str]]) -> list[EnhancedNode]:
    nodes = []
    for index in range(max(len(gold), len(test))):
        numbers = [own[index] if index < len(own) else (None, "") for own in (gold, test)]
        forms = (numbers[0][1], numbers[1][1])
        nodes.append(EnhancedNode(numbers[0][0], numbers[1][0], forms, ("", ""), is_empty=True))
    return nodes


def _edges(tree: DependencyTree) -> list[_Edge]:
    """Return the edges of words and of empty nodes whose heads exist."""
    columns = {str(word + 1): column for word, column in enumerate(tree.deps)} | deps_of_empty_nodes(tree)
    known = {"0", *columns}
    found = [(head, number, relation) for number, text in columns.items() for head, relation in edges_of(text)]
    return [edge for edge in found if edge[0] in known]


def _by_words(
    tree: DependencyTree, columns: dict[str, int], nodes: list[EnhancedNode]
) -> dict[tuple[str, int, str], list[_Edge]]:
    """Return the edges that each edge without empty nodes consists of; head and dependent are as in gold."""

    def place(number: str) -> str:
        """Return what words of both trees have in common; what is in one tree only is like nothing in the other."""
        if number == "0":
            return "0"
        node = nodes[columns[number]] if number in columns else None
        return f"{node.gold}={node.test}" if node is not None else f"? {number}"

    found: dict[tuple[str, int, str], list[_Edge]] = defaultdict(list)
    for word, of_word in enumerate(paths(tree.deps, deps_of_empty_nodes(tree))):
        number = str(word + 1)
        for path in of_word:
            relations = ">".join(relation for _, relation in path)
            ends = [head for head, _ in path[1:]] + [number]
            used = [(head, end, relation) for (head, relation), end in zip(path, ends, strict=True)]
            found[place(path[0][0]), columns[number], relations] += used
    return found


def _with_wrong_labels(edges: list[EnhancedEdge]) -> list[EnhancedEdge]:
    """Mark wrong edges between the same two words as wrong relations: in the order of the columns."""
    waiting: dict[tuple[int | None, int], list[int]] = defaultdict(list)
    for at, edge in enumerate(edges):
        if edge.status is Status.MISSING:
            waiting[edge.head, edge.dependent].append(at)
    for at, edge in enumerate(edges):
        if edge.status is Status.SPURIOUS and waiting[edge.head, edge.dependent]:
            for each in (at, waiting[edge.head, edge.dependent].pop(0)):
                edges[each] = replace(edges[each], status=Status.RELABELED)
    return edges
