"""What a drawing of two semantic graphs shows: nodes with their lines of text, roles, and what may be left out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import zip_longest

from evaltools.drawing.folding import FOLD_ABOVE
from evaltools.drawing.graph_nodes import STATUS, drawn_nodes, shown
from evaltools.drawing.graph_pieces import Piece, pieces_of
from evaltools.drawing.graph_shapes import DrawnNode, DrawnRole
from evaltools.metrics.edm_alignment import GraphAlignment

__all__ = ["GraphContent", "content_of"]


@dataclass(frozen=True, slots=True)
class GraphContent:
    """What there is to draw.

    Parameters
    ----------
    text : str
        The sentence.
    pieces : tuple of Piece
        Its words.
    nodes : tuple of DrawnNode
        All nodes.
    roles : tuple of DrawnRole
        All roles, numbered on from the nodes.
    shown : frozenset of int
        Numbers of the nodes that are not left out.
    folds : tuple of (int, int, bool)
        First and last piece of every part of the text all of whose nodes may be left out, and whether it is opened.
    """

    text: str
    pieces: tuple[Piece, ...]
    nodes: tuple[DrawnNode, ...]
    roles: tuple[DrawnRole, ...]
    shown: frozenset[int]
    folds: tuple[tuple[int, int, bool], ...]


def content_of(
    alignment: GraphAlignment,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    properties: str = "differing",
) -> GraphContent:
    """Bring together what there is to draw of two graphs.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs and what they share.
    fold : bool, optional
        Leave out what is the same in both and beside no difference; by default in texts of more than 25 words.
    unfolded : frozenset of int
        First pieces of the folded parts of the text that are opened.
    properties : {"differing", "all", "none"}
        Which properties stand in the boxes.
    """
    graphs = [graph for graph in (alignment.gold, alignment.test) if graph is not None]
    text = alignment.text
    pieces = pieces_of(text, [node.anchors for graph in graphs for node in graph.nodes])
    nodes = drawn_nodes(alignment, pieces, properties)
    roles = _roles(alignment, nodes)
    folding = len(pieces) > FOLD_ABOVE if fold is None else fold
    everything = frozenset(range(len(nodes)))
    if not folding:
        return GraphContent(text, pieces, nodes, roles, everything, ())
    kept = _kept(nodes, roles)
    folds = tuple((first, last, first in unfolded) for first, last in _same(len(pieces), nodes, kept))
    opened = {place for first, last, is_open in folds if is_open for place in range(first, last + 1)}
    more = {node.number for node in nodes if node.first in opened}
    return GraphContent(text, pieces, nodes, roles, frozenset(kept | more), folds)


def _roles(alignment: GraphAlignment, nodes: tuple[DrawnNode, ...]) -> tuple[DrawnRole, ...]:
    """Return the roles; two of different graphs between the same nodes become one."""
    numbers = {
        (side, place): node.number
        for node in nodes
        for side, place in (("gold", node.gold), ("test", node.test))
        if place is not None
    }
    found: dict[tuple[int, int], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for edge in alignment.edges:
        side, graph, place = (
            ("gold", alignment.gold, edge.gold) if edge.gold is not None else ("test", alignment.test, edge.test)
        )
        if graph is None or place is None:
            continue
        one = graph.edges[place]
        ends = numbers[side, one.source], numbers[side, one.target]
        found[ends][STATUS[edge.status]].append(shown(one.role))
    roles: list[DrawnRole] = []
    for (source, target), listed in found.items():
        # where triples are sets, one that is said twice is drawn once
        rows = [("matched", label, "") for label in dict.fromkeys(listed["matched"])]
        for mine, other in _one_by_one(listed["deleted"], listed["inserted"]):
            if other is None:
                rows.append(("deleted", mine or "", ""))
            elif mine is None:
                rows.append(("inserted", other, ""))
            else:  # those of the same name differ in the characters of their ends
                rows.append(("swapped", mine, other if other != mine else ""))
        for kind, text, other in rows:
            roles.append(DrawnRole(len(nodes) + len(roles), source, target, text, kind, other))
    return tuple(roles)


def _one_by_one(golds: list[str], tests: list[str]) -> list[tuple[str | None, str | None]]:
    """Pair the roles of two graphs between the same nodes, those of the same name first.

    Examples
    --------
    >>> _one_by_one(["ARG1", "ARG2"], ["ARG2", "ARG3", "ARG4"])
    [('ARG2', 'ARG2'), ('ARG1', 'ARG3'), (None, 'ARG4')]
    """
    same, left, rest = [], [], list(tests)
    for one in golds:
        if one in rest:
            rest.remove(one)
            same.append(one)
        else:
            left.append(one)
    return [*((one, one) for one in same), *zip_longest(left, rest)]


def _kept(nodes: tuple[DrawnNode, ...], roles: tuple[DrawnRole, ...]) -> set[int]:
    """Return the nodes that differ, those at the ends of roles that differ, and the neighbours of the former."""
    differing = {node.number for node in nodes if node.differs}
    kept = set(differing)
    for role in roles:
        if role.status != "matched" or role.source in differing or role.target in differing:
            kept |= {role.source, role.target}
    return kept


def _same(number: int, nodes: tuple[DrawnNode, ...], kept: set[int]) -> list[tuple[int, int]]:
    """Return the parts of the text, two pieces or more, over which no node stays."""
    taken = {
        place
        for node in nodes
        if node.number in kept and node.first is not None and node.last is not None
        for place in ((node.first,) if node.first == node.last else ())
    }
    found: list[tuple[int, int]] = []
    start = 0
    for place in (*sorted(taken), number):
        if place - start > 1:
            found.append((start, place - 1))
        start = place + 1
    return found
