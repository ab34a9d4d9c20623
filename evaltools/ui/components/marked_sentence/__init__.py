"""The marked sentence with its verdict: hover, focus a repair with a click or a digit, pin it.

The picture is drawn for several widths; the browser shows the widest one that fits, so that lines break again when the
window changes. The drawings are our own SVG, adopted as XML; labels and words from data stay text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from evaltools.frameworks.views import MarkedView
from evaltools.ui.components import Component
from evaltools.ui.session import state
from evaltools.ui.widgets.controls import option_of
from evaltools.ui.widgets.saving import Origin, drawing_files, save

__all__ = ["show_marked"]

_COMPONENT = Component("marked_sentence")


def _help(view: MarkedView) -> str:
    """Return what the keys do."""
    numbers = len(view.verdicts)
    own = [f"{'1' if numbers == 1 else f'1–{min(numbers, 9)}'} focus, 0 all"] if numbers else []
    return "Keys: " + " · ".join(
        (*own, *(f"{name.upper()} {choice.label.lower()}" for name, choice in view.keys.items()))
    )


def show_marked(
    view: MarkedView,
    *,
    key: str,
    on_focus: Callable[[int], None] | None = None,
    origin: Origin | None = None,
    compact: bool = False,
) -> None:
    """Show a marked sentence; `on_focus` gets the number of the repair that is pinned, 0 if none is."""

    def pressed(value: object) -> None:
        choice = view.keys.get(str(value))
        if choice is not None:
            state.put(**{choice.name: 1 - int(option_of(choice))})

    def focused(value: object) -> None:
        if on_focus is not None and isinstance(value, (int, float)):
            on_focus(int(value))

    _COMPONENT.mount(
        {
            "id": key,
            "subject": view.subject,
            "heading": view.heading,
            "verdicts": [asdict(verdict) for verdict in view.verdicts],
            "unit": view.unit if view.total != 1 else view.unit.removesuffix("s"),
            "total": view.total,
            "drawings": [
                [width, view.drawing.draw(theme="auto", width=width, height=height)] for width, height in view.sizes
            ],
            "legend": [[status, text] for status, text in view.legend],
            "focus": view.focus or 0,
            "keys": list(view.keys),
            "help": _help(view),
            "compact": compact,
            "empty": view.empty,
            "remark": view.remark,
            "ranked": view.is_ranked,
        },
        key=key,
        listeners={"focus": focused, "key": pressed},
    )
    if origin is not None:
        save(key, drawing_files(view.saved or view.drawing, origin))
