"""The brackets of two trees as bars over one row of words: those of gold above, those of test below.

A bracket is a label over a stretch of words, and that is all that E sees of a tree; so are the bars.
"""

from __future__ import annotations

from evaltools.drawing.function_bars import FunctionBar, function_bars_svg
from evaltools.errors import ParameterError
from evaltools.metrics.mapping import Alignment, NodeStatus
from evaltools.treebank import Kind, Tree

__all__ = ["bracket_bars", "bracket_bars_svg"]

_PARTS = {"roof": (Kind.PHRASE,), "whole": (Kind.PHRASE, Kind.PRETERMINAL)}


def bracket_bars(tree: Tree, statuses: tuple[NodeStatus, ...], part: str = "roof") -> list[FunctionBar]:
    """Return the brackets of a tree, inner before outer.

    Parameters
    ----------
    tree : Tree
        The tree.
    statuses : tuple of NodeStatus
        What becomes of each node.
    part : {"roof", "whole"}
        Whether tags count.

    Raises
    ------
    ParameterError
        If there is no such part.
    """
    if part not in _PARTS:
        raise ParameterError.unknown("part", part, _PARTS)
    nodes = [
        node for node in range(len(tree)) if tree.kinds[node] in _PARTS[part] and tree.starts[node] < tree.ends[node]
    ]
    nodes.sort(key=lambda node: (tree.ends[node] - tree.starts[node], tree.starts[node], node))
    return [
        FunctionBar(
            frozenset(range(tree.starts[node], tree.ends[node])),
            ((tree.labels[node] or "∅", statuses[node], False),),
            statuses[node],
        )
        for node in nodes
    ]


def bracket_bars_svg(alignment: Alignment, *, part: str = "roof", theme: str = "light") -> str:
    """Draw the brackets of both trees and which of them are in both.

    Parameters
    ----------
    alignment : Alignment
        Two trees over the same words.
    part : {"roof", "whole"}
        Whether tags count.
    theme : {"light", "dark", "auto"}
        Colours.

    Returns
    -------
    str
        An SVG document. Brackets that are in one tree only have the colour and the mark of what is deleted or inserted.

    Raises
    ------
    ParameterError
        If the words of the trees differ, or there is no such part.

    Examples
    --------
    >>> from evaltools.metrics.alignment import align
    >>> drawn = bracket_bars_svg(align("(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (NP (V bark)))"))
    >>> [drawn.count(f'class="function {status}"') for status in ("matched", "deleted", "inserted")]
    [4, 1, 1]
    """
    gold, test = alignment.gold, alignment.test
    if gold.words != test.words:
        raise ParameterError("the words of the trees differ; bars can be drawn over the same words only")
    return function_bars_svg(
        gold.words,
        bracket_bars(gold, alignment.e.gold_status, part),
        below=bracket_bars(test, alignment.e.test_status, part),
        theme=theme,
        label="brackets of the gold tree above, of the test tree below",
    )
