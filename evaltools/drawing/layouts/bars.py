"""Nodes over words as bars: multi-function trees, brackets of two trees, steps of TedEval.

A bar stands over the words of its node, so that nodes that are discontinuous, which no tree over a line of words can
show, are drawn as they are: whole over their words, dotted over the gaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from evaltools.drawing.measure import is_right_to_left, shorten, text_width, visible
from evaltools.drawing.scene import Box, Group, Item, Line, Point, Rectangle, Scene, Table, Text
from evaltools.errors import ParameterError
from evaltools.metrics.mapping import Alignment, NodeStatus
from evaltools.metrics.tedeval2011_steps import OlderSteps
from evaltools.metrics.tedeval_protocol import Operation, TedEvalProtocol
from evaltools.treebank import Kind, MultiFunctionTree, Tree

__all__ = [
    "Bars",
    "FunctionBar",
    "bars_of",
    "bars_scene",
    "bracket_bars",
    "protocol_bars",
    "protocol_data",
    "protocol_scene",
    "protocol_text",
    "tedeval2011_bars",
    "tree_bars_scene",
]

_WORD_SIZE, _LABEL_SIZE = 13.0, 11.5
_LEVEL, _GAP, _EDGE = 34.0, 10.0, 8.0
_LONGEST = 24
_MARKS = {NodeStatus.DELETED: "< ", NodeStatus.INSERTED: "> "}


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


@dataclass(frozen=True, slots=True)
class Bars:
    """Nodes over one row of words, and those of another tree below it.

    Parameters
    ----------
    words : sequence of str
        The words.
    above, below : sequence of FunctionBar
        Nodes above the words, and nodes of another tree over the same words, mirrored below them.
    label : str
        What the picture is, for those who do not see it.
    """

    words: Sequence[str]
    above: Sequence[FunctionBar]
    below: Sequence[FunctionBar] = ()
    label: str = "multi-function tree"


# --------------------------------------------------------------------------------------------------------- what to draw


def bars_of(tree: MultiFunctionTree) -> list[FunctionBar]:
    """Return the nodes of a tree, all of them plain.

    Parameters
    ----------
    tree : MultiFunctionTree
        The tree.

    Returns
    -------
    list of FunctionBar
        Its nodes.
    """
    return [
        FunctionBar(words, tuple((label, NodeStatus.MATCHED, False) for label in sorted(labels)))
        for words, labels in tree.labels.items()
    ]


def protocol_bars(protocol: TedEvalProtocol) -> list[FunctionBar]:
    """Return the nodes of a parse and of the generalization that count, as one picture with the edit script.

    Labeled, a node without a function (∅) has nothing that counts and is left out; so is a root that does not count.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.

    Returns
    -------
    list of FunctionBar
        The nodes.
    """
    parse, gen = protocol.parse.labels, protocol.generalization.labels
    steps = {(one.label, one.words): one for one in protocol.operations}
    status = {"delete": NodeStatus.DELETED, "add": NodeStatus.INSERTED}
    bars = []
    for words in dict.fromkeys((*parse, *gen)):
        names = sorted(parse.get(words, frozenset()) | gen.get(words, frozenset()))
        if (protocol.labelled and not names) or (not protocol.count_root and len(words) == len(protocol.parse.words)):
            continue
        functions = []
        for name in names:
            step = steps.get((name, words))
            functions.append((name, status[step.kind], step.discarded) if step else (name, NodeStatus.MATCHED, False))
        whole = steps.get((None, words))
        if whole is not None:  # unlabeled: the node itself is added or deleted, whatever its functions
            functions = [(name, status[whole.kind], whole.discarded) for name in names]
        own = status[whole.kind] if whole is not None else NodeStatus.MATCHED
        bars.append(FunctionBar(words, tuple(functions), own, whole is not None and whole.discarded))
    return bars


_STATUS_2011 = {"delete": NodeStatus.DELETED, "insert": NodeStatus.INSERTED, "relabel": NodeStatus.SWAPPED}


def tedeval2011_bars(steps: OlderSteps) -> list[FunctionBar]:
    """Return the nodes of a parse, and those it lacks: what is deleted, inserted, relabeled, and left out.

    Parameters
    ----------
    steps : OlderSteps
        The sentence by the measure of 2011.

    Returns
    -------
    list of FunctionBar
        The nodes.
    """
    changed = {(step.words, step.label): step for step in steps.steps if step.kind != "insert"}
    bars = []
    for words, labels in steps.parse.labels.items():
        functions = []
        for label in sorted(labels):
            step = changed.get((words, label))
            text = label if step is None or step.becomes is None else f"{label} → {step.becomes}"
            status = NodeStatus.MATCHED if step is None else _STATUS_2011[step.kind]
            functions.append((text, status, step is not None and step.discarded))
        bars.append(FunctionBar(words, tuple(functions)))
    added = (step for step in steps.steps if step.kind == "insert")
    return bars + [FunctionBar(step.words, ((step.label, NodeStatus.INSERTED, step.discarded),)) for step in added]


_PARTS = {"roof": (Kind.PHRASE,), "whole": (Kind.PHRASE, Kind.PRETERMINAL)}


def bracket_bars(alignment: Alignment, *, part: str = "roof") -> Bars:
    """Return the brackets of two trees, inner before outer: those of gold above the words, those of test below.

    A bracket is a label over a stretch of words, and E compares nothing else of a tree.

    Parameters
    ----------
    alignment : Alignment
        Two trees over the same words.
    part : {"roof", "whole"}
        Whether tags count.

    Returns
    -------
    Bars
        What `draw` draws.

    Raises
    ------
    ParameterError
        If the words of the trees differ, or there is no such part.

    Examples
    --------
    >>> from evaltools.metrics.alignment import align
    >>> bars = bracket_bars(align("(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (NP (V bark)))"))
    >>> [str(bar.status) for bar in (*bars.above, *bars.below)]
    ['matched', 'deleted', 'matched', 'matched', 'inserted', 'matched']
    """
    gold, test = alignment.gold, alignment.test
    if gold.words != test.words:
        raise ParameterError("the words of the trees differ; bars can be drawn over the same words only")
    if part not in _PARTS:
        raise ParameterError.unknown("part", part, _PARTS)
    above, below = _brackets(gold, alignment.e.gold_status, part), _brackets(test, alignment.e.test_status, part)
    return Bars(gold.words, above, below, "brackets of the gold tree above, of the test tree below")


def _brackets(tree: Tree, statuses: Sequence[NodeStatus], part: str) -> list[FunctionBar]:
    nodes = [
        node for node in range(len(tree)) if tree.kinds[node] in _PARTS[part] and tree.starts[node] < tree.ends[node]
    ]
    nodes.sort(key=lambda node: (tree.ends[node] - tree.starts[node], tree.starts[node], node))
    return [
        FunctionBar(
            frozenset(range(tree.starts[node], tree.ends[node])),
            ((tree.labels[node] or "∅", statuses[node], False),),
            statuses[node],
        )
        for node in nodes
    ]


# --------------------------------------------------------------------------------------------------------------- scenes


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


def bars_scene(bars: Bars) -> Scene:
    """Place nodes over words.

    Parameters
    ----------
    bars : Bars
        The words and the nodes.
    """
    above, below = _placed(bars.above), _placed(bars.below)
    forms = [shorten(visible(word), _LONGEST) for word in bars.words]
    edges = _columns([text_width(form, _WORD_SIZE) + _GAP for form in forms], [*above, *below])
    top = _EDGE + _LEVEL * (max((one.level for one in above), default=0) + 1)
    levels = max((one.level for one in below), default=-1) + 1
    height, width = top + 30.0 + (_LEVEL * levels - 4.0 + _EDGE if levels else 0.0), edges[-1] + _EDGE
    if is_right_to_left(bars.words):
        edges = [width - x for x in edges]
    spans: list[Item] = []
    gaps: list[Item] = []
    chips: list[Item] = []
    for one, side in [*((one, 1) for one in above), *((one, -1) for one in below)]:
        y = top - _LEVEL * one.level - 6.0 if side > 0 else top + 30.0 + _LEVEL * one.level
        pieces = _pieces(one.bar.words)
        ends = [_ends(edges[start], edges[end]) for start, end in pieces]
        for left, right in ends:
            spans.append(Line(((left, y + side * 5.0), (left, y), (right, y), (right, y + side * 5.0)), "span"))
        gaps += [Line(((before[1], y), (after[0], y)), "over") for before, after in pairwise(ends)]
        chips += _chips(one, (edges[one.first] + edges[one.last + 1]) / 2, y - side * 12.0)
    words = [
        Text(form, (edges[place] + edges[place + 1]) / 2, top + 12.0, _WORD_SIZE, "word")
        for place, form in enumerate(forms)
    ]
    return Scene(width, height, (*spans, *gaps, *chips, *words), "bars", bars.label)


def tree_bars_scene(tree: MultiFunctionTree) -> Scene:
    """Place the nodes of a multi-function tree.

    Parameters
    ----------
    tree : MultiFunctionTree
        The tree.
    """
    return bars_scene(Bars(tree.words, bars_of(tree)))


def protocol_scene(protocol: TedEvalProtocol) -> Scene:
    """Place the parse and the generalization of a sentence as one picture of bars.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.
    """
    return bars_scene(Bars(protocol.parse.words, protocol_bars(protocol), label="steps of TedEval"))


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
            chips.append((text, status, discarded, text_width(text, _LABEL_SIZE) + 10.0))
        placed.append(_Placed(bar, first, last, max(below, default=-1) + 1, chips))
    return placed


def _columns(narrowest: list[float], placed: Sequence[_Placed]) -> list[float]:
    """Return the edges of the words' columns, wide enough for the functions above them."""
    widths = list(narrowest)
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


