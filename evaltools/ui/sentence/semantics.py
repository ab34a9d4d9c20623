"""One sentence of a run of semantic graphs: the graphs of gold and parser, or of two parsers."""

from __future__ import annotations

import json
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools.metrics.edm_alignment import align_graphs
from evaltools.metrics.edm_rules import EdmRules
from evaltools.runs.store import Run
from evaltools.ui.components.plain import answer, plain
from evaltools.ui.sentence.graph_view import graph_view
from evaltools.ui.sentence.texts import trees_as_text
from evaltools.ui.session import data
from evaltools.ui.widgets.pickers import switch
from evaltools.ui.widgets.saving import Origin
from evaltools.ui.wording.graphs import graph_summary

__all__ = ["sentence_graphs", "show_graphs", "shown_pair"]


def sentence_graphs(
    run: Run,
    sentence: int,
    parser: str,
    other: str,
    *,
    key: str,
    top: DeltaGenerator | None = None,
    rules: EdmRules | None = None,
) -> None:
    """Show two graphs of a sentence, and their triples.

    Parameters
    ----------
    run : Run
        A run of semantic graphs.
    sentence : int
        The sentence, from 1.
    parser, other : str
        Whose graph, and whose takes the place of gold; empty for gold itself.
    key : str
        The elements' key.
    top : DeltaGenerator, optional
        Where the line stands that sums up; just above if not given.
    rules : EdmRules, optional
        Weights other than those of the run.
    """
    alignment = data.graphs(run, sentence, other or parser, parser if other else None)
    if rules is not None:
        alignment = align_graphs(alignment.gold, alignment.test, rules)
    upper = other or "gold"
    with top or st.container():
        plain(answer(graph_summary(alignment, sentence, upper, parser)), key=f"{key}_summary")
    origin = Origin.of_sentence(run, sentence, upper, parser)
    if rules is not None:
        origin = replace(origin, signature=f"{origin.signature}{json.dumps(rules.to_dict(), sort_keys=True)}")
    graph_view(alignment, key, origin, upper, parser)


def shown_pair(parser: str, other: str) -> tuple[str, str]:
    """Let the reader choose which two of gold and two parsers are shown; return parser and what it is compared with.

    Parameters
    ----------
    parser, other : str
        The two parsers; `other` may be empty.
    """
    if not other:
        return parser, ""
    titles = {"": f"gold and {parser}", "other": f"gold and {other}", "both": f"{other} and {parser}"}
    chosen = switch("Graphs", "graphs", titles)
    return {"": (parser, ""), "other": (other, ""), "both": (parser, other)}[chosen]


def show_graphs(run: Run, sentence: int, parser: str, other: str, top: DeltaGenerator) -> None:
    """Draw the page *Sentence* below its controls.

    Parameters
    ----------
    run : Run
        A run of semantic graphs.
    sentence : int
        The sentence, from 1.
    parser, other : str
        The parser, and the one it is compared with; empty for the gold graph.
    top : DeltaGenerator
        Where the answer stands.
    """
    sentence_graphs(run, sentence, parser, other, key="sentence_graphs", top=top)
    trees_as_text(run, sentence, parser, other)
