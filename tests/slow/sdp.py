"""The figures of semantic dependency parsing from their definition, on lines of MRP as they are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any


def dependencies(graph: dict[str, Any], *, labeled: bool) -> set[tuple[Any, ...]]:
    """Return head, dependent and label of every dependency; tops depend on the node 0."""
    word = {
        node["id"]: tuple((anchor["from"], anchor["to"]) for anchor in node.get("anchors") or [])
        for node in graph["nodes"]
    }
    found: set[tuple[Any, ...]] = set()
    for edge in graph.get("edges") or []:
        found.add((word[edge["source"]], word[edge["target"]], edge["label"] if labeled else "any"))
    for top in graph.get("tops") or []:
        found.add((0, word[top], "top" if labeled else "any"))
    return found


def counts(gold: Iterable[str], system: Iterable[str], *, labeled: bool) -> tuple[int, int, int, int]:
    """Return the dependencies of both files and those in both, and the sentences in which all are."""
    theirs = {graph["id"]: graph for graph in map(json.loads, system)}
    n_gold = n_system = n_common = n_exact = 0
    for graph in map(json.loads, gold):
        first, second = (dependencies(one, labeled=labeled) for one in (graph, theirs[graph["id"]]))
        n_gold, n_system = n_gold + len(first), n_system + len(second)
        n_common, n_exact = n_common + len(first & second), n_exact + (first == second)
    return n_gold, n_system, n_common, n_exact
