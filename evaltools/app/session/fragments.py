"""Fragments of a page: a widget in one reruns it alone, and the browser draws the rest of the page no second time."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Literal, ParamSpec

import streamlit as st

from evaltools.errors import EvaltoolsError

P = ParamSpec("P")
Gap = Literal["xsmall", "small"]


def page_fragment(key: str, gap: Gap = "small") -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Make a function draw a fragment of a page; `gap` is that between its elements.

    It must read from the URL what its widgets change; nothing else of the page may depend on that. A callback in it
    that changes more ends with ``st.rerun()``.
    """

    def decorate(draw: Callable[P, None]) -> Callable[P, None]:
        @st.fragment(key=key)
        @wraps(draw)
        def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
            try:
                with st.container(key=key, gap=gap):
                    draw(*args, **kwargs)
            except EvaltoolsError as error:
                show_error("This part of the page cannot be shown.", error)

        return drawn

    return decorate


def show_error(what: str, error: EvaltoolsError) -> None:
    """Show an error in the place of what it prevents."""
    st.error(what, icon=":material/error:")
    st.code(str(error), language=None, wrap_lines=True)
