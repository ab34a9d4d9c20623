"""The alignment viewer: pictures of one sentence side by side, to hover, pin, fold, zoom and pan.

The drawings are our own SVG; the script beside this module adopts them as XML and never as HTML, so
labels from data stay text. What was unfolded lives in the component's state under its key; zoom and
pins live in the browser and outlast reruns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from evaltools.app.components import Component
from evaltools.app.widgets.saving import Origin, drawing_files, drawn_once, save
from evaltools.drawing import draw
from evaltools.frameworks.views import Count, Highlighted, Panel, PanelRow

_COMPONENT = Component("alignment_viewer")


def opened_parts(key: str) -> tuple[str, frozenset[int]]:
    """Return the subject of which folded parts were opened in the browser, and these parts."""
    state = st.session_state.get(key)
    opened = state.get("opened") if state is not None and hasattr(state, "get") else None
    if not isinstance(opened, dict):
        return "", frozenset()
    return str(opened.get("subject")), frozenset(node for node in opened.get("nodes", ()) if isinstance(node, int))


def _svg(panel: Panel) -> str:
    """Return the picture of a panel."""
    return drawn_once(panel.drawing, theme="auto", legend=False, interactive=True)


def _numbers(counts: Sequence[Count]) -> list[list[str]]:
    return [[count.status, count.name, str(count.number), count.meaning] for count in counts]


def show_panels(row: PanelRow, *, key: str, origin: Origin | None = None) -> int | None:
    """Show panels beside one another."""
    panels = [
        {
            "kind": panel.kind,
            "heading": panel.heading,
            "help": panel.help,
            "counts": [[scope, _numbers(counts)] for scope, counts in panel.counts],
            "note": panel.note,
            "svg": _svg(panel),
        }
        for panel in row.panels
    ]
    marks = row.highlight
    result = _COMPONENT.mount(
        {
            "id": key,
            "subject": row.subject,
            "panels": panels,
            "legend": [draw(scene, theme="auto") for scene in row.legend],
            "help": row.help,
            "touch_help": row.touch_help,
            "sides": row.sides,
            "opened": sorted(row.unfolded),
            "word": row.word,
            "highlight": asdict(marks) if isinstance(marks, Highlighted) else marks and list(marks),
        },
        key=key,
        listeners={"word": None, "opened": None},
    )
    if origin is not None:
        drawings = row.saved or tuple(panel.drawing for panel in row.panels)
        titled = (drawing.titled(drawing.heading or drawing.title) for drawing in drawings)
        save(key, *(drawing_files(drawing, origin) for drawing in titled))
    word = result.get("word")
    return word if isinstance(word, int) else None
