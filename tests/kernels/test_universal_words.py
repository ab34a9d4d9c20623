"""The alignment of left words by form against a plain longest common subsequence."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given, strategies as st

from evaltools.kernels.universal_words import align_left_words


def longest(a: list[int], b: list[int]) -> int:
    @cache
    def best(i: int, j: int) -> int:
        if i == len(a) or j == len(b):
            return 0
        return max(best(i + 1, j), best(i, j + 1), (1 + best(i + 1, j + 1)) if a[i] == b[j] else 0)

    return best(0, 0)


SENTENCES = st.lists(
    st.tuples(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 3), max_size=6), st.randoms()),
    min_size=1,
    max_size=3,
)


@given(SENTENCES)
def test_words_between_aligned_ones_are_aligned_as_far_as_possible(sentences):  # type: ignore[no-untyped-def]
    offsets, bounds = [0], [0]
    g_form: list[int] = []
    t_form: list[int] = []
    gold_of: list[int] = []
    gaps: list[tuple[range, range]] = []
    for gold, test, random in sentences:
        n_pairs = random.randint(0, min(len(gold), len(test)))
        pairs = list(zip(*(sorted(random.sample(range(len(side)), n_pairs)) for side in (gold, test)), strict=True))
        last = (-1, -1)
        for a, b in [*pairs, (len(gold), len(test))]:
            gaps.append(
                (
                    range(offsets[-1] + last[0] + 1, offsets[-1] + a),
                    range(bounds[-1] + last[1] + 1, bounds[-1] + b),
                )
            )
            last = a, b
        own = {b: a for a, b in pairs}
        gold_of += [own[b] + offsets[-1] if b in own else -1 for b in range(len(test))]
        g_form += gold
        t_form += test
        offsets.append(len(g_form))
        bounds.append(len(t_form))
    found = np.array(gold_of, dtype=np.int64)
    align_left_words(
        np.array(offsets, dtype=np.int64),
        np.array(g_form, dtype=np.int32),
        np.arange(len(t_form), dtype=np.int64),
        np.array(bounds, dtype=np.int64),
        np.array(t_form, dtype=np.int32),
        found,
    )
    for a, b in gaps:
        new = [int(found[j]) for j in b if found[j] >= 0]
        assert new == sorted(set(new))
        assert all(i in a for i in new)
        assert all(g_form[found[j]] == t_form[j] for j in b if found[j] >= 0)
        assert len(new) == longest([g_form[i] for i in a], [t_form[j] for j in b])
