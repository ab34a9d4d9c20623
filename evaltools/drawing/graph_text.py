"""Two semantic graphs as plain text, for a terminal: their triples, with marks on those that one has alone."""

from __future__ import annotations

from evaltools.drawing.measure import cells, shorten, visible
from evaltools.drawing.palette import ANSI, MARKS
from evaltools.metrics.edm_alignment import GraphAlignment, TripleRow
from evaltools.metrics.mapping import NodeStatus
from evaltools.treebank.semantic_graph import Anchors

__all__ = ["KIND_TITLES", "graph_text", "surface"]

KIND_TITLES: dict[str, str] = {
    "name": "Names",
    "argument": "Arguments",
    "property": "Properties",
    "constant": "Constants",
    "top": "Top",
}
"""What the classes of triples are called, in the order in which they are listed."""

_STATUS = {"matched": NodeStatus.MATCHED, "gold": NodeStatus.DELETED, "test": NodeStatus.INSERTED}
_LONGEST = 30


def surface(anchors: Anchors, text: str) -> str:
    """Return the characters that a span stands for, or its numbers where there is no text.

    Examples
    --------
    >>> surface(((4, 10),), "Kim leaves."), surface(((4, 10),), "")
    ('leaves', '4:10')
    """
    words = " … ".join(text[start:end] for start, end in anchors if 0 <= start < end)
    return words if words.strip() else " ".join(f"{start}:{end}" for start, end in anchors) or "no span"


def graph_text(
    alignment: GraphAlignment, *, colour: bool = False, gold_name: str = "gold", test_name: str = "test"
) -> str:
    """Write the triples of two semantic graphs, class by class.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs and what they share.
    colour : bool
        Use terminal colours beside the marks.
    gold_name, test_name : str
        What the two graphs are called.

    Returns
    -------
    str
        Lines, the last without a line end.
    """
    names = {"gold": gold_name, "test": test_name}
    lines = [visible(alignment.text)] if alignment.text else []
    lines += [f"{names[side]}: no graph" for side in names if getattr(alignment, side) is None]
    lines += [f"EDM is undefined: {alignment.undefined}"] if alignment.undefined else []
    listed = {kind: [row for row in alignment.triples if row.kind == kind and row.weight] for kind in KIND_TITLES}
    cells_of = {id(row): _cells(row, alignment.text) for rows in listed.values() for row in rows}
    widths = [max((cells(row[place]) for row in cells_of.values()), default=0) for place in range(3)]
    for kind, title in KIND_TITLES.items():
        rows = listed[kind]
        if not rows:
            continue
        number = {status: sum(row.status == status for row in rows) for status in _STATUS}
        lines += ["", f"{title}: {number['matched']} matched, {number['gold']} missed, {number['test']} wrong"]
        for row in rows:
            status = _STATUS[row.status]
            shown = [
                f"{text}{' ' * (width - cells(text))}" for text, width in zip(cells_of[id(row)], widths, strict=True)
            ]
            line = f"{MARKS[status] or ' '} {'  '.join(shown)}".rstrip()
            lines.append(f"\x1b[{ANSI[status]}m{line}\x1b[0m" if colour and ANSI[status] else line)
    seen = {row.status for rows in listed.values() for row in rows}
    legend = [f"{MARKS[_STATUS[side]]} only in {name}" for side, name in names.items() if side in seen]
    lines += ["", "   ".join(legend) if legend else "no difference"]
    return "\n".join(lines[1:] if not lines[0] else lines)


def _cells(row: TripleRow, text: str) -> tuple[str, str, str]:
    """Return what a line says of a triple: its words, what it is, and its value or the words it leads to."""
    span = " ".join(f"<{start}:{end}>" for start, end in row.span)
    words = f"{span} {shorten(visible(surface(row.span, text)), _LONGEST)}".strip()
    value = visible(row.value) if row.value else ""
    if row.target is not None:
        to = " ".join(f"<{start}:{end}>" for start, end in row.target)
        value = f"→ {to} {shorten(visible(surface(row.target, text)), _LONGEST)}"
    return words, visible(row.label), value
