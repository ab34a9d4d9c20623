"""MRX, MRS as XML: ``<mrs-list>`` with an ``<mrs>`` for each; ``ident`` names the item. Each becomes an EDS."""

from __future__ import annotations

from typing import Any

from delphin.codecs import mrx

from evaltools.formats.semantics.native import normalized
from evaltools.formats.semantics.pieces import Piece, Pieces
from evaltools.formats.semantics.xml_pieces import begins_with, cut_xml, without_declarations

__all__ = ["cut", "looks_like", "structure"]

NAME = "mrx"
TITLE = "MRX"


def looks_like(text: str) -> bool:
    """Tell whether the first element is an MRS or a list of them."""
    return begins_with(text, "mrs")


def cut(text: str) -> Pieces:
    """Cut a text into graphs."""
    return cut_xml(text, "mrs")


def structure(piece: Piece) -> Any:
    """Read one MRS."""
    return normalized(mrx.decode(without_declarations(piece)))
