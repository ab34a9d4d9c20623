"""TedEval of one sentence: the record of its edit script, with the sizes behind its score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaltools.corpus import MultiFunctionTree
from evaltools.corpus.function_trees import Yield
from evaltools.display import NotebookObject
from evaltools.marks import Status
from evaltools.text import short_repr


@dataclass(frozen=True, slots=True)
class Operation:
    """One step of an edit script; those of 2011 insert nodes where those of 2012 add functions."""

    kind: Literal["delete", "add", "insert", "relabel"]
    label: str | None  # The function; None where labels do not count
    words: Yield  # The words of the node
    discarded: bool = False  # Whether the parser's own gold needs the same step, so that it is no error
    becomes: str | None = None  # The function after it is relabeled

    @property
    def status(self) -> Status:
        """Status of the node: one to delete is only in the parse, one to add or to insert is missing."""
        return {"delete": Status.SPURIOUS, "relabel": Status.RELABELED}.get(self.kind, Status.MISSING)

    def text(self, words: str) -> str:
        """Return the step, given its words as text.

        Parameters
        ----------
        words : str
            The words of the node, joined and perhaps shortened.
        """
        label = f"{self.label} " if self.label is not None else ""
        return f"{self.kind} {label}{f'as {self.becomes} ' if self.becomes else ''}over “{words}”"


@dataclass(frozen=True, slots=True)
class TedEvalProtocol(NotebookObject):
    """The edit script and the sizes behind the score of one sentence.

    Parameters
    ----------
    parse : MultiFunctionTree
        The parse; by the measure of 2011 heads are under the wildcard.
    golds : tuple of MultiFunctionTree
        The gold trees that were compared, likewise.
    own : int
        Which of them is of the parser's theory.
    generalization : MultiFunctionTree or None
        The generalization of all golds; None by the measure of 2011, in which one node can stand for several labels.
    labeled, count_root : bool
        Whether labels, and the root, count.
    operations : tuple of Operation
        From the parse to the generalization: deletions, relabelings, then additions, the largest nodes first.
    n_parse, n_generalized : int
        Sizes, in pairs of a function and its words, or in nodes.
    in_characters : bool
        Whether the trees are over characters, because the words differ.
    words_aligned : bool
        Whether the words differ and there are multiword tokens: the trees are then over the aligned words of these,
        words that one side alone has, and stretches of characters.
    """

    parse: MultiFunctionTree
    golds: tuple[MultiFunctionTree, ...]
    own: int
    generalization: MultiFunctionTree | None
    labeled: bool
    count_root: bool
    operations: tuple[Operation, ...]
    n_parse: int
    n_generalized: int
    in_characters: bool = False
    words_aligned: bool = False

    def __repr__(self) -> str:
        return short_repr(
            self, f"of {len(self.parse.words)} words: {self.delta} operations against {len(self.golds)} gold trees"
        )

    @property
    def delta(self) -> int:
        """Number of operations that are not discarded."""
        return sum(not item.discarded for item in self.operations)

    @property
    def score(self) -> float | None:
        """1 − δ / (n_parse + n_generalized); None where there is nothing to count and the trees are not equal."""
        total = self.n_parse + self.n_generalized
        if total:
            return 1 - self.delta / total
        goals = [tree for tree in (self.golds[self.own], self.generalization) if tree is not None]
        if self.labeled:
            return 1.0 if self.parse.labels in [tree.labels for tree in goals] else None
        return 1.0 if self.parse.yields in [tree.yields for tree in goals] else None
