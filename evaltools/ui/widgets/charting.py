"""Putting charts on pages."""

from __future__ import annotations

from typing import Any

import streamlit as st

from evaltools.ui.widgets.saving import save_chart

__all__ = ["chart", "scrolls"]

_SCROLLS = """
<style>
.st-key-{key} {{ overflow-x: auto; }}
.st-key-{key} > div {{ min-width: {width}px; }}
</style>
"""


def chart(picture: dict[str, Any], *, key: str, says: str, signature: str, narrowest: int = 0) -> None:
    """Show a chart over the width of the page.

    Parameters
    ----------
    picture : dict
        Vega-Lite, of a chart from :mod:`evaltools.charts`; not changed.
    key : str
        The element's key.
    says : str
        What the chart shows, for those who do not see it.
    signature : str
        How its figures came about; goes with the files it is saved as.
    narrowest : int
        Pixels below which the chart is scrolled sideways instead of being squeezed.
    """
    with st.container(gap=None):
        with st.container(key=f"{key}_frame"):
            st.vega_lite_chart(picture, width="stretch", theme=None, key=key, alt=says)
        save_chart(picture, key, f"{says}\n{signature}")
    if narrowest:
        scrolls(f"{key}_frame", narrowest)


def scrolls(key: str, width: int) -> None:
    """Scroll a container sideways below a width instead of squeezing what is in it.

    Parameters
    ----------
    key : str
        The container's key.
    width : int
        In pixels.
    """
    st.html(_SCROLLS.format(key=key, width=width))
