"""Scores of discontinuous constituents, against their definitions."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from random import Random

import numpy as np
import pytest
from hypothesis import given

import evaltools
from evaltools import InputError, Tree, Treebank, align
from evaltools.corpus import Kind
from evaltools.frameworks.presets import load_preset
from evaltools.frameworks.presets.filtering import arranged
from tests.conftest import few_examples
from tests.slow import word_sets
from tests.slow.discontinuous import random_discontinuous, random_pair
from tests.slow.lineages import similarity
from tests.slow.trees import randoms

GOLD = "(S (VP (VB 0=is) (JJ 2=rich)) (NP (N 1=John)))"
TEST = "(S (VP (VB 0=is)) (NP (N 1=John)) (AP (JJ 2=rich)))"


def tree(text: str) -> Tree:
    return Tree.from_string(text, "discbracket")


def file(lines: Iterable[str]) -> BytesIO:
    return BytesIO("".join(f"{line}\n" for line in lines).encode())


@pytest.mark.parametrize("preset", ["none", "standard", "proper"])
@few_examples
@given(random=randoms)
def test_brackets_are_labels_and_sets_of_words(preset: str, random: Random):
    gold, test = random_pair(random)
    result = align(gold, test, preset)
    if result.status != "ok" or not result.gold.words:
        return
    left = [word_sets.left_of(side, gold, load_preset(preset)) for side in (gold, test)]
    expected = word_sets.counts(*left)
    assert {name: result.counts[name] for name in expected} == expected
    words = range(len(left[0].tags))
    lineages = [[word_sets.lineage(side, word) for word in words] for side in left]
    scores = [similarity(*pair, lambda a, b: 2.0) for pair in zip(*lineages, strict=True)]
    assert [word.scores["la_exact"] for word in result.words] == pytest.approx(scores)
    assert result.scores["la_exact"] == pytest.approx(float(np.mean(scores)))
    for word, lineage in zip(result.words, lineages[0], strict=True):
        assert word.gold == tuple(symbol for _, symbol in lineage)


@few_examples
@given(randoms)
def test_the_t_scores_are_within_bounds_and_those_of_apted(random: Random):
    gold, test = random_pair(random)
    result, reference = (align(gold, test, engine=engine) for engine in ("banded", "apted"))
    edits = ("t_deleted", "t_inserted", "t_swapped")
    assert sum(result.counts[name] for name in edits) == sum(reference.counts[name] for name in edits)
    assert result.counts["t_matched"] >= reference.counts["t_matched"]
    orders = [list(side.positions or range(len(side.words))) for side in (gold, test)]
    assert result.counts["t_words_gold"] == word_sets.longest_common(*orders)
    for metric in ("ted", "ted_jaccard"):
        score = result.scores[metric]
        assert score is None or 0 <= score <= 1
    assert align(gold, gold).scores["ted"] in (1.0, None)


@few_examples
@given(randoms)
def test_a_sentence_scores_the_same_in_a_corpus_as_alone(random: Random):
    pairs = [random_pair(random) for _ in range(3)] + [(tree("(S (A 0=a) (B 1=b))"),) * 2]
    gold_file, test_file = (file(side.to_string("discbracket") for side in sides) for sides in zip(*pairs, strict=True))
    table = evaltools.score(gold_file, {"p": test_file}, preset="proper", format="discbracket").sentences("p")
    for row, (gold, test) in zip(table.to_dict("records"), pairs, strict=True):
        for name, score in align(gold, test, "proper").scores.items():
            assert row[name] == pytest.approx(np.nan if score is None else score, nan_ok=True)


def test_an_example():
    result = align(tree(GOLD), tree(TEST))
    assert result.scores["f1"] == pytest.approx(2 * 2 / (3 + 4))
    assert (result.scores["recall_discontinuous"], result.scores["precision_discontinuous"]) == (0.0, None)
    assert (result.scores["errors"], result.scores["repair_similarity"]) == (2.0, 1 - 2 / 4)
    assert [word.form for word in result.words] == ["is", "John", "rich"]
    assert [word.gold for word in result.words] == [("VP", "[", "S"), ("[", "NP", "]", "S"), ("VP", "S", "]")]
    assert "is rich" in " ".join(step.text for step in result.e.steps)


def test_where_punctuation_makes_the_gap_nothing_is_discontinuous():
    gold, test = tree("(ROOT (NP (A 0=a) (B 2=b)) ($, 1=,))"), tree("(ROOT (NP (A 0=a) ($, 1=,) (B 2=b)))")
    scores = align(gold, test, "proper").scores
    assert (scores["f1"], scores["f1_discontinuous"], scores["errors"]) == (1.0, None, 0.0)
    assert align(gold, test).scores["f1_discontinuous"] == 0.0


def test_where_words_differ_sets_of_aligned_characters_are_compared():
    gold = tree("(S (VP (V 0=can) (R 1=not) (A 3=rich)) (N 2=John))")
    test = tree("(S (VP (V 0=cannot) (A 2=rich)) (N 1=John))")
    result = align(gold, test)
    assert result.status == "words_differ"
    assert result.scores["f1"] == result.scores["f1_discontinuous"] == 1.0
    assert align(gold, tree("(S (V 0=cannot) (N 1=John) (A 2=rich))")).scores["f1"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("preset", ["collins", "new"])
def test_presets_that_follow_evalb_refuse_them_with_the_reason(preset: str):
    plain = Tree.from_string("(S (VP (VB is) (NP John)) (JJ rich))")
    for pair in ((tree(GOLD), plain), (plain, tree(GOLD))):
        with pytest.raises(
            InputError, match=r"discontinuous constituents; expected continuous ones: evalb compares spans"
        ):
            align(*pair, preset)


def test_a_run_has_the_gaps_of_brackets_and_words_in_the_order_of_the_sentence():
    run = evaltools.score(file([GOLD]), {"p": file([TEST])}, format="discbracket")
    rows = run.brackets("p").to_dict("records")
    assert [(row["label"], row["start"], row["end"]) for row in rows if row["gaps"] == "1-2"] == [("VP", 0, 3)]
    words = run.words("p")
    assert (words["form"].tolist(), words["tag"].tolist()) == (["is", "John", "rich"], ["VB", "N", "JJ"])
    assert (words["word"].tolist(), words["position"].tolist()) == ([1, 2, 3], [0, 1, 2])
    assert words["test_tag"].tolist() == ["VB", "N", "JJ"]
    summary = run.summary().set_index("metric")
    assert summary.loc["recall_discontinuous", "pooled"] == 0.0
    assert (summary.loc["errors", "n"], summary.loc["errors", "pooled"]) == (1, 2.0)


def test_the_treebank_after_deletion_is_what_is_built_from_the_nodes_left():
    tagged = tree("(S (X (, 0=,) (A 3=d)) (Y (B 1=b) (C 2=c)))")
    assert align(tagged, tagged, "standard").gold == Tree.from_string("(S (Y (B b) (C c)) (X (A d)))")


@few_examples
@given(randoms)
def test_arranging_columns_gives_the_trees_of_their_nodes(random: Random):
    trees = [random_discontinuous(random, functions=True)[0] for _ in range(3)]
    treebank = Treebank.from_trees(trees)
    position = treebank.position
    if position is None:
        position = np.where(treebank.kind == Kind.WORD, treebank.start, -1).astype(np.int32)
    result, order = arranged(treebank, position)
    assert [result.tree(index) for index in range(3)] == trees
    assert order.tolist() == [node for one in trees for node in range(len(one))]
    assert treebank.discontinuous.tolist() == [not one.is_continuous for one in trees]
