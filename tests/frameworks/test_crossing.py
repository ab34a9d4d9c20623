"""Brackets that cross."""

from __future__ import annotations

from hypothesis import given

from evaltools import Tree, align
from evaltools.frameworks.constituency.bracket_errors import crossing_pairs
from tests.slow.trees import pairs


@given(pairs())
def test_as_many_test_brackets_cross_as_the_metric_counts(pair: tuple[Tree, Tree]):
    assert len({test for _, test in crossing_pairs(*pair)}) == align(*pair).counts["e_crossing_brackets"]
    assert {(j, i) for i, j in crossing_pairs(*pair)} == set(crossing_pairs(*pair[::-1]))
