"""The frame of the app: navigation, sidebar and style.

``app.py`` calls :func:`frame`, which draws navigation and sidebar and runs the page; the page calls :func:`enter`. For
a deep link right after its start, the server runs the page without ``app.py``; then :func:`enter` registers the
navigation and reruns the script through the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar

import streamlit as st

from evaltools.errors import EvaltoolsError
from evaltools.runs.store import Run
from evaltools.ui.components.page_links import page_links
from evaltools.ui.frame import sidebar
from evaltools.ui.frame.links import show_faults
from evaltools.ui.frame.progress import show_progress
from evaltools.ui.frame.sample import show_sample_line
from evaltools.ui.session import kernels, state
from evaltools.ui.session.fragments import show_error

__all__ = ["enter", "enter_alone", "frame"]

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

_STYLE = """
<style>
[data-testid="stMain"] { font-variant-numeric: tabular-nums; }
[data-testid="stMainBlockContainer"] { padding: 3.6rem 2.6rem 2.5rem; max-width: 120rem; }
@media (min-width: 641px) { /* the page begins beside the menu, not below it */
  [data-testid="stHeader"] { background: transparent; }
  [data-testid="stHeader"], [data-testid="stHeader"] div { pointer-events: none; }
  [data-testid="stHeader"] :is(a, button, button *) { pointer-events: auto; }
  [data-testid="stMainBlockContainer"] { padding-top: 1.3rem; }
  /* texts scroll below the menu, and the button that opens the sidebar stands before them */
  [data-testid="stMainMenu"] { border-radius: 50%; background: var(--st-background-color, Canvas); }
  [data-testid="stSidebar"][data-collapsed="true"] ~ div [data-testid="stMainBlockContainer"] {
    padding-left: 4rem !important;
  }
}
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"],
.st-key-disagree_list, .st-key-hotspots_list { gap: 0.8rem; }
/* or else the line below touches the heading */
[data-testid="stMainBlockContainer"] [data-testid="stHeading"] { padding-bottom: 0.4rem; }
/* a name that is cut must not look like another one */
[data-testid="stSelectbox"] input { text-overflow: ellipsis; }
[data-testid="stMain"] h1 { padding: 0 0 0.1rem; }
[data-testid="stMain"] h2, [data-testid="stMain"] h3 { padding: 0.4rem 0 0.1rem; }
[data-testid="stSidebar"] [data-testid="stVerticalBlock"] { gap: 0.6rem; }
.st-key-sample_line { padding: 0.2rem 0.8rem; margin-right: 2.2rem; width: auto; }
/* the head of the sidebar stands above the navigation, where Streamlit puts no elements */
[data-testid="stSidebarNav"] { display: flex; flex-direction: column; }
[data-testid="stSidebarNav"]::before, [data-testid="stSidebarNav"]::after { padding: 0 0.5rem; line-height: 1.3; }
[data-testid="stSidebarNav"]::before { content: "evaltools"; order: -2; font-size: 1.25rem; font-weight: 650; }
[data-testid="stSidebarNav"]::after {
  content: "Where does this parser go wrong?"; order: -1; padding-bottom: 0.8rem; font-size: 0.8rem; opacity: 0.75;
}
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-progress_"]) {
  position: sticky; top: 3.75rem; z-index: 100; margin-top: 0.4rem; background: var(--st-background-color, Canvas);
}
/* with a hidden overflow, as the dialog has, the footer would not stay in view */
[data-testid="stDialog"] > :has(.st-key-score_footer) { overflow: clip; }
/* the theme's variables are not known here: the footer takes the color of the dialog's panel, from one to the next */
[data-testid="stDialog"] > * :has(.st-key-score_footer) { background: inherit; }
/* blue letters on a blue tint are hard to read in the dark theme; frame and line show what is chosen */
[data-testid] [data-variant="segmented_control"][aria-checked="true"],
[data-testid] [data-testid="stTab"][aria-selected="true"] { color: inherit; }
[data-testid="stLayoutWrapper"]:has(> .st-key-score_footer) {
  position: sticky; bottom: -2.5rem; z-index: 100; padding: 0.6rem 0;
}
/* Streamlit's dialog when the server stops asks about the internet, which the app does not need */
[role="dialog"]:has(> h2[slot="title"]):not(:has([data-testid]))::after {
  content: "The app needs no internet. If it was stopped, start it again in the terminal (evaltools app): this page "
    "then reconnects by itself.";
  display: block; padding: 0 1.5rem 1.5rem;
}
.st-key-detail_head > [class*="st-key-note_"] { flex: 1 1 7.5rem; min-width: 7.5rem; }
.st-key-opened_list { gap: 0 1rem; }
.st-key-opened_list > .st-key-opened_list_note { flex: 0 1 auto; width: auto; }
.st-key-opened_list :is(button, a) { min-height: 1.5rem; padding-top: 0; padding-bottom: 0; font-size: 0.85rem; }
.st-key-opened_list :is(button, a) p { font-size: 0.85rem; }
.st-key-lead_pair_row { flex-wrap: nowrap; }
.st-key-lead_pair_row > [data-testid="stElementContainer"]:last-child { flex: none; white-space: nowrap; }
.st-key-worst_controls > *,
.st-key-disagree_controls > :not([class*="st-key-length_"]) { flex: 1 1 10rem; min-width: 10rem; }
[class*="st-key-lab_section_"] { padding: 0.15rem 0.75rem; }
[class*="st-key-lab_open_"] button p { text-align: left; }
.st-key-disagree_controls > .st-key-url_key { flex: 0.5 1 8rem; min-width: 8rem; max-width: 24rem; }
.st-key-disagree_controls > .st-key-url_metric2 { flex-grow: 2.2; }
.st-key-hotspots_controls > [class*="st-key-url_"] { flex: 1 1 9.5rem; min-width: 9.5rem; }
.st-key-hotspots_controls > :is(.st-key-url_view, .st-key-url_rules) { flex: 1.3 1 13.2rem; min-width: 13.2rem; }
.st-key-hotspots_controls > :has([data-testid="stButtonGroup"]) { flex: none; min-width: 0; max-width: 100%; }
.st-key-hotspots_controls > :has([data-testid="stNumberInput"]) { max-width: 12rem; }
.st-key-sentence_filters > .st-key-url_q { flex: 1 1 8.5rem; min-width: 8.5rem; max-width: 20rem; }
.st-key-worst_foot [class*="st-key-save_"] { margin-top: 0; }
[class*="st-key-save_"] { margin-top: -0.7rem; }
[class*="st-key-save_"] [data-testid="stPopoverButton"] {
  min-height: 1.5rem; padding: 0 0.2rem; opacity: 0.75; font-size: 0.85rem; color: inherit !important;
}
[class*="st-key-save_"] [data-testid="stPopoverButton"]:is(:hover, :focus-visible) { opacity: 1; }
[class*="st-key-files_"] [data-testid="stDownloadButton"] button { min-height: 1.8rem; padding: 0.1rem 0.5rem; }
[data-testid] button kbd { opacity: 0.75; } /* letters of keys must be legible, too */
/* the tools of a table or chart cover what is above it: they stand below it, and only while it is used; in the middle,
   because buttons stand at the sides */
