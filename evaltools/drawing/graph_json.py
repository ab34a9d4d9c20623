"""An alignment of semantic graphs as data for other programs: triples, nodes, roles, counts, scores."""

from __future__ import annotations

import json
import math
from typing import Any

from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.treebank.semantic_graph import SemanticGraph

__all__ = ["graph_data", "graph_json"]


def graph_data(alignment: GraphAlignment) -> dict[str, Any]:
    """Return an alignment of semantic graphs as dictionaries, lists, strings and numbers.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs and what they share.

    Returns
    -------
    dict
        ``text``; ``gold`` and ``test`` (nodes, edges and tops; None where there is no graph); ``triples`` with the
        characters they are about; ``nodes`` and ``edges``, each with its places in the two graphs and its status;
        ``rules``; ``counts`` and ``scores`` (both None where undefined).
    """
    return {
        "text": alignment.text,
        "gold": _graph(alignment.gold),
        "test": _graph(alignment.test),
        "triples": [
            {
                "kind": row.kind,
                "span": [list(each) for each in row.span],
                "label": row.label,
                "value": row.value,
                "target": None if row.target is None else [list(each) for each in row.target],
                "status": row.status,
                "weight": row.weight,
            }
            for row in alignment.triples
        ],
        "nodes": [{"gold": pair.gold, "test": pair.test, "status": pair.status} for pair in alignment.nodes],
        "edges": [{"gold": pair.gold, "test": pair.test, "status": pair.status} for pair in alignment.edges],
        "rules": alignment.rules.to_dict(),
        "counts": {name: None if math.isnan(count) else count for name, count in alignment.counts.items()},
        "scores": dict(alignment.scores),
    }


def _graph(graph: SemanticGraph | None) -> dict[str, Any] | None:
    if graph is None:
        return None
    return {
        "nodes": [
            {
                "id": node.id,
                "predicate": node.predicate,
                "anchors": [list(each) for each in node.anchors],
                "properties": dict(node.properties),
                "constant": node.constant,
            }
            for node in graph.nodes
        ],
        "edges": [{"source": edge.source, "role": edge.role, "target": edge.target} for edge in graph.edges],
        "tops": list(graph.tops),
        "framework": graph.framework,
    }


def graph_json(alignment: GraphAlignment) -> str:
    """Return `graph_data` as JSON text.

    Parameters
    ----------
    alignment : GraphAlignment
        The alignment.

    Returns
    -------
    str
        JSON, indented.
    """
    return json.dumps(graph_data(alignment), ensure_ascii=False, indent=1)
