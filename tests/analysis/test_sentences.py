"""Ranks of sentences, distributions, score by length."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from evaltools.analysis import (
    score_by_length,
    score_histogram,
    worst_is_high,
)
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import summarize
from evaltools.frameworks.registry import METRICS
from evaltools.runs.sums import length_bins
from tests.analysis.made import table
from tests.analysis.summed import by_length_of, steps_of


def test_the_most_crossing_brackets_are_the_worst():
    assert worst_is_high("crossing")
    with pytest.raises(ParameterError):
        worst_is_high("crossings of brackets")


def scored(values):
    """Make a table whose LA scores are these; none where there are no words."""
    words = [0.0 if value is None else 1.0 for value in values]
    known = {"parser": "a", "status": "ok", "words": 1, "words_scored": 1, "sentences": 1, "words_aligned": np.nan}
    return pd.DataFrame({**known, "la_sum": values, "la_words": words})


@given(st.lists(st.floats(-0.5, 1), max_size=30), st.integers(1, 20))
def test_a_histogram_holds_every_sentence_once(values, bins):
    rows = score_histogram(steps_of(scored([*values, None]), "la", bins), ["a"], "la", bins)
    assert rows["count"].sum() == len(values)
    assert rows["share"].sum() == pytest.approx(1 if values else 0)
    assert len(rows) == bins


@pytest.mark.parametrize(("score", "place"), [(0.0, 0), (0.15, 3), (0.3, 6), (0.35, 7), (0.95, 19), (1, 19), (-0.2, 0)])
def test_a_score_on_a_border_is_in_the_upper_bin(score, place):
    rows = score_histogram(steps_of(scored([score]), "la"), ["a"], "la")
    assert rows["count"].to_numpy().argmax() == place


def test_counts_have_a_bin_for_each_number():
    known = {"parser": "a", "status": "ok", "words_aligned": np.nan, "words": 1, "sentences": 1}
    frame = pd.DataFrame({**known, "e_crossing_brackets": [0, 0, 2, 30]})
    steps = steps_of(frame, "crossing")
    rows = score_histogram(steps, ["a"], "crossing", 5)
    assert rows["count"].tolist() == [2, 0, 1, 0, 1]
    assert rows["open"].tolist() == [False] * 4 + [True]


@given(st.lists(st.integers(1, 300), min_size=1, max_size=60))
def test_length_bins_hold_every_length_once(lengths):
    bins = length_bins(np.array(lengths))
    assert 1 <= len(bins) <= 8
    assert bins[0][0] == 1
    for (_, last), (first, _) in pairwise(bins):
        assert last is not None
        assert first == last + 1
    assert bins[-1][1] is None or bins[-1][1] >= max(lengths)


def test_figures_by_length_are_those_of_the_sentences_in_the_bin():
    frame = table(n=60)
    sums, bins = by_length_of(frame, "la")
    rows = score_by_length(sums, bins, ["a", "b"], "la", resamples=30)
    assert rows.groupby("parser")["sentences"].sum().to_dict() == {"a": 60, "b": 60}
    for row in rows.itertuples():
        last = np.inf if np.isnan(row.last) else row.last
        inside = frame[frame["words"].between(row.first, last)]
        expected = summarize(inside, [row.parser], [METRICS["la"]]).iloc[0]
        assert row.pooled == pytest.approx(expected["pooled"], nan_ok=True)
        assert row.mean == pytest.approx(expected["mean"], nan_ok=True)
        assert row.n == expected["n"]
    every = score_by_length(sums, bins, ["a"], "la", every=True, resamples=5)
    for row in every.itertuples():
        inside = frame[frame["words"].between(row.first, np.inf if np.isnan(row.last) else row.last)]
        expected = summarize(inside, ["a"], [METRICS["la"]]).iloc[0]
        assert (row.pooled, row.mean) == pytest.approx((expected["pooled_all"], expected["mean_all"]), nan_ok=True)
