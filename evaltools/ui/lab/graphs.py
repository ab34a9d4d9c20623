"""EDM step by step: two small semantic graphs, typed as EDS or MRS, and the triples that they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from evaltools import EDM_PRESETS, align_graphs, load_edm_rules
from evaltools.classroom.lab_pairs import PERSUADE, PERSUADE_WRONG
from evaltools.corpus import SemanticGraph
from evaltools.drawing.blocks import note
from evaltools.errors import InputError, Problem
from evaltools.formats import Source
from evaltools.formats.semantics import read_semantics
from evaltools.frameworks.registry import framework_of_material
from evaltools.frameworks.views import Sentence
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.components.live_text import live_text
from evaltools.ui.lab.link import MAX_CHARACTERS, pack, unpack
from evaltools.ui.sentence.view import show_sentence
from evaltools.ui.session import state
from evaltools.ui.widgets.saving import made_here

__all__ = ["show_graphs"]

_SIDES = {"gold": ("lab_graph", "Gold graph", PERSUADE), "test": ("lab_graph2", "Test graph", PERSUADE_WRONG)}


@dataclass(frozen=True, slots=True)
class _Graph:
    """A typed graph, and its problems."""

    graph: SemanticGraph | None
    problems: tuple[Problem, ...]


@st.cache_resource(max_entries=128, show_spinner=False)
def _read(text: str, name: str) -> _Graph:
    try:
        bank = read_semantics(Source.from_bytes(text.encode("utf-8", "replace"), name))
    except InputError as error:
        return _Graph(None, (error.problem,))
    problems = list(bank.problems)
    if len(bank.items) > 1:
        problems.append(Problem("text", name, bank.items[1].line, None, "a second graph, which is left out", "one"))
    return _Graph(bank.items[0].graph if bank.items else None, tuple(problems))


def _typed(name: str, example: str) -> Callable[[str], None]:
    return lambda text: state.put(**{name: None if text == example else pack(text or " "), "step": None})


def show_graphs() -> None:
    """Show two semantic graphs as editable text, and how elementary dependency match compares them."""
    graphs = {}
    for column, (side, (name, title, example)) in zip(st.columns(2, gap="medium"), _SIDES.items(), strict=True):
        with column:
            text = unpack(state.get(name)) or example
            graphs[side] = _read(text, side)
            live_text(
                title,
                text,
                graphs[side].problems,
                key=f"lab_text_{name}",
                on_text=_typed(name, example),
                rows=9,
                max_length=MAX_CHARACTERS,
                hint="EDS, SimpleMRS, DMRS or a line of the MRP tasks.",
            )
    value = state.get("lab_edm", "dridan-oepen-2011")
    preset = st.selectbox(
        "Preset",
        list(EDM_PRESETS),
        format_func=lambda name: f"{name}: {EDM_PRESETS[name]}",
        **state.bind("lab_edm", value if value in EDM_PRESETS else "dridan-oepen-2011", "dridan-oepen-2011"),
    )
    if graphs["gold"].graph is None or graphs["test"].graph is None:
        show_blocks(note("Enter two graphs: correct what is marked above."), key="lab_graphs_says")
        return
    show_blocks(
        note(
            "A graph is a set of triples: names of nodes, arguments between nodes, properties with their "
            "values. A node is identified by its span of characters. Triples that both graphs have are matched."
        ),
        key="lab_graphs_says",
    )
    compared = align_graphs(graphs["gold"].graph, graphs["test"].graph, load_edm_rules(str(preset)))
    origin = made_here("lab", "two graphs of the metric lab", str(preset))
    show_sentence(framework_of_material("graphs"), Sentence(compared), origin, key="lab_graphs", has_summary=False)
