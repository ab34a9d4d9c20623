"""Constituency trees, alone or two of them aligned: scene and data."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from evaltools.corpus import Kind, Tree
from evaltools.drawing.measure import visible
from evaltools.drawing.palette import LEGEND, TIES
from evaltools.drawing.scene import (
    Box,
    Group,
    Item,
    LegendEntry,
    Line,
    Mark,
    Polygon,
    Ring,
    Scene,
    Text,
    framed,
    handle,
    hit,
    legend_names,
    legend_scene,
    marked,
    outline,
    records,
)
from evaltools.drawing.tree_grid import LABEL_SIZE, TAG_SIZE, WORD_SIZE, NodeKey
from evaltools.drawing.tree_placement import Bond, Cell, Layout, layout_alignment, layout_tree
from evaltools.frameworks.constituency.aligned_trees import Alignment, WordLink, WordMatch, drawn_mapping
from evaltools.marks import Status
from evaltools.text import count_of, excerpt

_RIGHT = Status.RIGHT
_KNOT = 3.2  # radius of the ring on a line between words that share characters


# --------------------------------------------------------------------------------------------------------------- scenes


def alignment_scene(
    alignment: Alignment,
    mapping: str = "t",
    *,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    legend: bool = True,
    title: str | None = None,
    gold_name: str = "gold",
    parse_name: str = "parse",
    interactive: bool = False,
    compact: bool = False,
) -> Scene:
    """Place two aligned trees, the gold tree above and the test tree mirrored below."""
    layout = layout_alignment(alignment, mapping, fold, unfolded, compact=compact)
    positions = {word.test_position: word.position for word in reversed(alignment.words)}
    items = _Items(layout, {"gold": gold_name, "test": parse_name}, positions, interactive=interactive).all()
    sides = ((gold_name, alignment.gold), (parse_name, alignment.test))
    brackets = ", ".join(f"{name} {tree.to_string('functions')}" for name, tree in sides)
    label = title or f"{mapping.upper()}-mapping: {brackets}"
    seen = {side.statuses[node] for side in layout.sides for node in side.drawn}
    return framed(
        Scene(layout.width, layout.height, tuple(items), "alignment", label, layout.middle),
        title=title,
        above=gold_name,
        below=parse_name if len(alignment.test) else f"{parse_name}: no parse",
        legend=_entries(seen, {tie.what.how for tie in layout.ties}, gold_name, parse_name) if legend else None,
        min_width=190.0,
    )


def tree_scene(
    tree: Tree,
    *,
    title: str | None = None,
    compact: bool = False,
    statuses: Sequence[Status] = (),
    side: str = "gold",
    name: str = "gold",
    interactive: bool = False,
) -> Scene:
    """Place one tree above its words.

    Parameters
    ----------
    tree : Tree
        The tree.
    title : str or None
        A heading.
    compact : bool
        Whether rows are closer together.
    statuses : sequence of Status
        The status of each node; all are right if empty.
    side, name : str
        The class of its nodes, and what it is called in their titles.
    interactive : bool
        Whether nodes take the focus.
    """
    layout = layout_tree(tree, compact=compact, statuses=statuses, side=side)
    items = _Items(layout, {"gold": "gold", "test": "parse", side: name}, {}, interactive=interactive).all()
    return framed(
        Scene(layout.width, layout.height, tuple(items), "tree", title or tree.to_string("functions")), title=title
    )


def tree_legend(
    statuses: Collection[Status] = tuple(LEGEND),
    ties: Collection[WordMatch] = (),
    *,
    gold_name: str = "gold",
    parse_name: str = "the parse",
) -> Scene:
    """Return marks and lines of drawn alignments and their meanings.

    Parameters
    ----------
    statuses : collection of Status
        The marks.
    ties : collection of WordMatch
        The lines between words.
    gold_name, parse_name : str
        Names of the trees.

    Returns
    -------
    Scene
        The legend.
    """
    entries = _entries(statuses, ties, gold_name, parse_name)
    return legend_scene(entries, f"legend: {', '.join(entry.text for entry in entries)}")


def _entries(
    statuses: Collection[Status], ties: Collection[WordMatch], gold_name: str, parse_name: str
) -> list[LegendEntry]:
    names, box = legend_names(gold_name, parse_name), Box(13.0, 0.0, 24.0, 15.0)
    entries = []
    for status in LEGEND:
        if status in statuses:
            mark = Text("X", box.x, box.y, 11.0, "soft") if status is _RIGHT else Mark(status, box.x, box.y)
            sample = Group((outline(box, status), mark), "key", status=status)
            entries.append(LegendEntry(LEGEND[status].format(**names), sample, 31, 40))
    for how in TIES:
        if how in ties:
            sample = Group(tuple(_tie_line(how, box.x, -8.5, 8.5)), "tie", data={"how": how})
            entries.append(LegendEntry(TIES[how], sample, 31, 40))
    return entries


def _tie_line(how: WordMatch, x: float, top: float, bottom: float) -> list[Item]:
    """Return the line between aligned words, with a ring for characters in common."""
    line = Line(((x, top), (x, bottom)), "thread")
    return [line, Ring(x, (top + bottom) / 2, _KNOT, "knot")] if how is WordMatch.CHARACTERS else [line]


def _tie_title(link: WordLink) -> str:
    """Return as text how two words are aligned.

    Examples
    --------
    >>> [_tie_title(WordLink(0, 0, how, 3)) for how in (WordMatch.CHARACTERS, WordMatch.EXACT)]
    ['3 characters in common', 'same word']
    """
    if link.how is not WordMatch.CHARACTERS:
        return TIES[link.how]
    return f"{count_of(link.characters, 'character')} in common"


class _Items:
    """The items of one layout; `positions`: the gold word that each test word is compared with."""

    def __init__(
        self, layout: Layout, names: Mapping[str, str], positions: Mapping[int | None, int], *, interactive: bool
    ) -> None:
        self.layout, self.names, self.positions, self.interactive = layout, names, positions, interactive
        self.sides = {side.name: side for side in layout.sides}
        self.aligned: dict[NodeKey, list[str]] = defaultdict(list)
        for tie in layout.ties:
            ends = (("gold", tie.gold), ("test", tie.test))
            for end, opposite in (ends, ends[::-1]):
                words = excerpt(self._words(*opposite), 60)
                self.aligned[end].append(f"aligned with “{words}”: {_tie_title(tie.what)}")

    def all(self) -> Iterator[Item]:
        """Yield everything, from back to front."""
        layout = self.layout
        for corners in layout.triangles.values():
            yield Polygon(corners, "triangle")
        for (side, child), points in layout.edges.items():
            yield Line(points, "edge", side=side, radius=4, elbow=True, data={"side": side, "child": child})
        for (side, child), points in layout.bridges:
            yield Line(points, "edge", side=side, halo=True, data={"side": side, "child": child})
        for link in layout.links:
            arrow = 7.0 if link.what is Status.MOVED else 0.0
            line = Line(link.points, "link", link.what, radius=7, arrow=arrow, halo=True)
            yield Group((line,), "bond", data={"gold": link.gold, "test": link.test})
        for ends in layout.braces:
            yield Line(ends, "brace")
        yield from map(self._tie, layout.ties)
        for key in layout.boxes:
            yield self._node(*key)
        yield from map(self._cell, layout.cells)

    def _tie(self, tie: Bond[WordLink]) -> Group:
        (x, top), (_, bottom) = tie.points
        title = f"{self._words('gold', tie.gold)} – {self._words('test', tie.test)}: {_tie_title(tie.what)}"
        data = {"how": tie.what.how, "gold": tie.gold, "test": tie.test}
        return Group(tuple(_tie_line(tie.what.how, x, top, bottom)), "tie", title=title, data=data)

    def _words(self, side: str, node: int) -> str:
        return " ".join(self.sides[side].words(node))

    def _title(self, side: str, node: int) -> str:
        tree, status, partner = self.sides[side].tree, self.sides[side].statuses[node], self._partner(side, node)
        words = self._words(side, node)
        parts = [visible(tree.labels[node])]
        if tree.kinds[node] is not Kind.WORD and words:
            parts.append(f"“{excerpt(words, 60)}”")
        if status in (Status.MISSING, Status.SPURIOUS):
            parts.append(f"{status}: only in {self.names[side]}")
        elif partner is not None:
            opposite = "test" if side == "gold" else "gold"
            label = visible(self.sides[opposite].tree.labels[partner])
            pairs = {Status.RELABELED: f"relabeled: {label} in {self.names[opposite]}", Status.MOVED: "moved"}
            if status in pairs or not self.aligned[side, node]:
                parts.append(pairs.get(status, f"matches {label}"))
        return " · ".join([*parts, *self.aligned[side, node]])

    def _partner(self, side: str, node: int) -> int | None:
        return self.sides[side].partners.get(node)

    def _group(
        self,
        side: str,
        node: int,
        items: Sequence[Item],
        kind: str,
        title: str,
        *,
        takes_focus: bool = True,
        **data: Any,
    ) -> Group:
        """Return the items of a node, or of a word in one tree."""
        parent = self.sides[side].tree.parents[node]
        return Group(
            tuple(items),
            "node",
            side,
            self.sides[side].statuses[node],
            kind,
            title=title,
            data={
                "side": side,
                "node": node,
                "parent": parent if parent >= 0 else None,
                "partner": self._partner(side, node),
                **data,
            },
            is_symbol=True,
            takes_focus=self.interactive and takes_focus,
        )

    def _node(self, side: str, node: int) -> Group:
        """Return a phrase or preterminal with its mark and outline."""
        own, box, is_folded = self.sides[side], self.layout.boxes[side, node], (side, node) in self.layout.triangles
        kind, status, hidden, fold = own.tree.kinds[node], own.statuses[node], own.hidden(node), own.fold(node)
        title = self._title(side, node) + (f" · {len(hidden)} nodes folded" if is_folded else "")
        size = TAG_SIZE if kind is Kind.PRETERMINAL else LABEL_SIZE
        items = [outline(box, status), *marked(self.layout.grid.text[side, node], box, size, "label", status)]
        if self.interactive and fold is not None and not is_folded:
            items.append(handle(box.right + 1, box.y, 2.5 if side == "gold" else -2.5))
        more = kind.name.lower() + (" folded" if is_folded else "")
        return self._group(side, node, items, more, title, fold=fold, hidden=_listed(hidden))

    def _cell(self, cell: Cell) -> Group:
        """Return a word with its status in each tree, above and below it, or the words of a triangle."""
        box = cell.box
        name, first = next(iter(cell.nodes.items()))
        if (name, first) in self.layout.triangles:
            below = {side: self._hidden_words(side, node) for side, node in cell.nodes.items()}
            data = {
                "fold": self.sides[name].fold(first),
                "hidden_gold": below.get("gold"),
                "hidden_test": below.get("test"),
            }
            items = (hit(box), Text(cell.text, box.x, box.y, WORD_SIZE, "form"))
            return Group(items, "cell folded", title=self._words(name, first), data=data)
        is_same = len({self.sides[side].statuses[node] for side, node in cell.nodes.items()}) == 1
        groups = []
        for side, node in cell.nodes.items():
            is_first, status = side == name, self.sides[side].statuses[node]
            reach = box if is_first else Box(box.x, box.y + box.height / 3, box.width, box.height / 3)
            parts: list[Item] = [hit(reach)]
            if is_same and is_first:
                parts.append(outline(box, status))
            elif not is_same:
                parts += _bars(box, side, status)
            if is_first:
                parts += marked(cell.text, box, WORD_SIZE, "form", status if is_same else _RIGHT)
            takes_focus = is_first or status is not _RIGHT
            groups.append(self._group(side, node, parts, "word", self._title(side, node), takes_focus=takes_focus))
        if is_same:  # it looks like one word, and the gold tree's group is on top
            groups.reverse()
        position: int | None = self.sides[name].tree.first(first)
        if self.sides[name] is not self.layout.sides[0]:
            position = self.positions.get(position)
        return Group(tuple(groups), "cell", data={"word": position})

    def _hidden_words(self, side: str, node: int) -> str | None:
        own = self.sides[side]
        return _listed(inner for inner in own.hidden(node) if own.tree.kinds[inner] is Kind.WORD)


def _listed(nodes: Iterable[int]) -> str | None:
    """Return the numbers of nodes for the viewer; None without any."""
    return " ".join(map(str, nodes)) or None


def _bars(box: Box, side: str, status: Status) -> list[Item]:
    """Return the lines of a word's status: above it for the gold tree, below it for the test tree."""
    if status is _RIGHT:
        return []
    y, step = (box.top + 0.5, 2.6) if side == "gold" else (box.bottom - 0.5, -2.6)
    heights = [y, y + step] if status is Status.SPURIOUS else [y]
    lines: list[Item] = [Line(((box.left, at), (box.right, at)), "bar") for at in heights]
    return [*lines, Mark(status, box.right + 4, y + (2 if side == "gold" else -2), 0.75)]


