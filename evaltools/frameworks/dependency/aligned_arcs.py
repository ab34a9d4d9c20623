"""The alignment of two dependency trees, and of their enhanced dependencies."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.corpus import DependencyTree
from evaltools.display import NotebookObject
from evaltools.frameworks.common.lineages import PlacedWord, WordComparison
from evaltools.marks import Status
from evaltools.text import scores_in_line, short_repr


@dataclass(frozen=True)
class DependencyAlignment(NotebookObject):
    """Two dependency trees of one sentence, arc by arc, and every score.

    Parameters
    ----------
    gold, test : DependencyTree
        The trees as they were read; a missing one has no words.
    partner : tuple of (int or None)
        For each gold word the test word aligned with it, None where there is none.
    gold_status, test_status : tuple of Status or None
        Status of the arc from every gold word, and from every test word, to its head: right, relabeled (the same head,
        another relation), missing from the parse or spurious in it; None for a word that is not counted, such as
        punctuation where that is left out, or a word to which the gold tree gives no head.
    relabeled : tuple of bool
        Whether every gold word has another relation in the parse, to the right head or to another one.
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
    gold_status: tuple[Status | None, ...]
    test_status: tuple[Status | None, ...]
    relabeled: tuple[bool, ...]
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
        right = (Status.RIGHT,) * len(tree)
        return cls(tree, tree, tuple(range(len(tree))), right, right, (False,) * len(tree), (), "ok", {}, {})

    @property
    def test_partner(self) -> tuple[int | None, ...]:
        """For each test word the gold word aligned with it, or None."""
        gold_word_of = {test_word: word for word, test_word in enumerate(self.partner) if test_word is not None}
        return tuple(gold_word_of.get(word) for word in range(len(self.test)))

    @property
    def test_relabeled(self) -> tuple[bool, ...]:
        """Whether every test word has another relation in the gold tree."""
        return tuple(word is not None and self.relabeled[word] for word in self.test_partner)

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

    def number(self, status: Status, *, relabeled: bool | None = None) -> int:
        """Return the number of aligned gold words whose arc has a status.

        Parameters
        ----------
        status : Status
            The status.
        relabeled : bool, optional
            Only words with another relation in the parse, or only those with the same.
        """
        words = zip(self.gold_status, self.partner, self.relabeled, strict=True)
        return sum(
            own is status and partner is not None and relabeled in (None, differs) for own, partner, differs in words
        )

    @property
    def n_unaligned(self) -> int:
        """Number of gold words that are counted and have no aligned word."""
        words = zip(self.gold_status, self.partner, strict=True)
        return sum(status is not None and partner is None for status, partner in words)


def _placed(tree: DependencyTree, statuses: tuple[Status | None, ...]) -> tuple[PlacedWord, ...]:
    return tuple(
        PlacedWord(form, None if status is None else index)
        for index, (form, status) in enumerate(zip(tree.forms, statuses, strict=True))
    )


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
