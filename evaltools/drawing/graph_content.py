"""Contents of a drawing of two semantic graphs: words of the text, nodes with their lines, roles, and folded parts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from operator import attrgetter

from evaltools.corpus.semantic_graph import Anchors, SemanticGraph, SemanticNode
from evaltools.drawing.measure import visible
from evaltools.drawing.tree_grid import FOLD_ABOVE
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, NodePair, TripleRow
from evaltools.marks import Status
from evaltools.text import excerpt, join_words

_MAX_LENGTH, _MAX_WORD_LENGTH = 34, 30
_start, _end = attrgetter("start"), attrgetter("end")


@dataclass(frozen=True, slots=True)
class TextSegment:
    """A word of the text, or a part of one that is the span of a node."""

    start: int  # Its characters
    end: int
    text: str  # Shortened
    full: str
    joined: bool = False  # Whether no white space comes before it


def segments_of(text: str, anchors: Iterable[Anchors]) -> tuple[TextSegment, ...]:
    """Split a text into words, and words where the span of a node begins or ends within them.

    Examples
    --------
    >>> [segment.text for segment in segments_of("We cannot go.", [((3, 6),), ((6, 9),), ((10, 12),)])]
    ['We', 'can', 'not', 'go.']
    """
    ranges = sorted({(start, end) for each in anchors for start, end in each if 0 <= start < end})
    if not text.strip():
        return _without_text(ranges)
    segments: list[TextSegment] = []
    waiting = 0
    for word in re.finditer(r"\S+", text):
        while waiting < len(ranges) and ranges[waiting][0] < word.start():
            waiting += 1
        inside = []
        for start, end in ranges[waiting:]:
            if start >= word.end():
                break
            if end <= word.end():
                inside.append((start, end))
        segments += _parts(text, word.start(), word.end(), inside)
    return tuple(segments)


def _parts(text: str, first: int, last: int, inside: Sequence[tuple[int, int]]) -> list[TextSegment]:
    """Split a word where spans are on both sides; punctuation stays attached."""
    parts = []
    start = first
    for cut in (*sorted({index for each in inside for index in each if first < index < last}), last):
        before = any(start <= low and high <= cut for low, high in inside)
        after = any(cut <= low for low, _ in inside)
        if cut != last and not (before and after and _has_letters(text[start:cut]) and _has_letters(text[cut:last])):
            continue
        parts.append(_segment(start, cut, text[start:cut], joined=start != first))
        start = cut
    return parts


def _has_letters(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _segment(start: int, end: int, text: str, *, joined: bool = False) -> TextSegment:
    full = visible(text)
    return TextSegment(start, end, excerpt(full, _MAX_WORD_LENGTH), full, joined)


def _without_text(ranges: Sequence[tuple[int, int]]) -> tuple[TextSegment, ...]:
    """Return the ranges that contain no other, in place of words."""
    segments = []
    covered = 0
    for start, end in sorted(ranges, key=lambda each: (each[1], -each[0])):
        if start >= covered:
            segments.append(_segment(start, end, f"{start}–{end}"))
            covered = end
    return tuple(segments)


def words_of(segments: Sequence[TextSegment]) -> str:
    """Return the words of some segments, without the middle of many."""
    texts = [segment.full for segment in segments]
    return " ".join(texts) if len(texts) < 5 else f"{texts[0]} … {texts[-1]}"


def segment_range(anchors: Anchors, segments: Sequence[TextSegment]) -> tuple[int, int] | None:
    """Return the first and the last segment of a node's span, None for a node without characters."""
    anchors = tuple(span for span in anchors if span[0] >= 0)  # some programs write -1 where there are none
    if not anchors or not segments:
        return None
    covered = [
        (first, last)
        for start, end in anchors
        if (first := bisect_right(segments, start, key=_end)) <= (last := bisect_left(segments, end, key=_start) - 1)
    ]
    if not covered:
        nearest = min(range(len(segments)), key=lambda index: abs(segments[index].start - anchors[0][0]))
        return nearest, nearest
    return min(first for first, _ in covered), max(last for _, last in covered)


