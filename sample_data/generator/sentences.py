"""Whole sentences of the sample grammar: statements and quotations, and what stands around them."""

from __future__ import annotations

import random
from dataclasses import replace

from . import lexicon
from .finish import finished
from .frames import ACTIVE
from .grammar import someone
from .lexicon import FIELDS
from .phrases import Phrase, be_leaf, branch, preposition_phrase, replace_label, verb_leaf
from .questions import Questions
from .trees import Node, leaf

KINDS = {
    "statement": 44,
    "fronted": 10,
    "clause first": 9,
    "inverted quotation": 5,
    "quotation": 4,
    "yes or no": 6,
    "who": 4,
    "what": 5,
    "where": 4,
    "command": 4,
    "existential": 5,
    "co-ordination": 8,
    "cleft": 3,
    "extraposed": 4,
    "gerund subject": 3,
    "parenthesis": 3,
    "price": 3,
    "fragment": 2,
    "inverted place": 3,
    "gapping": 2,
    "participle first": 3,
    "aside": 2,
}


class Sentences(Questions):
    """Draws whole sentences of one subject field."""

    def sentence(self) -> Node:
        """Draw a sentence with function tags, not yet finished (see `finish`)."""
        makers = {
            "statement": self.statement,
            "fronted": self.fronted,
            "clause first": self.clause_first,
            "inverted quotation": self.inverted_quotation,
            "quotation": self.quotation,
            "yes or no": self.yes_or_no,
            "who": self.who_question,
            "what": self.what_question,
            "where": self.where_question,
            "command": self.command,
            "existential": self.existential,
            "co-ordination": self.co_ordination,
            "cleft": self.cleft,
            "extraposed": self.extraposed,
            "gerund subject": self.gerund_subject,
            "parenthesis": self.parenthesis,
            "price": self.price,
            "fragment": self.fragment,
            "inverted place": self.inverted_place,
            "gapping": self.gapping,
            "participle first": self.participle_first,
            "aside": self.aside,
        }
        return makers[self.weighted(KINDS)]()

    def statement(self) -> Node:
        """*The cook washed the knives.*"""
        return branch("S", *self.clause(3 if self.chance(0.35) else 2).children, ".")

    def fronted(self) -> Node:
        """*Last winter, … ; Perhaps …*"""
        sort = self.weighted({"time": 4, "place": 4, "adverb": 3, "conjunction": 2})
        opening = self.time() if sort == "time" else [self.place()] if sort == "place" else []
        rest = self.clause(2).children
        if opening:
            return branch("S", *opening, ",", *rest, ".")
        if sort == "conjunction":
            return branch("S", self.pick(("But_CC", "And_CC")), *rest, ".")
        first, *others = self.pick(lexicon.OPENERS).split("|")
        if others:
            return branch("S", branch("PP", first, branch("NP", f"{others[0]}_NN")), ",", *rest, ".")
        return branch("S", branch("ADVP", f"{first}_RB"), ",", *rest, ".")

    def clause_first(self) -> Node:
        """*When the storm came, …*"""
        return branch("S", self.adverbial_clause(1), ",", *self.clause(2).children, ".")

    def quoted(self) -> Node:
        """Draw what somebody says, in a tense of its own."""
        outer, self.tense = self.tense, self.pick(("past", "pres"))
        said = self.extraposed() if self.chance(0.15) else self.clause(1, pronoun=0.5)
        self.tense = outer
        children = said.children[:-1] if said.children[-1].label == "." else said.children
        return Node("S-TPC", children)

    def speaker(self) -> Phrase:
        """Draw a short subject."""
        return self.named("-SBJ", 0) if self.chance(0.3) else self.plain("person", False, role="-SBJ")

    def inverted_quotation(self) -> Node:
        """*"…," said the baker.*"""
        said = verb_leaf(lexicon.verb(self.pick(("say/says/said/said/saying", "shout", "whisper", "reply"))), "past")
        adverb = [branch("ADVP-MNR", f"{self.pick(lexicon.SPEAKING)}_RB")] if self.chance(0.2) else []
        return branch("SINV", "``", self.quoted(), ",", "''", branch("VP", said), self.speaker().node, *adverb, ".")

    def quotation(self) -> Node:
        """*"…," she told the judge.*"""
        subject = self.pronoun("-SBJ") if self.chance(0.5) else self.speaker()
        if self.chance(0.4):
            verb = branch("VP", "told_VBD", self.plain("person", False).node)
        else:
            verb = branch("VP", "said_VBD", *(self.time() if self.chance(0.4) else []))
        return branch("S", "``", self.quoted(), ",", "''", subject.node, verb, ".")

    def existential(self) -> Node:
        """*There was a horse in the churchyard.*"""
        plural = self.chance(0.4)
        kind = self.pick(("person", "thing"))
        noun = self.noun(kind)
        if plural:
            core = branch(
                "NP", self.pick(("no_DT", "several_JJ", "three_CD", "some_DT", "many_JJ")), f"{noun.plural}_NNS"
            )
        else:
            core = branch("NP", self.pick(("a_DT", "no_DT", "another_DT")), f"{noun.singular}_NN")
        base = Phrase(core, "pl" if plural else "3sg", "their", kind, noun)
        if self.chance(0.4):
            base = replace(base, node=branch("NP", core, *self.modifiers(base, 1)))
        verb = be_leaf(self.tense, base.agreement)
        place = [self.place(kind=kind)] if self.chance(0.6) or base.node is core else []
        return branch(
            "S", branch("NP-SBJ", "there_EX"), branch("VP", verb, replace_label(base.node, "NP-PRD"), *place), "."
        )

    def co_ordination(self) -> Node:
        """*…, but … ; … ; …*"""
        first, second = self.clause(2), self.clause(2)
        if self.chance(0.12):
            return branch("S", first, ";", second, ".")
        comma = [leaf(",")] if self.chance(0.75) else []
        return branch("S", first, *comma, self.pick(("and_CC", "but_CC", "and_CC")), second, ".")

    def cleft(self) -> Node:
        """*It was the porter who …*"""
        person = replace_label(self.plain("person", False).node, "NP-PRD")
        self.tense = "past"
        relative = branch(
            "SBAR", branch("WHNP", "who_WP"), branch("S", self.finite(someone(), 1, self.weighted(ACTIVE)))
        )
        return branch("S-CLF", branch("NP-SBJ", "it_PRP"), branch("VP", "was_VBD", person, relative), ".")

    def extraposed(self) -> Node:
        """*It is clear that … ; It was hard to …*"""
        verb = be_leaf(self.tense)
        if self.chance(0.5):
            adjective = self.pick(("clear_JJ", "strange_JJ", "possible_JJ", "unlikely_JJ", "true_JJ"))
            rest = branch("SBAR", "that_IN", self.clause(1))
        else:
            adjective = self.pick(("hard_JJ", "easy_JJ", "dangerous_JJ", "pleasant_JJ", "foolish_JJ"))
            rest = self.infinitive(someone(), 1, self.pick(("act", "find", "meet", "particle", "talk", "stand")))
        return branch("S", branch("NP-SBJ", "it_PRP"), branch("VP", verb, branch("ADJP-PRD", adjective), rest), ".")

    def gerund_subject(self) -> Node:
        """*Mending the nets took all morning.*"""
        inner = self.verb_phrase("ing", someone(), 0, self.pick(("act", "find", "particle", "talk", "meet")))
        predicate = self.pick(
            (
                branch("VP", "took_VBD", branch("NP", "all_DT", "morning_NN")),
                branch("VP", "was_VBD", self.adjective_phrase(("hard", "dangerous", "useless", "not_RB|easy"))),
                branch(
                    "VP",
                    "made_VBD",
                    branch(
                        "S", branch("NP-SBJ", self.pick(("him_PRP", "her_PRP"))), self.adjective_phrase(lexicon.MOODS)
                    ),
                ),
            )
        )
        return branch("S", branch("S-NOM-SBJ", inner), predicate, ".")

    def parenthesis(self) -> Node:
        """*The mayor -LRB- a friend of the judge -RRB- …*"""
        person = self.plain("person", False)
        sort = self.weighted({"noun": 3, "relative": 2, "from": 2})
        if sort == "noun":
            owner = self.plain("person", False).node
            inside: Node = branch(
                "NP",
                branch("NP", "a_DT", self.pick(("friend_NN", "cousin_NN", "rival_NN"))),
                branch("PP", "of_IN", owner),
            )
        elif sort == "relative":
            inside = branch(
                "SBAR", branch("WHNP", "who_WP"), branch("S", self.finite(person, 0, self.weighted(ACTIVE)))
            )
        else:
            inside = preposition_phrase(self.pick(self.field.person_phrases))
        note = branch("PRN", "-LRB-", inside, "-RRB-")
        subject = branch("NP-SBJ", replace_label(person.node, "NP"), note)
        return branch("S", subject, self.finite(person, 2), ".")

    def price(self) -> Node:
        """*The clock cost more than $ 400.*"""
        thing = self.noun_phrase("thing", "-SBJ", 1, nouns=self.field.things[:6])
        number = self.pick(("12", "75", "400", "1,200", "9.50"))
        rich = self.field.name in ("company", "parliament")
        sort = self.weighted({"plain": 3, "million": 4 if rich else 0, "more": 2})
        if sort == "plain":
            amount = branch("NP", "$", f"{number}_CD")
        elif sort == "million":
            amount = branch(
                "NP",
                branch("QP", "$", f"{self.pick(('3', '4.5', '60'))}_CD", f"{self.pick(('million', 'billion'))}_CD"),
            )
        else:
            amount = branch("NP", branch("QP", self.pick(("more_JJR", "less_JJR")), "than_IN", "$", f"{number}_CD"))
        if self.chance(0.5):
            return branch(
                "S", thing.node, branch("VP", "cost_VBD", amount, *(self.time() if self.chance(0.4) else [])), "."
            )
        buyer = self.noun_phrase("person", "-SBJ", 1)
        paid = branch("PP-CLR", "for_IN", replace_label(thing.node, "NP"))
        return branch("S", buyer.node, branch("VP", "paid_VBD", amount, paid), ".")

    def fragment(self) -> Node:
        """*Another letter from the treasury.*"""
        kind = self.pick(("person", "thing"))
        base = self.plain(kind, self.chance(0.3))
        phrases = self.field.person_phrases if kind == "person" else self.field.thing_phrases
        modifier = preposition_phrase(self.pick(phrases)) if self.chance(0.6) else self.object_relative(base, 1)
        return branch("NP", base.node, modifier, ".")

    def inverted_place(self) -> Node:
        """*On the quay stood a widow who …*"""
        subject = self.noun_phrase("person", "-SBJ", 2, pronoun=0)
        return branch(
            "SINV", self.place(), branch("VP", f"{self.pick(('stood', 'sat', 'waited'))}_VBD"), subject.node, "."
        )

    def gapping(self) -> Node:
        """*The cook washed the knives, and the guest the spoons.*"""
        people = self.rng.sample(self.field.people, 2)
        act, objects = self.pick([entry for entry in self.field.acts if len(entry[1]) > 1])
        things = self.rng.sample(objects, 2)
        verb = verb_leaf(act, "past")
        first = branch(
            "S",
            branch("NP-SBJ-1", "the_DT", f"{people[0].singular}_NN"),
            branch("VP", verb, branch("NP-2", "the_DT", f"{things[0].singular}_NN")),
        )
        second = branch(
            "S",
            branch("NP-SBJ=1", "the_DT", f"{people[1].singular}_NN"),
            branch("NP=2", "the_DT", f"{things[1].singular}_NN"),
        )
        return branch("S", first, ",", "and_CC", second, ".")

    def participle_first(self) -> Node:
        """*Waiting on the platform, the nun …*"""
        subject = self.noun_phrase("person", "-SBJ", 1, pronoun=0.3)
        inner = self.verb_phrase("ing", subject, 0, self.pick(("act", "stand", "talk", "find", "meet")))
        return branch("S", branch("S-ADV", inner), ",", subject.node, self.finite(subject, 1), ".")

    def aside(self) -> Node:
        """*The judge, I think, …*"""
        subject = self.plain("person", False, role="-SBJ")
        saying = branch(
            "S", branch("NP-SBJ", "I_PRP"), branch("VP", f"{self.pick(('think', 'believe', 'suppose', 'fear'))}_VBP")
        )
        return branch("S", subject.node, branch("PRN", ",", saying, ","), self.finite(subject, 1), ".")


def draw_sentences(count: int, seed: int, fields: tuple[str, ...], taken: set[str]) -> list[Node]:
    """Draw distinct sentences.

    Parameters
    ----------
    count, seed
        How many, and the seed of the generator.
    fields
        Names of the subject fields to draw from, in turn.
    taken
        Texts that must not come out again; the new ones are added.

    Returns
    -------
    list of Node
        Sentences with function tags, 3 to 48 words long, in the order drawn.
    """
    rng = random.Random(seed)
    trees: list[Node] = []
    while len(trees) < count:
        field = FIELDS[fields[len(trees) % len(fields)]]
        tree = finished(Sentences(rng, field).sentence())
        text = " ".join(tree.words())
        if 3 <= len(tree.words()) <= 48 and text not in taken:
            taken.add(text)
            trees.append(tree)
    return trees
