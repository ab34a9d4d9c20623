"""Questions and commands of the sample grammar."""

from __future__ import annotations

from . import lexicon
from .frames import ACTIVE, preposition
from .grammar import Grammar, someone
from .phrases import DO, HAVE, Phrase, be_leaf, branch, verb_leaf
from .trees import Node, leaf


class Questions(Grammar):
    """Draws questions and commands of one subject field."""

    def yes_or_no(self) -> Node:
        """*Did the captain …?*"""
        subject = self.noun_phrase("person", "-SBJ", 1, pronoun=0.4)
        sort = self.weighted({"do": 5, "modal": 3, "be": 2, "have": 2})
        frame = self.weighted({**ACTIVE, "think": 5, "like": 4, "try": 3, "keep": 2})
        if sort == "modal":
            head = Node("MD", word=self.pick(("can", "could", "should", "will", "would")))
            return branch("SQ", head, subject.node, self.verb_phrase("base", subject, 1, frame), "?")
        if sort == "have":
            head = verb_leaf(HAVE, self.tense, subject.agreement)
            return branch("SQ", head, subject.node, self.verb_phrase("en", subject, 1, frame), "?")
        if sort == "be":
            inner = self.verb_phrase("ing", subject, 1, self.pick(("act", "talk", "stand", "go")))
            return branch("SQ", be_leaf(self.tense, subject.agreement), subject.node, inner, "?")
        head = verb_leaf(DO, self.tense, subject.agreement)
        return branch("SQ", head, subject.node, self.verb_phrase("base", subject, 2, frame), "?")

    def who_question(self) -> Node:
        """*Who stole the bicycle?*"""
        frame = self.pick(("act", "find", "give", "particle", "talk", "meet", "tell"))
        inner = self.verb_phrase("past", someone(), 1, frame)
        return branch("SBARQ", branch("WHNP", "who_WP"), branch("SQ", inner), "?")

    def what_question(self) -> Node:
        """*Which map did the pilot lose?*"""
        subject = self.noun_phrase("person", "-SBJ", 1, pronoun=0.35)
        if self.chance(0.3):
            verb = self.pick(lexicon.TALK_OF_BOTH)
            wh = branch("WHNP", "what_WP")
            ending = branch("VP", verb_leaf(verb, "base"), branch("PP-CLR", preposition(verb)))
        else:
            verb, things = self.pick(self.field.acts)
            thing = self.pick(things)
            wh = branch("WHNP", "what_WP") if self.chance(0.4) else branch("WHNP", "which_WDT", f"{thing.singular}_NN")
            ending = branch("VP", verb_leaf(verb, "base"), *self.adjuncts("act", subject, 0, 0.7))
        modal = Node("MD", word=self.pick(lexicon.MODALS[self.tense]))
        head = modal if self.chance(0.2) else verb_leaf(DO, self.tense, subject.agreement)
        return branch("SBARQ", wh, branch("SQ", head, subject.node, ending), "?")

    def where_question(self) -> Node:
        """*Why did the nun leave?*"""
        subject = self.noun_phrase("person", "-SBJ", 1, pronoun=0.35)
        sort = self.pick(("where", "why", "why", "when", "how"))
        self.said.update(("time",) if sort == "when" else ())
        frame = self.pick(
            ("act", "find", "meet") if sort in ("where", "how") else ("act", "leave", "keep", "particle", "talk")
        )
        head = verb_leaf(DO, self.tense, subject.agreement)
        inner = self.verb_phrase("base", subject, 1, frame)
        return branch("SBARQ", branch("WHADVP", f"{sort}_WRB"), branch("SQ", head, subject.node, inner), "?")

    def command(self) -> Node:
        """*Put the kettle away.*"""
        self.tense = "pres"
        self.said.update(("you", "he", "they"))
        you = Phrase(branch("NP-SBJ", "you_PRP"), "pl", "your", "person")
        frame = self.pick(("act", "give", "particle", "tell", "talk", "order", "coordination"))
        if self.chance(0.25):
            return branch("S", branch("VP", "do_VB", "n't_RB", self.verb_phrase("base", you, 1, frame)), ".")
        please = [branch("INTJ", "please_UH"), leaf(",")] if self.chance(0.15) else []
        return branch("S", *please, self.verb_phrase("base", you, 1, frame), ".")
