"""A fragment of a tree, small enough for a row of a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.scene import MARK_WIDTH, Box, Group, Item, Line, Scene, Text, marked, outline
from evaltools.marks import Status

ELIDED = "…"
"""Stands for nodes or words that are left out."""

_LABEL, _WORD = 11.5, 11.0
_PITCH, _WORD_PITCH = 25.0, 15.0  # Between rows of labels, and from a label to its words
_GAP, _MARGIN, _REACH = 12.0, 8.0, 7.5  # Between columns, around the picture, from a label's middle to its edge
_ELLIPSIS = 12.0


@dataclass(frozen=True, slots=True)
class FragmentChild:
    """A child of the node."""

    label: str  # Empty if it has none
    words: str = ""  # Typical words; empty if left out
    is_lost: bool = False  # Whether this node is the one that is often wrong


@dataclass(frozen=True, slots=True)
class Fragment:
    """A node with its surroundings.

    Parameters
    ----------
    label : str
        Label of the node.
    children : tuple of FragmentChild
        Its children from left to right; those without label and words stand for any number of children.
    above : tuple of str
        Labels above it, the outermost first.
    before, after : bool
        Whether it has siblings before and after it.
    is_lost : bool
        Whether the node is the one that is often wrong.

    Examples
    --------
    >>> fragment = Fragment("NP", (FragmentChild("NP", "it"), FragmentChild("")), ("VP",), after=True)
    >>> str(fragment)
    'VP → NP …; NP → NP(it) …'
    """

    label: str
    children: tuple[FragmentChild, ...] = ()
    above: tuple[str, ...] = ()
    before: bool = False
    after: bool = False
    is_lost: bool = False

    def __str__(self) -> str:
        """Return the rules that it consists of."""
        rules = [f"{upper} → {lower}" for upper, lower in pairwise(self.above)]
        if self.above:
            siblings = (ELIDED if self.before else "", self.label, ELIDED if self.after else "")
            rules.append(f"{self.above[-1]} → {' '.join(filter(None, siblings))}")
        names = []
        for child in self.children:
            words = f"({child.words})" if child.label and child.words else child.words
            names.append(f"{child.label}{words}" or ELIDED)
        return "; ".join([*rules, *([f"{self.label} → {' '.join(names)}"] if names else [])])


def fragment_scene(fragment: Fragment, *, title: str | None = None) -> Scene:
    """Return a fragment as a scene.

    Parameters
    ----------
    fragment : Fragment
        What to draw.
    title : str or None
        Its text alternative; by default its rules.
    """
    children = fragment.children or (FragmentChild(""),)
    widths = [_width(child) for child in children]
    own = _label_width(fragment.label, is_lost=fragment.is_lost)
    centers = _centers(widths)
    x = (centers[0] + centers[-1]) / 2
    beside = own / 2 + _GAP + _ELLIPSIS / 2
    siblings = [x - beside] * fragment.before + [x] + [x + beside] * fragment.after
    top = (siblings[0] + siblings[-1]) / 2
    places = [(x, own), *zip(centers, widths, strict=True), *((at, _ELLIPSIS) for at in siblings)]
    places += [(top, _label_width(label)) for label in fragment.above]
    shift = _MARGIN - min(at - width / 2 for at, width in places)
    right = max(at + width / 2 for at, width in places) + shift
    centers, siblings = ([at + shift for at in columns] for columns in (centers, siblings))
    x, top = x + shift, top + shift
    items: list[Item] = []
    y = _MARGIN + 6
    for label in fragment.above:
        items += _node(label, top, y, is_lost=False)
        y += _PITCH
    for upper, lower in pairwise([_MARGIN + 6 + _PITCH * row for row in range(len(fragment.above))]):
        items.append(_edge(top, upper, top, lower))
    if fragment.above:
        items += [_edge(top, y - _PITCH, at, y) for at in siblings]
    items += [Text(ELIDED, at, y, _LABEL, "soft") for at in siblings if at != x and fragment.above]
    items += _node(fragment.label, x, y, is_lost=fragment.is_lost)
    y += _PITCH
    for child, at in zip(children, centers, strict=True):
        items.append(_edge(x, y - _PITCH, at, y))
        if child.label:
            items += _node(child.label, at, y, is_lost=child.is_lost)
        words = visible(child.words) if child.words else "" if child.label else ELIDED
        if words:
            row = y + (_WORD_PITCH if child.label else 0)
            items.append(Text(words, at, row, _WORD, "form" if child.words else "soft"))
    if any(child.label and child.words for child in children):
        y += _WORD_PITCH
    return Scene(right + _MARGIN, y + _MARGIN + 4, tuple(items), "tree", title or visible(str(fragment)))


def _label_width(label: str, *, is_lost: bool = False) -> float:
    return text_width(visible(label), _LABEL) + (MARK_WIDTH + 8 if is_lost else 0)


def _width(child: FragmentChild) -> float:
    words = text_width(visible(child.words), _WORD) if child.words else _ELLIPSIS
    return max(words, _label_width(child.label, is_lost=child.is_lost) if child.label else 0.0)


def _centers(widths: Sequence[float]) -> list[float]:
    """Return the middles of columns beside one another, from 0."""
    centers, left = [], 0.0
    for width in widths:
        centers.append(left + width / 2)
        left += width + _GAP
    return centers


def _node(label: str, x: float, y: float, *, is_lost: bool) -> list[Item]:
    """Return a label; one that is often wrong has the mark of missing nodes."""
    status = Status.MISSING if is_lost else Status.RIGHT
    box = Box(x, y, _label_width(label, is_lost=is_lost), 17.0)
    own = [*([outline(box, status)] if is_lost else []), *marked(visible(label), box, _LABEL, "label", status)]
    return [Group(tuple(own), "node", status=status)]


def _edge(x: float, upper: float, below: float, lower: float) -> Line:
    return Line(((x, upper + _REACH), (below, lower - _REACH)), "edge")
