"""DMRS as JSON, one object or a list of them."""

from __future__ import annotations

from typing import Any

from delphin.codecs import dmrsjson

from evaltools.formats.semantics.json_pieces import cut_json, json_content, keys
from evaltools.formats.semantics.native import normalized
from evaltools.formats.semantics.pieces import Piece, Pieces

__all__ = ["cut", "looks_like", "structure"]

NAME = "dmrsjson"
TITLE = "DMRS-JSON"


def looks_like(text: str) -> bool:
    """Tell whether the first object has links, or nodes with numbers."""
    return bool({"links[", "nodeid"} & keys(text))


def cut(text: str) -> Pieces:
    """Cut a text into graphs."""
    return cut_json(text, by_line=False)


def structure(piece: Piece) -> Any:
    """Read one graph."""
    return normalized(dmrsjson.from_dict(json_content(piece)))
