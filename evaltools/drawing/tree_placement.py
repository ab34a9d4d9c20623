"""The mirrored layout: gold above, test below, the words in one shared row between them.

Both trees share columns, so that equal spans are over one another. A node is over the middle of its columns, which
keeps the labels of a row apart and off the edges. Mapped nodes are in matching rows above and below. Words that differ
are in two rows, aligned ones in common columns. Links between the trees run through the gaps between columns, so that
they cross no label and no word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, pairwise
from typing import NamedTuple

from evaltools.corpus import Kind, Tree
from evaltools.drawing.measure import is_right_to_left, text_width, visible
from evaltools.drawing.scene import Box, Point
from evaltools.drawing.tree_grid import (
    FOLD_ABOVE,
    GAP,
    MARGIN,
    WORD_SIZE,
    Grid,
    NodeKey,
    Side,
    assign_levels,
    folded_roots,
    folded_words,
    identical_subtrees,
    keys_of,
    partners,
)
from evaltools.frameworks.constituency.aligned_trees import (
    Alignment,
    WordLink,
    WordMatch,
    aligns_words,
    drawn_mapping,
    one_to_one,
    placed_links,
    word_columns,
)
from evaltools.frameworks.constituency.aligned_trees import Mapping as TreeMapping
from evaltools.marks import Status
from evaltools.text import join_words


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A phrase or preterminal with its position."""

    side: str  # The tree it belongs to
    node: int  # Its number in that tree
    status: Status  # Its status in the mapping
    partner: int | None  # The node of the other tree it is mapped or moved to
    parent: int | None
    kind: Kind  # Phrase or preterminal
    label: str  # The label, shortened, without the mark
    box: Box
    level: int  # Its row, counted from the words
    hidden: tuple[int, ...] = ()  # Nodes folded into the triangle under this one; empty for other nodes
    fold: int | None = None  # Gold node by which this node is folded and unfolded, None if it cannot be
    triangle: tuple[Point, ...] = ()  # Corners of the triangle, empty for other nodes


class CellWord(NamedTuple):
    """A word of one tree."""

    side: str
    node: int
    status: Status
    partner: int | None  # Its partner in the other tree


@dataclass(frozen=True, slots=True)
class WordCell:
    """A word, or the words of a triangle, in its column."""

    text: str  # Shortened
    full: str
    box: Box
    words: tuple[CellWord, ...] = ()  # The word in each tree that has it here; none for a triangle
    # Position in the gold tree of the word, or of the word that a test word is compared with; None for several words.
    position: int | None = None
    fold: int | None = None  # Gold node of the triangle these words belong to
    hidden: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # Word nodes of a triangle's words, by side


