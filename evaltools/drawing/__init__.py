"""Pictures: layouts make scenes, diagrams and text of trees and alignments; writers print them in some language.

>>> import evaltools
>>> alignment = evaltools.align("(S (N dogs) (V bark))", "(S (N dogs) (VP (V bark)))")
>>> draw(alignment, "svg", mapping="e", theme="dark")[:4]
'<svg'
>>> languages(alignment)
('text', 'svg', 'dot', 'latex', 'json')
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from evaltools.drawing.layouts.arcs import (
    ARC_LEGEND,
    arc_legend,
    arcs_data,
    arcs_diagram,
    arcs_scene,
    arcs_text,
    dependency_scene,
)
from evaltools.drawing.layouts.bars import (
    Bars,
    FunctionBar,
    bars_of,
    bars_scene,
    bracket_bars,
    protocol_bars,
    protocol_data,
    protocol_scene,
    protocol_text,
    tedeval2011_bars,
    tree_bars_scene,
)
from evaltools.drawing.layouts.graphs import (
    GRAPH_LEGEND,
    graph_data,
    graph_diagram,
    graph_legend,
    graph_scene,
    graph_text,
)
from evaltools.drawing.layouts.lineages import lineage_scene, lineage_table_scene, strip_scene
from evaltools.drawing.layouts.tree_text import alignment_text, tree_text
from evaltools.drawing.layouts.trees import (
    alignment_data,
    alignment_diagram,
    alignment_scene,
    tree_diagram,
    tree_legend,
    tree_scene,
)
from evaltools.drawing.palette import COLOURS, LEGEND, MARKS, la_colour
from evaltools.drawing.scene import Scene
from evaltools.drawing.writers.dot import dot
from evaltools.drawing.writers.latex import forest, latex
from evaltools.drawing.writers.svg import svg
from evaltools.drawing.writers.text import text
from evaltools.errors import ParameterError
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.metrics.lineage_table import LineageTable
from evaltools.metrics.mapping import Alignment, WordComparison
from evaltools.metrics.tedeval_protocol import TedEvalProtocol
from evaltools.treebank import DependencyTree, MultiFunctionTree, Tree

__all__ = [
    "ARC_LEGEND",
    "COLOURS",
    "GRAPH_LEGEND",
    "LEGEND",
    "MARKS",
    "Bars",
    "FunctionBar",
    "Scene",
    "arc_legend",
    "bars_of",
    "bracket_bars",
    "draw",
    "graph_legend",
    "la_colour",
    "languages",
    "protocol_bars",
    "strip_scene",
    "tedeval2011_bars",
    "tree_legend",
]


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)


_WRITERS: dict[str, tuple[str, Callable[..., str], frozenset[str]]] = {
    "text": ("text", text, frozenset({"colour"})),
    "svg": ("scene", svg, frozenset({"theme"})),
    "dot": ("diagram", dot, frozenset()),
    "latex": ("scene", latex, frozenset({"standalone"})),
    "json": ("data", _json, frozenset()),
}
"""The languages: what a layout makes for each, what writes it, and the options of the writer."""

_LAYOUTS: dict[type, dict[str, Callable[..., Any]]] = {
    Alignment: {
        "scene": alignment_scene,
        "diagram": alignment_diagram,
        "text": alignment_text,
        "data": alignment_data,
    },
    DependencyAlignment: {
        "scene": arcs_scene,
        "diagram": arcs_diagram,
        "text": arcs_text,
        "data": arcs_data,
    },
    GraphAlignment: {
        "scene": graph_scene,
        "diagram": graph_diagram,
        "text": graph_text,
        "data": graph_data,
    },
    TedEvalProtocol: {"scene": protocol_scene, "text": protocol_text, "data": protocol_data},
    Tree: {"scene": tree_scene, "diagram": tree_diagram, "text": tree_text},
    DependencyTree: {"scene": dependency_scene},
    MultiFunctionTree: {"scene": tree_bars_scene},
    Bars: {"scene": bars_scene},
    WordComparison: {"scene": lineage_scene},
    LineageTable: {"scene": lineage_table_scene},
}
"""What can be drawn, and its layouts."""


def _layouts(subject: object) -> dict[str, Callable[..., Any]]:
    if isinstance(subject, Scene):
        return {"scene": lambda scene: scene}
    for kind in type(subject).__mro__:
        if kind in _LAYOUTS:
            return _LAYOUTS[kind]
    raise TypeError(f"{type(subject).__name__} cannot be drawn")


def languages(subject: object) -> tuple[str, ...]:
    """Return the languages in which something can be drawn.

    Parameters
    ----------
    subject : object
        A tree, an alignment of any kind, the steps of TedEval, bars, a word's lineages, their table, or a scene.

    Returns
    -------
    tuple of str
        Names of languages, for `draw`.

    Raises
    ------
    TypeError
        If it is something else.
    """
    layouts = _layouts(subject)
    return tuple(language for language, (made, *_) in _WRITERS.items() if made in layouts)


def draw(subject: object, language: str = "svg", **options: Any) -> str:
    """Draw something in some language.

    Parameters
    ----------
    subject : object
        What `languages` takes.
    language : {"svg", "latex", "dot", "text", "json"}
        The language. LaTeX is a TikZ picture; that of a single tree is for the package forest.
    **options
        Of the layout and of the writer. SVG: ``theme`` (``"light"``, ``"dark"``, or ``"auto"`` to follow the page);
        LaTeX: ``standalone`` (a whole document); text: ``colour`` (of terminals). Alignments: ``mapping`` (``"t"`` or
        ``"e"``, of trees), ``gold_name`` and ``test_name``; their pictures: ``fold``, ``unfolded``, ``legend``,
        ``title``, ``interactive``, and ``properties`` of graphs. A word's lineages: ``metric``, ``table``, ``link``.

    Returns
    -------
    str
        The picture.

    Raises
    ------
    ParameterError
        If there is no such language, or none for this.
    TypeError
        If it cannot be drawn, or there is no such option.
    """
    if language not in languages(subject):
        raise ParameterError.unknown(f"language for {type(subject).__name__}", language, languages(subject))
    if isinstance(subject, Tree) and language == "latex":
        return forest(subject, **options)
    made, write, own = _WRITERS[language]
    layout = _layouts(subject)[made](subject, **{name: value for name, value in options.items() if name not in own})
    return write(layout, **{name: value for name, value in options.items() if name in own})
