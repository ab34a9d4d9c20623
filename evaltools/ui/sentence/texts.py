"""A sentence's trees as text, and the way into the metric lab."""

from __future__ import annotations

import streamlit as st

from evaltools.drawing import draw
from evaltools.errors import ParameterError
from evaltools.formats.semantics import SemanticItem, write_eds
from evaltools.runs.store import Run
from evaltools.treebank import SemanticGraph, Tree
from evaltools.ui.lab.link import LONGEST, lab_query
from evaltools.ui.lab.typed import tree_text as typed_text
from evaltools.ui.session import state

__all__ = ["trees_as_text"]


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
                    st.code(draw(tree, "text"), language=None)
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
