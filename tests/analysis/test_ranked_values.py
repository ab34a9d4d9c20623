"""Ranked values, against sorting."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from evaltools.analysis.disagreement import RankedValues

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
