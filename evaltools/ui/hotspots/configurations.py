"""Configurations as views of *Hotspots*: groups described by two or three conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evaltools.analysis.configurations import Configuration
from evaltools.analysis.dependency_hotspots import ROOT
from evaltools.ui.hotspots import frames
from evaltools.ui.hotspots.frames import Part

__all__ = [
    "Options",
    "bracket_configuration_places",
    "bracket_configuration_rows",
    "bracket_configurations_of",
    "condition_text",
    "word_configuration_members",
    "word_configuration_places",
    "word_configuration_rows",
    "word_configurations_of",
    "word_places",
]


@dataclass(frozen=True, slots=True)
class Options:
    """What the reader chose beside parser and view.

    Parameters
    ----------
    by : str
        The feature that words are grouped by.
    least : int
        Least number of members of a group.
    score : str
        ``la_partial`` or ``la_strict``; of dependency trees also ``las`` or ``uas``.
    """

    by: str
    least: int
    score: str


def word_places(part: Part, words: pd.DataFrame, score: str) -> pd.DataFrame:
    """Return words as places; the worst sentence first."""
    kept = frames.corpus(part).kept
    start = [
        int(np.searchsorted(kept[sentence - 1], word - 1))
        for sentence, word in zip(words["sentence"].tolist(), words["word"].tolist(), strict=True)
    ]
    places = pd.DataFrame(
        {"sentence": words["sentence"].to_numpy(), "start": start, "loss": 1 - words[score].to_numpy()}
    )
    places = places.assign(end=places["start"] + 1)
    lost = places.groupby("sentence")["loss"].transform("sum")
    order = np.lexsort((places["start"], places["sentence"], -lost))
    places = places.iloc[order].assign(lost=lost.iloc[order])
    return places.assign(remark=[f"loss {value:.2f}" for value in places["lost"]]).reset_index(drop=True)


_SAID = {
    "tag": "tag {}",
    "form": "“{}”",
    "parent": "in {}",
    "grandparent": "under {}",
    "first_child": "that begins with {}",
    "last_child": "that ends with {}",
    "phrase_length": "phrase of {} words",
    "first_words": "first child of {} words",
    "children": "{} children",
    "words": "{} words",
    "depth": "depth {}",
    "length": "sentence of {} words",
    "position": "{} in the sentence",
    "place": "{} in its phrase",
    "edge": "{} in its parent",
    "label": "{}",
    "relation": "relation {}",
    "head_tag": "under {}",
    "direction": "head to the {}",
}


_ONE = {
    "phrase_length": "phrase of one word",
    "first_words": "first child of one word",
    "children": "one child",
    "words": "one word",
    "length": "sentence of one word",
}
_FAR = {"7–": "7 or more"}
_ROOT = {"distance": "without a head", "direction": "without a head", "head_tag": "under the root"}


def condition_text(conditions: tuple[tuple[str, str], ...]) -> str:
    """Return the conditions of a configuration in words.

    Examples
    --------
    >>> condition_text((("label", "S"), ("first_child", "NP"), ("first_words", "2")))
    'S, that begins with NP, first child of 2 words'
    """
    return ", ".join(_condition(name, value) for name, value in conditions)


def _condition(name: str, value: str) -> str:
    if name in _ROOT and value in ("root", ROOT):
        return _ROOT[name]
    if name == "distance":
        return f"head {_FAR.get(value, value)} word{'' if value == '1' else 's'} away"
    return _ONE[name] if value == "1" and name in _ONE else _SAID[name].format(value)


def _configuration_table(found: list[Configuration]) -> pd.DataFrame:
    rows = [
        (condition_text(one.conditions), one.count, one.mean, one.rest, one.low, one.high, one.excess, one.flagged)
        for one in found
    ]
    return pd.DataFrame(rows, columns=["group", "count", "mean", "rest", "low", "high", "excess", "flagged"])


def word_configuration_rows(part: Part, parser: str, options: Options) -> pd.DataFrame:
    """Return groups of words that score low."""
    return _configuration_table(frames.word_configurations(part, parser, options.score, options.least))


def word_configuration_members(part: Part, parser: str, options: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    """Return the words of a group that lost something, with their features and scores."""
    found = frames.word_configurations(part, parser, options.score, options.least)
    (one,) = (one for one in found if condition_text(one.conditions) == row["group"])
    words = frames.words(part, parser)
    return words[one.members(words) & (words[options.score] < 1).to_numpy()]


def word_configuration_places(part: Part, parser: str, options: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    """Return the words of a group that lost something, as places."""
    return word_places(part, word_configuration_members(part, parser, options, row), options.score)


def _excess(members: Any, scores: pd.Series[float]) -> float:
    """Return how much more a group loses than if it scored like the rest."""
    inside, rest = scores[members], scores[~members]
    return float((rest.mean() - inside.mean()) * inside.notna().sum())


def word_configurations_of(part: Part, other: str, options: Options, parser: str) -> list[float]:
    """Return the excess of another parser for the groups of words of the first."""
    found = frames.word_configurations(part, parser, options.score, options.least)
    words = frames.words(part, other)
    return [_excess(one.members(words), words[options.score]) for one in found]


def bracket_configurations_of(part: Part, other: str, options: Options, parser: str) -> list[float]:
    """Return the excess of another parser for the groups of brackets of the first."""
    found = frames.bracket_configurations(part, parser, options.least)
    brackets = frames.brackets(part, other)
    return [_excess(one.members(brackets), brackets["found"]) for one in found]


def bracket_configuration_rows(part: Part, parser: str, options: Options) -> pd.DataFrame:
    """Return groups of brackets that are seldom found."""
    return _configuration_table(frames.bracket_configurations(part, parser, options.least))


def bracket_configuration_places(part: Part, parser: str, options: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    """Return the brackets of a group that were not found."""
    found = frames.bracket_configurations(part, parser, options.least)
    (one,) = (one for one in found if condition_text(one.conditions) == row["group"])
    brackets = frames.brackets(part, parser)
    chosen = brackets[one.members(brackets) & (brackets["found"] == 0).to_numpy()]
    return chosen[["sentence", "start", "end"]].assign(remark="").reset_index(drop=True)
