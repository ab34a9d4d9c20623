"""The alignment viewer: E- and T-mapping of one sentence side by side, to hover, pin, fold, zoom and pan.

The drawings are our own SVG; the script beside this module adopts them as XML and never as HTML, so
labels from data stay text. What was unfolded lives in the component's state under its key; zoom and
pins live in the browser and outlast reruns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any

import streamlit as st

from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.drawing.word_columns import aligns_words, differing_tags, drawn_mapping, mapping_counts, placed_links
from evaltools.metrics.mapping import Alignment, NodeStatus, WordMatch
from evaltools.publishing.drawings import alignment_picture
from evaltools.ui.components import Component
from evaltools.ui.widgets.saving import Origin, picture_files, save

__all__ = ["AlignmentView", "Highlight", "Marks", "alignment_viewer", "opened_nodes", "show_panels"]

_COMPONENT = Component("alignment_viewer")

HEADINGS = {
    "e": "E-mapping: equal label and span",
    "t": "T-mapping: order and ancestry",
}
"""What the panels are called, in plain words."""

_ALIGNED = {
    "e": "The words differ: brackets are compared over the aligned characters.",
    "t": "The words differ: T maps them in its own way; the lines show how they are aligned.",
}
_UNDEFINED = ("e", "words_differ")


@dataclass(frozen=True, slots=True)
class Marks:
    """What a step is about, where that is more than one node.

    Parameters
    ----------
    gold, test : tuple of int
        Nodes of the two trees.
    words : tuple of int
        Positions in the normalised gold tree.
    says : str
        What stands under the drawing.
    """

    gold: tuple[int, ...]
    test: tuple[int, ...]
    words: tuple[int, ...]
    says: str = ""


Highlight = tuple[int | None, int | None] | Marks
"""Gold node and test node to flash, as an edit step names them; or several."""


@dataclass(frozen=True, slots=True)
class AlignmentView:
    """What the reader did in the viewer.

    Parameters
    ----------
    word : int or None
        Position (in the normalised gold tree) of a word clicked just now, else None.
    unfolded : frozenset of int
        Gold nodes whose triangles are open.
    """

    word: int | None
    unfolded: frozenset[int]


def _subject(alignment: Alignment) -> str:
    """Return a short name for what is shown; folds and pins belong to it."""
    text = "\0".join((alignment.gold.to_string(), alignment.test.to_string()))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


_COUNTED = {
    NodeStatus.DELETED: ("D", "deleted: in the upper tree only"),
    NodeStatus.INSERTED: ("I", "inserted: in the lower tree only"),
    NodeStatus.SWAPPED: ("S", "swapped: mapped to a node with another label"),
    NodeStatus.MATCHED: ("M", "matched: in both trees"),
}
"""The letter and the meaning of each count."""


def _numbers(alignment: Alignment, kind: str, part: str) -> tuple[str, list[list[str]]]:
    """Return what a mapping's header counts, and mark class, letter, number and meaning of each count."""
    scope, counts = mapping_counts(alignment, kind, part)
    rows = [
        [status.value, _COUNTED[status][0], str(number), f"{scope} {_COUNTED[status][1]}"]
        for status, number in counts.items()
    ]
    moves = len(drawn_mapping(alignment, kind).moves)
    if moves:
        rows.append(["moved", "moved subtrees", str(moves), "subtrees deleted here and inserted there"])
    return scope, rows


def _note(alignment: Alignment, kind: str, part: str, test_name: str) -> str:
    """Return what stands under a panel while nothing is pointed at."""
    mapping = drawn_mapping(alignment, kind)
    if not len(alignment.test):
        return f"{test_name}: no parse"
    if {*mapping.gold_status, *mapping.test_status} <= {NodeStatus.MATCHED}:
        return "Every node is matched."
    if aligns_words(alignment):
        return _ALIGNED[kind]
    if (kind, alignment.status) == _UNDEFINED:
        return "The words differ, so the E scores are undefined."
    lost, extra = differing_tags(alignment) if (kind, part) == ("e", "roof") else (0, 0)
    if not lost and not extra:
        return ""
    number = str(lost) if lost == extra else f"{lost} above and {extra} below"
    return f"Tags that differ: {number}. They are marked, and are not among the brackets counted above."


def _legend(ties: set[WordMatch]) -> list[str]:
    """Return a drawing for each mark and line to be explained, so that they break into lines where it is narrow."""
    marks = [draw(tree_legend((status,)), theme="auto") for status in LEGEND]
    return marks + [draw(tree_legend((), (how,)), theme="auto") for how in WordMatch if how in ties]


