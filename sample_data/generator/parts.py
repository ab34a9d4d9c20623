"""A tree with function tags, prepared for the two dependency schemes: places, parents, co-ordinations, gaps."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from .trees import Node

PUNCTUATION = (",", ".", ":", "``", "''", "-LRB-", "-RRB-")
BE = ("be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m")
HAVE = ("have", "has", "had", "having", "'d", "'ve")
DO = ("do", "does", "did")
NOUNS = ("NN", "NNS", "NNP", "NNPS")


@dataclass(eq=False, slots=True)
class Part:
    """A node of a tree with function tags."""

    label: str  # without functions
    functions: tuple[str, ...]
    gapped: bool  # corresponds to a phrase of another clause: NP=2
    word: str
    start: int  # places count from 1, as the words of a dependency tree do
    end: int  # the last word
    children: list[Part] = field(default_factory=list)

    @property
    def is_word(self) -> bool:
        """Whether this is a preterminal."""
        return bool(self.word)

    @property
    def is_punctuation(self) -> bool:
        """Whether this is a punctuation mark."""
        return self.is_word and self.label in PUNCTUATION

    def has(self, *functions: str) -> bool:
        """Whether the phrase carries one of the function tags."""
        return any(function in self.functions for function in functions)

    def is_a(self, *labels: str) -> bool:
        """Whether the phrase or word has one of the labels."""
        return self.label in labels

    def words(self) -> list[Part]:
        """Return the preterminals."""
        return [self] if self.is_word else [word for child in self.children for word in child.words()]

    def find(self, *labels: str) -> Part | None:
        """Return the first child with one of the labels."""
        return next((child for child in self.children if child.label in labels), None)

    def child_with(self, *functions: str) -> Part | None:
        """Return the first child with one of the function tags."""
        return next((child for child in self.children if child.has(*functions)), None)


def prepared(node: Node, start: int = 1) -> Part:
    """Return the parts of a tree."""
    if node.word is not None:
        return Part(node.label, (), False, node.word, start, start)
    label, *rest = re.split("[-=]", node.label)
    functions = tuple(name for name in rest if not name.isdigit())
    children: list[Part] = []
    for child in node.children:
        children.append(prepared(child, children[-1].end + 1 if children else start))
    return Part(label, functions, "=" in node.label, "", start, children[-1].end, children)


# ---- co-ordination ----------------------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Coordination:
    """The conjuncts of a phrase with what stands before each of them: commas, conjunctions, *not*, asides."""

    conjuncts: list[Part]
    before: list[list[Part]]  # one list a conjunct, the first of them empty

    def members(self) -> list[Part]:
        """Return all its parts but the first conjunct."""
        return [
            part
            for parts, conjunct in zip(self.before[1:], self.conjuncts[1:], strict=True)
            for part in (*parts, conjunct)
        ]


def coordination(part: Part) -> Coordination | None:
    """Find the co-ordination among the children of a phrase, by its conjunction or, for clauses, by a semicolon."""
    children = part.children
    place = next((i for i, child in enumerate(children) if i and (child.is_a("CC") or _semicolon(part, i))), None)
    if place is None:
        return None
    right = place + 1
    while right < len(children) and (children[right].is_punctuation or children[right].is_a("RB", "PRN", "INTJ")):
        right += 1
    left = place - 1
    while left >= 0 and children[left].is_punctuation:
        left -= 1
    if right >= len(children) or left < 0 or children[place - 1].is_a("``"):
        return None
    starts = [left, right]
    while (
        starts[0] > 1 and children[starts[0] - 1].word == "," and _alike(part, children[starts[0] - 2], children[left])
    ):
        starts.insert(0, starts[0] - 2)
    after = right
    while (  # a third clause: S , and S , so S
        after + 3 < len(children) and children[after + 1].word == "," and children[after + 2].is_a("CC")
    ):
        after += 3
        starts.append(after)
    before = [[], *(children[a + 1 : b] for a, b in pairwise(starts))]
    return Coordination([children[i] for i in starts], before)


def _semicolon(part: Part, place: int) -> bool:
    around = part.children[place - 1 : place + 2]
    return part.children[place].word == ";" and len(around) == 3 and around[0].label == around[2].label == "S"


def _alike(parent: Part, one: Part, other: Part) -> bool:
    return one.label == other.label or parent.is_a("UCP")


# ---- verbs and gaps -------------------------------------------------------------------------------------------------


def is_auxiliary(verb: Part, phrase: Part) -> bool:
    """Whether a verb of a phrase only carries the verb phrase beside it."""
    return verb.is_word and verb.label[:2] in ("VB", "MD", "TO") and phrase.find("VP") is not None


def copula_predicate(phrase: Part) -> Part | None:
    """Return the predicate of a phrase around a form of *be*: *is* (**late**)."""
    verb = first_verb(phrase)
    if verb is None or verb.word.lower() not in BE or phrase.find("VP") is not None:
        return None
    return phrase.child_with("PRD")


def first_verb(phrase: Part) -> Part | None:
    """Return the first verb that stands directly in a phrase."""
    return next((child for child in phrase.children if child.is_word and child.label[:2] in ("VB", "MD", "TO")), None)


def is_passive(clause: Part) -> bool:
    """Whether the verb of a clause is a participle after *be*, or a bare participle."""
    verb, before = None, ""
    phrase: Part | None = clause
    while phrase is not None:
        found = first_verb(phrase)
        if found is not None:
            before, verb = (verb.word.lower() if verb else before), found
        group = coordination(phrase)
        phrase = group.conjuncts[0] if group and group.conjuncts[0].is_a("VP") and not found else phrase.find("VP")
    return verb is not None and verb.label == "VBN" and (before in BE or before == "")


def gap(clause: Part) -> tuple[str, Part]:
    """Find what a question word or relative pronoun stands for.

    Returns
    -------
    tuple
        The place ("subject", "object", "preposition" or "predicate") and the phrase that lacks it.
    """
    infinitive = clause.find("VP")
    unspoken = infinitive is not None and (first_verb(infinitive) or infinitive).is_a("TO")
    if clause.child_with("SBJ") is None and not unspoken:
        return "subject", clause
    phrase = clause
    while True:
        inner = phrase.find("VP") or next(
            (child for child in phrase.children if child.is_a("S", "SBAR") and not child.functions), None
        )
        if inner is None:
            break
        phrase = inner
    preposition = next(
        (
            child
            for child in phrase.children
            if child.is_a("PP") and all(word.is_a("IN", "TO") for word in child.words())
        ),
        None,
    )
    if preposition is not None:
        return "preposition", preposition
    verb = first_verb(phrase)
    if verb is not None and verb.word.lower() in BE and phrase.child_with("PRD") is None:
        return "predicate", phrase
    return "object", phrase


# ---- marks ------------------------------------------------------------------------------------------------------------


def mark(part: Part) -> None:
    """Add marks to what a scheme treats apart: EXISTENTIAL, EXPLETIVE with EXTRAPOSED, CLEFT.

    *there was* (**a horse**); *it was hard* (**to see**); *it was the porter* (**who rang**).
    """
    subject, phrase = part.child_with("SBJ"), part.find("VP")
    if subject is not None and (phrase is not None or part.is_a("SQ")):
        phrase = phrase or part
        while (inner := phrase.find("VP")) is not None and first_verb(phrase) is not None:
            phrase = inner
        word = subject.words()[0]
        clause = next((child for child in phrase.children if child.is_a("S", "SBAR") and not child.functions), None)
        predicate = phrase.child_with("PRD")
        if word.is_a("EX"):
            phrase.functions += ("EXISTENTIAL",)
        elif (
            word.word.lower() == "it" and subject.end == subject.start and clause is not None and predicate is not None
        ):
            if predicate.is_a("ADJP"):
                subject.functions += ("EXPLETIVE",)
                clause.functions += ("EXTRAPOSED",)
            elif predicate.is_a("NP") and clause.find("WHNP") is not None:
                clause.functions += ("CLEFT",)
    for child in part.children:
        mark(child)


def group_possessor(part: Part) -> None:
    """Put *the president 's* of a flat *the president 's desk* into a noun phrase of its own."""
    place = next((i for i, child in enumerate(part.children) if child.is_a("POS")), None)
    if part.is_a("NP") and place and place + 1 < len(part.children):
        owner = part.children[: place + 1]
        part.children[: place + 1] = [Part("NP", (), False, "", part.start, owner[-1].end, owner)]
    for child in part.children:
        group_possessor(child)
