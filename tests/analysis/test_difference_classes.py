"""What classes of sentences contribute to a difference: it adds up, and it is what small steps find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evaltools import METRICS
from evaltools.analysis.contributions import ClassFamily, contributions, difference_by_class, partition
from evaltools.runs.sentences import SentenceCounts
from tests.analysis.paired import compare_two
from tests.conftest import few_examples
from tests.slow import differences as slow

NAMES = ["f1", "jaccard", "recall", "crossing", "las", "la_exact", "ted", "ted_jaccard"]


def random_side(metric: str, seed: int, n: int, holes: float = 0.2) -> SentenceCounts:
    """Draw counts that could be those of a parser."""
    generator = np.random.default_rng(seed)
    mask = generator.random(n) >= holes
    mask[0] = True
    counts = {}
    for place, name in enumerate(METRICS[metric].columns):
        low, high = (3, 9) if place else (0, 4)
        if name in ("t_words_gold", "t_words_test"):
            low, high = 0, 2
        counts[name] = np.where(mask, generator.integers(low, high, n).astype(float), 0.0)
    score = np.where(mask, METRICS[metric].score(counts), np.nan)
    nothing = np.zeros(n, dtype=np.int32)
    return SentenceCounts(counts, score, mask, nothing + 3, nothing - 1, ~mask, int(mask.sum()))


def sides_of(metric: str, seed: int, n: int) -> tuple[SentenceCounts, SentenceCounts]:
    return random_side(metric, 2 * seed, n), random_side(metric, 2 * seed + 1, n)


def cut(seed: int, both: Any, n_classes: int) -> ClassFamily:
    place = np.random.default_rng(seed).integers(0, n_classes, len(both))
    names = [f"class {one}" for one in range(n_classes)]
    return partition("cut", "Cut", names, np.where(both, place, -1))


@given(st.sampled_from(NAMES), st.integers(0, 10_000), st.sampled_from(["pooled", "mean"]), st.integers(1, 6))
def test_classes_that_share_nothing_add_up_to_the_difference(metric: str, seed: int, figure: str, n_classes: int):
    sides = sides_of(metric, seed, 25)
    both = sides[0].mask & sides[1].mask
    one = METRICS[metric]
    found = difference_by_class(one, sides, [cut(seed, both, n_classes)], figure=figure, resamples=20)
    masks = sides[0].mask, sides[1].mask
    whole = compare_two(one, sides[0].counts, sides[1].counts, figure=figure, masks=masks, iterations=1)
    assert found["contribution"].sum() == pytest.approx(whole.difference, abs=1e-12)
    assert found["sentences"].sum() == both.sum()
    assert found["weight"].sum() == pytest.approx(1)
    if abs(whole.difference) > 1e-6:
        shares = found["contribution"] / whole.difference
        is_share = (shares > -1e-9) & (shares < 1 + 1e-9)  # else it works against the difference, or is more than all
        assert found["share"].notna().tolist() == is_share.tolist()
        assert found["share"][is_share].tolist() == pytest.approx(shares[is_share].tolist(), abs=1e-6)


@given(st.sampled_from(NAMES), st.integers(0, 10_000))
def test_every_class_and_the_rest_add_up_and_two_are_the_sum_of_both(metric: str, seed: int):
    sides = sides_of(metric, seed, 25)
    both = sides[0].mask & sides[1].mask
    generator = np.random.default_rng(seed)
    bits = np.where(both, generator.integers(0, 8, 25), 0)
    inside = (bits & 1).astype(bool)
    families = [
        ClassFamily("label", "Label", ("a", "b", "c"), bits, overlap=True),
        partition("with", "With", ("without a", "with a"), np.where(both, inside, -1)),
        partition("pairs", "Pairs", ("neither", "a only", "b only", "both"), np.where(both, bits & 3, -1)),
    ]
    found = difference_by_class(METRICS[metric], sides, families, resamples=5)
    part = {(row.family, row.name): row.contribution for row in found.itertuples()}
    with_a = part.get(("label", "a"), 0.0)
    whole = part.get(("with", "with a"), 0.0) + part.get(("with", "without a"), 0.0)
    assert with_a == pytest.approx(part.get(("with", "with a"), 0.0), abs=1e-12)
    assert with_a == pytest.approx(part.get(("pairs", "a only"), 0.0) + part.get(("pairs", "both"), 0.0), abs=1e-12)
    assert whole == pytest.approx(sum(value for (family, _), value in part.items() if family == "pairs"), abs=1e-12)


@few_examples
@given(st.sampled_from(NAMES), st.integers(0, 10_000))
def test_small_steps_find_the_same(metric: str, seed: int):
    sides = sides_of(metric, seed, 8)
    both = sides[0].mask & sides[1].mask
    if not both.any():
        return
    found = difference_by_class(METRICS[metric], sides, [cut(seed, both, 2)], resamples=5)
    rows = [
        [{name: float(values[at]) for name, values in side.counts.items()} for at in np.flatnonzero(both)]
        for side in sides
    ]

    def score(counts: dict[str, float]) -> float:
        return float(METRICS[metric].score({name: np.array([value]) for name, value in counts.items()})[0])

    family = cut(seed, both, 2)
    for row in found.itertuples():
        expected = slow.contribution(score, *rows, family.mask(row.place)[both].tolist())
        assert row.contribution == pytest.approx(expected, abs=2e-6)


@given(st.floats(1e-9, 1e9), st.floats(0.05, 20), st.floats(0, 1), st.floats(0, 1))
def test_sums_of_any_size_add_up(size: float, times: float, right: float, wrong: float):
    d_other, d_one = size, size * times
    parts = np.array([0.3, 0.7])
    n_one, n_other = right * d_one, wrong * d_other
    found = contributions(
        (n_one * parts, d_one * parts[::-1]),
        (n_other * parts[::-1], d_other * parts),
        tuple(np.array(total) for total in (n_one, d_one, n_other, d_other)),
    )
    assert found.sum() == pytest.approx(right - wrong, abs=1e-9)


def test_where_both_have_the_same_counts_nothing_is_carried():
    sides = sides_of("f1", 1, 30)
    inside = np.arange(30) < 10
    same = {name: np.where(inside, sides[0].counts[name], values) for name, values in sides[1].counts.items()}
    everywhere = np.ones(30, dtype=bool)
    nothing = np.zeros(30, dtype=np.int32)
    score = METRICS["f1"].score
    made = tuple(
        SentenceCounts(counts, np.asarray(score(counts)), everywhere, nothing, nothing - 1, ~everywhere, 30)
        for counts in (dict(sides[0].counts), same)
    )
    found = difference_by_class(METRICS["f1"], made, [partition("c", "", ("other", "same"), inside * 1)])
    assert found["contribution"].iloc[1] == found["low"].iloc[1] == found["high"].iloc[1] == 0
    assert found["low"].iloc[0] <= found["contribution"].iloc[0] <= found["high"].iloc[0]
    # of the same denominators a contribution is the difference of the counts over it
    recall = difference_by_class(
        METRICS["la_exact"],
        tuple(
            SentenceCounts(
                {"la_exact_sum": values, "la_words": nothing + 2.0},
                values / 2,
                everywhere,
                nothing,
                nothing - 1,
                ~everywhere,
                30,
            )
            for values in (np.ones(30), np.arange(30) / 30)
        ),
        [partition("c", "", ("other", "same"), inside * 1)],
    )
    assert recall["contribution"].tolist() == pytest.approx(
        [(20 - sum(range(10, 30)) / 30) / 60, (10 - sum(range(10)) / 30) / 60]
    )


@pytest.mark.parametrize("figure", ["pooled", "mean"])
def test_groups_change_the_interval_only(figure: str):
    sides = sides_of("f1", 5, 3000)
    family = cut(3, sides[0].mask & sides[1].mask, 3)
    metric = METRICS["f1"]
    single = difference_by_class(metric, sides, [family], figure=figure)
    several = difference_by_class(metric, sides, [family], figure=figure, units=np.arange(3000) % 300)
    exact = ["family", "name", "sentences", "value", "other_value", "contribution", "share", "weight"]
    assert np.allclose(single[exact[3:]], several[exact[3:]])
    assert single[exact[:3]].equals(several[exact[:3]])
    widths = [(one["high"] - one["low"]).to_numpy() for one in (single, several)]
    assert np.allclose(widths[0], widths[1], rtol=0.2)


def test_nothing_in_common_has_no_difference():
    sides = sides_of("f1", 5, 12)
    apart = [
        SentenceCounts({n: v * keep for n, v in side.counts.items()}, side.score, keep, side.words, side.lost, ~keep, 6)
        for side, keep in zip(sides, (np.arange(12) < 6, np.arange(12) >= 6), strict=True)
    ]
    found = difference_by_class(METRICS["f1"], (apart[0], apart[1]), [cut(0, np.zeros(12, bool), 2)])
    assert found.empty
