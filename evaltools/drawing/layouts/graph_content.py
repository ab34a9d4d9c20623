"""What is drawn of two semantic graphs: the words of the text, nodes with their lines, roles, and what is left out."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from evaltools.drawing.layouts.tree_grid import FOLD_ABOVE
from evaltools.drawing.measure import shorten, visible
from evaltools.metrics.edm_alignment import GraphAlignment, TripleRow
from evaltools.treebank.semantic_graph import Anchors, SemanticGraph, SemanticNode

__all__ = ["DrawnNode", "DrawnRole", "GraphContent", "NodeLine", "Piece", "content_of", "pieces_of", "place_of"]

_LONGEST, _LONGEST_WORD = 34, 30


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of the text, or a part of one that nodes stand for.

    Parameters
    ----------
    start, end : int
        Its characters.
    text : str
        What is shown.
    full : str
        All of it.
    joined : bool
        Whether no white space comes before it.
    """

    start: int
    end: int
    text: str
    full: str
    joined: bool = False


def pieces_of(text: str, anchors: Iterable[Anchors]) -> tuple[Piece, ...]:
    """Cut a text into words, and words where a node begins or ends within them.

    Examples
    --------
    >>> [piece.text for piece in pieces_of("We cannot go.", [((3, 6),), ((6, 9),), ((10, 12),)])]
    ['We', 'can', 'not', 'go.']
    """
    ranges = sorted({(start, end) for each in anchors for start, end in each if 0 <= start < end})
    if not text.strip():
        return _without_text(ranges)
    pieces: list[Piece] = []
    waiting = 0
    for word in re.finditer(r"\S+", text):
        while waiting < len(ranges) and ranges[waiting][0] < word.start():
            waiting += 1
        inside = []
        for start, end in ranges[waiting:]:
            if start >= word.end():
                break
            if end <= word.end():
                inside.append((start, end))
        pieces += _parts(text, word.start(), word.end(), inside)
    return tuple(pieces)


def _parts(text: str, first: int, last: int, inside: Sequence[tuple[int, int]]) -> list[Piece]:
    """Cut a word where nodes stand for its characters on both sides; punctuation stays with what it clings to."""
    parts = []
    start = first
    for cut in (*sorted({place for each in inside for place in each if first < place < last}), last):
        before = any(start <= low and high <= cut for low, high in inside)
        after = any(cut <= low for low, _ in inside)
        if cut != last and not (before and after and _says(text[start:cut]) and _says(text[cut:last])):
            continue
        parts.append(_piece(start, cut, text[start:cut], joined=start != first))
        start = cut
    return parts


