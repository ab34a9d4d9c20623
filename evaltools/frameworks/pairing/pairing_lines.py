"""How the sentences of a run's files were paired with the gold sentences: counts, and sentences in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.sentence_ids import ID_NAMES
from evaltools.frameworks.common.equated import equated_lines
from evaltools.text import count_of

__all__ = ["describe_counts", "describe_pairing", "pairing_counts", "pairing_lines"]


def pairing_counts(partner: NDArray[np.int64], n_sentences: int) -> dict[str, int]:
    """Return how many gold sentences have a partner at another position, or none, and how many others are left out."""
    paired = np.flatnonzero(partner >= 0)
    return {
        "shifted": int(np.count_nonzero(partner[paired] != paired)),
        "without_partner": len(partner) - len(paired),
        "left_out": n_sentences - len(paired),
    }


def describe_counts(counts: Mapping[str, int]) -> str:
    """Return the counts of an alignment in one line.

    Examples
    --------
    >>> describe_counts({"shifted": 12, "left_out": 3, "without_partner": 0})
    'sentences aligned by their words: 12 shifted, 3 left out, 0 gold sentences without partner'
    """
    gold = f"{count_of(counts['without_partner'], 'gold sentence')} without partner"
    return f"sentences aligned by their words: {counts['shifted']} shifted, {counts['left_out']} left out, {gold}"


def describe_pairing(entry: Mapping[str, Any]) -> str:
    """Return in one line how a file's sentences were paired with the gold sentences.

    Examples
    --------
    >>> describe_pairing({"paired": "position", "pairing": {"reason": "gold.conllu has no sent_id"}})
    'sentences paired by position: gold.conllu has no sent_id'
    >>> describe_pairing({"paired": "id", "pairing": {"shifted": 2, "left_out": 1, "without_partner": 0}})
    'sentences paired by sent_id: 2 at another position, 1 left out, 0 gold sentences without partner'
    """
    pairing = entry["pairing"]
    if entry["paired"] == "position":
        return f"sentences paired by position: {pairing['reason']}"
    if entry["paired"] == "text":
        return (
            f"sentences paired by the characters of the text: {pairing['divided']:,} gold sentences lie in several of "
            f"the parser's, {pairing['without_partner']:,} in none, {pairing['left_out']:,} left out"
        )
    name = ID_NAMES[entry.get("format", "conllu")]
    if not any(pairing.values()):
        return f"sentences paired by {name}"
    n_missing = pairing["without_partner"]
    gold = f"{count_of(n_missing, 'gold sentence')} without partner"
    return (
        f"sentences paired by {name}: {pairing['shifted']:,} at another position, {pairing['left_out']:,} left out, "
        f"{gold}"
    )


def pairing_lines(meta: Mapping[str, Any], parsers: Iterable[str] | None = None) -> list[str]:
    """Return how the sentences of a run's files were paired or aligned, and what counts as the same in them."""
    chosen = None if parsers is None else set(parsers)
    names = [(f"gold {entry['theory']}", entry) for entry in meta.get("golds", ())] or [("gold", meta["gold"])]
    names += [(entry["name"], entry) for entry in meta["parsers"] if chosen is None or entry["name"] in chosen]
    lines = [f"{name}: {describe_counts(entry['aligned'])}" for name, entry in names if "aligned" in entry]
    by_text: dict[str, list[str]] = {}
    for name, entry in names:
        if "pairing" in entry:
            by_text.setdefault(describe_pairing(entry), []).append(name)
    lines += [f"{', '.join(group)}: {text}" for text, group in by_text.items()]
    return lines + equated_lines(names)
