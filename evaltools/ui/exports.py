"""Taking a sentence out of the app: drawings in every language, trees as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from evaltools.drawing import (
    ARC_DRAWINGS,
    DRAWINGS,
    GRAPH_DRAWINGS,
    graph_latex,
    graph_svg,
    graph_text,
    tree_text,
)
from evaltools.errors import ParameterError
from evaltools.formats.semantics import SemanticItem, write_eds
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.metrics.mapping import Alignment
from evaltools.runs.store import Run
from evaltools.treebank import SemanticGraph, Tree
from evaltools.ui import state
from evaltools.ui.lab.link import LONGEST, lab_query
from evaltools.ui.lab.typed import tree_text as typed_text

__all__ = ["alignment_exports", "arc_exports", "downloads", "graph_exports", "trees_as_text"]

_FILES = {
    "svg": ("SVG", "svg", "image/svg+xml"),
    "latex": ("LaTeX", "tex", "text/x-tex"),
    "text": ("text", "txt", "text/plain"),
    "dot": ("DOT", "dot", "text/vnd.graphviz"),
    "json": ("JSON", "json", "application/json"),
}


def alignment_exports(alignment: Alignment, name: str, upper: str, lower: str) -> None:
    """Offer both mappings in every language that drawings have.

    Parameters
    ----------
    alignment : Alignment
        What to export.
    name : str
        Beginning of the files' names.
    upper, lower : str
        What the two trees are called.
    """
    st.subheader("Export")
    for kind, title in (("e", "E-mapping"), ("t", "T-mapping")):
        downloads(title, name, kind, {one: partial(draw, alignment, kind) for one, draw in DRAWINGS.items()})


def arc_exports(alignment: DependencyAlignment, name: str, upper: str, lower: str) -> None:
    """Offer the arcs in every language that drawings have.

    Parameters
    ----------
    alignment : DependencyAlignment
        What to export.
    name : str
        Beginning of the files' names.
    upper, lower : str
        What the two trees are called.
    """
    st.subheader("Export")
    downloads("Arcs", name, "arcs", {one: partial(draw, alignment) for one, draw in ARC_DRAWINGS.items()})


def graph_exports(alignment: GraphAlignment, name: str, upper: str, lower: str) -> None:
    """Offer the picture of two semantic graphs in every language that drawings have.

    Parameters
    ----------
    alignment : GraphAlignment
        What to export.
    name : str
        Beginning of the files' names.
    upper, lower : str
        What the two graphs are called.
    """
    st.subheader("Export")
    drawings: dict[str, Callable[[], str]] = {one: partial(draw, alignment) for one, draw in GRAPH_DRAWINGS.items()}
    for one, draw in (("svg", graph_svg), ("latex", graph_latex), ("text", graph_text)):
        drawings[one] = partial(draw, alignment, gold_name=upper, test_name=lower)
    downloads("Graphs", name, "graphs", drawings)


def downloads(title: str, name: str, kind: str, drawings: Mapping[str, Callable[[], str]]) -> None:
    """Offer one picture in several languages.

    Parameters
    ----------
    title : str
        What it is called.
    name : str
        Beginning of the files' names.
    kind : str
        What follows in their names; no two pictures of a page have the same.
    drawings : mapping of str to callable
        For each language, such as ``"svg"``, what draws it when it is asked for.
    """
    stem = re.sub(r"[^\w.+-]+", "-", name)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(title, width=90)
        for language, (label, suffix, mime) in _FILES.items():
            if language in drawings:
                st.download_button(
                    label,
                    partial(_encoded, drawings[language]),
                    f"{stem}-{kind}.{suffix}",
                    mime,
                    key=f"export_{kind}_{language}",
                    on_click="ignore",
                )


def _encoded(draw: Callable[[], str]) -> bytes:
    return draw().encode("utf-8", "surrogatepass")


def trees_as_text(run: Run, sentence: int, parser: str, other: str) -> None:
    """Show the trees as they were read.

    Parameters
    ----------
    run : Run
        The run.
    sentence : int
        Which, from 1.
    parser, other : str
        Whose trees beside the gold one; `other` may be empty.
    """
    with st.expander("Graphs as text" if run.kind == "semantics" else "Trees as text"):
        for whose in (None, *((other,) if other else ()), parser):
            tree = run.tree(sentence, whose)
            st.text(whose or "gold")
            text = _graph_text(tree) if isinstance(tree, SemanticGraph) else tree and tree.to_string()
            nothing = "no graph" if run.kind == "semantics" else "no tree"
            st.code(text or nothing, language=None, wrap_lines=True)
            if isinstance(tree, Tree):
                with st.popover("Indented", key=f"indented_{whose or ''}"):
                    st.code(tree_text(tree), language=None)
        _to_the_lab([run.tree(sentence, whose) for whose in (other or None, parser)])


def _to_the_lab(trees: list[object]) -> None:
    """Lead to the metric lab, where two trees of constituents can be changed."""
    texts = [typed_text(tree) for tree in trees if isinstance(tree, Tree) and tree.is_continuous and tree.words]
    if len(texts) == 2 and max(map(len, texts)) <= LONGEST:
        st.page_link(
            "pages/lab.py",
            label="Open in the metric lab",
            icon=":material/science:",
            query_params=state.link(**lab_query(texts[0], texts[1])),
        )


def _graph_text(graph: SemanticGraph) -> str:
    """Write a graph as EDS, or if that cannot hold it as JSON."""
    try:
        return write_eds([SemanticItem(None, 0, graph.text, (graph,))])
    except ParameterError:
        return graph.to_json()
