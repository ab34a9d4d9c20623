"""The views of *Hotspots* on runs of dependency trees: words, confused relations, wrong heads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from evaltools.analysis.dependency_hotspots import dependency_hotspots, head_confusions, relation_confusions
from evaltools.ui.hotspots import frames
from evaltools.ui.hotspots.configurations import (
    Options,
    word_configuration_members,
    word_configuration_rows,
    word_configurations_of,
)
from evaltools.ui.hotspots.frames import Part
from evaltools.ui.hotspots.view import View

__all__ = ["DEPENDENCY_VIEWS"]


def _word_rows(part: Part, parser: str, options: Options) -> pd.DataFrame:
    words = frames.words(part, parser)
    rows = dependency_hotspots(words, options.by, options.score, least=options.least)
    return rows.rename(columns={options.by: "group"}).astype({"group": str})


def _places(part: Part, words: pd.DataFrame) -> pd.DataFrame:
    """Return words as places, each with what was chosen and what is right; sentences with most of them first."""
    forms = frames.corpus(part).forms
    names = ("sentence", "word", "head", "test_head", "relation", "test_relation", "uas", "las")
    remarks = []
    for sentence, word, head, test_head, relation, test_relation, uas, las in zip(
        *(words[name].tolist() for name in names), strict=True
    ):
        own = forms[sentence - 1]
        right, chosen = (f"“{own[one - 1]}”" if 0 < one <= len(own) else "the root" for one in (head, test_head))
        if uas and las:
            remarks.append("")
        elif uas:
            remarks.append(f"“{own[word - 1]}”: {test_relation} instead of {relation}")
        else:
            remarks.append(f"“{own[word - 1]}” under {chosen} instead of {right}")
    places = words[["sentence"]].assign(start=words["word"] - 1, end=words["word"], remark=remarks)
    many = places.groupby("sentence")["start"].transform("size")
    order = np.lexsort((places["start"], places["sentence"], -many))
    return places.iloc[order].reset_index(drop=True)


def _word_places(part: Part, parser: str, options: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    words = frames.words(part, parser)
    return _places(part, words[(words[options.by].astype(str) == row["group"]) & (words[options.score] < 1)])


def _configuration_places(part: Part, parser: str, options: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    return _places(part, word_configuration_members(part, parser, options, row))


def _relation_rows(part: Part, parser: str, _: Options) -> pd.DataFrame:
    return relation_confusions(frames.words(part, parser))


def _relation_places(part: Part, parser: str, _: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    words = frames.words(part, parser)
    confused = (words["uas"] == 1) & (words["relation"] == row["gold"]) & (words["test_relation"] == row["test"])
    return _places(part, words[confused & (words["las"] == 0)])


def _head_rows(part: Part, parser: str, _: Options) -> pd.DataFrame:
    return head_confusions(frames.words(part, parser))


def _head_places(part: Part, parser: str, _: Options, row: Mapping[str, Any]) -> pd.DataFrame:
    words = frames.words(part, parser)
    same = (words["tag"] == row["child"]) & (words["head_tag"] == row["gold_head"])
    return _places(part, words[same & (words["test_head_tag"] == row["test_head_tag"]) & (words["uas"] == 0)])


_EQUAL = "Over the sentences whose words are equal."

DEPENDENCY_VIEWS: dict[str, View] = {
    "words": View(
        "Words",
        f"Groups of gold words against all other words. Excess: how much more is lost than if the group scored like "
        f"the rest. {_EQUAL}",
        ("group",),
        "excess",
        _word_rows,
        _word_places,
        frozenset({"by", "least", "score"}),
    ),
    "configurations": View(
        "Word configurations",
        "Two or three conditions whose words score lower than every condition alone would lead one to expect. "
        f"{_EQUAL}",
        ("group",),
        "excess",
        word_configuration_rows,
        _configuration_places,
        frozenset({"least", "score"}),
        word_configurations_of,
    ),
    "relations": View(
        "Relation confusions",
        f"Words with the right head and another relation. Share: of the gold relation’s words with the right head. "
        f"{_EQUAL}",
        ("gold", "test"),
        "count",
        _relation_rows,
        _relation_places,
    ),
    "heads": View(
        "Wrong heads",
        "Words with a wrong head: the tag of the word, of the head that is right, and of the one that was chosen. "
        f"Where both have the same tag they are different words. Share: of all wrong heads. {_EQUAL}",
        ("child", "gold_head", "test_head_tag"),
        "count",
        _head_rows,
        _head_places,
    ),
}
"""The views by their name in the URL."""
