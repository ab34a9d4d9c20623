"""What is wrong with a parse, in words, by each metric that gives a verdict on two parses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.tree_distance import EDITS
from evaltools.text import percent, phrase


def _brackets(suffix: str, part: str, alignment: Alignment) -> str:
    matched, gold, test = (
        int(alignment.counts[f"e_{name}"]) for name in (f"matched_{part}{suffix}", f"gold_{part}", f"test_{part}")
    )
    missing = (gold - matched, "bracket missing", "brackets missing")
    return phrase([missing, (test - matched, "spurious", "spurious")], "all brackets right")


def _crossing(alignment: Alignment) -> str:
    number = int(alignment.counts["e_crossing_brackets"])
    return phrase([(number, "bracket crosses", "brackets cross")], "no crossing brackets")


def _edits(alignment: Alignment) -> str:
    return phrase([(int(alignment.counts[column]), status, status) for column, status in EDITS.items()], "no edits")


_REPAIRS = (
    ("r_moves", "move", "moves"),
    ("r_relabels", "new label", "new labels"),
    ("r_adds", "bracket to add", "brackets to add"),
    ("r_removes", "bracket to remove", "brackets to remove"),
)


def _repairs(alignment: Alignment) -> str:
    return phrase([(int(alignment.counts[name]), one, many) for name, one, many in _REPAIRS], "nothing to repair")


def _lineages(metric: str, alignment: Alignment) -> str:
    low = [word for word in alignment.words if word.scores.get(metric, 1.0) < 1]
    if not low:
        return "all lineages equal"
    worst = min(low, key=lambda word: word.scores[metric])
    return f"{len(low)} of {len(alignment.words)} words, “{worst.form}” worst: {percent(worst.scores[metric])}"


FAULTS: dict[str, Callable[[Alignment], str]] = {
    "f1": partial(_brackets, "", "roof"),
    "f1_pos": partial(_brackets, "", "whole"),
    "f1_unlabeled": partial(_brackets, "_unlabeled", "roof"),
    "crossing": _crossing,
    "ted": _edits,
    "la_exact": partial(_lineages, "la_exact"),
    "la": partial(_lineages, "la"),
    "errors": _repairs,
}
"""What is wrong with a parse by the metrics that give a verdict; Jaccard would rank two parses as Dice does."""
