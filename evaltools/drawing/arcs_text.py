"""Two dependency trees as plain text, for a terminal: a line for each word, with its heads and relations."""

from __future__ import annotations

from evaltools.drawing.arcs_columns import side_by_side
from evaltools.drawing.arcs_shapes import marks_of
from evaltools.drawing.measure import cells, visible
from evaltools.drawing.palette import ANSI, MARKS
from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment
from evaltools.metrics.mapping import NodeStatus
from evaltools.treebank import DependencyTree

__all__ = ["arcs_text"]

_SAYS = {
    "deleted": "head missed, only in {gold}",
    "inserted": "wrong head, only in {test}",
    "swapped": "other relation",
}
_LEFT_OUT = "·"


def arcs_text(
    alignment: DependencyAlignment, *, colour: bool = False, gold_name: str = "gold", test_name: str = "test"
) -> str:
    """Write every word with its relation and head in both trees, and marks where they differ.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees and what the comparison says of their arcs.
    colour : bool
        Use terminal colours beside the marks.
    gold_name, test_name : str
        What the two trees are called.

    Returns
    -------
    str
        Lines, the last without a line end.
    """
    heading = ("", "word", "tag", gold_name, test_name if len(alignment.test) else f"{test_name} (no parse)")
    rows = [_row(alignment, gold, test) for gold, test in side_by_side(alignment)]
    widths = [max(cells(row[place][0]) for row in [[(text, "") for text in heading], *rows]) for place in range(5)]
    written = ["  ".join(_pad(text, width) for text, width in zip(heading, widths, strict=True)).rstrip()]
    for row in rows:
        written.append(
            "  ".join(_painted(*cell, width, colour) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
    seen = {
        mark for side in ("gold", "test") for status in _statuses(alignment, side) for mark in marks_of(side, status)
    }
    names = {"gold": gold_name, "test": test_name}
    legend = [f"{MARKS[NodeStatus(mark)]} {text.format(**names)}" for mark, text in _SAYS.items() if mark in seen]
    if ArcStatus.LEFT_OUT in alignment.gold_status:
        legend.append(f"{_LEFT_OUT} not counted")
    written += ["", "   ".join(legend) if legend else "no difference"]
    return "\n".join(written)


def _statuses(alignment: DependencyAlignment, side: str) -> tuple[ArcStatus, ...]:
    return alignment.gold_status if side == "gold" else alignment.test_status


def _row(alignment: DependencyAlignment, gold: int | None, test: int | None) -> list[tuple[str, str]]:
    """Return the cells of a line, each with the status whose colour it has."""
    trees = {"gold": (alignment.gold, gold), "test": (alignment.test, test)}
    forms = [visible(tree.forms[word]) for tree, word in trees.values() if word is not None]
    tags = [tree.tags[word] for tree, word in trees.values() if word is not None and tree.tags[word] != "_"]
    place = (gold if gold is not None else test or 0) + 1
    row = [
        (str(place), ""),
        (" ≠ ".join(dict.fromkeys(forms)), ""),
        (" ≠ ".join(dict.fromkeys(map(visible, tags))), ""),
    ]
    for side, (tree, word) in trees.items():
        status = _statuses(alignment, side)[word] if word is not None else ArcStatus.RIGHT
        marks = marks_of(side, status)
        shown = " ".join(MARKS[NodeStatus(mark)] for mark in marks) or (
            _LEFT_OUT if status is ArcStatus.LEFT_OUT else ""
        )
        text = _arc(tree, word) if word is not None else ""
        row.append((f"{shown} {text}".strip(), marks[0] if marks else ""))
    return row


def _arc(tree: DependencyTree, word: int) -> str:
    head = tree.heads[word]
    relation = visible(tree.relations[word])
    return f"{relation} ← {head + 1} {visible(tree.forms[head])}" if head >= 0 else f"{relation} ← 0"


def _pad(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def _painted(text: str, status: str, width: int, colour: bool) -> str:
    shown = f"\x1b[{ANSI[NodeStatus(status)]}m{text}\x1b[0m" if colour and status else text
    return shown + " " * (width - cells(text))
