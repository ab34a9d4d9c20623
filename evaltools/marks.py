"""How a parse differs from gold: the names of differences, and a sentence with marks for its errors and repairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaltools.corpus import Span
from evaltools.corpus.stretches import stretches_without
from evaltools.display import NotebookObject

_NUMBERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
_NAMED = 3
"""Up to this many equal errors are named."""


class Status(StrEnum):
    """Status of a bracket, node, arc or triple; None stands for what does not count and is not compared."""

    RIGHT = "right"  # In both analyses
    MISSING = "missing"  # Only in gold
    SPURIOUS = "spurious"  # Only in the parse
    RELABELED = "relabeled"  # In both, with another label
    MOVED = "moved"  # In both, at another place


@dataclass(frozen=True, slots=True)
class MarkedWord:
    """A word of the sentence as it was read."""

    form: str
    position: int | None  # Position among the scored words; None for words that are not scored
    score: float | None = None  # Leaf-ancestor score, exact
    gold_path: tuple[str, ...] = ()  # Labels from the word to the root
    test_path: tuple[str, ...] = ()
    score_b: float | None = None  # Of two parsers, the score of the second one
    joined: bool = False  # Whether no white space comes before it


@dataclass(frozen=True, slots=True)
class MarkedTag:
    """A word whose tags differ."""

    position: int  # Position among the scored words
    gold: str
    test: str  # Of two parsers, the tags that are wrong, each after the letter of its parser
    status: str = "relabeled"  # Of two parsers, as of a bracket
    # Of two parsers, the numbers of those that are wrong; of one, its number where tags are all that is wrong
    repairs: tuple[int, ...] = ()
    told_by: int = 0  # Number of the repair whose words name it; 0 for none


@dataclass(frozen=True, slots=True)
class MarkedBracket:
    """A bracket that differs, or a right one that is a parent of a moved phrase."""

    side: str  # ``"gold"`` or ``"test"``
    node: int  # Its node in the tree of that side
    label: str
    span: Span  # Of scored words
    # ``"missing"``, ``"spurious"``, ``"relabeled"``, or ``"right"`` if it is right; of two parsers, ``"only-a"`` if
    # the first one alone is wrong, ``"only-b"`` if the second one is, ``"alike"`` if both are
    status: str
    repairs: tuple[int, ...]  # Numbers of the repairs that change it, the one that settles it first
    follows: bool  # Whether it only follows from a move: neither the right nor the wrong parent
    gaps: tuple[Span, ...] = ()  # Words of the span that are not in it

    @property
    def stretches(self) -> tuple[Span, ...]:
        """Its words as stretches of adjacent ones, from left to right."""
        return stretches_without(self.span, self.gaps)


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair of a parse, numbered from the one that explains most."""

    number: int  # From 1
    cause: Status
    type: str  # Title of the error type
    phrase: str  # What is wrong, quoted from the sentence
    verdict: str  # What is wrong with it
    short: str  # The same in two or three words
    repaired: int  # Number of wrong brackets, arcs or triples that it repairs
    moved: Span | None = None  # The phrase that moves
    gold_parent: int | None = None  # The brackets it belongs to and is in, among those of the sentence
    test_parent: int | None = None
    words: tuple[int, ...] = ()  # Words that attach elsewhere, where trees have no phrases
    step: int = 0  # Its number in the order in which the tree is repaired, from 1
    reason: str = ""  # Why it has its type, if its words do not tell
    together: tuple[int, ...] = ()  # Numbers of the repairs of the same brackets or words
    moved_gaps: tuple[Span, ...] = ()  # Words of the span that moves that do not

    @property
    def moved_stretches(self) -> tuple[Span, ...]:
        """The words of the phrase that moves as stretches of adjacent ones, from left to right."""
        return () if self.moved is None else stretches_without(self.moved, self.moved_gaps)

    @property
    def told(self) -> str:
        """Its verdict, and the repairs that it belongs to."""
        return f"{self.verdict} (together with {_listed(map(str, self.together))})" if self.together else self.verdict