@dataclass(frozen=True, slots=True)
class NodeLine:
    """A line of text in the box of a node."""

    text: str
    status: Status
    kind: str  # ``predicate``, ``constant``, ``property``, ``span``, ``top`` or ``role``
    before: str = ""  # The name of a property
    test_text: str = ""  # The text of the test graph, if it is another

    @property
    def parts(self) -> list[Part]:
        """The line with its marks."""
        return parts_of(self.status, self.text, self.test_text, self.before)

    @property
    def description(self) -> str:
        """The line as one text."""
        return f"{self.before}{self.text}{f' ≠ {self.test_text}' if self.test_text else ''}"


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node of both graphs, or of one."""

    number: int  # Its index among the drawn nodes
    gold: int | None  # The nodes of the two graphs
    test: int | None
    status: Status
    lines: tuple[NodeLine, ...]  # The lines in its box
    first: int | None  # The first and the last segment of its span; None without characters
    last: int | None
    surface: bool  # Whether it comes from a word of the text and not from the grammar
    quantifier: bool  # Whether it binds another node
    differs: bool  # Whether the graphs differ in it
    spans: str  # Its characters in words

    @property
    def name(self) -> str:
        """The predicate, or both."""
        return " ≠ ".join(line.description for line in self.lines if line.kind == "predicate")


@dataclass(frozen=True, slots=True)
class Cell:
    """A word of the sentence, or several folded together, in one row or in one for each tree."""

    texts: tuple[str, ...]  # Shortened; empty where a tree has no word
    full: str
    data: Mapping[str, object]  # Ids for the viewer
    tags: tuple[str, ...] = ()  # Under the texts
    joined: bool = False  # Whether no white space comes before it
    folded: bool = False  # Whether several words are folded into it
    opens: bool = False  # Whether it begins a folded part that was opened and can be folded again
    is_added: bool = False  # Whether it is no word of the text, but an empty node
    first: int = 0  # Of a graph, the first and the last segment of the text
    last: int = 0


@dataclass(frozen=True, slots=True)
class DrawnArc:
    """A role of both graphs or of one, two roles between the same nodes, one of each graph, or an arc of one tree."""

    number: int  # Its number, after those of the nodes; of a tree, its dependent
    source: int  # Numbers of drawn nodes or columns; -1 for the arc of a root
    target: int
    label: str
    status: Status | None  # None if it is not counted
    test_text: str = ""  # Its label in the test graph, if it is another
    side: str = ""  # The tree it belongs to; empty for a role
    relabeled: bool = False  # Whether its label differs, too
    title: str = ""  # What it is, in words
    data: Mapping[str, object] = field(default_factory=dict)  # Ids for the viewer

    @property
    def description(self) -> str:
        """The label, or both."""
        return f"{self.label} ≠ {self.test_text}" if self.test_text else self.label

    @property
    def parts(self) -> list[Part]:
        """The label with its marks."""
        if self.relabeled:
            return [(self.status, ""), (Status.RELABELED, self.label)]
        return parts_of(self.status, self.label, self.test_text)


Part = tuple[Status | None, str]
"""A part of a text with its mark: the status of what differs, None for the rest."""


def parts_of(status: Status | None, text: str, test_text: str = "", before: str = "") -> list[Part]:
    """Return a text as parts with their marks.

    Examples
    --------
    >>> [(mark and str(mark), text) for mark, text in parts_of(Status.RELABELED, "past", "pres", "TENSE ")]
    [(None, 'TENSE '), ('missing', 'past'), ('spurious', 'pres')]
    """
    if not test_text:
        return [(None if status is Status.RIGHT else status, before + text)]
    parts: list[Part] = [(None, before)] if before else []
    return [*parts, (Status.MISSING, text), (Status.SPURIOUS, test_text)]


def _nodes(alignment: GraphAlignment, segments: tuple[TextSegment, ...], properties: str) -> tuple[DrawnNode, ...]:
    """Return the nodes of both graphs, matched ones as one."""
    counted: defaultdict[tuple[str, int | None], dict[str, TripleRow]] = defaultdict(dict)
    for row in alignment.triples:
        if row.kind == "property" and row.weight:
            for side, node, absent in (
                ("gold", row.gold_node, Status.SPURIOUS),
                ("test", row.test_node, Status.MISSING),
            ):
                counted[side, node if row.status is not absent else None][row.label] = row
    mapped = alignment.kind.is_mapped
    pairs = [*alignment.nodes] if mapped else _pairs(alignment, segments)
    moved = set() if mapped else _in_both(alignment, pairs)
    drawn = []
    for number, pair in enumerate(pairs):
        gold, test = _node(alignment.gold, pair.gold), _node(alignment.test, pair.test)
        sides = [item for item in (gold, test) if item is not None]
        gold_rows, test_rows = (
            {} if index is None else counted[side, index] for side, index in (("gold", pair.gold), ("test", pair.test))
        )
        lines = [*_names(pair, gold, test), *_constants(gold, test, fold_case=alignment.rules.fold_case)]
        lines += [*_spans(pair, gold, test, moved), *_top(alignment, pair)]
        listed = _properties(gold_rows, test_rows, dict.fromkeys(name for item in sides for name, _ in item.properties))
        if len(sides) == 1 and properties == "differing":
            listed = []  # the outline shows that all of them are missing
        lines += [
            line for line in listed if properties == "all" or (properties != "none" and line.status is not Status.RIGHT)
        ]
        differs = pair.status is not Status.RIGHT or any(line.status is not Status.RIGHT for line in [*lines, *listed])
        first, last = segment_range(sides[0].anchors, segments) or (None, None)
        drawn.append(
            DrawnNode(
                number,
                pair.gold,
                pair.test,
                Status.RELABELED if pair.status is Status.MOVED else pair.status,
                tuple(lines),
                first,
                last,
                mapped or sides[0].predicate.startswith("_"),
                any(item.is_quantifier for item in sides),
                differs,
                " or ".join(dict.fromkeys(spans_text(item) for item in sides if item.anchors or not mapped)),
            )
        )
    return tuple(drawn)


def spans_text(node: SemanticNode) -> str:
    """Return a node's characters as the formats write them.

    Examples
    --------
    >>> spans_text(SemanticNode("x", "named", ((0, 3), (7, 9))))
    '<0:3> <7:9>'
    """
    return " ".join(f"<{start}:{end}>" for start, end in node.anchors) or "no span"


def _bare(node: SemanticNode) -> str:
    return _label(spans_text(node).replace("<", "").replace(">", ""))


def _label(text: str) -> str:
    """Return a text shortened and without invisible characters."""
    return excerpt(visible(text), _MAX_LENGTH)


def _node(graph: SemanticGraph | None, index: int | None) -> SemanticNode | None:
    return None if graph is None or index is None else graph.nodes[index]


def _pairs(alignment: GraphAlignment, segments: tuple[TextSegment, ...]) -> list[NodePair]:
    """Return the alignment's pairs; like nodes with different characters of the same words become one pair."""

    def key(graph: SemanticGraph | None, index: int) -> object:
        assert graph is not None
        node = graph.nodes[index]
        return segment_range(node.anchors, segments), node.predicate, node.constant

    waiting: defaultdict[object, deque[int]] = defaultdict(deque)
    for pair in alignment.nodes:
        if pair.gold is None and pair.test is not None:
            waiting[key(alignment.test, pair.test)].append(pair.test)
    pairs, used = [], set()
    for pair in alignment.nodes:
        if pair.test is None and pair.gold is not None and waiting[alike := key(alignment.gold, pair.gold)]:
            test = waiting[alike].popleft()
            used.add(test)
            pairs.append(NodePair(pair.gold, test, Status.MOVED))
        else:
            pairs.append(pair)
    return [pair for pair in pairs if pair.gold is not None or pair.test not in used]


