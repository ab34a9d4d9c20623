"""Contents of arc diagrams: the words of dependency trees, their empty nodes, and their arcs or enhanced edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaltools.corpus import DependencyTree
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.drawing.graph_content import Cell, DrawnArc
from evaltools.drawing.measure import visible
from evaltools.frameworks.dependency.aligned_arcs import (
    DependencyAlignment,
    EnhancedAlignment,
    EnhancedEdge,
    EnhancedNode,
)
from evaltools.marks import Status
from evaltools.text import excerpt

ARC_LEGEND: dict[Status, str] = {
    Status.RIGHT: "right",
    Status.MISSING: "missed head (only in {gold})",
    Status.SPURIOUS: "wrong head (only in {test})",
    Status.RELABELED: "wrong relation",
}
"""Names of the marks of arcs in the legend, by status."""

ENHANCED_LEGEND: dict[Status, str] = {
    Status.RIGHT: "right",
    Status.MISSING: "missing edge (only in {gold})",
    Status.SPURIOUS: "spurious edge (only in {test})",
    Status.RELABELED: "wrong relation",
}
"""Names of the marks of enhanced edges in the legend."""

_MAX_LENGTH = 30
_EMPTY = "∅"


@dataclass(frozen=True, slots=True)
class WordRow:
    """A word of both trees, or of one, with its number, form and tag in each; empty where a tree has none."""

    numbers: tuple[str, str]
    forms: tuple[str, str]
    tags: tuple[str, str]
    is_empty: bool = False  # Whether it is an empty node


@dataclass(frozen=True, slots=True)
class ArcContent:
    """The parts of an arc diagram."""

    rows: tuple[WordRow, ...]  # All words
    cells: tuple[Cell, ...]  # The drawn ones
    arcs: tuple[DrawnArc, ...]  # Between cells
    meanings: Mapping[Status, str]  # Of the statuses
    names: tuple[str, str]  # Of the two trees, with what they lack


def arc_content(
    alignment: DependencyAlignment | EnhancedAlignment,
    gold_name: str = "gold",
    parse_name: str = "parse",
) -> ArcContent:
    """Return the words and arcs of two aligned analyses."""
    names = {"gold": gold_name, "test": parse_name}
    if isinstance(alignment, EnhancedAlignment):
        return _enhanced_content(alignment, names)
    gold, test = alignment.gold, alignment.test
    two_rows = gold.forms != test.forms and bool(len(gold)) and bool(len(test))
    rows: list[WordRow] = []
    cells: list[Cell] = []
    columns: dict[str, dict[int, int]] = {"gold": {}, "test": {}}
    for g, t in side_by_side(alignment):
        numbers, forms, tags = zip(_word(gold, g), _word(test, t), strict=True)
        row = WordRow(numbers, forms, tags)
        rows.append(row)
        for side, word in (("gold", g), ("test", t)):
            if word is not None:
                columns[side][word] = len(cells)
        cells.append(_cell(row, {"word": g, "gold": g, "test": t}, two_rows=two_rows))
    arcs = [arc for side in names for arc in _arcs(alignment, side, columns[side], names)]
    below = parse_name if len(test) else f"{parse_name}: no parse"
    return ArcContent(tuple(rows), tuple(cells), tuple(arcs), ARC_LEGEND, (gold_name, below))


def _word(tree: DependencyTree, word: int | None) -> tuple[str, str, str]:
    """Return the number of a word, its form, and its tag."""
    if word is None:
        return "", "", ""
    return str(word + 1), visible(tree.forms[word]), "" if tree.tags[word] == "_" else visible(tree.tags[word])


def _cell(row: WordRow, data: Mapping[str, object], *, two_rows: bool) -> Cell:
    """Return a word in one row, or in one for each tree."""
    full = row.forms[0] or row.forms[1]
    lines: list[tuple[str, ...]] = [row.forms, row.tags]
    if not two_rows:
        lines = [(full,), (" ≠ ".join(dict.fromkeys(filter(None, row.tags))),)]
    texts, tags = (tuple(excerpt(text, _MAX_LENGTH) for text in line) for line in lines)
    return Cell(texts, full, data, tags, is_added=row.is_empty)


def _arcs(
    alignment: DependencyAlignment, side: str, columns: Mapping[int, int], names: Mapping[str, str]
) -> Iterator[DrawnArc]:
    """Yield the arcs of the drawn words of one tree."""
    tree, other, opposite = alignment.gold, alignment.test, "test"
    statuses, relabeled, partners = alignment.gold_status, alignment.relabeled, alignment.partner
    if side == "test":
        tree, other, opposite = alignment.test, alignment.gold, "gold"
        statuses, relabeled, partners = alignment.test_status, alignment.test_relabeled, alignment.test_partner
    for word, column in columns.items():
        head, status, partner = tree.heads[word], statuses[word], partners[word]
        if head == NO_HEAD:
            continue
        moved = status in (Status.MISSING, Status.SPURIOUS) and relabeled[word]
        if status in _MEANINGS:
            meaning = _MEANINGS[status]
        elif partner is None:
            meaning = f"only {names[side]} has this word" if len(other) else f"{names[opposite]} has no parse"
        else:
            meaning = "different head and relation" if moved else "different head"
        if partner is not None and status not in (Status.RIGHT, None):
            meaning += f" · {names[opposite]} has {arc_text(other, partner)}"
        yield DrawnArc(
            word,
            -1 if head < 0 else columns[head],
            column,
            excerpt(visible(tree.relations[word]), _MAX_LENGTH),
            status,
            side=side,
            relabeled=moved,
            title=f"{visible(tree.forms[word])} · {arc_text(tree, word)} · {meaning}",
            data={"side": side, "node": word, "parent": None if head < 0 else head, "partner": partner},
        )


_MEANINGS = {Status.RIGHT: "right", Status.RELABELED: "different relation", None: "not counted"}


def arc_text(tree: DependencyTree, word: int) -> str:
    """Return the relation and the head of a word as text."""
    head = tree.heads[word]
    if head == NO_HEAD:
        return "no head"
    of = f"of “{excerpt(visible(tree.forms[head]), 40)}”" if head >= 0 else "(no head)"
    return f"{visible(tree.relations[word])} {of}"


def side_by_side(alignment: DependencyAlignment) -> list[tuple[int | None, int | None]]:
    """Return pairs of positions in the order of both sentences; None where a tree has no such word."""
    pairs: list[tuple[int | None, int | None]] = []
    after = 0
    for word, partner in enumerate(alignment.partner):
        if partner is None or partner < after:
            pairs.append((word, None))
            continue
        pairs += [(None, between) for between in range(after, partner)]
        pairs.append((word, partner))
        after = partner + 1
    return pairs + [(None, rest) for rest in range(after, len(alignment.test))]


# ------------------------------------------------------------------------------------------------ enhanced dependencies


def _enhanced_content(alignment: EnhancedAlignment, names: Mapping[str, str]) -> ArcContent:
    """Return the words, empty nodes and edges of two enhanced graphs."""
    nodes = alignment.nodes
    rows = [WordRow((node.gold or "", node.test or ""), _forms(node), _tags(node), node.is_empty) for node in nodes]
    two_rows = any(node.forms[0] != node.forms[1] for node in nodes if not node.is_empty)
    cells = []
    for at, (row, node) in enumerate(zip(rows, nodes, strict=True)):
        gold, test = (None if number is None else at for number in (node.gold, node.test))
        cells.append(_cell(row, {"word": gold, "gold": gold, "test": test}, two_rows=two_rows))
    sides = {edge.side for edge in alignment.edges}
    captions = [name if side in sides else f"{name}: no enhanced dependencies" for side, name in names.items()]
    arcs = tuple(_edge(edge, rows, names) for edge in alignment.edges)
    return ArcContent(tuple(rows), tuple(cells), arcs, ENHANCED_LEGEND, (captions[0], captions[1]))


def _forms(node: EnhancedNode) -> tuple[str, str]:
    gold, test = (
        "" if number is None else _EMPTY if node.is_empty and form in ("", "_") else visible(form)
        for number, form in zip((node.gold, node.test), node.forms, strict=True)
    )
    return gold, test


def _tags(node: EnhancedNode) -> tuple[str, str]:
    """Return the tags of a word, the numbers of an empty node."""
    if node.is_empty:
        return node.gold or "", node.test or ""
    gold, test = ("" if tag in ("", "_") else visible(tag) for tag in node.tags)
    return gold, test


def _edge(edge: EnhancedEdge, rows: Sequence[WordRow], names: Mapping[str, str]) -> DrawnArc:
    def named(at: int | None) -> str:
        side = 0 if edge.side == "gold" else 1
        return "0" if at is None else f"{rows[at].numbers[side]} {rows[at].forms[side]}"

    meanings = _MEANINGS | {None: "not counted: on no path to a word"}
    meaning = meanings.get(edge.status, f"only in {names[edge.side]}")
    return DrawnArc(
        edge.dependent,
        -1 if edge.head is None else edge.head,
        edge.dependent,
        excerpt(visible(edge.relation), _MAX_LENGTH),
        edge.status,
        side=edge.side,
        title=f"{named(edge.dependent)} · {visible(edge.relation)} of {named(edge.head)} · {meaning}",
        data={"side": edge.side, "node": edge.dependent, "parent": edge.head},
    )
