"""The relations of the lexical scheme: what a child is to the head of its phrase."""

from __future__ import annotations

from .parts import BE, Part, first_verb, is_passive
from .scheme import possessor

NOUN_PHRASES = ("NP", "WHNP", "NX", "QP")
WORD_IN_NOUN_PHRASE = {
    "DT": "det", "PDT": "det", "WDT": "det", "PRP$": "nmod:poss", "WP$": "nmod:poss", "CD": "nummod", "QP": "nummod",
    "POS": "case", "UH": "discourse", "IN": "case", "TO": "case",
}  # fmt: skip
COMPLEMENT = ("NP", "SBAR", "QP")


def loose(part: Part) -> str:
    """Return the relation of a part whose label alone decides."""
    if part.is_punctuation:
        return "punct"
    return {"CC": "cc", "PRN": "parataxis", "INTJ": "discourse", "UH": "discourse", "EDITED": "reparandum"}.get(
        part.label, "advmod"
    )


def relation_of(part: Part, child: Part, head: Part, before: list[Part]) -> str:
    """Return the relation of a child to the head of its phrase."""
    if part.is_a(*NOUN_PHRASES) and not child.is_a("INTJ", "EDITED", "UH"):
        return in_noun_phrase(child, head)
    if child.is_a("CC", "PRN", "INTJ", "UH", "EDITED"):
        return loose(child)
    if part.is_a("PP", "WHPP"):
        if head.is_word:
            return "fixed"
        clausal = head.is_a("S", "SBAR")
        if child.is_a("IN") and any(c.is_a("IN") for c in before):
            return "fixed"
        return "advmod" if child.is_a("ADVP", "RB", "NP") else "mark" if clausal else "case"
    if part.is_a("SBAR") and child.is_a("IN"):
        return "fixed" if any(c.is_a("IN") for c in before) else "mark"
    if child.is_word and child.label[:2] in ("VB", "MD", "TO"):
        return auxiliary(child, head)
    if part.is_a("ADJP", "ADVP", "WHADVP", "UCP", "WHADJP"):
        return in_modifier(child)
    return in_clause(part, child, before)


def auxiliary(child: Part, head: Part) -> str:
    """Return aux, aux:pass, cop or, for *to*, mark."""
    if child.is_a("TO"):
        return "mark"
    if not head.is_a("VP"):
        return "cop"
    inner: Part | None = head
    while inner is not None and first_verb(inner) is None:
        inner = inner.find("VP")
    verb = first_verb(inner) if inner is not None else None
    passive = verb is not None and verb.is_a("VBN") and child.word.lower() in BE
    return "aux:pass" if passive else "aux"


def in_modifier(child: Part) -> str:
    """Return the relation of a child in an adjective or adverb phrase."""
    if child.is_a("NP"):
        return "obl:npmod"
    if child.is_a("PP"):
        return "obl"
    if child.is_a("S", "SBAR"):
        return "advcl"
    return "det" if child.is_a("DT") else "fixed" if child.is_a("IN") else "advmod"


def in_noun_phrase(child: Part, head: Part) -> str:
    """Return the relation of a child in a noun phrase."""
    if child.is_a("PRN"):
        child = next((c for c in child.children if not c.is_punctuation), child)
        if child.is_a("NP"):
            return "appos"
    if child.is_word:
        if child.label in WORD_IN_NOUN_PHRASE:
            return WORD_IN_NOUN_PHRASE[child.label]
        if child.is_a("NNP") and head.is_a("NNP"):
            return "flat"
        if child.label[:2] in ("JJ", "VB"):
            return "amod"
        return "advmod" if child.label[:2] in ("RB", "WR") else "nummod" if child.word == "dozen" else "compound"
    if child.is_a("NP", "WHNP"):
        if possessor(child):
            return "nmod:poss"
        return "nmod:npmod" if child.has("ADV") else "nmod:tmod" if child.has("TMP") else "appos"
    if child.is_a("SBAR"):
        return "acl" if child.find("IN") and not any(c.label.startswith("WH") for c in child.children) else "acl:relcl"
    if child.is_a("VP", "S"):
        return "acl"
    if child.is_a("QP") and child.find("CD") is None:  # more than an hour
        return "det"
    return {"PP": "nmod", "WHPP": "nmod", "ADJP": "amod", "UCP": "amod", "QP": "nummod"}.get(child.label, "advmod")


def in_clause(part: Part, child: Part, before: list[Part]) -> str:
    """Return the relation of a child in a clause or verb phrase."""
    if child.has("SBJ") or (child.gapped and child.is_a("NP") and not before):
        return subject(part, child)
    if child.gapped:
        return "orphan"
    if child.has("VOC"):
        return "vocative"
    if child.is_a("NP", "QP"):
        return nominal(part, child)
    if child.is_a("PP", "WHPP"):
        if any(inner.is_a("S", "SBAR") for inner in child.children):
            return "advcl"
        if any(inner.has("LGS") for inner in child.children):
            return "obl:agent"
        adverb = child.find("ADVP") is not None and child.find("NP", "PP") is None
        return "xcomp" if child.has("PRD") else "advmod" if adverb else "obl"
    if child.is_a("PRT"):
        return "compound:prt"
    if child.is_a("ADVP", "WHADVP", "RB", "RBR"):
        return "advmod"
    if child.is_a("ADJP", "UCP"):
        return "xcomp" if child.has("PRD") else "advcl"
    if child.is_a("SQ"):
        return "parataxis"
    if child.is_a("S", "SINV", "VP", "SBAR"):
        return clause(child)
    return "dep"


def subject(part: Part, child: Part) -> str:
    """Return the relation of a subject."""
    if child.has("EXPLETIVE") or any(word.is_a("EX") for word in child.children):
        return "expl"
    kind = "csubj" if child.is_a("S", "SBAR") else "nsubj"
    return f"{kind}:pass" if is_passive(part) else kind


def nominal(part: Part, child: Part) -> str:
    """Return the relation of a noun phrase that is no subject."""
    if child.has("TMP"):
        return "obl:tmod"
    if child.has("EXT", "ADV", "MNR", "DIR", "LOC"):
        return "obl:npmod"
    if child.has("PRD"):
        return "nsubj" if part.has("EXISTENTIAL") else "xcomp"
    place = part.children.index(child)
    later = [c for c in part.children[place + 1 :] if c.is_a(*COMPLEMENT) and not c.functions]
    return "iobj" if later and not part.is_a("S", "FRAG", "ROOT") else "obj"


def clause(child: Part) -> str:
    """Return the relation of a clause that is no subject."""
    if child.has("ADV", "TMP", "PRP", "MNR", "LOC"):
        return "advcl"
    if child.has("EXTRAPOSED"):
        return "csubj"
    if child.has("CLEFT"):
        return "acl:relcl"
    if child.is_a("SBAR") or child.has("TPC"):
        return "ccomp"
    return "xcomp" if child.child_with("SBJ") is None else "ccomp"