def _pieces(words: frozenset[int]) -> list[tuple[int, int]]:
    """Return the stretches of words without a gap, as borders of columns."""
    pieces: list[tuple[int, int]] = []
    for word in sorted(words):
        if pieces and pieces[-1][1] == word:
            pieces[-1] = pieces[-1][0], word + 1
        else:
            pieces.append((word, word + 1))
    return pieces


def _ends(first: float, last: float) -> Point:
    """Return where a bar between two borders begins and ends."""
    inset = 2.5 if first < last else -2.5
    return first + inset, last - inset


def _chips(one: _Placed, middle: float, y: float) -> Iterator[Group]:
    """Yield the functions of a node, or ∅ where it has none."""
    x = middle - one.width / 2
    for text, status, discarded, width in one.chips:
        box = Box(x + width / 2, y, width, 17.0)
        kind = "discarded" if discarded else status.value
        items = (
            Rectangle(box, "chip", kind, 3),
            Text(text, box.x, box.y, _LABEL_SIZE, "label", is_struck=discarded),
        )
        yield Group(items, "function", status=kind, more="" if one.bar.functions else "none")
        x += width + 4.0


# -------------------------------------------------------------------------------------------------------- text and data


def _words(tree: MultiFunctionTree, places: frozenset[int], between: str) -> str:
    return between.join(visible(tree.words[place]) for place in sorted(places))


