"""Nodes over words as bars: multi-function trees, brackets of two trees, steps of TedEval.

A bar is over the words of its node. A discontinuous node, which no tree over a line of words can show, is one bar,
solid over its words and dotted over the gaps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise

from evaltools.corpus import Kind, MultiFunctionTree, Tree
from evaltools.corpus.function_trees import Yield
from evaltools.corpus.stretches import stretches_of
from evaltools.drawing.measure import is_right_to_left, text_width, visible, widen
from evaltools.drawing.scene import Box, Group, Item, Line, Point, Rectangle, Scene, Table, Text, framed
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.crossframework.edit_scripts import Operation, TedEvalProtocol
from evaltools.marks import Status
from evaltools.text import excerpt, percentage

_WORD_SIZE, _LABEL_SIZE = 13.0, 11.5
_LEVEL, _GAP, _EDGE = 34.0, 10.0, 8.0
_MAX_LENGTH = 24
_MARKS = {Status.MISSING: "< ", Status.SPURIOUS: "> "}


@dataclass(frozen=True, slots=True)
class FunctionBar:
    """A node to draw.

    Parameters
    ----------
    words : frozenset of int
        Its words.
    functions : tuple of (str, Status, bool)
        Its functions, the status of each, and whether that is no error; without functions the node is drawn with ∅.
    status : Status
        Status of the node itself, if it has no function.
    discarded : bool
        Whether that is no error.
    goes_on : (bool, bool)
        Whether it has words on the lines before and after this one.
    """

    words: frozenset[int]
    functions: tuple[tuple[str, Status, bool], ...] = ()
    status: Status = Status.RIGHT
    discarded: bool = False
    goes_on: tuple[bool, bool] = (False, False)


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
        Text alternative of the picture.
    """

    words: Sequence[str]
    above: Sequence[FunctionBar]
    below: Sequence[FunctionBar] = ()
    label: str = "multi-function tree"


# --------------------------------------------------------------------------------------------------------- what to draw


