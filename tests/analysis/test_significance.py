"""Shuffling, intervals and Holm's correction."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import scipy  # loads `scipy.stats`, which takes a second, where it is used
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from evaltools import METRICS
from evaltools.analysis.significance import Comparison, effect_size, holm, moved_sums
from evaltools.analysis.standing import compare_sums
from evaltools.frameworks.figures import Sentences
from evaltools.runs import sums
from tests.analysis.made import table
from tests.analysis.paired import compare_pairs, compare_two
from tests.analysis.summed import sums_of
from tests.slow.differences import share_of_swaps

TAGGING = METRICS["tagging"]
DICE = METRICS["f1"]

Columns = dict[str, NDArray[np.float64]]


def random_counts(seed: int, n: int, better: float = 0.0) -> Columns:
    generator = np.random.default_rng(seed)
    gold = np.random.default_rng(1).integers(1, 9, n).astype(float)
    test = gold + generator.integers(-1, 2, n)
    matched = generator.binomial(np.minimum(gold, test).clip(0).astype(int), 0.6 + better).astype(float)
    return {"e_gold_roof": gold, "e_test_roof": test, "e_matched_roof": matched}


def figure_of(counts: Columns, figure: str) -> float:
    """Compute a figure from its definition."""
    gold, test, matched = (counts[f"e_{name}_roof"] for name in ("gold", "test", "matched"))
    if figure == "pooled":
        return float(2 * matched.sum() / (gold.sum() + test.sum()))
    return float(np.mean([2 * m / (g + t) for g, t, m in zip(gold, test, matched, strict=True)]))


def swapped(one: Columns, other: Columns, swaps: tuple[bool, ...]) -> tuple[Columns, Columns]:
    chosen = np.array(swaps)
    return (
        {name: np.where(chosen, other[name], one[name]) for name in one},
        {name: np.where(chosen, one[name], other[name]) for name in one},
    )


def shuffled_sums(
    one: NDArray[np.float64], other: NDArray[np.float64], *options: int, **block: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum the counts of two parsers after swapping those of random sentences."""
    moved = moved_sums(one - other, *options, **block)
    return one.sum(axis=0) - moved, other.sum(axis=0) + moved


def exact_p(one: Columns, other: Columns, figure: str) -> float:
    """Return the share of all swaps that are at least as far apart."""
    n = len(one["e_gold_roof"])
    found = abs(figure_of(one, figure) - figure_of(other, figure))
    far = 0
    for swaps in product((False, True), repeat=n):
        a, b = swapped(one, other, swaps)
        far += abs(figure_of(a, figure) - figure_of(b, figure)) >= found - 1e-12
    return far / 2**n


@given(st.integers(0, 10_000), st.sampled_from(["pooled", "mean"]))
def test_p_is_close_to_that_of_all_swaps(seed: int, figure: str):
    one, other = random_counts(seed, 7), random_counts(seed + 1, 7, better=0.2)
    found = compare_two(DICE, one, other, figure=figure, iterations=4000, seed=seed)
    exact = exact_p(one, other, figure)
    assert found.p == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 4000) + 0.002)
    assert found.value == pytest.approx(figure_of(one, figure))
    assert found.difference == pytest.approx(figure_of(one, figure) - figure_of(other, figure))
    assert found.p_adjusted == found.p


@given(st.integers(0, 1000), st.integers(1, 40), st.integers(1, 70))
def test_shuffled_sums_are_sums_of_swapped_rows(seed: int, n: int, block: int):
    generator = np.random.default_rng(seed)
    one, other = generator.integers(0, 9, (2, n, 3)).astype(float)
    sums = shuffled_sums(one, other, 30, seed)
    in_blocks = shuffled_sums(one, other, 30, seed, block=block)
    assert all(np.array_equal(a, b) for a, b in zip(sums, in_blocks, strict=True))
    assert np.array_equal(sums[0] + sums[1], np.tile((one + other).sum(axis=0), (30, 1)))
    if n <= 6:
        possible = {
            tuple(np.where(np.array(swaps)[:, None], other, one).sum(axis=0))
            for swaps in product((False, True), repeat=n)
        }
        assert {tuple(row) for row in sums[0]} <= possible


def test_a_coin_decides():
    """Every sentence is swapped in about half of the shuffles, and each on its own."""
    one, other = np.eye(12) * 2, np.eye(12)
    sums, _ = shuffled_sums(one, other, 4000)
    swaps = sums == 1
    assert np.allclose(swaps.mean(axis=0), 0.5, atol=0.04)
    assert np.allclose(np.corrcoef(swaps.T) - np.eye(12), 0, atol=0.08)


