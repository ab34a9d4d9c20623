"""Weights of triples, edited on the page and kept in the URL."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, fields, replace
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.metrics.edm_rules import EDM_PRESETS, ClassWeights, EdmRules
from evaltools.runs.store import Run
from evaltools.ui.components.plain import note, plain
from evaltools.ui.session import state

__all__ = ["as_toml", "edited_rules", "patterns_of", "weights_editor", "written"]

_CLASSES = tuple(one.name for one in fields(ClassWeights))
_KINDS = {"role": "roles", "property": "properties", "predicate": "predicates"}
_MOST = 1_000.0
_BASE, _TURN, _WRITTEN = "evaltools_weights_base", "evaltools_weights_turn", "evaltools_weights_written"


def patterns_of(rules: EdmRules) -> list[tuple[str, str, float]]:
    """Return the patterns of rules: ``role``, ``property`` or ``predicate``, the pattern, its weight."""
    return [(kind, name, weight) for kind, field in _KINDS.items() for name, weight in getattr(rules, field)]


def written(rules: EdmRules, usual: EdmRules) -> dict[str, str | None]:
    """Return what the URL says of edited weights: ``classes`` and ``patterns``, None where they are the run's own.

    Parameters
    ----------
    rules : EdmRules
        The weights as edited.
    usual : EdmRules
        Those of the run.
    """
    classes = "~".join(f"{weight:.12g}" for weight in asdict(rules.classes).values())
    rows = [(kind, name, int(weight) if weight % 1 == 0 else weight) for kind, name, weight in patterns_of(rules)]
    patterns = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    same = patterns_of(rules) == patterns_of(usual)
    return {
        "classes": None if rules.classes == usual.classes else classes,
        "patterns": None if same else patterns,
    }


def edited_rules(usual: EdmRules, classes: str, patterns: str) -> EdmRules:
    """Return the rules that the URL asks for; what cannot be read there is as in the run.

    Parameters
    ----------
    usual : EdmRules
        The run's rules.
    classes, patterns : str
        What :func:`written` wrote; empty for the run's own.

    Examples
    --------
    >>> edited_rules(EdmRules("mine"), "1~1~0.5~0~0", '[["role","ARG*",2]]').weight("argument", "ARG1")
    2.0
    """
    rules = usual
    try:
        weights = [float(part) for part in classes.split("~")] if classes else []
    except ValueError:
        weights = []
    if len(weights) == len(_CLASSES) and all(map(_usable, weights)):
        rules = replace(rules, classes=ClassWeights(**dict(zip(_CLASSES, weights, strict=True))))
    try:
        said = json.loads(patterns) if patterns else None
        rows = [(str(kind), str(name), float(weight)) for kind, name, weight in said] if said is not None else None
    except (ValueError, TypeError, RecursionError):
        rows = None
    return rules if rows is None else _with_patterns(rules, rows)


def _usable(weight: float) -> bool:
    return math.isfinite(weight) and 0 <= weight <= _MOST


def _with_patterns(rules: EdmRules, rows: list[tuple[str, str, float]]) -> EdmRules:
    patterns = {
        field: tuple((name, weight) for one, name, weight in rows if one == kind and name and _usable(weight))
        for kind, field in _KINDS.items()
    }
    return replace(rules, **patterns)  # type: ignore[arg-type]


def weights_editor(run: Run) -> tuple[EdmRules, bool]:
    """Let the reader change weights.

    Parameters
    ----------
    run : Run
        A run of semantic graphs.

    Returns
    -------
    (EdmRules, bool)
        The rules with the weights as they are now, and whether they are others than the run's.
    """
    usual = EdmRules.from_dict(run.meta["edm_rules"])
    rules = edited_rules(usual, state.get("classes"), state.get("patterns"))
    changed = any(written(rules, usual).values())
    title = "Weights: changed on this page" if changed else "Weights"
    with st.expander(title, expanded=changed, icon=":material/tune:", key="semantic_weights"):
        plain(
            note(
                "The weight of a triple is that of its class times that of the last pattern its role, property or "
                "predicate matches (*, ? and […] as in file names); 0: it does not count. The grey row adds a pattern. "
                "Figures follow at once; which triples match stays as it was scored."
            ),
            key="semantic_weights_note",
        )
        rules = _class_inputs(rules, usual)
        rules = _pattern_table(rules, usual)
        with st.container(horizontal=True):
            st.button(
                "Back to the run’s weights",
                key="weights_reset",
                disabled=not any(written(rules, usual).values()),
                on_click=lambda: state.put(classes=None, patterns=None),
            )
            st.download_button(
                "Weights (TOML)",
                as_toml(rules).encode("utf-8", "surrogatepass"),
                "weights.toml",
                "application/toml",
                key="weights_toml",
                on_click="ignore",
                help="for evaltools score --weights",
            )
    return rules, any(written(rules, usual).values())


def _class_inputs(rules: EdmRules, usual: EdmRules) -> EdmRules:
    """Draw a number for each class of triples."""
    weights: dict[str, float] = asdict(rules.classes)

    def changed() -> None:
        now = {name: float(st.session_state[f"weight_{name}"] or 0) for name in _CLASSES}
        state.put(classes=written(replace(rules, classes=ClassWeights(**now)), usual)["classes"])

    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in _CLASSES:
            key = f"weight_{name}"
            st.session_state[key] = weights[name]
            st.number_input(
                name.capitalize(),
                min_value=0.0,
                max_value=_MOST,
                step=0.1,
                format="%g",
                width=130,
                key=key,
                on_change=changed,
            )
    return rules


def _pattern_table(rules: EdmRules, usual: EdmRules) -> EdmRules:
    """Draw the patterns to edit; the table keeps what is typed, so its rows change only when the URL does."""
    said = state.get("patterns")
    turn = st.session_state.get(_TURN, 0)
    if _BASE not in st.session_state or st.session_state.get(_WRITTEN) != said:
        turn += 1
        st.session_state[_TURN] = turn
        st.session_state[_WRITTEN] = said
        st.session_state[_BASE] = pd.DataFrame(patterns_of(rules), columns=["kind", "pattern", "weight"]).astype(
            {"kind": "string", "pattern": "string", "weight": float}
        )
    edited = st.data_editor(
        st.session_state[_BASE],
        num_rows="dynamic",
        hide_index=True,
        width=480,
        column_config={
            "kind": st.column_config.SelectboxColumn(
                "What", options=list(_KINDS), required=True, default="role", width=110
            ),
            "pattern": st.column_config.TextColumn("Pattern", required=True, width=200, help="such as ARG* or *_q"),
            "weight": st.column_config.NumberColumn(
                "Weight", min_value=0.0, max_value=_MOST, required=True, default=0.0, width=90
            ),
        },
        key=f"weights_patterns_{turn}",
    )
    rows = [
        (str(kind), str(name), float(weight))
        for kind, name, weight in edited.dropna().itertuples(index=False)
        if kind in _KINDS
    ]
    rules = _with_patterns(rules, rows)
    now = written(rules, usual)["patterns"]
    if (now or "") != said:
        st.session_state[_WRITTEN] = now or ""
        state.put(patterns=now)
    return rules


def as_toml(rules: EdmRules) -> str:
    """Write weights as the file that ``evaltools score --weights`` reads.

    Examples
    --------
    >>> print(as_toml(EdmRules("mine", roles=(("ARG*", 2.0),))).split("[roles]")[1].strip())
    "ARG*" = 2
    """
    preset = rules.name.split(" with ")[0]
    lines = [f"preset = {_quoted(preset)}"] if preset in EDM_PRESETS else []
    lines += [f"spans = {_quoted(rules.spans)}", "", "[classes]"]
    lines += [f"{name} = {weight:.12g}" for name, weight in asdict(rules.classes).items()]
    for field in _KINDS.values():
        pairs: dict[str, Any] = {}
        for name, weight in getattr(rules, field):  # a key stands once, where it was last said
            pairs.pop(name, None)
            pairs[name] = weight
        if pairs:
            lines += ["", f"[{field}]", *(f"{_quoted(name)} = {weight:.12g}" for name, weight in pairs.items())]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
