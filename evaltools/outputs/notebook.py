"""Notebook display of trees, alignments and runs: drawings and tables of figures.

Importing the module registers its functions with :mod:`evaltools.display`.
"""

from __future__ import annotations

from evaltools.blocks import Column, Table, text_columns
from evaltools.corpus import SemanticGraph
from evaltools.display import NotebookObject, notebook_repr
from evaltools.drawing import draw
from evaltools.frameworks.common.lineages import WordComparison
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.views import STANDING_ALONE, Sentence
from evaltools.outputs.page import escaped
from evaltools.outputs.pictures import drawing_of_one
from evaltools.outputs.tables import table_html
from evaltools.runs.store import Run, figure_rows


def _wide(*parts: str) -> str:
    return "".join(f'<div style="overflow-x:auto">{part}</div>' for part in parts)


@notebook_repr.register
def _(subject: NotebookObject) -> str:
    """Return the marked sentence and the panels of an alignment, or the only picture of another object."""
    framework = next((own for own in FRAMEWORKS.values() if isinstance(subject, own.aligned)), None)
    if framework is None:
        return _wide(draw(subject, theme="auto"))
    view = framework.view(Sentence(subject), STANDING_ALONE)
    drawings = [drawing for drawing in view.drawings if drawing.suffix != "repairs"]
    if not drawings:
        return f"<p>{escaped(view.note or view.summary)}</p>"
    pictures = [_wide(drawing.draw(theme="auto")) for drawing in drawings]
    if len(pictures) == 1:
        return pictures[0]
    titles = [f"<p><strong>{escaped(drawing.title)}</strong></p>" for drawing in drawings]
    return "".join(title + picture for title, picture in zip(titles, pictures, strict=True))


@notebook_repr.register
def _(graph: SemanticGraph) -> str:
    return _wide(drawing_of_one(graph).draw(theme="auto"))


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
