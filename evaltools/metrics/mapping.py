"""What an alignment of two trees consists of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from evaltools.shown import Shown
from evaltools.treebank import Kind, Tree

__all__ = [
    "Alignment",
    "EditStep",
    "Lineage",
    "Mapping",
    "NodeStatus",
    "PlacedWord",
    "WordComparison",
    "WordLink",
    "WordMatch",
]

Lineage = tuple[str, ...]
"""Symbols from the leaf to the root: labels, and the markers ``[`` and ``]``."""


class NodeStatus(StrEnum):
    """What a mapping says of a node."""

    MATCHED = "matched"
    DELETED = "deleted"
    INSERTED = "inserted"
    SWAPPED = "swapped"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class EditStep:
    """One step of the edit script that turns the gold tree into the test tree.

    Parameters
    ----------
    status : NodeStatus
        ``DELETED``, ``INSERTED``, ``SWAPPED`` or ``MOVED``.
    gold, test : int or None
        The nodes concerned; None on the side where there is none.
    text : str
        The step in words, naming labels and the words they span.
    """

    status: NodeStatus
    gold: int | None
    test: int | None
    text: str


@dataclass(frozen=True)
class Mapping:
    """A partial one-to-one mapping from the nodes of the gold tree to those of the test tree.

    Parameters
    ----------
    kind : {"e", "t"}
        E-mapping (equal label and span) or T-mapping (keeps order and ancestry).
    pairs : tuple of (int, int)
        Mapped nodes, gold first, ordered by gold node.
    gold_status, test_status : tuple of NodeStatus
        Status of every node of the two trees.
    moves : tuple of (int, int)
        Roots of the subtrees that moved (T-mapping only).
    steps : tuple of EditStep
        The edit script.
    """

    kind: str
    pairs: tuple[tuple[int, int], ...]
    gold_status: tuple[NodeStatus, ...]
    test_status: tuple[NodeStatus, ...]
    moves: tuple[tuple[int, int], ...]
    steps: tuple[EditStep, ...]

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

    def number(self, status: NodeStatus) -> int:
        """Return how many nodes have a status: gold nodes, or test nodes for ``INSERTED``.

        Parameters
        ----------
        status : NodeStatus
            The status.
        """
        statuses = self.test_status if status is NodeStatus.INSERTED else self.gold_status
        return sum(value is status for value in statuses)


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word of the sentence as it was read, and its place after normalisation (None if deleted)."""

    form: str
    position: int | None


class WordMatch(StrEnum):
    """How a gold word and a test word came to be aligned."""

    EXACT = "exact"
    FOLDED = "folded"
    CHARACTERS = "characters"


@dataclass(frozen=True, slots=True)
class WordLink:
    """A gold word aligned with a test word of a sentence whose words differ.

    Parameters
    ----------
    gold, test : int
        Their places among the words as read, from 0.
    how : WordMatch
        ``EXACT``: the same form; ``FOLDED``: the same but for case and escapes; ``CHARACTERS``: some characters are
        aligned, as those of ``can`` and ``not`` with ``cannot``.
    characters : int
        How many characters the two words share in the alignment.
    """

    gold: int
    test: int
    how: WordMatch
    characters: int


@dataclass(frozen=True, slots=True)
class WordComparison(Shown):
    """One gold word's lineages in both trees and their similarity.

    Parameters
    ----------
    position : int
        Place in the normalised gold tree, from 0.
    form : str
        The word, as the gold tree has it.
    gold : tuple of str
        Its lineage in the gold tree, leaf first.
    test : tuple of str or None
        The lineage of its partner in the test tree; None where it has none.
    scores : dict
        Similarity in [0, 1] for each cost scheme, by metric id (``la_strict``, ``la_partial``, …); empty where the
        word has no partner.
    test_position : int or None
        The partner's place in the normalised test tree; where the words of the trees are equal, that of the gold word.
    test_form : str or None
        The partner, as the test tree has it.
    """

    position: int
    form: str
    gold: Lineage
    test: Lineage | None
    scores: dict[str, float]
    test_position: int | None = None
    test_form: str | None = None


@dataclass(frozen=True)
class Alignment(Shown):
    """Two trees of one sentence, how their nodes map, and every score.

    Parameters
    ----------
    gold, test : Tree
        The trees after normalisation; these are what is scored and drawn.
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

    def mapping(self, kind: str) -> Mapping:
        """Return the mapping named ``"e"`` or ``"t"``.

        Parameters
        ----------
        kind : {"e", "t"}
            Which one.
        """
        return {"e": self.e, "t": self.t}[kind]

    @property
    def sentence_length(self) -> int:
        """Number of words of the gold tree after normalisation."""
        return sum(kind is Kind.WORD for kind in self.gold.kinds)
