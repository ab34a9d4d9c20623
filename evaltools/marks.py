"""How a parse differs from gold: the names of differences, and one record of what differs in a sentence.

A framework describes groups of differences, each settled by one repair. Numbers, ties, the comparison of two parsers,
focus, shortening, legend, text and data follow from the record.

>>> words = tuple(Word(form, at) for at, form in enumerate(("dogs", "bark")))
>>> noun = Mark("bracket", "gold", 1, "NP", (Span(0, 1),), Status.MISSING)
>>> repair = Repair(Status.MISSING, "one-word bracket", "NP “dogs”", "is missing", "NP dogs", 1)
>>> marks = marks_of(words, [Group(repair, (noun,))], unit="brackets")
>>> marks.repairs[0].number, marks.marks[0].repairs, marks.describe(marks.marks[0])
(1, (1,), 'NP, dogs, only in gold, repair 1')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, pairwise
from typing import Any, Literal, TypeVar

from evaltools.corpus import Span
from evaltools.display import NotebookObject
from evaltools.text import count_of, join_words, noun_of

Item = TypeVar("Item", "Mark", "Link")

_NUMBERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
_MAX_NAMED = 3
"""Up to this many equal errors are named."""
_MAX_TAGS = 4
"""More wrong tags are counted, not listed."""
_WORDS_KEPT = 2
"""Words kept on both sides of a mark in a shortened sentence."""
_MIN_LEFT_OUT = 4
"""Fewer words in a row are not left out: a sign for them would take their room."""
_SCALE = "leaf-ancestor score, from 0 to 1"


class Status(StrEnum):
    """Status of a bracket, node, arc or triple; None stands for what does not count and is not compared."""

    RIGHT = "right"  # In both analyses
    MISSING = "missing"  # Only in gold
    SPURIOUS = "spurious"  # Only in the parse
    RELABELED = "relabeled"  # In both, with another label
    MOVED = "moved"  # In both, at another place


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the sentence as it was read."""

    form: str
    position: int | None  # Position among the scored words; None for words that are not scored
    score: float | None = None  # Leaf-ancestor score, exact
    gold_path: tuple[str, ...] = ()  # Labels from the word to the root
    test_path: tuple[str, ...] = ()
    score_b: float | None = None  # Of two parsers, the score of the second one
    joined: bool = False  # Whether no white space comes before it


@dataclass(frozen=True, slots=True)
class Mark:
    """A label over words on one side: of a bracket, a word, or a node of a graph."""

    kind: Literal["bracket", "tag", "relation", "predicate", "property"]
    side: str  # ``"gold"`` or ``"test"``
    node: int  # Its word or node in the analysis of that side
    text: str
    stretches: tuple[Span, ...]  # Its words, as indices of the words of the sentence
    status: Status
    repairs: tuple[int, ...] = ()  # Numbers of the repairs that it belongs to, the one that settles it first
    follows: bool = False  # Whether it only follows from a move: neither the right nor the wrong parent
    description: str = ""  # What it is, in words, where label and words do not say it

    @property
    def start(self) -> int:
        """First word."""
        return self.stretches[0].start if self.stretches else 0

    @property
    def end(self) -> int:
        """Word after the last one."""
        return self.stretches[-1].end if self.stretches else 0


