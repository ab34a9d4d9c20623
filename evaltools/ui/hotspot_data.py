"""What *Hotspots* reads of a run, each frame once: features of words and brackets, errors by type, places."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evaltools.analysis.bracket_features import BRACKET_FEATURES, bracket_features
from evaltools.analysis.configurations import Configuration, configurations
from evaltools.analysis.dependency_hotspots import (
    DEPENDENCY_FEATURES,
    dependency_features,
    dependency_scores,
    gold_dependencies,
)
from evaltools.analysis.error_table import error_table
from evaltools.analysis.error_types import bundled_rules
from evaltools.analysis.run_trees import MOST_SENTENCES, gold_trees, tree_pair
from evaltools.analysis.word_features import FEATURES, word_features
from evaltools.normalize import Pair
from evaltools.runs.store import Run
from evaltools.treebank import Dependencies, Kind
from evaltools.ui import data

__all__ = [
    "Corpus",
    "Part",
    "bracket_configurations",
    "brackets",
    "corpus",
    "errors",
    "features_of",
    "pair",
    "parts",
    "word_configurations",
    "words",
]

_SHORT = 10_000
"""Runs of so many sentences are looked through whole."""
_STEPS = (1_000, _SHORT, MOST_SENTENCES)

_FEATURES = {"constituency": FEATURES, "dependency": DEPENDENCY_FEATURES}
_NO_CONDITIONS = ("rule", "lineage")
"""They say too much to be one condition among others."""


@dataclass(frozen=True)
class Part:
    """The first sentences of a run.

    Parameters
    ----------
    run : Run
        The run.
    most : int
        So many sentences of it.
    """

    run: Run
    most: int

    @property
    def key(self) -> str:
        """What tells this part from others."""
        return f"{data.run_key(self.run)}|{self.most}"


def parts(n_sentences: int) -> tuple[list[int], int]:
    """Return how many sentences may be looked through, and how many are at first.

    A step of the repair of an error takes about a thousandth of a second, so long runs begin with a part of them.
    """
    if n_sentences <= _SHORT:
        return [n_sentences], n_sentences
    whole = [n_sentences] if n_sentences < MOST_SENTENCES else []
    return [*(step for step in _STEPS if step <= n_sentences), *whole], _STEPS[0]


@dataclass(frozen=True)
class Corpus:
    """The gold words of a run, and which of them the preset leaves.

    Parameters
    ----------
    forms : list of list of str
        The words as read, by sentence.
    kept : list of ndarray
        Positions among the words as read of those that are left, by sentence.
    """

    forms: list[list[str]]
    kept: list[Any]

    def places(self, sentence: int, start: int, end: int) -> list[int]:
        """Return the positions as read of a span of words that are left; the sentence counts from 1."""
        return [int(place) for place in self.kept[sentence - 1][start:end]]


@st.cache_resource(max_entries=4, show_spinner=False)
def _gold(key: str, _part: Part) -> tuple[pd.DataFrame, Corpus]:
    normalized = gold_trees(_part.run, _part.most)
    gold = normalized.read
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.label[gold.kind == Kind.WORD]]
    before = np.concatenate(([0], np.cumsum(gold.n_words)))
    cut = [slice(int(first), int(last)) for first, last in pairwise(before)]
    kept = [np.flatnonzero(~normalized.dropped[one]) for one in cut]
    return word_features(normalized), Corpus([forms[one].tolist() for one in cut], kept)


@st.cache_resource(max_entries=4, show_spinner=False)
def _dependencies(key: str, _part: Part) -> tuple[Dependencies, pd.DataFrame, Corpus]:
    gold = gold_dependencies(_part.run, _part.most)
    features = dependency_features(gold, subtypes=bool(_part.run.meta["options"]["subtypes"]))
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.form]
    cut = [slice(int(first), int(last)) for first, last in pairwise(gold.offsets)]
    return gold, features, Corpus([forms[one].tolist() for one in cut], [np.arange(n) for n in gold.n_words])


@st.cache_resource(max_entries=8, show_spinner=False)
def _pair(key: str, parser: str, _part: Part) -> Pair:
    return tree_pair(_part.run, parser, _part.most)


@st.cache_resource(max_entries=8, show_spinner=False)
def _words(key: str, parser: str, _part: Part) -> pd.DataFrame:
    if _part.run.kind == "dependency":
        gold, features, _ = _dependencies(key, _part)
        return features.merge(dependency_scores(_part.run, parser, gold), on=["sentence", "word"], how="inner")
    features, _ = _gold(key, _part)
    sql = "select sentence, word, la_strict, la_partial from words where parser = ? and sentence <= ?"
    scores = _part.run.query(sql, [parser, _part.most])
    return features.merge(scores, on=["sentence", "word"], how="inner")


@st.cache_resource(max_entries=8, show_spinner=False)
def _brackets(key: str, parser: str, _part: Part) -> pd.DataFrame:
    return bracket_features(_pair(key, parser, _part))


@st.cache_resource(max_entries=16, show_spinner=False)
def _errors(key: str, parser: str, rules: str, _part: Part) -> pd.DataFrame:
    return error_table(_pair(key, parser, _part), bundled_rules(rules))


@st.cache_resource(max_entries=32, show_spinner=False)
def _word_configurations(key: str, parser: str, score: str, least: int, _part: Part) -> list[Configuration]:
    conditions = [name for name in features_of(_part.run) if name not in _NO_CONDITIONS]
    return configurations(_words(key, parser, _part), conditions, score, least=least)


@st.cache_resource(max_entries=32, show_spinner=False)
def _bracket_configurations(key: str, parser: str, least: int, _part: Part) -> list[Configuration]:
    return configurations(_brackets(key, parser, _part), list(BRACKET_FEATURES), "found", least=least)


def corpus(part: Part) -> Corpus:
    """Return the gold words."""
    return _dependencies(part.key, part)[2] if part.run.kind == "dependency" else _gold(part.key, part)[1]


def features_of(run: Run) -> dict[str, str]:
    """Return what words can be grouped by in such runs, and what people call it."""
    return _FEATURES[run.kind]


def pair(part: Part, parser: str) -> Pair:
    """Return the gold trees and a parser's, normalised."""
    return _pair(part.key, parser, part)


def words(part: Part, parser: str) -> pd.DataFrame:
    """Return the gold words with their features and a parser's scores."""
    return _words(part.key, parser, part)


def brackets(part: Part, parser: str) -> pd.DataFrame:
    """Return the gold brackets with their features, and whether a parser found them."""
    return _brackets(part.key, parser, part)


def errors(part: Part, parser: str, rules: str) -> pd.DataFrame:
    """Return a parser's errors by type, by rules that are named, a row a step of the repair."""
    return _errors(part.key, parser, rules, part)


def word_configurations(part: Part, parser: str, score: str, least: int) -> list[Configuration]:
    """Return groups of words that score low."""
    return _word_configurations(part.key, parser, score, least, part)


def bracket_configurations(part: Part, parser: str, least: int) -> list[Configuration]:
    """Return groups of brackets that are seldom found."""
    return _bracket_configurations(part.key, parser, least, part)
