"""EDS as JSON, one object or a list of them; what PyDelphin does not write, ``id`` and ``input``, is understood too."""

from __future__ import annotations

from typing import Any

from delphin.codecs import edsjson

from evaltools.formats.semantics.json_pieces import cut_json, json_content, keys
from evaltools.formats.semantics.native import normalized
from evaltools.formats.semantics.pieces import Piece, Pieces

__all__ = ["cut", "looks_like", "structure"]

NAME = "edsjson"
TITLE = "EDS-JSON"


def looks_like(text: str) -> bool:
    """Tell whether the nodes of the first object have names."""
    return "nodes{" in keys(text)


def cut(text: str) -> Pieces:
    """Cut a text into graphs."""
    return cut_json(text, by_line=False)


def structure(piece: Piece) -> Any:
    """Read one graph."""
    return normalized(edsjson.from_dict(json_content(piece)))
