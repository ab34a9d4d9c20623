"""The functional scheme: auxiliaries, prepositions, conjunctions and *to* are heads; relations after the function tags of the treebank."""

from __future__ import annotations

from itertools import pairwise

from .parts import Coordination, Part, first_verb, gap
from .scheme import Scheme, noun_head, possessor

FUNCTIONS = ("PRD", "SBJ", "LGS", "DTV", "VOC", "EXT", "LOC", "TMP", "DIR", "MNR", "PRP", "CLR", "ADV")
NOUN_PHRASES = ("NP", "WHNP", "NX", "QP")
ASIDES = {"PRN": "PRN", "INTJ": "INTJ", "UH": "INTJ", "EDITED": "EDIT", "CC": "DEP", "SQ": "PRN"}
QUESTION_ADVERBS = {"when": "TMP", "where": "LOC", "why": "PRP", "how": "MNR"}


class Functional(Scheme):
    """Makes the arcs of the functional scheme."""

    root_relation = "ROOT"

    def coordinated(self, group: Coordination, parent: Part) -> int:
        """Make a chain: conjunct, conjunction, conjunct; what is left of a clause without verb hangs on the conjunction."""
        head = current = self.head_of(group.conjuncts[0])
        for parts, conjunct in zip(group.before[1:], group.conjuncts[1:], strict=True):
            relation, asides = "COORD", []
            for part in parts:
                if part.is_a("CC"):
                    self.attach(part.start, current, "COORD")
                    current, relation = part.start, "CONJ"
                elif part.is_punctuation:
                    self.attach(part.start, current, "P")
                else:
                    asides.append(part)
            if any(child.gapped for child in conjunct.children):
                for child in conjunct.children:
                    self.attach(self.head_of(child), current, self.remnant(child))
                continue
            place = self.head_of(conjunct)
            self.attach(place, current, relation)
            for part in asides:
                self.attach(self.head_of(part), place, ASIDES.get(part.label, "ADV"))
            current = place
        return head

    @staticmethod
    def remnant(child: Part) -> str:
        """Return the relation of a phrase of a clause without its verb."""
        kind = "SBJ" if child.has("SBJ") else {"NP": "OBJ", "VP": "VC"}.get(child.label, "ADV")
        return "P" if child.is_punctuation else f"GAP-{kind}"

    def phrase(self, part: Part, children: list[Part]) -> int:
        """Find the head child, then hang every other child on its head."""
        if part.is_a("SBAR", "SBARQ") and any(child.label.startswith("WH") for child in children):
            return self.questioned(part, children)
        if part.is_a("PP", "WHPP", "SBAR") and len([c for c in children if self.links(c)]) > 1:
            return self.linked(part, children)
        chosen = self.head_child(part, children)
        head = self.member(chosen, part)
        self.others(part, children, chosen, head)
        return head

    def others(self, part: Part, children: list[Part], chosen: Part, head: int, skip: Part | None = None) -> None:
        """Hang what is not the head child on its head."""
        for child in children:
            if child is chosen or child is skip:
                continue
            relation = "P" if child.is_punctuation else self.relation(part, child, chosen, children)
            self.attach(self.member(child, part), head, relation)

    @staticmethod
    def links(part: Part) -> bool:
        """Whether a word is a preposition or conjunction that governs what follows."""
        return part.is_word and part.is_a("IN", "TO", "VBG")

    def linked(self, part: Part, children: list[Part]) -> int:
        """Make a chain of several prepositions or conjunctions: *because of*, *as if*."""
        words = [child for child in children if self.links(child)]
        for before, word in pairwise(words):
            self.attach(word.start, before.start, "SUB" if part.is_a("SBAR") else "PMOD")
        rest = [child for child in children if child not in words[:-1]]
        self.others(part, rest, words[-1], words[-1].start)
        return words[0].start

    # ---- heads ---------------------------------------------------------------------------------------------------

    def head_child(self, part: Part, children: list[Part]) -> Part:
        """Return the child that holds the head word."""
        real = [c for c in children if not c.is_punctuation and not c.is_a("EDITED", "INTJ", "UH", "PRN")]
        real = real or [c for c in children if not c.is_punctuation] or children
        if part.is_a(*NOUN_PHRASES):
            found = noun_head(children)
            return next((c for c in children if c.is_a("$")), found) if part.is_a("QP") else found
        if part.is_a("PP", "WHPP", "SBAR"):
            return next((c for c in real if self.links(c)), None) or next(
                (c for c in real if not c.is_a("ADVP")), real[0]
            )
        if part.is_a("ADJP", "ADVP", "WHADVP", "PRT", "UCP"):
            words = [c for c in real if c.is_word and not c.is_a("CC", "IN")]
            adjectives = [c for c in words if c.label[:2] in ("JJ", "VB")]
            return (adjectives or words or real[:1])[-1]
        verb = first_verb(part)
        if verb is not None:
            return verb
        for labels in (("VP",), ("S", "SQ", "SINV"), ("SBAR",)):
            found_clause = next((c for c in real if c.is_a(*labels) and (c.is_a("VP") or not c.functions)), None)
            if found_clause is not None:
                return found_clause
        return part.child_with("PRD") or next((c for c in real if not c.is_a("CC", "ADVP")), real[0])

    # ---- relations -----------------------------------------------------------------------------------------------

    def relation(self, part: Part, child: Part, head: Part, siblings: list[Part]) -> str:
        """Return the relation of a child to the head of its phrase."""
        if child.label in ASIDES:
            return ASIDES[child.label]
        if part.is_a(*NOUN_PHRASES):
            return self.in_noun_phrase(part, child, head)
        if part.is_a("PP", "WHPP"):
            return "AMOD" if child.is_a("ADVP", "RB") and child.start < head.start else "PMOD"
        if any(inner.has("LGS") for inner in child.children):
            return "LGS"
        if child.has("EXTRAPOSED", "CLEFT"):
            return "EXTR"
        if child.has("TPC"):
            return "OBJ"
        found = next((name for name in FUNCTIONS if child.has(name)), None)
        if found is not None:
            return found
        if part.is_a("ADJP", "ADVP", "WHADVP", "UCP"):
            return "AMOD"
        if part.is_a("SBAR"):
            return "SUB" if child.is_a("S", "SINV", "SQ") else "ADV"
        return self.in_clause(child, head, siblings)

    @staticmethod
    def in_noun_phrase(part: Part, child: Part, head: Part) -> str:
        """Return the relation of a child in a noun phrase."""
        if child.is_a("DT", "PDT", "WDT", "PRP$", "WP$"):
            return "DET"
        if child.is_a("POS"):
            return "SUFFIX"
        if child.is_a("NNP") and head.is_a("NNP"):
            return "NAME"
        if part.is_a("QP") and not child.is_a("CD"):
            return "AMOD"
        if child.is_a("NP", "WHNP"):
            return "POSS" if possessor(child) else "ADV" if child.functions else "APPO"
        return "NMOD"

    @staticmethod
    def in_clause(child: Part, head: Part, siblings: list[Part]) -> str:
        """Return the relation of a child without function tag in a clause or verb phrase."""
        if child.is_a("VP"):
            return "IM" if head.is_a("TO") else "VC"
        if child.is_a("PRT"):
            return "PRT"
        if child.is_a("NP", "QP"):
            later = siblings[siblings.index(child) + 1 :]
            return "IOBJ" if any(c.is_a("NP", "SBAR", "QP") and not c.functions for c in later) else "OBJ"
        if child.is_a("SBAR", "SINV") or child.has("NOM"):
            return "OBJ"
        return "OPRD" if child.is_a("S", "ADJP") else "ADV"

    # ---- question words and relative pronouns ------------------------------------------------------------------------

    def questioned(self, part: Part, children: list[Part]) -> int:
        """Hang a question word or relative pronoun on the verb or preposition that lacks it."""
        asked = next(child for child in children if child.label.startswith("WH"))
        clause = next((child for child in children if child.is_a("S", "SQ", "SINV")), None)
        question = self.member(asked, part)
        if clause is None:  # Why not?
            self.others(part, children, asked, question)
            return question
        head = self.member(clause, part)
        if asked.is_a("WHADVP", "WHPP"):
            word = asked.words()[0].word.lower()
            self.attach(question, head, QUESTION_ADVERBS.get(word, "ADV"))
        else:
            place, phrase = gap(clause)
            relation = {"subject": "SBJ", "preposition": "PMOD", "predicate": "PRD"}.get(place, "OBJ")
            verb = first_verb(phrase)
            self.attach(
                question, head if place == "subject" else phrase.start if verb is None else verb.start, relation
            )
        self.others(part, children, clause, head, skip=asked)
        return head