def opened_nodes(key: str, subject: str) -> frozenset[int]:
    """Return the triangles opened in the browser for this subject.

    Parameters
    ----------
    key : str
        The component's key.
    subject : str
        What is shown.
    """
    state = st.session_state.get(key)
    opened = state.get("opened") if state is not None and hasattr(state, "get") else None
    if not isinstance(opened, dict) or opened.get("subject") != subject:
        return frozenset()
    return frozenset(node for node in opened.get("nodes", ()) if isinstance(node, int))


def alignment_viewer(
    alignment: Alignment,
    *,
    key: str,
    mappings: Sequence[str] = ("e", "t"),
    part: str = "roof",
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    selected_word: int | None = None,
    highlight: Highlight | None = None,
    gold_name: str = "gold",
    test_name: str = "test",
    origin: Origin | None = None,
) -> AlignmentView:
    """Show the mappings of an alignment.

    Parameters
    ----------
    alignment : Alignment
        What to show.
    key : str
        The component's key; use one key for all sentences of a page.
    mappings : sequence of {"e", "t"}
        Panels, from left to right.
    part : {"roof", "whole"}
        What the header of the E-mapping counts: brackets, or tags as well.
    fold : bool, optional
        Show only what differs; by default in sentences of more than 25 words.
    unfolded : frozenset of int
        Gold nodes whose triangles are open besides those that the reader opened.
    selected_word : int, optional
        Position of the word to mark.
    highlight : (int or None, int or None) or Marks, optional
        What to flash.
    gold_name, test_name : str
        What the two trees are called.
    origin : Origin, optional
        Where the trees come from; the pictures can be saved then.

    Returns
    -------
    AlignmentView
        A word clicked just now, and which triangles are open.
    """
    subject = _subject(alignment)
    opened = opened_nodes(key, subject)
    shown = opened | unfolded
    panels = []
    for kind in mappings:
        drawing = draw(
            alignment,
            mapping=kind,
            fold=fold,
            unfolded=shown,
            theme="auto",
            legend=False,
            gold_name=gold_name,
            test_name=test_name,
            interactive=True,
        )
        scope, numbers = _numbers(alignment, kind, part)
        panels.append(
            {
                "kind": kind,
                "heading": HEADINGS[kind],
                "scope": scope,
                "numbers": numbers,
                "note": _note(alignment, kind, part, test_name),
                "svg": drawing,
            }
        )
    legend = _legend({link.how for link in placed_links(alignment)})
    word = show_panels(
        panels,
        key=key,
        subject=subject,
        opened=opened,
        legend=legend,
        selected_word=selected_word,
        highlight=highlight,
    )
    if origin is not None:
        pictures = [
            alignment_picture(
                alignment,
                kind,
                origin.name,
                origin.caption(HEADINGS[kind]),
                gold_name=gold_name,
                test_name=test_name,
                fold=fold,
                unfolded=shown,
            )
            for kind in mappings
        ]
        save(key, *map(picture_files, pictures))
    return AlignmentView(word, shown)


def show_panels(
    panels: list[dict[str, Any]],
    *,
    key: str,
    subject: str,
    opened: frozenset[int],
    legend: list[str],
    selected_word: int | None = None,
    highlight: Highlight | None = None,
    help_: str = "hover: partner and path · click: pin, Esc: unpin · click what is folded: unfold · Ctrl + wheel: zoom",
) -> int | None:
    """Show drawings in the viewer.

    Parameters
    ----------
    panels : list of dict
        From left to right: ``kind``, ``heading``, ``scope`` (what is counted), ``numbers``, ``note`` and ``svg``
        of each.
    key : str
        The component's key.
    subject : str
        A short name for what is shown; folds and pins belong to it.
    opened : frozenset of int
        What the reader has unfolded, from :func:`opened_nodes`.
    legend : list of str
        An SVG for each entry.
    selected_word, highlight
        As for :func:`alignment_viewer`.
    help_ : str
        What pointer and keys do.

    Returns
    -------
    int or None
        The position of a word clicked just now.
    """
    result = _COMPONENT.mount(
        {
            "id": key,
            "subject": subject,
            "panels": panels,
            "legend": legend,
            "help": help_,
            "opened": sorted(opened),
            "word": selected_word,
            "highlight": asdict(highlight) if isinstance(highlight, Marks) else highlight and list(highlight),
        },
        key=key,
        told={"word": None, "opened": None},
    )
    word = result.get("word")
    return word if isinstance(word, int) else None
