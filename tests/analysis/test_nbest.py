"""Lists of analyses: an obvious twin of the means, the oracle, and where the best stand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from evaltools.analysis.nbest import CONFIGURATIONS, nbest
from evaltools.errors import ParameterError
from evaltools.frameworks.registry import METRICS

COUNTS = list(dict.fromkeys(column for name in CONFIGURATIONS for column in METRICS[name].columns))
lists = st.lists(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=5),
    min_size=1,
    max_size=6,
)


def ranks_of(lists) -> pd.DataFrame:
    """Return the table of lists of (gold, test, matched) names; there are no other triples."""
    rows = []
    for sentence, one in enumerate(lists, 1):
        for rank, (gold, test, matched) in enumerate(one, 1):
            counts = dict.fromkeys(COUNTS, 0.0)
            counts |= {"edm_n_gold": gold, "edm_n_test": test, "edm_n_matched": min(gold, test, matched)}
            exact = float(gold == test == counts["edm_n_matched"])
            rows.append({"sentence": sentence, "rank": rank, **counts, "edm_exact_match": exact})
    return pd.DataFrame(rows)


def f1(gold: int, test: int, matched: int) -> float:
    return 2 * min(gold, test, matched) / (gold + test) if gold + test else math.nan


@settings(deadline=None)
@given(lists)
def test_means_and_oracle_are_those_of_the_slow_way(lists):
    lists = [[one for one in results if one[0] + one[1]] or [(1, 1, 1)] for results in lists]
    found = nbest(ranks_of(lists), ["edm", "edm_n"], resamples=5)
    scores = [[f1(*one) for one in results] for results in lists]
    for metric in ("edm", "edm_n"):
        by_rank = found.by_rank[found.by_rank["metric"] == metric].set_index("rank")
        oracle = found.oracle[found.oracle["metric"] == metric].set_index("rank")
        assert list(by_rank.index) == list(range(1, max(map(len, scores)) + 1))
        for rank in by_rank.index:
            there = [results[rank - 1] for results in scores if len(results) >= rank]
            assert by_rank.loc[rank, "n"] == len(there)
            assert by_rank.loc[rank, "mean"] == pytest.approx(np.mean(there))
            assert oracle.loc[rank, "mean"] == pytest.approx(np.mean([max(results[:rank]) for results in scores]))
            assert np.isnan(by_rank.loc[rank, "low"]) == (len(there) < 2)
    for row, results in zip(found.sentences.to_dict("records"), scores, strict=True):
        assert (row["results"], row["first"], row["best"]) == pytest.approx((len(results), results[0], max(results)))
        assert row["place_of_first"] == 1 + sum(score > results[0] + 1e-9 for score in results)
        assert row["rank_of_best"] == 1 + results.index(max(results))
        exact = [place for place, score in enumerate(results, 1) if score == 1]
        assert row["rank_of_exact"] == exact[0] if exact else np.isnan(row["rank_of_exact"])


def test_only_long_lists_are_looked_through():
    ranks = ranks_of([[(2, 2, 2)], [(2, 2, 1), (2, 2, 2)], [(4, 4, 1), (4, 4, 3)]])
    found = nbest(ranks, least=2, resamples=50)
    edm = found.by_rank[found.by_rank["metric"] == "edm"]
    assert edm["n"].tolist() == [2, 2]
    assert edm["mean"].tolist() == pytest.approx([0.375, 0.875])
    assert edm["low"].tolist() == pytest.approx([0.25, 0.75])
    assert edm["high"].tolist() == pytest.approx([0.5, 1])
    assert found.figures() == pytest.approx({"first": 0.375, "oracle": 0.875})
    assert found.longest == 2
    assert nbest(ranks, resamples=1).by_rank.query("metric == 'edm'")["n"].tolist() == [3, 2]


def test_the_first_is_placed_among_all():
    found = nbest(ranks_of([[(4, 4, 2), (4, 4, 2), (4, 4, 3), (4, 4, 4), (4, 4, 4)]]), resamples=1)
    (row,) = found.sentences.to_dict("records")
    assert row["place_of_first"] == 4
    assert row["rank_of_best"] == row["rank_of_exact"] == 4


def test_a_configuration_without_any_triple_has_no_line():
    found = nbest(ranks_of([[(2, 2, 1)], [(2, 2, 2)]]), resamples=5)
    assert set(found.by_rank["metric"]) == {"edm", "edm_n", "edm_na"}
    assert math.isnan(found.figures("edm_a")["first"])
    with pytest.raises(ParameterError, match="edm_na"):
        found.figures("edm_x")


def test_there_may_be_no_lists():
    found = nbest(ranks_of([[(2, 2, 1)]]).head(0))
    assert found.by_rank.empty
    assert found.sentences.empty
    assert found.longest == 0
    assert math.isnan(found.figures()["oracle"])