@dataclass(frozen=True, slots=True)
class Link:
    """An arc from a head to its dependent, or a role from a node to its argument."""

    side: str
    source: int | None  # Indices of the words that it leads from and to; None for that of a root
    target: int
    status: Status
    repairs: tuple[int, ...] = ()
    text: str = ""  # Its label; empty if that is at the target
    description: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair of a parse; of two parsers, all that is wrong with one of them."""

    status: Status | None  # What is wrong; None for a parser
    type: str  # Title of the error type
    phrase: str  # What is wrong, quoted from the sentence
    verdict: str  # What is wrong with it
    short: str  # The same in two or three words
    repaired: int  # Number of wrong brackets, arcs or triples that it repairs
    moved: tuple[Span, ...] = ()  # Stretches of the words that belong elsewhere
    gold_parent: int | None = None  # The nodes of the two trees that a phrase belongs to and is in
    test_parent: int | None = None
    step: int = 0  # Its number in the order in which the tree is repaired, from 1
    reason: str = ""  # Why it has its type, if its words do not tell
    together: tuple[int, ...] = ()  # Numbers of the repairs of the same brackets or words
    number: int = 0  # From 1, the one that repairs most first

    @property
    def full_verdict(self) -> str:
        """Its verdict, and the repairs that it belongs to."""
        if not self.together:
            return self.verdict
        return f"{self.verdict} (together with {_listed(map(str, self.together))})"

    @property
    def has_parents(self) -> bool:
        """Whether a phrase moves from one bracket to another."""
        return self.gold_parent is not None or self.test_parent is not None


@dataclass(frozen=True, slots=True)
class Group:
    """What differs and is settled by one repair, not numbered yet."""

    repair: Repair
    marks: tuple[Mark, ...] = ()
    links: tuple[Link, ...] = ()
    order: tuple[Any, ...] = ()  # Its place among groups that repair equally much
    items: tuple[Any, ...] = ()  # What differs: words, triples


@dataclass(frozen=True, slots=True)
class Marks(NotebookObject):
    """A sentence with what differs between a parse and gold, and the repairs that explain it.

    Parameters
    ----------
    words : tuple of Word
        The words as read; then, if `own_row` is not None, the nodes that are at no word.
    marks : tuple of Mark
        Labels that differ, and right brackets that are parents of moved phrases.
    links : tuple of Link
        Arcs that differ.
    repairs : tuple of Repair
        The repairs, the one that explains most first. Of two parsers, what is wrong with each; their marks have the
        repairs 1 (A), 2 (B), or both.
    wrong : int
        Number of what is wrong, in `unit`; of two parsers, with both of them.
    unit : str
        What is counted, in the plural: brackets, arcs, triples, or tags where those alone are wrong.
    right, right_links : tuple
        The labels and arcs that both analyses have, as those of gold.
    parsers : tuple of str
        Names of the two parsers, A and B, of a sentence that compares them with gold; else empty.
    own_row : int or None
        Index of the first node that is at no word.
    unrepaired : str
        Why there are no repairs although brackets differ; else empty.
    """

    words: tuple[Word, ...]
    marks: tuple[Mark, ...] = ()
    links: tuple[Link, ...] = ()
    repairs: tuple[Repair, ...] = ()
    wrong: int = 0
    unit: str = "brackets"
    right: tuple[Mark, ...] = ()
    right_links: tuple[Link, ...] = ()
    parsers: tuple[str, ...] = ()
    own_row: int | None = None
    unrepaired: str = ""

    def number(self, side: str, kind: str = "bracket") -> int:
        """Return how many marks of a kind are wrong on one side."""
        return sum(mark.kind == kind and mark.side == side and mark.status is not Status.RIGHT for mark in self.marks)

    @property
    def items(self) -> tuple[Mark | Link, ...]:
        """The marks and links."""
        return (*self.marks, *self.links)

    # --------------------------------------------------------------------------------------------------- in words

    @property
    def unit_of_wrong(self) -> str:
        """What is counted, such as ``wrong brackets``."""
        return f"wrong {self.unit if self.wrong != 1 else self.unit.removesuffix('s')}"

    @property
    def _cause(self) -> str:
        """The wrong tag at which most wrong brackets begin or end, a third of all and at least two; empty without one.

        It counts only if its word is another part of speech in gold, by the first letters of the tags.

        Examples
        --------
        >>> span = (Span(0, 1),)
        >>> tags = (Mark("tag", side, 0, tag, span, Status.RELABELED) for side, tag in (("gold", "VB"), ("test", "NN")))
        >>> brackets = (Mark("bracket", side, 0, "X", span, Status.RELABELED) for side in ("gold", "test"))
        >>> Marks((Word("run", 0), Word("home", 1)), (*tags, *brackets))._cause
        '“run” is tagged NN, should be VB: 2 wrong brackets begin or end with it'
        """
        edges = Counter(
            at
            for mark in self.marks
            if mark.kind == "bracket" and mark.status is not Status.RIGHT
            for at in {mark.start, mark.end - 1}
        )
        number, at = max(((edges[at], -at) for at in self._cause_words()), default=(0, 0))
        if number < 2 or 3 * number < self.number("gold") + self.number("test"):
            return ""
        gold, test = ("".join(mark.text for mark in self._tags(-at) if mark.side == side) for side in ("gold", "test"))
        return (
            f"“{self.words[-at].form}” is tagged {test}, should be {gold}: {number} wrong brackets begin or end with it"
        )

    def _cause_words(self) -> set[int]:
        """Return the words that are another part of speech in gold."""
        if self.parsers:
            return set()
        words = {mark.start for mark in self.marks if mark.kind == "tag"}
        return {at for at in words if len({mark.text[:1] for mark in self._tags(at)} - {""}) == 2}

    def _tags(self, word: int) -> list[Mark]:
        return [mark for mark in self.marks if mark.kind == "tag" and mark.start == word]

    @property
    def lead(self) -> str:
        """What comes before the repairs: a wrong tag that explains several brackets, and which errors are equal."""
        return ". ".join(filter(None, (self._cause, "" if self.parsers else tie_of(self.repairs))))

    @property
    def empty(self) -> str:
        """Why there are no repairs."""
        whose = " of both parsers" if self.parsers else ""
        return self.unrepaired or f"Nothing to repair: all {self.unit}{whose} are right."

    @property
    def remark(self) -> str:
        """What the repairs do not say of wrong tags.

        Examples
        --------
        >>> tags = (Mark("tag", side, 0, tag, (Span(0, 1),), Status.RELABELED)
        ...         for side, tag in (("gold", "RP"), ("test", "IN")))
        >>> Marks((Word("out", 0),), tuple(tags)).remark
        '1 wrong tag: “out” IN, should be RP'
        """
        if self.unit == "tags":
            return "All brackets are right."
        tags: dict[int, dict[str, list[str]]] = {}
        for mark in self.marks:
            if mark.kind == "tag" and (self.parsers or not mark.repairs):
                letters = f"{self.letters(mark)} " if self.parsers and mark.side == "test" else ""
                texts = tags.setdefault(mark.start, {"gold": [], "test": []})[mark.side]
                texts.append(f"{letters}{mark.text or '∅'}")
        listed = [
            f"“{self.words[at].form}” {', '.join(texts['test'])}, should be {', '.join(texts['gold'])}"
            for at, texts in list(tags.items())[:_MAX_TAGS]
        ]
        if len(tags) > _MAX_TAGS:
            listed.append(f"and {len(tags) - _MAX_TAGS} more")
        is_rest = not self.parsers and any(mark.kind == "tag" and mark.repairs for mark in self.marks)
        more = " more" if is_rest else ""
        return f"{len(tags)}{more} {noun_of(len(tags), 'wrong tag')}: {'; '.join(listed)}" if tags else ""

    def quoted(self, stretches: Iterable[Span], limit: int) -> str:
        """Return the scored words of some stretches, … between these, without middle words of a long stretch."""
        texts = [[word.form for word in self.words[start:end] if word.position is not None] for start, end in stretches]
        whole = " … ".join(" ".join(words) for words in texts)
        if len(whole) <= limit:
            return whole
        own = limit if len(texts) == 1 else max(limit // len(texts), 8)
        return " … ".join(join_words(words, own) for words in texts)

    def placed(self, stretches: Iterable[Span]) -> tuple[Span, ...]:
        """Return stretches of scored words as stretches of the words of the sentence."""
        index = {word.position: at for at, word in enumerate(self.words) if word.position is not None}
        return tuple(Span(index[start], index[end - 1] + 1) for start, end in stretches if end > start)

    def letters(self, item: Mark | Link) -> str:
        """Return the letters of the parsers that are wrong, of two parsers."""
        return " ".join("AB"[number - 1] for number in item.repairs) if self.parsers else ""

    def where(self, item: Mark | Link, gold_name: str = "gold", parse_name: str = "the parse") -> str:
        """Return which analyses have a mark, and of two parsers which one is wrong."""
        if item.status is Status.RIGHT:
            return "correct"
        if self.parsers:
            names = " and ".join(self.parsers[number - 1] for number in item.repairs)
            return f"{'missing from' if item.side == 'gold' else 'spurious in'} {names}"
        name = gold_name if item.side == "gold" else parse_name
        return f"in {name}" if item.status is Status.RELABELED else f"only in {name}"

    def describe(self, item: Mark | Link) -> str:
        """Return what a mark is, in words."""
        text = item.description
        if not text and isinstance(item, Mark):
            text = f"{item.text or '∅'}, {self.quoted(item.stretches, 40)}"
        text = f"{text}, {self.where(item)}"
        if item.repairs and not self.parsers:
            follows = "follows from " if isinstance(item, Mark) and item.follows else ""
            text += f", {follows}repair {item.repairs[0]}"
        return text

    def legend(self, *, right: bool = False, shade: bool = False, numbered: bool = True) -> tuple[tuple[str, str], ...]:
        """Return the signs in a picture of it and their meanings; `right`: with what is correct, `shade`: with scores.

        A sign is named by a status, by the parsers that are wrong (``only-a``, ``only-b``, ``alike``), or by itself.
        """
        statuses: set[Status | None] = {item.status for item in self.items}
        statuses |= {item.status for item in self.repairs if item.moved}
        statuses |= {Status.RIGHT} if right and (self.right or self.right_links) else set()
        signs: dict[str, str] = {}
        if self.parsers:
            texts = {"only-a": "wrong only in A", "only-b": "wrong only in B", "alike": "wrong alike in both"}
            signs = {whose: f"{text}{self._counts(whose)}" for whose, text in texts.items()}
        elif statuses - {Status.RIGHT}:
            signs = {
                Status.MISSING: "only in gold",
                Status.SPURIOUS: "only in the parse",
                Status.RELABELED: "wrong label",
                Status.MOVED: "moves from × to ↑",
            }
            signs = {sign: text for sign, text in signs.items() if sign in statuses}
            if Status.MOVED in signs and not any(item.moved and item.has_parents for item in self.repairs):
                del signs[Status.MOVED]
                signs["boxed"] = "belongs elsewhere"
        if numbered and self.repairs and not self.parsers:
            is_ranked = self.repairs[0].repaired > self.repairs[-1].repaired
            signs["number"] = f"its repair; 1 mends most {self.unit}" if is_ranked else "its repair"
        if Status.RIGHT in statuses:
            signs[Status.RIGHT] = "correct in both" if self.parsers else "correct"
        if any(mark.follows for mark in self.marks):
            signs["follows"] = "follows from a repair"
        if any(len(mark.stretches) > 1 for mark in (*self.marks, *(self.right if right else ()))):
            signs["gapped"] = "one bracket in several pieces"
        if shade:
            signs |= {"shaded": "leaf-ancestor score: A above the word, B below"} if self.parsers else {"scale": _SCALE}
        return tuple((str(sign), text) for sign, text in signs.items())

    def _counts(self, whose: str) -> str:
        """Return how many brackets of two parsers are missing and spurious."""
        if self.unit != "brackets":
            return ""
        own = [mark for mark in self.marks if mark.kind == "bracket" and parsers_class(mark.repairs) == whose]
        missing = sum(mark.side == "gold" for mark in own)
        return f": {missing} missing, {len(own) - missing} spurious"

    # --------------------------------------------------------------------------------------------------- parts of it

    def numbers_of(self, mark: Mark) -> tuple[int, ...]:
        """Return the numbers of the repairs that a mark is drawn with: its own, and those it is a parent of."""
        parents = (
            repair.number
            for repair in self.repairs
            if mark.kind == "bracket" and mark.node == (repair.gold_parent, repair.test_parent)[mark.side == "test"]
        )
        return tuple(sorted({*mark.repairs, *parents}))

    def focused(self, number: int | None) -> Marks:
        """Return the sentence with the marks of one repair alone; with all if there is no such repair."""
        repairs = tuple(repair for repair in self.repairs if repair.number == number)
        if not repairs:
            return self
        marks = tuple(mark for mark in self.marks if number in self.numbers_of(mark))
        return replace(
            self, marks=marks, links=tuple(link for link in self.links if number in link.repairs), repairs=repairs
        )

    def with_right(self) -> Marks:
        """Return the sentence with what is correct among its marks."""
        drawn = {(mark.kind, mark.side, mark.node) for mark in self.marks}
        right = tuple(mark for mark in self.right if (mark.kind, mark.side, mark.node) not in drawn)
        return replace(self, marks=(*self.marks, *right), links=(*self.links, *self.right_links))

    def shortened(self) -> Marks:
        """Return the sentence with an ellipsis for every stretch of words that is far from any mark.

        Examples
        --------
        >>> words = tuple(Word(letter, at) for at, letter in enumerate("abcdefgh"))
        >>> mark = Mark("bracket", "gold", 1, "X", (Span(6, 8),), Status.MISSING)
        >>> short = Marks(words, (mark,)).shortened()
        >>> [word.form for word in short.words], short.marks[0].stretches
        (['… 4 …', 'e', 'f', 'g', 'h'], (Span(start=3, end=5),))
        """
        causes = [mark for mark in self.marks if not mark.follows] or self.marks
        stretches = chain(*(mark.stretches for mark in causes), *(repair.moved for repair in self.repairs))
        ends = {at for start, end in stretches for at in (start, end - 1)}
        ends |= {at for link in self.links for at in (link.source, link.target) if at is not None}
        own_row = len(self.words) if self.own_row is None else self.own_row
        near = {at + shift for at in ends for shift in range(-_WORDS_KEPT, _WORDS_KEPT + 1)}
        kept = sorted({-1, own_row, *(at for at in near if 0 <= at < own_row)})
        for before, after in pairwise(kept):
            if after - before <= _MIN_LEFT_OUT:
                near.update(range(before, after))
        words: list[Word] = []
        index: list[int] = []  # New index of each word
        left_out = 0
        for at, word in enumerate(self.words):
            if at in near or at >= own_row:
                left_out = 0
                words.append(word)
            else:
                if left_out:
                    words.pop()
                left_out += 1
                words.append(Word(f"… {left_out} …", None))
            index.append(len(words) - 1)

        def short(stretches: tuple[Span, ...]) -> tuple[Span, ...]:
            return tuple(Span(index[start], index[end - 1] + 1) for start, end in stretches)

        return replace(
            self,
            words=tuple(words),
            marks=tuple(replace(mark, stretches=short(mark.stretches)) for mark in self.marks),
            links=tuple(
                replace(link, source=None if link.source is None else index[link.source], target=index[link.target])
                for link in self.links
            ),
            repairs=tuple(replace(repair, moved=short(repair.moved)) for repair in self.repairs),
            own_row=None if self.own_row is None else index[self.own_row],
        )


# ----------------------------------------------------------------------------------------------------------- making


def marks_of(
    words: Iterable[Word],
    groups: Iterable[Group],
    *,
    unit: str,
    right: Iterable[Mark] = (),
    right_links: Iterable[Link] = (),
    own_row: int | None = None,
) -> Marks:
    """Return the record of a sentence: its groups numbered, the one that repairs most first.

    Parameters
    ----------
    words : iterable of Word
        The words of the sentence.
    groups : iterable of Group
        What differs, one group for each repair.
    unit : str
        What the repairs count, in the plural.
    right, right_links : iterable
        What both analyses have.
    own_row : int, optional
        Index of the first node that is at no word.
    """
    ordered = ranked(groups)
    return Marks(
        tuple(words),
        tuple(replace(mark, repairs=(at,)) for at, group in enumerate(ordered, 1) for mark in group.marks),
        tuple(replace(link, repairs=(at,)) for at, group in enumerate(ordered, 1) for link in group.links),
        tuple(replace(group.repair, number=at) for at, group in enumerate(ordered, 1)),
        sum(group.repair.repaired for group in ordered),
        unit,
        tuple(right),
        tuple(right_links),
        own_row=own_row,
    )


def ranked(groups: Iterable[Group]) -> list[Group]:
    """Return groups in the order of their numbers."""
    return sorted(groups, key=lambda group: (-group.repair.repaired, group.order))


def compared(a: Marks, b: Marks, names: tuple[str, str]) -> Marks:
    """Return the record of two parsers from that of each of them with the same gold analysis.

    Examples
    --------
    >>> word = Word("dogs", 0)
    >>> left, right = (Mark("relation", "test", 0, text, (Span(0, 1),), Status.RELABELED) for text in ("x", "y"))
    >>> gold = replace(left, side="gold", text="z")
    >>> both = compared(Marks((word,), (gold, left), wrong=1), Marks((word,), (gold, right), wrong=1), ("p", "q"))
    >>> [(mark.text, mark.repairs, str(mark.status)) for mark in both.marks]
    [('x', (1,), 'spurious'), ('y', (2,), 'spurious'), ('z', (1, 2), 'missing')]
    """
    words = tuple(
        replace(word, test_path=word.gold_path, score_b=other.score)
        for word, other in zip(a.words, b.words, strict=False)
    )
    words += b.words[len(words) :] or a.words[len(words) :]
    unit = b.unit if a.unit == "tags" else a.unit
    a, b = (own if own.unit == unit else replace(own, wrong=0, repairs=(), unit=unit) for own in (a, b))
    marks = (replace(mark, follows=False) for mark in _of_both(a.marks, b.marks))
    right_of_b, links_of_b = (Counter(map(_key, items)) for items in (b.right, b.right_links))
    return Marks(
        words,
        tuple(sorted(marks, key=lambda mark: (mark.start, mark.side == "gold"))),
        tuple(_of_both(a.links, b.links)),
        tuple(_of_parser(number, name, own) for number, (name, own) in enumerate(zip(names, (a, b), strict=True), 1)),
        a.wrong + b.wrong,
        unit,
        tuple(_common(a.right, right_of_b)),
        tuple(_common(a.right_links, links_of_b)),
        names,
        b.own_row if a.own_row is None else a.own_row,
    )


def _key(item: Mark | Link) -> tuple[object, ...]:
    """Return what two parsers' marks have in common."""
    if isinstance(item, Mark):
        return item.kind, item.side, item.text, item.stretches
    return item.side, item.source, item.target, item.text