@dataclass(frozen=True, slots=True)
class Edge:
    """The elbow from a parent to one child."""

    side: str
    child: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """The line between a relabeled pair, or from a moved subtree to its new position."""

    status: Status
    gold: int
    test: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """The line between two words that are aligned with each other."""

    how: WordMatch  # How they are aligned
    gold: int  # The word nodes
    test: int
    characters: int  # How many characters they share in the alignment
    points: tuple[Point, Point]  # The line, from the gold word down to the test word


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions of all parts of a drawing; the origin is at the upper left."""

    width: float  # Size in pixels
    height: float
    nodes: tuple[PlacedNode, ...]
    words: tuple[WordCell, ...]
    edges: tuple[Edge, ...]
    links: tuple[Link, ...]
    middle: float  # Height of the words (of the gap between them, where there are two rows)
    ties: tuple[Tie, ...] = ()  # Lines between aligned words, where there are two rows
    # Lines along words that are aligned with several words, over all their columns.
    braces: tuple[tuple[Point, Point], ...] = ()
    bridges: tuple[Edge, ...] = ()  # Where an edge passes over one of another phrase: the short line across it


def triangle_box(corners: tuple[Point, ...]) -> Box:
    """Return the smallest box around a triangle."""
    left, right = (side(x for x, _ in corners) for side in (min, max))
    top, bottom = (side(y for _, y in corners) for side in (min, max))
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


_PITCH, _COMPACT_PITCH = 34.0, 26.0  # between rows
_HEIGHT = {Kind.PHRASE: 20.0, Kind.PRETERMINAL: 17.0}
_WORD_HEIGHT = 22.0
_ROWS_APART = 50.0  # between the two rows of words, where they differ
_BESIDE = 6.0  # between a link of two words and the line that ties them
_LANE = 9.0  # room kept for links above the words


def layout_alignment(
    alignment: Alignment,
    mapping: str = "t",
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    *,
    compact: bool = False,
) -> Layout:
    """Place two aligned trees, with little room between rows if compact."""
    gold, test, chosen = alignment.gold, alignment.test, drawn_mapping(alignment, mapping)
    columns = word_columns(alignment)
    identical: dict[int, int] = {}
    folded: set[int] = set()
    if max(len(gold.words), len(test.words)) > FOLD_ABOVE if fold is None else fold:
        identical = identical_subtrees(gold, test, chosen, one_to_one(columns))
        folded = folded_roots(gold, identical, unfolded)
    keys = keys_of(columns)
    sides = Side("gold", gold, folded, keys[0]), Side("test", test, {identical[node] for node in folded}, keys[1])
    pitch = _COMPACT_PITCH if compact else _PITCH
    return _Placer(sides, alignment, chosen, identical, pitch).layout()


def layout_tree(tree: Tree, *, compact: bool = False, statuses: Sequence[Status] = ()) -> Layout:
    """Place a single tree above its words; without statuses, all nodes are right."""
    nothing = Tree((), (), (), (), ())
    status = tuple(statuses) or (Status.RIGHT,) * len(tree)
    mapping = TreeMapping("e", (), status, (), (), ())
    alignment = Alignment(tree, nothing, mapping, mapping, (), (), (), "ok", {}, {})
    return layout_alignment(alignment, "e", fold=False, compact=compact)


def _unmarked(statuses: Sequence[Status | None]) -> tuple[Status, ...]:
    """Return statuses in which nodes that do not count look like right ones."""
    return tuple(Status.RIGHT if status is None else status for status in statuses)


class _Placer:
    """Computes one layout, step by step."""

    def __init__(
        self,
        sides: tuple[Side, Side],
        alignment: Alignment,
        mapping: TreeMapping,
        identical: dict[int, int],
        pitch: float,
    ):
        self.sides = sides
        self.alignment = alignment
        self.mapping = mapping
        self.identical = identical
        self.pitch = pitch
        self.back = {test: gold for gold, test in identical.items()}
        same = alignment.gold.words == alignment.test.words and not aligns_words(alignment)
        self.one_row = same or not len(alignment.test)
        self.status = {"gold": _unmarked(mapping.gold_status), "test": _unmarked(mapping.test_status)}
        forth, back = partners(alignment, mapping)
        self.partner = {"gold": forth, "test": back}
        self.grid = Grid(sides, self.status, is_right_to_left(alignment.gold.words or alignment.test.words))
        self.compared = {word.test_position: word.position for word in reversed(alignment.words)}
        self.linked = [
            (Status.RELABELED, g, t) for g, t in mapping.pairs if mapping.gold_status[g] is Status.RELABELED
        ] + [(Status.MOVED, g, t) for g, t in mapping.moves]

    def layout(self) -> Layout:
        """Return the finished layout."""
        self._levels()
        self._heights()
        nodes = [self._node(side, node) for side in self.sides for node in side.inner]
        boxes = {(node.side, node.node): node.box for node in nodes}
        words = self._words()
        edges = [edge for side in self.sides for edge in self._edges(side, boxes)]
        ties, braces = self._ties()
        self.tied = {(tie.gold, tie.test) for tie in ties}
        lines = [*(edge.points for edge in edges), *(tie.points for tie in ties), *braces]
        return Layout(
            self.grid.width,
            self.height,
            tuple(nodes),
            tuple(words),
            tuple(edges),
            tuple(self._links(nodes, words, lines, boxes)),
            self.middle,
            tuple(ties),
            tuple(braces),
            tuple(bridge for side in self.sides for bridge in _bridges(side, edges)),
        )

    def _levels(self) -> None:
        minimum: dict[NodeKey, int] = {}
        children: dict[NodeKey, tuple[NodeKey, ...]] = {}
        for side in self.sides:
            for node in side.inner:
                minimum[side.name, node] = 2 if node in side.folded else 1
                below = (child for child in side.drawn_children(node) if side.tree.kinds[child] is not Kind.WORD)
                children[side.name, node] = tuple((side.name, child) for child in below)
        mates: dict[NodeKey, NodeKey] = {}
        for gold, test in self.mapping.pairs:
            first, second = ("gold", gold), ("test", test)
            alike = self.sides[0].tree.kinds[gold] is self.sides[1].tree.kinds[test]
            if alike and first in minimum and second in minimum:
                mates[first], mates[second] = second, first
        self.level = assign_levels(minimum, children, mates)
        while raised := self._too_low():
            minimum |= {key: self.level[key] + 1 for key in raised}
            self.level = assign_levels(minimum, children, mates)

    def _too_low(self) -> list[NodeKey]:
        """Return a phrase with gaps that is in the row of another one, so that lines to their children would meet."""
        for side in self.sides:
            if side.tree.is_continuous:
                continue
            rows: dict[int, list[tuple[float, float, int]]] = defaultdict(list)
            for node in side.inner:
                xs = [sum(self.grid.extent(side.name, at)) / 2 for at in (node, *side.drawn_children(node))]
                rows[self.level[side.name, node]].append((min(xs), max(xs), node))
            for row in rows.values():
                for (first, last, node), (start, end, other) in combinations(sorted(row), 2):
                    if start < last + GAP and max(first, start) < min(last, end) + GAP:
                        wider = max((last - first, node), (end - start, other))[1]
                        if side.tree.has_gap(node) or side.tree.has_gap(other):
                            return [(side.name, wider)]
        return []

    def _heights(self) -> None:
        lane = _LANE if self.linked else 0.0
        low = any(
            self.level[side.name, node] == 1 and side.tree.kinds[node] is Kind.PHRASE and side.drawn_children(node)
            for side in self.sides
            for node in side.inner
        )
        lowest = _HEIGHT[Kind.PHRASE] + 10 if low else _HEIGHT[Kind.PRETERMINAL]  # a phrase needs room for its bar
        self.first = (_WORD_HEIGHT + lowest) / 2 + 6 + lane
        rows = {side.name: max((self.level[side.name, n] for n in side.inner), default=0) for side in self.sides}
        room = {
            name: (self.first + (top - 1) * self.pitch + _HEIGHT[Kind.PHRASE] / 2 if top else _WORD_HEIGHT / 2) + MARGIN
            for name, top in rows.items()
        }
        apart = 0.0 if self.one_row else _ROWS_APART
        self.word_y = {"gold": room["gold"], "test": room["gold"] + apart}
        self.middle = room["gold"] + apart / 2
        self.height = room["gold"] + apart + room["test"]

    def _y(self, side: str, level: int) -> float:
        distance = self.first + (level - 1) * self.pitch
        return self.word_y[side] + (-distance if side == "gold" else distance)

    def _node(self, side: Side, node: int) -> PlacedNode:
        tree, name = side.tree, side.name
        left, right = self.grid.extent(name, node)
        level = self.level[name, node]
        box = Box((left + right) / 2, self._y(name, level), self.grid.text_width[name, node], _HEIGHT[tree.kinds[node]])
        triangle: tuple[Point, ...] = ()
        if node in side.folded:
            inward = 1 if name == "gold" else -1
            base = self.word_y[name] - inward * (_WORD_HEIGHT / 2 + 1)
            triangle = (
                (box.x, box.y + inward * (box.height / 2 + 1)),
                (left + GAP / 2, base),
                (right - GAP / 2, base),
            )
        gold = node if name == "gold" else self.back.get(node)
        start, end = tree.span(node)
        can_fold = gold in self.identical and tree.kinds[node] is Kind.PHRASE and end - start > 1
        can_fold = can_fold and not tree.has_gap(node)
        parent = tree.parents[node]
        return PlacedNode(
            name,
            node,
            self.status[name][node],
            self.partner[name].get(node),
            parent if parent >= 0 else None,
            tree.kinds[node],
            self.grid.text[name, node],
            box,
            level,
            side.hidden(node),
            gold if can_fold else None,
            triangle,
        )

    def _words(self) -> list[WordCell]:
        cells: list[WordCell] = []
        drawn: set[NodeKey] = set()
        for column in self.grid.columns:
            here: dict[str, int] = {}
            for side, node in zip(self.sides, column, strict=True):
                # a word joined to several is in several columns
                if (
                    node is not None
                    and side.tree.ends[node] > side.tree.starts[node]
                    and (side.name, node) not in drawn
                ):
                    here[side.name] = node
            drawn |= here.items()
            rows = [here] if self.one_row else [{name: node} for name, node in here.items()]
            cells += [self._cell(row) for row in rows if row]
        return cells

    def _cell(self, here: dict[str, int]) -> WordCell:
        name, node = next(iter(here.items()))
        side = self.sides[0] if name == "gold" else self.sides[1]
        x, y = sum(self.grid.extent(name, node)) / 2, self.word_y[name]
        if node in side.folded:
            words = folded_words(side, node)
            text = join_words(words)
            hidden = {
                part.name: tuple(n for n in part.hidden(here[part.name]) if part.tree.kinds[n] is Kind.WORD)
                for part in self.sides
                if part.name in here
            }
            box = Box(x, y, text_width(text, WORD_SIZE) + 8, _WORD_HEIGHT)
            return WordCell(text, " ".join(words), box, fold=node if name == "gold" else self.back[node], hidden=hidden)
        start = side.tree.first(node)
        return WordCell(
            self.grid.text[name, node],
            visible(side.tree.labels[node]),
            Box(x, y, max(self.grid.text_width[key] for key in here.items()), _WORD_HEIGHT),
            tuple(CellWord(at, n, self.status[at][n], self.partner[at].get(n)) for at, n in here.items()),
            start if name == "gold" else self.compared.get(start),
        )

    def _edges(self, side: Side, boxes: dict[NodeKey, Box]) -> list[Edge]:
        inward = 1 if side.name == "gold" else -1
        edges: list[Edge] = []
        for parent in side.inner:
            above = boxes[side.name, parent]
            foot = above.y + inward * above.height / 2
            for child in side.drawn_children(parent):
                if side.tree.kinds[child] is Kind.WORD:
                    left, right = self.grid.extent(side.name, child)
                    below = Box((left + right) / 2, self.word_y[side.name], 0, _WORD_HEIGHT)
                else:
                    below = boxes[side.name, child]
                head = below.y - inward * below.height / 2
                bar = foot + inward * 5
                if abs(below.x - above.x) < 0.01:
                    points: tuple[Point, ...] = ((above.x, foot), (above.x, head))
                else:
                    points = ((above.x, foot), (above.x, bar), (below.x, bar), (below.x, head))
                edges.append(Edge(side.name, child, points))
        return edges

    def _ties(self) -> tuple[list[Tie], list[tuple[Point, Point]]]:
        """Return lines between aligned words, and lines along words that are aligned with several."""
        links = {(link.gold, link.test): link for link in placed_links(self.alignment)}
        joined: list[tuple[int, int, int, WordLink]] = []
        positions: dict[NodeKey, list[float]] = defaultdict(list)
        for index, (gold, test) in enumerate(self.grid.columns if links else ()):
            if gold is None or test is None:
                continue
            upper, lower = (side.tree for side in self.sides)
            link = links.get((upper.first(gold), lower.first(test)))
            words = upper.kinds[gold] is lower.kinds[test] is Kind.WORD
            if link is not None and (words or gold in self.sides[0].folded):
                joined.append((index, gold, test, link))
                for key in (("gold", gold), ("test", test)):
                    positions[key].append(self.grid.middle(index))
        edge = {name: y + (1 if name == "gold" else -1) * (_WORD_HEIGHT / 2 + 2) for name, y in self.word_y.items()}
        ties = []
        for index, gold, test, link in joined:
            x = self.grid.middle(index)
            ties.append(Tie(link.how, gold, test, link.characters, ((x, edge["gold"]), (x, edge["test"]))))
        braces = [((min(xs), edge[side]), (max(xs), edge[side])) for (side, _), xs in positions.items() if len(xs) > 1]
        return ties, braces

    def _links(
        self,
        nodes: list[PlacedNode],
        words: list[WordCell],
        lines: list[tuple[Point, ...]],
        boxes: dict[NodeKey, Box],
    ) -> list[Link]:
        cells = {(word.side, word.node): cell.box for cell in words for word in cell.words}
        obstacles = [node.box for node in nodes] + [cell.box for cell in words]
        obstacles += [triangle_box(node.triangle) for node in nodes if node.triangle]
        lane = self.word_y["gold"] - _WORD_HEIGHT / 2 - _LANE / 2 - 1
        router = Router(obstacles, lines, self.grid.borders, lane)
        links: list[Link] = []
        by_level = sorted(self.linked, key=lambda link: (self.level.get(("gold", link[1]), 0), link))
        for status, gold, test in by_level:
            upper = boxes.get(("gold", gold)) or cells[("gold", gold)]
            lower = boxes.get(("test", test)) or cells[("test", test)]
            if upper is lower:
                continue
            if upper.y == lower.y:
                points: tuple[Point, ...] = (
                    (upper.x, upper.top),
                    (upper.x, lane),
                    (lower.x, lane),
                    (lower.x, lower.top),
                )
            elif ("gold", gold) in cells and ("test", test) in cells:
                aside = _BESIDE if (gold, test) in self.tied else 0.0
                points = ((upper.x + aside, upper.bottom), (lower.x + aside, lower.top))
            else:
                points = router.route(upper, lower)
            links.append(Link(status, gold, test, points))
        return links


_BRIDGE = 4.0  # pixels of an edge before and after the line that it passes over


def _bridges(side: Side, edges: Sequence[Edge]) -> Iterator[Edge]:
    """Yield the short lines with which upright lines pass over level lines of other phrases."""
    if side.tree.is_continuous:
        return
    own = [edge for edge in edges if edge.side == side.name]
    parents = side.tree.parents
    for upright in own:
        (x, y0), (_, y1) = upright.points[-2:]
        for level in own:
            if len(level.points) < 4 or parents[level.child] == parents[upright.child]:
                continue
            (left, y), (right, _) = level.points[1:3]
            if min(left, right) < x < max(left, right) and min(y0, y1) < y < max(y0, y1):
                yield Edge(side.name, upright.child, ((x, y - _BRIDGE), (x, y + _BRIDGE)))


_OFFSETS = (0.0, 4.0, -4.0)
_CLEAR = 3.0  # pixels between a link and a label
_APART = 3.5  # pixels between a link and a line that runs beside it


class Router:
    """Routes links from the upper tree to the lower one."""

    def __init__(self, boxes: Iterable[Box], lines: Iterable[Sequence[Point]], gaps: Sequence[float], lane: float):
        self.boxes = list(boxes)
        self.gaps = [gap + offset for gap in gaps for offset in _OFFSETS]
        self.lane = lane
        self.upright: list[tuple[float, float, float]] = []
        self.level: list[tuple[float, float, float]] = []
        for line in lines:
            self._occupy(line)

    def _occupy(self, line: Sequence[Point]) -> None:
        for (x0, y0), (x1, y1) in pairwise(line):
            if x0 == x1:
                self.upright.append((x0, min(y0, y1), max(y0, y1)))
            elif y0 == y1:
                self.level.append((y0, min(x0, x1), max(x0, x1)))

    def route(self, start: Box, end: Box) -> tuple[Point, ...]:
        """Return the corners of a link from a label of the upper tree to a label of the lower one."""
        # The shortest free route through one gap; without one, a route down through one gap, along the free row above
        # the words, and on through another gap.
        direct = sorted(self.gaps, key=lambda x: (abs(x - start.x) + abs(x - end.x), x))
        for x in direct:
            if self._free(x, start.y, end.y, start, end) and self._reachable(x, start) and self._reachable(x, end):
                return self._keep(self._path(start, end, x, x))
        above = self._gaps_at(start, self.lane, start, end)
        below = self._gaps_at(end, self.lane, start, end)
        best = min(
            ((first, second) for first in above for second in below),
            key=lambda route: abs(route[0] - start.x) + abs(route[0] - route[1]) + abs(route[1] - end.x),
            default=(min(self.gaps), min(self.gaps)),
        )
        return self._keep(self._path(start, end, *best))

    def _gaps_at(self, box: Box, lane: float, start: Box, end: Box) -> list[float]:
        nearest = sorted(self.gaps, key=lambda x: abs(x - box.x))
        free = (x for x in nearest if self._free(x, box.y, lane, start, end) and self._reachable(x, box))
        return list(islice(free, 12))

    def _free(self, x: float, y0: float, y1: float, start: Box, end: Box) -> bool:
        top, bottom = min(y0, y1), max(y0, y1)
        for box in self.boxes:
            inside = box.left - _CLEAR < x < box.right + _CLEAR and box.top < bottom and top < box.bottom
            if inside and box is not start and box is not end:
                return False
        return not any(abs(x - at) < _APART and low < bottom and top < high for at, low, high in self.upright)

    def _reachable(self, x: float, box: Box) -> bool:
        if box.left <= x <= box.right:
            return box.left + 3 <= x <= box.right - 3
        left, right = min(x, box.x), max(x, box.x)
        for obstacle in self.boxes:
            beside = obstacle is not box and obstacle.top - 1 < box.y < obstacle.bottom + 1
            if beside and obstacle.left - _CLEAR < right and left < obstacle.right + _CLEAR:
                return False
        return not any(abs(box.y - at) < _APART and low < right and left < high for at, low, high in self.level)

    def _path(self, start: Box, end: Box, first: float, second: float) -> tuple[Point, ...]:
        points: list[Point] = []
        if start.left <= first <= start.right:
            points.append((first, start.bottom))
        else:
            points += [(start.right if first > start.x else start.left, start.y), (first, start.y)]
        if first != second:
            points += [(first, self.lane), (second, self.lane)]
        if end.left <= second <= end.right:
            points.append((second, end.top))
        else:
            points += [(second, end.y), (end.right if second > end.x else end.left, end.y)]
        return tuple(points)

    def _keep(self, points: tuple[Point, ...]) -> tuple[Point, ...]:
        self._occupy(points)
        return points
