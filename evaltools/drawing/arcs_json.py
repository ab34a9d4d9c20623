"""An alignment of dependency trees as data for other programs: words, heads, relations, statuses, scores."""

from __future__ import annotations

import json
from typing import Any

from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment
from evaltools.treebank import DependencyTree

__all__ = ["arcs_data", "arcs_json"]


def _words(
    tree: DependencyTree, statuses: tuple[ArcStatus, ...], partner: tuple[int | None, ...]
) -> list[dict[str, Any]]:
    return [
        {
            "word": word,
            "form": tree.forms[word],
            "tag": None if tree.tags[word] == "_" else tree.tags[word],
            "head": tree.heads[word] if tree.heads[word] >= 0 else None,
            "relation": tree.relations[word],
            "status": str(statuses[word]),
            "partner": partner[word],
        }
        for word in range(len(tree))
    ]


def arcs_data(alignment: DependencyAlignment) -> dict[str, Any]:
    """Return an alignment of dependency trees as dictionaries, lists, strings and numbers.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees and what the comparison says of their arcs.

    Returns
    -------
    dict
        ``status``, ``gold`` and ``test`` (words with heads as positions from 0, None for a root), ``words``
        (lineages of relations and their similarities), ``counts`` and ``scores`` (None where undefined).
    """
    return {
        "status": alignment.status,
        "gold": _words(alignment.gold, alignment.gold_status, alignment.partner),
        "test": _words(alignment.test, alignment.test_status, alignment.test_partner),
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
        "scores": dict(alignment.scores),
    }


def arcs_json(alignment: DependencyAlignment) -> str:
    """Return `arcs_data` as JSON text.

    Parameters
    ----------
    alignment : DependencyAlignment
        The alignment.

    Returns
    -------
    str
        JSON, indented.
    """
    return json.dumps(arcs_data(alignment), ensure_ascii=False, indent=1)