# ----------------------------------------------------------------------------------------------------------------- data


def _node_data(
    tree: Tree, statuses: tuple[Status | None, ...], partner: tuple[int | None, ...]
) -> list[dict[str, Any]]:
    return [
        {
            "node": node,
            "label": tree.labels[node],
            "kind": tree.kinds[node].name.lower(),
            "parent": tree.parents[node] if tree.parents[node] >= 0 else None,
            **_span_data(tree, node),
            "status": statuses[node],
            "partner": partner[node],
        }
        for node in range(len(tree))
    ]


def _span_data(tree: Tree, node: int) -> dict[str, Any]:
    """Return the span of a node; of one with gaps also its words."""
    if not tree.has_gap(node):
        first = tree.first(node)
        return {"span": [first, first + tree.ends[node] - tree.starts[node]]}
    words = sorted(tree.yield_(node))
    return {"span": [words[0], words[-1] + 1], "words": words}


def alignment_data(alignment: Alignment, mapping: str = "t") -> dict[str, Any]:
    """Return an alignment as dictionaries, lists, strings and numbers."""
    chosen = drawn_mapping(alignment, mapping)
    return {
        "mapping": mapping,
        "status": alignment.status,
        "gold": _node_data(alignment.gold, chosen.gold_status, chosen.gold_partner),
        "test": _node_data(alignment.test, chosen.test_status, chosen.test_partner),
        "pairs": chosen.pairs,
        "moves": chosen.moves,
        "steps": records(chosen.steps, "status gold test text"),
        "words": records(
            alignment.words,
            "position form test_position test_form gold_lineage test_lineage scores",
            gold_lineage="gold",
            test_lineage="test",
        ),
        "gold_words": records(alignment.gold_words, "form position"),
        "test_words": records(alignment.test_words, "form position"),
        "links": records(alignment.links, "gold test how characters"),
        "counts": dict(alignment.counts),
        "scores": {
            name: None if value is None or math.isnan(value) else value for name, value in alignment.scores.items()
        },
    }
