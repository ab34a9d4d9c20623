"""The browser components: one folder each, with the Python function that mounts it, its script and its style."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import Any

import streamlit as st

__all__ = ["Component"]

Tell = Callable[[Any], None]
"""Gets what the browser has sent; None where it has sent nothing."""


@cache
def _registered(name: str) -> Callable[..., Any]:
    """Register a component with streamlit, once."""
    folder = resources.files("evaltools.ui.components")
    own = folder / name
    scripts = (folder / "dom.js", own / f"{name}.js")
    mount: Callable[..., Any] = st.components.v2.component(
        f"evaltools_{name}",
        js="\n".join(script.read_text(encoding="utf-8") for script in scripts),
        css=(own / f"{name}.css").read_text(encoding="utf-8"),
    )
    return mount


def _ignored(_: object) -> None:
    """Do nothing: streamlit wants a callback for every value that a component returns."""


@dataclass(frozen=True, slots=True)
class Component:
    """A browser component.

    Parameters
    ----------
    name : str
        The folder beside this module with ``name.js`` and ``name.css``; ``dom.js`` comes before the script.
    """

    name: str

    def mount(
        self, data: Mapping[str, Any], *, key: str, told: Mapping[str, Tell | None] | None = None, **options: Any
    ) -> Any:
        """Show the component, and return its values.

        Parameters
        ----------
        data : mapping
            What the script gets.
        key : str
            The component's key.
        told : mapping of str to callable or None
            The values that the script sends, and what is called with one when it changes, before the page runs again.
        **options
            What streamlit is told besides.
        """

        def changed(value: str, tell: Tell) -> None:
            tell(st.session_state[key].get(value))

        listeners = {
            f"on_{value}_change": partial(changed, value, tell or _ignored) for value, tell in (told or {}).items()
        }
        return _registered(self.name)(key=key, data=dict(data), **listeners, **options)
