"""The mirrored layout: gold above, test below, the words in one shared row between them.

Columns belong to both trees, so that equal spans stand over one another; a node stands over the middle
of the columns it spans, which keeps labels of one row apart and edges off them; mapped nodes stand in
matching rows above and below.
"""

from __future__ import annotations

from itertools import accumulate

from evaltools.drawing.folding import FOLD_ABOVE, align_words, folded_roots, identical_subtrees
from evaltools.drawing.levels import NodeKey, assign_levels
from evaltools.drawing.measure import is_right_to_left, join_words, shorten, text_width, visible
from evaltools.drawing.partners import partners
from evaltools.drawing.routing import Router
from evaltools.drawing.shapes import Box, Edge, Layout, Link, PlacedNode, Point, WordCell, triangle_box
from evaltools.drawing.side import Side, merge_leaves
from evaltools.metrics.mapping import Alignment, Mapping, NodeStatus
from evaltools.treebank import Kind, Tree

__all__ = ["LABEL_SIZE", "MARK_WIDTH", "TAG_SIZE", "WORD_SIZE", "layout_alignment", "layout_tree"]

WORD_SIZE, LABEL_SIZE, TAG_SIZE = 14.0, 12.5, 11.0
"""Font sizes in pixels."""

MARK_WIDTH = 12.0
"""Room for the mark before a label, in pixels."""

_GAP = 14.0  # between columns
_PITCH = 34.0  # between rows
_HEIGHT = {Kind.PHRASE: 20.0, Kind.PRETERMINAL: 17.0}
_WORD_HEIGHT = 22.0
_ROWS_APART = 46.0  # between the two rows of words, where they differ
_LANE = 9.0  # room kept for links above the words
_MARGIN = 12.0
_LONGEST = 30  # characters of a label or word that are shown


def layout_alignment(
    alignment: Alignment,
    mapping: str = "t",
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
) -> Layout:
    """Place two aligned trees.

    Parameters
    ----------
    alignment : Alignment
        The trees and their mappings.
    mapping : {"e", "t"}
        Which mapping to show.
    fold : bool, optional
        Fold identical parts into triangles; by default above 25 words.
    unfolded : frozenset of int
        Gold nodes whose triangles are opened one step.

    Returns
    -------
    Layout
        Places in pixels.
    """
    gold, test, chosen = alignment.gold, alignment.test, alignment.mapping(mapping)
    together = align_words(alignment)
    identical: dict[int, int] = {}
    folded: set[int] = set()
    if max(len(gold.words), len(test.words)) > FOLD_ABOVE if fold is None else fold:
        identical = identical_subtrees(gold, test, chosen, together)
        folded = folded_roots(gold, identical, unfolded)
    sides = (
        Side("gold", gold, folded, {word: word for word in together}),
        Side("test", test, {identical[node] for node in folded}, {other: word for word, other in together.items()}),
    )
    return _Placer(sides, alignment, chosen, identical, gold.words == test.words or not len(test)).layout()


def layout_tree(tree: Tree) -> Layout:
    """Place a single tree above its words."""
    nothing = Tree((), (), (), (), ())
    status = (NodeStatus.MATCHED,) * len(tree)
    mapping = Mapping("e", (), status, (), (), ())
    alignment = Alignment(tree, nothing, mapping, mapping, (), (), (), "ok", {}, {})
    return layout_alignment(alignment, "e", fold=False)


