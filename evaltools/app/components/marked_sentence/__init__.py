"""The marked sentence with its verdict: hover, focus a repair with a click or a digit, pin it.

The picture is drawn for common windows, or for phones; the browser shows the widest one that fits. It asks for another
width where one would fit better, and when the window changes; from then on the picture is drawn for that width alone.
The drawings are our own SVG, adopted as XML; labels and words from data stay text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from evaltools.app.components import Component
from evaltools.app.session import state
from evaltools.app.widgets.pickers import option_of
from evaltools.app.widgets.saving import Origin, Saving, drawing_files, drawn_once, save
from evaltools.errors import EvaltoolsError
from evaltools.frameworks.views import MarkedView
from evaltools.marks import Repair, parsers_class

_COMPONENT = Component("marked_sentence")

_FIRST = frozenset({960, 1040})
"""Widths of the first picture in windows of 1280 and 1440 pixels."""
_PHONE = frozenset({330})
"""Width of the first picture on a phone."""


def _help(view: MarkedView) -> str:
    """Return what the keys do."""
    numbers = len(view.marks.repairs) if view.marks.wrong else 0
    own = [f"{'1' if numbers == 1 else f'1–{min(numbers, 9)}'} focus, 0 all"] if numbers else []
    return "Keys: " + " · ".join(
        (*own, *(f"{name.upper()} {choice.label.lower()}" for name, choice in view.keys.items()))
    )


def _wanted_widths(key: str) -> frozenset[int]:
    """Return the width that the browser asked for; those of the first picture if it has not yet."""
    width = st.session_state.get(f"{key}_width")
    if isinstance(width, (int, float)):
        return frozenset({int(width)})
    return _PHONE if "Mobi" in (st.context.headers.get("User-Agent") or "") else _FIRST


def _drawings(view: MarkedView, wanted: frozenset[int]) -> list[tuple[int, str]]:
    """Return the picture at each wanted width that the view has; at all its widths if it has none of them."""
    sizes = [size for size in view.sizes if size[0] in wanted] or view.sizes
    return [(width, drawn_once(view.drawing, theme="auto", width=width, height=height)) for width, height in sizes]


def _verdict(repair: Repair) -> dict[str, object]:
    """Return a repair, or what is wrong with one of two parsers, in words; the badge is a parser's letter."""
    is_parser = repair.status is None
    return {
        "number": repair.number,
        "status": parsers_class((repair.number,)) if is_parser else repair.status,
        "phrase": repair.phrase,
        "text": repair.verdict,
        "short": repair.short,
        "share": repair.repaired,
        "badge": "AB"[repair.number - 1] if is_parser else "",
        "together": repair.together,
    }


def show_marked(
    view: MarkedView,
    *,
    key: str,
    on_focus: Callable[[int], None] | None = None,
    origin: Origin | None = None,
    compact: bool = False,
) -> None:
    """Show a marked sentence; `on_focus` gets the number of the repair that is pinned, 0 if none is.

    Where it cannot be drawn, a line says why, below the errors.
    """

    def pressed(value: object) -> None:
        choice = view.keys.get(str(value))
        if choice is not None:
            state.put(**{choice.name: 1 - int(option_of(choice))})

    def focused(value: object) -> None:
        if on_focus is not None and isinstance(value, (int, float)):
            on_focus(int(value))

    def resized(value: object) -> None:
        if value in widths:
            st.session_state[f"{key}_width"] = value

    widths = [width for width, _ in view.sizes]
    drawings, absent = [], ""
    try:
        drawings = [list(item) for item in _drawings(view, _wanted_widths(key))]
    except EvaltoolsError as error:
        absent = f"{view.drawing.title}: {error}"
    _COMPONENT.mount(
        {
            "id": key,
            "subject": view.subject,
            "heading": view.drawing.title,
            "verdicts": [_verdict(repair) for repair in view.marks.repairs] if view.marks.wrong else [],
            "unit": view.marks.unit_of_wrong,
            "total": view.marks.wrong,
            "widths": widths,
            "drawings": drawings,
            "absent": absent,
            "legend": [[status, text] for status, text in view.legend if drawings],
            "focus": view.focus or 0,
            "keys": list(view.keys),
            "help": _help(view),
            "compact": compact,
            "empty": view.marks.empty,
            "remark": view.marks.remark,
            "lead": view.marks.lead,
        },
        key=key,
        listeners={"focus": focused, "key": pressed, "width": resized},
    )
    if origin is not None and drawings:
        save(key, _files(view, origin))


def _files(view: MarkedView, origin: Origin) -> Saving:
    """Return the picture as files, with the texts that the page shows around it, and without them."""
    if view.saved is None:
        return drawing_files(view.drawing, origin)
    plain = replace(view.saved, options={**view.saved.options, "legend": False, "verdict": False})
    return drawing_files(view.saved, origin, plain)
