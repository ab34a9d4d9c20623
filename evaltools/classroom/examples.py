"""Worked examples of *About the metrics*, small enough to check by hand, and the pairs of trees of the metric lab.

Worked examples are steps like those of a lesson (:mod:`evaltools.classroom.lessons`), one file per section of the page:
trees or graphs, what to look at, and the metrics whose formulas are shown. All figures are computed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from evaltools.classroom.lessons import Lesson, parse_lesson
from evaltools.classroom.material import TreePair
from evaltools.corpus import Tree
from evaltools.errors import ParameterError, RunError
from evaltools.frameworks.registry import METRICS
from evaltools.runs.locations import sample_folder
from evaltools.text import some_words

SECTIONS = ("e", "t", "la", "r", "attachment", "frameworks", "older", "edm", "words", "mistakes")
"""The sections that have worked examples, each with a file of that name."""


def _text(section: str) -> str:
    if section not in SECTIONS:
        raise ParameterError.unknown("section", section, SECTIONS)
    return resources.files(__package__).joinpath(f"data/examples/{section}.toml").read_text("utf-8")


@cache
def worked_examples(section: str) -> Lesson:
    """Return the worked examples of a section.

    Examples
    --------
    >>> [step.title for step in worked_examples("la").steps]
    ['Lineages word by word', 'One small word']
    """
    return parse_lesson(_text(section), f"{section}.toml")


def text_of(section: str, index: int, material: str) -> Mapping[str, Any]:
    """Return the table of an example as it stands in the file, its trees or graphs as text.

    Examples
    --------
    >>> text_of("t", 1, "trees")["gold"]
    '[A [B v [C w [D y ] ] ] x ]'
    """
    table: dict[str, Any] = tomllib.loads(_text(section))["step"][index][material]
    return table


def mistakes(metrics: tuple[str, ...]) -> list[tuple[str, str, tuple[float | None, ...]]]:
    """Score parses of one sentence that have one mistake each.

    Examples
    --------
    >>> mistakes(("f1", "ted"))[5][0]
    'Two phrases over the same words are swapped'
    """
    for metric in metrics:
        if metric not in METRICS:
            raise ParameterError.unknown("metric", metric, METRICS)
    rows = []
    for step in worked_examples("mistakes").steps:
        assert isinstance(step.material, TreePair)
        scores = step.material.align().scores
        rows.append((step.title, step.text, tuple(scores[metric] for metric in metrics)))
    return rows


ERRORS, PAPERS = "Classical errors", "From the papers"
"""The two groups."""

_EXAMPLES = (
    (
        "emms-figure-2",
        ("e", 0),
        "Emms (2008), Figures 1 and 2",
        "S and the tags N and V have the same words and the same label. For T one node is missing, one "
        "is spurious, and two are relabeled.",
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
        "exists and not are swapped over the same words: no error for E, a deletion and an insertion for T.",
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
        "The verb is tagged as a noun: one bracket crosses another, and the root has the wrong label.",
    ),
    (
        "one-word-or-two",
        ("words", 0),
        "",
        "The parser writes “cannot” and labels “go” as a noun phrase. For E that label is the only error. LA finds "
        "another at “not”, which begins no phrase as “cannot” does. T deletes a word with its tag and swaps another.",
    ),
)
"""Worked examples: id, section and index of the step, paper, and what to look at."""


@dataclass(frozen=True, slots=True)
class LabPair:
    """Two trees and what they show."""

    id: str  # Its name in links
    group: str  # ERRORS or PAPERS
    title: str
    gold: str  # The trees, in round or in square brackets
    test: str
    note: str  # What to look at


@cache
def lab_pairs() -> dict[str, LabPair]:
    """Return all pairs by id, group by group.

    Examples
    --------
    >>> pairs = lab_pairs()
    >>> next(iter(pairs)), pairs["sampson-2"].gold
    ('pp-low', '[S it is not [NP a mess [S you can make sense of ] ] ]')
    """
    text = resources.files(__package__).joinpath("data/classical_errors.toml").read_text("utf-8")
    pairs = [LabPair(**{"group": ERRORS, **entry}) for entry in tomllib.loads(text)["pair"]]
    for name, (section, index), source, note in _EXAMPLES:
        step, trees = worked_examples(section).steps[index], text_of(section, index, "trees")
        title = f"{source}: {_lower(step.title)}" if source else step.title
        pairs.append(LabPair(name, PAPERS if source else ERRORS, title, trees["gold"], trees["test"], note))
    pairs += _sampson()
    ordered = sorted(pairs, key=lambda pair: (ERRORS, PAPERS).index(pair.group))
    return {pair.id: pair for pair in ordered}


def _sampson() -> list[LabPair]:
    """Return the examples of Sampson and Babarczy from the second on, which come with the sample."""
    try:
        folder = sample_folder() / "worked-examples"
        sides = [(folder / f"sampson-{side}.txt").read_text("utf-8").splitlines() for side in ("gold", "candidate")]
    except (OSError, RunError):  # an installation without the sample
        return []
    note = "Compared as they are, the figures are those of the paper: GEIG is bracketing F1, LA the graded score."
    return [
        LabPair(
            f"sampson-{number}",
            PAPERS,
            f"Sampson and Babarczy (2003), example {number}: “{_beginning(gold)}”",
            gold,
            test,
            note,
        )
        for number, (gold, test) in enumerate(zip(*sides, strict=True), start=1)
        if number > 1
    ]


def _beginning(text: str) -> str:
    words = Tree.from_string(text, "sampson").words
    return some_words(words, 4)


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]
