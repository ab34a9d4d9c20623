"""Dependency trees, alone or two of them aligned: scene, diagram, text and data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from evaltools.corpus import DependencyTree
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.drawing.layouts.dependencies.arc_placement import (
    LABEL_SIZE,
    MARK_ROOM,
    TAG_SIZE,
    WORD_SIZE,
    PlacedArc,
    PlacedColumn,
    layout_arcs,
    marks_of,
    side_by_side,
)
from evaltools.drawing.measure import visible
from evaltools.drawing.palette import MARKS, css_class
from evaltools.drawing.parts import LegendEntry, framed, handle, hit, legend_names, legend_scene, line_sample
from evaltools.drawing.scene import (
    Box,
    Diagram,
    DiagramEdge,
    DiagramNode,
    Group,
    Item,
    Line,
    Mark,
    Point,
    Rectangle,
    Row,
    Scene,
    Table,
    Text,
)
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.marks import Status
from evaltools.text import excerpt

ARC_LEGEND: dict[Status, str] = {
    Status.RIGHT: "right",
    Status.MISSING: "missed head (only in {gold})",
    Status.SPURIOUS: "wrong head (only in {test})",
    Status.RELABELED: "wrong relation",
}
"""Names of the marks of arcs in the legend, by status."""


# --------------------------------------------------------------------------------------------------------------- scenes


def arcs_scene(
    alignment: DependencyAlignment,
    *,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    legend: bool = True,
    title: str | None = None,
    gold_name: str = "gold",
    test_name: str = "test",
    interactive: bool = False,
) -> Scene:
    """Place two aligned dependency trees: gold arcs above one row of words, test arcs below it."""
    layout = layout_arcs(alignment, fold, unfolded)
    title_of = _titles(alignment, {"gold": gold_name, "test": test_name})
    items = ArcItems(title_of, interactive=interactive).all(layout.arcs, layout.columns)
    seen = {mark for arc in layout.arcs for mark in (arc.status, *arc.marks)}
    label = title or f"arcs of {gold_name} and {test_name}"
    return framed(
        Scene(layout.width, layout.height, tuple(items), "arcs", label, layout.middle),
        title=title,
        above=gold_name,
        below=test_name if len(alignment.test) else f"{test_name}: no parse",
        legend=legend_entries([status for status in ARC_LEGEND if status in seen], gold_name, test_name)
        if legend
        else None,
        min_width=220.0,
    )


def dependency_scene(tree: DependencyTree) -> Scene:
    """Place one dependency tree: its arcs above its words."""
    alignment = DependencyAlignment.of_one(tree)
    layout = layout_arcs(alignment, False)
    arcs = [arc for arc in layout.arcs if arc.side == "gold"]
    boxes = [box for column in layout.columns for box in (column.gold_box, column.test_box) if box is not None]
    height = max((box.bottom for box in boxes), default=layout.middle) + 8.0
    title_of = _titles(alignment, {"gold": "tree", "test": "tree"})
    items = ArcItems(title_of, interactive=False).all(arcs, layout.columns)
    return Scene(layout.width, height, tuple(items), "arcs", "dependency tree")


def arc_legend(
    statuses: Sequence[Status] = tuple(ARC_LEGEND),
    *,
    gold_name: str = "gold",
    test_name: str = "the parse",
    meanings: Mapping[Status, str] = ARC_LEGEND,
) -> Scene:
    """Return the lines and marks of arcs and their meanings.

    Parameters
    ----------
    statuses : sequence of Status
        The statuses.
    gold_name, test_name : str
        Names of the trees.
    meanings : mapping of Status to str
        The meaning of each status; ``{gold}`` and ``{test}`` stand for the names of the trees.

    Returns
    -------
    Scene
        The legend.
    """
    return legend_scene(
        legend_entries(statuses, gold_name, test_name, meanings), "what the lines and marks mean", "arcs"
    )


def legend_entries(
    statuses: Iterable[Status], gold_name: str, test_name: str, meanings: Mapping[Status, str] = ARC_LEGEND
) -> list[LegendEntry]:
    """Return the legend of some marks of arcs."""
    names = legend_names(gold_name, test_name)

    def entry(status: Status) -> LegendEntry:
        def sample(start: Point) -> Group:
            x, y = start
            items: list[Item] = [line_sample(x, y, 30, status)]
            if status is not Status.RIGHT:
                items += [Rectangle(Box(x + 15, y, 12.0, 12.0), "ground"), Mark(status, x + 15, y, 0.85)]
            return Group(tuple(items), "key arc", status=status)

        return LegendEntry(meanings[status].format(**names), sample, 36, 44)

    return [entry(status) for status in statuses]


def arc_text(tree: DependencyTree, word: int) -> str:
    """Return the relation and the head of a word as text."""
    head = tree.heads[word]
    if head == NO_HEAD:
        return "no head"
    of = f"of “{excerpt(visible(tree.forms[head]), 40)}”" if head >= 0 else "(no head)"
    return f"{visible(tree.relations[word])} {of}"


class ArcItems:
    """Makes the items of one layout."""

    def __init__(self, title: Callable[[PlacedArc], str], *, interactive: bool) -> None:
        self._title = title  # Returns the tooltip of an arc
        self._interactive = interactive

    def all(self, arcs: Sequence[PlacedArc], columns: Iterable[PlacedColumn]) -> Iterator[Item]:
        """Yield everything, from back to front; a line that crosses a lower one goes under it."""
        for arc in arcs:
            data = {"side": arc.side, "child": arc.word}
            kind = css_class(arc.status)
            yield Line(arc.points, "edge", kind, arc.side, 8.0, arrow=6.0, halo=True, grip=self._interactive, data=data)
        yield from map(self._arc, arcs)
        yield from map(self._cell, columns)

    def _arc(self, arc: PlacedArc) -> Group:
        """Return the relation on its arc, with the marks."""
        box, marks = arc.box, arc.marks
        items: list[Item] = [Rectangle(box, "ground"), hit(box, 3)]
        items += [Mark(mark, box.left + 3 + MARK_ROOM * (index + 0.5), box.y, 0.85) for index, mark in enumerate(marks)]
        items.append(Text(arc.label, box.x + MARK_ROOM * len(marks) / 2, box.y, LABEL_SIZE, "label"))
        data = {
            "side": arc.side,
            "node": arc.word,
            "parent": arc.head,
            "partner": arc.partner,
            "status": css_class(arc.status),
        }
        return Group(
            tuple(items),
            "node arc",
            arc.side,
            css_class(arc.status),
            title=self._title(arc),
            data=data,
            is_symbol=True,
            takes_focus=self._interactive,
        )

    def _cell(self, placed: PlacedColumn) -> Group:
        """Return a word with its tag, once, or above and below where the words of the trees differ."""
        column, items = placed.column, []
        rows = [placed.gold_box, placed.test_box] if column.differs else [placed.gold_box or placed.test_box]
        for box, text, tag in zip(rows, column.texts, column.tags, strict=True):
            if box is not None:
                items += _word(box, text, tag, folded=column.folded, added=column.is_empty)
        if self._interactive and column.opens:
            items.append(handle(placed.box.right + 1, placed.box.y, 2.5))
        data = {
            "word": column.gold if not column.folded else None,
            "gold": column.gold,
            "test": column.test,
            "fold": column.gold if column.folded or column.opens else None,
        }
        return Group(tuple(items), "cell folded" if column.folded else "cell", title=column.full, data=data)


def _titles(alignment: DependencyAlignment, names: Mapping[str, str]) -> Callable[[PlacedArc], str]:
    """Return a function that returns the tooltip of an arc: relation, head, and error."""
    trees = {"gold": alignment.gold, "test": alignment.test}

    def title(arc: PlacedArc) -> str:
        opposite = "test" if arc.side == "gold" else "gold"
        tree, opposite_tree = trees[arc.side], trees[opposite]
        parts = [f"{visible(tree.forms[arc.word])} · {arc_text(tree, arc.word)}"]
        name = names[opposite]
        if arc.status is Status.RIGHT:
            parts.append("right")
        elif arc.status is None:
            parts.append("not counted")
        elif arc.partner is None:
            parts.append(f"only {names[arc.side]} has this word" if len(opposite_tree) else f"{name} has no parse")
        else:
            parts.append(_difference(arc))
            parts.append(f"{name} has {arc_text(opposite_tree, arc.partner)}")
        return " · ".join(parts)

    return title


def _difference(arc: PlacedArc) -> str:
    if arc.status is Status.RELABELED:
        return "different relation"
    return "different head and relation" if arc.relabeled else "different head"


def _word(box: Box, text: str, tag: str, *, folded: bool, added: bool) -> list[Item]:
    field = Rectangle(Box(box.x, box.y, box.width, box.height - 2), "fold" if folded or added else "hit", radius=4)
    y = box.y if folded or not tag else box.y - 6
    items: list[Item] = [field, Text(text, box.x, y, WORD_SIZE, "form")]
    return [*items, Text(tag, box.x, box.y + 9, TAG_SIZE, "soft tag")] if tag and not folded else items


# -------------------------------------------------------------------------------------------------- diagram, text, data


def arcs_diagram(alignment: DependencyAlignment) -> Diagram:
    """Return two aligned dependency trees as nodes and edges; a correct arc is one edge."""
    ids: dict[str, dict[int, str]] = {"gold": {}, "test": {}}
    nodes, row = [], []
    for gold, test in side_by_side(alignment):
        name = f"g{gold}" if gold is not None else f"t{test}"
        forms = []
        if gold is not None:
            ids["gold"][gold] = name
            forms.append(alignment.gold.forms[gold])
        if test is not None:
            ids["test"][test] = name
            forms.append(alignment.test.forms[test])
        nodes.append(DiagramNode(name, (" ≠ ".join(map(visible, dict.fromkeys(forms))),)))
        row.append(name)
    edges = []
    sides = (
        ("gold", alignment.gold, alignment.gold_status, alignment.relabeled),
        ("test", alignment.test, alignment.test_status, alignment.test_relabeled),
    )
    for side, tree, statuses, relabeled in sides:
        for word, status in enumerate(statuses):
            if status in (Status.RIGHT, None) and side == "test":
                continue
            marks = "".join(f"{MARKS[mark]} " for mark in marks_of(status, relabeled=relabeled[word]))
            head = tree.heads[word]
            if head == NO_HEAD:
                continue
            start = ids[side][head] if head >= 0 else f"root_{side}"
            if head < 0 and all(node.id != start for node in nodes):
                nodes.append(DiagramNode(start, (f"{side} root",), "root"))
            label = marks + visible(tree.relations[word])
            edges.append(DiagramEdge(start, ids[side][word], "arc", css_class(status), label))
    return Diagram("arcs", tuple(nodes), tuple(edges), tuple(row))


LEFT_OUT = "·"
"""Mark of what is not counted, in a terminal."""


def arcs_text(alignment: DependencyAlignment, *, gold_name: str = "gold", test_name: str = "test") -> list[Table | str]:
    """Return every word with its relation and head in both trees, and marks where they differ, for a terminal."""
    heading = ("", "word", "tag", gold_name, test_name if len(alignment.test) else f"{test_name} (no parse)")
    rows = [Row(tuple(((text, ""),) for text in heading))]
    rows += [_row(alignment, gold, test) for gold, test in side_by_side(alignment)]
    seen = {*alignment.gold_status, *alignment.test_status}
    seen |= {Status.RELABELED} if any(alignment.relabeled) else set()
    names = {"gold": gold_name, "test": test_name}
    marks = [mark for mark in ARC_LEGEND if mark in seen and mark is not Status.RIGHT]
    legend = [f"{MARKS[mark]} {ARC_LEGEND[mark].format(**names)}" for mark in marks]
    if None in alignment.gold_status:
        legend.append(f"{LEFT_OUT} not counted")
    return [Table(tuple(rows)), "", "   ".join(legend) if legend else "no difference"]


def _row(alignment: DependencyAlignment, gold: int | None, test: int | None) -> Row:
    trees = {
        "gold": (alignment.gold, alignment.gold_status, alignment.relabeled, gold),
        "test": (alignment.test, alignment.test_status, alignment.test_relabeled, test),
    }
    forms = [visible(tree.forms[word]) for tree, _, _, word in trees.values() if word is not None]
    tags = [tree.tags[word] for tree, _, _, word in trees.values() if word is not None and tree.tags[word] != "_"]
    number = (gold if gold is not None else test or 0) + 1
    cells = [
        (str(number), ""),
        (" ≠ ".join(dict.fromkeys(forms)), ""),
        (" ≠ ".join(dict.fromkeys(map(visible, tags))), ""),
    ]
    for tree, statuses, relabeled, word in trees.values():
        status = statuses[word] if word is not None else Status.RIGHT
        marks = () if word is None else marks_of(status, relabeled=relabeled[word])
        signs = " ".join(MARKS[mark] for mark in marks)
        signs = signs or (LEFT_OUT if status is None else "")
        text = _arc(tree, word) if word is not None else ""
        cells.append((f"{signs} {text}".strip(), marks[0] if marks else ""))
    return Row(tuple((cell,) for cell in cells))


def _arc(tree: DependencyTree, word: int) -> str:
    head = tree.heads[word]
    if head == NO_HEAD:
        return "_"
    relation = visible(tree.relations[word])
    return f"{relation} ← {head + 1} {visible(tree.forms[head])}" if head >= 0 else f"{relation} ← 0"


def _word_data(
    tree: DependencyTree,
    statuses: tuple[Status | None, ...],
    relabeled: tuple[bool, ...],
    partner: tuple[int | None, ...],
) -> list[dict[str, Any]]:
    return [
        {
            "word": word,
            "form": tree.forms[word],
            "tag": None if tree.tags[word] == "_" else tree.tags[word],
            "head": tree.heads[word] if tree.heads[word] >= 0 else None,
            "relation": tree.relations[word],
            "status": statuses[word],
            "relabeled": relabeled[word],
            "partner": partner[word],
        }
        for word in range(len(tree))
    ]


def arcs_data(alignment: DependencyAlignment) -> dict[str, Any]:
    """Return an alignment of dependency trees as dictionaries, lists, strings and numbers."""
    return {
        "status": alignment.status,
        "gold": _word_data(alignment.gold, alignment.gold_status, alignment.relabeled, alignment.partner),
        "test": _word_data(alignment.test, alignment.test_status, alignment.test_relabeled, alignment.test_partner),
        "words": [
            {
                "position": word.position,
                "form": word.form,
                "gold_lineage": list(word.gold),
                "test_lineage": None if word.test is None else list(word.test),
                "scores": dict(word.scores),
            }
            for word in alignment.words
        ],
        "counts": dict(alignment.counts),
        "scores": dict(alignment.scores),
    }
