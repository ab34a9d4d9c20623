"""Noun phrases and the small pieces of the sample grammar: features, prepositional phrases, modifiers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from . import lexicon
from .lexicon import Field, Noun, Verb
from .trees import Node, leaf, parse, parse_all

Item = TypeVar("Item")

PRONOUNS = {  # subject form: (object form, possessive, agreement)
    "he": ("him", "his", "3sg"),
    "she": ("her", "her", "3sg"),
    "they": ("them", "their", "pl"),
    "we": ("us", "our", "pl"),
    "I": ("me", "my", "1sg"),
    "you": ("you", "your", "pl"),
}
BE = {
    "past": {"1sg": "was", "3sg": "was", "pl": "were"},
    "pres": {"1sg": "am", "3sg": "is", "pl": "are"},
    "base": "be",
    "ing": "being",
    "en": "been",
}
HAVE = lexicon.verb("have/has/had/had/having")
DO = lexicon.verb("do/does/did/done/doing")
NUMBERS = ("two_CD", "three_CD", "five_CD", "several_JJ", "many_JJ", "a_DT|dozen_NN")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase with what the rest of the sentence must agree with."""

    node: Node
    agreement: str  # "1sg", "3sg" or "pl"
    possessive: str  # the pronoun that can refer back to it
    kind: str  # "person" or "thing"
    noun: Noun | None = None  # the head, where it is a common noun


def branch(label: str, *children: Node | str) -> Node:
    """Make a phrase; strings among the children are tokens of the shorthand."""
    return Node(label, tuple(child if isinstance(child, Node) else leaf(child) for child in children))


def replace_label(node: Node, label: str) -> Node:
    """Return the node with another label."""
    return Node(label, node.children, node.word)


def adverb_or_adjective(entry: str, default_tag: str) -> list[Node]:
    """Read ``tired`` or ``rather_RB|worried``: the last word carries the default tag unless it has its own."""
    return [leaf(token if "_" in token else f"{token}_{default_tag}") for token in entry.split("|")]


def noun_phrase_of(tokens: Sequence[str]) -> Node:
    """Bracket ``the_DT end_NN of_IN the_DT pier_NN``: each later preposition opens a phrase inside."""
    for position, token in enumerate(tokens):
        if token.endswith(("_IN", "_TO")):
            inner = noun_phrase_of(tokens[position + 1 :])
            return branch("NP", branch("NP", *tokens[:position]), branch("PP", token, inner))
    return branch("NP", *tokens)


def preposition_phrase(text: str, label: str = "PP") -> Node:
    """Bracket ``of_IN the_DT wreck_NN``."""
    preposition, *rest = text.replace("|", " ").split()
    return branch(label, preposition, noun_phrase_of(rest))


def verb_leaf(verb: Verb, form: str, agreement: str = "3sg") -> Node:
    """Inflect a verb: form is past, pres, base, ing or en."""
    if form == "pres":
        return Node("VBZ", word=verb.third) if agreement == "3sg" else Node("VBP", word=verb.base)
    word, tag = {
        "past": (verb.past, "VBD"),
        "base": (verb.base, "VB"),
        "ing": (verb.gerund, "VBG"),
        "en": (verb.participle, "VBN"),
    }[form]
    return Node(tag, word=word)


def be_leaf(form: str, agreement: str = "3sg") -> Node:
    """Inflect *be*."""
    if form in ("past", "pres"):
        tag = "VBD" if form == "past" else "VBZ" if agreement == "3sg" else "VBP"
        return Node(tag, word=BE[form][agreement])  # type: ignore[index]
    return Node({"base": "VB", "ing": "VBG", "en": "VBN"}[form], word=str(BE[form]))


