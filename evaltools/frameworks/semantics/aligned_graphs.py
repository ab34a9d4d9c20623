"""The comparison of two semantic graphs of one sentence, triple by triple, node by node, role by role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from evaltools.corpus.semantic_graph import BILEXICAL, Anchors, SemanticGraph
from evaltools.display import NotebookObject
from evaltools.marks import Status
from evaltools.text import scores_in_line, short_repr

if TYPE_CHECKING:
    from evaltools.frameworks.semantics.edm_rules import EdmRules


@dataclass(frozen=True, slots=True)
class TripleRow:
    """A triple of one graph, or of both."""

    kind: str
    span: Anchors  # Characters of its node in the gold graph, or in the test graph where only that has the triple
    label: str  # ``NAME``, a role as it is compared or a property, ``CARG``, or ``TOP``
    # The predicate, the property's value, or the constant; empty for arguments and tops. Where rules fold case, label
    # and value are as the gold graph writes them, or the test graph where only that has the triple.
    value: str
    target: Anchors | None  # Characters of the node that an argument leads to
    status: Status  # ``RIGHT``, ``MISSING`` or ``SPURIOUS``
    # Its node in each graph. In a graph that does not have the triple, the node that its node is paired with.
    gold_node: int | None
    test_node: int | None
    gold_target: int | None  # The same for the node that an argument leads to
    test_target: int | None
    weight: float  # Its weight in the score; 0 if it does not count

    @property
    def side(self) -> str:
        """The graph that has it: ``"test"`` if only that has it, else ``"gold"``."""
        return "test" if self.status is Status.SPURIOUS else "gold"

    @property
    def nodes(self) -> tuple[int, int | None]:
        """Its node in that graph, and the node that an argument leads to."""
        node, target = (self.gold_node, self.gold_target) if self.side == "gold" else (self.test_node, self.test_target)
        assert node is not None
        return node, target


@dataclass(frozen=True, slots=True)
class NodePair:
    """Two nodes of the same span, or one without partner."""

    gold: int | None  # Indices of the nodes in their graphs
    test: int | None
    status: Status  # ``RELABELED``: the same span, another predicate; ``MOVED``: the same predicate, another span


@dataclass(frozen=True, slots=True)
class EdgePair:
    """Two edges that are the same argument, or one without partner."""

    gold: int | None  # Indices of the edges in their graphs
    test: int | None
    # Whether the argument is in both graphs. Where triples are sets, a repeated edge of one
    # graph is right without a partner of its own.
    status: Status


# --------------------------------------------------------------------------------------------------------------- kinds

GRAPH_LEGEND: Mapping[Status, str] = {
    Status.RIGHT: "in both",
    Status.MISSING: "only in {gold}",
    Status.SPURIOUS: "only in {test}",
    Status.RELABELED: "in both, different name or span",
}
"""Names of the marks of graphs in the legend, by status."""

_TITLES = {"name": "Names", "argument": "Arguments", "property": "Properties", "constant": "Constants", "top": "Top"}
_PARTS = ("unlabeled", "no_senses", "concepts", "named_entities", "negation", "wiki", "reentrancies", "srl")
_EDM = ("edm", "edm_na", "edm_n", "edm_a", "edm_p", "edm_precision", "edm_recall")


@dataclass(frozen=True, slots=True)
class GraphKind:
    """What graphs of a framework are compared by, and what is shown of two of them."""

    id: str  # That of the framework
    summary: Mapping[str, str]  # The metrics in the summary of a sentence, with their names; the main one first
    formulas: tuple[str, ...]  # The metrics whose formulas are shown
    shared: str  # What the formulas count
    needs_spans: str = "EDM is"  # Which metrics are undefined without spans
    is_mapped: bool = False  # Whether nodes are not known by their spans but mapped to each other
    titles: Mapping[str, str] = field(default_factory=lambda: _TITLES)  # Of the classes of triples, in their order
    legend: Mapping[Status, str] = field(default_factory=lambda: GRAPH_LEGEND)
    properties: str = "differing"  # Which properties are drawn by default


MRS_GRAPHS = GraphKind(
    "mrs",
    {"edm": "EDM", "edm_n": "names", "edm_a": "arguments", "edm_p": "properties"},
    _EDM,
    "M matched of G gold and T test triples, by weight",
)
"""Graphs with spans: EDS, DMRS and MRS."""

SDP_GRAPHS = replace(
    MRS_GRAPHS,
    id="sdp",
    summary={"sdp": "LF", "sdp_unlabeled": "UF", "edm": "EDM"},
    formulas=(
        *("sdp", "sdp_precision", "sdp_recall", "sdp_exact"),
        *("sdp_unlabeled", "sdp_unlabeled_precision", "sdp_unlabeled_recall", "sdp_unlabeled_exact"),
        *_EDM,
    ),
    needs_spans="LF and EDM are",
)
"""Graphs whose nodes are words."""

AMR_GRAPHS = GraphKind(
    "amr",
    {"smatch": "Smatch", "smatch_precision": "Smatch precision", "smatch_recall": "Smatch recall"},
    ("smatch", "smatch_precision", "smatch_recall", *(f"smatch_{part}" for part in _PARTS)),
    "M matched of G gold and T test triples under the best mapping of nodes",
    is_mapped=True,
    titles=_TITLES | {"name": "Concepts", "argument": "Relations", "property": "Attributes"},
    legend={**GRAPH_LEGEND, Status.RELABELED: "in both, different name"},
    properties="all",  # they are few, and names are among them
)
"""Graphs without spans."""


def kind_of(*graphs: SemanticGraph | None) -> GraphKind:
    """Return the kind of some graphs, by which they are compared."""
    present = [graph for graph in graphs if graph is not None]
    if present and all(graph.is_unanchored for graph in present):
        return AMR_GRAPHS
    return SDP_GRAPHS if present and all(graph.framework.lower() in BILEXICAL for graph in present) else MRS_GRAPHS


# ---------------------------------------------------------------------------------------------------------- alignments


@dataclass(frozen=True, slots=True)
class GraphAlignment(NotebookObject):
    """Two semantic graphs of one sentence, compared.

    Parameters
    ----------
    gold, test : SemanticGraph or None
        The graphs; None where there is none. Roles of AMRs have the direction in which they are compared.
    rules : EdmRules
        What counts.
    triples : tuple of TripleRow
        All triples, also those of weight 0, by span, then class.
    nodes : tuple of NodePair
        All nodes, by span.
    edges : tuple of EdgePair
        All edges, in the gold graph's order, then those of the test graph alone.
    counts : mapping of str to float
        The counts of the sentence, by column name; NaN where undefined.
    scores : mapping of str to float or None
        The sentence's scores by metric; None where undefined.
    gap : int
        How many more triples a better mapping of nodes might match, where nodes are mapped and the mapping is not
        proven to be the best.
    """

    gold: SemanticGraph | None
    test: SemanticGraph | None
    rules: EdmRules
    triples: tuple[TripleRow, ...]
    nodes: tuple[NodePair, ...]
    edges: tuple[EdgePair, ...]
    counts: Mapping[str, float] = field(default_factory=dict)
    scores: Mapping[str, float | None] = field(default_factory=dict)
    gap: int = 0

    def __repr__(self) -> str:
        return short_repr(self, f"of {len(self.nodes)} nodes: {scores_in_line(self.scores)}")

    @property
    def text(self) -> str:
        """The sentence, of the gold graph if that has it."""
        texts = [graph.text for graph in (self.gold, self.test) if graph is not None and graph.text]
        return texts[0] if texts else ""

    @property
    def kind(self) -> GraphKind:
        """What the graphs are compared by, and what is shown of them."""
        return kind_of(self.gold, self.test)

    @property
    def undefined(self) -> str:
        """Why the sentence has no score, such as ``no node of the gold graph has a span``; empty where it has one."""
        if self.kind.is_mapped:
            return ""
        sides = (("gold", self.gold), ("parse", self.test))
        whose = [name for name, graph in sides if graph is not None and graph.lacks_spans]
        if not whose:
            return ""
        has_any = any(
            graph is not None and graph.lacks_spans and any(node.anchors for node in graph.nodes) for _, graph in sides
        )
        which = f"of the {' or '.join(whose)} graph"
        return f"several nodes {which} have no span" if has_any else f"no node {which} has a span"
