"""Putting charts on pages."""

from __future__ import annotations

from typing import Any

import streamlit as st

from evaltools.ui.widgets.saving import save_chart

__all__ = ["chart", "scroll_below"]

# the keyframes, of a fading edge, are those of tables in the style of the frame
_SCROLLING = """
<style>
.st-key-{key} {{ overflow-x: auto; animation: goes-on linear both; animation-timeline: scroll(self inline); }}
.st-key-{key} > div {{ min-width: {width}px; }}
</style>
"""


def chart(picture: dict[str, Any], *, key: str, description: str, signature: str, min_width: int = 0) -> None:
    """Show a chart over the width of the page."""
    with st.container(gap=None):
        with st.container(key=f"{key}_frame"):
            st.vega_lite_chart(picture, width="stretch", theme=None, key=key, alt=description)
        save_chart(picture, key, f"{description}\n{signature}")
    if min_width:
        scroll_below(f"{key}_frame", min_width)


def scroll_below(key: str, width: int) -> None:
    """Let a container scroll sideways if the page is narrower than a width."""
    st.html(_SCROLLING.format(key=key, width=width))
