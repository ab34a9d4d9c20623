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
from evaltools.analysis.error_table import error_table
from evaltools.analysis.run_trees import MOST_SENTENCES, gold_trees, tree_pair
from evaltools.analysis.word_features import FEATURES, word_features
from evaltools.normalize import Pair
from evaltools.runs.store import Run
from evaltools.treebank import Kind
from evaltools.ui import data

__all__ = [
    "MOST_REPAIRED",
    "Corpus",
    "bracket_configurations",
    "brackets",
    "corpus",
    "errors",
    "pair",
    "word_configurations",
    "words",
]

MOST_REPAIRED = 10_000
"""Error types are sought in so many sentences at most, from the first: each takes about a thousandth of a second."""

_CONDITIONS = tuple(name for name in FEATURES if name not in ("rule", "lineage"))
"""Rules and lineages say too much to be one condition among others."""


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
def _gold(key: str, _run: Run) -> tuple[pd.DataFrame, Corpus]:
    gold, normalized = gold_trees(_run)
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.label[gold.kind == Kind.WORD]]
    before = np.concatenate(([0], np.cumsum(gold.n_words)))
    cut = [slice(int(first), int(last)) for first, last in pairwise(before)]
    kept = [np.flatnonzero(~normalized.dropped[one]) for one in cut]
    return word_features(gold, normalized), Corpus([forms[one].tolist() for one in cut], kept)


@st.cache_resource(max_entries=8, show_spinner=False)
def _pair(key: str, parser: str, _run: Run) -> Pair:
    return tree_pair(_run, parser)


@st.cache_resource(max_entries=8, show_spinner=False)
def _words(key: str, parser: str, _run: Run) -> pd.DataFrame:
    features, _ = _gold(key, _run)
    sql = "select sentence, word, la_strict, la_partial from words where parser = ? and sentence <= ?"
    scores = _run.query(sql, [parser, MOST_SENTENCES])
    return features.merge(scores, on=["sentence", "word"], how="inner")


@st.cache_resource(max_entries=8, show_spinner=False)
def _brackets(key: str, parser: str, _run: Run) -> pd.DataFrame:
    return bracket_features(_pair(key, parser, _run))


@st.cache_resource(max_entries=16, show_spinner=False)
def _errors(key: str, parser: str, _run: Run) -> pd.DataFrame:
    return error_table(_pair(key, parser, _run), most=MOST_REPAIRED)


@st.cache_resource(max_entries=32, show_spinner=False)
def _word_configurations(key: str, parser: str, score: str, least: int, _run: Run) -> list[Configuration]:
    return configurations(_words(key, parser, _run), _CONDITIONS, score, least=least)


@st.cache_resource(max_entries=32, show_spinner=False)
def _bracket_configurations(key: str, parser: str, least: int, _run: Run) -> list[Configuration]:
    return configurations(_brackets(key, parser, _run), list(BRACKET_FEATURES), "found", least=least)


def corpus(run: Run) -> Corpus:
    """Return the gold words."""
    return _gold(data.run_key(run), run)[1]


def pair(run: Run, parser: str) -> Pair:
    """Return the gold trees and a parser's, normalised."""
    return _pair(data.run_key(run), parser, run)


def words(run: Run, parser: str) -> pd.DataFrame:
    """Return the gold words with their features and a parser's LA scores."""
    return _words(data.run_key(run), parser, run)


def brackets(run: Run, parser: str) -> pd.DataFrame:
    """Return the gold brackets with their features, and whether a parser found them."""
    return _brackets(data.run_key(run), parser, run)


def errors(run: Run, parser: str) -> pd.DataFrame:
    """Return a parser's errors by type, a row a step of the repair."""
    return _errors(data.run_key(run), parser, run)


def word_configurations(run: Run, parser: str, score: str, least: int) -> list[Configuration]:
    """Return groups of words that score low."""
    return _word_configurations(data.run_key(run), parser, score, least, run)


def bracket_configurations(run: Run, parser: str, least: int) -> list[Configuration]:
    """Return groups of brackets that are seldom found."""
    return _bracket_configurations(data.run_key(run), parser, least, run)
