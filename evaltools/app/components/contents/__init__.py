"""The table of contents of a page that shows one chapter at a time.

The chapter is the fragment of the URL, so that links, copied URLs and the browser's *back* work.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from evaltools.app.components import Component

_COMPONENT = Component("contents")

ALL = "all"
"""The fragment of the URL for all chapters."""


def contents(parts: Mapping[str, Mapping[str, str]], *, key: str) -> str:
    """Show the contents, and return the chapter to show."""
    all_chapters = [chapter for chapters in parts.values() for chapter in chapters]
    chapter_key = f"{key}_chapter"
    value = st.session_state.get(chapter_key)
    chosen = str(value) if value in (*all_chapters, ALL) else all_chapters[0]

    def changed(chapter: object) -> None:
        st.session_state[chapter_key] = chapter

    groups = [[title, [list(item) for item in chapters.items()]] for title, chapters in parts.items()]
    _COMPONENT.mount({"groups": groups, "chosen": chosen, "all": ALL}, key=key, listeners={"chapter": changed})
    return chosen
