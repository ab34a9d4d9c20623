"""Order, best parser and wording: only where it is sure."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evaltools import METRICS
from evaltools.analysis.comparison import compare_in_run
from evaltools.analysis.significance import Comparison
from evaltools.analysis.standing import compared_over, describe, standings
from evaltools.frameworks.figures import FIGURES, Sentences
from evaltools.runs.sample import sample_run
from evaltools.runs.store import Run
from evaltools.runs.sums import sum_sentences
from tests.analysis.made import table
from tests.analysis.paired import compare_two
from tests.analysis.summed import sums_of
from tests.conftest import few_examples, home_environment


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return the sample across frameworks, scored by this version."""
    with pytest.MonkeyPatch.context() as patch:
        for name, text in home_environment(tmp_path_factory.mktemp("home")).items():
            patch.setenv(name, text)
        return sample_run(kind="crossframework")


def test_an_order_that_is_not_sure_has_no_best_parser(sample: Run):
    run = sample
    sums = sum_sentences(run, ["tedeval_multiple_unlabeled"])
    found = standings(sums, run.parsers, ["tedeval_multiple_unlabeled"], "pooled_all")["tedeval_multiple_unlabeled"]
    assert found.parsers[0] == "shift-reduce"
    pair = compare_in_run(run, found.metric, *found.parsers[:2], over="all").comparison
    assert pair.p > 0.05
    assert found.best is None
    said = describe(found)
    assert "is not significant" in said
    assert not re.search(r"\b(best|lead|leads|ahead|wins|winner)\b", said)


@few_examples
@given(seed=st.integers(0, 10_000), figure=st.sampled_from(FIGURES), bonus=st.integers(0, 4))
@pytest.mark.slow
def test_no_parser_is_named_ahead_where_compare_over_the_same_sentences_says_otherwise(
    seed: int, figure: str, bonus: int
):
    parsers, metrics = ("a", "b", "c"), ("f1", "ted", "crossing", "tedeval2011_unlabeled")
    frame = table(parsers, n=60, seed=seed)
    of_a = frame["parser"] == "a"
    frame.loc[of_a, "e_matched_roof"] = np.minimum(
        frame["e_matched_roof"] + bonus, frame[["e_gold_roof", "e_test_roof"]].min(axis=1)
    )
    sums = sums_of(frame, metrics)
    rows = {parser: frame[frame["parser"] == parser] for parser in parsers}
    every = figure.endswith("_all")
    for metric, found in standings(sums, parsers, metrics, figure, iterations=200).items():
        one = METRICS[metric]
        scores = {parser: Sentences(part).scores(one, every=every) for parser, part in rows.items()}
        have = {parser: Sentences(part).members(one, every=every) for parser, part in rows.items()}
        if figure.startswith("mean"):
            have = {parser: ~np.isnan(scores[parser]) for parser in parsers}
        assert found.n == {parser: have[parser].sum() for parser in found.values}
        for first, second in itertools.combinations(parsers, 2):
            mask = have[first] & have[second]
            counts = [Sentences(rows[parser]).counts(one, every=every) for parser in (first, second)]
            ours = found.pair(first, second)
            if figure.startswith("mean"):
                values = [float(scores[parser][mask].mean()) for parser in (first, second)]
            else:
                expected = compare_two(one, *counts, (first, second), masks=(mask, mask), iterations=200)
                values = [expected.value, expected.value_b]
                assert (ours.p, ours.n_sentences) == (expected.p, expected.n_sentences)
                if expected.p >= 0.05 or not (expected.low > 0 or expected.high < 0):
                    assert ours.ahead is None
                    assert found.best not in (first, second) or len(found.values) > 2
            assert [ours.value, ours.value_b] == pytest.approx(values)
        if found.best is not None:
            assert all(found.pair(found.best, other).ahead == found.best for other in parsers if other != found.best)
            assert f": {found.best} is best, " in describe(found)
        else:
            assert " best " not in describe(found)


def made(low: float, high: float, p: float, metric: str = "las") -> Comparison:
    return Comparison("a", "b", metric, "pooled", 0.9, 0.8, low, high, p, p, 100, 40)


def test_significant_is_a_small_p_and_an_interval_without_0():
    assert made(0.05, 0.15, 0.01).ahead == "a"
    assert made(0.05, 0.15, 0.05).ahead is None
    assert made(-0.01, 0.21, 0.01).ahead is None
    assert made(0.05, 0.15, 0.01, "crossing").ahead == "b"
    assert made(0.05, 0.15, 0.01).turned().ahead == "a"
    assert made(float("nan"), float("nan"), float("nan")).ahead is None


def test_the_sentences_of_a_comparison_are_said_where_a_parser_has_more():
    frame = table(("a", "b"), n=40)
    found = standings(sums_of(frame, ["f1", "exact"]), ["a", "b"], ["f1", "exact"])
    (said,) = compared_over(found)
    assert said == "two parsers are compared over the sentences that both have"
    frame["status"], frame["sentences"], frame["words_aligned"] = "ok", 1, np.nan
    whole = standings(sums_of(frame, ["f1"]), ["a", "b"], ["f1"])
    assert compared_over(whole) == []


def test_parsers_without_a_sentence_of_both_are_not_compared():
    frame = table(("a", "b"), n=20)
    frame["status"] = np.where((frame["sentence"] % 2 == 0) == (frame["parser"] == "a"), "ok", "missing")
    frame["words_aligned"] = np.nan
    found = standings(sums_of(frame, ["f1"]), ["a", "b"], ["f1"])["f1"]
    (pair,) = found.comparisons
    assert (pair.n_sentences, pair.ahead, found.best) == (0, None, None)
    assert standings(sums_of(frame, ["f1"]), ["a", "b"], ["f1"], "pooled_all")["f1"].comparisons[0].p > 0