def bars_of(tree: MultiFunctionTree) -> list[FunctionBar]:
    """Return the nodes of a tree, all of them as matched.

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
        FunctionBar(words, tuple((label, Status.RIGHT, False) for label in sorted(labels)))
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
    trees = [tree.labels for tree in (protocol.parse, protocol.generalization) if tree is not None]
    steps = defaultdict[Yield, dict[str | None, Operation]](dict)
    for step in protocol.operations:
        steps[step.words][step.label] = step
    bars = []
    for words in dict.fromkeys((*chain.from_iterable(trees), *steps)):
        own = steps.get(words, {})
        names = sorted({*filter(None, own)}.union(*(labels.get(words, ()) for labels in trees)))
        if (protocol.labeled and not names) or (not protocol.count_root and len(words) == len(protocol.parse.words)):
            continue
        node = own.get(None)  # unlabeled: the node itself is added or deleted, whatever its functions
        functions = tuple(_function(name, node or own.get(name)) for name in names)
        bars.append(FunctionBar(words, functions, *_function("", node)[1:]))
    return bars


def _function(name: str, step: Operation | None) -> tuple[str, Status, bool]:
    """Return a function as it is drawn, given the step that changes it."""
    if step is None:
        return name, Status.RIGHT, False
    return f"{name} → {step.becomes}" if step.becomes else name, step.status, step.discarded


_PARTS = {"roof": (Kind.PHRASE,), "whole": (Kind.PHRASE, Kind.PRETERMINAL)}


def bracket_bars(alignment: Alignment, *, part: str = "roof", marked: bool = True) -> Bars:
    """Return the brackets of two trees that count, inner before outer: gold above the words, test below.

    A bracket is a label over a span of words. The E-mapping compares nothing else.

    Parameters
    ----------
    alignment : Alignment
        Two trees over the same words.
    part : {"roof", "whole"}
        Whether tags count.
    marked : bool
        Whether brackets that are missing or spurious are marked.

    Returns
    -------
    Bars
        The bars, for `draw`.

    Raises
    ------
    ParameterError
        If the words of the trees differ, or there is no such part.

    Examples
    --------
    >>> from evaltools.frameworks.constituency.alignment import align
    >>> bars = bracket_bars(align("(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (NP (V bark)))"))
    >>> [str(bar.status) for bar in (*bars.above, *bars.below)]
    ['right', 'missing', 'right', 'right', 'spurious', 'right']
    """
    gold, test = alignment.gold, alignment.test
    if gold.words != test.words:
        raise ParameterError("the words of the trees differ; bars need the same words in both trees")
    if part not in _PARTS:
        raise ParameterError.unknown("part", part, _PARTS)
    sides = ((gold, alignment.e.gold_status), (test, alignment.e.test_status))
    above, below = (_brackets(tree, statuses, part, marked=marked) for tree, statuses in sides)
    return Bars(gold.words, above, below, "brackets of gold above, of the parse below")


def _brackets(tree: Tree, statuses: Sequence[Status | None], part: str, *, marked: bool) -> list[FunctionBar]:
    nodes = [
        (node, status if marked else Status.RIGHT)
        for node, status in enumerate(statuses)
        if tree.kinds[node] in _PARTS[part] and tree.starts[node] < tree.ends[node] and status is not None
    ]
    nodes.sort(key=lambda item: (tree.ends[item[0]] - tree.starts[item[0]], tree.first(item[0]), item[0]))
    return [
        FunctionBar(tree.yield_(node), ((tree.labels[node] or "∅", status, False),), status) for node, status in nodes
    ]


# --------------------------------------------------------------------------------------------------------------- scenes


def as_bars(subject: Bars | MultiFunctionTree | TedEvalProtocol) -> Bars:
    """Return a multi-function tree, or a parse and its generalization with the edit script, as bars."""
    if isinstance(subject, MultiFunctionTree):
        return Bars(subject.words, bars_of(subject))
    if isinstance(subject, TedEvalProtocol):
        return Bars(subject.parse.words, protocol_bars(subject), label="steps of TedEval")
    return subject


@dataclass(frozen=True, slots=True)
class _Placed:
    """A bar on its level, with its functions beside one another: text, status and width."""

    bar: FunctionBar
    first: int
    last: int
    level: int
    chips: tuple[tuple[str, str, float], ...]

    @property
    def width(self) -> float:
        return sum(width for *_, width in self.chips) + 4.0 * (len(self.chips) - 1)


def bars_scene(
    subject: Bars | MultiFunctionTree | TedEvalProtocol,
    *,
    title: str | None = None,
    width: float = 900.0,
) -> Scene:
    """Place nodes over words; a sentence that is wider has several lines, in each of which its nodes are drawn."""
    bars = as_bars(subject)
    forms = [excerpt(visible(word), _MAX_LENGTH) for word in bars.words]
    is_mirrored = is_right_to_left(bars.words)
    lines = [_line(bars, forms, first, end) for first, end in _stretches(_widths(bars, forms), width)]
    right = max(line.width for line in lines)
    items: list[Item] = []
    bottom = 0.0
    for line in lines:
        drawn = line.items(right if is_mirrored else None)
        items += drawn if len(lines) == 1 else [Group(drawn, offset=(0.0, bottom))]
        bottom += line.height
    return framed(Scene(right, bottom, tuple(items), "bars", bars.label), title=title)


def _widths(bars: Bars, forms: Sequence[str]) -> list[float]:
    """Return the widths of the words, wide enough for the functions above and below them."""
    widths = [text_width(form, _WORD_SIZE) + _GAP for form in forms]
    placed = (*_placed(bars.above), *_placed(bars.below))
    needs = [(item.first, item.last, item.width + 6.0) for item in placed]
    widen(widths, sorted(needs, key=lambda need: need[1] - need[0]))
    return widths


def _stretches(widths: Sequence[float], room: float) -> list[tuple[int, int]]:
    """Return the first word and the end of each line of words: as few lines as there can be, about equally long.

    Examples
    --------
    >>> _stretches([40.0] * 4, 160.0), _stretches([], 100.0)
    ([(0, 2), (2, 4)], [(0, 0)])
    """
    fewest = len(_filled(widths, room))
    even = sum(widths) / fewest + 2 * _EDGE
    while len(lines := _filled(widths, even)) > fewest:
        even += _GAP
    return lines


def _filled(widths: Sequence[float], room: float) -> list[tuple[int, int]]:
    """Return the lines, each as long as it can be."""
    starts, used = [0], 2 * _EDGE
    for index, width in enumerate(widths):
        if index > starts[-1] and used + width > room:
            starts.append(index)
            used = 2 * _EDGE
        used += width
    return list(pairwise([*starts, len(widths)]))


def _within(bars: Sequence[FunctionBar], first: int, end: int) -> list[FunctionBar]:
    """Return the parts of nodes over some words, which are counted from the first of these; smaller nodes first."""
    parts = (
        (bar, frozenset(word - first for word in bar.words if first <= word < end))
        for bar in sorted(bars, key=lambda bar: len(bar.words))
    )
    return [
        replace(bar, words=words, goes_on=(min(bar.words) < first, max(bar.words) >= end))
        for bar, words in parts
        if words
    ]


@dataclass(frozen=True, slots=True)
class _Line:
    """The nodes over one line of words."""

    forms: Sequence[str]
    widths: Sequence[float]
    above: Sequence[_Placed]
    below: Sequence[_Placed]

    @property
    def width(self) -> float:
        return sum(self.widths) + 2 * _EDGE

    @property
    def top(self) -> float:
        """The upper edge of the words."""
        return _EDGE + _LEVEL * (max((item.level for item in self.above), default=0) + 1)

    @property
    def height(self) -> float:
        levels = max((item.level for item in self.below), default=-1) + 1
        return self.top + 30.0 + (_LEVEL * levels - 4.0 + _EDGE if levels else 0.0)

    def items(self, mirrored_at: float | None) -> tuple[Item, ...]:
        """Return what is drawn; from right to left if there is a right edge to begin at."""
        edges = list(accumulate(self.widths, initial=_EDGE))
        if mirrored_at is not None:
            edges = [mirrored_at - x for x in edges]
        spans: list[Item] = []
        gaps: list[Item] = []
        chips: list[Item] = []
        for item, side in [*((item, 1) for item in self.above), *((item, -1) for item in self.below)]:
            y = self.top - _LEVEL * item.level - 6.0 if side > 0 else self.top + 30.0 + _LEVEL * item.level
            ends = [_ends(edges[start], edges[end]) for start, end in stretches_of(sorted(item.bar.words))]
            for at, (left, right) in enumerate(ends):
                before, after = item.bar.goes_on[0] and not at, item.bar.goes_on[1] and at == len(ends) - 1
                first = () if before else ((left, y + side * 5.0),)
                last = () if after else ((right, y + side * 5.0),)
                spans.append(Line((*first, (left, y), (right, y), *last), "span"))
            gaps += [Line(((before[1], y), (after[0], y)), "over") for before, after in pairwise(ends)]
            chips += _chips(item, (edges[item.first] + edges[item.last + 1]) / 2, y - side * 12.0)
        words = [
            Text(form, (edges[index] + edges[index + 1]) / 2, self.top + 12.0, _WORD_SIZE, "word")
            for index, form in enumerate(self.forms)
        ]
        return (*spans, *gaps, *chips, *words)


def _line(bars: Bars, forms: Sequence[str], first: int, end: int) -> _Line:
    part = replace(bars, above=_within(bars.above, first, end), below=_within(bars.below, first, end))
    widths = _widths(part, forms[first:end])
    return _Line(forms[first:end], widths, _placed(part.above), _placed(part.below))


def _placed(bars: Sequence[FunctionBar]) -> list[_Placed]:
    """Return every bar on the lowest level above all bars that it covers."""
    placed: list[_Placed] = []
    for bar in sorted(bars, key=lambda bar: (max(bar.words) - min(bar.words), len(bar.words), sorted(bar.words))):
        first, last = min(bar.words), max(bar.words)
        below = [inner.level for inner in placed if inner.first <= last and first <= inner.last]
        chips = []
        for name, status, discarded in bar.functions or (("∅", bar.status, bar.discarded),):
            text = ("" if discarded else _MARKS.get(status, "")) + excerpt(visible(name), _MAX_LENGTH)
            chips.append((text, "discarded" if discarded else status.value, text_width(text, _LABEL_SIZE) + 10.0))
        placed.append(_Placed(bar, first, last, max(below, default=-1) + 1, tuple(chips)))
    return placed


def _ends(first: float, last: float) -> Point:
    """Return the ends of a bar between two borders."""
    inset = 2.5 if first < last else -2.5
    return first + inset, last - inset


def _chips(item: _Placed, middle: float, y: float) -> Iterator[Group]:
    """Yield the functions of a node, or ∅ if it has none."""
    x = middle - item.width / 2
    for text, kind, width in item.chips:
        box = Box(x + width / 2, y, width, 17.0)
        name = Text(text, box.x, box.y, _LABEL_SIZE, "label", is_struck=kind == "discarded")
        more = "" if item.bar.functions else "none"
        yield Group((Rectangle(box, "chip", kind, 3), name), "function", status=kind, more=more)
        x += width + 4.0


# ----------------------------------------------------------------------------------------------------------------- text


def protocol_text(protocol: TedEvalProtocol) -> list[Table | str]:
    """Return the trees, the steps and the score as lines of text; uncounted steps are in brackets.

    Examples
    --------
    >>> from evaltools.frameworks.crossframework.protocol import tedeval2011_steps, tedeval_protocol
    >>> tree, parse = (
    ...     MultiFunctionTree(("it", "rains"), {frozenset({0, 1}): {"root"}, frozenset({0}): {name}})
    ...     for name in ("sbj", "expl")
    ... )
    >>> protocol_text(tedeval_protocol(tree, [tree]))[-1]
    '1 − 0 / (2 + 2) = 100.00 %'
    >>> protocol_text(tedeval2011_steps(parse, [tree]))[-3:]
    ['relabel expl as sbj over “it”', '', '1 − 1 / (1 + 1) = 50.00 %']
    """
    lines = [f"gold {number}: {tree}" for number, tree in enumerate(protocol.golds, start=1)]
    if len(protocol.golds) > 1 and protocol.generalization is not None:
        lines.append(f"common: {protocol.generalization}")
    lines += [f"parse:  {protocol.parse}", ""]
    between = "" if protocol.in_characters else " "

    def written(step: Operation) -> str:
        words = between.join(visible(protocol.parse.words[index]) for index in sorted(step.words))
        text = f"{_MARKS.get(step.status, '')}{step.text(words)}"
        return f"({text})" if step.discarded else text

    lines += [*map(written, protocol.operations), *([""] if protocol.operations else [])]
    score = percentage(protocol.score, 2)
    return [*lines, f"1 − {protocol.delta} / ({protocol.n_parse} + {protocol.n_generalized}) = {score}"]
