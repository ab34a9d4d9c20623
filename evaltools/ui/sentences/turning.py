"""A long list of sentences page by page; the page is the one that holds the selected sentence."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.ui.session import state

__all__ = ["PAGE", "page_shown", "page_turner"]

PAGE = 5_000
"""Rows on a page."""

_SHOWN = "evaltools_list_page"


def page_shown(identity: str, sentence: int, place: int) -> int:
    """Return the page to show, from 0.

    Another list begins with its first page, wherever the selected sentence now lies; otherwise the page goes with the
    selected sentence.

    Parameters
    ----------
    identity : str
        What tells the list from others.
    sentence : int
        The selected sentence.
    place : int
        Its place in the list.
    """
    before, last, page = st.session_state.get(_SHOWN, ("", 0, 0))
    if before != identity and before:
        page = 0
    elif before != identity or last != sentence:
        page = place // PAGE
    st.session_state[_SHOWN] = (identity, sentence, page)
    return int(page)


def page_turner(sentences: NDArray[np.int32], page: int) -> None:
    """Let the reader turn the pages, if there are several; the first sentence of the new page is then selected.

    Parameters
    ----------
    sentences : ndarray of int32
        The whole list.
    page : int
        The page shown, from 0.
    """
    total = len(sentences)
    if total <= PAGE:
        return
    number = -(-total // PAGE)
    key = "list_page"
    st.session_state[key] = page + 1

    def turned() -> None:
        state.put(sentence=int(sentences[(int(st.session_state[key]) - 1) * PAGE]))

    with st.container(horizontal=True, vertical_alignment="center", key="list_pages"):
        st.text(f"Rows {page * PAGE + 1:,} to {min((page + 1) * PAGE, total):,} of {total:,}; page")
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
