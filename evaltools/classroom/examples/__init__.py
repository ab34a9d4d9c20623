"""Worked examples of *About the metrics*, small enough to check by hand.

They are steps like those of a lesson (:mod:`evaltools.classroom.lessons`), in one file for each section of the page:
trees or graphs, what to look at, and the metrics whose formulas are shown. Figures are computed, never written down.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from evaltools.classroom.lessons import Lesson, TreePair, parse_lesson
from evaltools.errors import ParameterError
from evaltools.metrics import METRICS

__all__ = ["SECTIONS", "mistakes", "text_of", "worked_examples"]

SECTIONS = ("e", "t", "la", "attachment", "frameworks", "older", "edm", "words", "mistakes")
"""The sections that have worked examples, each with a file of that name."""


def _text(section: str) -> str:
    if section not in SECTIONS:
        raise ParameterError.unknown("section", section, SECTIONS)
    return resources.files("evaltools.classroom.examples").joinpath(f"{section}.toml").read_text("utf-8")


@cache
def worked_examples(section: str) -> Lesson:
    """Return the worked examples of a section.

    Parameters
    ----------
    section : str
        A name in :data:`SECTIONS`.

    Returns
    -------
    Lesson
        What they are about, and each as a step.

    Raises
    ------
    ParameterError
        If there is no such section.

    Examples
    --------
    >>> [step.title for step in worked_examples("la").steps]
    ['Lineages word by word', 'One small word']
    """
    return parse_lesson(_text(section), f"{section}.toml")


def text_of(section: str, place: int, kind: str) -> Mapping[str, Any]:
    """Return what the file says of an example, without reading its trees or graphs.

    Parameters
    ----------
    section : str
        A name in :data:`SECTIONS`.
    place : int
        Which example, from 0.
    kind : str
        What it has: ``"trees"``, ``"dependencies"``, ``"functions"`` or ``"graphs"``.

    Raises
    ------
    ParameterError
        If there is no such section.

    Examples
    --------
    >>> text_of("t", 1, "trees")["gold"]
    '[A [B v [C w [D y ] ] ] x ]'
    """
    table: dict[str, Any] = tomllib.loads(_text(section))["step"][place][kind]
    return table


def mistakes(metrics: tuple[str, ...]) -> list[tuple[str, str, tuple[float | None, ...]]]:
    """Score parses of one sentence that have one mistake each.

    Parameters
    ----------
    metrics : tuple of str
        Ids of metrics of constituency trees.

    Returns
    -------
    list of (str, str, tuple of float or None)
        The mistake, what it is here, and the scores.

    Raises
    ------
    ParameterError
        If there is no such metric.

    Examples
    --------
    >>> mistakes(("e_dice_roof", "t_dice"))[5][0]
    'Two phrases over the same words change places'
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
