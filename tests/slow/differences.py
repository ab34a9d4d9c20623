"""Differences of two parsers, slowly: sentence by sentence, with integrals taken in small steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Counts = Sequence[dict[str, float]]
"""The counts of each sentence."""


def total(sentences: Counts) -> dict[str, float]:
    return {name: math.fsum(one[name] for one in sentences) for name in sentences[0]}


def contribution(
    score: Callable[[dict[str, float]], float], one: Counts, other: Counts, inside: Sequence[bool], steps: int = 400
) -> float:
    """Turn the other's counts into the one's in small steps; add up what the sentences inside change of the score."""
    gained = []
    for step in range(steps):
        share = (step + 0.5) / steps  # where all sentences stand in the middle of this step
        pairs = list(zip(one, other, inside, strict=True))
        middle = total([{name: share * a[name] + (1 - share) * b[name] for name in a} for a, b, _ in pairs])
        moved = total([{name: (a[name] - b[name]) * chosen / steps for name in a} for a, b, chosen in pairs])
        low = {name: value - moved[name] / 2 for name, value in middle.items()}
        high = {name: value + moved[name] / 2 for name, value in middle.items()}
        gained.append(score(high) - score(low))
    return math.fsum(gained)


def share_of_swaps(
    score: Callable[[dict[str, float]], float], one: Counts, other: Counts, swaps: Sequence[Sequence[bool]]
) -> float:
    """Return how many of these swaps bring a difference at least as large, plus one, over their number plus one."""
    found = abs(score(total(one)) - score(total(other)))
    hits = 0
    for swap in swaps:
        ours = [b if swapped else a for a, b, swapped in zip(one, other, swap, strict=True)]
        theirs = [a if swapped else b for a, b, swapped in zip(one, other, swap, strict=True)]
        hits += abs(score(total(ours)) - score(total(theirs))) >= found - 1e-12
    return (hits + 1) / (len(swaps) + 1)


def standard_error(differences: Sequence[float], units: Sequence[object]) -> float:
    """Return the standard error of a sum whose units are drawn as a whole."""
    sums = [
        math.fsum(value for value, own in zip(differences, units, strict=True) if own == unit) for unit in set(units)
    ]
    n, mean = len(sums), math.fsum(sums) / len(sums)
    return math.sqrt(n * math.fsum((value - mean) ** 2 for value in sums) / (n - 1))
