"""Weights of triples, edited on the page and kept in the URL."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from evaltools.drawing.blocks import note
from evaltools.frameworks.weights import Weights
from evaltools.runs.store import Run
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session import state

__all__ = ["weights_editor"]

_BASE, _TURN, _WRITTEN = "evaltools_weights_base", "evaltools_weights_turn", "evaltools_weights_written"


def weights_editor(run: Run, weights: Weights) -> tuple[Any, bool]:
    """Show the editor of weights; return the rules, and whether they differ from those of the run."""
    usual = weights.rules(run.meta)
    rules = weights.read(usual, state.get("classes"), state.get("patterns"))
    changed = any(weights.written(rules, usual).values())
    title = "Weights: changed on this page" if changed else "Weights"
    with st.expander(title, expanded=changed, icon=":material/tune:", key="semantic_weights"):
        show_blocks(
            note(
                "The weight of a triple is the weight of its class times the weight of the last pattern that matches "
                "its role, property or predicate (*, ? and […] as in file names); 0: not counted. The gray row adds a "
                "pattern. Figures change at once; matched triples stay as scored."
            ),
            key="semantic_weights_note",
        )
        _class_inputs(weights, rules, usual)
        rules = _pattern_table(weights, rules, usual)
        with st.container(horizontal=True):
            st.button(
                "Back to the run’s weights",
                key="weights_reset",
                disabled=not any(weights.written(rules, usual).values()),
                on_click=lambda: state.put(classes=None, patterns=None),
            )
            st.download_button(
                "Weights (TOML)",
                weights.file(rules).encode("utf-8", "surrogatepass"),
                "weights.toml",
                "application/toml",
                key="weights_toml",
                on_click="ignore",
                help="for evaltools score --weights",
            )
    return rules, any(weights.written(rules, usual).values())


def _class_inputs(weights: Weights, rules: Any, usual: Any) -> None:
    """Show a number input for each class of triples."""
    values = weights.class_weights(rules)

    def changed() -> None:
        now = {name: float(st.session_state[f"weight_{name}"] or 0) for name in weights.classes}
        state.put(classes=weights.written(weights.with_classes(rules, now), usual)["classes"])

    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in weights.classes:
            key = f"weight_{name}"
            st.session_state[key] = values[name]
            st.number_input(
                name.capitalize(),
                min_value=0.0,
                max_value=weights.maximum,
                step=0.1,
                format="%g",
                width=130,
                key=key,
                on_change=changed,
            )


def _pattern_table(weights: Weights, rules: Any, usual: Any) -> Any:
    """Show the patterns in an editable table; its rows change only when the URL does, so that edits are kept."""
    value = state.get("patterns")
    turn = st.session_state.get(_TURN, 0)
    if _BASE not in st.session_state or st.session_state.get(_WRITTEN) != value:
        turn += 1
        st.session_state[_TURN] = turn
        st.session_state[_WRITTEN] = value
        st.session_state[_BASE] = pd.DataFrame(weights.patterns(rules), columns=["kind", "pattern", "weight"]).astype(
            {"kind": "string", "pattern": "string", "weight": float}
        )
    edited = st.data_editor(
        st.session_state[_BASE],
        num_rows="dynamic",
        hide_index=True,
        width=480,
        column_config={
            "kind": st.column_config.SelectboxColumn(
                "What", options=list(weights.kinds), required=True, default=weights.kinds[0], width=110
            ),
            "pattern": st.column_config.TextColumn("Pattern", required=True, width=200, help="such as ARG* or *_q"),
            "weight": st.column_config.NumberColumn(
                "Weight", min_value=0.0, max_value=weights.maximum, required=True, default=0.0, width=90
            ),
        },
        key=f"weights_patterns_{turn}",
    )
    rows = [
        (str(kind), str(name), float(weight))
        for kind, name, weight in edited.dropna().itertuples(index=False)
        if kind in weights.kinds
    ]
    rules = weights.with_patterns(rules, rows)
    now = weights.written(rules, usual)["patterns"]
    if (now or "") != value:
        st.session_state[_WRITTEN] = now or ""
        state.put(patterns=now)
    return rules
