"""The alignment of two constituency trees, and the columns of their words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from evaltools.corpus import Kind, Tree
from evaltools.display import NotebookObject
from evaltools.frameworks.common.lineages import PlacedWord, WordComparison
from evaltools.marks import Status
from evaltools.text import short_repr

if TYPE_CHECKING:
    from evaltools.frameworks.constituency.repair import Repairs


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
    labeled : bool
        False if the preset ignores the labels of brackets.
    repairs : Repairs or None
        The steps that repair the test tree; None where the words differ.
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
    labeled: bool = True
    repairs: Repairs | None = field(default=None, compare=False)

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
        if self.labeled:
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


SCOPES = {"roof": "brackets", "whole": "brackets and tags", "t": "nodes (brackets, tags and words)"}
"""Names of what E counts over the roof and over the whole tree, and of what T counts."""


def aligns_words(alignment: Alignment) -> bool:
    """Return whether the words of the two trees differ and were aligned; presets like evalb's do not align them."""
    return alignment.status == "words_differ" and bool(alignment.words)


def placed_links(alignment: Alignment) -> tuple[WordLink, ...]:
    """Return the links between words that the preset keeps in both trees, by their positions there, in order."""
    links = []
    for link in alignment.links:
        gold, test = alignment.gold_words[link.gold].position, alignment.test_words[link.test].position
        if gold is not None and test is not None:
            links.append(replace(link, gold=gold, test=test))
    return tuple(sorted(links, key=lambda link: (link.gold, link.test)))


def link_of(alignment: Alignment, word: WordComparison) -> WordLink | None:
    """Return the link of a gold word to its partner; None if the words are equal or it has no partner."""
    for link in alignment.links:
        ends = alignment.gold_words[link.gold].position, alignment.test_words[link.test].position
        if word.test_position is not None and ends == (word.position, word.test_position):
            return link
    return None


def word_columns(alignment: Alignment) -> tuple[tuple[int, int], ...]:
    """Return the shared columns as positions in the gold tree and in the test tree, from first to last."""
    # Equal sentences are paired position by position. Otherwise aligned words share columns; the words between them are
    # paired by the T-mapping, and the remaining ones in order.
    gold, test = alignment.gold, alignment.test
    if gold.words == test.words and not aligns_words(alignment):
        return tuple((position, position) for position in range(len(gold.words)))
    links = placed_links(alignment)
    mapped = sorted(
        (gold.first(g), test.first(t))
        for g, t in alignment.t.pairs
        if gold.kinds[g] is Kind.WORD and test.kinds[t] is Kind.WORD
    )
    ends = [(-1, -1), *((link.gold, link.test) for link in links), (len(gold.words), len(test.words))]
    columns = [(link.gold, link.test) for link in links]
    for (g0, t0), (g1, t1) in pairwise(ends):
        near = mapped[bisect_right(mapped, (g0, len(test.words))) : bisect_left(mapped, (g1, -1))]
        inside = [(g, t) for g, t in near if t0 < t < t1]
        columns += _between(gold, test, range(g0 + 1, g1), range(t0 + 1, t1), inside)
    return tuple(sorted(columns))


def _between(
    gold: Tree, test: Tree, upper: range, lower: range, mapped: Iterable[tuple[int, int]]
) -> Iterable[tuple[int, int]]:
    """Pair words of two spans without links: mapped ones, then equal ones and those that replace each other."""
    after = (upper.start, lower.start)
    for here in [*mapped, (upper.stop, lower.stop)]:
        if here[0] < after[0] or here[1] < after[1]:
            continue
        matcher = SequenceMatcher(a=gold.words[after[0] : here[0]], b=test.words[after[1] : here[1]], autojunk=False)
        for operation, *borders in matcher.get_opcodes():
            if operation in ("equal", "replace"):
                gold_words = range(after[0] + borders[0], after[0] + borders[1])
                test_words = range(after[1] + borders[2], after[1] + borders[3])
                yield from zip(gold_words, test_words, strict=False)
        if here[0] < upper.stop and here[1] < lower.stop:
            yield here
        after = (here[0] + 1, here[1] + 1)


def one_to_one(columns: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the gold word and the test word of the columns whose words have no further column."""
    golds, tests = (Counter(column[side] for column in columns) for side in (0, 1))
    return {gold: test for gold, test in columns if golds[gold] == tests[test] == 1}


def drawn_mapping(alignment: Alignment, kind: str) -> Mapping:
    """Return a mapping as it is drawn."""
    # If words were aligned, a linked word is right in the E-mapping and needs no step, any other is missing or
    # spurious. The T-mapping has its own pairs of words.
    mapping = alignment.mapping(kind)
    if kind != "e" or not aligns_words(alignment):
        return mapping
    links = placed_links(alignment)
    statuses = []
    for tree, before, linked, unlinked in (
        (alignment.gold, mapping.gold_status, {link.gold for link in links}, Status.MISSING),
        (alignment.test, mapping.test_status, {link.test for link in links}, Status.SPURIOUS),
    ):
        after = list(before)
        for position, node in enumerate(tree.word_nodes):
            after[node] = Status.RIGHT if position in linked else unlinked
        statuses.append(tuple(after))
    words = {
        alignment.gold.word_nodes[g]: alignment.test.word_nodes[t]
        for g, t in one_to_one([(link.gold, link.test) for link in links]).items()
    }
    pairs = {g: t for g, t in mapping.pairs if alignment.gold.kinds[g] is not Kind.WORD} | words
    steps = tuple(
        step
        for step in mapping.steps
        if (step.gold is None or statuses[0][step.gold] is not Status.RIGHT)
        and (step.test is None or statuses[1][step.test] is not Status.RIGHT)
    )
    return replace(
        mapping,
        gold_status=statuses[0],
        test_status=statuses[1],
        pairs=tuple(sorted(pairs.items())),
        steps=steps,
    )


def mapping_counts(alignment: Alignment, kind: str, part: str = "roof") -> tuple[str, dict[Status, int]]:
    """Count the statuses of a mapping."""
    if kind == "e":
        gold, test, matched = (int(alignment.counts[f"e_{name}_{part}"]) for name in ("gold", "test", "matched"))
        losses = {Status.MISSING: gold - matched, Status.SPURIOUS: test - matched}
        return SCOPES[part], losses | {Status.RIGHT: matched}
    mapping = alignment.t
    lost, extra = (
        sum(partner is None and status is not Status.RIGHT for status, partner in zip(*side, strict=True))
        for side in ((mapping.gold_status, mapping.gold_partner), (mapping.test_status, mapping.test_partner))
    )
    return SCOPES["t"], {
        Status.MISSING: lost,
        Status.SPURIOUS: extra,
        Status.RELABELED: mapping.number(Status.RELABELED),
        Status.RIGHT: mapping.number(Status.RIGHT),
    }


def differing_tags(alignment: Alignment) -> tuple[int, int]:
    """Return how many tags of the gold tree, and how many of the test tree, the E-mapping does not match."""
    mapping = alignment.mapping("e")
    lost, extra = (
        sum(
            kind is Kind.PRETERMINAL and status is not Status.RIGHT
            for kind, status in zip(tree.kinds, statuses, strict=True)
        )
        for tree, statuses in ((alignment.gold, mapping.gold_status), (alignment.test, mapping.test_status))
    )
    return lost, extra
