"""One line on what all parsers have against the gold tree, with a link to it, for other pages."""

from __future__ import annotations

import streamlit as st

from evaltools.drawing.blocks import note
from evaltools.runs.store import Run
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.hotspots.parts import part_of, sizes
from evaltools.ui.session import state
from evaltools.ui.session.data import cached_by_run

__all__ = ["agreed", "agreed_line"]


@cached_by_run(16)
def agreed(run: Run) -> list[tuple[str, str, str]]:
    """Return id, title and summary of the questions about all parsers together."""
    size = sizes(run.n_sentences)[1]
    groups = [group for group in run.framework.groups.values() if group.of_all_parsers]
    part = part_of(run, size)
    texts = [group.summary(group.rows(part, run.parsers[0], group.options())) for group in groups]
    among = f" Over the first {size:,} sentences." if size < run.n_sentences else ""
    return [(group.id, group.title, text + among) for group, text in zip(groups, texts, strict=True) if text]


def agreed_line(run: Run, key: str) -> None:
    """Show what all parsers have against the gold tree, if the run has more than one."""
    for view, title, text in agreed(run) if len(run.parsers) > 1 else []:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_{view}_row"):
            show_blocks(note(text), key=f"{key}_{view}")
            query = state.link(view=view, other=None, sentence=None, **dict.fromkeys(("box", "cell", "group")))
            st.page_link("pages/hotspots.py", label=title, icon=":material/arrow_forward:", query_params=query)
