"""For your paper: the table in LaTeX, the figure, and what the text should say."""

from __future__ import annotations

import streamlit as st

from evaltools.app.widgets.saving import chart
from evaltools.outputs.sections import Report, intervals
from evaltools.outputs.summary import summary_latex
from evaltools.runs.store import Run


def paper(run: Run, report: Report) -> None:
    """Show the table, the figure and the sentence on methods, each to copy or to save."""
    latex = summary_latex(run, summary=report.summary)
    figure = intervals(report)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Table**")
        st.code(latex, language="latex", height=260)
        st.download_button("table.tex", latex, "table.tex", "text/x-tex", on_click="ignore", key="paper_table")
    with right:
        st.markdown("**Figure**")
        chart(dict(figure.specification), key="paper_figure", signature=run.signature, description=f"{figure.title}.")
