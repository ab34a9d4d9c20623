"""Elementary Dependency Structures in their native notation: ``{e2: e2:_rain_v_1<3:8>{e TENSE pres}[]}``.

``#name`` before the brace names the item; further graphs of the same name, or after the same ``SENT:`` line where they
have no name, are further results of that item. A graph without nodes stands for a sentence without an analysis.

References
----------
Stephan Oepen and Jan Tore Lønning. 2006. Discriminant-based MRS banking. LREC.
"""

from __future__ import annotations

import re
from typing import Any

from delphin.codecs import eds

from evaltools.formats.semantics.native import decoded, normalized, unescaped
from evaltools.formats.semantics.pieces import Piece, Pieces, cut_nested

__all__ = ["cut", "looks_like", "structure"]

NAME = "eds"
TITLE = "EDS"

_START = re.compile(
    r"""\s*(?:\#[^\s{]+\s*)?\{\s*(?:
        \} | : | \| | \((?:cyclic\ *)?(?:fragmented)?\)
        | [^\s:,<(\[\]{}"]+\s*:\s*(?:\} | \| | \((?:cyclic|fragmented) | [^\s:,<(\[\]{}]+\s*[:<(\[{])
    )""",
    re.VERBOSE,
)
_TOKENS = re.compile(
    r"""
    (?P<ace>^(?:SENT|SKIP|NOTE|WARNING|ERROR):)
    | \("(?:[^"\\\n]|\\.)*"\)
    | (?P<head>(?:(?:^|(?<=[}\s]))\#(?P<id>[^\s{]+)\s*|(?:^|(?<=\}))[ \t]*)\{)
    | (?P<open>\{) | (?P<close>\})
    """,
    re.VERBOSE | re.MULTILINE,
)


def looks_like(text: str) -> bool:
    """Tell whether the text begins with a graph in braces."""
    return _START.match(text) is not None


def cut(text: str) -> Pieces:
    """Cut a text into graphs."""
    return cut_nested(text, _TOKENS, "a graph in braces")


def structure(piece: Piece) -> Any:
    """Read one graph."""
    found = decoded(eds, piece.body)
    for node in found.nodes:
        if node.carg is not None:
            node.carg = unescaped(node.carg)
    return normalized(found)