def _in_both(alignment: GraphAlignment, pairs: Iterable[NodePair]) -> set[str]:
    """Return the predicates that both graphs have on different words, whose boxes show the span."""
    predicates: dict[Status, set[str]] = {Status.MISSING: set(), Status.SPURIOUS: set()}
    for pair in pairs:
        if pair.status in predicates:
            node = _node(alignment.gold, pair.gold) or _node(alignment.test, pair.test)
            predicates[pair.status] |= {node.predicate} if node is not None else set()
    return predicates[Status.MISSING] & predicates[Status.SPURIOUS]


def _names(pair: NodePair, gold: SemanticNode | None, test: SemanticNode | None) -> list[NodeLine]:
    if gold is not None and test is not None and pair.status is Status.RELABELED:
        return [
            NodeLine(_label(gold.predicate), Status.MISSING, "predicate"),
            NodeLine(_label(test.predicate), Status.SPURIOUS, "predicate"),
        ]
    status = Status.RIGHT if pair.status is Status.MOVED else pair.status
    return [NodeLine(_label(item.predicate), status, "predicate") for item in (gold or test,) if item is not None]


def _spans(pair: NodePair, gold: SemanticNode | None, test: SemanticNode | None, moved: set[str]) -> list[NodeLine]:
    if gold is not None and test is not None:
        same = pair.status is not Status.MOVED
        return [] if same else [NodeLine(_bare(gold), Status.RELABELED, "span", "", _bare(test))]
    alone = gold or test
    return [] if alone is None or alone.predicate not in moved else [NodeLine(_bare(alone), pair.status, "span")]


