"""XML cut into the elements of a list, each read by itself: no document, so no entities of its own."""

from __future__ import annotations

import re
from html import unescape

from evaltools.formats.semantics.native import GraphError
from evaltools.formats.semantics.pieces import Piece, Pieces
from evaltools.formats.semantics.structures import clean

__all__ = ["begins_with", "cut_xml", "without_declarations"]

_AROUND = re.compile(r"<\?[^<>]*>|</?(?:mrs-list|dmrs-list)\b[^<>]*>")
_BEFORE = re.compile(r"(?:\s*(?:<\?.*?\?>|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>))*", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def begins_with(text: str, tag: str) -> bool:
    """Tell whether the first element of a text is one of these, or a list of them."""
    text = _without_comments(text[:100_000])
    return re.compile(rf"\s*<{tag}(?:-list)?[\s>/]").match(text, _before(text)) is not None


def cut_xml(text: str, tag: str) -> Pieces:
    """Cut XML into elements.

    Parameters
    ----------
    text : str
        A list of elements, or some without a list around them.
    tag : str
        Their name.
    """
    pieces = Pieces(_without_comments(text))
    text = pieces.text
    heads = list(re.finditer(rf"<{tag}(?=[\s>/])[^<>]*?(/?)>|<{tag}(?=[\s>/])", text))
    last = _before(text)
    limits = [*(head.start() for head in heads[1:]), len(text)]
    for head, limit in zip(heads, limits, strict=False):  # without any head there is one limit
        _around(pieces, last, head.start(), tag)
        last = _end(text, tag, head, limit)
        said = {one[1]: unescape(one[2] or one[3] or "") for one in _ATTRIBUTE.finditer(head[0])}
        body = text[head.start() : last].rstrip()
        pieces.found.append(
            Piece(pieces.line(head.start()), body, said.get("ident") or None, clean(said.get("surface", "")))
        )
    _around(pieces, last, len(text), tag)
    return pieces


def _end(text: str, tag: str, head: re.Match[str], limit: int) -> int:
    """Return where an element ends, `limit` if it is never closed."""
    if head[1]:
        return head.end()
    end = text.find(f"</{tag}>", head.end(), limit)
    return limit if end < 0 else end + len(tag) + 3


def _without_comments(text: str) -> str:
    """Return a text with spaces for its comments."""
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts += [text[at:start], re.sub(r"[^\n]", " ", text[start : end + 3])]
        at = end + 3
    return "".join([*parts, text[at:]])


def _before(text: str) -> int:
    """Return where what may come before the first element ends."""
    found = _BEFORE.match(text)
    return found.end() if found is not None else 0


def _around(pieces: Pieces, start: int, end: int, tag: str) -> None:
    """Note text between elements that is none of the list around them."""
    at = start
    for match in _AROUND.finditer(pieces.text, start, end):
        pieces.stray(at, match.start(), f"<{tag}>")
        at = match.end()
    pieces.stray(at, end, f"<{tag}>")


def without_declarations(piece: Piece) -> str:
    """Return the text of a piece.

    Raises
    ------
    GraphError
        If it brings declarations of its own, which could name entities.
    """
    if "<!" in piece.body:
        raise GraphError("a declaration inside a graph")
    return piece.body
