"""Scores of trees whose constituents are sets of words, from their definitions (after disco-dop's evaluation)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from evaltools import Preset, Tree
from evaltools.corpus import Kind

Bracket = tuple[str, frozenset[int]]


@dataclass
class Left:
    brackets: list[Bracket]
    """Label and words of each phrase, children before their parents."""
    tags: list[str | None]
    """The tag of each word."""


def has_gap(words: frozenset[int]) -> bool:
    return max(words) - min(words) + 1 != len(words)


def left_of(tree: Tree, gold: Tree, preset: Preset) -> Left:
    """Delete words by the gold tree's tags and forms, then brackets; number the words that are left."""

    def is_deleted(word: int) -> bool:
        return gold.tag(word) in preset.delete_tags or gold.words[word] in preset.delete_words

    kept = [word for word in range(len(gold.words)) if not is_deleted(word)]
    new = {word: index for index, word in enumerate(kept)}
    is_top = dict.fromkeys(range(len(tree)), False)
    brackets = []
    for node in reversed(range(len(tree))):
        if tree.kinds[node] is not Kind.PHRASE:
            continue
        words = frozenset(new[word] for word in tree.yield_(node) if word in new)
        label = preset.cut_label(tree.labels[node])
        up = tree.parents[node]
        at_top = up < 0 or is_top[up]
        if not words or label in preset.delete_labels or (at_top and label in preset.delete_top):
            is_top[node] = at_top
            continue
        brackets.append((label, words))
    return Left(brackets[::-1], [tree.tag(word) for word in kept])


def counts(gold: Left, test: Left) -> dict[str, int]:
    """Return the counts of the E-mapping over phrases."""
    sides = Counter(gold.brackets), Counter(test.brackets)
    spans = [Counter(words for _, words in side.brackets) for side in (gold, test)]
    gaps = [Counter(item for item in side.brackets if has_gap(item[1])) for side in (gold, test)]
    crossing = [
        any(words & other and words - other and other - words for _, other in gold.brackets)
        for _, words in test.brackets
    ]
    matched = (sides[0] & sides[1]).total()
    return {
        "e_gold_roof": len(gold.brackets),
        "e_test_roof": len(test.brackets),
        "e_matched_roof": matched,
        "e_matched_roof_unlabeled": (spans[0] & spans[1]).total(),
        "e_crossing_brackets": sum(crossing),
        "e_exact_match": int(matched == len(gold.brackets) == len(test.brackets)),
        "e_tags": sum(tag is not None for tag in gold.tags),
        "e_tags_correct": sum(
            one is not None and one == other for one, other in zip(gold.tags, test.tags, strict=True)
        ),
        "e_gold_discontinuous": gaps[0].total(),
        "e_test_discontinuous": gaps[1].total(),
        "e_matched_discontinuous": (gaps[0] & gaps[1]).total(),
    }


def lineage(tree: Left, word: int) -> list[tuple[str, str]]:
    """Return symbols from the leaf to the root, markers told apart from labels."""
    above = [(label, words) for label, words in tree.brackets if word in words]
    begins = [index for index, (_, words) in enumerate(above) if min(words) == word]
    ends = [index for index, (_, words) in enumerate(above) if max(words) == word]
    symbols = []
    for index, (label, _) in enumerate(above):
        if begins and index == begins[-1]:
            symbols.append(("marker", "["))
        symbols.append(("label", label))
        if ends and index == ends[-1]:
            symbols.append(("marker", "]"))
    return symbols


def longest_common(one: list[int], other: list[int]) -> int:
    rows = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            rows[i + 1][j + 1] = rows[i][j] + 1 if a == b else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1]
