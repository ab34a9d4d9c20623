"""What to begin with in the metric lab: classical errors, the worked examples of the papers, a pair of graphs."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from evaltools.classroom.examples import text_of, worked_examples
from evaltools.errors import RunError
from evaltools.runs.sample import sample_folder
from evaltools.treebank import Tree

__all__ = ["ERRORS", "PAPERS", "PERSUADE", "PERSUADE_WRONG", "LabPair", "lab_pairs"]

ERRORS, PAPERS = "Classical errors", "From the papers"
"""The two groups."""

PERSUADE = str(text_of("edm", 0, "graphs")["gold"])
"""Dridan and Oepen (2011), Figure 1, as EDS."""

PERSUADE_WRONG = str(text_of("edm", 0, "graphs")["test"])
"""The same with *he* in the place of *Kim* as the one who leaves, another sense of the verb, and another tense."""

_EXAMPLES = (
    (
        "emms-figure-2",
        ("e", 0),
        "Emms (2008), Figures 1 and 2",
        "S and the tags N and V stand over the same words under the same label. To T one node is deleted, one "
        "inserted, and two have other labels.",
    ),
    (
        "emms-attachment",
        ("t", 1),
        "Emms (2008), section 2",
        "x is attached low instead of high. E loses every bracket in between; T moves one word.",
    ),
    (
        "emms-ancestry",
        ("t", 2),
        "Emms (2008), section 2",
        "exists and not change places but span the same words: perfect to E, a deletion and an insertion to T.",
    ),
    (
        "sampson-1",
        ("la", 0),
        "Sampson and Babarczy (2003), example 1",
        "The inner phrase is missed and the outer one has another label with the same first letter.",
    ),
    (
        "old-man",
        ("e", 1),
        "",
        "The verb is taken for a noun: one bracket crosses another, and the root is right but for its label.",
    ),
    (
        "one-word-or-two",
        ("words", 0),
        "",
        "The parser writes “cannot” and calls “go” a noun phrase. To E that label is the only error. LA finds "
        "another at “not”, which begins no phrase as “cannot” does. T deletes a word with its tag and swaps another.",
    ),
)
"""Of worked examples: id, section and place, which paper they are from, and what to look at."""


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
    text = resources.files("evaltools.classroom").joinpath("classical_errors.toml").read_text("utf-8")
    pairs = [LabPair(group=ERRORS, **entry) for entry in tomllib.loads(text)["pair"]]
    for name, place, source, says in _EXAMPLES:
        step, trees = worked_examples(place[0]).steps[place[1]], text_of(*place, "trees")
        title = f"{source}: {_lower(step.title)}" if source else step.title
        pairs.append(LabPair(name, PAPERS if source else ERRORS, title, trees["gold"], trees["test"], says))
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
