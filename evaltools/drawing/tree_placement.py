"""The mirrored layout: gold above, test below, the words in one shared row between them.

Both trees share columns, so that equal spans are over one another. A node is over the middle of its columns, which
keeps the labels of a row apart and off the edges. Mapped nodes are in matching rows above and below. Words that differ
are in two rows, aligned ones in common columns. Links between the trees run through the gaps between columns, so that
they cross no label and no word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from typing import Generic, TypeVar

from evaltools.corpus import Kind, Tree
from evaltools.drawing.measure import is_right_to_left, text_width
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
    identical_subtrees,
    keys_of,
    partners,
)
from evaltools.frameworks.constituency.aligned_trees import (
    Alignment,
    WordLink,
    aligns_words,
    drawn_mapping,
    one_to_one,
    placed_links,
    word_columns,
)
from evaltools.marks import Status
from evaltools.text import join_words

Points = tuple[Point, ...]
What = TypeVar("What", Status, WordLink)


@dataclass(frozen=True, slots=True)
class Bond(Generic[What]):
    """A line between a node of the gold tree and one of the test tree."""

    what: What  # The status of a relabeled or moved pair, or how two words are aligned
    gold: int
    test: int
    points: Points


@dataclass(frozen=True, slots=True)
class Cell:
    """A word, or the words of a triangle, in its column."""

    nodes: Mapping[str, int]  # By side: a word of the tree, or the root of the triangle
    text: str  # Shortened
    box: Box


_PITCH, _COMPACT_PITCH = 34.0, 26.0  # between rows
_HEIGHT = {Kind.PHRASE: 20.0, Kind.PRETERMINAL: 17.0}
_WORD_HEIGHT = 22.0
_ROWS_APART = 50.0  # between the two rows of words, where they differ
_BESIDE = 6.0  # between a link of two words and the line that ties them
_LANE = 9.0  # room kept for links above the words
_BRIDGE = 4.0  # of an edge before and after the line that it passes over


def layout_alignment(
    alignment: Alignment,
    mapping: str = "t",
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    *,
    compact: bool = False,
) -> Layout:
    """Place two aligned trees, with little room between rows if compact."""
    gold, test, drawn = alignment.gold, alignment.test, drawn_mapping(alignment, mapping)
    columns = word_columns(alignment)
    identical: dict[int, int] = {}
    folded: set[int] = set()
    if max(len(gold.words), len(test.words)) > FOLD_ABOVE if fold is None else fold:
        identical = identical_subtrees(gold, test, drawn, one_to_one(columns))
        folded = folded_roots(gold, identical, unfolded)
    keys, (forth, back) = keys_of(columns), partners(alignment, drawn)
    upper = Side("gold", gold, drawn.gold_status, folded, keys[0], forth, {node: node for node in identical})
    folds = {partner: node for node, partner in identical.items()}
    lower = Side("test", test, drawn.test_status, {identical[node] for node in folded}, keys[1], back, folds)
    linked = [(Status.RELABELED, g, t) for g, t in drawn.pairs if drawn.gold_status[g] is Status.RELABELED]
    linked += [(Status.MOVED, g, t) for g, t in drawn.moves]
    two_rows = bool(len(test)) and (gold.words != test.words or aligns_words(alignment))
    return Layout((upper, lower), drawn.pairs, linked, placed_links(alignment), two_rows=two_rows, compact=compact)


def layout_tree(tree: Tree, *, compact: bool = False, statuses: Sequence[Status] = (), side: str = "gold") -> Layout:
    """Place a single tree above its words; without statuses, all nodes are right."""
    upper = Side(side, tree, tuple(statuses) or (Status.RIGHT,) * len(tree))
    nothing = Side("test" if side == "gold" else "gold", Tree((), (), (), (), ()), ())
    return Layout((upper, nothing), compact=compact)


class Layout:
    """Positions of all parts of a picture of trees; the origin is at the upper left.

    Parameters
    ----------
    sides : tuple of Side
        The tree above the words and the one below them.
    pairs : sequence of (int, int)
        Mapped nodes, which are in matching rows.
    linked : sequence of (Status, int, int)
        Relabeled and moved nodes, which lines join.
    word_links : sequence of WordLink
        Aligned words, where they differ.
    two_rows : bool
        Whether each tree has a row of words of its own.
    compact : bool
        Whether rows are closer together.
    """

    def __init__(
        self,
        sides: tuple[Side, Side],
        pairs: Sequence[tuple[int, int]] = (),
        linked: Sequence[tuple[Status, int, int]] = (),
        word_links: Sequence[WordLink] = (),
        *,
        two_rows: bool = False,
        compact: bool = False,
    ) -> None:
        self.sides, self.two_rows = sides, two_rows
        self.pitch = _COMPACT_PITCH if compact else _PITCH
        words = sides[0].tree.words or sides[1].tree.words
        self.grid = Grid(sides, right_to_left=is_right_to_left(words))
        self.width = self.grid.width
        self.levels = self._levels(pairs)  # Rows, counted from the words
        self._set_heights(lane=_LANE if linked else 0.0)
        self.boxes = {(side.name, node): self._box(side, node) for side in sides for node in side.inner}
        self.cells = list(self._cells())
        self.triangles = {
            (side.name, node): self._triangle(side, node)
            for side in sides
            for node in side.inner
            if node in side.folded
        }
        self.edges = {key: points for side in sides for key, points in self._edges(side)}  # By the child
        self.bridges = [bridge for side in sides for bridge in self._bridges(side)]
        self.ties, self.braces = self._ties({(link.gold, link.test): link for link in word_links})
        self.links = list(self._links(linked))

    def inward(self, side: Side) -> int:
        """Return the direction from a tree to the words: 1 is down."""
        return 1 if side is self.sides[0] else -1

    # -------------------------------------------------------------------------------------------------------- rows

    def _levels(self, pairs: Sequence[tuple[int, int]]) -> dict[NodeKey, int]:
        minimum: dict[NodeKey, int] = {}
        children: dict[NodeKey, tuple[NodeKey, ...]] = {}
        for side in self.sides:
            for node in side.inner:
                minimum[side.name, node] = 2 if node in side.folded else 1
                below = (child for child in side.drawn_children(node) if side.tree.kinds[child] is not Kind.WORD)
                children[side.name, node] = tuple((side.name, child) for child in below)
        mates: dict[NodeKey, NodeKey] = {}
        for gold, test in pairs:
            first, second = ("gold", gold), ("test", test)
            alike = self.sides[0].tree.kinds[gold] is self.sides[1].tree.kinds[test]
            if alike and first in minimum and second in minimum:
                mates[first], mates[second] = second, first
        levels = assign_levels(minimum, children, mates)
        while (raised := self._too_low(levels)) is not None:
            minimum[raised] = levels[raised] + 1
            levels = assign_levels(minimum, children, mates)
        return levels

    def _too_low(self, levels: Mapping[NodeKey, int]) -> NodeKey | None:
        """Return a phrase with gaps that is in the row of another one, so that lines to their children would meet."""
        for side in self.sides:
            if side.tree.is_continuous:
                continue
            rows: dict[int, list[tuple[float, float, int]]] = defaultdict(list)
            for node in side.inner:
                xs = [self.grid.center(side.name, at) for at in (node, *side.drawn_children(node))]
                rows[levels[side.name, node]].append((min(xs), max(xs), node))
            for row in rows.values():
                for (first, last, node), (start, end, other) in combinations(sorted(row), 2):
                    meet = start < last + GAP and max(first, start) < min(last, end) + GAP
                    if meet and (side.tree.has_gap(node) or side.tree.has_gap(other)):
                        return side.name, max((last - first, node), (end - start, other))[1]
        return None

    def _set_heights(self, lane: float) -> None:
        low = any(
            self.levels[side.name, node] == 1 and side.tree.kinds[node] is Kind.PHRASE and side.drawn_children(node)
            for side in self.sides
            for node in side.inner
        )
        lowest = _HEIGHT[Kind.PHRASE] + 10 if low else _HEIGHT[Kind.PRETERMINAL]  # a phrase needs room for its bar
        self.first = (_WORD_HEIGHT + lowest) / 2 + 6 + lane
        rooms = []
        for side in self.sides:
            top = max((self.levels[side.name, node] for node in side.inner), default=0)
            room = self.first + (top - 1) * self.pitch + _HEIGHT[Kind.PHRASE] / 2 if top else _WORD_HEIGHT / 2
            rooms.append(room + MARGIN)
        apart = _ROWS_APART if self.two_rows else 0.0
        self.middle = rooms[0] + apart / 2  # Height of the words, or of the gap between them
        self.height = rooms[0] + apart + rooms[1]
        self.word_y = dict(zip((side.name for side in self.sides), (rooms[0], rooms[0] + apart), strict=True))

    # ------------------------------------------------------------------------------------------------- nodes and words

    def _box(self, side: Side, node: int) -> Box:
        key = side.name, node
        distance = self.first + (self.levels[key] - 1) * self.pitch
        y = self.word_y[side.name] - self.inward(side) * distance
        return Box(self.grid.center(*key), y, self.grid.text_width[key], _HEIGHT[side.tree.kinds[node]])

    def _triangle(self, side: Side, node: int) -> Points:
        box, inward = self.boxes[side.name, node], self.inward(side)
        left, right = self.grid.extent(side.name, node)
        base = self.word_y[side.name] - inward * (_WORD_HEIGHT / 2 + 1)
        return (box.x, box.y + inward * (box.height / 2 + 1)), (left + GAP / 2, base), (right - GAP / 2, base)

    def _cells(self) -> Iterator[Cell]:
        drawn: set[NodeKey] = set()
        for column in self.grid.columns:
            here: dict[str, int] = {}
            for side, node in zip(self.sides, column, strict=True):
                # a word joined to several is in several columns
                has_words = node is not None and side.tree.ends[node] > side.tree.starts[node]
                if node is not None and has_words and (side.name, node) not in drawn:
                    here[side.name] = node
            drawn |= here.items()
            rows = [{name: node} for name, node in here.items()] if self.two_rows else [here] if here else []
            yield from map(self._cell, rows)

    def _cell(self, here: Mapping[str, int]) -> Cell:
        name, node = next(iter(here.items()))
        side = next(side for side in self.sides if side.name == name)
        x, y = self.grid.center(name, node), self.word_y[name]
        if node in side.folded:
            text = join_words(side.words(node))
            return Cell(here, text, Box(x, y, text_width(text, WORD_SIZE) + 8, _WORD_HEIGHT))
        width = max(self.grid.text_width[key] for key in here.items())
        return Cell(here, self.grid.text[name, node], Box(x, y, width, _WORD_HEIGHT))

    # -------------------------------------------------------------------------------------------------------- lines

    def _edges(self, side: Side) -> Iterator[tuple[NodeKey, Points]]:
        """Yield the elbow from a parent to each child."""
        inward = self.inward(side)
        for parent in side.inner:
            above = self.boxes[side.name, parent]
            foot = above.y + inward * above.height / 2
            bar = foot + inward * 5
            for child in side.drawn_children(parent):
                word = Box(self.grid.center(side.name, child), self.word_y[side.name], 0, _WORD_HEIGHT)
                below = self.boxes.get((side.name, child), word)
                head = below.y - inward * below.height / 2
                points: Points = ((above.x, foot), (above.x, head))
                if abs(below.x - above.x) >= 0.01:
                    points = ((above.x, foot), (above.x, bar), (below.x, bar), (below.x, head))
                yield (side.name, child), points

    def _bridges(self, side: Side) -> Iterator[tuple[NodeKey, Points]]:
        """Yield the short lines with which upright lines pass over level lines of other phrases."""
        if side.tree.is_continuous:
            return
        own = [(key, points) for key, points in self.edges.items() if key[0] == side.name]
        parents = side.tree.parents
        for key, upright in own:
            (x, y0), (_, y1) = upright[-2:]
            for (_, child), level in own:
                if len(level) < 4 or parents[child] == parents[key[1]]:
                    continue
                (left, y), (right, _) = level[1:3]
                if min(left, right) < x < max(left, right) and min(y0, y1) < y < max(y0, y1):
                    yield key, ((x, y - _BRIDGE), (x, y + _BRIDGE))

    def _ties(self, links: Mapping[tuple[int, int], WordLink]) -> tuple[list[Bond[WordLink]], list[Points]]:
        """Return lines between aligned words, and lines along words that are aligned with several."""
        upper, lower = self.sides
        edge = {
            name: y + inward * (_WORD_HEIGHT / 2 + 2)
            for (name, y), inward in zip(self.word_y.items(), (1, -1), strict=True)
        }
        ties: list[Bond[WordLink]] = []
        positions: dict[NodeKey, list[float]] = defaultdict(list)
        for index, (gold, test) in enumerate(self.grid.columns if links else ()):
            if gold is None or test is None:
                continue
            link = links.get((upper.tree.first(gold), lower.tree.first(test)))
            are_words = upper.tree.kinds[gold] is lower.tree.kinds[test] is Kind.WORD
            if link is not None and (are_words or gold in upper.folded):
                x = self.grid.middle(index)
                ties.append(Bond(link, gold, test, ((x, edge["gold"]), (x, edge["test"]))))
                positions["gold", gold].append(x)
                positions["test", test].append(x)
        return ties, [
            ((min(xs), edge[side]), (max(xs), edge[side])) for (side, _), xs in positions.items() if len(xs) > 1
        ]

    def _links(self, linked: Sequence[tuple[Status, int, int]]) -> Iterator[Bond[Status]]:
        """Yield the lines between relabeled pairs, and from moved subtrees to their new positions."""
        words = {key: cell.box for cell in self.cells for key in cell.nodes.items()}
        triangles = map(_around, self.triangles.values())
        obstacles = [*self.boxes.values(), *(cell.box for cell in self.cells), *triangles]
        lines = [*self.edges.values(), *(tie.points for tie in self.ties), *self.braces]
        tied = {(tie.gold, tie.test) for tie in self.ties}
        lane = self.word_y[self.sides[0].name] - _WORD_HEIGHT / 2 - _LANE / 2 - 1
        router = Router(obstacles, lines, self.grid.borders, lane)
        for status, gold, test in sorted(linked, key=lambda link: (self.levels.get(("gold", link[1]), 0), link)):
            ends = ("gold", gold), ("test", test)
            upper, lower = (self.boxes.get(key) or words[key] for key in ends)
            if upper is lower:
                continue
            if upper.y == lower.y:
                points: Points = ((upper.x, upper.top), (upper.x, lane), (lower.x, lane), (lower.x, lower.top))
            elif ends[0] in words and ends[1] in words:
                aside = _BESIDE if (gold, test) in tied else 0.0
                points = ((upper.x + aside, upper.bottom), (lower.x + aside, lower.top))
            else:
                points = router.route(upper, lower)
            yield Bond(status, gold, test, points)


def _around(corners: Points) -> Box:
    """Return the smallest box around a triangle."""
    left, right = (side(x for x, _ in corners) for side in (min, max))
    top, bottom = (side(y for _, y in corners) for side in (min, max))
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


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

    def route(self, start: Box, end: Box) -> Points:
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

    def _path(self, start: Box, end: Box, first: float, second: float) -> Points:
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

    def _keep(self, points: Points) -> Points:
        self._occupy(points)
        return points
