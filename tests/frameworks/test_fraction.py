"""Formulas as fractions: for every metric the same as its score."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from evaltools import METRICS
from evaltools.frameworks.metric import formula_as_fraction


@given(name=st.sampled_from(sorted(METRICS)), seed=st.integers(0, 10_000))
def test_a_score_is_its_fraction(name: str, seed: int):
    metric = METRICS[name]
    generator = np.random.default_rng(seed)
    counts = {column: generator.integers(0, 4, 30).astype(float) for column in metric.columns}
    if "t_words_gold" in counts:
        counts["t_matched"] += counts["t_words_gold"]  # in a corpus more nodes are matched than there are equal words
    fraction = formula_as_fraction(metric)
    below = fraction.denominator.of(counts)
    score = np.asarray(metric.score(counts))
    some = below != 0
    assert np.allclose(score[some], fraction.numerator.of(counts)[some] / below[some])
    assert np.all(np.isnan(score[~some]) | (score[~some] == 1))
