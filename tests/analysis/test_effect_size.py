"""Effect sizes, against the standard library and scipy."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
import scipy  # loads `scipy.stats`, which takes a second, where it is used
from hypothesis import given, strategies as st

from evaltools.analysis.significance import effect_size

scores = st.lists(st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0, math.nan])] * 2), max_size=30)


@given(scores, st.booleans())
def test_it_is_what_the_definitions_say(pairs: list[tuple[float, float]], higher: bool):
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


def test_last_bits_make_no_difference():
    found = effect_size(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.5]))
    assert (found.better, found.equal, found.worse) == (0, 2, 0)
    assert math.isnan(found.d_z)
