"""Repairs as a score: counts of the kernel, laws, sentences without a repair."""

from __future__ import annotations

import io
import re
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import METRICS, Tree, Treebank, align
from evaltools.corpus import Vocabulary
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.constituency.normalization import normalize_pair
from evaltools.frameworks.presets import Preset, preset_from_parameters
from tests.conftest import few_examples
from tests.drawing.test_marked import random_tree
from tests.slow.edits import error_rows, repair
from tests.slow.repair import fewest_steps, slow_repair
from tests.slow.trees import pairs, perturbed, random_forest, text_of

REPAIRED = ("r_steps", "r_brackets", "r_moves", "r_relabels", "r_adds", "r_removes")


@given(pairs(most_words=9, empties=True))
def test_the_counts_are_those_of_the_slow_repair(pair: tuple[Tree, Tree]):
    counts = align(*pair).counts
    steps = slow_repair(*pair)
    by_operation = Counter(str(step.operation) for step in steps)
    expected = [len(steps), sum(step.repaired for step in steps)]
    expected += [by_operation[name] for name in ("move", "relabel", "add", "remove")]
    assert [counts[name] for name in REPAIRED] == expected
    gold, test, matched = (counts[f"e_{name}_roof"] for name in ("gold", "test", "matched"))
    assert counts["r_brackets"] == (gold - matched) + (test - matched)
    assert counts["r_matched"] == matched


@given(pairs(most_words=9, empties=True))
def test_the_similarity_has_steps_and_matches_and_equal_trees_score_1(pair: tuple[Tree, Tree]):
    gold, test = pair
    a = align(gold, test)
    steps, matched = a.counts["r_steps"], a.counts["r_matched"]
    expected = 1.0 if steps == 0 else 1 - steps / (steps + matched)
    assert a.scores["repair_similarity"] == pytest.approx(expected)
    assert a.scores["errors"] == steps
    assert a.scores["errors_per_100_words"] == pytest.approx(100 * steps / len(gold.words))
    assert align(gold, gold).scores["repair_similarity"] == 1


def test_a_tree_without_brackets_is_repaired_too():
    assert align("(N a)", "(N a)").scores["repair_similarity"] == 1
    assert align("(N a)", "(N a)").scores["f1"] is None
    a = align("(N a)", "(X (N a))")
    assert (a.scores["errors"], a.scores["repair_similarity"]) == (1, 0)


@pytest.mark.parametrize("test", ["", "(S (N b) (N a))", "(S (N a))"])
def test_without_a_parse_over_the_same_words_there_is_no_repair(test: str):
    a = align("(S (N a) (N b))", test)
    assert [a.scores[name] for name in ("errors", "errors_per_100_words", "repair_similarity")] == [None] * 3


def test_labels_that_a_preset_equates_are_no_error():
    gold, test = "(S (ADVP (R a)) (V b))", "(S (PRT (R a)) (V b))"
    for rules in ("EQ_LABEL ADVP PRT\n", "LABELED 0\n"):
        preset = preset_from_parameters("rules", rules, "rules.prm")
        assert align(gold, test, preset).scores["errors"] == 0
        assert align(gold, "(S (R a) (V b))", preset).scores["errors"] == 1
    assert align(gold, test, preset_from_parameters("rules", "LABELED 1\n", "rules.prm")).scores["errors"] == 1


GOLD = "(S (NP (N a)) (VP (V b) (NP (N c))))\n(S (NP (N a)) (V b))\n(N a)\n(S (NP (N a) (N b)))\n"
TEST = "(S (NP (N a)) (VP (V b) (PP (N c))))\n(())\n(Q (X (Y (Z (N a)))))\n(S (NP (N a) (N c)))\n"


def scored(gold: str = GOLD, test: str = TEST, **options: object) -> evaltools.Run:
    return evaltools.score(
        io.BytesIO(gold.encode()), {"p": io.BytesIO(test.encode())}, format="ptb", preset="none", **options
    )


def test_figures_over_all_sentences_count_every_gold_bracket_and_word_of_a_missing_parse():
    run = scored()
    summary = run.summary().set_index("metric")
    errors = summary.loc["errors"]
    assert (errors.n, errors.n_unscored) == (2, 2)
    assert errors.pooled == errors["mean"] == (1 + 4) / 2
    # 2 brackets and 2 words without a parse, 2 and 2 over other words; the third parse has more errors than its gold
    # tree has brackets and words, and counts no more than these
    assert (errors.n_mean_all, errors.n_pooled_all) == (4, 4)
    assert errors.pooled_all == errors.mean_all == (1 + 4 + 1 + 4) / 4
    similarity = summary.loc["repair_similarity"]
    assert similarity["mean"] == pytest.approx((3 / 4 + 0) / 2)
    assert similarity.mean_all == pytest.approx((3 / 4) / 4)
    assert similarity.pooled_all == pytest.approx(1 - 10 / 13)
    sentences = run.sentences()
    assert sentences["errors"].tolist() == pytest.approx([1, np.nan, 4, np.nan], nan_ok=True)
    counts = run.counts()
    assert counts["r_steps"].isna().tolist() == [False, True, False, True]


