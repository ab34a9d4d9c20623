"""The two metrics that rank sentences most differently."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from evaltools.analysis.disagreement import compare_rankings, describe_pair, most_different, worst_is_high

METRICS = ("f1", "crossing", "ted", "la")


@pytest.mark.parametrize("seed", range(5))
def test_the_pair_is_the_one_with_the_largest_distance(seed: int):
    random = np.random.default_rng(seed)
    scores = {name: np.round(random.random(40), 1) for name in METRICS}
    scores["ted"][:5] = np.nan
    found = most_different(scores)
    assert found is not None
    sentences = np.arange(40)
    distances = {
        (a, b): compare_rankings(
            sentences, scores[a], scores[b], worst_high_a=worst_is_high(a), worst_high_b=worst_is_high(b)
        ).kendall
        for a, b in combinations(METRICS, 2)
    }
    assert found.kendall == distances[found[:2]]
    assert found.kendall.distance == max(item.distance for item in distances.values())


def test_a_pair_needs_two_sentences():
    nan = float("nan")
    assert most_different({"f1": np.array([1.0, nan]), "ted": np.array([nan, 1.0])}) is None
    assert most_different({"f1": np.array([1.0, 0.5])}) is None


def test_known_distances_are_not_computed_again():
    scores = {"f1": np.array([1.0, 0.5, 0.2]), "ted": np.array([0.9, 0.95, 0.1])}
    names = ["f1", "ted", "la"]
    distances = pd.DataFrame(0.9, index=names, columns=names).mask(np.eye(3, dtype=bool))  # of one more metric, too
    assert most_different(scores, distances) == most_different(scores)


def test_the_pair_in_words():
    found = most_different({"f1": np.array([1.0, 0.5, 0.2]), "ted": np.array([0.9, 0.95, 0.1])})
    assert found is not None
    assert describe_pair(found, "p") == (
        "33.3 % of the pairs of p’s 3 sentences stand in opposite order by Bracketing F1 and by Tree-edit similarity "
        "(Dice), the two metrics that disagree most."
    )
    same = most_different({"f1": np.array([1.0, 0.5]), "ted": np.array([1.0, 0.5])})
    assert same is not None
    assert describe_pair(same, "p").startswith("No two of these metrics rank two of p’s 2 sentences")
