"""Notebook display of trees, alignments and runs: drawings and tables of figures.

Importing the module registers its functions with :mod:`evaltools.display`.
"""

from __future__ import annotations

from evaltools.blocks import Column, Table, text_columns
from evaltools.display import NotebookObject, notebook_repr
from evaltools.drawing import draw
from evaltools.frameworks.common.lineages import WordComparison
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.outputs.page import escaped
from evaltools.outputs.tables import table_html
from evaltools.runs.store import Run, figure_rows


def _wide(*parts: str) -> str:
    return "".join(f'<div style="overflow-x:auto">{part}</div>' for part in parts)


@notebook_repr.register
def _(subject: NotebookObject) -> str:
    """Return the marked sentence and the drawings of an object by its framework, or its only drawing."""
    all_drawings = next(filter(None, (framework.drawings(subject) for framework in FRAMEWORKS.values())), ())
    drawings = [drawing for drawing in all_drawings if drawing.suffix != "repairs"]
    if not drawings:
        return _wide(draw(subject, theme="auto"))
    last = drawings[-1]  # has the legend of all
    pictures = [
        drawing.draw(theme="auto")
        if drawing is last or drawing.suffix == "marked"
        else drawing.draw(theme="auto", legend=False)
        for drawing in drawings
    ]
    titles = [drawing.title for drawing in drawings]
    if len(titles) == 1:
        return _wide(*pictures)
    return "".join(
        f"<p><strong>{escaped(title)}</strong></p>{_wide(picture)}"
        for title, picture in zip(titles, pictures, strict=True)
    )


@notebook_repr.register
def _(word: WordComparison) -> str:
    if word.test is None:
        return f"<p>{escaped(word.form)}: aligned with no word</p>"
    return _wide(draw(word, theme="auto"))


@notebook_repr.register
def _(run: Run) -> str:
    """Return the main figures of a run as a table."""
    (first, *heads), rows = figure_rows(run)
    columns = [*text_columns(first), *(Column(head, head, "interval") for head in heads)]
    figures = table_html(Table(columns, rows))
    base = "all sentences" if run.default_over == "all" else "parsed sentences only"
    below = f"Percent, micro, {base}; n: sentences of {run.n_counted:,}. {run.signature}"
    return f"{figures}<p>{escaped(below)}</p>"