@few_examples
@given(st.lists(pairs(most_words=6), min_size=1, max_size=4), st.integers(0, 3))
@pytest.mark.slow
def test_a_missing_parse_is_never_better_than_a_parse(corpus: list[tuple[Tree, Tree]], place: int):
    gold, test = ([f"{pair[side].to_string()}\n" for pair in corpus] for side in (0, 1))
    fewer = list(test)
    fewer[place % len(fewer)] = "(())\n"
    options = {"metrics": ["r"]}
    before, after = (scored("".join(gold), "".join(side), **options).summary() for side in (test, fewer))
    for was, now in zip(before.itertuples(), after.itertuples(), strict=True):
        if METRICS[was.metric].higher_is_better:
            assert now.mean_all <= was.mean_all + 1e-9
        else:
            assert now.mean_all >= was.mean_all - 1e-9
            assert now.pooled_all >= was.pooled_all - 1e-9


def test_a_repair_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evaltools.frameworks.constituency.repair.MAX_WORK", 4)
    run = scored()
    assert run.sentences()["errors"].isna().all()
    errors = run.summary().set_index("metric").loc["errors"]
    assert (errors.n, errors.n_undefined, errors.n_unscored) == (0, 2, 2)
    assert errors.mean_all == ((4 + 3) + 4 + 1 + 4) / 4
    problems = run.problems()
    assert problems.loc[problems["kind"] == "too_large", "sentence"].tolist() == [1, 3]
    expected = problems.loc[problems["kind"] == "too_large", "expected"]
    assert all("no number of errors (R)" in text for text in expected)
    assert align("(S (N a))", "(T (N a))").scores["errors"] is None


def test_the_repair_is_mostly_the_shortest_one():
    """Compare with exhaustive search on trees of at most 7 words.

    Of 7,542 pairs of up to 4 random changes (seed 1) the repair is as short as any of its steps in any order allow in
    7,532 (99.9 %), of 567 that need three or more steps in 557 (98.2 %).
    """
    random = Random(1)
    lengths = Counter[tuple[int, int]]()
    for _ in range(400):
        words = [random.choice("abc") for _ in range(random.randint(3, 7))]
        forest = random_forest(random, words, bare=False, forest=False)
        gold, test = (
            Tree.from_string(text_of(one)) for one in (forest, perturbed(random, forest, random.randint(1, 4)))
        )
        steps = len(repair(gold, test))
        if 0 < steps <= 3:
            lengths[steps, fewest_steps(gold, test, steps)] += 1
    assert sum(lengths.values()) > 200
    assert all(fewest <= steps for steps, fewest in lengths)
    assert sum(n for (steps, fewest), n in lengths.items() if steps == fewest) >= 0.98 * sum(lengths.values())


_EQUATED = preset_from_parameters("equal", "LABELED 1\nEQ_LABEL A B\n", "equal.prm")
_UNLABELED = preset_from_parameters("bare", "LABELED 0\n", "bare.prm")


@pytest.mark.parametrize("preset", [_EQUATED, _UNLABELED], ids=["equal labels", "labels ignored"])
@pytest.mark.parametrize("seed", range(12))
def test_the_repairs_of_a_sentence_are_as_many_as_its_errors_where_labels_are_equated(preset: Preset, seed: int):
    rng = Random(seed)
    words = [f"w{index}" for index in range(rng.randint(2, 10))]
    gold, test = (_labeled(random_tree(rng, words), rng) for _ in range(2))
    alignment = align(gold, test, preset)
    steps = alignment.counts["r_steps"]
    marked = marked_sentence(alignment)
    assert sum(item.step > 0 for item in marked.repairs) == steps
    assert sum(item.repaired for item in marked.repairs if item.step) == alignment.counts["r_brackets"]
    assert marked.number("gold") + marked.number("test") == alignment.counts["r_brackets"]
    assert all(item.repairs for item in marked.marks if item.kind == "bracket" and item.status != "right")
    assert len(alignment.repairs.steps.edits) == steps
    vocabulary = Vocabulary()
    sides = [Treebank.from_trees([Tree.from_string(text)], vocabulary) for text in (gold, test)]
    pair = normalize_pair(*sides, preset)
    assert len(error_rows(pair, preset)) == steps


def _labeled(text: str, rng: Random) -> str:
    return re.sub(r"\((NP|VP|PP|S) ", lambda _: f"({rng.choice('ABC')} ", text)


def test_the_labels_of_the_picture_are_those_of_the_trees_where_labels_are_equated():
    marked = marked_sentence(align("(S (A (N a) (N b)) (B (N c)))", "(S (N a) (N b) (A (N c)))", _EQUATED))
    assert [(item.text, item.side) for item in marked.marks] == [("A", "gold")]
    assert not marked_sentence(align("(S (A (N a)))", "(S (B (N a)))", _EQUATED)).repairs
    (missing,) = marked_sentence(align("(S (A (N a)))", "(S (N a))", _UNLABELED)).repairs
    assert missing.phrase == "A “a”"
