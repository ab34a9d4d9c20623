"""An alignment as data for other programs: nodes, spans, statuses, partners, scores."""

from __future__ import annotations

import json
from typing import Any

from evaltools.drawing.word_columns import drawn_mapping
from evaltools.metrics.mapping import Alignment, NodeStatus, PlacedWord
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


def _words(words: tuple[PlacedWord, ...]) -> list[dict[str, Any]]:
    return [{"form": word.form, "position": word.position} for word in words]


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
        ``moves``, ``steps``, ``words`` (lineages and their similarities; ``test_lineage`` is None for a word without a
        partner), ``gold_words`` and ``test_words`` (as read, with their places in the trees, None if left out),
        ``links`` (how these are aligned where they differ, by their places as read), ``counts`` and ``scores``
        (None where undefined).
    """
    chosen = drawn_mapping(alignment, mapping)
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
                "test_position": word.test_position,
                "test_form": word.test_form,
                "gold_lineage": list(word.gold),
                "test_lineage": None if word.test is None else list(word.test),
                "scores": dict(word.scores),
            }
            for word in alignment.words
        ],
        "gold_words": _words(alignment.gold_words),
        "test_words": _words(alignment.test_words),
        "links": [
            {"gold": link.gold, "test": link.test, "how": str(link.how), "characters": link.characters}
            for link in alignment.links
        ],
        "counts": dict(alignment.counts),
        "scores": {
            name: None if value is None or value != value else value for name, value in alignment.scores.items()
        },
    }


def alignment_json(alignment: Alignment, mapping: str = "t") -> str:
    """Return `alignment_data` as JSON text.

    Parameters
    ----------
    alignment : Alignment
        The alignment.
    mapping : {"e", "t"}
        Which mapping.

    Returns
    -------
    str
        JSON, indented.
    """
    return json.dumps(alignment_data(alignment, mapping), ensure_ascii=False, indent=1)
