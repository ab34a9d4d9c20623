"""DMRX, DMRS as XML: ``<dmrs-list>`` with a ``<dmrs>`` for each; ``ident`` names the item."""

from __future__ import annotations

from typing import Any

from delphin.codecs import dmrx

from evaltools.formats.semantics.native import normalized
from evaltools.formats.semantics.pieces import Piece, Pieces
from evaltools.formats.semantics.xml_pieces import begins_with, cut_xml, without_declarations

__all__ = ["cut", "looks_like", "structure"]

NAME = "dmrx"
TITLE = "DMRX"


def looks_like(text: str) -> bool:
    """Tell whether the first element is a DMRS or a list of them."""
    return begins_with(text, "dmrs")


def cut(text: str) -> Pieces:
    """Cut a text into graphs."""
    return cut_xml(text, "dmrs")


def structure(piece: Piece) -> Any:
    """Read one graph."""
    return normalized(dmrx.decode(without_declarations(piece)))
