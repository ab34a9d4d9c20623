"""SimpleDMRS: ``dmrs 7 { [<0:9>"It rains." top=10000] 10000 [_rain_v_1<3:8> e TENSE=pres]; }``.

The name after ``dmrs``, if there is one, is that of the item. Links ``MOD/EQ`` are no arguments; see
:mod:`evaltools.formats.semantics.pydelphin`.
"""

from __future__ import annotations

import re
from typing import Any

from delphin.codecs import simpledmrs

from evaltools.formats.semantics.pydelphin import decode, normalize, unescape
from evaltools.formats.semantics.repeated import repeated_in_dmrs
from evaltools.formats.semantics.segments import Notation, Segment, cut_nested

__all__ = ["SIMPLEDMRS"]

_START = re.compile(r"\s*dmrs(?:\s+[^\s{]+)?\s*\{")
_TOKENS = re.compile(
    r"""
    (?P<ace>^(?:SENT|SKIP|NOTE|WARNING|ERROR):)
    | "(?:[^"\\\n]|\\.)*"
    | (?P<head>(?<![^\s}])dmrs(?:\s+(?P<id>[^\s{]+))?\s*\{)
    | ^dmrs[ \t]+(?P<name>[^\s{\[]+)(?=\s)
    | (?P<open>\{) | (?P<close>\})
    """,
    re.VERBOSE | re.MULTILINE,
)


def _decode(segment: Segment) -> Any:
    structure = decode(simpledmrs, segment.body)
    if structure.surface is not None:
        structure.surface = unescape(structure.surface)
    for node in structure.nodes:
        if node.carg is not None:
            node.carg = unescape(node.carg)
    return normalize(structure)


SIMPLEDMRS = Notation(
    "simpledmrs",
    "SimpleDMRS",
    _START.match,
    lambda text: cut_nested(text, _TOKENS, "a DMRS in braces"),
    _decode,
    repeated=repeated_in_dmrs,
)
