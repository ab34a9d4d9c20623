"""Dependencies of a gold tree in both schemes, by rule, with the universal tags."""

from __future__ import annotations

from .dependency import Dependencies, Word, check
from .functional import Functional
from .lexical import Lexical
from .parts import BE, DO, HAVE, PUNCTUATION
from .trees import Node

BY_TAG = {
    "CC": "CCONJ", "CD": "NUM", "EX": "PRON", "MD": "AUX", "PRP": "PRON", "PRP$": "PRON", "WP": "PRON", "WP$": "PRON",
    "POS": "PART", "RP": "ADP", "UH": "INTJ", "WRB": "ADV", "$": "SYM", "SYM": "SYM", "PDT": "DET", "NN": "NOUN",
    "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "FW": "X",
}  # fmt: skip
ANYBODY = ("nobody", "nothing", "something", "anyone", "everybody")
AUXILIARY = ("aux", "aux:pass", "cop")


def universal_tag(word: str, tag: str, relation: str) -> str:
    """Return the universal tag of a word by its tag in the treebank and its relation in the lexical scheme."""
    if tag in PUNCTUATION:
        return "PUNCT"
    if word.lower() in ANYBODY:
        return "PRON"
    if tag in BY_TAG:
        return BY_TAG[tag]
    if tag.startswith("VB"):
        could_be = word.lower() in (*BE, *HAVE, *DO)
        return "AUX" if relation in AUXILIARY and could_be else "VERB"
    if tag.startswith("RB"):
        return "PART" if word.lower() in ("not", "n't") else "ADV"
    if tag == "TO":
        return "PART" if relation == "mark" else "ADP"
    if tag == "IN":
        return "SCONJ" if relation == "mark" or word.lower() == "if" else "ADP"
    if tag in ("DT", "WDT"):
        return "DET" if relation == "det" or word.lower() in ("the", "a", "an") else "PRON"
    return "ADJ"


def by_rule(tree: Node) -> tuple[Dependencies, Dependencies]:
    """Return the lexical and the functional dependencies of a tree with function tags.

    Raises
    ------
    ValueError
        If a word is left without a head, or the arcs are no tree.
    """
    leaves = list(tree.preterminals())
    schemes = [Lexical(tree).arcs, Functional(tree).arcs]
    for arcs in schemes:
        if sorted(arcs) != list(range(1, len(leaves) + 1)):
            raise ValueError(f"words without a head: {' '.join(tree.words())}")
    tags = [universal_tag(leaf.word or "", leaf.label, schemes[0][place][1]) for place, leaf in enumerate(leaves, 1)]
    made = []
    for arcs in schemes:
        words = tuple(
            Word(leaf.word or "", tag, leaf.label, *arcs[place])
            for place, (leaf, tag) in enumerate(zip(leaves, tags, strict=True), 1)
        )
        check(words)
        made.append(words)
    return made[0], made[1]
