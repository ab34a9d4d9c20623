"""What the two dependency schemes share: arcs are collected while a tree with function tags is walked from the top."""

from __future__ import annotations

from abc import ABC, abstractmethod

from .parts import NOUNS, Coordination, Part, coordination, group_possessor, mark, prepared
from .trees import Node

NOMINAL = (*NOUNS, "$", "PRP", "EX", "WP", "SYM", "FW")


class Scheme(ABC):
    """Collects the arcs of one sentence.

    Parameters
    ----------
    tree
        A tree with function tags.
    """

    root_relation = "root"

    def __init__(self, tree: Node) -> None:
        self.arcs: dict[int, tuple[int, str]] = {}
        self.groups: dict[int, Coordination] = {}  # those that are only a part of their phrase, by the first conjunct
        whole = prepared(tree)
        mark(whole)
        group_possessor(whole)
        self.attach(self.head_of(whole), 0, self.root_relation)

    def attach(self, place: int, head: int, relation: str) -> None:
        """Make an arc; every word gets one."""
        if place in self.arcs:
            raise ValueError(f"word {place} has two heads, {self.arcs[place]} and {(head, relation)}")
        self.arcs[place] = (head, relation)

    def head_of(self, part: Part) -> int:
        """Make the arcs inside a part; return the place of its head word."""
        if part.is_word:
            return part.start
        group = coordination(part)
        if group is None:
            return self.phrase(part, part.children)
        if len(part.children) == 1 + len(group.members()):
            return self.coordinated(group, part)
        inside = set(map(id, group.members()))
        rest = [child for child in part.children if id(child) not in inside]
        self.groups[id(group.conjuncts[0])] = group
        return self.phrase(part, rest)

    def member(self, child: Part, parent: Part) -> int:
        """Return the head of a child, with what is co-ordinated with it."""
        group = self.groups.pop(id(child), None)
        return self.head_of(child) if group is None else self.coordinated(group, parent)

    @abstractmethod
    def phrase(self, part: Part, children: list[Part]) -> int:
        """Make the arcs between the children; return the head's place."""

    @abstractmethod
    def coordinated(self, group: Coordination, parent: Part) -> int:
        """Make the arcs of a co-ordination; return the head's place."""


def noun_head(children: list[Part]) -> Part:
    """Return the head among the children of a noun phrase: the last noun, or the first phrase where phrases follow it."""
    real = [child for child in children if not child.is_punctuation and not child.is_a("EDITED", "INTJ", "CC")]
    if not real:
        return children[0]
    if real[0].is_a("NP", "WHNP", "NX", "QP") and not possessor(real[0]) and not real[0].is_a("QP"):
        return real[0]
    for labels in (
        NOMINAL,
        ("CD", "QP"),
        ("NP", "WHNP", "UCP"),
        ("JJ", "JJR", "JJS", "VBN", "VBG", "ADJP"),
        ("DT", "WDT", "PDT"),
    ):
        found = [child for child in real if child.is_a(*labels) and not possessor(child)]
        if found:
            return found[0] if found[0].is_a("$") else found[-1]
    return real[0]


def possessor(part: Part) -> bool:
    """Whether a noun phrase ends in *'s*."""
    return part.is_a("NP") and bool(part.children) and part.children[-1].is_a("POS")
