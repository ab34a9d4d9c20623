"""The filled table of two lineages says what the kernel says."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from evaltools import CostTable, Tree, align, lineage_alignment
from evaltools.frameworks.common.lineages import lineage_table
from tests.slow.trees import LABELS, pairs

COSTS = CostTable(
    {(one, other): 0.7 if one[0] == other[0] else 1.3 for one in LABELS for other in LABELS if one < other}
)


@pytest.mark.parametrize("tags", [False, True])
@given(pair=pairs())
def test_similarity_is_the_kernels(tags: bool, pair: tuple[Tree, Tree]):
    a = align(*pair, la_preterminals=tags, la_table=COSTS)
    for word in a.words:
        assert word.test is not None
        for scheme in ("la_exact", "la", "la_costs"):
            table = lineage_table(word.gold, word.test, scheme, COSTS)
            assert math.isclose(table.similarity, word.scores[scheme], abs_tol=1e-12)
            assert math.isclose(sum(cost for *_, cost in table.steps), table.distance, abs_tol=1e-9)
            assert table.steps == lineage_alignment(word.gold, word.test, scheme, COSTS)
            assert (table.path[0], table.path[-1]) == ((0, 0), (len(word.gold), len(word.test)))


def test_empty_lineages_are_equal():
    table = lineage_table((), ())
    assert (table.similarity, table.path, table.steps) == (1.0, ((0, 0),), [])
