"""Alignment of words as in the evaluation of the CoNLL 2018 shared task, step by step over two lists of words.

Where several words of one side begin before a multiword token of the other and have no partner, the evaluation skips
one of them and lets the rest into the token; here all are skipped, so that only words inside the token are aligned.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """A word: its form, the characters of its token, and whether this is a multiword token."""

    form: str
    start: int
    end: int
    multiword: bool


def words_of(words: tuple[str, ...], tokens: tuple[tuple[int, int, str], ...]) -> list[Word]:
    """Return words with their places in the text."""
    starting = {first: (end, form) for first, end, form in tokens}
    made: list[Word] = []
    at = 0
    while len(made) < len(words):
        if len(made) in starting:
            end, form = starting[len(made)]
            made += [Word(word, at, at + len(form), True) for word in words[len(made) : end]]
        else:
            form = words[len(made)]
            made.append(Word(form, at, at + len(form), False))
        at += len(form)
    return made


def _common(gold: list[Word], system: list[Word]) -> list[tuple[int, int]]:
    """Return a longest common subsequence of lower-cased forms, by trying all; the leftmost gold words first."""
    best: list[tuple[int, int]] = []
    if gold and system:
        if gold[0].form.lower() == system[0].form.lower():
            return [(0, 0), *((i + 1, j + 1) for i, j in _common(gold[1:], system[1:]))]
        without_gold = [(i + 1, j) for i, j in _common(gold[1:], system)]
        without_system = [(i, j + 1) for i, j in _common(gold, system[1:])]
        best = without_gold if len(without_gold) >= len(without_system) else without_system
    return best


def begins_before(word: Word, token: Word) -> bool:
    """Tell whether a word begins before a token; a multiword token that reaches into it belongs to it."""
    return word.start < token.start and not (word.multiword and word.end > token.start)


def aligned(gold: list[Word], system: list[Word]) -> set[tuple[int, int]]:
    """Return which words are aligned."""
    pairs: set[tuple[int, int]] = set()
    i = j = 0
    while i < len(gold) and j < len(system):
        if not gold[i].multiword and not system[j].multiword:
            if (gold[i].start, gold[i].end) == (system[j].start, system[j].end):
                pairs.add((i, j))
                i, j = i + 1, j + 1
            elif gold[i].start <= system[j].start:
                i += 1
            else:
                j += 1
            continue
        # a multiword token on one side, with all that begins inside it or inside a token that reaches into it
        if gold[i].multiword:
            end = gold[i].end
            while j < len(system) and begins_before(system[j], gold[i]):
                j += 1
        else:
            end = system[j].end
            while i < len(gold) and begins_before(gold[i], system[j]):
                i += 1
        first, second = i, j
        while True:
            candidates = []
            for side, words, at in ((0, gold, i), (1, system, j)):
                if at < len(words):
                    word = words[at]
                    beyond = word.start >= end if word.multiword else word.end > end
                    if not beyond:
                        candidates.append((word.start, side, word))
            if not candidates:
                break
            _, side, word = min(candidates, key=lambda one: one[:2])
            if word.multiword:
                end = max(end, word.end)
            if side == 0:
                i += 1
            else:
                j += 1
        pairs |= {(first + a, second + b) for a, b in _common(gold[first:i], system[second:j])}
    return pairs
