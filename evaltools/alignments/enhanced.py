"""The enhanced dependencies of two analyses of a sentence, edge by edge."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.display import NotebookObject
from evaltools.marks import Status

__all__ = ["EnhancedAlignment", "EnhancedEdge", "EnhancedNode"]


@dataclass(frozen=True, slots=True)
class EnhancedNode:
    """A word or an empty node, of one analysis or of both."""

    gold: str | None  # Its number in each analysis, such as ``5`` or ``5.1``; None if it is not there
    test: str | None
    forms: tuple[str, str]  # Its forms; empty if it is not there
    tags: tuple[str, str]
    is_empty: bool  # Whether it is not in the text


@dataclass(frozen=True, slots=True)
class EnhancedEdge:
    """An edge of one analysis."""

    side: str  # ``"gold"`` or ``"test"``
    dependent: int  # Indices of nodes
    head: int | None  # None for an edge from the root
    relation: str
    # An edge at empty nodes is right if a path through it to a word is right; None if there is no such path.
    status: Status | None


@dataclass(frozen=True, slots=True)
class EnhancedAlignment(NotebookObject):
    """Two enhanced dependency graphs of one sentence.

    Parameters
    ----------
    nodes : tuple of EnhancedNode
        Words and empty nodes, in the order of the sentence.
    edges : tuple of EnhancedEdge
        The edges of gold, then those of the parse.
    """

    nodes: tuple[EnhancedNode, ...]
    edges: tuple[EnhancedEdge, ...]

    def __repr__(self) -> str:
        numbers = " and ".join(str(self.number(side)) for side in ("gold", "test"))
        return f"EnhancedAlignment(of {len(self.nodes)} nodes, {numbers} edges)"

    def number(self, side: str, *statuses: Status) -> int:
        """Return the number of edges of a side, or of those with some statuses.

        Parameters
        ----------
        side : {"gold", "test"}
            The side.
        *statuses : Status
            Their statuses; all if there are none.
        """
        return sum(edge.side == side and (not statuses or edge.status in statuses) for edge in self.edges)
