"""For your paper: the table in LaTeX, the figure, and what the text should say about the methods."""

from __future__ import annotations

import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.widgets.saving import chart
from evaltools.blocks import answer, note
from evaltools.outputs.paper import paper_files, paper_texts, zipped
from evaltools.outputs.sections import Report, intervals

_TITLES = {"table.tex": "Table", "methods.tex": "Methods", "references.bib": "References"}
_HEIGHT = 260
"""Pixels of a text."""
_ABOUT = (
    "The figures are those of the table above. In the ZIP file, paper.tex shows how table, figure, methods and "
    "references are included; evaltools paper RUN -o FOLDER writes the same files."
)


def paper(report: Report) -> None:
    """Show the table, the figure, the methods and the references of the figures on the page, to copy and to save."""
    texts = paper_texts(report)
    left, right = st.columns(2, gap="large")
    with left:
        for name in ("table.tex", "methods.tex"):
            _copied(name, texts[name])
    with right:
        figure = intervals(report)
        show_blocks(answer("Figure"), key="paper_figure_title")
        signature, description = report.run.signature, f"{figure.title}."
        chart(dict(figure.specification), key="paper_figure", signature=signature, description=description)
        _copied("references.bib", texts["references.bib"])
    st.download_button("Save all", lambda: zipped(paper_files(report)), "paper.zip", on_click="ignore", key="paper_all")
    show_blocks(note(_ABOUT), key="paper_note")


def _copied(name: str, text: str) -> None:
    """Show a text with a button that copies it."""
    with st.container(gap="xsmall"):
        show_blocks(answer(_TITLES[name]), key=f"paper_{name}_title")
        st.code(text, language="latex", wrap_lines=True, height=_HEIGHT)
