"""The marked sentence of two parsers: which brackets and tags one of them or both have wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import replace

from evaltools.corpus import Tree
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.errors.marked_words import bracket_of, path_of, phrases_of
from evaltools.frameworks.constituency.repair import equal_phrases
from evaltools.marks import MarkedBracket, MarkedSentence, MarkedTag, MarkedWord, Status

__all__ = ["compared_sentence"]


def compared_sentence(a: Alignment, b: Alignment, names: tuple[str, str]) -> MarkedSentence | None:
    """Return the marked sentence of two parsers' trees and one gold tree; None if their words differ.

    Examples
    --------
    >>> from evaltools import align
    >>> gold = "(S (NP (N a)) (VP (V b) (NP (N c))))"
    >>> parses = "(S (N a) (VP (V b) (NP (N c))))", "(S (N a) (X (V b) (NP (N c))))"
    >>> sentence = compared_sentence(*(align(gold, parse) for parse in parses), ("p", "q"))
    >>> [(item.label, item.side, item.status) for item in sentence.brackets]
    [('NP', 'gold', 'alike'), ('VP', 'gold', 'only-b'), ('X', 'test', 'only-b')]
    """
    if (a.status, b.status) != ("ok", "ok") or a.gold != b.gold:
        return None
    gold = a.gold
    scores = [{word.position: word.scores.get("la_strict") for word in each.words} for each in (a, b)]
    words = []
    for word in a.gold_words:
        path = () if word.position is None else path_of(gold, word.position)
        of_a, of_b = (None if word.position is None else each.get(word.position) for each in scores)
        words.append(MarkedWord(word.form, word.position, of_a, path, path, of_b))
    right_of_a, right_of_b = (equal_phrases(gold, each.test, each.bracket_classes) for each in (a, b))
    brackets = [
        *_of_parsers("gold", (gold, right_of_a.keys()), (gold, right_of_b.keys())),
        *_of_parsers("test", (a.test, set(right_of_a.values())), (b.test, set(right_of_b.values()))),
    ]
    wrong = Counter(bracket.side for bracket in brackets)
    left = Counter((item.label, item.span, item.gaps) for item in brackets if item.side == "gold")
    right = []
    for node in phrases_of(gold):
        item = bracket_of("gold", gold, node, Status.RIGHT)
        if left[item.label, item.span, item.gaps]:
            left[item.label, item.span, item.gaps] -= 1
        else:
            right.append(item)
    tags = _tags_of_parsers(gold, a.test, b.test)
    return MarkedSentence(tuple(words), tuple(brackets), tags, (), wrong["gold"], wrong["test"], tuple(right), names)


def _tags_of_parsers(gold: Tree, a: Tree, b: Tree) -> tuple[MarkedTag, ...]:
    """Return the tags that one parser or both have wrong."""
    tags = []
    for position in range(len(gold.words)):
        right, *given = (tree.tag(position) or "" for tree in (gold, a, b))
        wrong = tuple(number for number, tag in enumerate(given, start=1) if tag != right)
        if not wrong:
            continue
        if len(set(given)) == 1:
            text = f"A B {given[0] or '∅'}"
        else:
            text = ", ".join(f"{'AB'[number - 1]} {given[number - 1] or '∅'}" for number in wrong)
        status = "alike" if len(wrong) == 2 else "only-a" if wrong == (1,) else "only-b"
        tags.append(MarkedTag(position, right, text, status, wrong))
    return tuple(tags)


def _of_parsers(side: str, a: tuple[Tree, Collection[int]], b: tuple[Tree, Collection[int]]) -> list[MarkedBracket]:
    """Return the brackets of a side that are wrong in one parse or in both, given each tree with the right ones."""
    wrong: list[dict[tuple[object, ...], list[MarkedBracket]]] = []
    for tree, right in (a, b):
        unmatched: dict[tuple[object, ...], list[MarkedBracket]] = defaultdict(list)
        for node in phrases_of(tree):
            if node not in right:
                item = bracket_of(side, tree, node, "")
                unmatched[item.label, item.span, item.gaps].append(item)
        wrong.append(unmatched)
    brackets = []
    for key in dict.fromkeys((*wrong[0], *wrong[1])):
        of_a, of_b = (unmatched.get(key, []) for unmatched in wrong)
        for index in range(max(len(of_a), len(of_b))):
            repairs = tuple(at for at, own in ((1, of_a), (2, of_b)) if index < len(own))
            status = "alike" if len(repairs) == 2 else "only-a" if repairs == (1,) else "only-b"
            item = (of_a if index < len(of_a) else of_b)[index]
            brackets.append(replace(item, status=status, repairs=repairs))
    return brackets
