"""The browser components: one folder each, with the Python function that mounts it, its script and its style."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import Any
from xml.sax.saxutils import unescape

import streamlit as st

from evaltools.drawing.palette import COLORS, DARK_COLORS

Listener = Callable[[Any], None]
"""Receives a value that the browser has sent; None if it has sent nothing."""


@cache
def _registered(name: str, path: str) -> Callable[..., Any]:
    """Register a component with streamlit, once."""
    package = resources.files("evaltools")
    scripts = (package / "drawing/dom.js", package / f"{path}.js")
    mount: Callable[..., Any] = st.components.v2.component(
        f"evaltools_{name}",
        js="\n".join(script.read_text(encoding="utf-8") for script in scripts),
        css="\n".join((_status_colors(), (package / f"{path}.css").read_text(encoding="utf-8"))),
    )
    return mount


def _status_colors() -> str:
    """Return the colors of the statuses as variables, for a component's own marks and for the drawings in it."""
    rules = []
    for theme, colors in (("light", COLORS), ("dark", DARK_COLORS)):
        for selector, prefix in ((f".{theme}", ""), (f".{theme} .evaltools.auto", "evaltools-")):
            variables = " ".join(f"--{prefix}{status}: {color};" for status, color in colors.items())
            rules.append(f"{selector} {{ {variables} }}")
    return "\n".join(rules)


def _without_styles(value: Any, styles: dict[str, None]) -> Any:
    """Return data in which drawings have no style of their own; their styles become keys of `styles`."""
    # A style is longer than most drawings, and all drawings of a kind have the same.
    if isinstance(value, str):
        if not value.startswith("<svg"):
            return value
        before, tag, after = value.partition("<style>")
        if not tag:
            return value
        style, _, rest = after.partition("</style>")
        styles[unescape(style)] = None
        return before + rest
    if isinstance(value, Mapping):
        return {name: _without_styles(item, styles) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_styles(item, styles) for item in value]
    return value


def _ignore(_: object) -> None:
    """Do nothing: streamlit requires a callback for every value that a component returns."""


@dataclass(frozen=True, slots=True)
class Component:
    """A browser component."""

    name: str  # The folder beside this module with ``name.js`` and ``name.css``; ``dom.js`` comes before the script
    shared: str = ""  # Where in the package these are instead, without their endings, if the phones have them, too

    def mount(
        self, data: Mapping[str, Any], *, key: str, listeners: Mapping[str, Listener | None], **options: Any
    ) -> Any:
        """Show the component, and return its values."""

        def changed(name: str, listener: Listener) -> None:
            if key in st.session_state:  # a message may come after another page, without this component, was opened
                listener(st.session_state[key].get(name))

        callbacks = {
            f"on_{name}_change": partial(changed, name, listener or _ignore) for name, listener in listeners.items()
        }
        styles: dict[str, None] = {}
        sent = {name: _without_styles(value, styles) for name, value in data.items()}
        if styles:
            sent["styles"] = "\n".join(styles)
        return _registered(self.name, self.shared or f"app/components/{self.name}/{self.name}")(
            key=key, data=sent, **callbacks, **options
        )