def test_equal_parsers():
    one = random_counts(3, 30)
    found = compare_two(DICE, one, one)
    assert (found.p, found.difference, found.low, found.high, found.n_different) == (1.0, 0.0, 0.0, 0.0, 0)


def test_one_sentence_has_no_interval():
    found = compare_two(DICE, random_counts(3, 1), random_counts(4, 1))
    assert found.p == 1.0
    assert math.isnan(found.low)
    assert not found.significant


def test_an_undefined_difference_has_no_p():
    nothing = {name: np.zeros(4) for name in random_counts(0, 4)}
    found = compare_two(DICE, nothing, random_counts(0, 4))
    assert math.isnan(found.p)
    assert math.isnan(found.low)
    assert math.isnan(found.p_adjusted)


@pytest.mark.parametrize("figure", ["pooled", "mean"])
def test_only_sentences_that_both_have_a_score_for(figure: str):
    one, other = random_counts(1, 40), random_counts(2, 40, better=0.1)
    masks = np.arange(40) >= 10, np.arange(40) < 35
    found = compare_two(DICE, one, other, figure=figure, masks=masks)
    cut = [{name: values[10:35] for name, values in side.items()} for side in (one, other)]
    expected = compare_two(DICE, *cut, figure=figure)
    assert found.p == pytest.approx(expected.p, abs=0.03)  # the coins belong to sentences, and these have others
    assert replace(found, p=0, p_adjusted=0) == replace(expected, p=0, p_adjusted=0)
    assert found.n_sentences == 25


def test_the_mean_leaves_out_sentences_without_a_score():
    one = {"e_tags": np.array([0.0, 2.0, 4.0]), "e_tags_correct": np.array([0.0, 1.0, 4.0])}
    other = {"e_tags": np.array([2.0, 2.0, 4.0]), "e_tags_correct": np.array([1.0, 1.0, 1.0])}
    found = compare_two(TAGGING, one, other, figure="mean")
    assert (found.value, found.value_b) == (0.75, pytest.approx((0.5 + 0.25) / 2))  # those both have a score of
    assert found.n_sentences == 2


