"""Constituency trees, alone or two of them aligned: scene and data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaltools.corpus import Kind, Tree
from evaltools.drawing.measure import visible
from evaltools.drawing.palette import LEGEND, TIES
from evaltools.drawing.parts import LegendEntry, framed, handle, hit, legend_names, legend_scene, marked, outline
from evaltools.drawing.scene import (
    Box,
    Group,
    Item,
    Line,
    Mark,
    Point,
    Polygon,
    Ring,
    Scene,
    Text,
)
from evaltools.drawing.tree_grid import LABEL_SIZE, TAG_SIZE, WORD_SIZE
from evaltools.drawing.tree_placement import (
    Layout,
    PlacedNode,
    Tie,
    WordCell,
    layout_alignment,
    layout_tree,
)
from evaltools.frameworks.constituency.aligned_trees import Alignment, WordMatch, drawn_mapping
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
    trees = {"gold": alignment.gold, "test": alignment.test}
    items = _Items(layout, trees, {"gold": gold_name, "test": parse_name}, interactive).all()
    label = title or f"{mapping.upper()}-mapping of {gold_name} and {parse_name}"
    seen = {node.status for node in layout.nodes}
    seen |= {status for cell in layout.words for _, _, status, _ in cell.words}
    return framed(
        Scene(layout.width, layout.height, tuple(items), "alignment", label, layout.middle),
        title=title,
        above=gold_name,
        below=parse_name if len(alignment.test) else f"{parse_name}: no parse",
        legend=_entries(seen, {tie.how for tie in layout.ties}, gold_name, parse_name) if legend else None,
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
    layout = layout_tree(tree, compact=compact, statuses=statuses)
    if side != "gold":
        layout = _on_side(layout, side)
    items = _Items(layout, {side: tree}, {"gold": "gold", "test": "parse", side: name}, interactive).all()
    return framed(Scene(layout.width, layout.height, tuple(items), "tree", title or "tree"), title=title)


def _on_side(layout: Layout, side: str) -> Layout:
    """Return the layout of a single tree as that of another side."""
    return replace(
        layout,
        nodes=tuple(replace(node, side=side) for node in layout.nodes),
        edges=tuple(replace(edge, side=side) for edge in layout.edges),
        words=tuple(
            replace(cell, words=tuple(word._replace(side=side) for word in cell.words)) for cell in layout.words
        ),
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
    names = legend_names(gold_name, parse_name)

    def node(status: Status) -> LegendEntry:
        def sample(start: Point) -> Group:
            box = Box(start[0] + 13, start[1], 24, 15)
            mark: Item = Text("X", box.x, box.y, 11.0, "soft") if status is _RIGHT else Mark(status, box.x, box.y)
            return Group((outline(box, status), mark), "key", status=status)

        return LegendEntry(LEGEND[status].format(**names), sample, 31, 40)

    def tie(how: WordMatch) -> LegendEntry:
        def sample(start: Point) -> Group:
            x, y = start[0] + 13, start[1]
            return Group(tuple(_tie_line(how, x, y - 8.5, y + 8.5)), "tie", data={"how": how})

        return LegendEntry(TIES[how], sample, 31, 40)

    return [*(node(item) for item in LEGEND if item in statuses), *(tie(how) for how in TIES if how in ties)]


def _tie_line(how: WordMatch, x: float, top: float, bottom: float) -> list[Item]:
    """Return the line between aligned words, with a ring for characters in common."""
    line = Line(((x, top), (x, bottom)), "thread")
    return [line, Ring(x, (top + bottom) / 2, _KNOT, "knot")] if how is WordMatch.CHARACTERS else [line]


def _tie_title(how: WordMatch, characters: int) -> str:
    """Return as text how two words are aligned.

    Examples
    --------
    >>> _tie_title(WordMatch.CHARACTERS, 3), _tie_title(WordMatch.EXACT, 3)
    ('3 characters in common', 'same word')
    """
    if how is not WordMatch.CHARACTERS:
        return TIES[how]
    return f"{count_of(characters, 'character')} in common"


class _Items:
    """The items of one layout."""

    def __init__(self, layout: Layout, trees: Mapping[str, Tree], names: Mapping[str, str], interactive: bool):
        self.layout = layout
        self.trees = trees
        self.names = names
        self.interactive = interactive
        self.aligned: dict[tuple[str, int], list[str]] = defaultdict(list)
        for tie in layout.ties:
            how = _tie_title(tie.how, tie.characters)
            ends = (("gold", tie.gold), ("test", tie.test))
            for end, opposite in (ends, ends[::-1]):
                self.aligned[end].append(f"aligned with “{excerpt(self._words(*opposite), 60)}”: {how}")

    def all(self) -> Iterator[Item]:
        """Yield everything, from back to front."""
        for node in self.layout.nodes:
            if node.triangle:
                yield Polygon(node.triangle, "triangle")
        for edge in self.layout.edges:
            data = {"side": edge.side, "child": edge.child}
            yield Line(edge.points, "edge", side=edge.side, radius=4, elbow=True, data=data)
        for edge in self.layout.bridges:
            data = {"side": edge.side, "child": edge.child}
            yield Line(edge.points, "edge", side=edge.side, halo=True, data=data)
        for link in self.layout.links:
            arrow = 7.0 if link.status is Status.MOVED else 0.0
            line = Line(link.points, "link", link.status, radius=7, arrow=arrow, halo=True)
            yield Group((line,), "bond", data={"gold": link.gold, "test": link.test})
        for ends in self.layout.braces:
            yield Line(ends, "brace")
        yield from map(self._tie, self.layout.ties)
        yield from map(self._node, self.layout.nodes)
        yield from map(self._cell, self.layout.words)

    def _tie(self, tie: Tie) -> Group:
        (x, top), (_, bottom) = tie.points
        words = self._words("gold", tie.gold), self._words("test", tie.test)
        title = f"{words[0]} – {words[1]}: {_tie_title(tie.how, tie.characters)}"
        data = {"how": tie.how, "gold": tie.gold, "test": tie.test}
        return Group(tuple(_tie_line(tie.how, x, top, bottom)), "tie", title=title, data=data)

    def _title(self, side: str, node: int, status: Status, partner: int | None) -> str:
        tree = self.trees[side]
        words = self._words(side, node)
        parts = [visible(tree.labels[node])]
        if tree.kinds[node] is not Kind.WORD and words:
            parts.append(f"“{excerpt(words, 60)}”")
        opposite = "test" if side == "gold" else "gold"
        if status in (Status.MISSING, Status.SPURIOUS):
            parts.append(f"{status}: only in {self.names[side]}")
        elif partner is not None and opposite in self.trees:
            label = visible(self.trees[opposite].labels[partner])
            pairs = {Status.RELABELED: f"relabeled: {label} in {self.names[opposite]}", Status.MOVED: "moved"}
            if status in pairs or not self.aligned[side, node]:
                parts.append(pairs.get(status, f"matches {label}"))
        return " · ".join([*parts, *self.aligned[side, node]])

    def _words(self, side: str, node: int) -> str:
        return " ".join(map(visible, self.trees[side].words_below(node)))

    def _data(self, side: str, node: int, partner: int | None) -> dict[str, object]:
        parent = self.trees[side].parents[node]
        return {"side": side, "node": node, "parent": parent if parent >= 0 else None, "partner": partner}

    def _node(self, node: PlacedNode) -> Group:
        """Return a phrase or preterminal with its mark and outline."""
        box, status = node.box, node.status
        title = self._title(node.side, node.node, status, node.partner)
        if node.triangle:
            title += f" · {len(node.hidden)} nodes folded"
        size = TAG_SIZE if node.kind is Kind.PRETERMINAL else LABEL_SIZE
        items = [outline(box, status), *marked(node.label, box, size, "label", status)]
        if self.interactive and node.fold is not None and not node.triangle:
            items.append(handle(box.right + 1, box.y, 2.5 if node.side == "gold" else -2.5))
        return Group(
            tuple(items),
            "node",
            node.side,
            status,
            node.kind.name.lower() + (" folded" if node.triangle else ""),
            title=title,
            data=self._data(node.side, node.node, node.partner)
            | {"fold": node.fold, "hidden": " ".join(map(str, node.hidden)) or None},
            is_symbol=True,
            takes_focus=self.interactive,
        )

    def _cell(self, cell: WordCell) -> Group:
        """Return a word with its status in each tree, above and below it, or the words of a triangle."""
        box = cell.box
        if cell.fold is not None:
            data = {
                "fold": cell.fold,
                "hidden_gold": " ".join(map(str, cell.hidden.get("gold", ()))) or None,
                "hidden_test": " ".join(map(str, cell.hidden.get("test", ()))) or None,
            }
            items = (hit(box), Text(cell.text, box.x, box.y, WORD_SIZE, "form"))
            return Group(items, "cell folded", title=cell.full, data=data)
        is_same = len({word.status for word in cell.words}) == 1
        groups = []
        for index, (side, node, status, partner) in enumerate(cell.words):
            is_first = index == 0
            reach = box if is_first else Box(box.x, box.y + box.height / 3, box.width, box.height / 3)
            parts: list[Item] = [hit(reach)]
            if is_same and is_first:
                parts.append(outline(box, status))
            elif not is_same:
                parts += _bars(box, side, status)
            if is_first:
                parts += marked(cell.text, box, WORD_SIZE, "form", status if is_same else _RIGHT)
            groups.append(
                Group(
                    tuple(parts),
                    "node",
                    side,
                    status,
                    "word",
                    title=self._title(side, node, status, partner),
                    data=self._data(side, node, partner),
                    is_symbol=True,
                    takes_focus=self.interactive and (is_first or status is not _RIGHT),
                )
            )
        if is_same:  # it looks like one word, and the gold tree's group is on top
            groups.reverse()
        return Group(tuple(groups), "cell", data={"word": cell.position})


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
        "pairs": [list(pair) for pair in chosen.pairs],
        "moves": [list(move) for move in chosen.moves],
        "steps": [
            {"status": step.status, "gold": step.gold, "test": step.test, "text": step.text} for step in chosen.steps
        ],
        "words": [
            {
                "position": word.position,
                "form": word.form,
                "test_position": word.test_position,
                "test_form": word.test_form,
                "gold_lineage": list(word.gold),
                "test_lineage": None if word.test is None else list(word.test),
                "scores": dict(word.scores),
            }
            for word in alignment.words
        ],
        "gold_words": [{"form": word.form, "position": word.position} for word in alignment.gold_words],
        "test_words": [{"form": word.form, "position": word.position} for word in alignment.test_words],
        "links": [
            {"gold": link.gold, "test": link.test, "how": str(link.how), "characters": link.characters}
            for link in alignment.links
        ],
        "counts": dict(alignment.counts),
        "scores": {
            name: None if value is None or value != value else value for name, value in alignment.scores.items()
        },
    }
