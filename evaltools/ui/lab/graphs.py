"""EDM step by step: two small semantic graphs, typed as EDS or MRS, and the triples that they share."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from evaltools.analysis.semantic_example import PERSUADE, PERSUADE_WRONG
from evaltools.errors import InputError
from evaltools.formats import Source
from evaltools.formats.semantics import read_semantics
from evaltools.metrics.edm_alignment import align_graphs
from evaltools.metrics.edm_rules import EDM_PRESETS, load_edm_rules
from evaltools.treebank import SemanticGraph
from evaltools.ui import state
from evaltools.ui.graph_view import graph_view
from evaltools.ui.lab.link import LONGEST, pack, unpack
from evaltools.ui.plain import note, plain

__all__ = ["show_graphs"]

_SIDES = {"gold": ("lab_graph", "Gold graph", PERSUADE), "test": ("lab_graph2", "Test graph", PERSUADE_WRONG)}


@dataclass(frozen=True, slots=True)
class _Graph:
    """A graph that was typed, and what is wrong with it."""

    graph: SemanticGraph | None
    problems: tuple[str, ...]


@st.cache_resource(max_entries=128, show_spinner=False)
def _read(text: str, name: str) -> _Graph:
    try:
        bank = read_semantics(Source.from_bytes(text.encode("utf-8", "replace"), name))
    except InputError as error:
        return _Graph(None, (str(error),))
    problems = [str(problem) for problem in bank.problems]
    if len(bank.items) > 1:
        problems.append(f"{name}:{bank.items[1].line}: a second graph, which is left out; expected one")
    return _Graph(bank.items[0].graph if bank.items else None, tuple(problems))


def show_graphs() -> None:
    """Show two semantic graphs, to be changed as text, and how elementary dependency match compares them."""
    graphs = {}
    for column, (side, (name, title, example)) in zip(st.columns(2, gap="medium"), _SIDES.items(), strict=True):
        with column:
            text = unpack(state.get(name)) or example
            st.text_area(
                title,
                height=160,
                max_chars=LONGEST,
                help="EDS, SimpleMRS, DMRS or a line of the MRP tasks.",
                **state.bind(name, text, example, write=lambda said: pack(said or " ")),
            )
            graphs[side] = _read(text, side)
            for problem in graphs[side].problems[:3]:
                st.code(problem, language=None, wrap_lines=True)
    said = state.get("lab_edm", "dridan-oepen-2011")
    preset = st.selectbox(
        "What counts",
        list(EDM_PRESETS),
        format_func=lambda one: f"{one}: {EDM_PRESETS[one]}",
        **state.bind("lab_edm", said if said in EDM_PRESETS else "dridan-oepen-2011", "dridan-oepen-2011"),
    )
    if graphs["gold"].graph is None or graphs["test"].graph is None:
        plain(note("Two graphs are wanted: correct what is marked above."), key="lab_graphs_says")
        return
    plain(
        note(
            "A graph falls into triples: the name of a node, an argument from one node to another, a property and its "
            "value. A node is known by the characters it stands for. What both graphs have is matched."
        ),
        key="lab_graphs_says",
    )
    graph_view(align_graphs(graphs["gold"].graph, graphs["test"].graph, load_edm_rules(str(preset))), key="lab_graphs")
