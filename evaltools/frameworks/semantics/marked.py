"""The marked sentence of two semantic graphs: triples that differ, and the repairs that explain them.

A node that is only in one graph explains its name, its properties and its roles; the wrong roles of a node that is in
both graphs are one repair, and so are its wrong properties.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaltools.corpus import SemanticGraph, Span
from evaltools.corpus.semantic_graph import SemanticNode
from evaltools.drawing.graph_content import segment_range, segments_of
from evaltools.drawing.graphs import surface
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, TripleRow
from evaltools.marks import Group, Link, Mark, Marks, Repair, Status, Word, compared, marks_of, ranked
from evaltools.text import count_of, excerpt

_QUOTED, _LABEL = 24, 26
_SideNode = tuple[str, int]  # The side of a node, and its index in that graph
_KINDS = ("node", "name", "top", "arguments", "properties")
"""Kinds of repairs, in the order of those that explain equally much."""


@dataclass(frozen=True, slots=True)
class _Key:
    """What a repair is about: a kind, and a node in one graph or in both."""

    kind: str
    gold: int | None = None
    test: int | None = None

    @property
    def nodes(self) -> list[_SideNode]:
        """Its nodes, that of gold first."""
        return [(side, index) for side, index in (("gold", self.gold), ("test", self.test)) if index is not None]


def marked_graph(alignment: GraphAlignment) -> Marks | None:
    """Return the marked sentence of two graphs; None if one is missing, or they have no spans.

    Examples
    --------
    >>> from evaltools.corpus import SemanticEdge
    >>> from evaltools.frameworks.semantics.alignment import align_graphs
    >>> from evaltools.frameworks.semantics.edm_rules import load_edm_rules
    >>> dog = SemanticNode("x", "_dog_n_1", ((0, 4),), (("NUM", "pl"),))
    >>> bark = SemanticNode("e", "_bark_v_1", ((5, 9),))
    >>> gold = SemanticGraph((dog, bark), (SemanticEdge(1, "ARG1", 0),), (1,), "Dogs bark")
    >>> marked = marked_graph(align_graphs(gold, SemanticGraph((bark,), (), (0,), "Dogs bark"), load_edm_rules()))
    >>> [(repair.phrase, repair.verdict, repair.repaired) for repair in marked.repairs]
    [('_dog_n_1 “Dogs”', 'is missing, with 1 role and 1 property', 3)]
    """
    marked = marked_with_triples(alignment)
    return None if marked is None else marked[0]


def marked_with_triples(alignment: GraphAlignment) -> tuple[Marks, Mapping[TripleRow, int]] | None:
    """Return the marked sentence of two graphs, and the number of the repair of each triple that differs."""
    if alignment.gold is None or alignment.test is None or alignment.undefined:
        return None
    words = _Words(alignment.text, alignment.gold, alignment.test)
    graphs = _Graphs(alignment, alignment.gold, alignment.test, words)
    groups = ranked(graphs.groups())
    return graphs.marks(groups), {row: at for at, group in enumerate(groups, start=1) for row in group.items}


def compared_graphs(a: GraphAlignment, b: GraphAlignment, names: tuple[str, str]) -> Marks | None:
    """Return the marked sentence of two parsers' graphs and one gold graph.

    None if a graph is missing, or they have no spans.

    Examples
    --------
    >>> from evaltools.frameworks.semantics.alignment import align_graphs
    >>> from evaltools.frameworks.semantics.edm_rules import load_edm_rules
    >>> graphs = [
    ...     SemanticGraph(tuple(SemanticNode("x", name, ((4 * at, 4 * at + 3),)) for at, name in enumerate(names)),
    ...                   (), (), "dog cat")
    ...     for names in (("_dog", "_cat"), ("_log", "_cat"), ("_log", "_bat"))
    ... ]
    >>> a, b = (align_graphs(graphs[0], graph, load_edm_rules()) for graph in graphs[1:])
    >>> [(mark.text, mark.repairs) for mark in compared_graphs(a, b, ("p", "q")).marks]
    [('_log', (1, 2)), ('_dog', (1, 2)), ('_bat', (2,)), ('_cat', (2,))]
    """
    if a.gold is None or a.test is None or b.test is None or a.undefined or b.undefined or a.gold != b.gold:
        return None
    words = _Words(a.text, a.gold, a.test, b.test)
    first, second = (_Graphs(item, a.gold, test, words, name)
                     for item, test, name in ((a, a.test, names[0]), (b, b.test, names[1])))  # fmt: skip
    return compared(first.marks(first.groups()), second.marks(second.groups()), names)


def _alone(side: str) -> Status:
    """Return the status of what only one side has."""
    return Status.MISSING if side == "gold" else Status.SPURIOUS


class _Words:
    """The words of a text, then those that stand for nodes without characters."""

    def __init__(self, text: str, gold: SemanticGraph, *tests: SemanticGraph) -> None:
        self.segments = segments_of(text, [node.anchors for graph in (gold, *tests) for node in graph.nodes])
        gold_names, test_names = (self._names(graph) for graph in (gold, tests[0] if len(tests) == 1 else gold))
        self.listed = [
            Word(
                segment.full,
                index,
                gold_path=tuple(gold_names[index]),
                test_path=tuple(test_names[index]),
                joined=segment.joined,
            )
            for index, segment in enumerate(self.segments)
        ]
        self._own: dict[tuple[str, int], int] = {}

    def _names(self, graph: SemanticGraph) -> dict[int, list[str]]:
        """Return the predicates of the nodes over one word and no other, by word."""
        names: defaultdict[int, list[str]] = defaultdict(list)
        for node in graph.nodes:
            ends = segment_range(node.anchors, self.segments)
            if ends is not None and ends[0] == ends[1]:
                names[ends[0]].append(node.predicate)
        return names

    def own(self, whose: str, index: int, form: str) -> Span:
        """Return the word of its own that a node without characters gets."""
        if (whose, index) not in self._own:
            self._own[whose, index] = len(self.listed)
            self.listed.append(Word(form, len(self.listed)))
        at = self._own[whose, index]
        return Span(at, at + 1)

    @property
    def own_row(self) -> int | None:
        """Index of the first word that stands for a node; None without one, or if there is no text."""
        return len(self.segments) if self._own and self.segments else None


class _Graphs:
    """The two graphs of a sentence, and what differs between them."""

    def __init__(
        self, alignment: GraphAlignment, gold: SemanticGraph, test: SemanticGraph, words: _Words, name: str = "test"
    ) -> None:
        self.graphs = {"gold": gold, "test": test}
        self.names = {"gold": "gold", "test": name}  # Whose the words are that stand for nodes without characters
        self.text = alignment.text
        self.triples = alignment.triples
        self.rows = [row for row in alignment.triples if row.weight and row.status is not Status.RIGHT]
        self.words = words
        self.segments = words.segments
        keys = [_Key("", pair.gold, pair.test) for pair in alignment.nodes]
        self.pair = {side_node: key for key in keys for side_node in key.nodes}
        if not alignment.kind.is_mapped:
            self._pair_moved()

    def _pair_moved(self) -> None:
        """Pair nodes of one graph that have the same predicate and overlapping words, but other characters."""
        gold, test = self.graphs["gold"].nodes, self.graphs["test"].nodes
        alone: defaultdict[str, list[int]] = defaultdict(list)  # nodes of the parse, by predicate
        for (side, index), key in self.pair.items():
            if side == "test" and key.gold is None:
                alone[test[index].predicate].append(index)
        for (side, index), key in list(self.pair.items()):
            if side == "gold" and key.test is None:
                others = alone[gold[index].predicate]
                match = next((other for other in others if self._overlap(gold[index], test[other])), None)
                if match is not None:
                    others.remove(match)
                    self.pair["gold", index] = self.pair["test", match] = _Key("moved", index, match)

    def _overlap(self, node: SemanticNode, other: SemanticNode) -> bool:
        ends, other_ends = (segment_range(item.anchors, self.segments) for item in (node, other))
        return ends is not None and other_ends is not None and ends[0] <= other_ends[1] and other_ends[0] <= ends[1]

    def marks(self, groups: Sequence[Group]) -> Marks:
        """Return the marked sentence with groups of triples that differ."""
        right = tuple(self._right())
        return marks_of(self.words.listed, groups, unit="triples", right_links=right, own_row=self.words.own_row)

    def groups(self) -> list[Group]:
        """Return the triples that differ, by repair."""
        rows_of: dict[_Key, list[TripleRow]] = defaultdict(list)
        for row in self.rows:
            rows_of[self._key(row)].append(row)
        groups = []
        for key, rows in rows_of.items():
            links = tuple(self._link(row) for row in rows if row.kind == "argument")
            order = _KINDS.index(key.kind), min(self._first(row) for row in rows), rows[0].label
            groups.append(Group(self._repair(key, rows), tuple(self._marks(key, rows)), links, order, tuple(rows)))
        return groups

    def _right(self) -> Iterator[Link]:
        """Yield the roles that are right, between nodes with characters."""
        nodes = self.graphs["gold"].nodes
        for row in self.triples:
            if row.weight and row.status is Status.RIGHT and row.kind == "argument":
                source, target = self._ends(row)
                if all(segment_range(nodes[index].anchors, self.segments) for _, index in (source, target)):
                    yield self._link(row)

    def _first(self, row: TripleRow) -> int:
        ends = segment_range(row.span, self.segments)
        return len(self.segments) if ends is None else ends[0]

    def _key(self, row: TripleRow) -> _Key:
        """Return the repair that a triple belongs to."""
        pairs = [self.pair[row.side, index] for index in row.nodes if index is not None]
        for pair in pairs:
            if pair.kind == "moved" or len(pair.nodes) == 1:
                return _Key("node", pair.gold, pair.test)
        if row.kind == "top":
            return _Key("top")
        kind = {"name": "name", "argument": "arguments"}.get(row.kind, "properties")
        return _Key(kind, pairs[0].gold, pairs[0].test)

    def _ends(self, row: TripleRow) -> tuple[_SideNode, _SideNode]:
        """Return the nodes of an argument, in the graph that has it."""
        source, target = row.nodes
        assert target is not None
        return (row.side, source), (row.side, target)

    # ------------------------------------------------------------------------------------------------------- words

    def _span(self, side_node: _SideNode) -> Span:
        """Return the words of a node; one without characters gets a word of its own."""
        nodes = self.pair[side_node].nodes
        for side, index in (side_node, *nodes):
            ends = segment_range(self.graphs[side].nodes[index].anchors, self.segments)
            if ends is not None:
                return Span(ends[0], ends[1] + 1)
        side, index = nodes[0]
        return self.words.own(self.names[side], index, self.graphs[side].nodes[index].predicate)

    def _quoted(self, side_node: _SideNode) -> str:
        """Return the words of a node, or its predicate if it has none."""
        node = self._at(side_node)
        return f"“{excerpt(surface(node.anchors, self.text), _QUOTED)}”" if node.anchors else node.predicate

    def _named(self, side_node: _SideNode) -> str:
        """Return the predicate and the words of a node; the words alone if the predicate says the same."""
        node, quoted = self._at(side_node), self._quoted(side_node)
        if not node.anchors or node.predicate.casefold() == surface(node.anchors, self.text).casefold():
            return quoted
        return f"{node.predicate} {quoted}"

    def _at(self, side_node: _SideNode) -> SemanticNode:
        side, index = side_node
        return self.graphs[side].nodes[index]

    # ----------------------------------------------------------------------------------------------------- repairs

    def _repair(self, key: _Key, rows: Sequence[TripleRow]) -> Repair:
        """Return a repair in words."""
        if key.kind == "top":
            return self._top(rows)
        if key.kind == "node":
            return self._node(key.nodes, rows)
        if key.kind == "arguments":
            return self._arguments(key.nodes[0], rows)
        if key.kind == "properties":
            return self._properties(key.nodes[0], rows)
        wrong, right = _values(rows)
        verdict = f"is {wrong or 'nothing'}, should be {right or 'nothing'}"
        phrase, short = self._quoted(key.nodes[0]), f"{wrong} → {right}"
        return Repair(Status.RELABELED, "wrong predicate", phrase, verdict, short, len(rows))

    def _node(self, nodes: Sequence[_SideNode], rows: Sequence[TripleRow]) -> Repair:
        if len(nodes) == 2:
            right, wrong = map(self._quoted, nodes)
            predicate = self._at(nodes[0]).predicate
            verdict = f"covers {wrong}, should cover {right}"
            if wrong == right:
                verdict = f"covers {wrong} with other characters"
            words = (self._span(nodes[0]),)
            return Repair(Status.MOVED, "wrong span", predicate, verdict, predicate, len(rows), words)
        n_roles = sum(row.kind == "argument" for row in rows)
        n_properties = sum(row.kind in ("property", "constant") for row in rows)
        parts = [count_of(n_roles, "role")] if n_roles else []
        parts += [f"{n_properties} propert{'y' if n_properties == 1 else 'ies'}"] if n_properties else []
        status, name = _alone(nodes[0][0]), self._named(nodes[0])
        verdict = f"is {status}{', with ' if parts else ''}{' and '.join(parts)}"
        return Repair(status, f"{status} node", name, verdict, excerpt(name, _LABEL), len(rows))

    def _top(self, rows: Sequence[TripleRow]) -> Repair:
        wrong, right = (
            " and ".join(self._named((side, row.nodes[0])) for row in rows if row.side == side)
            for side in ("test", "gold")
        )
        verdict = f"is {wrong or 'missing'}, should be {right}" if right else f"{wrong} is spurious"
        status = Status.RELABELED if wrong and right else Status.MISSING if right else Status.SPURIOUS
        return Repair(status, "wrong top", "the top", verdict, "top", len(rows))

    def _arguments(self, side_node: _SideNode, rows: Sequence[TripleRow]) -> Repair:
        name, n_rows = self._named(side_node), len(rows)
        gold, test = (
            [(row.label, self._quoted(self._ends(row)[1])) for row in rows if row.side == side]
            for side in ("gold", "test")
        )
        short = f"{' '.join(label for label, _ in (gold or test))} {excerpt(name, _LABEL)}"
        first = self._span(side_node).start
        box = (Span(first, first + 1),)
        if len(gold) == len(test) == 1:
            (right_role, right), (wrong_role, wrong) = gold[0], test[0]
            if right_role == wrong_role:
                phrase, verdict = f"{right_role} of {name}", f"is {wrong}, should be {right}"
                return Repair(Status.MOVED, "wrong argument", phrase, verdict, short, n_rows, box)
            if right == wrong:
                verdict = f"is {wrong_role} of {name}, should be {right_role}"
                return Repair(Status.RELABELED, "wrong role", right, verdict, short, n_rows)
        needed, given = (", ".join(" ".join(role) for role in roles) for roles in (gold, test))
        if gold and test:
            verdict = f"has {given}, should have {needed}"
            return Repair(Status.MOVED, "wrong arguments", name, verdict, short, n_rows, box)
        if gold:
            return Repair(Status.MISSING, "missing role", name, f"lacks {needed}", short, n_rows)
        return Repair(Status.SPURIOUS, "spurious role", name, f"should not have {given}", short, n_rows)

    def _properties(self, side_node: _SideNode, rows: Sequence[TripleRow]) -> Repair:
        labels = list(dict.fromkeys(row.label for row in rows))
        parts, statuses = [], set()
        for label in labels:
            wrong, right = _values([row for row in rows if row.label == label])
            if wrong and right:
                parts.append(f"{label} is {wrong}, should be {right}")
                statuses.add(Status.RELABELED)
            else:
                parts.append(f"lacks {label} {right}" if right else f"should not have {label} {wrong}")
                statuses.add(Status.MISSING if right else Status.SPURIOUS)
        status = statuses.pop() if len(statuses) == 1 else Status.RELABELED
        phrase, short = f"{self._named(side_node)}:", f"{' '.join(labels)} {self._quoted(side_node)}"
        return Repair(status, "wrong properties", phrase, "; ".join(parts), excerpt(short, _LABEL), len(rows))

    # ------------------------------------------------------------------------------------------------------- marks

    def _marks(self, key: _Key, rows: Sequence[TripleRow]) -> Iterator[Mark]:
        """Yield the labels of a repair: names of nodes, properties, tops."""
        if key.kind in ("node", "name"):
            for side_node in key.nodes:
                status = Status.RELABELED if key.kind == "name" else _alone(side_node[0])
                yield self._mark("predicate", side_node, self._at(side_node).predicate, status)
        elif key.kind == "properties":
            n_sides = len({row.side for row in rows})
            for side_node in key.nodes:
                texts = [f"{row.label} {row.value}" for row in rows if row.side == side_node[0]]
                if texts:
                    status = Status.RELABELED if n_sides == 2 else _alone(side_node[0])
                    more = f" + {len(texts) - 1}" if len(texts) > 1 else ""
                    yield self._mark("property", side_node, f"{texts[0]}{more}", status)
        elif key.kind == "top":
            for row in rows:
                yield self._mark("property", (row.side, row.nodes[0]), "top", row.status)

    def _mark(self, kind: Literal["predicate", "property"], side_node: _SideNode, text: str, status: Status) -> Mark:
        """Return a label at a node."""
        description = f"{text}, {self._quoted(side_node)}"
        return Mark(kind, *side_node, excerpt(text, _LABEL), (self._span(side_node),), status, description=description)

    def _link(self, row: TripleRow) -> Link:
        """Return a role between two nodes."""
        source, target = self._ends(row)
        description = f"{row.label} of {self._named(source)} is {self._named(target)}"
        ends = self._span(source).start, self._span(target).start
        return Link(row.side, *ends, row.status, (), row.label, description)


def _values(rows: Sequence[TripleRow]) -> tuple[str, str]:
    """Return what the parse has, and what gold has."""
    wrong, right = (" and ".join(row.value for row in rows if row.side == side) for side in ("test", "gold"))
    return wrong, right
