"""What reading semantic graphs gives: items, each with its results, and what was found wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaltools.errors import Problem
from evaltools.treebank import SemanticGraph

__all__ = ["SemanticBank", "SemanticItem"]


@dataclass(frozen=True, slots=True)
class SemanticItem:
    """One sentence and its analyses.

    Parameters
    ----------
    id : str or None
        Its name in the file; None where the file gives none.
    line : int
        Where it begins, from 1; in a profile the line of the table ``item``.
    text : str
        The sentence; empty where the file does not say it.
    results : tuple of SemanticGraph or None
        The analyses, best first; None for one that cannot be read or is empty. Nothing at all is no analysis.
    is_empty : bool
        Whether the first analysis is a graph without nodes, rather than one that is missing or cannot be read.

    Examples
    --------
    >>> SemanticItem("4", 1, "It rains.", ()).graph is None
    True
    """

    id: str | None
    line: int
    text: str
    results: tuple[SemanticGraph | None, ...]
    is_empty: bool = False

    @property
    def graph(self) -> SemanticGraph | None:
        """The first result, None if there is none."""
        return self.results[0] if self.results else None


@dataclass(frozen=True, slots=True)
class SemanticBank:
    """The semantic graphs of a file or of a profile.

    Parameters
    ----------
    name : str
        The file's name as the user gave it.
    path : str or None
        Where it is, if it is a file or a folder.
    digest : str
        SHA-256 of the bytes as stored; of those of the tables ``relations``, ``item``, ``parse`` and ``result``, one
        after the other, for a profile.
    format : str
        A name in :data:`evaltools.formats.semantics.SEMANTIC_FORMATS`.
    has_ids : bool
        Whether every item that has an analysis has a name, and any does.
    items : tuple of SemanticItem
        In the file's order.
    problems : list of Problem
        What was found wrong.
    """

    name: str
    path: str | None
    digest: str
    format: str
    has_ids: bool
    items: tuple[SemanticItem, ...]
    problems: list[Problem] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def framework(self) -> str:
        """The framework that its graphs are of, such as ``eds``; empty where none of them says."""
        graphs = (graph for item in self.items for graph in item.results if graph is not None)
        return next((graph.framework for graph in graphs if graph.framework), "")