def test_every_two_parsers_with_holms_correction():
    better = {"a": 0.25, "b": 0.2, "c": 0.0}
    counts = {name: random_counts(seed, 300, more) for seed, (name, more) in enumerate(better.items(), 1)}
    found = compare_pairs(DICE, counts, iterations=999)
    assert [(one.parser_a, one.parser_b) for one in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [one.p_adjusted for one in found] == holm([one.p for one in found])
    assert found[1].p_adjusted == pytest.approx(3 * found[1].p)
    alone = compare_two(DICE, counts["a"], counts["c"], ("a", "c"), iterations=999)
    assert isinstance(alone, Comparison)
    assert alone.p_adjusted == alone.p == found[1].p
    masks = dict.fromkeys(counts, np.arange(300) < 200)
    assert {one.n_sentences for one in compare_pairs(DICE, counts, masks=masks, iterations=9)} == {200}


def test_holm_knows_what_could_not_be_tested():
    adjusted = holm([0.02, float("nan"), 0.01])
    assert adjusted[::2] == [0.02, 0.02]
    assert math.isnan(adjusted[1])


def rows_of(counts: Columns) -> list[dict[str, float]]:
    return [dict(zip(counts, map(float, values), strict=True)) for values in zip(*counts.values(), strict=True)]


@pytest.mark.parametrize("seed", range(3))
def test_p_is_counted_one_shuffle_at_a_time(seed: int):
    one, other = random_counts(seed, 40), random_counts(seed + 9, 40, better=0.05)
    # a column of its own for each sentence shows who was swapped
    swaps = moved_sums(np.eye(40), 200, seed) == 1
    found = compare_two(DICE, one, other, iterations=200, seed=seed)

    def dice(counts: dict[str, float]) -> float:
        return 2 * counts["e_matched_roof"] / (counts["e_gold_roof"] + counts["e_test_roof"])

    assert found.p == share_of_swaps(dice, rows_of(one), rows_of(other), swaps.tolist())


@pytest.mark.parametrize("figure", ["pooled", "mean"])
def test_a_pair_has_one_p_alone_and_among_others(figure: str):
    counts = {str(seed): random_counts(seed, 90, better=seed / 100) for seed in range(5)}
    masks = {name: np.random.default_rng(int(name)).random(90) > 0.1 for name in counts}
    masks["1"] = masks["0"]
    for one in compare_pairs(DICE, counts, figure=figure, masks=masks, iterations=300):
        pair = (one.parser_a, one.parser_b)
        sides = counts[one.parser_a], counts[one.parser_b]
        both = masks[one.parser_a], masks[one.parser_b]
        alone = compare_two(DICE, *sides, pair, figure=figure, masks=both, iterations=300)
        # sums of a matrix product may differ in the last digit with the number of its columns
        assert (one.low, one.high) == pytest.approx((alone.low, alone.high), rel=1e-12, abs=1e-15)
        assert replace(one, p_adjusted=one.p, low=alone.low, high=alone.high) == alone


@pytest.mark.parametrize("figure", ["pooled", "mean"])
def test_groups_of_a_long_corpus_say_much_the_same(figure: str):
    one, other = random_counts(3, 8000, better=0.006), random_counts(4, 8000)
    single = compare_two(DICE, one, other, figure=figure, iterations=2000)
    several = compare_two(DICE, one, other, figure=figure, iterations=2000, units=np.arange(8000) % 500)
    assert several.difference == pytest.approx(single.difference)
    assert (several.n_sentences, several.n_different) == (single.n_sentences, single.n_different)
    assert several.p == pytest.approx(single.p, abs=0.05)
    assert several.high - several.low == pytest.approx(single.high - single.low, rel=0.15)


@pytest.mark.parametrize("figure", ["pooled", "mean"])
@pytest.mark.parametrize("metric", ["f1", "ted_jaccard", "la_exact"])
def test_sums_of_groups_are_enough_where_no_sentence_is_left_out(
    figure: str, metric: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sums, "MAX_SINGLE", 10)
    monkeypatch.setattr(sums, "GROUPS", 32)
    frame = table(("a", "b", "c"), n=300)
    one = METRICS[metric]
    frame["status"], frame["sentences"], frame["words_aligned"] = "ok", 1, np.nan
    counts = {str(name): Sentences(part).counts(one) for name, part in frame.groupby("parser")}
    masks = dict.fromkeys(counts, np.ones(300, dtype=bool))
    if figure == "mean":
        masks = {name: ~np.isnan(one.score(part)) for name, part in counts.items()}
    expected = compare_pairs(one, counts, figure=figure, masks=masks, iterations=500, units=np.arange(1, 301) % 32)
    summed = sums_of(frame, [metric])
    found = compare_sums(summed, [one], tuple(counts), figure, iterations=500)[metric]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.n_different is None
        exact = [(each.parser_a, each.parser_b, each.n_sentences, each.p, each.p_adjusted) for each in (ours, theirs)]
        assert exact[0] == exact[1]
        numbers = [(each.value, each.value_b, each.low, each.high) for each in (ours, theirs)]
        assert numbers[0] == pytest.approx(numbers[1])


effects = st.lists(st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0, math.nan])] * 2), max_size=30)


@given(effects, st.booleans())
def test_an_effect_size_is_what_the_definitions_say(pairs: list[tuple[float, float]], higher: bool):
    one, other = np.array(pairs).reshape(-1, 2).T
    found = effect_size(one, other, higher_is_better=higher)
    known = [a - b for a, b in pairs if not math.isnan(a - b)]
    signs = [difference if higher else -difference for difference in known]
    assert found.n == len(known)
    assert (found.better, found.equal, found.worse) == (
        sum(sign > 0 for sign in signs),
        sum(sign == 0 for sign in signs),
        sum(sign < 0 for sign in signs),
    )
    if len(known) > 1 and len(set(known)) > 1:
        assert found.d_z == pytest.approx(statistics.mean(known) / statistics.stdev(known))
        # the statistic of a paired t-test is d_z times the root of n
        t = scipy.stats.ttest_rel(one, other, nan_policy="omit").statistic
        assert found.d_z * math.sqrt(found.n) == pytest.approx(t)
    else:
        assert math.isnan(found.d_z)
    back = effect_size(other, one, higher_is_better=higher)
    assert (back.better, back.equal, back.worse) == (found.worse, found.equal, found.better)
    if known:
        assert back.superiority == pytest.approx(1 - found.superiority)
    else:
        assert math.isnan(found.superiority)


def test_last_bits_make_no_effect():
    found = effect_size(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.5]))
    assert (found.better, found.equal, found.worse) == (0, 2, 0)
    assert math.isnan(found.d_z)
