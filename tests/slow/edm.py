"""Elementary dependency match from its definition, semantic graphs to try it on, and the same graphs for PyDelphin."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from math import nan
from typing import Any

from delphin.dmrs import DMRS, Link, Node as DmrsNode
from delphin.eds import EDS, Node as EdsNode
from delphin.lnk import Lnk
from hypothesis import strategies as st

from evaltools.corpus.semantic_graph import Anchors, SemanticEdge, SemanticGraph, SemanticNode
from evaltools.frameworks.semantics.edm_rules import ClassWeights, EdmRules

Triple = tuple[Any, ...]

# ------------------------------------------------------------------------------------------------------ the definition


def positions(anchors: Anchors, text: str) -> frozenset[int]:
    """Return the characters of a node: each range stripped of edge characters, then without white space."""
    found: set[int] = set()
    for start, end in anchors:
        inside = list(range(len(text)))[start:end]
        while inside and text[inside[0]] in ".?!;,:“\"”‘'’()[]{} \t\n\f":
            inside.pop(0)
        while inside and text[inside[-1]] in ".?!;,:“\"”‘'’()[]{} \t\n\f":
            inside.pop()
        found |= {place for place in inside if text[place] not in " \t\n\f"}
    return frozenset(found)


def triples(graph: SemanticGraph | None, rules: EdmRules, *, trim: bool) -> list[Triple]:
    """List the triples of a graph: class, span, and the rest."""
    if graph is None:
        return []

    def case(text: str) -> str:
        return text.lower() if rules.fold_case else text

    span = [positions(node.anchors, graph.text) if trim else node.anchors for node in graph.nodes]
    found: list[Triple] = []
    for node, where in zip(graph.nodes, span, strict=True):
        found.append(("n", where, case(node.predicate)))
        found += [("p", where, case(name), case(value)) for name, value in node.properties]
        if node.constant and rules.constant_is_property:
            found.append(("p", where, "CARG", case(node.constant)))
        elif node.constant:
            found.append(("c", where, case(node.constant)))
    for edge in graph.edges:
        source, role, target = edge.source, edge.role, edge.target
        if rules.turn_inverted and (role == "mod" or (role[-3:] == "-of" and role[:5] != "prep-")):
            source, role, target = target, "domain" if role == "mod" else role[:-3], source
        if graph.nodes[source].is_quantifier and case(role) in (case("BV"), case("RSTR")) and rules.quantifier_role:
            role = rules.quantifier_role
        found.append(("a", span[source], case(role), span[target]))
    return found + [("t", span[top]) for top in graph.tops]


def weight(triple: Triple, rules: EdmRules) -> float:
    classes = {
        "n": (rules.classes.names, rules.predicates),
        "a": (rules.classes.arguments, rules.roles),
        "p": (rules.classes.properties, rules.properties),
        "c": (rules.classes.constants, ()),
        "t": (rules.classes.top, ()),
    }
    of_class, patterns = classes[triple[0]]
    of_pattern = 1.0
    for pattern, one in patterns:
        if fnmatchcase(*((triple[2].lower(), pattern.lower()) if rules.fold_case else (triple[2], pattern))):
            of_pattern = one
    return of_class * of_pattern


def counts(gold: SemanticGraph | None, test: SemanticGraph | None, rules: EdmRules) -> dict[str, float]:
    trim = bool(rules.spans == "trimmed" and gold and gold.text and test and test.text)
    bags = [Counter(triples(graph, rules, trim=trim)) for graph in (gold, test)]
    if not rules.multiset:
        bags = [Counter(set(bag)) for bag in bags]
    both = bags[0] & bags[1]
    found: dict[str, float] = {"sentences": 0.0 if (gold is None or not gold.nodes) and test is None else 1.0}
    differ = any(weight(triple, rules) for triple in (bags[0] - both) + (bags[1] - both))
    found["edm_exact_match"] = float(gold is not None and test is not None and not differ)
    for letter in "napct":
        for what, bag in zip(("gold", "test", "matched"), (*bags, both), strict=True):
            found[f"edm_{letter}_{what}"] = sum(
                weight(triple, rules) * n for triple, n in bag.items() if triple[0] == letter
            )
    unmatched = {name for name in found if name.endswith(("match", "matched"))}
    if is_bare(gold):
        found = {name: 0.0 if name == "sentences" else nan for name in found}
    elif is_bare(test):
        found |= dict.fromkeys(unmatched, nan)
    return found


def is_bare(graph: SemanticGraph | None) -> bool:
    """Return whether a graph has nodes, and none with a span."""
    return graph is not None and len(graph.nodes) > 0 and all(node.anchors == () for node in graph.nodes)


# ---------------------------------------------------------------------------------------------------- graphs and rules

TEXT = "“Kim, Sandy’s dog (a big one) barks.”"
RANGES = ((0, 4), (1, 4), (1, 5), (6, 11), (6, 13), (14, 17), (18, 29), (19, 28), (30, 37), (30, 35), (4, 6), (36, 37))
PREDICATES = ("named", "proper_q", "PROPER_Q", "udef_q", "_dog_n_1", "_bark_v_1", "_big_a_1", "poss")
ROLES = ("ARG1", "ARG2", "arg2", "ARG2-of", "mod", "prep-of", "BV", "bv", "RSTR", "L-INDEX")
PROPERTIES = {"NUM": ("sg", "pl"), "PERS": ("3", "1"), "TENSE": ("pres", "past", "PAST"), "SF": ("prop", "ques")}
WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0)

anchors = st.one_of(
    st.sampled_from(RANGES).map(lambda one: (one,)),
    st.just(()),
    st.lists(st.sampled_from(RANGES), min_size=2, max_size=2, unique=True).map(tuple),
)
nodes = st.builds(
    SemanticNode,
    id=st.just("n"),
    predicate=st.sampled_from(PREDICATES),
    anchors=anchors,
    properties=st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(values) for name, values in PROPERTIES.items()}
    ).map(lambda found: tuple(found.items())),
    constant=st.sampled_from((None, None, None, "Kim", "KIM", "Sandy", "")),
    type=st.sampled_from("exi"),
    is_quantifier=st.booleans(),
)


@st.composite
def graphs(draw: st.DrawFn, most: int = 6) -> SemanticGraph:
    """Make a graph; one role leads from a node to one other, as in PyDelphin."""
    made = tuple(draw(st.lists(nodes, max_size=most)))
    places = st.integers(0, len(made) - 1)
    keys = draw(st.lists(st.tuples(places, st.sampled_from(ROLES)), max_size=2 * most, unique=True)) if made else []
    edges = tuple(SemanticEdge(source, role, draw(places)) for source, role in keys)
    tops = (draw(places),) if made and draw(st.booleans()) else ()
    return SemanticGraph(made, edges, tops, draw(st.sampled_from((TEXT, TEXT, TEXT, ""))))


@st.composite
def graph_pairs(draw: st.DrawFn) -> tuple[SemanticGraph | None, SemanticGraph | None]:
    """Make two graphs that have something in common, or one, or none."""
    gold = draw(graphs())
    other = draw(graphs())
    kept = [draw(st.sampled_from((True, True, True, False))) for _ in gold.nodes]
    mixed = tuple(
        one if keep or place >= len(other.nodes) else other.nodes[place]
        for place, (one, keep) in enumerate(zip(gold.nodes, kept, strict=True))
    )
    near = SemanticGraph(mixed, gold.edges[draw(st.integers(0, 2)) :], gold.tops, gold.text)
    return draw(
        st.sampled_from(
            ((gold, near), (gold, near), (gold, near), (gold, other), (gold, gold), (gold, None), (None, other))
        )
    )


def patterns(names: tuple[str, ...]) -> st.SearchStrategy[tuple[tuple[str, float], ...]]:
    """Make patterns with weights."""
    known = [*names, "*", "A*", "*_q", "_*_[nv]_1", "????"]
    return st.lists(st.tuples(st.sampled_from(known), st.sampled_from(WEIGHTS)), max_size=3).map(tuple)


rules = st.builds(
    EdmRules,
    name=st.just("any"),
    classes=st.builds(ClassWeights, **dict.fromkeys(ClassWeights.__slots__, st.sampled_from(WEIGHTS))),
    roles=patterns(ROLES),
    properties=patterns((*PROPERTIES, "CARG")),
    predicates=patterns(PREDICATES),
    multiset=st.booleans(),
    constant_is_property=st.booleans(),
    quantifier_role=st.sampled_from((None, "ARG0", "ARG1")),
    spans=st.sampled_from(("exact", "trimmed")),
    fold_case=st.booleans(),
    turn_inverted=st.booleans(),
    count_empty_gold=st.booleans(),
)


# ----------------------------------------------------------------------------------------------------------- PyDelphin


def one_range(graph: SemanticGraph) -> SemanticGraph:
    """Return a graph whose nodes have at most one range, as PyDelphin's do."""
    made = tuple(
        SemanticNode(node.id, node.predicate, node.anchors[:1], node.properties, node.constant, node.type)
        for node in graph.nodes
    )
    return SemanticGraph(made, graph.edges, graph.tops, graph.text)


def link(anchors: Anchors) -> Lnk:
    return Lnk.charspan(*anchors[0]) if anchors else Lnk.default()


def to_eds(graph: SemanticGraph) -> EDS:
    made = [
        EdsNode(
            str(place),
            node.predicate,
            node.type,
            {edge.role: str(edge.target) for edge in graph.edges if edge.source == place},
            dict(node.properties),
            node.constant,
            link(node.anchors),
        )
        for place, node in enumerate(graph.nodes)
    ]
    return EDS(str(graph.tops[0]) if graph.tops else None, made)


def to_dmrs(graph: SemanticGraph) -> DMRS:
    made = [
        DmrsNode(10000 + place, node.predicate, node.type, dict(node.properties), node.constant, link(node.anchors))
        for place, node in enumerate(graph.nodes)
    ]
    links = [Link(10000 + edge.source, 10000 + edge.target, edge.role, "NEQ") for edge in graph.edges]
    return DMRS(10000 + graph.tops[0] if graph.tops else None, None, made, links)
