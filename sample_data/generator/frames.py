"""What verbs take: each frame draws a verb with its complements, and says how readily adjuncts follow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from . import lexicon
from .lexicon import Noun, Verb
from .phrases import NounPhrases, Phrase, be_leaf, branch, replace_label, verb_leaf
from .trees import Node, leaf

ACTIVE = {"act": 15, "find": 6, "meet": 8, "stand": 6, "give": 6, "talk": 6, "particle": 7, "leave": 3, "go": 5}


class Frames(NounPhrases, ABC):
    """Draws verbs with complements; what the complements are made of comes from the grammar."""

    @abstractmethod
    def noun_phrase(
        self, kind: str, role: str = "", depth: int = 2, *, pronoun: float = 0.2, nouns: Sequence[Noun] = ()
    ) -> Phrase:
        """Draw a noun phrase with its modifiers."""

    @abstractmethod
    def clause(self, depth: int, label: str = "S", *, pronoun: float = 0.28) -> Node:
        """Draw a subject and a finite verb phrase."""

    @abstractmethod
    def infinitive(self, subject: Phrase, depth: int, frame: str | None = None) -> Node:
        """Draw *to* with a verb phrase."""

    @abstractmethod
    def indirect_question(self, depth: int) -> Node:
        """Draw the clause after *wonder*."""

    @abstractmethod
    def verb_phrase(self, form: str, subject: Phrase, depth: int, frame: str) -> Node:
        """Draw a verb phrase in the form given."""

    def frame(self, sort: str, form: str, subject: Phrase, depth: int) -> tuple[Node, list[Node], float]:
        """Draw a verb of a frame with its complements, and how readily adjuncts follow."""
        if sort in ("be", "seem"):
            return self.copula(sort, form, subject, depth)
        if sort == "happen":
            options = [verb for verb, things in self.field.happenings if subject.noun in things]
            vanish = lexicon.verb("disappear")
            return verb_leaf(self.pick(options or (vanish,)), form, subject.agreement), [], 0.9
        if sort == "located":
            lie = lexicon.verb("lie/lies/lay/lain/lying")
            return verb_leaf(lie, form, subject.agreement), [self.place(kind="thing")], 0.3
        verb, complements, readiness = self.person_frame(sort, subject, depth)
        return verb_leaf(verb, form, subject.agreement), complements, readiness

    def person_frame(self, sort: str, subject: Phrase, depth: int) -> tuple[Verb, list[Node], float]:
        """Draw what a person does: verb, complements, readiness for adjuncts."""
        if sort == "act":
            verb, objects = self.pick(self.field.acts)
            return verb, [self.noun_phrase("thing", "", depth - 1, nouns=objects).node], 0.8
        if sort in ("find", "like"):
            verbs = lexicon.FIND if sort == "find" else lexicon.LIKE
            return self.pick(verbs), [self.noun_phrase("thing", "", depth - 1).node], 0.5
        if sort in ("meet", "love"):
            verbs = lexicon.MEET if sort == "meet" else lexicon.LOVE
            return self.pick(verbs), [self.noun_phrase("person", "", depth - 1).node], 0.7 if sort == "meet" else 0.2
        if sort == "stand":
            return self.pick(lexicon.STAND), [], 1.3
        if sort == "leave":
            verb = self.pick(lexicon.LEAVE)
            return verb, [branch("PRT", f"{verb.extra}_RP")], 0.8
        if sort == "go":
            return self.pick(lexicon.GO), self.goal(), 0.5
        if sort == "talk":
            return self.talk(depth)
        if sort == "give":
            movable = tuple(thing for thing in self.field.things if thing.movable)
            gift = self.noun_phrase("thing", "", depth - 1, nouns=movable).node
            if self.chance(0.5):
                return self.pick(lexicon.GIVE), [self.noun_phrase("person", "", 0).node, gift], 0.4
            receiver = branch("PP-DTV", "to_TO", self.noun_phrase("person", "", depth - 1).node)
            return self.pick(lexicon.GIVE), [gift, receiver], 0.4
        if sort == "particle":
            verb = self.pick(lexicon.PARTICLES)
            particle = branch("PRT", f"{verb.extra}_RP")
            if self.chance(0.35):
                return verb, [branch("NP", self.pick(("it_PRP", "them_PRP"))), particle], 0.5
            movable = tuple(thing for thing in self.field.things if thing.movable)
            moved = self.noun_phrase("thing", "", depth - 1, nouns=movable).node
            light = len(moved.words()) < 4
            return verb, [moved, particle] if light and self.chance(0.6) else [particle, moved], 0.5
        if sort == "call":
            other = self.noun_phrase("thing", "-SBJ", 0).node
            return (
                self.pick(lexicon.CALL),
                [branch("S", other, self.adjective_phrase(lexicon.OPINIONS, lexicon.OPINION_PAIRS))],
                0.1,
            )
        return self.clause_frame(sort, subject, depth)

    def clause_frame(self, sort: str, subject: Phrase, depth: int) -> tuple[Verb, list[Node], float]:
        """Draw a verb whose complement is a clause."""
        if sort == "think":
            complementiser = [leaf("that_IN")] if self.chance(0.55) else []
            return self.pick(lexicon.THINK), [branch("SBAR", *complementiser, self.clause(depth - 1))], 0.1
        if sort == "wonder":
            return self.pick(lexicon.WONDER), [self.indirect_question(depth - 1)], 0.1
        if sort == "tell":
            told = self.noun_phrase("person", "", 0, pronoun=0.5).node
            return self.pick(lexicon.TELL), [told, branch("SBAR", "that_IN", self.clause(depth - 1))], 0.1
        if sort == "order":
            ordered = self.noun_phrase("person", "", 0, pronoun=0.4)
            return self.pick(lexicon.ORDER), [ordered.node, self.infinitive(ordered, depth - 1)], 0.1
        if sort == "try":
            return self.pick(lexicon.TRY), [self.infinitive(subject, depth - 1)], 0.1
        if sort == "keep":
            inner = self.verb_phrase("ing", subject, depth - 1, self.pick(("act", "stand", "talk", "go")))
            return self.pick(lexicon.KEEP), [branch("S", inner)], 0.2
        other = self.noun_phrase("person", "", 0, pronoun=0.35)
        actor = replace_label(other.node, "NP-SBJ")
        if sort == "hear":
            inner = self.verb_phrase(
                self.pick(("ing", "base")), other, depth - 1, self.pick(("act", "stand", "go", "leave"))
            )
            return self.pick(lexicon.HEAR), [branch("S", actor, inner)], 0.1
        return self.pick(lexicon.EXPECT), [branch("S", actor, *self.infinitive(other, depth - 1).children)], 0.1

    def talk(self, depth: int) -> tuple[Verb, list[Node], float]:
        """Draw a verb with its preposition: *wait for the pilot*."""
        sort = self.weighted({"topic": 4, "thing": 4, "person": 3})
        if sort == "topic":
            verb, about = self.pick((*lexicon.TALK_OF_BOTH, *lexicon.TALK_OF_BOTH)), self.topic()
        elif sort == "thing":
            verb = self.pick((*lexicon.TALK_OF_BOTH, *lexicon.TALK_OF_THINGS))
            about = self.noun_phrase("thing", "", depth - 1).node
        else:
            verb = self.pick((*lexicon.TALK_OF_BOTH, *lexicon.TALK_OF_PEOPLE))
            about = self.noun_phrase("person", "", depth - 1).node
        return verb, [branch("PP-CLR", preposition(verb), about)], 0.6

    def copula(self, sort: str, form: str, subject: Phrase, depth: int) -> tuple[Node, list[Node], float]:
        """Draw *be* or *seem* with its predicate."""
        person = subject.kind == "person"
        options, pairs = (lexicon.MOODS, lexicon.MOOD_PAIRS) if person else (lexicon.OPINIONS, lexicon.OPINION_PAIRS)
        if sort == "seem":
            return (
                verb_leaf(self.pick(lexicon.SEEM), form, subject.agreement),
                [self.adjective_phrase(options, pairs)],
                0.2,
            )
        head = be_leaf(form, subject.agreement)
        predicate = self.weighted({"adjective": 6, "place": 3, "than": 2, "noun": 2})
        if predicate == "place":
            return head, [self.place("PP-LOC-PRD", subject.kind)], 0.2
        if predicate == "than":
            other = self.noun_phrase(subject.kind, "", depth - 1, pronoun=0).node
            praise = ("popular", "important", "careful") if person else ("useful", "expensive", "beautiful")
            degree = ["older_JJR"] if self.chance(0.4) else ["more_RBR", f"{self.pick(praise)}_JJ"]
            return head, [branch("ADJP-PRD", *degree, branch("PP", "than_IN", other))], 0.0
        if predicate == "noun" and subject.agreement == "3sg":
            if person:
                return head, [replace_label(self.plain("person", False, adjective=0.8).node, "NP-PRD")], 0.2
            giver = branch("PP", "from_IN", self.noun_phrase("person", "", depth - 1).node)
            return head, [branch("NP-PRD", branch("NP", "a_DT", "present_NN"), giver)], 0.0
        return head, [self.adjective_phrase(options, pairs)], 0.3


def preposition(verb: Verb) -> str:
    """Return the token of the preposition a verb takes."""
    return f"{verb.extra}_{'TO' if verb.extra == 'to' else 'IN'}"