class _Placer:
    """Works out one layout, step by step."""

    def __init__(
        self,
        sides: tuple[Side, Side],
        alignment: Alignment,
        mapping: Mapping,
        identical: dict[int, int],
        one_row: bool,
    ):
        self.sides = sides
        self.mapping = mapping
        self.identical = identical
        self.back = {test: gold for gold, test in identical.items()}
        self.one_row = one_row
        self.status = {"gold": mapping.gold_status, "test": mapping.test_status}
        forth, back = partners(alignment, mapping)
        self.partner = {"gold": forth, "test": back}
        self.right_to_left = is_right_to_left(alignment.gold.words or alignment.test.words)
        self.columns = merge_leaves(sides[0].leaves, sides[1].leaves)
        self.ranges = {
            side.name: side.ranges({node: i for i, node in enumerate(nodes) if node is not None})
            for side, nodes in zip(sides, zip(*self.columns, strict=True) if self.columns else ((), ()), strict=True)
        }
        self.wanted = [
            (NodeStatus.SWAPPED, g, t) for g, t in mapping.pairs if mapping.gold_status[g] is NodeStatus.SWAPPED
        ] + [(NodeStatus.MOVED, g, t) for g, t in mapping.moves]

    def layout(self) -> Layout:
        """Return the finished layout."""
        self._texts()
        self._levels()
        self._widths()
        self._heights()
        nodes = [self._node(side, node) for side in self.sides for node in side.inner]
        places = {(node.side, node.node): node.box for node in nodes}
        words = self._words(places)
        edges = [edge for side in self.sides for edge in self._edges(side, places)]
        return Layout(
            self.width,
            self.height,
            tuple(nodes),
            tuple(words),
            tuple(edges),
            tuple(self._links(nodes, words, edges, places)),
            self.right_to_left,
            self.middle,
        )

    def _texts(self) -> None:
        self.text: dict[NodeKey, str] = {}
        self.text_width: dict[NodeKey, float] = {}
        for side in self.sides:
            tree = side.tree
            for node in side.shown:
                label, kind = shorten(visible(tree.labels[node]), _LONGEST), tree.kinds[node]
                size = {Kind.WORD: WORD_SIZE, Kind.PHRASE: LABEL_SIZE, Kind.PRETERMINAL: TAG_SIZE}[kind]
                mark = 0.0 if self.status[side.name][node] is NodeStatus.MATCHED else MARK_WIDTH
                self.text[side.name, node] = label
                self.text_width[side.name, node] = (
                    text_width(label, size) + mark + (4 if kind is Kind.WORD and not mark else 10)
                )

    def _levels(self) -> None:
        least: dict[NodeKey, int] = {}
        children: dict[NodeKey, tuple[NodeKey, ...]] = {}
        for side in self.sides:
            words = side.tree.kinds
            for node in side.inner:
                least[side.name, node] = 2 if node in side.folded else 1
                below = (child for child in side.shown_children(node) if words[child] is not Kind.WORD)
                children[side.name, node] = tuple((side.name, child) for child in below)
        mates: dict[NodeKey, NodeKey] = {}
        for gold, test in self.mapping.pairs:
            first, second = ("gold", gold), ("test", test)
            if first in least and second in least:
                kinds = (self.sides[0].tree.kinds[gold], self.sides[1].tree.kinds[test])
                if (kinds[0] is Kind.PRETERMINAL) == (kinds[1] is Kind.PRETERMINAL):
                    mates[first], mates[second] = second, first
        self.level = assign_levels(least, children, mates)

    def _widths(self) -> None:
        widths = [0.0] * len(self.columns)
        wide: list[tuple[int, int, float]] = []
        for side in self.sides:
            for node, (first, last) in self.ranges[side.name].items():
                need = self.text_width[side.name, node]
                if node in side.folded:
                    need = max(need, text_width(join_words(self._folded_words(side, node)), WORD_SIZE) + 8)
                wide.append((first, last, need + _GAP))
        for first, last, need in sorted(wide, key=lambda item: (item[1] - item[0], item)):
            short = need - sum(widths[first : last + 1])
            if short > 0:
                for column in range(first, last + 1):
                    widths[column] += short / (last - first + 1)
        borders = [_MARGIN, *(_MARGIN + x for x in accumulate(widths))]
        self.width = borders[-1] + _MARGIN
        if self.right_to_left:
            borders = [self.width - x for x in borders]
        self.borders = borders

    def _folded_words(self, side: Side, node: int) -> list[str]:
        return [visible(word) for word in side.tree.words[side.tree.starts[node] : side.tree.ends[node]]]

    def _extent(self, side: str, node: int) -> tuple[float, float]:
        first, last = self.ranges[side][node]
        ends = self.borders[first], self.borders[last + 1]
        return min(ends), max(ends)

    def _heights(self) -> None:
        lane = _LANE if self.wanted else 0.0
        low = any(
            self.level[side.name, node] == 1 and side.tree.kinds[node] is Kind.PHRASE and side.shown_children(node)
            for side in self.sides
            for node in side.inner
        )
        lowest = _HEIGHT[Kind.PHRASE] + 10 if low else _HEIGHT[Kind.PRETERMINAL]  # a phrase needs room for its bar
        self.first = (_WORD_HEIGHT + lowest) / 2 + 6 + lane
        rows = {side.name: max((self.level[side.name, n] for n in side.inner), default=0) for side in self.sides}
        room = {
            name: (self.first + (top - 1) * _PITCH + _HEIGHT[Kind.PHRASE] / 2 if top else _WORD_HEIGHT / 2) + _MARGIN
            for name, top in rows.items()
        }
        apart = 0.0 if self.one_row else _ROWS_APART
        self.word_y = {"gold": room["gold"], "test": room["gold"] + apart}
        self.middle = room["gold"] + apart / 2
        self.height = room["gold"] + apart + room["test"]

    def _y(self, side: str, level: int) -> float:
        away = self.first + (level - 1) * _PITCH
        return self.word_y[side] + (-away if side == "gold" else away)

    def _node(self, side: Side, node: int) -> PlacedNode:
        tree, name = side.tree, side.name
        left, right = self._extent(name, node)
        level = self.level[name, node]
        box = Box((left + right) / 2, self._y(name, level), self.text_width[name, node], _HEIGHT[tree.kinds[node]])
        triangle: tuple[Point, ...] = ()
        if node in side.folded:
            inward = 1 if name == "gold" else -1
            base = self.word_y[name] - inward * (_WORD_HEIGHT / 2 + 1)
            triangle = (
                (box.x, box.y + inward * (box.height / 2 + 1)),
                (left + _GAP / 2, base),
                (right - _GAP / 2, base),
            )
        gold = node if name == "gold" else self.back.get(node)
        start, end = tree.span(node)
        can_fold = gold in self.identical and tree.kinds[node] is Kind.PHRASE and end - start > 1
        parent = tree.parents[node]
        return PlacedNode(
            name,
            node,
            self.status[name][node],
            self.partner[name].get(node),
            parent if parent >= 0 else None,
            tree.kinds[node],
            self.text[name, node],
            box,
            level,
            side.hidden(node),
            gold if can_fold else None,
            triangle,
        )

    def _words(self, places: dict[NodeKey, Box]) -> list[WordCell]:
        cells: list[WordCell] = []
        for column, (gold, test) in enumerate(self.columns):
            x = (self.borders[column] + self.borders[column + 1]) / 2
            on = {name: node for name, node in (("gold", gold), ("test", test)) if node is not None}
            here = {
                side.name: on[side.name]
                for side in self.sides
                if side.name in on and side.tree.ends[on[side.name]] > side.tree.starts[on[side.name]]
            }
            if not here:
                continue
            rows = [here] if self.one_row else [{name: node} for name, node in here.items()]
            cells.extend(self._cell(x, row) for row in rows)
        return cells

    def _cell(self, x: float, here: dict[str, int]) -> WordCell:
        name, node = next(iter(here.items()))
        side = self.sides[0] if name == "gold" else self.sides[1]
        y = self.word_y[name]
        if node in side.folded:
            words = self._folded_words(side, node)
            text = join_words(words)
            hidden = {
                part.name: tuple(n for n in part.hidden(here[part.name]) if part.tree.kinds[n] is Kind.WORD)
                if part.name in here
                else ()
                for part in self.sides
            }
            box = Box(x, y, text_width(text, WORD_SIZE) + 8, _WORD_HEIGHT)
            fold = node if name == "gold" else self.back[node]
            return WordCell(
                text, " ".join(words), box, fold=fold, hidden_gold=hidden["gold"], hidden_test=hidden["test"]
            )
        gold, test = here.get("gold"), here.get("test")
        return WordCell(
            self.text[name, node],
            visible(side.tree.labels[node]),
            Box(x, y, max(self.text_width[key] for key in here.items()), _WORD_HEIGHT),
            gold,
            test,
            None if gold is None else self.status["gold"][gold],
            None if test is None else self.status["test"][test],
            None if gold is None else self.partner["gold"].get(gold),
            None if test is None else self.partner["test"].get(test),
            side.tree.starts[node],
        )

    def _edges(self, side: Side, places: dict[NodeKey, Box]) -> list[Edge]:
        inward = 1 if side.name == "gold" else -1
        edges: list[Edge] = []
        for parent in side.inner:
            above = places[side.name, parent]
            foot = above.y + inward * above.height / 2
            for child in side.shown_children(parent):
                if side.tree.kinds[child] is Kind.WORD:
                    left, right = self._extent(side.name, child)
                    below = Box((left + right) / 2, self.word_y[side.name], 0, _WORD_HEIGHT)
                else:
                    below = places[side.name, child]
                head = below.y - inward * below.height / 2
                bar = foot + inward * 5
                if abs(below.x - above.x) < 0.01:
                    points: tuple[Point, ...] = ((above.x, foot), (above.x, head))
                else:
                    points = ((above.x, foot), (above.x, bar), (below.x, bar), (below.x, head))
                edges.append(Edge(side.name, parent, child, points))
        return edges

    def _links(
        self, nodes: list[PlacedNode], words: list[WordCell], edges: list[Edge], places: dict[NodeKey, Box]
    ) -> list[Link]:
        cells = {("gold", cell.gold): cell.box for cell in words if cell.gold is not None}
        cells |= {("test", cell.test): cell.box for cell in words if cell.test is not None}
        boxes = [node.box for node in nodes] + [cell.box for cell in words]
        boxes += [triangle_box(node.triangle) for node in nodes if node.triangle]
        lane = self.word_y["gold"] - _WORD_HEIGHT / 2 - _LANE / 2 - 1
        router = Router(boxes, [edge.points for edge in edges], self.borders, lane)
        links: list[Link] = []
        near = sorted(self.wanted, key=lambda link: (self.level.get(("gold", link[1]), 0), link))
        for status, gold, test in near:
            upper = places.get(("gold", gold)) or cells[("gold", gold)]
            lower = places.get(("test", test)) or cells[("test", test)]
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
                points = ((upper.x, upper.bottom), (lower.x, lower.top))
            else:
                points = router.route(upper, lower)
            links.append(Link(status, gold, test, points))
        return links
