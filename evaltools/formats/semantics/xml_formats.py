"""MRX and DMRX, MRS and DMRS as XML: ``<mrs-list>`` with an ``<mrs>`` for each; ``ident`` names the item.

A text is cut into elements, and each is read separately; it is no document, so it has no entities of its own.
"""

from __future__ import annotations

import re
from html import unescape
from types import ModuleType
from typing import Any

from delphin.codecs import dmrx, mrx

from evaltools.formats.semantics.pydelphin import GraphError, clean, normalize
from evaltools.formats.semantics.repeated import repeated_in_mrx
from evaltools.formats.semantics.segments import Notation, Segment, SegmentedText

__all__ = ["DMRX", "MRX"]

_AROUND = re.compile(r"<\?[^<>]*>|</?(?:mrs-list|dmrs-list)\b[^<>]*>")
_BEFORE = re.compile(r"(?:\s*(?:<\?.*?\?>|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>))*", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def _begins_with(text: str, tag: str) -> bool:
    """Return whether the first element of a text has this tag, or is a list of such elements."""
    text = _without_comments(text[:100_000])
    return re.compile(rf"\s*<{tag}(?:-list)?[\s>/]").match(text, _before(text)) is not None


def _cut(text: str, tag: str) -> SegmentedText:
    result = SegmentedText(_without_comments(text))
    text = result.text
    heads = list(re.finditer(rf"<{tag}(?=[\s>/])[^<>]*?(/?)>|<{tag}(?=[\s>/])", text))
    covered = _before(text)
    limits = [*(head.start() for head in heads[1:]), len(text)]
    for head, limit in zip(heads, limits, strict=False):  # without any head there is one limit
        _add_stray(result, covered, head.start(), tag)
        covered = _end(text, tag, head, limit)
        values = {item[1]: unescape(item[2] or item[3] or "") for item in _ATTRIBUTE.finditer(head[0])}
        body = text[head.start() : covered].rstrip()
        name, sentence = values.get("ident") or None, clean(values.get("surface", ""))
        result.segments.append(Segment(result.line(head.start()), body, name, sentence))
    _add_stray(result, covered, len(text), tag)
    return result


def _end(text: str, tag: str, head: re.Match[str], limit: int) -> int:
    """Return where an element ends, `limit` if it is never closed."""
    if head[1]:
        return head.end()
    end = text.find(f"</{tag}>", head.end(), limit)
    return limit if end < 0 else end + len(tag) + 3


def _without_comments(text: str) -> str:
    """Return a text with spaces for its comments."""
    parts, offset = [], 0
    while (start := text.find("<!--", offset)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts += [text[offset:start], re.sub(r"[^\n]", " ", text[start : end + 3])]
        offset = end + 3
    return "".join([*parts, text[offset:]])


def _before(text: str) -> int:
    """Return the end of the declarations before the first element."""
    match = _BEFORE.match(text)
    return match.end() if match is not None else 0


def _add_stray(result: SegmentedText, start: int, end: int, tag: str) -> None:
    """Add a flaw for text between elements that is not part of the list around them."""
    for match in _AROUND.finditer(result.text, start, end):
        result.add_stray(start, match.start(), f"<{tag}>")
        start = match.end()
    result.add_stray(start, end, f"<{tag}>")


def _notation(name: str, title: str, codec: ModuleType, tag: str) -> Notation:
    def decode(segment: Segment) -> Any:
        if "<!" in segment.body:
            raise GraphError("a declaration inside a graph")
        return normalize(codec.decode(segment.body))

    return Notation(
        name,
        title,
        lambda text: _begins_with(text, tag),
        lambda text: _cut(text, tag),
        decode,
        repeated=repeated_in_mrx,
    )


MRX = _notation("mrx", "MRX", mrx, "mrs")
DMRX = _notation("dmrx", "DMRX", dmrx, "dmrs")