class NounPhrases:
    """Draws noun phrases of one subject field, for one sentence: it remembers what was said, so as not to repeat it.

    Parameters
    ----------
    rng
        The only source of chance.
    field
        The vocabulary to use.
    """

    def __init__(self, rng: random.Random, field: Field) -> None:
        self.rng = rng
        self.field = field
        self.said: set[object] = set()
        self.subordinate = False  # inside a clause of time, reason or condition, where no modal stands
        self.places = 0
        self.unreal = False  # inside a modal, where no past time may stand
        self.tense = "past" if self.chance(0.72) else "pres"

    def chance(self, probability: float) -> bool:
        """Return True with the probability given."""
        return self.rng.random() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[self.rng.randrange(len(items))]

    def fresh(self, items: Sequence[Item]) -> Item:
        """Return one of the items, one that the sentence has not used yet if there is any."""
        unused = [item for item in items if item not in self.said]
        item = self.pick(unused or items)
        self.said.add(item)
        return item

    def weighted(self, table: dict[str, int]) -> str:
        """Return a key of the table, in proportion to its weight."""
        ticket = self.rng.randrange(sum(table.values()))
        for key, weight in table.items():  # noqa: B007
            ticket -= weight
            if ticket < 0:
                break
        return key

    def pronoun(self, role: str = "") -> Phrase:
        """Draw a personal pronoun; the role says whether it is a subject."""
        if role == "-SBJ":
            word = self.pick(tuple(PRONOUNS))
            self.said.add(word)
        else:
            word = self.pick([word for word in PRONOUNS if word not in self.said] or ["they"])
        objective, possessive, agreement = PRONOUNS[word]
        form = word if role == "-SBJ" else objective
        return Phrase(branch(f"NP{role}", f"{form}_PRP"), agreement, possessive, "person")

    def named(self, role: str = "", depth: int = 1) -> Phrase:
        """Draw a person's name, perhaps with an apposition."""
        gender = self.pick(("f", "m"))
        words = [f"{self.fresh(lexicon.NAMES[gender])}_NNP"]
        if self.chance(0.35):
            words.append(f"{self.fresh(lexicon.SURNAMES)}_NNP")
        node = branch(f"NP{role}", *words)
        if depth > 0 and self.chance(0.25):
            trade = self.fresh(self.field.people).singular
            apposition = branch("NP", "the_DT", f"{self.fresh(self.field.person_adjectives)}_JJ", f"{trade}_NN")
            if self.chance(0.4):
                apposition = branch("NP", apposition, preposition_phrase(self.pick(self.field.person_phrases[1:])))
            node = branch(f"NP{role}", branch("NP", *words), ",", apposition, ",")
        return Phrase(node, "3sg", {"f": "her", "m": "his"}[gender], "person")

    def topic(self) -> Node:
        """Draw what one can talk about."""
        return noun_phrase_of(self.fresh(self.field.topics).split())

    def place(self, label: str = "PP-LOC", kind: str = "person") -> Node:
        """Draw a prepositional phrase of place, for a person or an event, or for a thing."""
        self.places += 1
        return preposition_phrase(self.fresh(self.field.places if kind == "person" else self.field.thing_places), label)

    def adjective(self, kind: str) -> Node:
        """Draw an attributive adjective."""
        options = self.field.person_adjectives if kind == "person" else self.field.thing_adjectives
        return Node("JJ", word=self.fresh(options))

    def noun(self, kind: str, nouns: Sequence[Noun] = ()) -> Noun:
        """Draw a common noun, from the list if there is one."""
        return self.fresh(nouns or (self.field.people if kind == "person" else self.field.things))

    def plain(
        self, kind: str, plural: bool, *, adjective: float = 0.35, role: str = "", nouns: Sequence[Noun] = ()
    ) -> Phrase:
        """Draw determiner, adjectives and noun, flat."""
        noun = self.noun(kind, nouns)
        words: list[Node] = []
        if plural:
            drawn = self.rng.random()
            if drawn < 0.35:
                words += [leaf(token) for token in self.pick(NUMBERS).split("|")]
            elif drawn < 0.85:
                words.append(leaf(self.pick(("the_DT", "the_DT", "the_DT", "some_DT", "these_DT"))))
        else:
            determiners = (
                "the_DT",
                "the_DT",
                "the_DT",
                "the_DT",
                "a_DT",
                "a_DT",
                "a_DT",
                "this_DT",
                "every_DT",
                "another_DT",
            )
            words.append(leaf(self.pick(determiners[: 10 if self.chance(0.25) else 7])))
        if self.chance(adjective):
            words.append(self.adjective(kind))
        words.append(Node("NNS", word=noun.plural) if plural else Node("NN", word=noun.singular))
        pronoun = "its" if kind == "thing" and not plural else "their"
        return Phrase(Node(f"NP{role}", tuple(words)), "pl" if plural else "3sg", pronoun, kind, noun)

    def coordinated(self, kind: str, role: str = "", nouns: Sequence[Noun] = ()) -> Phrase:
        """Draw a co-ordination: of whole phrases, or of nouns that may share an adjective."""
        sort = self.weighted({"phrases": 5, "nouns": 3, "adjective": 3, "three": 2})
        first, second = self.noun(kind, nouns), self.noun(kind, nouns)
        if sort == "nouns":  # old (men and women)
            node = branch(f"NP{role}", self.adjective(kind), f"{first.plural}_NNS", "and_CC", f"{second.plural}_NNS")
        elif sort == "adjective":  # (old men) and (women)
            left = branch("NP", self.adjective(kind), f"{first.plural}_NNS")
            node = branch(f"NP{role}", left, "and_CC", branch("NP", f"{second.plural}_NNS"))
        else:
            parts = [branch("NP", "the_DT", f"{first.singular}_NN"), branch("NP", "the_DT", f"{second.singular}_NN")]
            if sort == "three":
                other = self.plain(kind, True, adjective=0.8, nouns=nouns)
                node = branch(f"NP{role}", parts[0], ",", parts[1], "and_CC", other.node)
            else:
                if self.chance(0.4):
                    phrase = self.fresh(self.field.person_phrases if kind == "person" else self.field.thing_phrases)
                    parts[1] = branch("NP", parts[1], preposition_phrase(phrase))
                node = branch(f"NP{role}", parts[0], "and_CC", parts[1])
        return Phrase(node, "pl", "their", kind, first)

    def partitive(self, kind: str, role: str = "", nouns: Sequence[Noun] = ()) -> Phrase:
        """Draw *most of the boats*, *both of the sailors*, *one of …*."""
        head = self.pick(
            ("most_JJS", "some_DT", "many_JJ", "two_CD", "both_DT", "one_CD", "neither_DT")[: 7 if role else 6]
        )
        noun = self.noun(kind, nouns)
        adjective = [self.adjective(kind)] if self.chance(0.3) else []
        inner = branch("NP", "the_DT", *adjective, f"{noun.plural}_NNS")
        node = branch(f"NP{role}", branch("NP", head), branch("PP", "of_IN", inner))
        return Phrase(node, "3sg" if head in ("one_CD", "neither_DT") else "pl", "their", kind, noun)

    def possessed(self, role: str = "", nouns: Sequence[Noun] = ()) -> Phrase:
        """Draw *the captain's boat*, or *his boat*."""
        noun = self.noun("thing", nouns)
        if self.chance(0.45):
            owner: list[Node] = [Node("PRP$", word=self.pick(("my", "his", "her", "their", "our", "your")))]
        else:
            person = self.named(depth=0) if self.chance(0.3) else self.plain("person", False, adjective=0.25)
            owner = [Node("NP", (*person.node.children, Node("POS", word="'s")))]
        if self.chance(0.35):
            owner.append(self.adjective("thing"))
        return Phrase(Node(f"NP{role}", (*owner, Node("NN", word=noun.singular))), "3sg", "its", "thing", noun)

    def adjective_phrase(self, options: Sequence[str], pairs: Sequence[str] = (), role: str = "-PRD") -> Node:
        """Draw a predicative adjective phrase, perhaps a co-ordination of two."""
        if pairs and self.chance(0.15):
            first, conjunction, second = self.pick(pairs).split()
            parts = [branch("ADJP", f"{first}_JJ"), leaf(f"{conjunction}_CC"), branch("ADJP", f"{second}_JJ")]
            return Node(f"ADJP{role}", tuple(parts))
        return Node(f"ADJP{role}", tuple(adverb_or_adjective(self.pick(options), "JJ")))

    def time(self, *, lasting: bool = False) -> list[Node]:
        """Draw an expression of time, at most one for a sentence."""
        if "time" in self.said:
            return []
        self.said.add("time")
        if lasting and self.chance(0.5):
            return [parse(self.pick(lexicon.SPANS_OF_TIME))]
        past = self.tense == "past" and not self.unreal and self.chance(0.5)
        return [parse(self.pick(lexicon.PAST_TIMES if past else lexicon.ANY_TIMES))]

    def goal(self) -> list[Node]:
        """Draw an expression of direction."""
        return parse_all(self.fresh(lexicon.GOALS))
