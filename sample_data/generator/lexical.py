"""The lexical scheme: content words are heads, function words hang on them; relations in the manner of Universal Dependencies."""

from __future__ import annotations

from itertools import pairwise

from .lexical_relations import NOUN_PHRASES, loose, relation_of
from .parts import Coordination, Part, copula_predicate, first_verb, gap, is_auxiliary, is_passive
from .scheme import Scheme, noun_head


class Lexical(Scheme):
    """Makes the arcs of the lexical scheme."""

    def coordinated(self, group: Coordination, parent: Part) -> int:
        """Hang all later conjuncts on the first, what stands before a conjunct on that conjunct."""
        head = self.head_of(group.conjuncts[0])
        for parts, conjunct in zip(group.before[1:], group.conjuncts[1:], strict=True):
            place = self.head_of(conjunct)
            juxtaposed = not any(part.is_a("CC") for part in parts) and any(part.word == ";" for part in parts)
            self.attach(place, head, "parataxis" if juxtaposed else "conj")
            for part in parts:
                self.attach(self.head_of(part), place, "cc" if part.is_a("CC") else loose(part))
        return head

    def phrase(self, part: Part, children: list[Part]) -> int:
        """Find the head child, then hang every other child on its head."""
        if part.is_a("SBAR", "SBARQ") and any(child.label.startswith("WH") for child in children):
            return self.questioned(part, children)
        if part.is_a("QP"):
            return self.quantity(part, children)
        chosen = self.head_child(part, children)
        head = self.member(chosen, part)
        for place, child in enumerate(children):
            if child is chosen or child.is_punctuation:
                continue
            if part.is_a("VP") and child.is_a("S") and self.raised(child) is not None:
                self.raise_subject(child, head)
                continue
            relation = relation_of(part, child, chosen, children[:place])
            self.attach(self.member(child, part), child.start - 1 if relation == "fixed" else head, relation)
        self.punctuation(part, children, chosen, head)
        return head

    def quantity(self, part: Part, children: list[Part]) -> int:
        """Hang *more than* on the number, a first number on the next, and the number on the sign of money."""
        numbers = [child for child in children if child.is_a("CD", "DT")] or children[-1:]
        sign = next((child for child in children if child.is_a("$")), None)
        head = numbers[-1].start if sign is None else sign.start
        for number, following in pairwise(numbers):
            self.attach(number.start, following.start, "compound")
        if sign is not None:
            self.attach(numbers[-1].start, head, "nummod")
        first = None
        for child in children:
            if child in numbers or child is sign:
                continue
            if first is None:
                first = self.member(child, part)
                self.attach(first, head, "advmod")
            else:
                self.attach(self.member(child, part), first, "fixed" if child.is_word else "advcl")
        return head

    # ---- heads ---------------------------------------------------------------------------------------------------

    def head_child(self, part: Part, children: list[Part]) -> Part:
        """Return the child that holds the head word."""
        real = [child for child in children if not child.is_punctuation and not child.is_a("EDITED")] or children
        if part.is_a(*NOUN_PHRASES):
            return self.noun(part, children)
        if part.is_a("PP", "WHPP"):
            phrases = [c for c in real if not c.is_word and not c.is_a("INTJ", "PRN")]
            return phrases[-1] if phrases else real[0]
        if part.is_a("ADJP", "ADVP", "WHADVP", "PRT", "UCP", "WHADJP"):
            return self.modifier_head(real)
        predicate = copula_predicate(part)
        if predicate is not None and not self.existential(part):
            return predicate
        verb = first_verb(part)
        clauses = (("VP",),) if verb is not None else (("VP",), ("S", "SQ", "SINV"), ("SBAR",))
        for labels in clauses:
            found = next(
                (child for child in real if child.is_a(*labels) and (child.is_a("VP") or not child.functions)), None
            )
            if found is not None:
                return found
        if verb is not None:
            return verb
        whole = [child for child in real if not child.is_a("INTJ", "CC", "PRN", "UH")] or real
        return part.child_with("PRD") or next((child for child in whole if not child.is_a("ADVP")), whole[0])

    @staticmethod
    def existential(part: Part) -> bool:
        """Whether *be* says that there is something."""
        return part.has("EXISTENTIAL")

    @staticmethod
    def noun(part: Part, children: list[Part]) -> Part:
        """Return the head of a noun phrase; of a name, its first word."""
        head = noun_head(children)
        if head.is_a("NNP"):
            return next(child for child in children if child.is_a("NNP"))
        return head

    @staticmethod
    def modifier_head(real: list[Part]) -> Part:
        """Return the head of an adjective or adverb phrase: the last word before any complement."""
        same = [c for c in real if c.is_a("ADJP", "ADVP", "WHADVP") and not c.functions]
        words = [c for c in real if c.is_word and not c.is_a("CC", "UH", "IN")]
        if words:
            adjectives = [c for c in words if c.label[:2] in ("JJ", "VB")]
            return adjectives[-1] if adjectives else words[-1]
        return same[0] if same else real[-1]

    # ---- what is elsewhere than it is understood ------------------------------------------------------------------

    @staticmethod
    def raised(clause: Part) -> Part | None:
        """Return the subject of a clause without a finite verb, which is an object of the verb above."""
        if clause.functions:
            return None
        inner = clause.find("VP")
        verb = first_verb(inner) if inner is not None else None
        while inner is not None and verb is None:
            inner = inner.find("VP")
            verb = first_verb(inner) if inner is not None else None
        finite = verb is not None and verb.label in ("VBD", "VBZ", "VBP", "MD")
        return None if finite else clause.child_with("SBJ")

    def raise_subject(self, clause: Part, head: int) -> None:
        """Hang the subject of a small clause or infinitive on the verb above."""
        subject = self.raised(clause)
        rest = [child for child in clause.children if child is not subject]
        if subject is None or not rest:
            raise ValueError("nothing to raise")
        self.attach(self.member(subject, clause), head, "obj")
        self.attach(self.phrase(clause, rest), head, "xcomp")

    def questioned(self, part: Part, children: list[Part]) -> int:
        """Hang a question word or relative pronoun where it is understood."""
        asked = next(child for child in children if child.label.startswith("WH"))
        clause = next((child for child in children if child.is_a("S", "SQ", "SINV")), None)
        if clause is None:  # Why not?
            head = self.member(asked, part)
            self.others(part, children, asked, head)
            return head
        if part.has("NOM"):  # what it had budgeted
            head = self.member(asked, part)
            self.attach(self.member(clause, part), head, "acl:relcl")
            self.others(part, [child for child in children if child is not clause], asked, head)
            return head
        place, phrase = gap(clause)
        if asked.is_a("WHADVP", "WHPP"):
            head = self.member(clause, part)
            self.attach(self.member(asked, part), head, "advmod" if asked.is_a("WHADVP") else "obl")
        elif place == "predicate":
            head = self.member(asked, part)
            rest = [child for child in clause.children if not child.is_punctuation]
            for child in rest:
                verb = child.is_word and child.label[:2] == "VB"
                infinitive = child.is_a("S") and not child.functions
                relation = "cop" if verb else "acl" if infinitive else relation_of(clause, child, asked, [])
                self.attach(self.member(child, clause), head, relation)
        else:
            question = self.member(asked, part)
            head = self.member(clause, part)
            relation = {"subject": "nsubj:pass" if is_passive(clause) else "nsubj", "preposition": "obl"}.get(
                place, "obj"
            )
            if place == "preposition":
                del self.arcs[phrase.start]
                self.attach(phrase.start, question, "case")
            self.attach(question, self.verb_of(phrase, clause, head), relation)
        self.others(part, children, clause, head, skip=asked)
        return head

    def verb_of(self, phrase: Part, clause: Part, head: int) -> int:
        """Return the place of the word that the phrase with the gap depends on: its own head, or the verb around it."""
        inner: Part | None = clause
        place = head
        while inner is not None and inner is not phrase:
            verb = first_verb(inner)
            if verb is not None and not is_auxiliary(verb, inner):
                place = verb.start
            inner = next(
                (c for c in inner.children if c.start <= phrase.start and phrase.end <= c.end and not c.is_word), None
            )
        verb = first_verb(phrase)
        return verb.start if verb is not None and not phrase.is_a("PP") and not is_auxiliary(verb, phrase) else place

    def others(self, part: Part, children: list[Part], chosen: Part, head: int, skip: Part | None = None) -> None:
        """Hang what is left in a clause with a question word."""
        for place, child in enumerate(children):
            if child is not chosen and child is not skip and not child.is_punctuation:
                self.attach(self.member(child, part), head, relation_of(part, child, chosen, children[:place]))
        self.punctuation(part, children, chosen, head)

    # ---- punctuation ------------------------------------------------------------------------------------------------

    def punctuation(self, part: Part, children: list[Part], chosen: Part, head: int) -> None:
        """Hang a comma on the phrase it sets off, quotation marks on what is quoted, everything else on the head."""
        middle = children.index(chosen)
        for place, child in enumerate(children):
            if not child.is_punctuation or child is chosen:
                continue
            quoted = part.child_with("TPC")
            if child.is_a("``", "''") and quoted is not None:
                self.attach(child.start, self.placed(quoted), "punct")
                continue
            neighbour = None
            if child.is_a(",", ":"):
                earlier = [c for c in children[:place] if not c.is_punctuation and c is not chosen]
                later = [c for c in children[place + 1 :] if not c.is_punctuation and c is not chosen]
                if place < middle:
                    neighbour = earlier[-1] if earlier else later[0] if later else None
                else:
                    after = [c for c in children[middle + 1 : place] if not c.is_punctuation]
                    neighbour = later[0] if later else after[-1] if after else None
            self.attach(child.start, self.placed(neighbour) if neighbour is not None else head, "punct")

    def placed(self, part: Part) -> int:
        """Return the head of a part whose arcs are made: its only word that hangs outside."""
        inside = range(part.start, part.end + 1)
        return next(place for place in inside if place in self.arcs and self.arcs[place][0] not in inside)