def _common(items: Iterable[Item], others: Counter[tuple[object, ...]]) -> Iterator[Item]:
    """Yield the items that are among others, each as often as there."""
    for item in items:
        if others[_key(item)]:
            others[_key(item)] -= 1
            yield item


def _of_both(first: Iterable[Item], second: Iterable[Item]) -> list[Item]:
    """Return the wrong marks of two parsers, those that both have once."""
    merged: dict[tuple[object, int], Item] = {}
    for number, own in ((1, first), (2, second)):
        seen: Counter[object] = Counter()
        for item in own:
            if item.status is Status.RIGHT:
                continue
            seen[_key(item)] += 1
            key = _key(item), seen[_key(item)]
            repairs = (1, 2) if key in merged else (number,)
            status = Status.MISSING if item.side == "gold" else Status.SPURIOUS
            merged[key] = replace(merged.get(key, item), status=status, repairs=repairs)
    return list(merged.values())


def _of_parser(number: int, name: str, own: Marks) -> Repair:
    """Return all that is wrong with one of two parsers."""
    text = f"has no wrong {own.unit}"
    if own.repairs:
        largest = f"the largest: {own.repairs[0].phrase} {own.repairs[0].verdict}"
        tie = tie_of(own.repairs)
        text = f"needs {count_of(len(own.repairs), 'repair')}; {tie[0].lower() + tie[1:] if tie else largest}"
    elif own.wrong:
        text = f"has {own.wrong} {own.unit_of_wrong}"
    return Repair(None, "", name, text, name, own.wrong, number=number)


def parsers_class(repairs: Sequence[int]) -> str:
    """Return the class, in pictures, of what one of two parsers has wrong, or both alike."""
    return "alike" if len(repairs) == 2 else ("only-a", "only-b")[repairs[0] - 1]


def tie_of(repairs: Sequence[Repair]) -> str:
    """Say that the first repairs explain equally much; empty if the first one explains more than any other.

    Examples
    --------
    >>> a, b, c = (Repair(Status.MISSING, "", f"NP “{i}”", "is missing", "", n) for i, n in enumerate((2, 2, 1), 1))
    >>> tie_of((a, b)), tie_of((a, b, c)), tie_of((a, c))
    ('Two errors of equal size: NP “1” and NP “2”', 'Two errors of equal size come first: NP “1” and NP “2”', '')
    """
    equal = [repair for repair in repairs if repair.repaired == repairs[0].repaired]
    if len(equal) < 2:
        return ""
    text = f"{_NUMBERS.get(len(equal), len(equal))} errors of equal size"
    text += " come first" if len(equal) < len(repairs) else ""
    names = [repair.phrase for repair in equal]
    is_named = len(names) <= _MAX_NAMED and len(set(names)) == len(names)
    return f"{text}: {_listed(names)}" if is_named else text


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