[data-testid="stElementToolbar"] { top: calc(100% - 0.2rem) !important; right: 50%; transform: translateX(50%); }
[data-testid="stElementContainer"]:not(:hover, :focus-within) > * [data-testid="stElementToolbar"] { opacity: 0; }
/* a table fades where it goes on at the right, also where scrollbars are hidden; the timeline of a table that does not
   scroll is inactive */
[data-testid="stDataFrameResizable"] { timeline-scope: --table-columns; }
[data-testid="stDataFrameResizable"] .dvn-scroller { scroll-timeline: --table-columns inline; }
[data-testid="stDataFrameResizable"] > div {
  animation: goes-on linear both; animation-timeline: --table-columns;
}
@keyframes goes-on {
  0%, 98% { mask-image: linear-gradient(to left, rgb(0 0 0 / 0.2), black 1.8rem); }
  100% { mask-image: none; }
}
@media (min-width: 641px) and (max-width: 1500px) {
  [data-testid="stSidebar"][data-collapsed="false"] { width: 15.2rem !important; }
}
@media (min-width: 641px) and (max-width: 1366px) {
  [data-testid="stMainBlockContainer"] { padding-left: 0.9rem; padding-right: 0.9rem; }
  .st-key-disagree_controls > :not([class*="st-key-length_"]) { flex-basis: 23%; } /* four in a row */
  .st-key-pairs_beside [data-testid="stHorizontalBlock"] { flex-wrap: wrap; }
  .st-key-pairs_beside [data-testid="stColumn"] { flex: 1 1 100%; min-width: 100%; }
  .st-key-pairs_beside .st-key-pairs_frame { max-width: 40rem; }
}
@media (min-width: 641px) and (max-height: 799px) { /* low windows */
  [data-testid="stMainBlockContainer"] { padding-top: 0.7rem; }
  [data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"],
  .st-key-disagree_list, .st-key-hotspots_list { gap: 0.6rem; }
}
@media (max-width: 640px) {
  [data-testid="stElementToolbar"] { right: 0; transform: none; } /* all buttons stand at the left */
  [data-testid="stButtonGroup"] button { padding: 0 0.45rem; }
  [data-testid="stButtonGroup"] button p { font-size: 0.8rem; }
  [data-testid="stMainBlockContainer"] { padding-left: 0.8rem; padding-right: 0.8rem; }
  .st-key-sample_line { margin: 0.4rem 0 0; }
  .st-key-lead_pair_row { flex-wrap: wrap; }
  [data-testid="stMain"] button kbd { display: none; } /* phones have no keys */
  .st-key-worst_foot { gap: 0.2rem 0.6rem; }
  .st-key-worst_foot > * { flex: 0 1 auto; width: auto; }
  .st-key-worst_foot > .st-key-worst_coverage { order: 1; flex-basis: 100%; }
  .st-key-sentence_filters { gap: 0.3rem 0.6rem; }
  .st-key-sentence_filters :is(label, button) p { font-size: 0.8rem; }
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-progress_"]) { /* the sidebar covers the page */
    position: fixed; inset: auto 0.8rem 0.8rem; width: auto; z-index: 1000000;
  }
}
</style>
"""
"""What the theme in ``.streamlit/config.toml`` cannot express."""

_SELECTED: ContextVar[sidebar.Selected | None] = ContextVar("evaltools_frame", default=None)


def _navigation() -> st.Page:
    """Register the pages, and return the requested one."""
    return st.navigation(
        {
            group: [st.Page(path, title=title, default=path == "pages/overview.py") for path, title in pages]
            for group, pages in PAGES.items()
        },
        expanded=True,
    )


def frame(arguments: Sequence[str]) -> None:
    """Draw the frame and run the page in it."""
    page = _navigation()
    st.set_page_config(page_title=f"{page.title} – evaltools", layout="wide", initial_sidebar_state="auto")
    state.carry(page.url_path)
    st.html(_STYLE)
    selected = sidebar.draw(tuple(arguments))
    token = _SELECTED.set(selected)
    try:
        show_progress()
        page.run()
        with st.sidebar:
            page_links()
    finally:
        _SELECTED.reset(token)
        kernels.start_warming()  # after the page, which it would slow down


def enter(render: Callable[[Run], None]) -> None:
    """Run a page about the open run inside the frame."""
    selected = _selected()
    if selected.run is None:
        sidebar.explain_absence(selected)
        return
    show_faults(selected.run)
    if selected.is_sample:
        show_sample_line(selected.run)
    run = selected.run
    _shown(lambda: render(run))


def enter_alone(render: Callable[[Run | None], None]) -> None:
    """Run a page that is not about the open run, and also works without one, inside the frame."""
    selected = _selected()
    if selected.run is not None:
        show_faults(selected.run)
    _shown(lambda: render(selected.run))


def _selected() -> sidebar.Selected:
    """Return the open run; a page that is not called by the frame begins anew in it."""
    selected = _SELECTED.get()
    if selected is None:
        _navigation()
        st.rerun()
    return selected


def _shown(draw: Callable[[], None]) -> None:
    try:
        draw()
    except EvaltoolsError as error:
        show_error("This page cannot be shown.", error)
