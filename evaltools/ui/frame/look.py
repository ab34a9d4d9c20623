"""The little that the theme in ``.streamlit/config.toml`` cannot say, in one style sheet."""

from __future__ import annotations

import streamlit as st

__all__ = ["apply"]

_STYLE = """
<style>
[data-testid="stMain"] { font-variant-numeric: tabular-nums; }
[data-testid="stMainBlockContainer"] { padding: 3.6rem 2.6rem 4rem; max-width: 120rem; }
[data-testid="stMain"] h1 { padding: 0 0 0.1rem; }
[data-testid="stMain"] h2, [data-testid="stMain"] h3 { padding: 0.4rem 0 0.1rem; }
[data-testid="stSidebar"] [data-testid="stVerticalBlock"] { gap: 0.6rem; }
[data-testid="stElementContainer"]:has(> [data-testid="stHtml"] > style:only-child) { display: none; }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-left: 0.8rem; padding-right: 0.8rem; }
}
[class*="st-key-save_"] { margin-top: -0.7rem; }
[class*="st-key-save_"] [data-testid="stPopoverButton"] {
  min-height: 1.5rem; padding: 0 0.2rem; opacity: 0.75; font-size: 0.85rem; color: inherit !important;
}
[class*="st-key-save_"] [data-testid="stPopoverButton"]:is(:hover, :focus-visible) { opacity: 1; }
[class*="st-key-files_"] [data-testid="stDownloadButton"] button { min-height: 1.8rem; padding: 0.1rem 0.5rem; }
</style>
"""


def apply() -> None:
    """Add the style sheet to the page."""
    st.html(_STYLE)
