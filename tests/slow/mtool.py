"""The EDM of mtool (github.com/cfmrp/mtool), from its definition, on lines of MRP as they are.

mtool changes graphs before it scores them: ``-of`` edges are turned round, then labels, properties and values are put
in lower case. Nodes are known by the characters they stand for, edge punctuation and white space left out if both sides
have their text. Names, arguments, properties and tops are sets; a missing system graph is an empty one, and system
graphs of other ids do not count.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

_EDGES, _SPACE = set(".?!;,:“\"”‘'’()[]{} \t\n\f"), set(" \t\n\f")
_NOTHING: dict[str, Any] = {"nodes": [], "edges": [], "tops": []}


def mtool_edm(gold: Iterable[str], system: Iterable[str]) -> dict[str, tuple[int, int, int]]:
    """Return gold, system and common tuples, summed over all gold graphs, by class."""
    theirs: dict[str, dict[str, Any]] = {}
    for line in system:
        graph = json.loads(line)
        theirs.setdefault(graph["id"], graph)
    totals = {name: [0, 0, 0] for name in ("names", "arguments", "properties", "tops", "all")}
    for line in gold:
        one = json.loads(line)
        other = theirs.get(one["id"], _NOTHING)
        with_text = bool(one.get("input")) and bool(other.get("input"))
        for name, ours in _tuples(one, with_text=with_text).items():
            found = _tuples(other, with_text=with_text)[name]
            for total in (totals[name], totals["all"]):
                total[0] += len(ours)
                total[1] += len(found)
                total[2] += len(ours & found)
    return {name: (g, s, c) for name, (g, s, c) in totals.items()}


def f1(gold: int, system: int, common: int) -> float:
    """Return F1 as mtool computes it, 0 where nothing is common."""
    if not common:
        return 0.0
    precision, recall = common / system, common / gold
    return 2 * precision * recall / (precision + recall)


def _tuples(graph: dict[str, Any], *, with_text: bool) -> dict[str, set[Any]]:
    found: dict[str, set[Any]] = {name: set() for name in ("names", "arguments", "properties", "tops")}
    known: dict[Any, Any] = {}
    for node in graph.get("nodes") or []:
        ranges = [(anchor["from"], anchor["to"]) for anchor in node.get("anchors") or []]
        where: Any = _characters(graph["input"], ranges) if with_text else tuple(ranges)
        known[node["id"]] = where
        if node.get("label") is not None:
            found["names"].add((where, node["label"].lower()))
        for name, value in zip(node.get("properties") or [], node.get("values") or [], strict=True):
            found["properties"].add((where, str(name).lower(), str(value).lower()))
    for edge in graph.get("edges") or []:
        source, target, role = edge["source"], edge["target"], edge["label"]
        if role == "mod":
            source, target, role = target, source, "domain"
        elif role.endswith("-of") and (role.endswith("-of-of") or not role.startswith("prep-")):
            source, target, role = target, source, role[:-3]
        found["arguments"].add((known[source], known[target], role.lower()))
    found["tops"] = {known[top] for top in graph.get("tops") or []}
    return found


def _characters(text: str, ranges: list[tuple[int, int]]) -> frozenset[int]:
    found: set[int] = set()
    for start, end in ranges:
        while start < end and text[start] in _EDGES:
            start += 1
        while start < end and text[end - 1] in _EDGES:
            end -= 1
        found.update(place for place in range(start, end) if text[place] not in _SPACE)
    return frozenset(found)
