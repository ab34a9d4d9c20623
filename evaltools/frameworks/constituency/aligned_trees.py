"""The alignment of two constituency trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from evaltools.corpus import Kind, Tree
from evaltools.display import NotebookObject
from evaltools.frameworks.common.lineages import PlacedWord, WordComparison
from evaltools.marks import Status
from evaltools.text import short_repr


@dataclass(frozen=True, slots=True)
class EditStep:
    """One step of the edit script that turns the gold tree into the test tree."""

    status: Status  # Never ``RIGHT``
    gold: int | None  # The nodes concerned; None on the side where there is none
    test: int | None
    text: str  # The step in words, naming labels and the words they span


@dataclass(frozen=True)
class Mapping:
    """A partial one-to-one mapping from the nodes of the gold tree to those of the test tree.

    Parameters
    ----------
    kind : {"e", "t"}
        E-mapping (equal label and span) or T-mapping (keeps order and ancestry).
    pairs : tuple of (int, int)
        Mapped nodes, gold first, ordered by gold node.
    gold_status, test_status : tuple of Status or None
        Status of every node of the two trees; None if the E-mapping does not compare the bracket, as it does not count.
    moves : tuple of (int, int)
        Roots of the subtrees that moved (T-mapping only).
    steps : tuple of EditStep
        The edit script.
    """

    kind: str
    pairs: tuple[tuple[int, int], ...]
    gold_status: tuple[Status | None, ...]
    test_status: tuple[Status | None, ...]
    moves: tuple[tuple[int, int], ...]
    steps: tuple[EditStep, ...]

    def __repr__(self) -> str:
        return short_repr(self, f"{self.kind}: {len(self.pairs)} pairs of nodes, {len(self.steps)} steps")

    @cached_property
    def gold_partner(self) -> tuple[int | None, ...]:
        """For each gold node the test node it is mapped to, or None."""
        partner = dict(self.pairs)
        return tuple(partner.get(node) for node in range(len(self.gold_status)))

    @cached_property
    def test_partner(self) -> tuple[int | None, ...]:
        """For each test node the gold node mapped to it, or None."""
        partner = {test: gold for gold, test in self.pairs}
        return tuple(partner.get(node) for node in range(len(self.test_status)))

    def number(self, status: Status) -> int:
        """Return the number of nodes with a status: gold nodes, or test nodes for ``SPURIOUS``.

        Parameters
        ----------
        status : Status
            The status.
        """
        statuses = self.test_status if status is Status.SPURIOUS else self.gold_status
        return sum(value is status for value in statuses)


class WordMatch(StrEnum):
    """Why a gold word and a test word are aligned."""

    EXACT = "exact"
    FOLDED = "folded"
    CHARACTERS = "characters"


@dataclass(frozen=True, slots=True)
class WordLink:
    """A gold word aligned with a test word of a sentence whose words differ."""

    gold: int  # Positions among the words as read, from 0
    test: int
    # ``EXACT``: the same form; ``FOLDED``: the same but for case and escapes; ``CHARACTERS``: some characters are
    # aligned, as those of ``can`` and ``not`` with ``cannot``.
    how: WordMatch
    characters: int  # Number of aligned characters of the two words


class Operation(StrEnum):
    """What a step does."""

    RELABEL = "relabel"
    MOVE = "move"
    ADD = "add"
    REMOVE = "remove"

    @property
    def status(self) -> Status:
        """Status of what it repairs: a bracket to add is missing, one to remove is spurious."""
        return _STATUS[self]


_STATUS = {
    Operation.RELABEL: Status.RELABELED,
    Operation.MOVE: Status.MOVED,
    Operation.ADD: Status.MISSING,
    Operation.REMOVE: Status.SPURIOUS,
}


class Edit(Struct, frozen=True, array_like=True):
    """One step of the repair by the numbers of its nodes, as it is stored.

    The phrases and words of the test tree are numbered from 1 in postorder; 0 is a top above all of them, and a bracket
    that is added gets the next number. What a step does not have is -1.
    """

    operation: Operation
    repaired: int  # Number of errors that the step removes
    node: int  # The node that gets a new label or is removed; the first one that moves
    last: int  # The last one that moves
    target: int  # The new parent of those that move, and the child that they stand behind there, -1 before all
    after: int
    label: str | None  # The new label, or that of the bracket that is added
    parent: int  # Of that bracket, the child that it stands behind, the number of its children, and its span
    before: int
    size: int
    start: int
    end: int


Edits = tuple[Edit, ...]
"""A repair: its steps in their order."""


@dataclass(frozen=True)
class Alignment(NotebookObject):
    """Two trees of one sentence, how their nodes map, and every score.

    Parameters
    ----------
    gold, test : Tree
        The trees after normalization; these are what is scored and drawn.
    e, t : Mapping
        The E-mapping and the canonical T-mapping.
    words : tuple of WordComparison
        One for each gold word; empty where nothing is compared.
    gold_words, test_words : tuple of PlacedWord
        The words as read, without the empty elements that the preset removes.
    status : {"ok", "missing", "words_differ"}
        As in a run.
    counts : dict
        The sufficient statistics of the pair, by column name.
    scores : dict
        Score of each metric by id; None where undefined.
    links : tuple of WordLink
        How the words as read are aligned where they differ, in order; empty where they are equal and where nothing is
        compared.
    label_classes : dict
        For each label of the two trees that the preset equates with others a label of its class.
    labelled : bool
        False if the preset ignores the labels of brackets.
    edits : tuple of Edit or None
        The steps that repair the test tree; None where there is no repair.
    """

    gold: Tree
    test: Tree
    e: Mapping
    t: Mapping
    words: tuple[WordComparison, ...]
    gold_words: tuple[PlacedWord, ...]
    test_words: tuple[PlacedWord, ...]
    status: str
    counts: dict[str, float]
    scores: dict[str, float | None]
    links: tuple[WordLink, ...] = ()
    label_classes: dict[str, str] = field(default_factory=dict)
    labelled: bool = True
    edits: Edits | None = None

    def __repr__(self) -> str:
        pairs = f"{len(self.e.pairs)} pairs of nodes by E, {len(self.t.pairs)} by T"
        return short_repr(self, f"of {len(self.words)} words, {self.status}: {pairs}")

    @property
    def is_continuous(self) -> bool:
        """Whether all constituents of both trees are over neighboring words."""
        return self.gold.is_continuous and self.test.is_continuous

    @property
    def bracket_classes(self) -> dict[str, str]:
        """For each label of phrases that counts as equal to others a label of its class."""
        if self.labelled:
            return self.label_classes
        return dict.fromkeys((*self.gold.labels, *self.test.labels), "")

    def mapping(self, kind: str) -> Mapping:
        """Return the mapping named ``"e"`` or ``"t"``.

        Parameters
        ----------
        kind : {"e", "t"}
            The kind of mapping.
        """
        return {"e": self.e, "t": self.t}[kind]

    @property
    def sentence_length(self) -> int:
        """Number of words of the gold tree after normalization."""
        return sum(kind is Kind.WORD for kind in self.gold.kinds)
