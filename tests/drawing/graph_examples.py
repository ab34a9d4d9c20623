"""Pairs of semantic graphs that the tests of the drawings share."""

from __future__ import annotations

from dataclasses import replace

from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import load_edm_rules

Pair = tuple[SemanticGraph | None, SemanticGraph | None]
Edge = SemanticEdge
TEXT = "He persuaded Kim to leave."


def node(predicate: str, *anchors: tuple[int, int], constant: str | None = None, **properties: str) -> SemanticNode:
    """Make a node; a name that ends in ``_q`` makes it a quantifier."""
    name = f"{predicate}{anchors}"
    return SemanticNode(name, predicate, anchors, tuple(properties.items()), constant, "x", predicate.endswith("_q"))


NODES = (
    node("pron", (0, 2), PERS="3", NUM="sg"),
    node("pronoun_q", (0, 2)),
    node("_persuade_v_of", (3, 12), TENSE="past"),
    node("proper_q", (13, 16)),
    node("named", (13, 16), constant="Kim", NUM="sg"),
    node("_leave_v_1", (20, 25), TENSE="untensed"),
)
EDGES = (
    Edge(1, "BV", 0),
    Edge(2, "ARG1", 0),
    Edge(2, "ARG2", 4),
    Edge(2, "ARG3", 5),
    Edge(3, "BV", 4),
    Edge(5, "ARG1", 4),
)
GOLD = SemanticGraph(NODES, EDGES, (2,), TEXT, "eds")
TEST = SemanticGraph(
    (
        NODES[0],
        NODES[1],
        node("_persuade_v_of", (3, 12), TENSE="pres"),
        NODES[3],
        NODES[4],
        node("_leave_v_for", (20, 25), TENSE="untensed"),
        node("_extra_a_1", (17, 19)),
    ),
    (*EDGES[:3], Edge(2, "ARG4", 5), EDGES[4], Edge(5, "ARG1", 0), Edge(6, "ARG1", 5)),
    (2,),
    TEXT,
    "eds",
)
LEAVES = SemanticGraph((*NODES[:5], node("_leave_v_1", (20, 26), TENSE="untensed")), EDGES, (2,), TEXT, "eds")
COMPOUND_TEXT = "The garden dog cannot bark."
COMPOUND = SemanticGraph(
    (
        node("_the_q", (0, 3)),
        node("compound", (4, 14)),
        node("udef_q", (4, 10)),
        node("_garden_n_1", (4, 10)),
        node("_dog_n_1", (11, 14)),
        node("_can_v_modal", (15, 18)),
        node("neg", (18, 21)),
        node("_bark_v_1", (22, 27)),
        node("loc_nonsp", (22, 27)),
    ),
    (
        Edge(0, "BV", 4),
        Edge(1, "ARG1", 4),
        Edge(1, "ARG2", 3),
        Edge(2, "BV", 3),
        Edge(5, "ARG1", 7),
        Edge(6, "ARG1", 5),
        Edge(7, "ARG1", 4),
        Edge(8, "ARG1", 5),
        Edge(8, "ARG2", 7),
        Edge(7, "ARG2", 7),
    ),
    (6,),
    COMPOUND_TEXT,
    "eds",
)
ARABIC_TEXT = "قرأ الطالب كتابا"
ARABIC = SemanticGraph(
    (node("_قرأ_v_1", (0, 3)), node("_طالب_n_1", (4, 10)), node("_كتاب_n_1", (11, 16))),
    (Edge(0, "ARG1", 1), Edge(0, "ARG2", 2)),
    (0,),
    ARABIC_TEXT,
    "eds",
)
HOSTILE_TEXT = "<b> $x$ \\n\u202e"
HOSTILE = SemanticGraph(
    (
        node("<b>$x$</b>", (0, 3), constant='*x*"\\', **{"<i>": "$a$_{b}^~%#"}),
        node("a&b|\"'`\\n\x01", (4, 7)),
        node("", (99, 120)),
        node("\u202e-LRB-", (7, 3)),
        node("{nowhere}"),
    ),
    (Edge(0, "<script>", 1), Edge(1, '"];\\', 1), Edge(2, "", 0), Edge(4, "ARG1", 3), Edge(3, "&amp;", 4)),
    (1,),
    HOSTILE_TEXT,
    "eds",
)
OTHER_HOSTILE = replace(
    HOSTILE,
    nodes=(node("<u>", (0, 3), constant="<img>", **{"<i>": "]]>"}), *HOSTILE.nodes[1:]),
    edges=HOSTILE.edges[1:],
)
NOTHING = SemanticGraph((), (), (), "", "eds")
PAIRS: dict[str, Pair] = {
    "persuaded": (GOLD, TEST),
    "same": (GOLD, GOLD),
    "other span": (GOLD, LEAVES),
    "compound": (COMPOUND, replace(COMPOUND, edges=COMPOUND.edges[1:], nodes=COMPOUND.nodes)),
    "without text": (replace(GOLD, text=""), replace(TEST, text="")),
    "arabic": (ARABIC, replace(ARABIC, edges=(ARABIC.edges[0], Edge(0, "ARG3", 2)))),
    "hostile": (HOSTILE, OTHER_HOSTILE),
    "no test": (GOLD, None),
    "no gold": (None, GOLD),
    "neither": (None, None),
    "nothing": (NOTHING, NOTHING),
}


def aligned(pair: Pair, preset: str = "pydelphin") -> GraphAlignment:
    return align_graphs(*pair, load_edm_rules(preset))


def repeated(graph: SemanticGraph, times: int) -> SemanticGraph:
    """Make a long text of a short one, each part joined to the one before."""
    nodes: list[SemanticNode] = []
    edges: list[SemanticEdge] = []
    for time in range(times):
        shift, first = time * (len(graph.text) + 1), len(nodes)
        for item in graph.nodes:
            anchors = tuple((start + shift, end + shift) for start, end in item.anchors)
            nodes.append(replace(item, id=f"{item.id}{time}", anchors=anchors))
        edges += [Edge(edge.source + first, edge.role, edge.target + first) for edge in graph.edges]
        if time:
            edges.append(Edge(first + graph.tops[0], "ARG9", first - len(graph.nodes) + graph.tops[0]))
    return SemanticGraph(tuple(nodes), tuple(edges), graph.tops, " ".join([graph.text] * times), graph.framework)
