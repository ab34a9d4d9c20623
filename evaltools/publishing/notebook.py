"""Notebook display of trees, alignments and runs: drawings and tables of figures.

Importing the module registers its functions with :mod:`evaltools.display`.
"""

from __future__ import annotations

from evaltools.alignments.trees import WordComparison
from evaltools.display import NotebookObject, notebook_repr
from evaltools.drawing import draw
from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.publishing.page import escaped, table
from evaltools.runs.store import Run

_MAX_METRICS = 8


def _wide(*parts: str) -> str:
    return "".join(f'<div style="overflow-x:auto">{part}</div>' for part in parts)


@notebook_repr.register
def _(subject: NotebookObject) -> str:
    """Return the marked sentence and the drawings of an object by its framework, or its only drawing."""
    drawings = [drawing for framework in FRAMEWORKS.values() for drawing in framework.drawings(subject)]
    if not drawings:
        return _wide(draw(subject, theme="auto"))
    marked = [drawing for framework in FRAMEWORKS.values() for drawing in framework.marked_drawings(subject)]
    without_legend = [drawing.draw(theme="auto", legend=False) for drawing in drawings[:-1]]
    above = [drawing.draw(theme="auto") for drawing in marked[:1]]
    return _wide(*above, *without_legend, drawings[-1].draw(theme="auto"))


@notebook_repr.register
def _(word: WordComparison) -> str:
    if word.test is None:
        return f"<p>{escaped(word.form)}: aligned with no word</p>"
    return _wide(draw(word, theme="auto"))


@notebook_repr.register
def _(run: Run) -> str:
    """Return the figures of a run as a table."""
    summary = run.summary().set_index(["parser", "metric"])["pooled"]
    metrics = [name for name in run.metrics if METRICS[name].is_share][:_MAX_METRICS]
    rows = []
    for parser in run.parsers:
        values = [float(summary[parser, name]) for name in metrics]
        rows.append([parser, *("–" if value != value else f"{100 * value:.2f}" for value in values)])
    figures = table(["parser", *(METRICS[name].title for name in metrics)], rows)
    below = f"{run.n_sentences:,} sentences, percent, micro. {run.signature}"
    return f"{figures}<p>{escaped(below)}</p>"