def _differing(gold: str | None, test: str | None, kind: str, before: str = "") -> list[NodeLine]:
    """Return the line of a value that the graphs have, or have differently."""
    if gold is not None and test is not None:
        if gold == test:
            return [NodeLine(_label(gold), Status.RIGHT, kind, before)]
        return [NodeLine(_label(gold), Status.RELABELED, kind, before, _label(test))]
    if gold is not None:
        return [NodeLine(_label(gold), Status.MISSING, kind, before)]
    return [] if test is None else [NodeLine(_label(test), Status.SPURIOUS, kind, before)]


def _constants(gold: SemanticNode | None, test: SemanticNode | None, *, fold_case: bool) -> list[NodeLine]:
    values = [None if item is None or item.constant is None else f"“{item.constant}”" for item in (gold, test)]
    if fold_case and None not in values and len({str(value).lower() for value in values}) == 1:
        values[1] = values[0]
    if gold is None or test is None:  # the outline shows that it is missing
        return [NodeLine(_label(value), Status.RIGHT, "constant") for value in values if value is not None]
    return _differing(values[0], values[1], "constant")


def _top(alignment: GraphAlignment, pair: NodePair) -> list[NodeLine]:
    tops = [
        graph is not None and index is not None and index in graph.tops
        for graph, index in ((alignment.gold, pair.gold), (alignment.test, pair.test))
    ]
    if not any(tops):
        return []
    return [NodeLine("top", Status.RIGHT if all(tops) else Status.MISSING if tops[0] else Status.SPURIOUS, "top")]


def _properties(
    gold_rows: Mapping[str, TripleRow], test_rows: Mapping[str, TripleRow], names: Iterable[str]
) -> list[NodeLine]:
    """Return a line for every property that counts, in the order of the files."""
    lines: list[NodeLine] = []
    for name in names:
        gold, test = gold_rows.get(name), test_rows.get(name)
        values = [row.value for row in (gold, test) if row is not None]
        if not values:  # the rules do not count it
            continue
        missing = gold.value if gold is not None and gold.status is Status.MISSING else None
        spurious = test.value if test is not None and test.status is Status.SPURIOUS else None
        if missing is None and spurious is None:
            missing = spurious = values[0]
        lines += _differing(missing, spurious, "property", f"{_label(name)} ")
    return lines


@dataclass(frozen=True, slots=True)
class GraphContent:
    """The parts of a drawing."""

    segments: tuple[TextSegment, ...]  # The words of the text
    cells: tuple[Cell, ...]  # These as they are drawn, some folded together
    nodes: tuple[DrawnNode, ...]
    roles: tuple[DrawnArc, ...]  # All roles, numbered on from the nodes
    drawn: frozenset[int]  # Numbers of the nodes that are not folded


def content_of(
    alignment: GraphAlignment,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    properties: str | None = None,
) -> GraphContent:
    """Return the parts of a drawing of two graphs; by default, only AMRs with all of their properties."""
    graphs = [graph for graph in (alignment.gold, alignment.test) if graph is not None]
    segments = segments_of(alignment.text, [node.anchors for graph in graphs for node in graph.nodes])
    nodes = _nodes(alignment, segments, properties or alignment.kind.properties)
    roles = _roles(alignment, nodes)
    folds: list[tuple[int, int]] = []
    drawn = set(range(len(nodes)))
    if len(segments) > FOLD_ABOVE and not alignment.kind.is_mapped if fold is None else fold:
        drawn = _kept(nodes, roles)
        folds = _foldable(len(segments), nodes, drawn)
        opened = {index for first, last in folds if first in unfolded for index in range(first, last + 1)}
        drawn |= {node.number for node in nodes if node.first in opened}
    return GraphContent(segments, tuple(_cells(segments, folds, unfolded)), nodes, roles, frozenset(drawn))


