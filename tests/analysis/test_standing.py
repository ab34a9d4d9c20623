"""Order, best parser and wording: over the sentences that all parsers have, and only where it is sure."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools import METRICS
from evaltools.analysis import figures_by_variant, leaderboard
from evaltools.analysis.comparison.run_pairs import compare_in_run
from evaltools.analysis.comparison.significance import Comparison, compare_two
from evaltools.analysis.comparison.standing import compared_over, describe, standing, standings
from evaltools.corpus import DependencyTree
from evaltools.frameworks.figures import FIGURES, counts_of, members, scores_of
from evaltools.runs.folders.database import frame_query
from evaltools.runs.sample import sample_run
from evaltools.runs.store import Run
from evaltools.runs.sums import sum_sentences
from tests.analysis.made import table
from tests.analysis.summed import sums_of
from tests.conftest import few_examples, home_environment


def crosses(tree: DependencyTree) -> bool:
    """Return whether two arcs of a tree cross."""
    arcs = [tuple(sorted((word, head))) for word, head in enumerate(tree.heads) if head >= 0]
    return any(a < c < b < d for (a, b), (c, d) in itertools.permutations(arcs, 2))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return the sample across frameworks, scored by this version."""
    with pytest.MonkeyPatch.context() as patch:
        for name, text in home_environment(tmp_path_factory.mktemp("home")).items():
            patch.setenv(name, text)
        return sample_run(kind="crossframework")


@pytest.fixture(scope="module")
def without_crossing(sample: Run) -> tuple[pd.DataFrame, list[str], int]:
    """Return the counts of the sample across frameworks, those of 2011 only where no tree of the sentence crosses."""
    run = sample
    frame = run.counts()
    names = [name for name in frame if name.startswith("tedeval2011_")]
    for parser in ("spanning-tree-functional", "spanning-tree-lexical"):
        trees = [run.tree(sentence, parser) for sentence in range(1, run.n_sentences + 1)]
        crossing = [at for at, tree in enumerate(trees, 1) if isinstance(tree, DependencyTree) and crosses(tree)]
        frame.loc[(frame["parser"] == parser) & frame["sentence"].isin(crossing), names] = np.nan
    return frame, run.parsers, run.n_sentences


@pytest.mark.slow
def test_a_parser_with_scores_of_easy_sentences_only_is_not_ranked_first(
    without_crossing: tuple[pd.DataFrame, list[str], int],
):
    frame, parsers, n = without_crossing
    metric = "tedeval2011_unlabelled"
    sums = sum_sentences(frame_query(frame), [metric], n, common=True)
    board = leaderboard(sums, parsers, [metric], resamples=9).set_index("parser")
    assert board["n_pooled"]["spanning-tree-functional"] < 200 < 240 < board["n_pooled"]["shift-reduce"]
    assert board["pooled"].idxmax() == "spanning-tree-functional"
    found = standing(sums, parsers, metric)
    assert found.parsers[0] != "spanning-tree-functional"
    assert found.values["spanning-tree-functional"] < found.values["shift-reduce"]
    assert found.best is None
    assert found.n < 200
    assert f", over the {found.n} sentences that all 10 parsers have" in describe(found)
    figures, variants = figures_by_variant(board.reset_index())
    assert variants[0].metric == metric
    assert figures.iloc[:, 0].idxmax() != "spanning-tree-functional"


