"""Two semantic graphs of a sentence: its text with spans, one picture of both, and their triples side by side."""

from __future__ import annotations

from hashlib import blake2b

import streamlit as st

from evaltools.drawing import GRAPH_LEGEND, draw, graph_legend
from evaltools.drawing.layouts.graph_content import GraphContent, content_of
from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.publishing.drawings import graph_picture
from evaltools.ui.components.alignment_viewer import Marks, opened_nodes, show_panels
from evaltools.ui.components.plain import anchored, formulas, note, plain, triples
from evaltools.ui.session import state
from evaltools.ui.widgets.pickers import fold_toggle
from evaltools.ui.widgets.saving import Origin, picture_files, save
from evaltools.ui.wording.graphs import (
    graph_formulas,
    graph_status,
    spans_of_text,
    triple_columns,
)

__all__ = ["graph_view"]

_HELP = "hover: roles and words · click: pin, Esc: unpin · click folded words: unfold · Ctrl + wheel: zoom"
_PROPERTIES = {"differing": "that differ", "all": "all", "none": "none"}


def graph_view(
    alignment: GraphAlignment, key: str, origin: Origin, gold_name: str = "gold", test_name: str = "test"
) -> None:
    """Show two semantic graphs of a sentence.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs and what they share.
    key : str
        Beginning of the components' keys; use one for all sentences of a page.
    origin : Origin
        Where the graphs come from.
    gold_name, test_name : str
        What the two graphs are called.
    """
    said = graph_status(alignment, gold_name, test_name)
    words = spans_of_text(alignment)
    blocks = [anchored(words)] if words else []
    plain(*([note(said)] if said else []), *blocks, key=f"{key}_text")
    if alignment.gold is None and alignment.test is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{key}_controls"):
        fold = fold_toggle(len(words), "what is the same in both graphs and beside no difference is left out")
        properties = _properties()
    chosen = _chosen(alignment)
    opened = _picture(alignment, key, gold_name, test_name, fold=fold, properties=properties, chosen=chosen)
    saved = graph_picture(
        alignment,
        origin.name,
        origin.caption("Both graphs"),
        gold_name=gold_name,
        test_name=test_name,
        fold=fold,
        unfolded=opened,
        properties=properties,
    )
    save(f"{key}_picture", picture_files(saved))
    st.subheader("Triples", anchor=False)
    columns = triple_columns(alignment, only_differing=fold)
    remark = "Click a triple to see it in the picture."
    if fold:
        remark = "Only triples that differ are listed. " + (remark if any(rows for _, _, rows in columns) else "")
    plain(
        note(remark),
        triples(columns, chosen=chosen, title="Triples"),
        key=f"{key}_triples",
        on_step=lambda place: state.put(step=f"r{place}"),
        origin=origin,
    )
    st.subheader("Scores of this sentence", anchor=False)
    plain(formulas(graph_formulas(alignment)), key=f"{key}_formulas", origin=origin)


def _properties() -> str:
    said = state.get("properties", "differing")
    value = said if said in _PROPERTIES else "differing"
    chosen = st.segmented_control(
        "Properties in the picture",
        list(_PROPERTIES),
        format_func=lambda one: _PROPERTIES[one],
        required=True,
        **state.bind("properties", value, "differing"),
    )
    return str(chosen or "differing")


def _chosen(alignment: GraphAlignment) -> int | None:
    """Return the triple that the URL names, such as ``r3``."""
    said = state.get("step")
    place = said.removeprefix("r")
    known = said.startswith("r") and place.isdecimal() and len(place) < 6
    return int(place) if known and int(place) < len(alignment.triples) else None


def _picture(
    alignment: GraphAlignment,
    key: str,
    gold_name: str,
    test_name: str,
    *,
    fold: bool,
    properties: str,
    chosen: int | None,
) -> frozenset[int]:
    """Show the picture; return what the reader has unfolded in it."""
    texts = [graph.to_json() if graph is not None else "" for graph in (alignment.gold, alignment.test)]
    subject = blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    name = f"{key}_picture"
    opened = opened_nodes(name, subject)
    drawing = draw(
        alignment,
        fold=fold,
        unfolded=opened,
        properties=properties,
        theme="auto",
        legend=False,
        gold_name=gold_name,
        test_name=test_name,
        interactive=True,
    )
    rows = [row for row in alignment.triples if row.weight]
    counted = (
        ("matched", "matched", "matched", "triples that are in both"),
        ("deleted", "missed", "gold", f"triples that only {gold_name} has"),
        ("inserted", "wrong", "test", f"triples that only {test_name} has"),
    )
    numbers = [[mark, word, str(sum(row.status == side for row in rows)), says] for mark, word, side, says in counted]
    content = content_of(alignment, fold, opened, properties)
    hidden = len(content.nodes) - len(content.shown)
    notes = []
    if all(row.status == "matched" for row in rows):
        notes.append("Every triple that counts is in both graphs.")
    if hidden:
        notes.append(
            f"{hidden} node{'' if hidden == 1 else 's'} left out that {'is' if hidden == 1 else 'are'} the same."
        )
    panel = {
        "kind": "graph",
        "heading": f"Both graphs: {gold_name} and {test_name}",
        "scope": "triples",
        "numbers": numbers,
        "note": " ".join(notes),
        "svg": drawing,
    }
    legend = [draw(graph_legend((kind,), gold_name, test_name), theme="auto") for kind in GRAPH_LEGEND]
    highlight = _marks(alignment, chosen, content)
    show_panels([panel], key=name, subject=subject, opened=opened, legend=legend, highlight=highlight, help_=_HELP)
    return opened


def _marks(alignment: GraphAlignment, chosen: int | None, content: GraphContent) -> Marks | None:
    """Return what of the picture belongs to a triple: its node, or its role and the nodes at both ends."""
    if chosen is None:
        return None
    row = alignment.triples[chosen]
    sides = [side for side in ("gold", "test") if row.status in ("matched", side)]
    source, target = (
        {
            node.number
            for node in content.nodes
            for side in sides
            if (place := getattr(row, f"{side}_{end}")) is not None and place == getattr(node, side)
        }
        for end in ("node", "target")
    )
    roles = {role.number for role in content.roles if role.source in source and role.target in target}
    whose = {"matched": "in both graphs", "gold": "missed", "test": "wrong"}[row.status]
    says = " ".join(part for part in (row.label, row.value) if part)
    return Marks((*sorted(roles), *sorted(source | target)), (), (), f"{says} · {whose}")