def _cells(
    segments: Sequence[TextSegment], folds: Sequence[tuple[int, int]], unfolded: Collection[int]
) -> Iterator[Cell]:
    """Yield the words, those of each part that is folded together."""
    ends = dict(folds)
    index = 0
    while index < len(segments):
        segment, opens = segments[index], index in ends and index in unfolded
        last = index if opens else ends.get(index, index)
        folded = segments[index + 1 : last + 1]
        words = segment.full + "".join(f"{'' if item.joined else ' '}{item.full}" for item in folded)
        yield Cell(
            (join_words(words.split(" ")) if folded else segment.text,),
            words,
            {"first": index, "last": last, "fold": index if folded or opens else None},
            joined=segment.joined,
            folded=bool(folded),
            opens=opens,
            first=index,
            last=last,
        )
        index = last + 1


def _roles(alignment: GraphAlignment, nodes: tuple[DrawnNode, ...]) -> tuple[DrawnArc, ...]:
    """Return the roles; two of different graphs between the same nodes become one."""
    numbers = {
        (side, index): node.number
        for node in nodes
        for side, index in (("gold", node.gold), ("test", node.test))
        if index is not None
    }
    labels: dict[tuple[int, int], dict[Status, list[str]]] = defaultdict(lambda: defaultdict(list))
    for edge in alignment.edges:
        side, graph, index = (
            ("gold", alignment.gold, edge.gold) if edge.gold is not None else ("test", alignment.test, edge.test)
        )
        if graph is None or index is None:
            continue
        first = graph.edges[index]
        ends = numbers[side, first.source], numbers[side, first.target]
        labels[ends][edge.status].append(_label(first.role))
    roles: list[DrawnArc] = []
    for (source, target), listed in labels.items():
        # where triples are sets, one that is said moved is drawn once
        rows = [(Status.RIGHT, label, "") for label in dict.fromkeys(listed[Status.RIGHT])]
        for gold, test in _paired(listed[Status.MISSING], listed[Status.SPURIOUS]):
            if test is None:
                rows.append((Status.MISSING, gold or "", ""))
            elif gold is None:
                rows.append((Status.SPURIOUS, test, ""))
            else:  # those of the same name differ in the characters of their ends
                rows.append((Status.RELABELED, gold, test if test != gold else ""))
        for status, label, test_text in rows:
            roles.append(DrawnArc(len(nodes) + len(roles), source, target, label, status, test_text))
    return tuple(roles)


def _paired(golds: list[str], tests: list[str]) -> list[tuple[str | None, str | None]]:
    """Pair the roles of two graphs between the same nodes, those of the same name first.

    Examples
    --------
    >>> _paired(["ARG1", "ARG2"], ["ARG2", "ARG3", "ARG4"])
    [('ARG2', 'ARG2'), ('ARG1', 'ARG3'), (None, 'ARG4')]
    """
    same, left, rest = [], [], list(tests)
    for item in golds:
        if item in rest:
            rest.remove(item)
            same.append(item)
        else:
            left.append(item)
    return [*((item, item) for item in same), *zip_longest(left, rest)]


def _kept(nodes: tuple[DrawnNode, ...], roles: tuple[DrawnArc, ...]) -> set[int]:
    """Return the nodes that differ and their neighbors, and those at the ends of roles that differ."""
    differing = {node.number for node in nodes if node.differs}
    kept = set(differing)
    for role in roles:
        if role.status is not Status.RIGHT or role.source in differing or role.target in differing:
            kept |= {role.source, role.target}
    return kept


def _foldable(n_segments: int, nodes: tuple[DrawnNode, ...], kept: set[int]) -> list[tuple[int, int]]:
    """Return the parts of the text, two segments or more, over which no node is kept."""
    used = {node.first for node in nodes if node.number in kept and node.first is not None and node.first == node.last}
    parts: list[tuple[int, int]] = []
    start = 0
    for index in (*sorted(used), n_segments):
        if index - start > 1:
            parts.append((start, index - 1))
        start = index + 1
    return parts
