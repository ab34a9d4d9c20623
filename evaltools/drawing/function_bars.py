"""Multi-function trees as bars over the words: one for each node, its functions above it.

A bar stands over the words of its node, so that nodes that are discontinuous, which no tree over a line of words can
show, are drawn as they are: whole over their words, dotted over the gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from evaltools.drawing.markup import document, element, text_element
from evaltools.drawing.measure import is_right_to_left, shorten, text_width, visible
from evaltools.metrics.mapping import NodeStatus
from evaltools.metrics.tedeval_protocol import TedEvalProtocol
from evaltools.treebank import MultiFunctionTree

__all__ = ["FunctionBar", "bars_of", "function_bars_svg", "protocol_bars"]

_SIZE, _SMALL = 13.0, 11.5
_LEVEL, _GAP, _EDGE = 34.0, 10.0, 8.0
_LONGEST = 24

_RULES = """\
.evaltools .span{fill:none;stroke:SOFT;stroke-width:1.4}
.evaltools .over{fill:none;stroke:LINE;stroke-width:1.2;stroke-dasharray:1.5 3}
.evaltools .function rect{fill:PAPER;stroke:LINE;stroke-width:1}
.evaltools .function.deleted rect{stroke:DELETED;stroke-width:1.6;stroke-dasharray:4 2.5}
.evaltools .function.inserted rect{stroke:INSERTED;stroke-width:1.6}
.evaltools .function.inserted .inner{fill:none;stroke-width:1}
.evaltools .function.swapped rect{stroke:SWAPPED;stroke-width:1.6}
.evaltools .function.discarded rect{stroke:LINE;stroke-width:1;stroke-dasharray:2 2}
.evaltools .function.discarded text{fill:SOFT;text-decoration:line-through}
.evaltools .none text{fill:SOFT}
"""
_MARKS = {NodeStatus.DELETED: "< ", NodeStatus.INSERTED: "> ", NodeStatus.SWAPPED: "≠ "}


@dataclass(frozen=True, slots=True)
class FunctionBar:
    """A node as it is drawn.

    Parameters
    ----------
    words : frozenset of int
        Its words.
    functions : tuple of (str, NodeStatus, bool)
        Its functions, what becomes of each, and whether that is no error; without one the node is drawn with ∅.
    status : NodeStatus
        What becomes of the node itself, where it has no function.
    discarded : bool
        Whether that is no error.
    """

    words: frozenset[int]
    functions: tuple[tuple[str, NodeStatus, bool], ...] = ()
    status: NodeStatus = NodeStatus.MATCHED
    discarded: bool = False


def bars_of(tree: MultiFunctionTree) -> list[FunctionBar]:
    """Return the nodes of a tree, all of them plain.

    Parameters
    ----------
    tree : MultiFunctionTree
        The tree.
    """
    return [
        FunctionBar(words, tuple((label, NodeStatus.MATCHED, False) for label in sorted(labels)))
        for words, labels in tree.labels.items()
    ]


def protocol_bars(protocol: TedEvalProtocol) -> list[FunctionBar]:
    """Return the nodes of a parse and of the generalization as one picture: what is deleted, added, and left out.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.
    """
    parse, gen = protocol.parse.labels, protocol.generalization.labels
    steps = {(one.label, one.words): one for one in protocol.operations}
    status = {"delete": NodeStatus.DELETED, "add": NodeStatus.INSERTED}
    bars = []
    for words in dict.fromkeys((*parse, *gen)):
        names = sorted(parse.get(words, frozenset()) | gen.get(words, frozenset()))
        functions = []
        for name in names:
            step = steps.get((name, words))
            functions.append((name, status[step.kind], step.discarded) if step else (name, NodeStatus.MATCHED, False))
        whole = steps.get((None, words))
        if whole is not None:  # unlabelled: the node itself is added or deleted, its functions say nothing
            functions = [(name, status[whole.kind], whole.discarded) for name in names]
        own = status[whole.kind] if whole is not None else NodeStatus.MATCHED
        bars.append(FunctionBar(words, tuple(functions), own, whole is not None and whole.discarded))
    return bars


@dataclass
class _Placed:
    bar: FunctionBar
    first: int
    last: int
    level: int
    chips: list[tuple[str, NodeStatus, bool, float]] = field(default_factory=list)

    @property
    def width(self) -> float:
        return sum(chip[3] for chip in self.chips) + 4.0 * (len(self.chips) - 1)


def function_bars_svg(
    words: Sequence[str],
    bars: Sequence[FunctionBar],
    *,
    below: Sequence[FunctionBar] = (),
    theme: str = "light",
    label: str = "multi-function tree",
) -> str:
    """Draw nodes as bars over the words.

    Parameters
    ----------
    words : sequence of str
        The words.
    bars : sequence of FunctionBar
        The nodes.
    below : sequence of FunctionBar
        Nodes of another tree over the same words, which hang below them, mirrored.
    theme : {"light", "dark", "auto"}
        Colours.
    label : str
        What the picture is, for those who do not see it.

    Returns
    -------
    str
        An SVG document.
    """
    above, under = _placed(bars), _placed(below)
    forms = [shorten(visible(word), _LONGEST) for word in words]
    edges = _columns([text_width(form, _SIZE) + _GAP for form in forms], [*above, *under])
    top = _EDGE + _LEVEL * (max((one.level for one in above), default=0) + 1)
    levels = max((one.level for one in under), default=-1) + 1
    height, width = top + 30.0 + (_LEVEL * levels - 4.0 + _EDGE if levels else 0.0), edges[-1] + _EDGE
    mirrored = is_right_to_left(words)

    def across(x: float) -> float:
        return width - x if mirrored else x

    parts = []
    for one, side in [*((one, 1) for one in above), *((one, -1) for one in under)]:
        y = top - _LEVEL * one.level - 6.0 if side > 0 else top + 30.0 + _LEVEL * one.level
        parts += _lines(one.bar.words, edges, y, side * 5.0, across)
        middle = across((edges[one.first] + edges[one.last + 1]) / 2)
        parts.append(_chips(one, middle, y - side * 12.0))
    for place, form in enumerate(forms):
        middle = across((edges[place] + edges[place + 1]) / 2)
        parts.append(text_element(form, middle, top + 12.0, _SIZE, "word"))
    return document(width, height, parts, theme=theme, label=label, class_="bars", more_rules=_RULES)


def _placed(bars: Sequence[FunctionBar]) -> list[_Placed]:
    """Give every bar the lowest level on which it stands above all that it covers."""
    placed: list[_Placed] = []
    for bar in sorted(bars, key=lambda one: (max(one.words) - min(one.words), len(one.words), sorted(one.words))):
        first, last = min(bar.words), max(bar.words)
        below = [one.level for one in placed if one.first <= last and first <= one.last]
        names = bar.functions or (("∅", bar.status, bar.discarded),)
        chips = []
        for name, status, discarded in names:
            text = ("" if discarded else _MARKS.get(status, "")) + shorten(visible(name), _LONGEST)
            chips.append((text, status, discarded, text_width(text, _SMALL) + 10.0))
        placed.append(_Placed(bar, first, last, max(below, default=-1) + 1, chips))
    return placed


def _columns(least: list[float], placed: Sequence[_Placed]) -> list[float]:
    """Return the edges of the words' columns, wide enough for the functions above them."""
    widths = list(least)
    for one in sorted(placed, key=lambda one: one.last - one.first):
        have = sum(widths[one.first : one.last + 1])
        if have < one.width + 6.0:
            share = (one.width + 6.0 - have) / (one.last - one.first + 1)
            for place in range(one.first, one.last + 1):
                widths[place] += share
    edges = [_EDGE]
    for width in widths:
        edges.append(edges[-1] + width)
    return edges


