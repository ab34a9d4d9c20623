"""Trees, alignments and the like as pictures to take elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from evaltools.drawing import (
    alignment_dot,
    alignment_json,
    alignment_latex,
    alignment_svg,
    alignment_text,
    arcs_dot,
    arcs_json,
    arcs_latex,
    arcs_svg,
    arcs_text,
    graph_dot,
    graph_json,
    graph_latex,
    graph_svg,
    graph_text,
    tree_dot,
    tree_latex,
    tree_svg,
    tree_text,
)
from evaltools.drawing.bars_latex import function_bars_latex, protocol_latex
from evaltools.drawing.function_bars import FunctionBar, function_bars_svg
from evaltools.drawing.protocol import protocol_json, protocol_svg, protocol_text
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.metrics.mapping import Alignment
from evaltools.metrics.tedeval_protocol import TedEvalProtocol
from evaltools.publishing.pictures import Picture, file_name
from evaltools.treebank import Tree

__all__ = [
    "alignment_picture",
    "arcs_picture",
    "bars_picture",
    "graph_picture",
    "protocol_picture",
    "svg_picture",
    "tree_picture",
]


def alignment_picture(
    alignment: Alignment,
    mapping: str,
    name: str,
    caption: str,
    *,
    gold_name: str = "gold",
    test_name: str = "test",
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
) -> Picture:
    """Return one mapping of two trees as a picture.

    Parameters
    ----------
    alignment : Alignment
        The trees.
    mapping : {"e", "t"}
        Which mapping.
    name : str
        Beginning of the files' names.
    caption : str
        What it shows, and the run's signature.
    gold_name, test_name : str
        What the two trees are called.
    fold : bool, optional
        Fold what is identical; by default in long sentences.
    unfolded : frozenset of int
        Gold nodes whose triangles are opened.

    Returns
    -------
    Picture
        The picture.
    """
    drawings: Mapping[str, Callable[[], str]] = {
        "svg": partial(
            alignment_svg, alignment, mapping, fold=fold, unfolded=unfolded, gold_name=gold_name, test_name=test_name
        ),
        "latex": partial(alignment_latex, alignment, mapping, fold=fold, unfolded=unfolded, standalone=True),
        "text": partial(alignment_text, alignment, mapping, fold=fold, gold_name=gold_name, test_name=test_name),
        "dot": partial(alignment_dot, alignment, mapping),
        "json": partial(alignment_json, alignment, mapping),
    }
    title = {"e": "E-mapping", "t": "T-mapping"}[mapping]
    return Picture(file_name(f"{name}-{mapping}"), caption, drawings, title)


def arcs_picture(
    alignment: DependencyAlignment,
    name: str,
    caption: str,
    *,
    gold_name: str = "gold",
    test_name: str = "test",
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
) -> Picture:
    """Return two dependency trees as a picture.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees.
    name : str
        Beginning of the files' names.
    caption : str
        What it shows, and the run's signature.
    gold_name, test_name : str
        What the two trees are called.
    fold : bool, optional
        Fold what is equal; by default in long sentences.
    unfolded : frozenset of int
        Gold words whose folded parts are opened.

    Returns
    -------
    Picture
        The picture.
    """
    drawings: Mapping[str, Callable[[], str]] = {
        "svg": partial(arcs_svg, alignment, fold=fold, unfolded=unfolded, gold_name=gold_name, test_name=test_name),
        "latex": partial(arcs_latex, alignment, fold=fold, unfolded=unfolded, standalone=True),
        "text": partial(arcs_text, alignment, gold_name=gold_name, test_name=test_name),
        "dot": partial(arcs_dot, alignment),
        "json": partial(arcs_json, alignment),
    }
    return Picture(file_name(f"{name}-arcs"), caption, drawings, "Arcs")


def graph_picture(
    alignment: GraphAlignment,
    name: str,
    caption: str,
    *,
    gold_name: str = "gold",
    test_name: str = "test",
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    properties: str = "differing",
) -> Picture:
    """Return two semantic graphs as a picture.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs.
    name : str
        Beginning of the files' names.
    caption : str
        What it shows, and the run's signature.
    gold_name, test_name : str
        What the two graphs are called.
    fold : bool, optional
        Leave out what is the same; by default in long texts.
    unfolded : frozenset of int
        First pieces of the folded parts of the text that are opened.
    properties : {"differing", "all", "none"}
        Which properties stand in the boxes.

    Returns
    -------
    Picture
        The picture.
    """
    view: Mapping[str, Any] = {"fold": fold, "unfolded": unfolded, "properties": properties}
    drawings: Mapping[str, Callable[[], str]] = {
        "svg": partial(graph_svg, alignment, **view, gold_name=gold_name, test_name=test_name),
        "latex": partial(graph_latex, alignment, **view, standalone=True, gold_name=gold_name, test_name=test_name),
        "text": partial(graph_text, alignment, gold_name=gold_name, test_name=test_name),
        "dot": partial(graph_dot, alignment),
        "json": partial(graph_json, alignment),
    }
    return Picture(file_name(f"{name}-graphs"), caption, drawings, "Both graphs")


def protocol_picture(protocol: TedEvalProtocol, name: str, caption: str) -> Picture:
    """Return the steps of TedEval on a sentence as a picture.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.
    name : str
        Beginning of the files' names.
    caption : str
        What it shows, and the run's signature.

    Returns
    -------
    Picture
        The picture.
    """
    drawings: Mapping[str, Callable[[], str]] = {
        "svg": partial(protocol_svg, protocol),
        "latex": partial(protocol_latex, protocol, standalone=True),
        "text": partial(protocol_text, protocol),
        "json": partial(protocol_json, protocol),
    }
    return Picture(file_name(f"{name}-steps"), caption, drawings, "Steps of TedEval")


def bars_picture(words: Sequence[str], bars: Sequence[FunctionBar], name: str, caption: str, title: str) -> Picture:
    """Return nodes over words as a picture.

    Parameters
    ----------
    words : sequence of str
        The words.
    bars : sequence of FunctionBar
        The nodes.
    name : str
        Of the files.
    caption : str
        What it shows, and the run's signature.
    title : str
        What it is called beside other pictures.

    Returns
    -------
    Picture
        The picture.
    """
    drawings: Mapping[str, Callable[[], str]] = {
        "svg": partial(function_bars_svg, words, bars, label=title),
        "latex": partial(function_bars_latex, words, bars, standalone=True),
    }
    return Picture(file_name(name), caption, drawings, title)


def tree_picture(tree: Tree, name: str, caption: str, title: str = "Tree") -> Picture:
    """Return one tree as a picture.

    Parameters
    ----------
    tree : Tree
        The tree.
    name : str
        Of the files.
    caption : str
        What it shows.
    title : str
        What it is called beside other pictures.

    Returns
    -------
    Picture
        The picture.
    """
    drawings: Mapping[str, Callable[[], str]] = {
        "svg": partial(tree_svg, tree),
        "latex": partial(tree_latex, tree, standalone=True),
        "text": partial(tree_text, tree),
        "dot": partial(tree_dot, tree),
    }
    return Picture(file_name(name), caption, drawings, title)


def svg_picture(draw: Callable[[], str], name: str, caption: str, title: str) -> Picture:
    """Return a drawing that has no other language as a picture.

    Parameters
    ----------
    draw : callable
        Draws it as SVG in the light theme.
    name : str
        Of the files.
    caption : str
        What it shows, and the run's signature.
    title : str
        What it is called beside other pictures.

    Returns
    -------
    Picture
        The picture.
    """
    return Picture(file_name(name), caption, {"svg": draw}, title)
