"""The alignment of two dependency trees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from evaltools.alignments.trees import PlacedWord, WordComparison
from evaltools.corpus import DependencyTree
from evaltools.display import NotebookObject
from evaltools.text import scores_in_line, short_repr

__all__ = ["ArcStatus", "DependencyAlignment"]


class ArcStatus(StrEnum):
    """Status of the arc from a word to its head."""

    # ``RIGHT``: the same head and relation in both trees; ``WRONG_LABEL``: the same head, another relation;
    # ``WRONG_HEAD``: another head, the same relation; ``BOTH_WRONG``: neither is the same; ``UNALIGNED``: the other
    # tree has no such word; ``LEFT_OUT``: the word is not counted, such as punctuation where that is left out,
    # or a word to which the gold tree gives no head.

    RIGHT = "right"
    WRONG_LABEL = "wrong_label"
    WRONG_HEAD = "wrong_head"
    BOTH_WRONG = "both_wrong"
    UNALIGNED = "unaligned"
    LEFT_OUT = "left_out"


@dataclass(frozen=True)
class DependencyAlignment(NotebookObject):
    """Two dependency trees of one sentence, arc by arc, and every score.

    Parameters
    ----------
    gold, test : DependencyTree
        The trees as they were read; a missing one has no words.
    partner : tuple of (int or None)
        For each gold word the test word aligned with it, None where there is none.
    gold_status, test_status : tuple of ArcStatus
        Status of the arc from every gold word, and from every test word, to its head.
    words : tuple of WordComparison
        One for each gold word that is counted, with the relations from the word up to the root in both trees; empty
        where nothing is compared.
    status : {"ok", "missing", "words_differ"}
        As in a run.
    counts : dict
        The sufficient statistics of the pair, by column name.
    scores : dict
        Score of each metric by id; None where undefined.
    """

    gold: DependencyTree
    test: DependencyTree
    partner: tuple[int | None, ...]
    gold_status: tuple[ArcStatus, ...]
    test_status: tuple[ArcStatus, ...]
    words: tuple[WordComparison, ...]
    status: str
    counts: dict[str, float]
    scores: dict[str, float | None]

    def __repr__(self) -> str:
        return short_repr(self, f"of {len(self.gold)} words, {self.status}: {scores_in_line(self.scores)}")

    @classmethod
    def of_one(cls, tree: DependencyTree) -> DependencyAlignment:
        """Return a tree beside itself, every arc right, without scores.

        Parameters
        ----------
        tree : DependencyTree
            The tree.

        Returns
        -------
        DependencyAlignment
            The alignment of the tree with itself.
        """
        right = (ArcStatus.RIGHT,) * len(tree)
        return cls(tree, tree, tuple(range(len(tree))), right, right, (), "ok", {}, {})

    @property
    def test_partner(self) -> tuple[int | None, ...]:
        """For each test word the gold word aligned with it, or None."""
        gold_word_of = {test_word: word for word, test_word in enumerate(self.partner) if test_word is not None}
        return tuple(gold_word_of.get(word) for word in range(len(self.test)))

    @property
    def gold_words(self) -> tuple[PlacedWord, ...]:
        """The gold words, with their positions; those that are not counted have none."""
        return _placed(self.gold, self.gold_status)

    @property
    def test_words(self) -> tuple[PlacedWord, ...]:
        """The test words, with their positions; those that are not counted have none."""
        return _placed(self.test, self.test_status)

    @property
    def sentence_length(self) -> int:
        """Number of gold words."""
        return len(self.gold)

    def number(self, status: ArcStatus) -> int:
        """Return the number of gold words with a status.

        Parameters
        ----------
        status : ArcStatus
            The status.
        """
        return Counter(self.gold_status)[status]


def _placed(tree: DependencyTree, statuses: tuple[ArcStatus, ...]) -> tuple[PlacedWord, ...]:
    return tuple(
        PlacedWord(form, None if status is ArcStatus.LEFT_OUT else index)
        for index, (form, status) in enumerate(zip(tree.forms, statuses, strict=True))
    )
