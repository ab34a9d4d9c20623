"""Values of a link that the open run does not have, and the remark about them above the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from evaltools.runs.store import Run
from evaltools.text import excerpt
from evaltools.ui.session import state
from evaltools.ui.widgets.metadata import column, keys

__all__ = ["faults", "show_faults"]

_MAX_NAMES = 6
"""Maximum number of names that a remark lists."""


def faults(run: Run, query: Mapping[str, str]) -> dict[str, str]:
    """Return the names in a URL whose values the run does not have, with a sentence about each."""
    names: dict[str, tuple[str, Sequence[str]]] = {
        "parser": ("parser", run.parsers),
        "other": ("parser", run.parsers),
        "metric": ("metric", run.metrics),
        "metric2": ("metric", run.metrics),
        "view": ("view of hotspots", tuple(run.framework.groups)),
        "key": ("metadata", keys(run)),
        "label": (run.framework.label, run.meta["labels"]),
    }
    found = {
        name: f"This run has no {what} “{excerpt(query[name])}”; it has: {_listed(valid)}."
        for name, (what, valid) in names.items()
        if query.get(name) and query[name] not in valid
    }
    number = query.get("sentence", "")
    if number and not (number.isdecimal() and 1 <= int(number[:12]) <= run.n_sentences):
        found["sentence"] = f"This run has no sentence “{excerpt(number)}”; its sentences are 1 to {run.n_sentences:,}."
    key, value = query.get("key", ""), query.get("value", "")
    if value and key in keys(run) and value not in (values := column(run, key)[0]):
        found["value"] = f"This run has no {key} “{excerpt(value)}”; it has: {_listed(values)}."
    return found


def _listed(names: Sequence[str]) -> str:
    """Return the first names of a list, with the number of the others; none if it is empty."""
    more = len(names) - _MAX_NAMES
    return ", ".join([*names[:_MAX_NAMES], *([f"{more:,} more"] if more > 0 else [])]) or "none"


def show_faults(run: Run) -> None:
    """Show what the link names and the run does not have."""
    wrong = faults(run, state.query())
    if not wrong:
        return

    def dismiss() -> None:
        state.put(**dict.fromkeys(wrong))

    with st.container(border=True, key="link_faults", horizontal=True, vertical_alignment="center"):
        st.text("\n".join([*wrong.values(), "The page shows its defaults, or the nearest sentence, instead."]))
        st.button("Dismiss", key="link_faults_dismiss", on_click=dismiss)
