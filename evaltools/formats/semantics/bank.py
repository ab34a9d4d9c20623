"""Semantic graphs as they are read: items, each with its results, and the problems of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaltools.corpus import SemanticGraph
from evaltools.corpus.semantic_graph import UNANCHORED
from evaltools.errors import Problem
from evaltools.text import short_repr

__all__ = ["SemanticBank", "SemanticItem"]


@dataclass(frozen=True, slots=True)
class SemanticItem:
    """One sentence and its analyses.

    Parameters
    ----------
    id : str or None
        Its name in the file; None if it has none.
    line : int
        Its first line, from 1; in a profile the line of the table ``item``.
    text : str
        The sentence; empty if it is not in the file.
    results : tuple of SemanticGraph or None
        The analyses, best first; None for one that cannot be read or is empty. An item without analyses has none.
    is_empty : bool
        Whether the first analysis is a graph without nodes; False if it is missing or cannot be read.
    metadata : mapping of str to str
        What the file says of the sentence, by key, such as its document.

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
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return short_repr(self, f"{self.id or ''}: {len(self.results)} results: {self.text}")

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
        The file or folder; None for other inputs.
    digest : str
        SHA-256 of the bytes as stored; of a profile, of the tables ``relations``, ``item``, ``parse`` and ``result``,
        one after the other.
    format : str
        A name in :data:`evaltools.formats.semantics.SEMANTIC_FORMATS`.
    has_ids : bool
        Whether most items that have an analysis have a name.
    items : tuple of SemanticItem
        In the file's order.
    problems : list of Problem
        Problems of the file.
    """

    name: str
    path: str | None
    digest: str
    format: str
    has_ids: bool
    items: tuple[SemanticItem, ...]
    problems: list[Problem] = field(default_factory=list)

    def __repr__(self) -> str:
        return short_repr(
            self, f"{self.name}: {len(self.items):,} items, {self.format}, {len(self.problems):,} problems"
        )

    def __len__(self) -> int:
        return len(self.items)

    @property
    def framework(self) -> str:
        """The framework of its graphs, such as ``eds``; empty if it is unknown."""
        graphs = (graph for item in self.items for graph in item.results if graph is not None)
        return next((graph.framework for graph in graphs if graph.framework), "")

    @property
    def is_unanchored(self) -> bool:
        """Whether nodes of its graphs are not known by their characters, as in AMRs."""
        return self.framework.lower() in UNANCHORED
