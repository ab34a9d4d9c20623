"""TedEval of one sentence: records of the steps, with the edit scripts and the sizes behind its score."""

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
    """One step of an edit script."""

    kind: Literal["delete", "add"]
    label: str | None  # The function; None where labels do not count
    words: Yield  # The words of the node
    # For a parse: its own gold needs the same step, so it is no error. For a gold: the parse needs it too.
    discarded: bool = False

    @property
    def status(self) -> Status:
        """Status of the node in a script from a parse: one to delete is only in the parse, one to add is missing."""
        return Status.SPURIOUS if self.kind == "delete" else Status.MISSING


@dataclass(frozen=True, slots=True)
class TedEvalProtocol(NotebookObject):
    """The edit scripts and sizes behind the score of one sentence.

    Parameters
    ----------
    parse : MultiFunctionTree
        The parse.
    golds : tuple of MultiFunctionTree
        The gold trees that were compared.
    own : int
        Which of them is of the parser's theory.
    generalization : MultiFunctionTree
        The generalization of all golds.
    labeled, count_root : bool
        Whether labels, and the root, count.
    in_characters : bool
        Whether the trees are over characters, because the words differ.
    operations : tuple of Operation
        From the parse to the generalization: deletions, then additions, the largest nodes first.
    gold_operations : tuple of tuple of Operation
        For every gold, from it to the generalization.
    n_parse, n_generalized : int
        Sizes, in pairs of a function and its words, or in nodes.
    words_aligned : bool
        Whether the words differ and there are multiword tokens: the trees are then over the aligned words of these,
        words that one side alone has, and stretches of characters.
    """

    parse: MultiFunctionTree
    golds: tuple[MultiFunctionTree, ...]
    own: int
    generalization: MultiFunctionTree
    labeled: bool
    count_root: bool
    in_characters: bool
    operations: tuple[Operation, ...]
    gold_operations: tuple[tuple[Operation, ...], ...]
    n_parse: int
    n_generalized: int
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
        equal = self.parse.labels in (self.generalization.labels, self.golds[self.own].labels)
        if not self.labeled:
            equal = self.parse.yields in (self.generalization.yields, self.golds[self.own].yields)
        return 1.0 if equal else None


@dataclass(frozen=True, slots=True)
class TedEval2011Step:
    """One step of the script from a parse to the generalization of its golds."""

    kind: Literal["delete", "insert", "relabel"]
    label: str | None  # The function; None where labels do not count
    words: Yield  # The words of the node
    becomes: str | None  # The function after it is relabeled
    discarded: bool  # Whether the own gold needs the same step, so that it is no error

    @property
    def status(self) -> Status:
        """Status of the node: spurious if it is deleted, missing if it is inserted."""
        if self.kind == "relabel":
            return Status.RELABELED
        return Status.SPURIOUS if self.kind == "delete" else Status.MISSING

    def text(self, words: str) -> str:
        """Return the step, given its words as text."""
        label = f"{self.label} " if self.label is not None else ""
        return f"{self.kind} {label}{f'as {self.becomes} ' if self.becomes else ''}over “{words}”"


@dataclass(frozen=True, slots=True)
class TedEval2011Steps:
    """The edit scripts and sizes behind the score of one sentence by the measure of 2011, which ignores the root."""

    parse: MultiFunctionTree  # The parse, heads under the wildcard
    golds: tuple[MultiFunctionTree, ...]  # The gold trees, likewise
    operations: tuple[TedEval2011Step, ...]  # From the parse to the generalization: deletions, relabelings, insertions
    delta: int  # Number of steps that are not discarded
    n_parse: int  # Numbers of functions that count
    n_generalized: int
    labeled: bool = True  # Whether functions count

    @property
    def metric(self) -> str:
        """The id of the metric whose score it is."""
        return f"tedeval2011_{'labeled' if self.labeled else 'unlabeled'}"

    @property
    def score(self) -> float | None:
        """1 − δ / (n_parse + n_generalized); None where there is nothing to count."""
        total = self.n_parse + self.n_generalized
        return 1 - self.delta / total if total else None
