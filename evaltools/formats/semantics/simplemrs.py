"""SimpleMRS, as grammars and ACE print it: ``[ LTOP: h0 INDEX: e2 [ e SF: prop ] RELS: < … > HCONS: < … > ]``.

Each MRS becomes an EDS. Graphs have no names; those after one ``SENT:`` line are the results of that sentence, and
what follows a semicolon after a graph, a derivation as ACE prints it, is passed over.
"""

from __future__ import annotations

import re
from typing import Any

from delphin.codecs import simplemrs

from evaltools.formats.semantics.native import decoded
from evaltools.formats.semantics.pieces import Piece, Pieces, cut_nested

__all__ = ["cut", "looks_like", "structure"]

NAME = "simplemrs"
TITLE = "SimpleMRS"

_HEAD = r"""\[\s*(?:<[-\d:\#@ ]+>\s*)?(?:"(?:[^"\\\n]|\\.)*"\s*)?(?:L?TOP|INDEX|RELS)\s*:"""
_START = re.compile(rf"\s*{_HEAD}", re.VERBOSE | re.IGNORECASE)
_TOKENS = re.compile(
    rf"""
    (?P<ace>^(?:SENT|SKIP|NOTE|WARNING|ERROR):)
    | (?P<comment>(?<=\])[ ]*;[^\n]*)
    | (?P<head>{_HEAD})
    | "(?:[^"\\\n]|\\.)*"
    | (?<![^\s\[])_[^\s_]+_[nvajrscpqxud](?:_(?:[^\s_<]|<(?![-0-9:\#@ ]*>\s))+)?(?:_rel)?
    | (?P<open>\[) | (?P<close>\])
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def looks_like(text: str) -> bool:
    """Tell whether the text begins with an MRS in square brackets."""
    return _START.match(text) is not None


def cut(text: str) -> Pieces:
    """Cut a text into graphs."""
    return cut_nested(text, _TOKENS, "an MRS in square brackets")


def structure(piece: Piece) -> Any:
    """Read one MRS."""
    return decoded(simplemrs, piece.body)
