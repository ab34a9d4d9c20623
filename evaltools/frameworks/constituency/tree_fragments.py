"""Configurations as fragments of trees: what their conditions say of a node and those around it, with typical words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from evaltools.drawing.layouts.fragments import ELIDED, Fragment, FragmentChild
from evaltools.frameworks.common.gold_words import GoldWords

__all__ = [
    "ANY",
    "BRACKET_LEGEND",
    "WORD_LEGEND",
    "TypicalBracket",
    "bracket_fragment",
    "shortened",
    "typical_bracket",
    "word_fragment",
]

ANY = "any"
"""Stands for a node of which the conditions do not say the label."""

BRACKET_LEGEND = (
    f"Fragment of the gold tree: dashed, with <: the bracket that is often missing or spurious; {ANY}: any label; "
    f"{ELIDED}: more constituents; lower-case: typical words."
)
WORD_LEGEND = (
    f"Fragment of the gold tree: the phrase of the words and what is above it; {ANY}: any label; {ELIDED}: more "
    "constituents; below a tag: typical words."
)
"""What the pictures of fragments show."""

_NONE = "–"
_REST = FragmentChild("")
_MIN_WORDS, _MAX_CHILD_WORDS = 3, 3


class TypicalBracket(NamedTuple):
    """The words of a bracket, of its first child and of its last one."""

    words: tuple[str, ...]
    first: tuple[str, ...]
    last: tuple[str, ...]


def shortened(words: tuple[str, ...], limit: int) -> str:
    """Return words as text, at most so many.

    Examples
    --------
    >>> shortened(("it", "is", "not", "enough"), 3)
    'it is not …'
    """
    return " ".join((*words[:limit], ELIDED) if len(words) > limit else words)


def typical_bracket(members: pd.DataFrame, words: GoldWords) -> TypicalBracket | None:
    """Return the shortest of the brackets whose first child has the most frequent words; None without brackets.

    Brackets of which a child or the whole has gaps are not typical: their words do not follow one another.

    Brackets of fewer than three words come last: they show little of a construction.
    """
    brackets = []
    members = members[members["is_plain"]]
    columns = (members[name].tolist() for name in ("sentence", "start", "end", "first_end", "last_start"))
    for sentence, start, end, first_end, last_start in zip(*columns, strict=True):
        forms = tuple(words.forms[sentence - 1][at] for at in words.positions(sentence, start, end))
        brackets.append(TypicalBracket(forms, forms[: first_end - start], forms[last_start - start :]))
    if not brackets:
        return None
    counts = Counter(bracket.first for bracket in brackets)
    return min(brackets, key=lambda item: (len(item.words) < _MIN_WORDS, -counts[item.first], len(item.words)))


def bracket_fragment(conditions: Mapping[str, str], typical: TypicalBracket) -> Fragment:
    """Return the fragment of a configuration of brackets; the bracket is marked as missing.

    Examples
    --------
    >>> typical = TypicalBracket(("it", "is", "late"), ("it",), ("is", "late"))
    >>> str(bracket_fragment({"label": "S", "first_child": "NP", "parent": "SBAR", "edge": "last"}, typical))
    'SBAR → … S; S → NP(it) …'
    >>> str(bracket_fragment({"children": "2", "last_child": "VP"}, typical))
    'any → … VP(is late)'
    """
    edge = conditions.get("edge", "")
    first = _child(conditions.get("first_child", ANY if "first_words" in conditions else ""), typical.first)
    last = _child(conditions.get("last_child", ""), typical.last)
    n = conditions.get("children", "")
    if n == "1":
        children = (first or last or _child(ANY, typical.words) or _REST,)
    elif first is None and last is None and not n:
        children = (FragmentChild("", shortened(typical.words, _MAX_CHILD_WORDS)),)
    else:
        between = () if n == "2" or first is None or last is None else (_REST,)
        children = (first or _REST, *between, last or _REST)
    return Fragment(
        conditions.get("label", ANY),
        children,
        _above(conditions, is_parent_known=edge in ("first", "inside", "last", "alone")),
        before=edge in ("inside", "last"),
        after=edge in ("first", "inside"),
        is_lost=True,
    )


def word_fragment(conditions: Mapping[str, str], forms: str) -> Fragment:
    """Return the fragment of a configuration of words: their phrase and what is above it.

    Examples
    --------
    >>> str(word_fragment({"tag": "IN", "parent": "PP", "grandparent": "NP", "place": "first"}, "of, in"))
    'NP → PP; PP → IN(of, in) …'
    >>> str(word_fragment({"first_child": "NP", "place": "inside"}, "and"))
    'any → NP … and …'
    """
    word = FragmentChild(conditions.get("tag", ""), conditions.get("form", forms))
    place = conditions.get("place", "")
    first = conditions.get("first_child", "")
    before = () if place in ("first", "alone") else ((FragmentChild(first), _REST) if first else (_REST,))
    after = () if place in ("last", "alone") else (_REST,)
    above = conditions.get("grandparent", _NONE)
    return Fragment(conditions.get("parent", ANY), (*before, word, *after), () if above == _NONE else (above,))


def _child(label: str, words: tuple[str, ...]) -> FragmentChild | None:
    if not label or label == _NONE:
        return None
    return FragmentChild("" if label == "word" else label, shortened(words, _MAX_CHILD_WORDS))


def _above(conditions: Mapping[str, str], *, is_parent_known: bool) -> tuple[str, ...]:
    """Return the labels above a bracket; a parent without a known label if there must be one."""
    parent, grandparent = (conditions.get(name, "") for name in ("parent", "grandparent"))
    if parent == _NONE:
        return ()
    if grandparent and grandparent != _NONE:
        return (grandparent, parent or ANY)
    return (parent or ANY,) if parent or grandparent or is_parent_known else ()
