"""The errors of a dependency parse or a semantic graph as marks on its sentence: labels of words, arcs, repairs."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.alignments.marked import MarkedWord, Repair
from evaltools.corpus import Span
from evaltools.display import NotebookObject

__all__ = ["MarkedArc", "MarkedArcs", "MarkedLabel"]


@dataclass(frozen=True, slots=True)
class MarkedLabel:
    """A label at some words that differs: the relation of a word, or the predicate or a property of a node."""

    side: str  # ``"gold"`` or ``"test"``
    node: int  # Its word or node in the analysis of that side
    text: str
    span: Span  # Its words, as indices of the words of the sentence
    # ``"missing"``, ``"spurious"`` or ``"relabeled"``, or ``"right"`` if it is right; of two parsers, ``"only-a"`` if
    # the first one alone is wrong, ``"only-b"`` if the second one is, ``"alike"`` if both are
    status: str
    repairs: tuple[int, ...]  # Numbers of the repairs that it belongs to; of two parsers 1 (A), 2 (B), or both
    says: str = ""  # What it is, in words


@dataclass(frozen=True, slots=True)
class MarkedArc:
    """An arc that differs, from a head to its dependent, or from a node to its argument."""

    side: str
    source: int | None  # Indices of the words that it leads from and to; None for that of a root
    target: int
    status: str
    repairs: tuple[int, ...]
    text: str = ""  # Its label; empty if that is at the target
    says: str = ""


@dataclass(frozen=True, slots=True)
class MarkedArcs(NotebookObject):
    """A sentence with the arcs and labels of a parse that differ from gold, and the repairs that explain them.

    Parameters
    ----------
    words : tuple of MarkedWord
        The words; then, if `own_row` is not None, the nodes that are at no word.
    labels : tuple of MarkedLabel
        The labels that differ.
    arcs : tuple of MarkedArc
        The arcs that differ.
    repairs : tuple of Repair
        The repairs, the one that explains most first.
    wrong : int
        Number of what is wrong, in `unit`.
    unit : str
        What is counted, in the plural.
    own_row : int or None
        Index of the first node that is at no word.
    parsers : tuple of str
        Names of the two parsers, A and B, of a sentence that compares them with gold; else empty.
    right : tuple of MarkedArc
        The arcs that are right, as those of gold.
    right_labels : tuple of MarkedLabel
        The labels at their words.
    """

    words: tuple[MarkedWord, ...]
    labels: tuple[MarkedLabel, ...] = ()
    arcs: tuple[MarkedArc, ...] = ()
    repairs: tuple[Repair, ...] = ()
    wrong: int = 0
    unit: str = "arcs"
    own_row: int | None = None
    parsers: tuple[str, ...] = ()
    right: tuple[MarkedArc, ...] = ()
    right_labels: tuple[MarkedLabel, ...] = ()

    @property
    def statuses(self) -> frozenset[str]:
        """The statuses of its labels, arcs and repairs."""
        marks = {label.status for label in self.labels} | {arc.status for arc in self.arcs}
        return frozenset(marks | {item.cause.value for item in self.repairs})
