"""Pairs of trees to begin with in the metric lab: classical errors, and the worked examples of the papers."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from evaltools.analysis.examples import EXAMPLES
from evaltools.errors import RunError
from evaltools.runs.sample import sample_folder
from evaltools.treebank import Tree

__all__ = ["ERRORS", "PAPERS", "LabPair", "lab_pairs"]

ERRORS, PAPERS = "Classical errors", "From the papers"
"""The two groups."""

_IDS = ("emms-figure-2", "emms-figure-1", "emms-attachment", "emms-ancestry", "sampson-1", "one-word-or-two")


@dataclass(frozen=True, slots=True)
class LabPair:
    """Two trees and what they show.

    Parameters
    ----------
    id : str
        What it is called in links.
    group : str
        :data:`ERRORS` or :data:`PAPERS`.
    title : str
        What it is called.
    gold, test : str
        The trees, in round or in square brackets.
    says : str
        What to look at.
    """

    id: str
    group: str
    title: str
    gold: str
    test: str
    says: str


@cache
def lab_pairs() -> dict[str, LabPair]:
    """Return all pairs by id, group by group.

    Examples
    --------
    >>> pairs = lab_pairs()
    >>> next(iter(pairs)), pairs["sampson-2"].gold
    ('pp-low', '[S it is not [NP a mess [S you can make sense of ] ] ]')
    """
    text = resources.files("evaltools.analysis").joinpath("classical_errors.toml").read_text("utf-8")
    pairs = [LabPair(group=ERRORS, **entry) for entry in tomllib.loads(text)["pair"]]
    for name, example in zip(_IDS, EXAMPLES, strict=True):
        if name != "emms-figure-1":  # the trees of Figure 2
            title = f"{example.source}: {_lower(example.title)}" if name != "one-word-or-two" else example.title
            group = PAPERS if name != "one-word-or-two" else ERRORS
            pairs.append(LabPair(name, group, title, example.gold, example.test, example.says))
    pairs += _sampson()
    ordered = sorted(pairs, key=lambda one: (ERRORS, PAPERS).index(one.group))
    return {one.id: one for one in ordered}


def _sampson() -> list[LabPair]:
    """Return the examples of Sampson and Babarczy from the second on, which come with the sample."""
    try:
        folder = sample_folder() / "worked-examples"
        sides = [(folder / f"sampson-{side}.txt").read_text("utf-8").splitlines() for side in ("gold", "candidate")]
    except (OSError, RunError):  # an installation without the sample
        return []
    says = "Compared as they are, the figures are those of the paper: GEIG is E Dice, LA is with partial credit."
    return [
        LabPair(
            f"sampson-{number}",
            PAPERS,
            f"Sampson and Babarczy (2003), example {number}: “{_beginning(gold)}”",
            gold,
            test,
            says,
        )
        for number, (gold, test) in enumerate(zip(*sides, strict=True), start=1)
        if number > 1
    ]


def _beginning(text: str) -> str:
    words = Tree.from_string(text, "sampson").words
    return " ".join(words if len(words) <= 5 else (*words[:4], "…"))


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]
