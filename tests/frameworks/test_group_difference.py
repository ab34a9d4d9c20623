"""Groups of words against the rest: an obvious twin, laws, and the features of words."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy.stats import false_discovery_control

from evaltools.corpus import Kind, Treebank
from evaltools.formats import Source, read_treebank
from evaltools.frameworks.common.differences import LEVEL, flags
from evaltools.frameworks.constituency.members import FEATURES, word_features
from evaltools.frameworks.constituency.normalization import normalize_gold
from evaltools.frameworks.presets import load_preset
from tests.frameworks.compared import compared_groups
from tests.slow.trees import pairs

words = st.lists(
    st.tuples(st.integers(1, 6), st.sampled_from("abc"), st.none() | st.integers(0, 4).map(lambda v: v / 4)),
    min_size=1,
    max_size=30,
)


def frame(rows) -> pd.DataFrame:
    made = pd.DataFrame(rows, columns=["sentence", "tag", "la"])
    return made.astype({"la": float})


def slow(rows, name: str) -> dict[str, float]:
    """Compare one group with the rest, sentence by sentence."""
    rows = [row for row in rows if row[2] is not None]
    group, rest = [r for r in rows if r[1] == name], [r for r in rows if r[1] != name]
    found: dict[str, float] = {"count": len(group), "loss": sum(1 - r[2] for r in group)}
    found["mean"] = sum(r[2] for r in group) / len(group)
    sentences = {r[0] for r in rows}
    if not rest:
        return found
    rest_mean = sum(r[2] for r in rest) / len(rest)
    found["difference"] = found["mean"] - rest_mean
    if len(sentences) < 2:
        return found
    influences = [
        sum(r[2] - found["mean"] for r in group if r[0] == one) / len(group)
        - sum(r[2] - rest_mean for r in rest if r[0] == one) / len(rest)
        for one in sentences
    ]
    error = math.sqrt(sum(x * x for x in influences) * len(sentences) / (len(sentences) - 1))
    found["low"], found["high"] = (found["difference"] + sign * 1.959963984540054 * error for sign in (-1, 1))
    return found


@given(words)
def test_groups_are_compared_as_the_slow_way_does(rows):
    table = compared_groups(frame(rows), "tag", "la").set_index("tag")
    names = {row[1] for row in rows if row[2] is not None}
    assert set(table.index) == names
    for name in names:
        expected = slow(rows, name)
        for figure in ("count", "mean", "loss", "difference", "low", "high"):
            if figure in expected:
                assert table.loc[name, figure] == pytest.approx(expected[figure], abs=1e-7), figure
            else:
                assert np.isnan(table.loc[name, figure])


@given(words)
def test_losses_and_shares_add_up(rows):
    table = compared_groups(frame(rows), "tag", "la")
    known = [row[2] for row in rows if row[2] is not None]
    assert table["count"].sum() == len(known)
    assert table["loss"].sum() == pytest.approx(sum(1 - value for value in known))
    assert table["share"].sum() == pytest.approx(1.0 if any(value < 1 for value in known) else 0.0)


@given(words, st.integers(1, 5))
def test_small_groups_are_left_out_and_still_count_with_the_rest(rows, least):
    every, some = compared_groups(frame(rows), "tag", "la"), compared_groups(frame(rows), "tag", "la", min_count=least)
    expected = every[every["count"] >= least].drop(columns="flagged").reset_index(drop=True)
    pd.testing.assert_frame_equal(some.drop(columns="flagged"), expected, check_dtype=False)


def test_the_hotspot_comes_first_and_is_flagged():
    random = np.random.default_rng(1)
    tags = np.where(np.arange(3000) % 10 == 0, "bad", np.where(np.arange(3000) % 2 == 0, "x", "y"))
    la = np.clip(np.where(tags == "bad", 0.5, 0.9) + random.normal(0, 0.05, 3000), 0, 1)
    table = compared_groups(pd.DataFrame({"sentence": np.arange(3000) // 15, "tag": tags, "la": la}), "tag", "la")
    assert table["tag"].tolist()[0] == "bad"
    assert table["flagged"].tolist()[0]
    assert table["high"].tolist()[0] < -0.3


def test_false_alarms_are_as_rare_as_the_level_says():
    random = np.random.default_rng(2)
    alarms = 0
    for _ in range(40):
        made = pd.DataFrame(
            {
                "sentence": np.repeat(np.arange(200), 10),
                "tag": random.choice(list("abcdefghij"), 2000),
                # a sentence is good or bad as a whole: its words are not independent
                "la": np.clip(np.repeat(random.normal(0.8, 0.1, 200), 10) + random.normal(0, 0.1, 2000), 0, 1),
            }
        )
        alarms += bool(compared_groups(made, "tag", "la")["flagged"].any())
    assert alarms <= 8


# -------------------------------------------------------------------------------------------------------- features


def features(text: str, preset: str = "none") -> pd.DataFrame:
    gold = read_treebank(Source("gold", text.encode(), ""), "ptb")
    return word_features(normalize_gold(gold, load_preset(preset)))


def test_features_of_a_sentence():
    made = features("(S (NP (DT the) (JJ old) (NN dog)) (VP (VBZ barks)) (. .))\n").set_index("form")
    dog = made.loc["dog"]
    assert (dog["sentence"], dog["word"]) == (1, 3)
    assert (dog["tag"], dog["parent"], dog["grandparent"]) == ("NN", "NP", "S")
    assert (dog["rule"], dog["lineage"]) == ("NP → DT JJ NN", "NP S")
    assert (dog["first_child"], dog["phrase_length"], dog["depth"]) == ("DT", "3", "2")
    assert (dog["place"], dog["position"], dog["length"]) == ("last", "inside", "5–9")
    assert made.loc["the", "place"] == "first"
    assert made.loc["old", "place"] == "inside"
    assert made.loc["barks", "place"] == "alone"
    assert (made.loc[".", "place"], made.loc[".", "position"]) == ("last", "last")
    assert set(FEATURES) <= {*made.columns, "form"}


def test_words_keep_their_number_where_others_were_deleted():
    made = features("(TOP (S (`` ``) (NP (NNP Kim)) (VP (VBZ is))))\n", "standard")
    assert made[["word", "form", "position"]].to_numpy().tolist() == [[2, "Kim", "first"], [3, "is", "last"]]
    assert made["lineage"].tolist() == ["NP S", "VP S"]


def test_bare_words_and_words_outside_any_phrase():
    made = features("(S (NP old dog) (V barks))\n(N alone)\n").set_index("form")
    assert (made.loc["dog", "tag"], made.loc["dog", "parent"], made.loc["dog", "rule"]) == ("–", "NP", "NP → word word")
    assert (made.loc["alone", "tag"], made.loc["alone", "parent"], made.loc["alone", "rule"]) == ("N", "–", "–")
    assert made.loc["alone", "depth"] == "1"


@given(pairs(most_words=8))
def test_features_are_what_the_tree_says(pair):
    tree = pair[0]
    gold = Treebank.from_trees([tree])
    made = word_features(normalize_gold(gold, load_preset("none")))
    assert len(made) == len(tree.words)
    for row in made.to_dict("records"):
        node = tree.word_nodes[row["word"] - 1]
        above = [one for one in tree.ancestors(node) if tree.kinds[one] is Kind.PHRASE]
        assert row["lineage"] == (" ".join(tree.labels[one] for one in above) or "–")
        assert row["parent"] == (tree.labels[above[0]] if above else "–")
        if above:
            children = ["word" if tree.kinds[one] is Kind.WORD else tree.labels[one] for one in tree.children(above[0])]
            assert row["rule"] == f"{tree.labels[above[0]]} → {' '.join(children)}"


@given(st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.001, 0.01, 0.04, 0.05]) | st.just(math.nan), max_size=20))
def test_flags_are_those_of_benjamini_and_hochberg(values):
    p = np.array(values, dtype=np.float64)
    known = ~np.isnan(p)
    expected = np.zeros(len(p), dtype=np.bool_)
    if known.any():
        adjusted = false_discovery_control(p[known])
        expected[known] = adjusted <= LEVEL
        near = np.abs(adjusted - LEVEL) < 1e-12  # one may be on the other side in its last bit
        expected[np.flatnonzero(known)[near]] = flags(p)[known][near]
    assert flags(p).tolist() == expected.tolist()
