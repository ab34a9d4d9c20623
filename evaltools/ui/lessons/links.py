"""Ways from a step of a lesson into the metric lab."""

from __future__ import annotations

from evaltools.classroom.material import FunctionTrees, GraphPair, Material, TreePair, Vote
from evaltools.ui.lab.trees import lab_query, pack

__all__ = ["lab_links"]

_SECTIONS = {
    "brackets": "e",
    "brackets_whole": "e",
    "e": "e",
    "t": "t",
    "words": "la",
    "lineage": "la",
    "table": "la",
}


def lab_links(material: Material | None) -> list[tuple[str, dict[str, str]]]:
    """Return the title of every link and the query that the lab reads.

    Examples
    --------
    >>> vote = Vote("(S (A a))", "(S (B a))", "(T (A a))", "none")
    >>> [(title, query["lab_test"]) for title, query in lab_links(vote)]
    [('A in the Metric lab', '(S (B a))'), ('B in the Metric lab', '(T (A a))')]
    """
    if isinstance(material, TreePair) and material.test is not None:
        show = " ".join(dict.fromkeys(_SECTIONS[item] for item in material.show if item in _SECTIONS))
        more = {
            name: value for name, value in (("show", show), ("preset", material.preset)) if value not in ("", "none")
        }
        if {"lineage", "table"} & set(material.show):
            more["word"] = str(material.word - 1)
        return [
            ("Open these trees in the Metric lab", lab_query(_line(material.gold), _line(material.test), (), **more))
        ]
    if isinstance(material, Vote):
        parses = ("A", material.a), ("B", material.b)
        return [(f"{name} in the Metric lab", lab_query(_line(material.gold), _line(tree))) for name, tree in parses]
    if isinstance(material, GraphPair):
        query = {"lab_graph": pack(material.gold_text), "lab_graph2": pack(material.test_text), "lab_show": "edm"}
        return [("Open these graphs in the Metric lab", query)]
    if isinstance(material, FunctionTrees):
        return _functions(material)
    return []


def _functions(material: FunctionTrees) -> list[tuple[str, dict[str, str]]]:
    """Lead to where the lab explains TedEval; it has room for trees in brackets, of two theories at the most."""
    bracketed = all(tree.lstrip().startswith(("(", "[")) for tree in material.written.values())
    others = [theory for theory in material.golds if theory != material.theory]
    if not (bracketed and material.labelled and len(others) < 2):
        return []
    own, parse = _line(material.written[material.theory]), _line(material.written[""])
    gold = _line(material.written[others[0]]) if others else own
    third = {"third": pack(own)} if others else {}
    query = lab_query(gold, parse, (), show="tedeval", functions="functions", **third)
    return [("Open these trees in the Metric lab", query)]


def _line(tree: str) -> str:
    return " ".join(tree.split())
