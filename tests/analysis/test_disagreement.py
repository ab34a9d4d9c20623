"""Kendall's distance, tenths and rank differences, against obvious definitions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy  # loads `scipy.stats`, which takes a second, where it is used
from hypothesis import given, strategies as st

from evaltools.analysis.disagreement import (
    RankedValues,
    compare_rankings,
    disagreement,
    kendall,
)
from evaltools.errors import ParameterError

scores = st.integers(0, 6).map(lambda value: value / 6)
pairs = st.lists(st.tuples(scores, scores), max_size=25)


def columns(rows):
    return [row[0] for row in rows], [row[1] for row in rows]


@given(pairs)
def test_discordant_pairs_are_those_in_opposite_order(rows):
    found = kendall(*columns(rows))
    expected = sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(rows, 2))
    assert (found.n, found.discordant) == (len(rows), expected)
    assert found.pairs == len(list(combinations(rows, 2)))


@given(pairs)
def test_both_figures_are_those_of_scipy(rows):
    a, b = columns(rows)
    expected = scipy.stats.kendalltau(a, b, variant="b").statistic if len(rows) > 1 else float("nan")
    assert kendall(a, b).tau_b == pytest.approx(expected, nan_ok=True)


def test_many_sentences_are_counted_exactly():
    n = 200_000
    order = np.arange(n, dtype=np.float64)
    swapped = order.copy()
    swapped[[0, -1]] = swapped[[-1, 0]]
    assert kendall(order, swapped).discordant == 2 * (n - 2) + 1


@given(st.lists(scores, max_size=45))
def test_tenths_are_ranks_cut_into_ten_with_ties_in_file_order(values):
    order = sorted(range(len(values)), key=lambda place: (values[place], place))
    expected = {place: rank * 10 // len(values) for rank, place in enumerate(order)}
    assert dict(enumerate(RankedValues.of(values).tenths().tolist())) == expected


def test_sentences_with_equal_scores_in_several_deciles_are_counted():
    compared = compare_rankings(np.arange(1, 21), [0.0] * 15 + [1.0] * 5, np.arange(20) // 2)
    assert compared.split == (20, 0)  # 15 in deciles of two, and five that begin in the middle of one


def test_ties_are_in_the_order_of_the_file_by_both_scores_and_their_number_is_stated():
    compared = compare_rankings(np.arange(20), np.ones(20), np.ones(20))
    assert compared.sentences["tenth_a"].tolist() == [1 + at // 2 for at in range(20)]
    assert compared.sentences["tenth_b"].tolist() == [1 + at // 2 for at in range(20)]
    says = "Sentences with equal scores in several deciles, in the order of the file: 20 by E; 20 by T."
    assert compared.describe_split(("E", "T")) == says
    assert compare_rankings(np.arange(20), np.arange(20), np.arange(20)).describe_split(("E", "T")) == ""


@pytest.mark.parametrize(
    ("a", "b", "distance", "reason"),
    [
        ([3, 2, 1], [1, 2, 3], 1.0, ""),
        ([1, 2], [1, 2], 0.0, ""),
        ([0, 0, 1, 1], [1, 2, 3, 4], None, "by A, which puts"),  # yes or no
        ([0, 0, 0, 1, 2], [5, 4, 3, 2, 1], 0.7, ""),  # 3 of 10 pairs are tied
        ([0, 0, 0, 0, 1, 2], [6, 5, 4, 3, 2, 1], 0.6, ""),  # 6 of 15
        ([0, 0, 0, 0, 0, 1, 2], [7, 6, 5, 4, 3, 2, 1], 11 / 21, ""),  # 10 of 21
        ([0, 0, 0, 0, 0, 0, 1, 2], [8, 7, 6, 5, 4, 3, 2, 1], None, "by A, which puts"),  # 15 of 28
        ([8, 7, 6, 5, 4, 3, 2, 1], [0, 0, 0, 0, 0, 0, 1, 2], None, "by B, which puts"),
        ([1, 1, 1], [2, 2, 2], None, "by A and B, which put"),
        ([1], [2], None, "fewer than two sentences have both scores"),
    ],
)
def test_mostly_tied_scores_have_no_distance_but_a_reason(a, b, distance, reason):
    found = kendall(a, b)
    if distance is None:
        assert np.isnan(found.distance)
    else:
        assert found.distance == pytest.approx(distance)
    says = found.reason(["A", "B"])
    assert (reason in says) if reason else (says == "")


@given(pairs)
def test_the_table_counts_every_sentence_once_and_its_margins_are_the_tenths(rows):
    a, b = columns(rows)
    found = compare_rankings(range(1, len(rows) + 1), a, b)
    assert found.table.sum() == len(rows)
    for axis, values in ((1, a), (0, b)):
        counts = np.bincount(RankedValues.of([-value for value in values]).tenths(), minlength=10)
        assert found.table.sum(axis=axis).tolist() == counts.tolist()
    assert found.a_in_b == found.table[9].tolist()
    assert found.b_in_a == [row[9] for row in found.table.tolist()]


@given(pairs, st.integers(0, 30), st.lists(st.booleans(), min_size=25, max_size=25))
def test_extremes_are_the_head_of_all_that_are_asked_for(rows, limit, kept):
    found = compare_rankings(range(len(rows)), *columns(rows))
    among = np.array(kept[: len(rows)], dtype=np.bool_)
    differences = found.extremes()["rank_difference"].abs().tolist()
    assert differences == sorted(differences, reverse=True)
    every = found.extremes()["sentence"].tolist()
    assert found.extremes(limit, among)["sentence"].tolist() == [at for at in every if among[at]][:limit]


def frame():
    return pd.DataFrame(
        {
            "parser": ["p"] * 4 + ["q"] * 4,
            "sentence": [1, 2, 3, 4] * 2,
            "f1": [0.5, 1.0, None, 0.25, 1.0, 0.5, 0.5, 0.5],
            "crossing": [2.0, 0.0, 1.0, 3.0, 0.0, 1.0, 1.0, 1.0],
        }
    )


def test_errors_rank_the_highest_count_worst():
    found = disagreement(frame(), "f1", "crossing", "p")
    assert found.kendall.n == 3
    assert found.kendall.discordant == 0
    assert found.sentences["rank_a"].tolist() == [2, 1, 3] == found.sentences["rank_b"].tolist()


def test_two_parsers_are_compared_on_the_sentences_both_have():
    found = disagreement(frame(), "f1", "f1", "p", "q")
    assert found.sentences["sentence"].tolist() == [1, 2, 4]
    assert found.sentences["a"].tolist() == [0.5, 1.0, 0.25]
    assert found.sentences["b"].tolist() == [1.0, 0.5, 0.5]


def test_unknown_names_are_answered_with_the_known_ones():
    with pytest.raises(ParameterError, match="unknown parser 'x'"):
        disagreement(frame(), "f1", "crossing", "x")
    with pytest.raises(ParameterError, match="ted"):
        disagreement(frame(), "ted", "crossing", "p")


few = st.sampled_from([0.0, -0.0, 0.1 + 0.2, 0.3, 0.5, 1.0, -2.0, float("inf"), float("-inf")])
close = st.integers(0, 20).map(lambda place: 0.5 + place * 1e-9)  # all of them in one bucket
values = st.lists(few | close | st.floats(-1000, 1000), max_size=30)


def rounded(one):
    return [round(value, 12) for value in one]


@given(values)
def test_equal_values_share_a_code_and_the_mean_of_their_ranks(one):
    ranked = RankedValues.of(one)
    known = sorted(set(rounded(one)))
    assert ranked.codes.tolist() == [known.index(value) for value in rounded(one)]
    assert ranked.sizes.tolist() == [rounded(one).count(value) for value in known]
    ordered = sorted(rounded(one))
    for rank, value in zip(ranked.mean_ranks(), rounded(one), strict=True):
        first = ordered.index(value) + 1
        assert rank == pytest.approx(first + (ordered.count(value) - 1) / 2)