def protocol_text(protocol: TedEvalProtocol) -> list[Table | str]:
    """Return the trees, the steps and the score as lines of text; what is not counted is in brackets.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.

    Examples
    --------
    >>> from evaltools.metrics.tedeval_protocol import tedeval_protocol
    >>> tree = MultiFunctionTree(("it", "rains"), {frozenset({0, 1}): {"root"}, frozenset({0}): {"sbj"}})
    >>> protocol_text(tedeval_protocol(tree, [tree]))[-1]
    '1 − 0 / (2 + 2) = 1.000'
    """
    lines = [f"gold {number}: {tree}" for number, tree in enumerate(protocol.golds, start=1)]
    if len(protocol.golds) > 1:
        lines.append(f"common: {protocol.generalization}")
    lines += [f"parse:  {protocol.parse}", ""]
    between = "" if protocol.in_characters else " "

    def step(operation: Operation) -> str:
        sign = "<" if operation.kind == "delete" else ">"
        label = operation.label + " " if operation.label is not None else ""
        text = f"{sign} {operation.kind} {label}over “{_words(protocol.parse, operation.words, between)}”"
        return f"({text})" if operation.discarded else text

    lines += [*map(step, protocol.operations), *([""] if protocol.operations else [])]
    score = "–" if protocol.score is None else f"{protocol.score:.3f}"
    return [*lines, f"1 − {protocol.delta} / ({protocol.n_parse} + {protocol.n_generalized}) = {score}"]


def protocol_data(protocol: TedEvalProtocol) -> dict[str, Any]:
    """Return the trees, the steps and the score as dictionaries, lists, strings and numbers.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.

    Returns
    -------
    dict
        ``words``; ``golds``, ``generalization`` and ``parse`` (nodes with their words and functions); ``operations``
        (kind, label or None, words, discarded); ``delta``, ``n_parse``, ``n_generalized``, ``score`` (None where
        undefined), ``labelled``, ``in_characters``, ``words_aligned``.
    """

    def nodes(tree: MultiFunctionTree) -> list[dict[str, Any]]:
        return [{"words": sorted(words), "functions": sorted(labels)} for words, labels in tree.labels.items()]

    return {
        "words": list(protocol.parse.words),
        "golds": [nodes(tree) for tree in protocol.golds],
        "generalization": nodes(protocol.generalization),
        "parse": nodes(protocol.parse),
        "operations": [
            {"kind": one.kind, "label": one.label, "words": sorted(one.words), "discarded": one.discarded}
            for one in protocol.operations
        ],
        "delta": protocol.delta,
        "n_parse": protocol.n_parse,
        "n_generalized": protocol.n_generalized,
        "score": protocol.score,
        "labelled": protocol.labelled,
        "in_characters": protocol.in_characters,
        "words_aligned": protocol.words_aligned,
    }
