"""The frame: which run, which page.

``app.py`` calls :func:`frame`, which draws navigation and sidebar and runs the page; the page calls :func:`enter`. A
server that has just started takes a deep link for an old style page and runs it without ``app.py``; then :func:`enter`
registers the navigation and begins again, through the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar

import streamlit as st
from streamlit.navigation.page import Page

from evaltools.errors import EvaltoolsError
from evaltools.runs.store import Run
from evaltools.ui.frame import look, sidebar
from evaltools.ui.session import kernels, state

__all__ = ["enter", "frame"]

PAGES = {
    "Explore": (
        ("pages/overview.py", "Overview"),
        ("pages/worst_parses.py", "Worst parses"),
        ("pages/sentence.py", "Sentence"),
        ("pages/disagreement.py", "Disagreement"),
        ("pages/hotspots.py", "Hotspots"),
    ),
    "Frameworks": (("pages/crossframework.py", "Cross-framework"), ("pages/semantics.py", "Semantics")),
    "Learn": (
        ("pages/lessons.py", "Lessons"),
        ("pages/lab.py", "Metric lab"),
        ("pages/about.py", "About the metrics"),
    ),
}
"""The navigation: group to the pages in it."""

_SELECTED: ContextVar[sidebar.Selected | None] = ContextVar("evaltools_frame", default=None)


def _navigation() -> Page:
    """Tell streamlit the pages, and learn which one was asked for."""
    return st.navigation(
        {
            group: [st.Page(path, title=title, default=path == "pages/overview.py") for path, title in pages]
            for group, pages in PAGES.items()
        },
        expanded=True,
    )


def frame(arguments: Sequence[str]) -> None:
    """Draw the frame and run the page in it.

    Parameters
    ----------
    arguments : sequence of str
        Folders of the runs to open, from the command line.
    """
    page = _navigation()
    st.set_page_config(page_title=f"{page.title} – evaltools", layout="wide", initial_sidebar_state="auto")
    state.carry(page.url_path)
    look.apply()
    selected = sidebar.draw(tuple(arguments))
    token = _SELECTED.set(selected)
    try:
        page.run()
    finally:
        _SELECTED.reset(token)
        kernels.start_warming()  # after the page, which it would slow down


def enter(render: Callable[[Run], None]) -> None:
    """Run a page inside the frame, with the open run.

    Parameters
    ----------
    render : callable
        Draws the page.
    """
    selected = _SELECTED.get()
    if selected is None:
        _navigation()
        st.rerun()
    if selected.run is None:
        sidebar.explain_absence(selected)
        return
    try:
        render(selected.run)
    except EvaltoolsError as error:
        st.error("This page cannot be shown.", icon=":material/error:")
        st.code(str(error), language=None, wrap_lines=True)
