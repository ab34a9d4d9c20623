"""SimpleMRS, as grammars and ACE print it: ``[ LTOP: h0 INDEX: e2 [ e SF: prop ] RELS: < … > HCONS: < … > ]``.

Each MRS becomes an EDS. Graphs have no names; those after one ``SENT:`` line are the results of that sentence, and
what follows a semicolon after a graph, a derivation as ACE prints it, is ignored.
"""

from __future__ import annotations

import re
from typing import Any

from delphin.codecs import simplemrs

from evaltools.formats.semantics.pydelphin import GraphError, decode
from evaltools.formats.semantics.repeated import repeated_in_mrs
from evaltools.formats.semantics.segments import Notation, cut_nested

__all__ = ["SIMPLEMRS"]

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


def _decode(body: str) -> Any:
    structure = decode(simplemrs, body)
    if not structure.rels and "RELS" not in body.upper():
        raise GraphError("an MRS without RELS")
    return structure


SIMPLEMRS = Notation(
    "simplemrs",
    "SimpleMRS",
    _START.match,
    lambda text: cut_nested(text, _TOKENS, "an MRS in square brackets"),
    lambda segment: _decode(segment.body),
    repeated=repeated_in_mrs,
)
