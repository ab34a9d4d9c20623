"""Worked examples of *About the metrics*, small enough to check by hand.

They are steps like those of a lesson (:mod:`evaltools.classroom.lessons`), one file per section of the page: trees or
graphs, what to look at, and the metrics whose formulas are shown. All figures are computed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from evaltools.classroom.lessons import Lesson, TreePair, parse_lesson
from evaltools.errors import ParameterError
from evaltools.frameworks.registry import METRICS

__all__ = ["SECTIONS", "mistakes", "text_of", "worked_examples"]

SECTIONS = ("e", "t", "la", "r", "attachment", "frameworks", "older", "edm", "words", "mistakes")
"""The sections that have worked examples, each with a file of that name."""


def _text(section: str) -> str:
    if section not in SECTIONS:
        raise ParameterError.unknown("section", section, SECTIONS)
    return resources.files(__package__).joinpath(f"{section}.toml").read_text("utf-8")


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
    >>> mistakes(("e_dice_roof", "t_dice"))[5][0]
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
