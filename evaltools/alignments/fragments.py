"""A small part of a tree that stands for many like it: a node, its children as far as known, and what is above."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

__all__ = ["ELIDED", "Fragment", "FragmentChild"]

ELIDED = "…"
"""Stands for nodes or words that are left out."""


@dataclass(frozen=True, slots=True)
class FragmentChild:
    """A child of the node."""

    label: str  # Empty if it has none
    words: str = ""  # Typical words; empty if left out
    is_lost: bool = False  # Whether this node is the one that is often wrong


@dataclass(frozen=True, slots=True)
class Fragment:
    """A node with its surroundings.

    Parameters
    ----------
    label : str
        Label of the node.
    children : tuple of FragmentChild
        Its children from left to right; those without label and words stand for any number of children.
    above : tuple of str
        Labels above it, the outermost first.
    before, after : bool
        Whether it has siblings before and after it.
    is_lost : bool
        Whether the node is the one that is often wrong.

    Examples
    --------
    >>> fragment = Fragment("NP", (FragmentChild("NP", "it"), FragmentChild("")), ("VP",), after=True)
    >>> str(fragment)
    'VP → NP …; NP → NP(it) …'
    """

    label: str
    children: tuple[FragmentChild, ...] = ()
    above: tuple[str, ...] = ()
    before: bool = False
    after: bool = False
    is_lost: bool = False

    def __str__(self) -> str:
        """Return the rules that it consists of."""
        rules = [f"{upper} → {lower}" for upper, lower in pairwise(self.above)]
        if self.above:
            siblings = (ELIDED if self.before else "", self.label, ELIDED if self.after else "")
            rules.append(f"{self.above[-1]} → {' '.join(filter(None, siblings))}")
        names = []
        for child in self.children:
            words = f"({child.words})" if child.label and child.words else child.words
            names.append(f"{child.label}{words}" or ELIDED)
        return "; ".join([*rules, *([f"{self.label} → {' '.join(names)}"] if names else [])])
