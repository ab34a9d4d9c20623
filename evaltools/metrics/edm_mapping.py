"""What two semantic graphs of one sentence have in common, triple by triple, node by node, role by role."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evaltools.metrics.edm import LETTERS, MATCHED, METRICS
from evaltools.metrics.edm_rules import EdmRules
from evaltools.shown import Shown
from evaltools.treebank.semantic_graph import Anchors, SemanticGraph

__all__ = ["EdgePair", "GraphAlignment", "NodePair", "TripleRow"]


@dataclass(frozen=True, slots=True)
class TripleRow:
    """A triple of one graph, or of both.

    Parameters
    ----------
    kind : {"name", "argument", "property", "constant", "top"}
        Its class.
    span : tuple of (int, int)
        Characters of its node, as the gold graph has them, or the test graph where only that has the triple.
    label : str
        ``NAME``, a role as it is compared or a property, ``CARG``, or ``TOP``.
    value : str
        The predicate, the property's value, or the constant; empty for arguments and tops. Where rules fold case, label
        and value are as the gold graph writes them, or the test graph where only that has the triple.
    target : tuple of (int, int) or None
        Characters of the node that an argument leads to.
    status : {"matched", "gold", "test"}
        In which of the graphs it is.
    gold_node, test_node : int or None
        Its node in each graph. In a graph that does not have the triple, the node that its node is paired with.
    gold_target, test_target : int or None
        The same for the node that an argument leads to.
    weight : float
        How much it counts; 0 if it does not.
    """

    kind: str
    span: Anchors
    label: str
    value: str
    target: Anchors | None
    status: str
    gold_node: int | None
    test_node: int | None
    gold_target: int | None
    test_target: int | None
    weight: float


@dataclass(frozen=True, slots=True)
class NodePair:
    """Two nodes of the same span, or one without partner.

    Parameters
    ----------
    gold, test : int or None
        Places in the graphs' lists of nodes.
    status : {"matched", "relabelled", "gold", "test"}
        Whether span and predicate are the same, the span only, or the node is in one graph only.
    """

    gold: int | None
    test: int | None
    status: str


@dataclass(frozen=True, slots=True)
class EdgePair:
    """Two edges that are the same argument, or one without partner.

    Parameters
    ----------
    gold, test : int or None
        Places in the graphs' lists of edges.
    status : {"matched", "gold", "test"}
        Whether the argument is in both graphs. Where triples are sets, an edge that says again what another of its
        graph says is matched without a partner of its own.
    """

    gold: int | None
    test: int | None
    status: str


@dataclass(frozen=True, slots=True)
class GraphAlignment(Shown):
    """Two semantic graphs of one sentence, compared.

    Parameters
    ----------
    gold, test : SemanticGraph or None
        The graphs; None where there is none.
    rules : EdmRules
        What counts.
    triples : tuple of TripleRow
        All triples, also those of weight 0, by span, then class.
    nodes : tuple of NodePair
        All nodes, by span.
    edges : tuple of EdgePair
        All edges, in the gold graph's order, then those of the test graph alone.
    """

    gold: SemanticGraph | None
    test: SemanticGraph | None
    rules: EdmRules
    triples: tuple[TripleRow, ...]
    nodes: tuple[NodePair, ...]
    edges: tuple[EdgePair, ...]

    @property
    def text(self) -> str:
        """The sentence, of the gold graph if that has it."""
        texts = [graph.text for graph in (self.gold, self.test) if graph is not None and graph.text]
        return texts[0] if texts else ""

    @property
    def undefined(self) -> str:
        """Why the sentence has no score, such as ``no node of the gold graph has a span``; empty where it has one."""
        sides = (("gold", self.gold), ("test", self.test))
        whose = [name for name, graph in sides if graph is not None and graph.lacks_spans]
        return f"no node of the {' or '.join(whose)} graph has a span" if whose else ""

    @property
    def counts(self) -> Mapping[str, float]:
        """The counts of the sentence, by the names in :data:`evaltools.metrics.edm.COLUMNS`; NaN where undefined."""
        counts = {f"edm_{letter}_{what}": 0.0 for letter in LETTERS for what in ("gold", "test", "matched")}
        letters = {kind: letter for letter, kind in LETTERS.items()}
        sides = {"matched": ("gold", "test", "matched"), "gold": ("gold",), "test": ("test",)}
        for row in self.triples:
            for what in sides[row.status]:
                counts[f"edm_{letters[row.kind]}_{what}"] += row.weight
        both = self.gold is not None and self.test is not None
        exact = both and all(row.status == "matched" for row in self.triples if row.weight)
        known = (self.gold is not None and bool(self.gold.nodes)) or self.test is not None
        counts = {"sentences": float(known), "edm_exact_match": float(exact)} | counts
        if self.test is not None and self.test.lacks_spans:
            counts |= dict.fromkeys(MATCHED, math.nan)
        if self.gold is not None and self.gold.lacks_spans:
            counts |= dict.fromkeys(counts, math.nan) | {"sentences": 0.0}
        return counts

    @property
    def scores(self) -> Mapping[str, float | None]:
        """The sentence's scores by metric; None where undefined."""
        columns = {name: np.array([value]) for name, value in self.counts.items()}
        found = {metric.id: float(metric.score(columns)[0]) for metric in METRICS}
        return {name: None if np.isnan(value) else value for name, value in found.items()}
