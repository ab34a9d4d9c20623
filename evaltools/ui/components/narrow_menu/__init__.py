"""Closes the menu after an entry is chosen where it covers the page; Streamlit does so on phones only."""

from __future__ import annotations

from evaltools.ui.components import Component

__all__ = ["narrow_menu"]

_COMPONENT = Component("narrow_menu")


def narrow_menu() -> None:
    """Let the menu of narrow windows close itself."""
    _COMPONENT.mount({}, key="narrow_menu", listeners={})
