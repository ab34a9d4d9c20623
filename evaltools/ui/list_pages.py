"""A long list of sentences page by page; the page is the one that holds the selected sentence."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.ui import state

__all__ = ["PAGE", "page_of", "pages"]

PAGE = 5_000
"""Rows on a page."""


def page_of(place: int, total: int) -> slice:
    """Return where the page lies that holds a place of a list.

    Examples
    --------
    >>> page_of(5003, 12000), page_of(7, 100)
    (slice(5000, 10000, None), slice(0, 100, None))
    """
    first = place // PAGE * PAGE
    return slice(first, min(first + PAGE, total))


def pages(sentences: NDArray[np.int32], place: int) -> None:
    """Let the reader turn the pages, if there are several; the first sentence of the new page is then selected.

    Parameters
    ----------
    sentences : ndarray of int32
        The whole list.
    place : int
        The place of the selected sentence.
    """
    total = len(sentences)
    if total <= PAGE:
        return
    there, number = page_of(place, total), -(-total // PAGE)
    key = "list_page"
    st.session_state[key] = place // PAGE + 1

    def turned() -> None:
        state.put(sentence=int(sentences[(int(st.session_state[key]) - 1) * PAGE]))

    with st.container(horizontal=True, vertical_alignment="center", key="list_pages"):
        st.text(f"Rows {there.start + 1:,} to {there.stop:,} of {total:,}; page")
        st.number_input(
            f"Page, of {number:,}",
            min_value=1,
            max_value=number,
            step=1,
            width=130,
            label_visibility="collapsed",
            key=key,
            on_change=turned,
        )
        st.text(f"of {number:,}")
