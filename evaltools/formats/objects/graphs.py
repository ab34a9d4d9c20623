"""Graphs in memory: those of evaltools, the structures of PyDelphin, and graphs of the library ``penman``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaltools.corpus import SemanticGraph
from evaltools.formats.objects.kind import ObjectKind, from_each, has_members
from evaltools.formats.semantics import SemanticBank, SemanticItem
from evaltools.formats.semantics.bank import item_problem, merge_span_problems
from evaltools.formats.semantics.penman import metadata_of
from evaltools.formats.semantics.pydelphin import Remark
from evaltools.formats.semantics.segments import Flaw

__all__ = ["PENMAN_GRAPHS", "PYDELPHIN_STRUCTURES", "SEMANTIC_GRAPHS", "bank_of"]

_FORMATS = {"MRS": "simplemrs", "DMRS": "simpledmrs", "EDS": "eds"}
_Graph = tuple[SemanticGraph | None, list[Remark]]


def bank_of(
    read: Callable[[Any], _Graph], format_of: Callable[[Any], str]
) -> Callable[[Sequence[Any], str], SemanticBank]:
    """Return how graphs become what a file of graphs is read as, given how one of them is read."""

    def corpus(items: Sequence[Any], name: str) -> SemanticBank:
        graphs: list[_Graph | None] = from_each(items, read, name)
        ids = [_identifier(item) for item in items]
        given = [item for item in ids if item is not None]
        has_ids = bool(given) and len(given) == len(set(given)) == sum(item is not None for item in items)
        made, problems = [], []
        for number, (item_id, result) in enumerate(zip(ids, graphs, strict=True), start=1):
            graph, flaws = result or (None, [])
            results = () if result is None else (graph,)
            text = "" if graph is None else graph.text
            is_empty = result is not None and graph is None and not flaws
            metadata = metadata_of([*_metadata(items[number - 1]).items()])
            made.append(SemanticItem(item_id if has_ids else None, number, text, results, is_empty, metadata))
            problems += [
                item_problem(Flaw(flaw.kind, number, flaw.found, flaw.expected), name, number, None) for flaw in flaws
            ]
        lines = "\n".join("" if item.graph is None else item.graph.to_json() for item in made)
        first = next((item for item in items if item is not None), None)
        return SemanticBank(
            name,
            None,
            hashlib.sha256(lines.encode("utf-8", "backslashreplace")).hexdigest(),
            format_of(first),
            has_ids,
            tuple(made),
            merge_span_problems(problems, made),
        )

    return corpus


def _identifier(item: Any) -> str | None:
    value = _metadata(item).get("id", getattr(item, "identifier", None))
    return None if value is None else str(value)


def _metadata(item: Any) -> Mapping[str, str]:
    values = getattr(item, "metadata", None)
    return values if isinstance(values, Mapping) else {}


def _read_structure(structure: Any) -> _Graph:
    from evaltools.formats.semantics.pydelphin import graph_of

    return graph_of(structure)


def _format_of_structure(structure: Any) -> str:
    return _FORMATS.get(type(structure).__name__, "eds")


def _read_penman(graph: Any) -> _Graph:
    from evaltools.formats.semantics.penman import graph_of_triples

    return graph_of_triples(graph)


SEMANTIC_GRAPHS = ObjectKind(
    "evaltools.SemanticGraph",
    lambda item: isinstance(item, SemanticGraph),
    bank_of(lambda graph: (graph if graph.nodes else None, []), lambda _: "mrp"),
)
PYDELPHIN_STRUCTURES = ObjectKind(
    "EDS, DMRS or MRS of PyDelphin",
    lambda item: has_members(item, "predications", "surface", "top"),
    bank_of(_read_structure, _format_of_structure),
)
PENMAN_GRAPHS = ObjectKind(
    "Graph of penman",
    lambda item: has_members(item, "instances", "attributes", "edges", "reentrancies"),
    bank_of(_read_penman, lambda _: "penman"),
)
