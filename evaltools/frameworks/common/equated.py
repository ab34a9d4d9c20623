"""What counts as the same although it is written in another way, and what is left out: counts, signature and notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.folding import folded, unescaped
from evaltools.corpus.vocabulary import StringTable

__all__ = ["count_words", "equated_entry", "equated_lines", "signed"]

_NOTES: dict[str, tuple[str, str]] = {
    "case": (
        "word differs from the gold word in upper and lower case only, and counts as the same word",
        "words differ from the gold words in upper and lower case only, and count as the same words",
    ),
    "writing": (
        "word is the gold word written in another way (-LRB- for a bracket, another form of Unicode), and counts as it",
        "words are the gold words written in another way (-LRB- for a bracket, another form of Unicode), and count as "
        "them",
    ),
    "root": (
        "word has the relation ROOT, which counts as root",
        "words have the relation ROOT, which counts as root",
    ),
    "root_function": (
        "node has the function ROOT, which counts as root",
        "nodes have the function ROOT, which counts as root",
    ),
    "features": (
        "label is compared without the features after it (##…##)",
        "labels are compared without the features after them (##…##)",
    ),
    "markup": (
        "node (ID …) or (CODE …) is left out: it is no word",
        "nodes (ID …) and (CODE …) are left out: they are no words",
    ),
}
"""What is said of one and of several, by the key of the counts."""


def count_words(table: StringTable, gold: NDArray[np.int32], test: NDArray[np.int32]) -> dict[str, int]:
    """Count the pairs of words, given by their numbers, that are the same word in another case, or written otherwise.

    Examples
    --------
    >>> words = StringTable(["(", "-LRB-", "Yes", "yes", "no"])
    >>> count_words(words, np.array([0, 2, 2, 4], np.int32), np.array([1, 3, 2, 2], np.int32))
    {'case': 1, 'writing': 1}
    """
    differ = np.flatnonzero(gold != test)
    pairs, times = np.unique(np.stack((gold[differ], test[differ])), axis=1, return_counts=True)
    counts = dict.fromkeys(("case", "writing"), 0)
    for (a, b), n in zip(pairs.T.tolist(), times.tolist(), strict=True):
        if folded(table[a]) == folded(table[b]):
            counts["writing" if unescaped(table[a]) == unescaped(table[b]) else "case"] += n
    return counts


def equated_entry(sums: Iterable[Mapping[str, Any]], key: str = "equated") -> dict[str, dict[str, int]]:
    """Return the sums of the counts of all chunks as an entry of ``meta.json``; nothing if all are 0.

    Examples
    --------
    >>> equated_entry([{"equated": {"case": 1, "writing": 0}}, {"equated": {"case": 2}}]), equated_entry([{}])
    ({'equated': {'case': 3}}, {})
    """
    counts: dict[str, int] = {}
    for chunk in sums:
        for name, n in chunk.get(key, {}).items():
            if n:
                counts[name] = counts.get(name, 0) + n
    return {"equated": counts} if counts else {}


_SIGNED = ("root", "root_function", "features", "markup")


def signed(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the part of the signature that names what some files have that is equated or left out by default.

    Examples
    --------
    >>> signed([{"equated": {"case": 3}}]), signed([{"equated": {"markup": 3}}, {"equated": {"root": 1}}])
    ([], ['equated:root+markup'])
    """
    found = {kind for entry in entries for kind in entry.get("equated", {})}
    kinds = [kind for kind in _SIGNED if kind in found]
    return [f"equated:{'+'.join(kinds)}"] if kinds else []


def equated_lines(entries: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Return what is said of some files, given their names and their entries in ``meta.json``.

    Examples
    --------
    >>> equated_lines([("p", {"equated": {"case": 1}}), ("q", {})])
    ['p: 1 word differs from the gold word in upper and lower case only, and counts as the same word']
    """
    return [
        f"{name}: {n:,} {_NOTES[kind][n != 1]}"
        for name, entry in entries
        for kind, n in entry.get("equated", {}).items()
    ]