def tie_of(repairs: Sequence[Repair]) -> str:
    """Say that the first repairs explain equally much; empty if the first one explains more than any other.

    Examples
    --------
    >>> a, b, c = (Repair(i, Status.MISSING, "", f"NP “{i}”", "is missing", "", n) for i, n in enumerate((2, 2, 1), 1))
    >>> tie_of((a, b)), tie_of((a, b, c)), tie_of((a, c))
    ('Two errors of equal size: NP “1” and NP “2”', 'Two errors of equal size come first: NP “1” and NP “2”', '')
    """
    equal = [repair for repair in repairs if repair.repaired == repairs[0].repaired]
    if len(equal) < 2:
        return ""
    text = f"{_NUMBERS.get(len(equal), len(equal))} errors of equal size"
    text += " come first" if len(equal) < len(repairs) else ""
    names = [repair.phrase for repair in equal]
    is_named = len(names) <= _NAMED and len(set(names)) == len(names)
    return f"{text}: {_listed(names)}" if is_named else text


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


@dataclass(frozen=True, slots=True)
class MarkedSentence(NotebookObject):
    """A sentence with the brackets of a parse that differ from the gold tree, and the repairs that explain them.

    Parameters
    ----------
    words : tuple of MarkedWord
        The words as read.
    brackets : tuple of MarkedBracket
        Brackets of the two trees that differ, and right ones that are parents of moved phrases.
    tags : tuple of MarkedTag
        The words whose tags differ.
    repairs : tuple of Repair
        The repairs, the one that explains most brackets first.
    missing, spurious : int
        Numbers of gold brackets that the parse lacks, and of its brackets that the gold tree lacks.
    right : tuple of MarkedBracket
        The other brackets, which both trees have, as those of the gold tree.
    parsers : tuple of str
        Names of the two parsers, A and B, of a sentence that compares them with the gold tree; else empty. Their
        brackets have the repairs 1 (A), 2 (B), or both.
    unrepaired : str
        Why there are no repairs although brackets differ; else empty.
    """

    words: tuple[MarkedWord, ...]
    brackets: tuple[MarkedBracket, ...] = ()
    tags: tuple[MarkedTag, ...] = ()
    repairs: tuple[Repair, ...] = ()
    missing: int = 0
    spurious: int = 0
    right: tuple[MarkedBracket, ...] = ()
    parsers: tuple[str, ...] = ()
    unrepaired: str = ""

    def number(self, status: str, side: str = "") -> int:
        """Return how many brackets have a status, on one side or on both."""
        return sum(item.status == status and side in ("", item.side) for item in self.brackets)

    @property
    def wrong(self) -> int:
        """Number of wrong brackets, missing and spurious."""
        return self.missing + self.spurious

    @property
    def errors(self) -> tuple[Repair, ...]:
        """The repairs; where all brackets are right, the wrong tags instead."""
        if self.repairs or self.wrong or self.parsers:
            return self.repairs
        forms = {word.position: word.form for word in self.words}
        return tuple(
            Repair(
                number,
                Status.RELABELED,
                "wrong tag",
                f"“{forms[tag.position]}”",
                f"is tagged {tag.test or '∅'}, should be {tag.gold or '∅'}",
                f"{tag.test or '∅'} → {tag.gold or '∅'} {forms[tag.position]}",
                1,
            )
            for number, tag in enumerate(self.tags, start=1)
        )

    @property
    def total(self) -> int:
        """The sum of what its errors repair."""
        return self.wrong or len(self.errors)

    @property
    def unit(self) -> str:
        """What its errors are counted in: brackets, or tags where all brackets are right."""
        noun = "bracket" if self.wrong or not self.errors else "wrong tag"
        return noun if self.total == 1 else f"{noun}s"


@dataclass(frozen=True, slots=True)
class RepairStrips(NotebookObject):
    """The repairs of a sentence one by one, each with its own words and brackets.

    Parameters
    ----------
    sentence : MarkedSentence
        The sentence with all its repairs.
    """

    sentence: MarkedSentence


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
