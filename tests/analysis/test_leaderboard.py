"""Leaderboard and its intervals, against the obvious way to compute them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from evaltools.analysis import FIGURES, explain, leaderboard
from evaltools.analysis.bootstrap import interval, resampled_figures, resampled_sums
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import summarize
from evaltools.frameworks.registry import METRICS
from evaltools.runs.database import FrameTables
from evaltools.runs.sums import sum_sentences
from tests.analysis.made import table
from tests.analysis.summed import sums_of

CHOSEN = ["f1", "crossing", "ted", "la_exact"]


def test_the_figures_are_those_of_the_run():
    frame = table()
    board = leaderboard(sums_of(frame, METRICS), ["a", "b"], CHOSEN, resamples=20)
    pd.testing.assert_frame_equal(
        board[["parser", "metric", *FIGURES]],
        summarize(frame, ["a", "b"], [METRICS[name] for name in CHOSEN])[["parser", "metric", *FIGURES]],
    )


def test_intervals_are_those_of_resampling_one_by_one():
    """The slow twin: draw sentences, take their rows, compute the run's summary of them."""
    n, resamples, seed = 17, 25, 3
    frame = table(n=n)
    picks = np.random.default_rng(seed).integers(0, n, size=(resamples, n), dtype=np.int64)
    slow = []
    for pick in picks:
        drawn = pd.concat([frame[frame["parser"] == parser].iloc[pick] for parser in ("a", "b")])
        slow.append(summarize(drawn, ["a", "b"], [METRICS[name] for name in CHOSEN]).set_index(["parser", "metric"]))
    fast = resampled_figures(
        sums_of(frame, CHOSEN),
        ("a", "b"),
        [METRICS[name] for name in CHOSEN],
        resamples=resamples,
        seed=seed,
    )
    for (parser, metric, figure), values in fast.items():
        expected = [one.loc[(parser, metric), figure] for one in slow]
        np.testing.assert_allclose(values, expected, err_msg=f"{parser} {metric} {figure}")


@given(st.integers(1, 40), st.integers(1, 30), st.integers(0, 5), st.integers(1, 300))
def test_sums_do_not_depend_on_how_much_memory_there_is(n, resamples, seed, block):
    columns = np.random.default_rng(1).random((n, 3))
    np.testing.assert_allclose(
        resampled_sums(columns, resamples, seed, block=block), resampled_sums(columns, resamples, seed)
    )


def test_the_same_seed_gives_the_same_intervals():
    frame = table()
    first = leaderboard(sums_of(frame, METRICS), ["a", "b"], CHOSEN, resamples=50, seed=7)
    pd.testing.assert_frame_equal(first, leaderboard(sums_of(frame, METRICS), ["a", "b"], CHOSEN, resamples=50, seed=7))
    assert not first.equals(leaderboard(sums_of(frame, METRICS), ["a", "b"], CHOSEN, resamples=50, seed=8))


def test_undefined_resamples_are_left_out_of_intervals():
    low, high = interval(np.array([[np.nan, np.nan], [0.5, np.nan], [0.7, np.nan]]))
    assert low[0] == pytest.approx(0.505)
    assert high[0] == pytest.approx(0.695)
    assert np.isnan(low[1])
    assert np.isnan(high[1])


def test_no_sentences_have_no_figures():
    frame = table().iloc[:0]
    tables = FrameTables(["a"], 0, frame)
    board = leaderboard(sum_sentences(tables, CHOSEN), ["a"], CHOSEN, resamples=5)
    assert board[list(FIGURES)].isna().all(axis=None)
    assert board["pooled_low"].isna().all()


def test_pairs_too_large_for_tree_distance_are_in_no_figure_of_it():
    frame = table(parsers=("a",), n=4)
    frame["status"] = "ok"
    frame.loc[0, list(METRICS["ted"].columns)] = float("nan")
    board = leaderboard(sums_of(frame, METRICS), ["a"], ["ted", "f1"], resamples=10).set_index("metric")
    assert board["scored"].to_dict() == {"ted": 3, "f1": 4}
    assert explain(sums_of(frame, METRICS), "a", "ted", "pooled").n == 3


@pytest.fixture(scope="module")
def every_sum():
    return sums_of(table(), METRICS)


@pytest.fixture(scope="module")
def every_figure():
    return summarize(table(), ["a"], list(METRICS.values())).set_index("metric")


@pytest.mark.parametrize("metric", sorted(METRICS))
@pytest.mark.parametrize("figure", FIGURES)
def test_an_explained_figure_comes_out_of_its_numbers(metric, figure, every_sum, every_figure):
    said = explain(every_sum, "a", metric, figure)
    assert said.value == pytest.approx(every_figure.loc[metric, figure])
    text = said.numbers.replace(",", "").replace("−", "-").replace("×", "*")
    assert eval(text) == pytest.approx(said.value, abs=2e-3)


def test_explaining_names_what_is_known():
    with pytest.raises(ParameterError, match="pooled_all"):
        explain(sums_of(table(), METRICS), "a", "ted", "micro")
    with pytest.raises(ParameterError, match="ted"):
        explain(sums_of(table(), METRICS), "a", "f2", "pooled")
