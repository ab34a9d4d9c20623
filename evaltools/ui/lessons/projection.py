"""How a lesson looks: in type that can be read from the last row, and on a screen of its own."""

from __future__ import annotations

import streamlit as st

__all__ = ["apply_projection"]

_BIG = """
<style>
.st-key-lesson_keys, .st-key-exercise_keys, .st-key-evaltools_device_cookie { display: none; }
[data-testid="stMain"]:focus-visible::before { box-shadow: none; } /* its frame would cut the first line */
[data-testid="stMain"] :is(button p, a[data-testid^="stBaseLinkButton"] p, label p, [data-testid="stText"]) {
  font-size: 1.07rem; }
:is(.st-key-lesson_text, .st-key-lesson_ask, .st-key-lesson_answer) :is(p, li, th, td) {
  font-size: clamp(1.1rem, 0.85rem + 0.65vw, 1.75rem); line-height: 1.4; }
:is(.st-key-lesson_text, .st-key-lesson_answer) li { margin-bottom: 0.25em; }
.st-key-lesson_ask p { font-weight: 600; }
.st-key-lesson_bar { gap: 0.5rem; }
.st-key-lesson_answer { border-left: 3px solid #0072b2; padding-left: 0.9rem; }
.st-key-lesson_title h2 { font-size: clamp(1.4rem, 1.1rem + 1.1vw, 2.4rem); line-height: 1.2; padding: 0 0 0.2rem; }
.st-key-lesson_choices button p { font-size: clamp(1rem, 0.9rem + 0.5vw, 1.4rem); }
@media (max-width: 640px) {
  .st-key-lesson_bar { gap: 0.4rem; }
  :is(.st-key-lesson_text, .st-key-lesson_ask, .st-key-lesson_answer) table { display: block; overflow-x: auto; }
  :is(.st-key-lesson_text, .st-key-lesson_ask, .st-key-lesson_answer) :is(th, td) { padding: 0.25rem 0.45rem; }
  [data-testid="stMain"] [data-testid="stHorizontalBlock"] { row-gap: 0.9rem; }
}
</style>
"""
_WHOLE_SCREEN = """
<style>
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMain"] [data-testid="stMainBlockContainer"] { padding-top: 1rem; padding-bottom: 4.6rem; }
.st-key-lesson_bar { position: fixed; left: 0; right: 0; bottom: 0; z-index: 99; width: 100%; padding: 0.45rem 2.6rem;
  background: Canvas; border-top: 1px solid #8884; }
@media (max-width: 640px) {
  .st-key-lesson_bar { padding: 0.4rem 0.8rem; }
  [data-testid="stMain"] [data-testid="stMainBlockContainer"] { padding-bottom: 8rem; }
}
</style>
"""


def apply_projection(*, whole_screen: bool) -> None:
    """Add the style of lessons to the page."""
    st.html(_BIG)
    if whole_screen:
        st.html(_WHOLE_SCREEN)
