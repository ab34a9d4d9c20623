"""From a reading of a sentence to its elementary dependency structure, and how that is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .semantic_notation import NOTHING, Line, Point, Sentence, quantifier

Reading = Mapping[Point, int]
"""Which option is taken where the readings part; the first where it does not say."""

EVENT = {"SF": "prop", "TENSE": "untensed", "MOOD": "indicative", "PROG": "-", "PERF": "-"}
THING = {"PERS": "3", "NUM": "sg", "IND": "+"}
EVENT_FEATURES = {
    "past": {"TENSE": "past"},
    "pres": {"TENSE": "pres"},
    "fut": {"TENSE": "fut"},
    "inf": {"SF": "prop-or-ques"},
    "ques": {"SF": "ques"},
    "prop": {},
    "imp": {"SF": "comm", "TENSE": "pres"},
    "prog": {"PROG": "+"},
    "perf": {"PERF": "+"},
    "pass": {},
}
THING_FEATURES = {
    "sg": {},
    "pl": {"NUM": "pl"},
    "mass": {"IND": "-"},
    "m": {"GEND": "m"},
    "f": {"GEND": "f"},
    "x": {},
}
PRONOUNS = {
    "he": {"GEND": "m"},
    "his": {"GEND": "m"},
    "she": {"GEND": "f"},
    "its": {"GEND": "n"},
    "us": {"PERS": "1", "NUM": "pl"},
    "my": {"PERS": "1"},
    "you": {"PERS": "2"},
    "your": {"PERS": "2"},
}
SILENT = {  # the quantifier that a noun has without a word for it
    "named": "proper_q", "dofw": "proper_q", "yofc": "proper_q", "pron": "pronoun_q", "place_n": "def_implicit_q",
    "time_n": "def_implicit_q", "season": "def_implicit_q",
}  # fmt: skip


@dataclass(slots=True)
class Node:
    """A predication; edges are (role, number of the target)."""

    predicate: str
    start: int
    end: int
    kind: str  # "e", "x", or nothing for a quantifier
    properties: dict[str, str] = field(default_factory=dict)
    constant: str | None = None
    edges: list[tuple[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class Graph:
    """A sentence's predications, in the order of their words."""

    text: str
    nodes: list[Node]
    top: int

    def names(self) -> list[str]:
        """Return a name for every node: ``e2`` for the top, ``x3`` …, and ``_1`` … for quantifiers."""
        names, bound, silent = [], 2, 0
        for place, node in enumerate(self.nodes):
            if place == self.top:
                names.append(f"{node.kind}2")
            elif node.kind:
                bound += 1
                names.append(f"{node.kind}{bound}")
            else:
                silent += 1
                names.append(f"_{silent}")
        return names

    def without(self, gone: Iterable[int]) -> Graph:
        """Return the graph without some nodes and their edges; the top must stay."""
        left = [place for place in range(len(self.nodes)) if place not in set(gone)]
        number = {place: new for new, place in enumerate(left)}
        nodes = [self.nodes[place] for place in left]
        for node in nodes:
            node.edges = [(role, number[target]) for role, target in node.edges if target in number]
        return Graph(self.text, nodes, number[self.top])


def graph(sentence: Sentence, reading: Reading) -> Graph:
    """Return the graph of one reading: the first options where nothing else is said."""
    taken = {(point.line, point.kind, point.number): option for point, option in reading.items()}
    nodes: list[Node] = []
    place_of: dict[int, int] = {}
    targets: list[tuple[Node, list[tuple[str, int]]]] = []
    bound = {line.roles[0][1][0] for line in sentence.lines if quantifier(line.predicates[0])}
    for number, line in enumerate(sentence.lines):
        predicate = line.predicates[taken.get((number, "predicate", 0), 0)]
        if predicate == NOTHING:
            continue
        features = [option[taken.get((number, "feature", n), 0)] for n, option in enumerate(line.features)]
        node = _node(sentence.text, line, predicate, features)
        chosen = [(role, options[taken.get((number, "role", n), 0)]) for n, (role, options) in enumerate(line.roles)]
        edges = [(role, target) for role, target in chosen if target is not None]
        if node.kind == "x" and number not in bound:
            silent = Node(SILENT.get(predicate, "udef_q"), line.start, line.end, "")
            nodes.append(silent)
            targets.append((silent, [("BV", number)]))
        place_of[number] = len(nodes)
        nodes.append(node)
        targets.append((node, edges))
        patients = [target for role, target in edges if role == "ARG2"]
        if "pass" in features and node.kind == "e" and patients:
            passive = Node("parg_d", line.start, line.end, "e", dict(EVENT))
            nodes.append(passive)
            targets.append((passive, [("ARG1", number), ("ARG2", patients[0])]))
    for node, edges in targets:
        node.edges = [(role, place_of[target]) for role, target in edges if target in place_of]
    top = next(number for number, line in enumerate(sentence.lines) if line.top)
    return Graph(sentence.text, nodes, place_of[top])


def _node(text: str, line: Line, predicate: str, features: Iterable[str]) -> Node:
    node = Node(predicate, line.start, line.end, "", constant=line.constant)
    if line.noun(predicate):
        node.kind, node.properties = "x", dict(THING)
        if predicate == "pron":
            word = line.constant or text[line.start : line.end].lower()
            node.properties |= PRONOUNS[word] | {"PT": "std"}
            node.constant = None
        table = THING_FEATURES
    elif quantifier(predicate):
        return node
    else:
        node.kind, node.properties = "e", dict(EVENT)
        table = EVENT_FEATURES
    for feature in features:
        if feature not in EVENT_FEATURES | THING_FEATURES:
            raise ValueError(f"{predicate} is {feature}, which means nothing")
        node.properties |= table.get(feature, {})
    order = ("PERS", "NUM", "GEND", "IND", "PT") if node.kind == "x" else tuple(EVENT)
    node.properties = {name: node.properties[name] for name in order if name in node.properties}
    return node


def eds(number: int, made: Graph) -> str:
    """Return a graph in the native notation of elementary dependency structures, its sentence above it."""
    names = made.names()
    lines = [f"SENT: {made.text}", f"#{number}", f"{{{names[made.top]}:" if names else "{"]
    for name, node in zip(names, made.nodes, strict=True):
        constant = "" if node.constant is None else f'("{node.constant}")'
        properties = ", ".join(f"{key} {value}" for key, value in node.properties.items())
        kind = f"{{{node.kind} {properties}}}" if node.kind else ""
        edges = ", ".join(f"{role} {names[target]}" for role, target in node.edges)
        lines.append(f" {name}:{node.predicate}<{node.start}:{node.end}>{constant}{kind}[{edges}]")
    return "\n".join([*lines, "}", "", ""])


def mrp(number: int, made: Graph) -> str:
    """Return a graph as a line of JSON in the format of the shared tasks on meaning representation parsing."""
    nodes = []
    for place, node in enumerate(made.nodes):
        properties = ({} if node.constant is None else {"carg": node.constant}) | node.properties
        entry = {"id": place, "label": node.predicate}
        if properties:
            entry |= {"properties": list(properties), "values": list(properties.values())}
        nodes.append(entry | {"anchors": [{"from": node.start, "to": node.end}]})
    edges = [
        {"source": place, "target": target, "label": role}
        for place, node in enumerate(made.nodes)
        for role, target in node.edges
    ]
    content = {"id": str(number), "flavor": 1, "framework": "eds", "version": 1.1, "input": made.text}
    content |= {"tops": [made.top], "nodes": nodes, "edges": edges}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"
