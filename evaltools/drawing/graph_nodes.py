"""The nodes of a drawing of two semantic graphs, and what stands in their boxes."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass

from evaltools.drawing.graph_pieces import Piece, place_of
from evaltools.drawing.graph_shapes import DrawnNode, Line
from evaltools.drawing.measure import shorten, visible
from evaltools.metrics.edm_alignment import GraphAlignment, TripleRow
from evaltools.treebank.semantic_graph import SemanticGraph, SemanticNode

__all__ = ["STATUS", "drawn_nodes", "shown", "spans_text"]

STATUS = {"matched": "matched", "gold": "deleted", "test": "inserted", "relabelled": "swapped", "moved": "swapped"}
"""The status of the palette for each status of an alignment, and for a node that has other characters."""

_LONGEST = 34


@dataclass(frozen=True, slots=True)
class _Pair:
    """Nodes that are drawn as one."""

    gold: int | None
    test: int | None
    status: str


def drawn_nodes(alignment: GraphAlignment, pieces: tuple[Piece, ...], properties: str) -> tuple[DrawnNode, ...]:
    """Bring together what is drawn of every node.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs and what they share.
    pieces : tuple of Piece
        The words of the text.
    properties : {"differing", "all", "none"}
        Which properties stand in the boxes.
    """
    by_side: dict[tuple[str, int], list[TripleRow]] = defaultdict(list)
    for triple in alignment.triples:
        if triple.status != "test" and triple.gold_node is not None:
            by_side["gold", triple.gold_node].append(triple)
        if triple.status != "gold" and triple.test_node is not None:
            by_side["test", triple.test_node].append(triple)
    pairs = _pairs(alignment, pieces)
    twice = _elsewhere(alignment, pairs)
    drawn = []
    for number, pair in enumerate(pairs):
        gold, test = _node(alignment.gold, pair.gold), _node(alignment.test, pair.test)
        sides = [one for one in (gold, test) if one is not None]
        about = {
            side: by_side[side, place] if place is not None else []
            for side, place in (("gold", pair.gold), ("test", pair.test))
        }
        lines = [*_names(pair, gold, test), *_constants(gold, test, fold_case=alignment.rules.fold_case)]
        lines += [*_spans(pair, gold, test, twice), *_top(alignment, pair)]
        listed = _properties(about["gold"], about["test"], gold, test)
        if len(sides) == 1 and properties == "differing":
            listed = []  # all of them are lost, as the outline says
        lines += [line for line in listed if properties == "all" or (properties != "none" and line.status != "matched")]
        differs = pair.status != "matched" or any(line.status != "matched" for line in [*lines, *listed])
        first, last = place_of(sides[0].anchors, pieces) or (None, None)
        drawn.append(
            DrawnNode(
                number,
                pair.gold,
                pair.test,
                STATUS[pair.status],
                tuple(lines),
                first,
                last,
                sides[0].predicate.startswith("_"),
                any(one.is_quantifier for one in sides),
                differs,
                " or ".join(dict.fromkeys(spans_text(one) for one in sides)),
            )
        )
    return tuple(drawn)


def spans_text(node: SemanticNode) -> str:
    """Return a node's characters as the formats write them.

    Examples
    --------
    >>> spans_text(SemanticNode("x", "named", ((0, 3), (7, 9))))
    '<0:3> <7:9>'
    """
    return " ".join(f"<{start}:{end}>" for start, end in node.anchors) or "no span"


def _bare(node: SemanticNode) -> str:
    return shown(spans_text(node).replace("<", "").replace(">", ""))


def shown(text: str) -> str:
    """Return a text as it stands in a drawing: not too long, and nothing in it invisible."""
    return shorten(visible(text), _LONGEST)


def _node(graph: SemanticGraph | None, place: int | None) -> SemanticNode | None:
    return None if graph is None or place is None else graph.nodes[place]


def _pairs(alignment: GraphAlignment, pieces: tuple[Piece, ...]) -> list[_Pair]:
    """Return the alignment's pairs; nodes alike that differ in characters of the same words become one."""

    def key(graph: SemanticGraph | None, place: int) -> object:
        assert graph is not None
        node = graph.nodes[place]
        return place_of(node.anchors, pieces), node.predicate, node.constant

    waiting: defaultdict[object, deque[int]] = defaultdict(deque)
    for pair in alignment.nodes:
        if pair.gold is None and pair.test is not None:
            waiting[key(alignment.test, pair.test)].append(pair.test)
    pairs, taken = [], set()
    for pair in alignment.nodes:
        if pair.test is None and pair.gold is not None and waiting[alike := key(alignment.gold, pair.gold)]:
            other = waiting[alike].popleft()
            taken.add(other)
            pairs.append(_Pair(pair.gold, other, "moved"))
        else:
            pairs.append(_Pair(pair.gold, pair.test, pair.status))
    return [pair for pair in pairs if pair.gold is not None or pair.test not in taken]


def _elsewhere(alignment: GraphAlignment, pairs: Iterable[_Pair]) -> set[str]:
    """Return the predicates that each graph has on words of its own: their boxes say which."""
    found: dict[str, set[str]] = {"gold": set(), "test": set()}
    for pair in pairs:
        if pair.status in found:
            node = _node(alignment.gold, pair.gold) or _node(alignment.test, pair.test)
            found[pair.status] |= {node.predicate} if node is not None else set()
    return found["gold"] & found["test"]


def _names(pair: _Pair, gold: SemanticNode | None, test: SemanticNode | None) -> list[Line]:
    if gold is not None and test is not None and pair.status == "relabelled":
        return [
            Line(shown(gold.predicate), "deleted", "predicate"),
            Line(shown(test.predicate), "inserted", "predicate"),
        ]
    status = "matched" if pair.status == "moved" else STATUS[pair.status]
    return [Line(shown(one.predicate), status, "predicate") for one in (gold or test,) if one is not None]


def _spans(pair: _Pair, gold: SemanticNode | None, test: SemanticNode | None, twice: set[str]) -> list[Line]:
    if gold is not None and test is not None:
        same = pair.status != "moved"
        return [] if same else [Line(_bare(gold), "swapped", "span", "", _bare(test))]
    alone = gold or test
    return [] if alone is None or alone.predicate not in twice else [Line(_bare(alone), STATUS[pair.status], "span")]


def _differing(gold: str | None, test: str | None, kind: str, before: str = "") -> list[Line]:
    """Return the line of a value that the graphs have, or have differently."""
    if gold is not None and test is not None:
        if gold == test:
            return [Line(shown(gold), "matched", kind, before)]
        return [Line(shown(gold), "swapped", kind, before, shown(test))]
    if gold is not None:
        return [Line(shown(gold), "deleted", kind, before)]
    return [] if test is None else [Line(shown(test), "inserted", kind, before)]


def _constants(gold: SemanticNode | None, test: SemanticNode | None, *, fold_case: bool) -> list[Line]:
    values = [None if one is None or one.constant is None else f"“{one.constant}”" for one in (gold, test)]
    if fold_case and None not in values and len({str(value).lower() for value in values}) == 1:
        values[1] = values[0]
    if gold is None or test is None:  # the outline says that it is missing
        return [Line(shown(value), "matched", "constant") for value in values if value is not None]
    return _differing(values[0], values[1], "constant")


def _top(alignment: GraphAlignment, pair: _Pair) -> list[Line]:
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
        lines += _differing(lost, spurious, "property", f"{shown(name)} ")
    return lines
