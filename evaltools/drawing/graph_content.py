"""What a drawing of two semantic graphs shows: nodes with their lines of text, roles, and what may be left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from evaltools.drawing.folding import FOLD_ABOVE
from evaltools.drawing.graph_pieces import Piece, pieces_of, place_of
from evaltools.drawing.graph_shapes import DrawnNode, DrawnRole, Line
from evaltools.drawing.measure import shorten, visible
from evaltools.metrics.edm_alignment import GraphAlignment, NodePair, TripleRow
from evaltools.treebank.semantic_graph import SemanticGraph, SemanticNode

__all__ = ["GraphContent", "content_of", "spans_text"]

_LONGEST = 34
_STATUS = {"matched": "matched", "gold": "deleted", "test": "inserted", "relabelled": "swapped"}


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
        All nodes, as the alignment numbers them.
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
    nodes = _nodes(alignment, pieces, properties)
    roles = _roles(alignment, len(nodes))
    folding = len(pieces) > FOLD_ABOVE if fold is None else fold
    everything = frozenset(range(len(nodes)))
    if not folding:
        return GraphContent(text, pieces, nodes, roles, everything, ())
    kept = _kept(nodes, roles)
    folds = tuple((first, last, first in unfolded) for first, last in _same(len(pieces), nodes, kept))
    opened = {place for first, last, is_open in folds if is_open for place in range(first, last + 1)}
    more = {node.number for node in nodes if node.first in opened}
    return GraphContent(text, pieces, nodes, roles, frozenset(kept | more), folds)


def spans_text(node: SemanticNode) -> str:
    """Return a node's characters as the formats write them.

    Examples
    --------
    >>> spans_text(SemanticNode("x", "named", ((0, 3), (7, 9))))
    '<0:3> <7:9>'
    """
    return " ".join(f"<{start}:{end}>" for start, end in node.anchors)


def _nodes(alignment: GraphAlignment, pieces: tuple[Piece, ...], properties: str) -> tuple[DrawnNode, ...]:
    by_side: dict[tuple[str, int], list[TripleRow]] = defaultdict(list)
    for triple in alignment.triples:
        if triple.status != "test" and triple.gold_node is not None:
            by_side["gold", triple.gold_node].append(triple)
        if triple.status != "gold" and triple.test_node is not None:
            by_side["test", triple.test_node].append(triple)
    twice = _elsewhere(alignment)
    drawn = []
    for number, pair in enumerate(alignment.nodes):
        gold, test = _node(alignment.gold, pair.gold), _node(alignment.test, pair.test)
        sides = [one for one in (gold, test) if one is not None]
        lines = _names(pair, gold, test)
        about = {
            side: by_side[side, place] if place is not None else []
            for side, place in (("gold", pair.gold), ("test", pair.test))
        }
        lines += _constants(gold, test)
        if pair.status in ("gold", "test") and sides[0].predicate in twice:
            lines.append(Line(spans_text(sides[0]) or "no span", _STATUS[pair.status], "span"))
        lines += _top(alignment, pair)
        listed = _properties(about["gold"], about["test"], gold, test)
        if pair.status in ("gold", "test") and properties == "differing":
            listed = []  # all of them are lost, as the outline says
        lines += [line for line in listed if properties == "all" or (properties != "none" and line.status != "matched")]
        differs = pair.status != "matched" or any(line.status != "matched" for line in [*lines, *listed])
        place = place_of(sides[0].anchors, pieces)
        first, last = place if place is not None else (None, None)
        drawn.append(
            DrawnNode(
                number,
                pair.gold,
                pair.test,
                _STATUS[pair.status],
                tuple(lines),
                first,
                last,
                sides[0].predicate.startswith("_"),
                any(one.is_quantifier for one in sides),
                differs,
                " or ".join(dict.fromkeys(spans_text(one) or "no span" for one in sides)),
            )
        )
    return tuple(drawn)


def _node(graph: SemanticGraph | None, place: int | None) -> SemanticNode | None:
    return None if graph is None or place is None else graph.nodes[place]


def _elsewhere(alignment: GraphAlignment) -> set[str]:
    """Return the predicates that each graph has on characters of its own: their boxes say which."""
    found = {
        status: {
            node.predicate
            for pair in alignment.nodes
            if pair.status == status and (node := _node(graph, getattr(pair, status))) is not None
        }
        for status, graph in (("gold", alignment.gold), ("test", alignment.test))
    }
    return found["gold"] & found["test"]


def _shown(text: str) -> str:
    return shorten(visible(text), _LONGEST)


def _names(pair: NodePair, gold: SemanticNode | None, test: SemanticNode | None) -> list[Line]:
    if gold is not None and test is not None and gold.predicate != test.predicate:
        return [
            Line(_shown(gold.predicate), "deleted", "predicate"),
            Line(_shown(test.predicate), "inserted", "predicate"),
        ]
    one = gold or test
    return [] if one is None else [Line(_shown(one.predicate), _STATUS[pair.status], "predicate")]


def _differing(gold: str | None, test: str | None, kind: str, before: str = "") -> list[Line]:
    """Return the line of a value that the graphs have, or have differently."""
    if gold is not None and test is not None:
        if gold == test:
            return [Line(_shown(gold), "matched", kind, before)]
        return [Line(_shown(gold), "swapped", kind, before, _shown(test))]
    if gold is not None:
        return [Line(_shown(gold), "deleted", kind, before)]
    return [] if test is None else [Line(_shown(test), "inserted", kind, before)]


def _constants(gold: SemanticNode | None, test: SemanticNode | None) -> list[Line]:
    values = [None if one is None or one.constant is None else f"“{one.constant}”" for one in (gold, test)]
    if gold is None or test is None:  # the outline says that it is missing
        return [Line(_shown(value), "matched", "constant") for value in values if value is not None]
    return _differing(values[0], values[1], "constant")


def _top(alignment: GraphAlignment, pair: NodePair) -> list[Line]:
    tops = [
        graph is not None and place is not None and place in graph.tops
        for graph, place in ((alignment.gold, pair.gold), (alignment.test, pair.test))
    ]
    if not any(tops):
        return []
    return [Line("top", "matched" if all(tops) else "deleted" if tops[0] else "inserted", "top")]


def _properties(
    gold_rows: Iterable[TripleRow],
    test_rows: Iterable[TripleRow],
    gold: SemanticNode | None,
    test: SemanticNode | None,
) -> list[Line]:
    """Return a line for every property, in the order of the files."""
    rows = {
        (side, row.label): row
        for side, listed in (("gold", gold_rows), ("test", test_rows))
        for row in listed
        if row.kind == "property" and row.weight
    }
    names = dict.fromkeys(name for one in (gold, test) if one is not None for name, _ in one.properties)
    lines: list[Line] = []
    for name in names:
        one, other = rows.get(("gold", name)), rows.get(("test", name))
        if one is None and other is None:  # the rules do not count it
            continue
        lost = one.value if one is not None and one.status == "gold" else None
        spurious = other.value if other is not None and other.status == "test" else None
        if lost is None and spurious is None:
            known = one or other
            lost = spurious = known.value if known is not None else ""
        lines += _differing(lost, spurious, "property", f"{_shown(name)} ")
    return lines


def _roles(alignment: GraphAlignment, first: int) -> tuple[DrawnRole, ...]:
    """Return the roles; two of different graphs between the same nodes become one."""
    numbers = {
        (side, place): number
        for number, pair in enumerate(alignment.nodes)
        for side, place in (("gold", pair.gold), ("test", pair.test))
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
        found[ends][_STATUS[edge.status]].append(_shown(one.role))
    roles: list[DrawnRole] = []
    for (source, target), listed in found.items():
        pairs = list(zip(listed["deleted"], listed["inserted"], strict=False))
        rows = [("swapped", one, other) for one, other in pairs]
        for status in ("matched", "deleted", "inserted"):
            # where triples are sets, one that is said twice is drawn once
            rest = list(dict.fromkeys(listed[status])) if status == "matched" else listed[status][len(pairs) :]
            rows += [(status, label, "") for label in rest]
        for kind, text, other in rows:
            roles.append(DrawnRole(first + len(roles), source, target, text, kind, other))
    return tuple(roles)


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
