"""Pictures: layouts return scenes and text for trees and alignments, which writers print in some language.

>>> import evaltools
>>> alignment = evaltools.align("(S (N dogs) (V bark))", "(S (N dogs) (VP (V bark)))")
>>> draw(alignment, "svg", mapping="e", theme="dark")[:4]
'<svg'
>>> languages(alignment)
('text', 'svg', 'dot', 'latex', 'json')
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

from evaltools.corpus import DependencyTree, MultiFunctionTree, Tree
from evaltools.drawing.arc_content import ARC_LEGEND, ENHANCED_LEGEND
from evaltools.drawing.bars import (
    Bars,
    FunctionBar,
    bars_of,
    bars_scene,
    bracket_bars,
    protocol_bars,
    protocol_text,
)
from evaltools.drawing.dot import alignment_dot, arcs_dot, bars_dot, dependency_dot, graph_dot, tree_dot
from evaltools.drawing.graphs import (
    arc_legends,
    arcs_scene,
    arcs_text,
    dependency_scene,
    dependency_text,
    graph_scene,
    graph_text,
)
from evaltools.drawing.lineages import lineage_scene, lineage_table_scene
from evaltools.drawing.marked import marked_data, marked_scene, marked_text
from evaltools.drawing.palette import COLORS, LEGEND, MARKS, la_color
from evaltools.drawing.scene import Scene
from evaltools.drawing.svg import write_svg
from evaltools.drawing.text import write_text
from evaltools.drawing.tikz import write_forest, write_tikz
from evaltools.drawing.tree_text import alignment_text, tree_text
from evaltools.drawing.trees import (
    alignment_data,
    alignment_scene,
    tree_legend,
    tree_scene,
)
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.frameworks.common.lineages import LineageTable, WordComparison
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment, EnhancedAlignment
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
from evaltools.marks import Marks
from evaltools.text import excerpt

__all__ = [
    "ARC_LEGEND",
    "COLORS",
    "ENHANCED_LEGEND",
    "LEGEND",
    "MARKS",
    "MAX_NODES",
    "MAX_WORDS",
    "Bars",
    "FunctionBar",
    "Scene",
    "arc_legends",
    "bars_of",
    "bracket_bars",
    "draw",
    "la_color",
    "languages",
    "protocol_bars",
    "tree_legend",
]


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)


_WRITERS: dict[str, tuple[str, Callable[..., str], frozenset[str]]] = {
    "text": ("text", write_text, frozenset({"color"})),
    "svg": ("scene", write_svg, frozenset({"theme"})),
    "dot": ("dot", str, frozenset()),
    "latex": ("scene", write_tikz, frozenset({"standalone"})),
    "json": ("data", _json, frozenset()),
}
"""By language: the result of a layout that it needs, its writer, and the options of the writer."""

_LAYOUTS: dict[type, dict[str, Callable[..., Any]]] = {
    Alignment: {
        "scene": alignment_scene,
        "dot": alignment_dot,
        "text": alignment_text,
        "data": alignment_data,
    },
    DependencyAlignment: {"scene": arcs_scene, "dot": arcs_dot, "text": arcs_text},
    EnhancedAlignment: {"scene": arcs_scene, "dot": arcs_dot, "text": arcs_text},
    GraphAlignment: {"scene": graph_scene, "dot": graph_dot, "text": graph_text},
    TedEvalProtocol: {"scene": bars_scene, "dot": bars_dot, "text": protocol_text},
    Tree: {"scene": tree_scene, "dot": tree_dot, "text": tree_text},
    DependencyTree: {"scene": dependency_scene, "dot": dependency_dot, "text": dependency_text},
    MultiFunctionTree: {"scene": bars_scene, "dot": bars_dot},
    Bars: {"scene": bars_scene, "dot": bars_dot},
    Marks: {"scene": marked_scene, "text": marked_text, "data": marked_data},
    WordComparison: {"scene": lineage_scene},
    LineageTable: {"scene": lineage_table_scene},
}
"""Layouts by class of object and result. A new picture needs one layout module and one entry here."""


MAX_NODES, MAX_WORDS = 10_000, 3_000
"""Maximum number of nodes in a picture, of words in one with marks or bars: a few seconds."""


def _check_size(subject: object) -> None:
    """Raise ParameterError if a picture would be too large."""
    nodes = words = 0
    match subject:
        case Alignment() | DependencyAlignment():
            nodes = len(subject.gold) + len(subject.test)
        case EnhancedAlignment() | GraphAlignment():
            nodes = len(subject.nodes)
        case Tree() | DependencyTree():
            nodes = len(subject)
        case Marks() | Bars() | MultiFunctionTree():
            words = len(subject.words)
        case TedEvalProtocol():
            words = len(subject.parse.words)
    for number, maximum, unit in ((nodes, MAX_NODES, "nodes"), (words, MAX_WORDS, "words")):
        if number > maximum:
            raise ParameterError(f"the picture would have {number:,} {unit}; expected at most {maximum:,}")


_OPTIONS = frozenset[str]().union(
    *(own for _, _, own in _WRITERS.values()),
    *(list(signature(layout).parameters)[1:] for own in _LAYOUTS.values() for layout in own.values()),
)
"""The options of all layouts and writers."""


def _layouts(subject: object) -> dict[str, Callable[..., Any]]:
    if isinstance(subject, Scene):
        return {"scene": lambda scene: scene}
    for kind in type(subject).__mro__:
        if kind in _LAYOUTS:
            return _LAYOUTS[kind]
    raise TypeError(f"{type(subject).__name__} cannot be drawn")


def languages(subject: object) -> tuple[str, ...]:
    """Return the languages in which an object can be drawn.

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
        If it cannot be drawn.
    """
    layouts = _layouts(subject)
    return tuple(language for language, (needed, *_) in _WRITERS.items() if needed in layouts)


def draw(subject: object, language: str = "svg", **options: Any) -> str:
    r"""Draw an object in some language.

    Parameters
    ----------
    subject : object
        An object that `languages` accepts.
    language : {"svg", "latex", "dot", "text", "json"}
        The language. LaTeX is a TikZ picture; that of a single continuous tree is for the package forest,
        which places the nodes itself.
    **options
        Of the layout and of the writer. SVG: ``theme`` (``"light"``, ``"dark"``, or ``"auto"`` to follow the page);
        LaTeX: ``standalone`` (a whole document); text: ``color`` (of terminals). Alignments: ``mapping`` (``"t"`` or
        ``"e"``, of trees), ``gold_name`` and ``parse_name``; their pictures: ``fold``, ``unfolded``, ``legend``,
        ``title``, ``interactive``, and ``properties`` of graphs. A word's lineages: ``metric``, ``table``, ``link``.
        Those of other languages and of other objects are ignored.

    Returns
    -------
    str
        The picture.

    Raises
    ------
    ParameterError
        If the language is unknown or not available for the object, or there is no such option, or the
        picture would have more than `MAX_NODES` nodes, or `MAX_WORDS` words with marks or bars; JSON has no limit.
    TypeError
        If it cannot be drawn.

    Examples
    --------
    >>> draw(Tree.from_string("(S (N dogs))"), "text", color=False)
    'S\n└─ N  dogs'
    """
    if language != "json":
        _check_size(subject)
    if language not in languages(subject):
        raise ParameterError.unknown(f"language for {type(subject).__name__}", language, languages(subject))
    for name in options:
        if name not in _OPTIONS:
            raise ParameterError.unknown("option of pictures", name, sorted(_OPTIONS))
    needed, write, own = _WRITERS[language]
    layout = _layouts(subject)[needed]
    of_writer = {name: value for name, value in options.items() if name in own}
    if isinstance(subject, Tree) and language == "latex":  # the tree alone, without marks
        return write_forest(subject, **of_writer) if subject.is_continuous else write(layout(subject), **of_writer)
    names = {*list(signature(layout).parameters)[1:]} - own
    return write(layout(subject, **{name: value for name, value in options.items() if name in names}), **of_writer)


@dataclass(frozen=True, slots=True)
class Drawing:
    """An object to draw, with the options of its pictures and the names of its files."""

    subject: object  # An object that `draw` accepts
    title: str = "Picture"  # Above it, and the first words of its caption
    suffix: str = ""  # Its kind among the pictures of a sentence, and the end of its file names
    options: Mapping[str, Any] = field(default_factory=dict)  # Of `draw`, in all languages
    languages: tuple[str, ...] = ()  # The languages it can be saved in; all if empty

    def titled(self, title: str) -> Drawing:
        """Return it with a title in the picture itself, for files, which have no page around them."""
        return replace(self, options={**self.options, "title": title})

    def draw(self, language: str = "svg", **options: Any) -> str:
        """Draw it in some language, with more options.

        Whatever a layout stumbles over is raised as an EvaltoolsError, so that a page can go on without the picture.
        """
        with one_picture():
            return draw(self.subject, language, **{**self.options, **options})


@contextmanager
def one_picture() -> Iterator[None]:
    """Raise an EvaltoolsError that says so where something cannot be drawn."""
    try:
        yield
    except EvaltoolsError:
        raise
    except (
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise EvaltoolsError(f"this cannot be drawn ({type(error).__name__}: {excerpt(str(error))})") from error