def _says(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _piece(start: int, end: int, text: str, *, joined: bool = False) -> Piece:
    shown = visible(text)
    return Piece(start, end, shorten(shown, _LONGEST_WORD), shown, joined)


def _without_text(ranges: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    """Let the ranges that contain no other stand in for words."""
    pieces = []
    covered = 0
    for start, end in sorted(ranges, key=lambda each: (each[1], -each[0])):
        if start >= covered:
            pieces.append(_piece(start, end, f"{start}–{end}"))
            covered = end
    return tuple(pieces)


def place_of(anchors: Anchors, pieces: Sequence[Piece]) -> tuple[int, int] | None:
    """Return the first and last piece that a node stands for; None for a node without characters."""
    anchors = tuple(each for each in anchors if each[0] >= 0)  # some programs write -1 where there are none
    if not anchors or not pieces:
        return None
    found = [
        place
        for place, piece in enumerate(pieces)
        if any(start < piece.end and piece.start < end for start, end in anchors)
    ]
    if not found:
        at = anchors[0][0]
        found = [min(range(len(pieces)), key=lambda place: abs(pieces[place].start - at))]
    return found[0], found[-1]


@dataclass(frozen=True, slots=True)
class NodeLine:
    """A line of text in the box of a node.

    Parameters
    ----------
    text : str
        What it says.
    status : str
        Name of a status of the palette: ``matched``, ``deleted``, ``inserted`` or ``swapped``.
    kind : {"predicate", "constant", "property", "span", "top"}
        What it is about.
    before : str
        The name of a property.
    other : str
        What the test graph says, where it says something else than `text`.
    """

    text: str
    status: str
    kind: str
    before: str = ""
    other: str = ""

    @property
    def says(self) -> str:
        """The whole line."""
        return f"{self.before}{self.text}{f' ≠ {self.other}' if self.other else ''}"


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node of both graphs, or of one.

    Parameters
    ----------
    number : int
        Its place in the list of what is drawn.
    gold, test : int or None
        The nodes of the two graphs.
    status : str
        Name of a status of the palette.
    lines : tuple of NodeLine
        What stands in its box.
    first, last : int or None
        The first and the last piece of the text that it stands for; None where it has no characters.
    surface : bool
        Whether a word of the text brings it in, and not the grammar.
    quantifier : bool
        Whether it binds another node.
    differs : bool
        Whether the graphs differ in it.
    spans : str
        Its characters, for people.
    """

    number: int
    gold: int | None
    test: int | None
    status: str
    lines: tuple[NodeLine, ...]
    first: int | None
    last: int | None
    surface: bool
    quantifier: bool
    differs: bool
    spans: str

    @property
    def name(self) -> str:
        """The predicate, or both."""
        return " ≠ ".join(line.says for line in self.lines if line.kind == "predicate")


@dataclass(frozen=True, slots=True)
class DrawnRole:
    """A role of both graphs, or of one; or two roles between the same nodes, one of each graph.

    Parameters
    ----------
    number : int
        Its place in that list, after the nodes.
    source, target : int
        Numbers of drawn nodes.
    label : str
        The role.
    status : str
        Name of a status of the palette.
    other : str
        What the test graph calls it, where it calls it otherwise.
    """

    number: int
    source: int
    target: int
    label: str
    status: str
    other: str = ""

    @property
    def says(self) -> str:
        """The role, or both."""
        return f"{self.label} ≠ {self.other}" if self.other else self.label


STATUS = {"matched": "matched", "gold": "deleted", "test": "inserted", "relabelled": "swapped", "moved": "swapped"}
"""The status of the palette for each status of an alignment, and for a node that has other characters."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Nodes that are drawn as one."""

    gold: int | None
    test: int | None
    status: str


def drawn_nodes(alignment: GraphAlignment, pieces: tuple[Piece, ...], properties: str) -> tuple[DrawnNode, ...]:
    """Bring together what is drawn of every node."""
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


def _names(pair: _Pair, gold: SemanticNode | None, test: SemanticNode | None) -> list[NodeLine]:
    if gold is not None and test is not None and pair.status == "relabelled":
        return [
            NodeLine(shown(gold.predicate), "deleted", "predicate"),
            NodeLine(shown(test.predicate), "inserted", "predicate"),
        ]
    status = "matched" if pair.status == "moved" else STATUS[pair.status]
    return [NodeLine(shown(one.predicate), status, "predicate") for one in (gold or test,) if one is not None]


def _spans(pair: _Pair, gold: SemanticNode | None, test: SemanticNode | None, twice: set[str]) -> list[NodeLine]:
    if gold is not None and test is not None:
        same = pair.status != "moved"
        return [] if same else [NodeLine(_bare(gold), "swapped", "span", "", _bare(test))]
    alone = gold or test
    return (
        [] if alone is None or alone.predicate not in twice else [NodeLine(_bare(alone), STATUS[pair.status], "span")]
    )


def _differing(gold: str | None, test: str | None, kind: str, before: str = "") -> list[NodeLine]:
    """Return the line of a value that the graphs have, or have differently."""
    if gold is not None and test is not None:
        if gold == test:
            return [NodeLine(shown(gold), "matched", kind, before)]
        return [NodeLine(shown(gold), "swapped", kind, before, shown(test))]
    if gold is not None:
        return [NodeLine(shown(gold), "deleted", kind, before)]
    return [] if test is None else [NodeLine(shown(test), "inserted", kind, before)]


def _constants(gold: SemanticNode | None, test: SemanticNode | None, *, fold_case: bool) -> list[NodeLine]:
    values = [None if one is None or one.constant is None else f"“{one.constant}”" for one in (gold, test)]
    if fold_case and None not in values and len({str(value).lower() for value in values}) == 1:
        values[1] = values[0]
    if gold is None or test is None:  # the outline says that it is missing
        return [NodeLine(shown(value), "matched", "constant") for value in values if value is not None]
    return _differing(values[0], values[1], "constant")


def _top(alignment: GraphAlignment, pair: _Pair) -> list[NodeLine]:
    tops = [
        graph is not None and place is not None and place in graph.tops
        for graph, place in ((alignment.gold, pair.gold), (alignment.test, pair.test))
    ]
    if not any(tops):
        return []
    return [NodeLine("top", "matched" if all(tops) else "deleted" if tops[0] else "inserted", "top")]


def _properties(
    gold_rows: Iterable[TripleRow],
    test_rows: Iterable[TripleRow],
    gold: SemanticNode | None,
    test: SemanticNode | None,
) -> list[NodeLine]:
    """Return a line for every property, in the order of the files."""
    rows = {
        (side, row.label): row
        for side, listed in (("gold", gold_rows), ("test", test_rows))
        for row in listed
        if row.kind == "property" and row.weight
    }
    names = dict.fromkeys(name for one in (gold, test) if one is not None for name, _ in one.properties)
    lines: list[NodeLine] = []
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
    """Bring together what there is to draw of two graphs."""
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
