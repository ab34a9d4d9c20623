"""The contents of a page of chapters, of which one is shown at a time.

The chapter stands behind the ``#`` of the address, so that a link in a text, a copied address and the browser's *back*
all lead to it.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from evaltools.ui.components import Component

__all__ = ["ALL", "contents"]

_COMPONENT = Component("contents")

ALL = "all"
"""What stands behind the ``#`` if all chapters are shown."""


def contents(parts: Mapping[str, Mapping[str, str]], *, key: str) -> str:
    """Show the contents, and return the chapter to show.

    Parameters
    ----------
    parts : mapping of str to mapping of str to str
        Titles of the parts, and in each the chapters: what stands behind the ``#``, and the heading.
    key : str
        The component's key; the chapter is kept under ``key_chapter`` in the session.

    Returns
    -------
    str
        A chapter, the first one at first, or :data:`ALL`.
    """
    known = [chapter for chapters in parts.values() for chapter in chapters]
    kept = f"{key}_chapter"
    said = st.session_state.get(kept)
    chosen = str(said) if said in (*known, ALL) else known[0]

    def changed(chapter: object) -> None:
        st.session_state[kept] = chapter

    groups = [[title, [list(item) for item in chapters.items()]] for title, chapters in parts.items()]
    _COMPONENT.mount({"groups": groups, "chosen": chosen, "all": ALL}, key=key, told={"chapter": changed})
    return chosen
