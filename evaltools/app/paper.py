"""For your paper: the table in LaTeX, the figure, and what the text should say about the methods."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.widgets.saving import chart
from evaltools.blocks import answer, note
from evaltools.outputs.citation import bibtex, methods_sentence
from evaltools.outputs.sections import Report, intervals
from evaltools.outputs.summary import summary_latex
from evaltools.runs.store import Run

_TABLE_HEIGHT, _BIBTEX_HEIGHT = 300, 220
"""Pixels."""


def paper(run: Run, report: Report) -> None:
    """Show the table, the figure, the methods and the references of the figures on the page, to copy and to save."""
    summary, units = report.summary, report.units.removeprefix(" over ") or "the sentences"
    left, right = st.columns(2, gap="large")
    with left:
        _copied("Table", summary_latex(run, summary=summary), "table.tex", height=_TABLE_HEIGHT)
        text = methods_sentence(run, summary, latex=True, units=units)
        _copied("Methods", f"{text}\n% {run.signature}\n", "methods.tex")
    with right:
        figure = intervals(report)
        show_blocks(answer("Figure"), key="paper_figure_title")
        description = f"{figure.title}."
        chart(dict(figure.specification), key="paper_figure", signature=run.signature, description=description)
        _copied("References", bibtex(run, summary), "references.bib", height=_BIBTEX_HEIGHT)
    about = "The figures are those of the table above. In the preamble: \\usepackage{booktabs,graphicx}."
    show_blocks(note(about), key="paper_note")


def _copied(title: str, text: str, file: str, *, height: int | Literal["content"] = "content") -> None:
    """Show a text with a button that copies it, and one that saves it."""
    with st.container(gap="xsmall"):
        show_blocks(answer(title), key=f"paper_{file}_title")
        st.code(text, language="latex", wrap_lines=True, height=height)
        st.download_button(file, text, file, "text/plain", on_click="ignore", key=f"paper_{file}", type="tertiary")
