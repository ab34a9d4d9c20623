"""Making a component of the app from its files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

__all__ = ["component"]


def component(name: str, folder: Path, stem: str) -> Callable[..., Any]:
    """Register a component whose script and style stand in a folder.

    Parameters
    ----------
    name : str
        The component's name, which no other has.
    folder : Path
        The folder.
    stem : str
        ``stem.js`` and ``stem.css`` are its files; ``dom.js`` comes before the script.
    """
    scripts = (Path(__file__).with_name("dom.js"), folder / f"{stem}.js")
    mount: Callable[..., Any] = st.components.v2.component(
        name,
        js="\n".join(script.read_text(encoding="utf-8") for script in scripts),
        css=(folder / f"{stem}.css").read_text(encoding="utf-8"),
    )
    return mount
