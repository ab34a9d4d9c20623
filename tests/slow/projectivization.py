"""Projectivization by lifting, word for word from its definition (Nivre and Nilsson 2005)."""

from __future__ import annotations


def dominates(heads: tuple[int, ...], above: int, word: int) -> bool:
    """Tell whether a word is another, or below it."""
    while word >= 0:
        if word == above:
            return True
        word = heads[word]
    return False


def is_projective_arc(heads: tuple[int, ...], word: int) -> bool:
    """Tell whether the head of a word dominates all words between the two."""
    head = heads[word]
    if head < 0:
        return True
    between = range(min(head, word) + 1, max(head, word))
    return all(dominates(heads, head, one) for one in between)


def is_projective(heads: tuple[int, ...]) -> bool:
    """Tell whether all arcs are projective."""
    return all(is_projective_arc(heads, word) for word in range(len(heads)))


def lifted(heads: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Lift the smallest non-projective arc, the leftmost of equal ones, until there is none; count how often."""
    count = 0
    while True:
        arcs = [word for word in range(len(heads)) if not is_projective_arc(heads, word)]
        if not arcs:
            return heads, count
        smallest = min(arcs, key=lambda word: (abs(heads[word] - word), min(heads[word], word)))
        heads = tuple(heads[heads[word]] if word == smallest else head for word, head in enumerate(heads))
        count += 1
