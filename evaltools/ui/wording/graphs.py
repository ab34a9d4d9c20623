"""What the app says of two semantic graphs, in words, in lists of triples, and in formulas with numbers put in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from evaltools.analysis.explain import number, put_in
from evaltools.drawing.layouts.graph_content import pieces_of, place_of
from evaltools.drawing.layouts.graphs import KIND_TITLES, surface
from evaltools.drawing.measure import visible
from evaltools.metrics import METRICS
from evaltools.metrics.edm import PARTS
from evaltools.metrics.edm_alignment import GraphAlignment, TripleRow
from evaltools.ui.wording.trees import three

__all__ = ["STATUS", "graph_formulas", "graph_status", "graph_summary", "spans_of_text", "triple_columns"]

STATUS = {"matched": "matched", "gold": "deleted", "test": "inserted"}
"""The status of the palette that a triple has."""

_NAMES = {"gold": "missed", "test": "wrong"}
_COLUMNS = (("name",), ("argument",), ("property", "constant", "top"))
_SHOWN = ("edm", "edm_na", "edm_n", "edm_a", "edm_p")


def graph_status(alignment: GraphAlignment, gold_name: str, test_name: str) -> str:
    """Say what keeps a sentence from being scored as usual; empty where nothing does."""
    if alignment.gold is None and alignment.test is None:
        return f"Neither {gold_name} nor {test_name} has a graph for this sentence."
    if alignment.gold is None or alignment.test is None:
        whose = gold_name if alignment.gold is None else test_name
        return (
            f"{whose} has no graph for this sentence. In figures over all sentences nothing of it counts as matched; "
            "others leave it out."
        )
    if alignment.undefined:
        return f"EDM is undefined for this sentence: {alignment.undefined}, and EDM compares nodes by their spans."
    return ""


def graph_summary(alignment: GraphAlignment, sentence: int, upper: str, lower: str) -> str:
    """Say in one line what the page shows."""
    whole = f"Sentence {sentence}, {lower} against {upper}"
    if alignment.gold is None or alignment.test is None:
        return f"{whole}: there is nothing to compare."
    if alignment.undefined:
        return f"{whole}: EDM –; {alignment.undefined}."
    rows = [row for row in alignment.triples if row.weight]
    if all(row.status == "matched" for row in rows):
        return f"{whole}: every triple that counts is in both graphs."
    missed, wrong = (sum(row.status == side for row in rows) for side in ("gold", "test"))
    listed = ", ".join(f"{title} {three(alignment.scores.get(name))}" for name, title in _short().items())
    return f"{whole}: {listed}; {missed} triple{_s(missed)} missed, {wrong} wrong."


def _short() -> Mapping[str, str]:
    return {name: PARTS[name][0].replace("EDM, ", "") for name in ("edm", "edm_n", "edm_a", "edm_p")}


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def graph_formulas(alignment: GraphAlignment) -> list[tuple[str, str, str, str]]:
    """Return title, formula, the same with this sentence's numbers, and value, of every configuration."""
    rows = [("Triples that two graphs share", "M matched of G gold and T test triples, by weight", "", "")]
    if alignment.undefined:
        return [*rows, ("EDM", "undefined", alignment.undefined, three(None))]
    for name in _SHOWN:
        one = METRICS[name]
        rows.append((one.title, one.formula, put_in(name, dict(alignment.counts)), three(alignment.scores.get(name))))
    for end in ("_precision", "_recall"):
        one = METRICS[f"edm{end}"]
        value = alignment.scores.get(one.id)
        rows.append((one.title, one.formula, put_in(one.id, dict(alignment.counts)), three(value)))
    return rows


def triple_columns(
    alignment: GraphAlignment, *, only_differing: bool
) -> list[tuple[str, str, list[tuple[int, str, str, str, str]]]]:
    """Return the triples for the three lists: names, arguments, and properties with whatever else counts.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs and what they share.
    only_differing : bool
        Leave out what is in both.
    """
    columns = []
    for kinds in _COLUMNS:
        listed = [(place, row) for place, row in enumerate(alignment.triples) if row.kind in kinds and row.weight]
        # what is missed stands before what is wrong in its place
        listed.sort(key=lambda each: (each[1].span, kinds.index(each[1].kind), each[1].label, each[1].status == "test"))
        counted = [kind for kind in kinds if any(row.kind == kind for _, row in listed)]
        title = ", ".join(KIND_TITLES[kind] for kind in counted or kinds[:1])
        rows = [
            _row(place, row, alignment.text) for place, row in listed if not only_differing or row.status != "matched"
        ]
        columns.append((title[0] + title[1:].lower(), _counted([row for _, row in listed]), rows))
    return columns


def _counted(rows: list[TripleRow]) -> str:
    if not rows:
        return "none"
    found = {status: [row for row in rows if row.status == status] for status in STATUS}
    said = [f"{len(found['matched'])} in both"]
    said += [f"{len(found[side])} {name}" for side, name in _NAMES.items() if found[side]]
    weights = {row.weight for row in rows}
    if weights != {1.0}:
        said.append(f"weight{_s(len(weights))} {', '.join(map(number, sorted(weights)))}")
    return ", ".join(said)


def _row(place: int, row: TripleRow, text: str) -> tuple[int, str, str, str, str]:
    words = visible(surface(row.span, text))
    label = "" if row.kind == "name" else visible(row.label)
    value = visible(row.value) if row.value else ""
    if row.target is not None:
        value = visible(surface(row.target, text))
    return place, STATUS[row.status], words, label, value


def spans_of_text(alignment: GraphAlignment) -> list[tuple[str, str, str, str]]:
    """Return the words of the text with their characters, a status of the palette, and what is missed or wrong."""
    graphs = [graph for graph in (alignment.gold, alignment.test) if graph is not None]
    pieces = pieces_of(alignment.text, [node.anchors for graph in graphs for node in graph.nodes])
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for row in alignment.triples:
        place = place_of(row.span, pieces) if row.weight and row.status != "matched" else None
        if place is not None and place[0] == place[1]:
            found[place[0]][row.status] += 1
    words = []
    for number_, piece in enumerate(pieces):
        here = found[number_]
        status = "swapped" if len(here) > 1 else STATUS[next(iter(here), "matched")]
        says = [f"{here[side]} triple{_s(here[side])} {name}" for side, name in _NAMES.items() if here[side]]
        words.append((piece.full, f"{piece.start}:{piece.end}", status, ", ".join(says)))
    return words
