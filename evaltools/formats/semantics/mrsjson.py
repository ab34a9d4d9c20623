"""MRS as JSON, one object or a list of them; each becomes an EDS."""

from __future__ import annotations

from typing import Any

from delphin.codecs import mrsjson

from evaltools.formats.semantics.json_pieces import cut_json, json_content, keys
from evaltools.formats.semantics.native import normalized
from evaltools.formats.semantics.pieces import Piece, Pieces

__all__ = ["cut", "looks_like", "structure"]

NAME = "mrsjson"
TITLE = "MRS-JSON"


def looks_like(text: str) -> bool:
    """Tell whether the first object has a list of relations."""
    return "relations[" in keys(text)


def cut(text: str) -> Pieces:
    """Cut a text into graphs."""
    return cut_json(text, by_line=False)


def structure(piece: Piece) -> Any:
    """Read one MRS."""
    return normalized(mrsjson.from_dict(json_content(piece)))
