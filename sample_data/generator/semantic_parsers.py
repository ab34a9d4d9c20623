"""Outputs with the faults that parsers of meaning have; nothing here parses.

A grammar knows all readings of a sentence and nothing else; which of them it puts first is decided by weights: each
reading of a predicate, role or property has one, drawn by chance for the grammar and the same in every sentence, what is
near is preferred to what is far, and what is right has a bonus, as if the weights had been learnt. A parser without a
grammar draws nodes and edges one by one, and can make graphs that no grammar would.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .semantic_graphs import Graph, Node, Reading, eds, graph, mrp
from .semantic_notation import NOTHING, Point, Sentence, quantifier

RESULTS = 10
KEPT = 60  # readings that are kept at every step of the search; some of them give the same graph


@dataclass(frozen=True, slots=True)
class Weights:
    """What a grammar's ranking of readings goes by.

    Parameters
    ----------
    name
        From which all chance comes.
    bonus
        Of what is right; a weight by chance is below 100. Roles have half of it.
    """

    name: str
    bonus: int

    def chance(self, *key: str) -> int:
        """Return the weight of something, below 100."""
        return int.from_bytes(hashlib.sha256("\t".join((self.name, *key)).encode()).digest()[:4]) % 100

    def weight(self, sentence: Sentence, point: Point, option: int) -> int:
        """Return the weight of one option where the readings part."""
        line = sentence.lines[point.line]
        bonus = self.bonus if option == 0 else 0
        if point.kind == "predicate":
            return bonus + self.chance(line.predicates[option])
        if point.kind == "feature":
            return bonus + self.chance(line.features[point.number][option])
        role, targets = line.roles[point.number]
        target = targets[option]
        if target is None:
            return bonus // 2 + self.chance(line.predicates[0], role, NOTHING)
        aim = sentence.lines[target]
        kind = "noun" if aim.noun(aim.predicates[0]) else "verb"
        return bonus // 2 + self.chance(line.predicates[0], role, kind) - min(abs(aim.start - line.start), 40)

    def ranked(self, sentence: Sentence) -> list[Graph]:
        """Return the graphs of the readings with the highest weights, the best first."""
        best: list[tuple[int, Reading]] = [(0, {})]
        for point in sentence.points():
            weights = [self.weight(sentence, point, option) for option in range(point.size)]
            longer = [
                (score + weight, {**reading, point: option})
                for score, reading in best
                for option, weight in enumerate(weights)
            ]
            best = sorted(longer, key=lambda entry: -entry[0])[:KEPT]
        graphs: list[Graph] = []
        for _, reading in best:
            made = graph(sentence, reading)
            if made not in graphs:
                graphs.append(made)
        return graphs[:RESULTS]


GRAMMAR = Weights("grammar", 35)
GRAMMAR_SMALL = Weights("grammar-small", 28)


def grammar(sentences: Sequence[Sentence]) -> str:
    """Return the ten best readings of every sentence, the results of an item one after the other."""
    return "".join(mrp(n, made) for n, sentence in enumerate(sentences, 1) for made in GRAMMAR.ranked(sentence))


TAGS = {"past": "vbd", "pres": "vbz", "sg": "nn", "pl": "nns"}
LONGEST = 40  # words
BEYOND = 36  # the sentence that the small grammar has no rule for


def grammar_small(sentences: Sequence[Sentence]) -> str:
    """Return the best reading of a grammar with a small lexicon; sentences that it cannot do are not in the file.

    Nouns and verbs that it does not know have a predicate made of word and tag, as ``_ferry/nn_u_unknown``.
    """
    output = []
    for number, sentence in enumerate(sentences, 1):
        if len(sentence.text.split()) > LONGEST or number == BEYOND:
            continue
        made = GRAMMAR_SMALL.ranked(sentence)[0]
        for node in made.nodes:
            if "_n_" in node.predicate or "_v_" in node.predicate:
                stem = node.predicate.split("_")[1]
                if GRAMMAR_SMALL.chance("known", stem) < 12:
                    tag = TAGS.get(node.properties.get("TENSE", node.properties.get("NUM", "")), "vb")
                    node.predicate = f"_{made.text[node.start : node.end].lower()}/{tag}_u_unknown"
        output.append(eds(number, made))
    return "".join(output)


SEED = 4
SILENT_ITEM = 43  # what the parser without a grammar answers with an empty graph
SENSES = {"_v_1": ("_v_to", "_v_for", "_v_with"), "_n_1": ("_n_of",), "_n_of": ("_n_1",), "_a_1": ("_a_of", "_a_for")}
QUANTIFIERS = {
    "_the_q": "_a_q",
    "_a_q": "_the_q",
    "_every_q": "_each_q",
    "udef_q": "proper_q",
    "proper_q": "udef_q",
    "def_explicit_q": "def_implicit_q",
    "def_implicit_q": "def_explicit_q",
}
VALUES = {
    "TENSE": {"past": "pres", "pres": "past", "fut": "pres", "untensed": "past"},
    "NUM": {"sg": "pl", "pl": "sg"},
    "PERF": {"+": "-"},
    "PROG": {"+": "-"},
    "SF": {"ques": "prop", "prop-or-ques": "prop", "comm": "prop"},
    "GEND": {"m": "f", "f": "m", "n": "m"},
    "IND": {"-": "+"},
}


def graph_parser(sentences: Sequence[Sentence]) -> str:
    """Return what a parser without a grammar might make of the sentences."""
    rng = random.Random(SEED)
    output = []
    for number, sentence in enumerate(sentences, 1):
        reading = {point: _draw(rng, point) for point in sentence.points()}
        made = damaged(graph(sentence, reading), rng)
        output.append(eds(number, made if number != SILENT_ITEM else Graph(sentence.text, [], 0)))
    return "".join(output)


def _draw(rng: random.Random, point: Point) -> int:
    """Return the right option about nine times out of ten: any other draw can be right, too."""
    return 0 if rng.random() < 0.85 else rng.randrange(point.size)


def damaged(made: Graph, rng: random.Random) -> Graph:
    """Return a graph with one wrong thing or another."""
    with_marks = rng.random() < 0.2
    for node in made.nodes:
        _rename(node, rng)
        for name, value in node.properties.items():
            if value in VALUES.get(name, {}) and rng.random() < 0.06:
                node.properties[name] = VALUES[name][value]
        if rng.random() < 0.02:
            node.properties = dict(list(node.properties.items())[:2])
        if with_marks and made.text[node.end] in ",.?!":
            node.end += 1  # the mark belongs to the word before it, as in older grammars
    nouns = [place for place, node in enumerate(made.nodes) if node.kind == "x"]
    for node in made.nodes:
        if node.kind:
            node.edges = list(_edges(node, nouns, rng))
    if rng.random() < 0.06:
        made.top = rng.choice([place for place, node in enumerate(made.nodes) if node.kind == "e"])
    gone = [
        place
        for place, node in enumerate(made.nodes)
        if node.kind == "e" and place != made.top and not _target(made, place) and rng.random() < 0.05
    ]
    return made.without(gone)


def _rename(node: Node, rng: random.Random) -> None:
    if quantifier(node.predicate):
        if rng.random() < 0.05:
            node.predicate = QUANTIFIERS.get(node.predicate, "udef_q")
        return
    for ending, others in SENSES.items():
        if node.predicate.endswith(ending) and rng.random() < 0.04:
            node.predicate = node.predicate.removesuffix(ending) + rng.choice(others)
            return


def _edges(node: Node, nouns: Sequence[int], rng: random.Random) -> list[tuple[str, int]]:
    """Return the edges of a node, some of them lost or bent, but no role twice."""
    edges = []
    for role, target in node.edges:
        chance = rng.random()
        if chance < 0.05:
            continue
        edges.append((role, rng.choice(nouns) if chance < 0.08 else target))
    return edges


def _target(made: Graph, place: int) -> bool:
    return any(target == place for node in made.nodes for _, target in node.edges)


PARSERS: dict[str, Callable[[Sequence[Sentence]], str]] = {
    "grammar.mrp": grammar,
    "grammar-small.eds": grammar_small,
    "graph-parser.eds": graph_parser,
}
"""The outputs by the names of their files."""
