"""The hand-written probabilistic grammar of the sample: verb phrases and clauses with function tags.

Attachment is decided when a sentence is made, so the same string of categories comes out with a prepositional phrase
inside the noun phrase or beside it, and a co-ordination of nouns with or without the adjective: the parsers have to
guess what the grammar knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from . import lexicon
from .frames import ACTIVE, Frames
from .lexicon import Noun, Verb
from .phrases import DO, HAVE, Phrase, be_leaf, branch, preposition_phrase, replace_label, verb_leaf
from .trees import Node, leaf, parse

PERSON_FRAMES = {
    **ACTIVE,
    "like": 6,
    "love": 3,
    "think": 11,
    "wonder": 5,
    "tell": 5,
    "order": 5,
    "try": 6,
    "expect": 3,
    "keep": 4,
    "hear": 5,
    "call": 4,
    "be": 9,
    "seem": 3,
    "passive": 5,
    "coordination": 7,
}
THING_FRAMES = {"happen": 8, "be": 7, "passive": 12, "seem": 2, "located": 4}
WITH_CLAUSES = ("think", "tell", "wonder", "order", "try", "keep", "hear", "expect", "coordination")
STILL = (
    "be",
    "seem",
    "passive",
    "like",
    "love",
    "think",
    "wonder",
    "call",
    "expect",
    "located",
    "coordination",
    "leave",
)


class Grammar(Frames):
    """Draws clauses of one subject field."""

    # ---- noun phrases that need clauses -------------------------------------------------------------------------

    def noun_phrase(
        self, kind: str, role: str = "", depth: int = 2, *, pronoun: float = 0.2, nouns: Sequence[Noun] = ()
    ) -> Phrase:
        """Draw a noun phrase of a kind ("person" or "thing") with its modifiers; the head from ``nouns`` if given."""
        drawn = self.rng.random()
        if kind == "person":
            if drawn < pronoun:
                return self.pronoun(role)
            if drawn < pronoun + 0.18:
                return self.named(role, depth)
        elif drawn < 0.2:
            return self.possessed(role, nouns)
        if depth <= 0:
            return self.plain(kind, self.chance(0.2), role=role, nouns=nouns)
        if self.chance(0.1) and len(nouns) != 1:
            return self.coordinated(kind, role, nouns)
        if self.chance(0.06):
            return self.partitive(kind, role, nouns)
        base = self.plain(kind, self.chance(0.25), nouns=nouns)
        if self.chance(0.52):
            return replace(base, node=replace_label(base.node, f"NP{role}"))
        return replace(base, node=Node(f"NP{role}", (base.node, *self.modifiers(base, depth - 1))))

    def modifiers(self, base: Phrase, depth: int) -> list[Node]:
        """Draw what follows a noun inside its phrase."""
        sort = self.weighted({"own": 9, "place": 5, "subject": 6, "object": 5, "reduced": 3, "ing": 2, "comma": 2})
        person = base.kind == "person"
        if sort == "own" or depth < 0:
            return [preposition_phrase(self.fresh(self.field.person_phrases if person else self.field.thing_phrases))]
        if sort == "place":
            return [self.place(kind=base.kind)]
        if sort == "reduced":
            verb = self.pick(lexicon.MEET[:8]) if person else self.act_on(base)
            agent = self.noun_phrase("person", "", depth - 1, pronoun=0).node
            return [branch("VP", verb_leaf(verb, "en"), branch("PP", "by_IN", replace_label(agent, "NP-LGS")))]
        if sort == "ing":
            verb = self.pick(lexicon.STAND) if person else lexicon.verb("lie/lies/lay/lain/lying")
            return [branch("VP", verb_leaf(verb, "ing"), self.place(kind=base.kind))]
        if sort in ("subject", "comma"):
            pronoun = self.pick(("who_WP", "who_WP", "that_WDT") if person else ("that_WDT", "which_WDT"))
            if sort == "comma":
                pronoun = "who_WP" if person else "which_WDT"
            inside = branch("S", self.finite(replace(base, possessive="their"), depth - 1))
            clause = branch("SBAR", branch("WHNP", pronoun), inside)
            return [leaf(","), clause, leaf(",")] if sort == "comma" else [clause]
        return [self.object_relative(base, depth)]

    def object_relative(self, base: Phrase, depth: int) -> Node:
        """Draw *that the widow had sold*, *whom I met*, *we need*."""
        subject = self.noun_phrase("person", "-SBJ", depth - 1, pronoun=0.45)
        person = base.kind == "person"
        verb = (
            self.pick((*lexicon.MEET, *lexicon.LOVE))
            if person
            else self.pick((self.act_on(base), *lexicon.FIND[:1], *lexicon.LIKE[-2:]))
        )
        rest = self.time() if self.chance(0.2) else []
        if self.chance(0.3):
            inner = branch(
                "VP", verb_leaf(HAVE, self.tense, subject.agreement), branch("VP", verb_leaf(verb, "en"), *rest)
            )
        else:
            inner = branch("VP", verb_leaf(verb, self.tense, subject.agreement), *rest)
        pronoun = "whom_WP" if person else self.pick(("that_WDT", "which_WDT"))
        wh = [] if self.chance(0.4) else [branch("WHNP", pronoun)]
        return branch("SBAR", *wh, branch("S", subject.node, inner))

    def act_on(self, base: Phrase) -> Verb:
        """Draw a verb for what is done to a thing."""
        options = [verb for verb, objects in self.field.acts if base.noun in objects]
        return self.pick(options or lexicon.FIND)

    # ---- verb phrases --------------------------------------------------------------------------------------------

    def finite(self, subject: Phrase, depth: int, frame: str | None = None) -> Node:
        """Draw a finite verb phrase that agrees with its subject and keeps the tense of the sentence."""
        agreement, person = subject.agreement, subject.kind == "person"
        frame = frame or self.weighted(PERSON_FRAMES if person else THING_FRAMES)
        sort = self.weighted({"simple": 56, "modal": 13, "perfect": 11, "progressive": 9, "negated": 9})
        if (sort in ("progressive", "negated") and frame in STILL) or (
            sort in ("modal", "negated") and self.subordinate
        ):
            sort = "simple"
        if sort == "simple":
            return self.verb_phrase(self.tense, subject, depth, frame)
        adverb = [branch("ADVP-TMP", f"{self.pick(lexicon.FREQUENCY)}_RB")] if self.chance(0.12) else []
        if sort == "modal":
            negation = [leaf("not_RB")] if self.chance(0.15) and not adverb else []
            modal = Node("MD", word=self.pick(lexicon.MODALS[self.tense]))
            outer, self.unreal = self.unreal, True
            inner = self.verb_phrase("base", subject, depth, frame)
            self.unreal = outer
            return Node("VP", (modal, *negation, *adverb, inner))
        if sort == "perfect":
            inner = self.verb_phrase("en", subject, depth, frame)
            return Node("VP", (verb_leaf(HAVE, self.tense, agreement), *adverb, inner))
        if sort == "progressive":
            inner = self.verb_phrase("ing", subject, depth, frame)
            return Node("VP", (be_leaf(self.tense, agreement), inner))
        inner = self.verb_phrase("base", subject, depth, frame)
        return branch("VP", verb_leaf(DO, self.tense, agreement), self.pick(("not_RB", "n't_RB")), inner)

    def verb_phrase(self, form: str, subject: Phrase, depth: int, frame: str) -> Node:
        """Draw a verb phrase in the form given, with complements and adjuncts."""
        if depth <= 0 and frame in WITH_CLAUSES:
            frame = "act"
        if frame == "coordination":
            return self.coordinated_verb_phrase(form, subject, depth)
        if frame == "passive":
            return self.passive(form, subject, depth)
        head, complements, readiness = self.frame(frame, form, subject, depth)
        return Node("VP", (head, *complements, *self.adjuncts(frame, subject, depth, readiness)))

    def coordinated_verb_phrase(self, form: str, subject: Phrase, depth: int) -> Node:
        """Draw two or three verb phrases with a conjunction."""
        frames = list(ACTIVE)
        self.rng.shuffle(frames)
        parts = [self.verb_phrase(form, subject, depth - 1, frame) for frame in frames[: 3 if self.chance(0.25) else 2]]
        if len(parts) == 3:
            return branch("VP", parts[0], ",", parts[1], "and_CC", parts[2])
        comma = [leaf(",")] if self.chance(0.2) else []
        return branch("VP", parts[0], *comma, self.pick(("and_CC", "and_CC", "and_CC", "or_CC")), parts[1])

    def passive(self, form: str, subject: Phrase, depth: int) -> Node:
        """Draw a passive, with or without an agent."""
        verb = self.pick(lexicon.MEET) if subject.kind == "person" else self.act_on(subject)
        rest: list[Node] = []
        if self.chance(0.5):
            agent = self.noun_phrase("person", "", depth - 1, pronoun=0.05).node
            rest.append(branch("PP", "by_IN", replace_label(agent, "NP-LGS")))
        inner = Node("VP", (verb_leaf(verb, "en"), *rest, *self.adjuncts("passive", subject, depth, 0.7)))
        adverb = [branch("ADVP-MNR", f"{self.pick(lexicon.MANNERS['act'][:3])}_RB")] if self.chance(0.12) else []
        return Node("VP", (be_leaf(form, subject.agreement), *adverb, inner))

    def adjuncts(self, frame: str, subject: Phrase, depth: int, readiness: float) -> list[Node]:
        """Draw adjuncts of a verb phrase: the higher the readiness, the more."""
        drawn: list[Node] = []
        person = subject.kind == "person" and frame in ACTIVE
        sort = self.weighted({"none": 6, "place": 7, "manner": 3, "means": 2, "tool": 4})
        if self.chance(readiness):
            if sort == "place" and frame != "go" and (not self.places or self.chance(0.35)):
                drawn.append(self.place())
            elif sort == "manner" and person:
                drawn.append(branch("ADVP-MNR", f"{self.pick(lexicon.MANNERS.get(frame, lexicon.MANNERS['act']))}_RB"))
            elif sort == "means" and person and frame in ("act", "stand", "go", "leave"):
                drawn.append(parse(self.pick(lexicon.MEANS)))
            elif sort == "tool" and person and frame == "act":
                drawn.append(preposition_phrase(self.fresh(self.field.tools), "PP-MNR"))
        if self.chance(0.3 * readiness):
            drawn += self.time(lasting=frame == "stand")
        if depth > 0 and self.chance(0.14 * readiness):
            drawn.append(self.adverbial_clause(depth - 1))
        elif depth > 0 and person and frame in ("go", "leave") and self.chance(0.4 * readiness):
            infinitive = self.infinitive(subject, depth - 1, self.pick(("act", "find", "meet")))
            drawn.append(replace_label(infinitive, "S-PRP"))
        return drawn

    # ---- clauses -------------------------------------------------------------------------------------------------

    def infinitive(self, subject: Phrase, depth: int, frame: str | None = None) -> Node:
        """Draw *to* with a verb phrase."""
        inner = self.verb_phrase("base", subject, depth, frame or self.weighted(ACTIVE))
        return branch("S", branch("VP", "to_TO", inner))

    def clause(self, depth: int, label: str = "S", *, pronoun: float = 0.28) -> Node:
        """Draw a subject and a finite verb phrase, perhaps with an adverb between them or after the auxiliary."""
        kind = "person" if self.chance(0.78) else "thing"
        subject = self.noun_phrase(kind, "-SBJ", min(depth, 2), pronoun=pronoun)
        predicate = self.finite(subject, depth)
        copula = any(child.label.endswith("-PRD") for child in predicate.children)
        unsuited = copula or any(word.endswith("ly") for word in predicate.words())
        if unsuited or any(child.label in ("RB", "ADVP-TMP") for child in predicate.children) or not self.chance(0.12):
            return Node(label, (subject.node, predicate))
        options = lexicon.FREQUENCY if "time" in self.said else (*lexicon.FREQUENCY, *lexicon.ASPECT)
        adverb = branch("ADVP-TMP", f"{self.pick(options)}_RB")
        first, *rest = predicate.children
        if first.label == "MD" or first.word in ("was", "were", "is", "are", "am", "had", "has", "have"):
            return Node(label, (subject.node, Node("VP", (first, adverb, *rest))))
        return Node(label, (subject.node, adverb, predicate))

    def adverbial_clause(self, depth: int) -> Node:
        """Draw a subordinate clause of time, reason, concession or condition."""
        sort = self.weighted(
            {"when": 6, "before": 2, "after": 2, "while": 2, "until": 1, "because": 5, "although": 2, "if": 2}
        )
        outer, self.subordinate = self.subordinate, True
        clause = self.clause(depth)
        self.subordinate = outer
        if sort == "when":
            return branch("SBAR-TMP", branch("WHADVP", "when_WRB"), clause)
        role = {"because": "PRP", "although": "ADV", "if": "ADV"}.get(sort, "TMP")
        return branch(f"SBAR-{role}", f"{sort}_IN", clause)

    def indirect_question(self, depth: int) -> Node:
        """Draw *whether …*, *why …*, *who …*, *how to …*, *what he had …*."""
        sort = self.weighted({"whether": 4, "adverb": 4, "who": 3, "what": 2, "how to": 2})
        if sort == "whether":
            return branch("SBAR", f"{self.pick(('whether', 'if'))}_IN", self.clause(depth))
        if sort == "adverb":
            return branch("SBAR", branch("WHADVP", f"{self.pick(('why', 'when', 'how'))}_WRB"), self.clause(depth))
        if sort == "who":
            frame = self.pick(("act", "find", "give", "particle", "meet"))
            return branch("SBAR", branch("WHNP", "who_WP"), branch("S", self.finite(someone(), depth, frame)))
        if sort == "how to":
            return branch("SBAR", branch("WHADVP", "how_WRB"), self.infinitive(someone(), depth, "act"))
        subject = self.noun_phrase("person", "-SBJ", 0, pronoun=0.4)
        verb, _ = self.pick(self.field.acts)
        perfect = branch("VP", verb_leaf(HAVE, self.tense, subject.agreement), branch("VP", verb_leaf(verb, "en")))
        return branch("SBAR", branch("WHNP", "what_WP"), branch("S", subject.node, perfect))


def someone() -> Phrase:
    """Return an unspoken subject, for relative clauses, questions and infinitives."""
    return Phrase(branch("NP-SBJ", "he_PRP"), "3sg", "his", "person")