def test_an_order_that_is_not_sure_has_no_best_parser(sample: Run):
    run = sample
    sums = sum_sentences(run.query, ["tedeval_multiple_unlabelled"], run.n_sentences, common=True)
    found = standing(sums, run.parsers, "tedeval_multiple_unlabelled", "pooled_all")
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
    parsers, metrics = ("a", "b", "c"), ("e_dice_roof", "t_dice", "e_crossing", "tedeval2011_unlabelled")
    frame = table(parsers, n=60, seed=seed)
    of_a = frame["parser"] == "a"
    frame.loc[of_a, "e_matched_roof"] = np.minimum(
        frame["e_matched_roof"] + bonus, frame[["e_gold_roof", "e_test_roof"]].min(axis=1)
    )
    sums = sums_of(frame, metrics, common=True)
    rows = {parser: frame[frame["parser"] == parser] for parser in parsers}
    every = figure.endswith("_all")
    for metric, found in standings(sums, parsers, metrics, figure, iterations=200).items():
        one = METRICS[metric]
        scores = {parser: scores_of(part, one, every=every) for parser, part in rows.items()}
        have = {parser: members(part, one, every=every) for parser, part in rows.items()}
        if figure.startswith("mean"):
            have = {parser: ~np.isnan(scores[parser]) for parser in parsers}
        mask = np.logical_and.reduce(list(have.values()))
        assert found.n == mask.sum()
        assert found.own == {parser: there.sum() for parser, there in have.items()}
        for first, second in itertools.combinations(parsers, 2):
            counts = [counts_of(rows[parser], one, every=every) for parser in (first, second)]
            if figure.startswith("mean"):
                values = [float(scores[parser][mask].mean()) for parser in (first, second)]
            else:
                expected = compare_two(one, *counts, (first, second), masks=(mask, mask), iterations=200)
                values = [expected.value, expected.value_b]
                ours = found.pair(first, second)
                assert (ours.p, ours.n_sentences) == (expected.p, expected.n_sentences)
                if expected.p >= 0.05 or not (expected.low > 0 or expected.high < 0):
                    assert ours.ahead is None
                    assert found.best not in (first, second) or len(found.own) > 2
            assert [found.values[first], found.values[second]] == pytest.approx(values)
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
    assert made(0.05, 0.15, 0.01, "e_crossing").ahead == "b"
    assert made(0.05, 0.15, 0.01).turned().ahead == "a"
    assert made(float("nan"), float("nan"), float("nan")).ahead is None


@pytest.mark.parametrize("seed", range(5))
def test_sums_of_sentences_and_of_groups_of_them_have_the_same_common_sentences(seed: int, monkeypatch):
    parsers, metrics = ("a", "b", "c"), ["e_dice_roof", "t_dice", "la_strict", "e_exact", "e_tagging"]
    frame = table(parsers, n=60, seed=seed)
    single = sums_of(frame, metrics, common=True)
    monkeypatch.setattr("evaltools.runs.sums.MAX_SINGLE", 10)
    grouped = sums_of(frame, metrics, common=True)
    assert (single.grouped, grouped.grouped) == (False, True)
    for metric, figure, parser in itertools.product(metrics, FIGURES, parsers):
        over = "all" if figure.endswith("_all") else "scored"
        counts = [one.common(METRICS[metric], figure).of(parser) for one in (single, grouped)]
        members = [one.members(METRICS[metric], over).sum() for one in counts]
        assert members[0] == members[1] <= single.of(parser).members(METRICS[metric], over).sum()


def test_the_sentences_of_a_comparison_are_said_where_a_parser_has_more():
    frame = table(("a", "b"), n=40)
    found = standings(sums_of(frame, ["e_dice_roof", "e_exact"], common=True), ["a", "b"], ["e_dice_roof", "e_exact"])
    (said,) = compared_over(found)
    assert said == f"parsers are compared over the {found['e_exact'].n} sentences that both parsers have"
    frame["status"], frame["sentences"], frame["words_aligned"] = "ok", 1, np.nan
    whole = standings(sums_of(frame, ["e_dice_roof"], common=True), ["a", "b"], ["e_dice_roof"])
    assert compared_over(whole) == []


def test_parsers_without_a_common_sentence_are_not_ranked():
    frame = table(("a", "b"), n=20)
    frame["status"] = np.where((frame["sentence"] % 2 == 0) == (frame["parser"] == "a"), "ok", "missing")
    frame["words_aligned"] = np.nan
    found = standing(sums_of(frame, ["e_dice_roof"], common=True), ["a", "b"], "e_dice_roof")
    assert (found.values, found.n, found.best) == ({}, 0, None)
    assert describe(found) == "By Bracketing F1 no sentence has a score of all 2 parsers: they are not ranked."


@pytest.mark.parametrize("resamples", [None, 70])
def test_an_interval_takes_as_many_resamples_as_iterations(resamples: int | None):
    counts = {"e_tags": np.full(40, 4.0), "e_tags_correct": np.tile([3.0, 4.0], 20)}
    other = {**counts, "e_tags_correct": np.tile([2.0, 4.0], 20)}
    found = compare_two(METRICS["e_tagging"], counts, other, iterations=300, resamples=resamples)
    assert (found.iterations, found.resamples) == (300, resamples or 300)
