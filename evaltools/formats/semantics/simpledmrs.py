"""SimpleDMRS: ``dmrs 7 { [<0:9>"It rains." top=10000] 10000 [_rain_v_1<3:8> e TENSE=pres]; }``.

The name after ``dmrs``, where there is one, is that of the item. Links ``MOD/EQ`` are no arguments; see
:mod:`evaltools.formats.semantics.structures`.
"""

from __future__ import annotations

import re
from typing import Any

from delphin.codecs import simpledmrs

from evaltools.formats.semantics.native import decoded, normalized, unescaped
from evaltools.formats.semantics.pieces import Piece, Pieces, cut_nested

__all__ = ["cut", "looks_like", "structure"]

NAME = "simpledmrs"
TITLE = "SimpleDMRS"

_START = re.compile(r"\s*dmrs(?:\s+[^\s{]+)?\s*\{")
_TOKENS = re.compile(
    r"""
    (?P<ace>^(?:SENT|SKIP|NOTE|WARNING|ERROR):)
    | "(?:[^"\\\n]|\\.)*"
    | (?P<head>(?<![^\s}])dmrs(?:\s+(?P<id>[^\s{]+))?\s*\{)
    | (?P<open>\{) | (?P<close>\})
    """,
    re.VERBOSE | re.MULTILINE,
)


def looks_like(text: str) -> bool:
    """Tell whether the text begins with ``dmrs`` and a brace."""
    return _START.match(text) is not None


def cut(text: str) -> Pieces:
    """Cut a text into graphs."""
    return cut_nested(text, _TOKENS, "a DMRS in braces")


def structure(piece: Piece) -> Any:
    """Read one graph."""
    found = decoded(simpledmrs, piece.body)
    if found.surface is not None:
        found.surface = unescaped(found.surface)
    for node in found.nodes:
        if node.carg is not None:
            node.carg = unescaped(node.carg)
    return normalized(found)
