"""An alignment as data for other programs: nodes, spans, statuses, partners, scores."""

from __future__ import annotations

import json
from typing import Any

from evaltools.metrics.mapping import Alignment, NodeStatus
from evaltools.treebank import Tree

__all__ = ["alignment_data", "alignment_json"]


def _nodes(tree: Tree, statuses: tuple[NodeStatus, ...], partner: tuple[int | None, ...]) -> list[dict[str, Any]]:
    return [
        {
            "node": node,
            "label": tree.labels[node],
            "kind": tree.kinds[node].name.lower(),
            "parent": tree.parents[node] if tree.parents[node] >= 0 else None,
            "span": [tree.starts[node], tree.ends[node]],
            "status": str(statuses[node]),
            "partner": partner[node],
        }
        for node in range(len(tree))
    ]


def alignment_data(alignment: Alignment, mapping: str = "t") -> dict[str, Any]:
    """Return an alignment as dictionaries, lists, strings and numbers.

    Parameters
    ----------
    alignment : Alignment
        The trees and their mappings.
    mapping : {"t", "e"}
        Which mapping's statuses to give.

    Returns
    -------
    dict
        ``mapping``, ``status``, ``gold`` and ``test`` (nodes in postorder, spans half-open), ``pairs``,
        ``moves``, ``steps``, ``words`` (lineages and their similarities), ``counts`` and ``scores``
        (None where undefined).
    """
    chosen = alignment.mapping(mapping)
    return {
        "mapping": mapping,
        "status": alignment.status,
        "gold": _nodes(alignment.gold, chosen.gold_status, chosen.gold_partner),
        "test": _nodes(alignment.test, chosen.test_status, chosen.test_partner),
        "pairs": [list(pair) for pair in chosen.pairs],
        "moves": [list(move) for move in chosen.moves],
        "steps": [
            {"status": str(step.status), "gold": step.gold, "test": step.test, "text": step.text}
            for step in chosen.steps
        ],
        "words": [
            {
                "position": word.position,
                "form": word.form,
                "gold_lineage": list(word.gold),
                "test_lineage": None if word.test is None else list(word.test),
                "scores": dict(word.scores),
            }
            for word in alignment.words
        ],
        "counts": dict(alignment.counts),
        "scores": {
            name: None if value is None or value != value else value for name, value in alignment.scores.items()
        },
    }


def alignment_json(alignment: Alignment, mapping: str = "t") -> str:
    """Return `alignment_data` as JSON text."""
    return json.dumps(alignment_data(alignment, mapping), ensure_ascii=False, indent=1)
