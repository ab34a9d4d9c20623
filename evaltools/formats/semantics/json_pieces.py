"""JSON cut into the objects of a list, or of lines: those that cannot be read do not touch the others."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

from evaltools.errors import excerpt
from evaltools.formats.semantics.pieces import Piece, Pieces
from evaltools.formats.semantics.structures import clean

__all__ = ["cut_json", "json_content", "keys"]

_BETWEEN = re.compile(r"[\s,\[\]]*")
_KEY = re.compile(r'"([A-Za-z]+)"\s*:\s*([\[{]?)')
_HEAD = re.compile(
    r'\{\s*"(?:top|index|relations|constraints|variables|nodes|links|surface|identifier|id|text|input|sentence)"\s*:'
)
_NAMED = re.compile(r'"(?:id|identifier)"\s*:\s*("(?:[^"\\\n]|\\[^\n])*"|-?[0-9]+)\s*[,}]')
_NAMES = ("id", "identifier")
_TEXTS = ("input", "surface", "text", "sentence")
_decoder = json.JSONDecoder()


def keys(text: str) -> set[str]:
    """Return the keys at the beginning of a text that looks like JSON, with ``{`` or ``[`` if that follows.

    >>> sorted(keys('[{"top": "e2", "nodes": {}}]'))
    ['nodes{', 'top']
    """
    if not re.match(r'\s*(?:\[\s*)*\{\s*["}]', text):
        return set()
    return {name + bracket for name, bracket in _KEY.findall(text[:100_000])}


def cut_json(text: str, *, by_line: bool) -> Pieces:
    """Cut JSON into objects.

    Parameters
    ----------
    text : str
        An object, a list of them, or one after the other.
    by_line : bool
        Whether each object has a line of its own where not all of the text can be read.
    """
    pieces = Pieces(text)
    if not _whole(pieces):
        pieces.found.clear()
        pieces.flaws.clear()
        if by_line:
            _lines(pieces)
        else:
            _heads(pieces)
    return pieces


def _whole(pieces: Pieces) -> bool:
    """Read one object after the other; tell whether that was possible to the end."""
    text, at = pieces.text, 0
    while True:
        at = _after(text, at)
        if at == len(text):
            return True
        try:
            content, end = _decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return False
        if not isinstance(content, dict):
            return False
        pieces.found.append(_piece(pieces.line(at), text[at:end], content))
        at = end


def _lines(pieces: Pieces) -> None:
    for number, line in enumerate(pieces.text.split("\n"), start=1):
        if body := line.strip(" \t\r\v\f,[]"):
            pieces.found.append(_read(number, body))


def _heads(pieces: Pieces) -> None:
    """Cut where a key stands that only a graph begins with; inside strings such keys have a backslash."""
    text = pieces.text
    starts = [match.start() for match in _HEAD.finditer(text)]
    first = starts[0] if starts else len(text)
    pieces.stray(min(_after(text, 0), first), first, "a graph")
    for start, end in pairwise([*starts, len(text)]):
        body = text[start:end].rstrip(" \t\r\n,")
        try:
            content, length = _decoder.raw_decode(body)
        except (ValueError, RecursionError):
            pieces.found.append(_broken(pieces.line(start), body))
            continue
        pieces.found.append(_piece(pieces.line(start), body[:length], content))
        pieces.stray(min(_after(text, start + length), end), end, "a graph")


def _after(text: str, at: int) -> int:
    """Return where white space, commas and brackets from a place on end."""
    between = _BETWEEN.match(text, at)
    assert between is not None
    return between.end()


def _read(line: int, body: str) -> Piece:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return _broken(line, body)
    return _piece(line, body, content) if isinstance(content, dict) else Piece(line, excerpt(body), content=content)


def _broken(line: int, body: str) -> Piece:
    """Return what cannot be read, with its name if that stands where names do: before everything that is nested."""
    name = None
    if (match := _NAMED.search(body.partition("[")[0])) is not None:
        try:
            name = clean(json.loads(match[1]))
        except ValueError:
            name = match[1]
    return Piece(line, body, name)


def _piece(line: int, body: str, content: dict[str, Any]) -> Piece:
    name = next((content[key] for key in _NAMES if content.get(key) is not None), None)
    said = next((content[key] for key in _TEXTS if isinstance(content.get(key), str)), "")
    return Piece(line, body, None if name is None else clean(name), clean(said), None, content)


def json_content(piece: Piece) -> Any:
    """Return what JSON has in a piece.

    Raises
    ------
    ValueError
        If it cannot be read; :class:`json.JSONDecodeError` says where.
    """
    return piece.content if piece.content is not None else json.loads(piece.body)
