"""Sections of a page that are computed only while they are open; which are open stands in the URL."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools.ui.session import state

__all__ = ["folded", "is_open"]

_NAME = "open"


def is_open(name: str, *, default: bool = False) -> bool:
    """Return whether the URL has a section open."""
    listed = state.get(_NAME).split(",")
    return f"-{name}" not in listed if default else name in listed


def folded(title: str, name: str, *, default: bool = False) -> DeltaGenerator | None:
    """Draw the head of a section, and return its container if it is open; `default`: whether it is without the URL."""
    key = f"open_{name}"
    st.session_state[key] = is_open(name, default=default)

    def changed() -> None:
        listed = [item for item in state.get(_NAME).split(",") if item and item.removeprefix("-") != name]
        opened = bool(st.session_state[key])
        if opened != default:
            listed.append(name if opened else f"-{name}")
        state.put(**{_NAME: ",".join(listed)})

    container = st.expander(title, key=key, on_change=changed)
    return container if container.open else None