def _lines(
    words: frozenset[int], edges: list[float], y: float, tick: float, across: Callable[[float], float]
) -> list[str]:
    pieces: list[list[int]] = []
    for word in sorted(words):
        if pieces and pieces[-1][1] == word:
            pieces[-1][1] = word + 1
        else:
            pieces.append([word, word + 1])
    parts = []
    for start, end in pieces:
        left, right = across(edges[start] + 2.5), across(edges[end] - 2.5)
        path = f"M{left:.1f} {y + tick:.1f}V{y:.1f}H{right:.1f}V{y + tick:.1f}"
        parts.append(element("path", class_="span", d=path))
    for before, after in pairwise(pieces):
        left, right = across(edges[before[1]] - 2.5), across(edges[after[0]] + 2.5)
        parts.append(element("path", class_="over", d=f"M{left:.1f} {y:.1f}H{right:.1f}"))
    return parts


def _chips(one: _Placed, middle: float, y: float) -> str:
    x = middle - one.width / 2
    drawn = []
    for text, status, discarded, width in one.chips:
        kind = "discarded" if discarded else status.value
        empty = "" if one.bar.functions else " none"
        box = {"x": x, "y": y - 8.5, "width": width, "height": 17.0, "rx": 3}
        inner = {"class_": "inner", "x": x + 2, "y": y - 6.5, "width": width - 4, "height": 13.0, "rx": 2}
        rings = (element("rect", **inner),) if kind == NodeStatus.INSERTED.value else ()
        drawn.append(
            element(
                "g",
                element("rect", **box),
                *rings,
                text_element(text, x + width / 2, y, _SMALL, "label"),
                class_=f"function {kind}{empty}",
            )
        )
        x += width + 4.0
    return "".join(drawn)
