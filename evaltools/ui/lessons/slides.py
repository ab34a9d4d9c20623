"""Sizes of text on a slide: a step of a lesson on the full screen.

They belong to a window of 1280 by 720 pixels and grow in proportion. Pictures, tables and formulas of the component
`blocks` have the same unit. The texts of a slide with much room are larger by a factor, the variable `TEXT_SIZE`.
"""

from __future__ import annotations

import streamlit as st

__all__ = ["TEXT_SIZE", "apply_slide"]

TEXT_SIZE = "--lesson-text-size"

_TEXTS = ", ".join(
    f".st-key-lesson_{part} {element}" for part in ("text", "ask", "answer") for element in ("p", "li", "th", "td")
)
_STYLE = f"""
<style>
@media (min-width: 900px) {{
  {_TEXTS} {{ font-size: calc(var({TEXT_SIZE}, 1) * max(1.1rem, min(1.72vw, 3.06vh))); line-height: 1.36; }}
  .st-key-lesson_title h2 {{ font-size: max(1.3rem, min(2.2vw, 3.9vh)); }}
  [data-testid="stMain"] [data-testid="stMainBlockContainer"] {{ padding: 0.8rem 2rem 3.9rem; max-width: none; }}
  .st-key-lesson_bar {{ padding: 0.35rem 2rem; }}
}}
</style>
"""


def apply_slide() -> None:
    """Add the style of slides to the page."""
    st.html(_STYLE)
