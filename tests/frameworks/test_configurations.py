"""Groups described by conditions, against trying all of them."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from evaltools.corpus import Kind, Treebank, Vocabulary
from evaltools.frameworks.common.configurations import configurations
from evaltools.frameworks.constituency.members import bracket_features
from evaltools.frameworks.constituency.normalization import normalize_pair
from evaltools.frameworks.presets import load_preset
from tests.slow.repair import errors
from tests.slow.trees import pairs

FEATURES = ["tag", "parent", "place"]
rows = st.lists(
    st.tuples(
        st.integers(1, 8),
        st.sampled_from("ab"),
        st.sampled_from("xyz"),
        st.sampled_from("pq"),
        st.none() | st.integers(0, 4).map(lambda value: value / 4),
    ),
    max_size=40,
)


def frame(made) -> pd.DataFrame:
    table = pd.DataFrame(made, columns=["sentence", *FEATURES, "la"]).astype({"la": float})
    return table.astype(dict.fromkeys(FEATURES, "category"))


def mean(table: pd.DataFrame, conditions) -> float:
    held = np.logical_and.reduce([np.ones(len(table), bool), *((table[name] == value) for name, value in conditions)])
    return float(table.loc[held, "la"].mean())


def slow(table: pd.DataFrame, least: int) -> dict[frozenset[tuple[str, str]], float]:
    """Try every conjunction of two and three conditions."""
    table = table.dropna(subset=["la"])
    interest = {}
    for size in (2, 3):
        for names in combinations(FEATURES, size):
            for values in product(*(sorted(set(table[name])) for name in names)):
                conditions = tuple(zip(names, values, strict=True))
                held = np.logical_and.reduce([(table[name] == value).to_numpy() for name, value in conditions])
                if not least <= held.sum() < len(table):
                    continue
                mine = mean(table, conditions)
                gain = min(mean(table, wider) for wider in combinations(conditions, size - 1)) - mine
                rest = float(table.loc[~held, "la"].mean())
                if gain > 1e-9 and rest - mine > 1e-9:
                    interest[frozenset(conditions)] = float(np.sqrt(held.sum())) * gain
    return interest


@given(rows, st.integers(1, 5))
def test_the_most_interesting_conjunction_comes_first(made, least):
    table = frame(made)
    expected = slow(table, least)
    found = configurations(table, FEATURES, "la", min_count=least)
    assert bool(found) == bool(expected)
    if found:
        assert expected[frozenset(found[0].conditions)] == pytest.approx(max(expected.values()))
    ranks = [expected[frozenset(one.conditions)] for one in found]
    assert ranks == sorted(ranks, reverse=True) or np.allclose(ranks, sorted(ranks, reverse=True))


@given(rows)
def test_figures_are_those_of_the_members_and_no_two_say_the_same(made):
    table = frame(made)
    found = configurations(table, FEATURES, "la", min_count=2)
    scored = table["la"].notna().to_numpy()
    groups = [one.members(table) & scored for one in found]
    for one, group in zip(found, groups, strict=True):
        assert one.count == group.sum()
        assert one.mean == pytest.approx(table.loc[group, "la"].mean())
        assert one.rest == pytest.approx(table.loc[scored & ~group, "la"].mean())
        assert one.sentences == table.loc[group, "sentence"].nunique()
        assert one.excess == pytest.approx((one.rest - one.mean) * one.count)
    for one, other in combinations(groups, 2):
        assert (one & other).sum() < 0.5 * (one | other).sum()


@given(rows)
def test_counting_in_an_array_and_by_sorting_agree(made):
    table = frame(made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evaltools.frameworks.common.configurations._SPARSE", 0)
        by_sorting = configurations(table, FEATURES, "la", min_count=1)
    assert repr(configurations(table, FEATURES, "la", min_count=1)) == repr(by_sorting)


def test_a_planted_combination_is_found_and_flagged_and_noise_is_not():
    random = np.random.default_rng(5)
    n = 6000
    table = pd.DataFrame(
        {
            "sentence": np.arange(n) // 20,
            "tag": random.choice(list("abcde"), n),
            "parent": random.choice(list("vwxyz"), n),
            "place": random.choice(list("pq"), n),
            "la": np.clip(random.normal(0.8, 0.1, n), 0, 1),
        }
    )
    table = table.astype(dict.fromkeys(FEATURES, "category"))
    assert not any(one.flagged for one in configurations(table, FEATURES, "la"))
    planted = (table["tag"] == "c") & (table["parent"] == "w")
    table.loc[planted, "la"] -= 0.2
    first = configurations(table, FEATURES, "la")[0]
    assert dict(first.conditions) == {"tag": "c", "parent": "w"}
    assert first.flagged
    assert first.high < -0.1
    assert configurations(table.head(1), FEATURES, "la") == []


@given(pairs(most_words=8))
def test_brackets_are_described_as_the_tree_says(pair):
    gold, test = pair
    vocabulary = Vocabulary()
    sides = [Treebank.from_trees([tree], vocabulary) for tree in pair]
    preset = load_preset("none")
    made = bracket_features(normalize_pair(*sides, preset), preset).dropna(subset="found")
    phrases = [node for node, kind in enumerate(gold.kinds) if kind is Kind.PHRASE]
    assert len(made) == len(phrases)
    _, missing = errors(gold, test)
    assert made["found"].sum() == len(phrases) - sum(missing.values())
    for row, node in zip(made.to_dict("records"), phrases, strict=True):
        above = gold.parents[node]
        children = gold.children(node)
        assert (row["label"], row["start"], row["end"]) == (gold.labels[node], *gold.span(node))
        assert row["parent"] == (gold.labels[above] if above >= 0 else "–")
        names = ["word" if gold.kinds[child] is Kind.WORD else gold.labels[child] for child in children]
        assert [row["first_child"], row["last_child"]] == ([names[0], names[-1]] if names else ["–", "–"])
        assert row["depth"].startswith(str(1 + len(list(gold.ancestors(node))))) or len(list(gold.ancestors(node))) > 5
        key = (gold.labels[node], *gold.span(node))
        if key not in missing:
            assert row["found"] == 1.0
        elif not (brackets := [one for one in phrases if (gold.labels[one], *gold.span(one)) == key])[1:]:
            assert (row["found"], len(brackets)) == (0.0, 1)
    assert (made["edge"].astype(str) == "top").sum() == sum(gold.parents[node] < 0 for node in phrases)
