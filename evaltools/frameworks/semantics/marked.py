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
from evaltools.drawing.graph_content import piece_range, pieces_of
from evaltools.drawing.graphs import surface
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, TripleRow
from evaltools.marks import Group, Link, Mark, Marks, Repair, Status, Word, compared, marks_of, ranked
from evaltools.text import count_of, excerpt

_QUOTED, _LABEL = 24, 26
_SIDES = ("gold", "test")
_KINDS = ("node", "name", "top", "arguments", "properties")
"""Kinds of repairs, in the order of those that explain equally much."""


@dataclass(frozen=True, slots=True)
class _Key:
    """What a repair is about: a kind, and a node in one graph or in both."""

    kind: str
    gold: int | None = None
    test: int | None = None


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
        self.pieces = pieces_of(text, [node.anchors for graph in (gold, *tests) for node in graph.nodes])
        gold_names, test_names = (self._names(graph) for graph in (gold, tests[0] if len(tests) == 1 else gold))
        self.listed = [
            Word(
                piece.full,
                index,
                gold_path=tuple(gold_names[index]),
                test_path=tuple(test_names[index]),
                joined=piece.joined,
            )
            for index, piece in enumerate(self.pieces)
        ]
        self._own: dict[tuple[str, int], int] = {}

    def _names(self, graph: SemanticGraph) -> dict[int, list[str]]:
        """Return the predicates of the nodes over one word and no other, by word."""
        names: defaultdict[int, list[str]] = defaultdict(list)
        for node in graph.nodes:
            ends = piece_range(node.anchors, self.pieces)
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
        return len(self.pieces) if self._own and self.pieces else None


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
        self.pieces = words.pieces
        self.pair = {
            (side, index): _Key("", pair.gold, pair.test)
            for pair in alignment.nodes
            for side, index in (("gold", pair.gold), ("test", pair.test))
            if index is not None
        }
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
        ends, other_ends = (piece_range(item.anchors, self.pieces) for item in (node, other))
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
            if not row.weight or row.status is not Status.RIGHT or row.gold_node is None or row.gold_target is None:
                continue
            ends = [piece_range(nodes[index].anchors, self.pieces) for index in (row.gold_node, row.gold_target)]
            if ends[0] is not None and ends[1] is not None:
                names = [self._named("gold", index) for index in (row.gold_node, row.gold_target)]
                description = f"{row.label} of {names[0]} is {names[1]}"
                yield Link("gold", ends[0][0], ends[1][0], Status.RIGHT, (), row.label, description)

    def _first(self, row: TripleRow) -> int:
        ends = piece_range(row.span, self.pieces)
        return len(self.pieces) if ends is None else ends[0]

    def _key(self, row: TripleRow) -> _Key:
        """Return the repair that a triple belongs to."""
        side = row.side
        node, target = (row.gold_node, row.gold_target) if side == "gold" else (row.test_node, row.test_target)
        for index in (node, target):
            if index is not None:
                pair = self.pair[side, index]
                if pair.kind == "moved" or pair.gold is None or pair.test is None:
                    return _Key("node", pair.gold, pair.test)
        if row.kind == "top" or node is None:
            return _Key("top")
        kind = {"name": "name", "argument": "arguments"}.get(row.kind, "properties")
        pair = self.pair[side, node]
        return _Key(kind, pair.gold, pair.test)

    # ------------------------------------------------------------------------------------------------------- words

    def _span(self, side: str, index: int) -> Span:
        """Return the words of a node; one without characters gets a word of its own."""
        pair = self.pair[side, index]
        paired = [("gold", pair.gold), ("test", pair.test)]
        for whose, number in [(side, index), *((whose, number) for whose, number in paired if number is not None)]:
            node = self.graphs[whose].nodes[number]
            ends = piece_range(node.anchors, self.pieces)
            if ends is not None:
                return Span(ends[0], ends[1] + 1)
        if pair.gold is not None:
            side, index = "gold", pair.gold
        node = self.graphs[side].nodes[index]
        return self.words.own(self.names[side], index, node.predicate)

    def _quoted(self, side: str, index: int) -> str:
        """Return the words of a node, or its predicate if it has none."""
        node = self.graphs[side].nodes[index]
        return f"“{excerpt(surface(node.anchors, self.text), _QUOTED)}”" if node.anchors else node.predicate

    def _named(self, side: str, index: int) -> str:
        """Return the predicate and the words of a node; the words alone if the predicate says the same."""
        node, quoted = self.graphs[side].nodes[index], self._quoted(side, index)
        if not node.anchors or node.predicate.casefold() == surface(node.anchors, self.text).casefold():
            return quoted
        return f"{node.predicate} {quoted}"

    # ----------------------------------------------------------------------------------------------------- repairs

    def _repair(self, key: _Key, rows: Sequence[TripleRow]) -> Repair:
        """Return a repair in words."""
        make = {
            "node": self._node,
            "name": self._name,
            "top": self._top,
            "arguments": self._arguments,
            "properties": self._properties,
        }[key.kind]
        cause, title, phrase, verdict, short, words = make(key, rows)
        return Repair(cause, title, phrase, verdict, short, len(rows), moved=words)

    def _node(self, key: _Key, rows: Sequence[TripleRow]) -> tuple[Status, str, str, str, str, tuple[Span, ...]]:
        if key.gold is not None and key.test is not None:
            predicate = self.graphs["gold"].nodes[key.gold].predicate
            wrong, right = self._quoted("test", key.test), self._quoted("gold", key.gold)
            verdict = f"covers {wrong}, should cover {right}"
            if wrong == right:
                verdict = f"covers {wrong} with other characters"
            words = (self._span("gold", key.gold),)
            return Status.MOVED, "wrong span", predicate, verdict, predicate, words
        side, index = ("gold", key.gold) if key.gold is not None else ("test", key.test)
        assert index is not None
        n_roles = sum(row.kind == "argument" for row in rows)
        n_properties = sum(row.kind in ("property", "constant") for row in rows)
        own = [count_of(n_roles, "role")] if n_roles else []
        own += [f"{n_properties} propert{'y' if n_properties == 1 else 'ies'}"] if n_properties else []
        cause = _alone(side)
        verdict = f"is {cause}{', with ' if own else ''}{' and '.join(own)}"
        name = self._named(side, index)
        return cause, f"{cause} node", name, verdict, excerpt(name, _LABEL), ()

    def _name(self, key: _Key, rows: Sequence[TripleRow]) -> tuple[Status, str, str, str, str, tuple[Span, ...]]:
        wrong, right = self._values(rows)
        phrase = self._quoted("gold", key.gold) if key.gold is not None else ""
        verdict = f"is {wrong or 'nothing'}, should be {right or 'nothing'}"
        return Status.RELABELED, "wrong predicate", phrase, verdict, f"{wrong} → {right}", ()

    def _top(self, key: _Key, rows: Sequence[TripleRow]) -> tuple[Status, str, str, str, str, tuple[Span, ...]]:
        wrong, right = (
            " and ".join(self._named(*node) for row in rows if (node := self._source(row)) and row.side == side)
            for side in ("test", "gold")
        )
        verdict = f"is {wrong or 'missing'}, should be {right}" if right else f"{wrong} is spurious"
        cause = Status.RELABELED if wrong and right else Status.MISSING if right else Status.SPURIOUS
        return cause, "wrong top", "the top", verdict, "top", ()

    def _arguments(self, key: _Key, rows: Sequence[TripleRow]) -> tuple[Status, str, str, str, str, tuple[Span, ...]]:
        side, index = ("gold", key.gold) if key.gold is not None else ("test", key.test)
        assert index is not None
        name = self._named(side, index)
        roles = {
            whose: [(row.label, self._quoted(*target)) for row in rows
                    if row.side == whose and (target := self._target(row))]
            for whose in _SIDES
        }  # fmt: skip
        gold, test = roles["gold"], roles["test"]
        short = f"{' '.join(label for label, _ in (gold or test))} {excerpt(name, _LABEL)}"
        if len(gold) == len(test) == 1:
            (right_role, right), (wrong_role, wrong) = gold[0], test[0]
            if right_role == wrong_role:
                phrase, verdict = f"{right_role} of {name}", f"is {wrong}, should be {right}"
                return Status.MOVED, "wrong argument", phrase, verdict, short, self._box(side, index)
            if right == wrong:
                phrase, verdict = right, f"is {wrong_role} of {name}, should be {right_role}"
                return Status.RELABELED, "wrong role", phrase, verdict, short, ()
        listed = {whose: ", ".join(" ".join(role) for role in own) for whose, own in roles.items()}
        if gold and test:
            verdict = f"has {listed['test']}, should have {listed['gold']}"
            return Status.MOVED, "wrong arguments", name, verdict, short, self._box(side, index)
        if gold:
            return Status.MISSING, "missing role", name, f"lacks {listed['gold']}", short, ()
        return Status.SPURIOUS, "spurious role", name, f"should not have {listed['test']}", short, ()

    def _properties(self, key: _Key, rows: Sequence[TripleRow]) -> tuple[Status, str, str, str, str, tuple[Span, ...]]:
        side, index = ("gold", key.gold) if key.gold is not None else ("test", key.test)
        assert index is not None
        parts, causes = [], set()
        for label in dict.fromkeys(row.label for row in rows):
            wrong, right = self._values([row for row in rows if row.label == label])
            if wrong and right:
                parts.append(f"{label} is {wrong}, should be {right}")
                causes.add(Status.RELABELED)
            else:
                parts.append(f"lacks {label} {right}" if right else f"should not have {label} {wrong}")
                causes.add(Status.MISSING if right else Status.SPURIOUS)
        cause = causes.pop() if len(causes) == 1 else Status.RELABELED
        name = self._named(side, index)
        short = f"{' '.join(dict.fromkeys(row.label for row in rows))} {self._quoted(side, index)}"
        return cause, "wrong properties", f"{name}:", "; ".join(parts), excerpt(short, _LABEL), ()

    def _box(self, side: str, index: int) -> tuple[Span, ...]:
        """Return the first word of a node, which has a box."""
        first = self._span(side, index).start
        return (Span(first, first + 1),)

    def _values(self, rows: Sequence[TripleRow]) -> tuple[str, str]:
        """Return what the parse has, and what gold has."""
        wrong, right = (" and ".join(row.value for row in rows if row.side == side) for side in ("test", "gold"))
        return wrong, right

    def _source(self, row: TripleRow) -> tuple[str, int] | None:
        index = row.gold_node if row.side == "gold" else row.test_node
        return None if index is None else (row.side, index)

    def _target(self, row: TripleRow) -> tuple[str, int] | None:
        index = row.gold_target if row.side == "gold" else row.test_target
        return None if index is None else (row.side, index)

    # ------------------------------------------------------------------------------------------------------- marks

    def _marks(self, key: _Key, rows: Sequence[TripleRow]) -> Iterator[Mark]:
        """Yield the labels of a repair: names of nodes, properties, tops."""
        if key.kind in ("node", "name"):
            both = key.kind == "name"
            for side, index in (("gold", key.gold), ("test", key.test)):
                if index is not None:
                    status = Status.RELABELED if both else _alone(side)
                    yield self._mark("predicate", side, index, self.graphs[side].nodes[index].predicate, status)
        elif key.kind == "properties":
            sides = {row.side for row in rows}
            for side, index in (("gold", key.gold), ("test", key.test)):
                texts = [f"{row.label} {row.value}" for row in rows if row.side == side]
                if index is not None and texts:
                    status = Status.RELABELED if len(sides) == 2 else _alone(side)
                    more = f" + {len(texts) - 1}" if len(texts) > 1 else ""
                    yield self._mark("property", side, index, f"{texts[0]}{more}", status)
        elif key.kind == "top":
            for row in rows:
                node = self._source(row)
                if node is not None:
                    yield self._mark("property", *node, "top", row.status)

    def _mark(self, kind: Literal["predicate", "property"], side: str, index: int, text: str, status: Status) -> Mark:
        """Return a label at a node."""
        description = f"{text}, {self._quoted(side, index)}"
        label = excerpt(text, _LABEL)
        return Mark(kind, side, index, label, (self._span(side, index),), status, description=description)

    def _link(self, row: TripleRow) -> Link:
        """Return a wrong role."""
        source, target = self._source(row), self._target(row)
        assert source is not None
        assert target is not None
        description = f"{row.label} of {self._named(*source)} is {self._named(*target)}"
        ends = self._span(*source).start, self._span(*target).start
        return Link(row.side, *ends, row.status, (), row.label, description)
