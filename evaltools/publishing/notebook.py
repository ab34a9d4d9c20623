"""What notebooks show of trees, alignments and runs: the drawings of the app, and tables of figures."""

from __future__ import annotations

from functools import singledispatch

from evaltools.drawing import draw
from evaltools.metrics import METRICS
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.edm_alignment import align_graphs
from evaltools.metrics.edm_mapping import GraphAlignment
from evaltools.metrics.edm_rules import load_edm_rules
from evaltools.metrics.lineage_table import LineageTable
from evaltools.metrics.mapping import Alignment, WordComparison
from evaltools.metrics.tedeval_protocol import TedEvalProtocol
from evaltools.publishing.page import said, table
from evaltools.runs.store import Run
from evaltools.treebank import DependencyTree, MultiFunctionTree, SemanticGraph, Tree

__all__ = ["html_of"]

_MOST_METRICS = 8


@singledispatch
def html_of(shown: object) -> str:
    """Return an object as HTML.

    Parameters
    ----------
    shown : object
        A tree or graph, an alignment of any kind, the comparison of a word's lineages or its filled table, the steps of
        TedEval, or a run.

    Raises
    ------
    TypeError
        If it is something else.
    """
    raise TypeError(f"{type(shown).__name__} is not shown in notebooks")


def _wide(*parts: str) -> str:
    return "".join(f'<div style="overflow-x:auto">{part}</div>' for part in parts)


@html_of.register
def _(shown: Tree) -> str:
    return _wide(draw(shown, theme="auto"))


@html_of.register
def _(shown: DependencyTree) -> str:
    return _wide(draw(shown, theme="auto"))


@html_of.register
def _(shown: MultiFunctionTree) -> str:
    return _wide(draw(shown, theme="auto"))


@html_of.register
def _(shown: SemanticGraph) -> str:
    both = align_graphs(shown, shown, load_edm_rules("pydelphin"))
    return _wide(draw(both, fold=False, properties="all", theme="auto", legend=False))


@html_of.register
def _(shown: LineageTable) -> str:
    return _wide(draw(shown, theme="auto"))


@html_of.register
def _(shown: Alignment) -> str:
    return _wide(*(draw(shown, mapping=kind, theme="auto", legend=kind == "t") for kind in ("e", "t")))


@html_of.register
def _(shown: WordComparison) -> str:
    if shown.test is None:
        return f"<p>{said(shown.form)}: aligned with no word</p>"
    return _wide(draw(shown, theme="auto"))


@html_of.register
def _(shown: DependencyAlignment) -> str:
    return _wide(draw(shown, theme="auto"))


@html_of.register
def _(shown: GraphAlignment) -> str:
    return _wide(draw(shown, theme="auto"))


@html_of.register
def _(shown: TedEvalProtocol) -> str:
    return _wide(draw(shown, theme="auto"))


@html_of.register
def _(shown: Run) -> str:
    summary = shown.summary().set_index(["parser", "metric"])["pooled"]
    metrics = [name for name in shown.metrics if METRICS[name].is_share][:_MOST_METRICS]
    rows = []
    for parser in shown.parsers:
        values = [float(summary[parser, name]) for name in metrics]
        rows.append([parser, *("–" if value != value else f"{100 * value:.2f}" for value in values)])
    figures = table(["parser", *(METRICS[name].title for name in metrics)], rows)
    below = f"{shown.n_sentences:,} sentences, per cent, pooled. {shown.signature}"
    return f"{figures}<p>{said(below)}</p>"
