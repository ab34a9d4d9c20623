"""Trees, alignments and the like as pictures to take elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from evaltools.drawing import Bars, draw, languages
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


def _drawings(
    subject: object,
    view: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
    *,
    every: Mapping[str, Any] | None = None,
    text: Mapping[str, Any] | None = None,
) -> dict[str, Callable[[], str]]:
    """Return what draws something in each of its languages.

    `view` are options of pictures, `names` those of pictures and text, `every` those of every language.
    """
    shared = dict(every or {})
    scene = shared | dict(view or {}) | dict(names or {})
    options = {
        "svg": scene,
        "latex": scene | {"standalone": True},
        "text": shared | dict(names or {}) | dict(text or {}),
        "dot": shared,
        "json": shared,
    }
    known = languages(subject)
    return {
        language: partial(draw, subject, language, **more) for language, more in options.items() if language in known
    }


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
    drawings = _drawings(
        alignment,
        {"fold": fold, "unfolded": unfolded},
        {"gold_name": gold_name, "test_name": test_name},
        every={"mapping": mapping},
        text={"fold": fold},
    )
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
    names = {"gold_name": gold_name, "test_name": test_name}
    drawings = _drawings(alignment, {"fold": fold, "unfolded": unfolded}, names)
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
    view = {"fold": fold, "unfolded": unfolded, "properties": properties}
    drawings = _drawings(alignment, view, {"gold_name": gold_name, "test_name": test_name})
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
    return Picture(file_name(f"{name}-steps"), caption, _drawings(protocol), "Steps of TedEval")


def bars_picture(bars: Bars, name: str, caption: str) -> Picture:
    """Return nodes over words as a picture.

    Parameters
    ----------
    bars : Bars
        The words and the nodes; the label is what the picture is called beside others.
    name : str
        Of the files.
    caption : str
        What it shows, and the run's signature.

    Returns
    -------
    Picture
        The picture.
    """
    return Picture(file_name(name), caption, _drawings(bars), bars.label)


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
    return Picture(file_name(name), caption, _drawings(tree), title)


def svg_picture(drawing: Callable[[], str], name: str, caption: str, title: str) -> Picture:
    """Return a drawing that has no other language as a picture.

    Parameters
    ----------
    drawing : callable
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
    return Picture(file_name(name), caption, {"svg": drawing}, title)
