"""The tree distance kernel against its definition, brute force, and the apted library."""

from __future__ import annotations

from random import Random

import pytest
from apted import APTED, Config
from hypothesis import given, strategies as st

from evaltools import Tree, align
from evaltools.frameworks.constituency import tree_distance
from evaltools.frameworks.constituency.aligned_trees import Alignment, Mapping
from tests.slow import mappings
from tests.slow.trees import LABELS, nested_of, pairs, perturbed, random_forest, text_of

ANY = {"bare": True, "empties": True, "forest": True}


def counts(a: Alignment) -> tuple[int, int, int, int]:
    return tuple(int(a.counts[f"t_{name}"]) for name in ("deleted", "inserted", "swapped", "matched"))


def score(gold: Tree, test: Tree, mapping: Mapping) -> mappings.Score:
    return mappings.score_of(gold, test, mapping.pairs)


class Unit(Config):
    def rename(self, one: list, other: list) -> int:
        return int((isinstance(one, str), self.name(one)) != (isinstance(other, str), self.name(other)))

    def name(self, node: list | str) -> str:
        return node if isinstance(node, str) else node[0]

    def children(self, node: list | str) -> list:
        return [] if isinstance(node, str) else node[1:]


def apted_distance(gold: Tree, test: Tree) -> int:
    return APTED(["", *nested_of(gold)], ["", *nested_of(test)], Unit()).compute_edit_distance()


@given(pairs(most_words=2, labels=("A", "B"), words=("a",), forest=True))
def test_the_recursion_finds_what_trying_all_mappings_finds(pair: tuple[Tree, Tree]):
    gold, test = pair
    if len(gold) * len(test) <= 20:
        scores = [mappings.score_of(gold, test, mapping) for mapping in mappings.all_t_mappings(gold, test)]
        best = min(scores, key=lambda score: (score[0], *(-part for part in score[1:])))
        assert mappings.best_t_score(gold, test) == best


@given(pairs(most_words=5, same_words=False, **ANY))
def test_the_canonical_mapping(pair: tuple[Tree, Tree]):
    gold, test = pair
    a = align(gold, test)
    assert mappings.is_t_mapping(gold, test, a.t.pairs)
    cost, matched, alike, equal = mappings.best_t_score(gold, test)
    assert score(gold, test, a.t) == (cost, matched, alike, equal)
    swapped = len(gold) + len(test) - cost - 2 * matched
    inserted = cost - len(gold) + matched
    assert counts(a) == (cost - inserted - swapped, inserted, swapped, matched)


@given(pairs(most_words=12, same_words=False, **ANY))
def test_the_cost_is_that_of_apted(pair: tuple[Tree, Tree]):
    gold, test = pair
    cost = sum(counts(align(gold, test))[:3])
    assert cost == apted_distance(gold, test)
    assert cost == sum(counts(align(gold, test, engine="apted"))[:3])


@given(st.integers(0, 2**32), st.integers(1, 45), st.integers(0, 25))
@pytest.mark.slow
def test_longer_sentences_cost_what_apted_says(seed: int, n_words: int, edits: int):
    random = Random(seed)
    forest = random_forest(random, [random.choice("abcdefgh") for _ in range(n_words)], empties=True)
    gold, test = (Tree.from_string(text_of(one)) for one in (forest, perturbed(random, forest, edits)))
    a = align(gold, test)
    assert sum(counts(a)[:3]) == apted_distance(gold, test)
    assert mappings.is_t_mapping(gold, test, a.t.pairs[:12])


@given(pairs(most_words=8, same_words=False, **ANY))
def test_the_first_band_does_not_matter(pair: tuple[Tree, Tree]):
    gold, test = pair
    found = set()
    with pytest.MonkeyPatch.context() as patch:
        for band in (1, 2, 4, 1000):
            patch.setattr(tree_distance, "_FIRST_BAND", band)
            found.add(score(gold, test, align(gold, test).t))
    assert len(found) == 1


@given(pairs(most_words=6, **ANY))
def test_the_mapping_is_the_same_every_time(pair: tuple[Tree, Tree]):
    gold, test = pair
    assert align(gold, test).t == align(gold, test).t


@given(pairs(most_words=6, same_words=False, labels=("A", "B"), words=("a", "b")))
def test_moves(pair: tuple[Tree, Tree]):
    gold, test = pair
    a = align(gold, test)
    moves, cost = mappings.find_moves(gold, test, a.t.pairs)
    assert (a.counts["t_moves"], a.counts["t_cost_moves"]) == (moves, cost)
    assert len(a.t.moves) == moves
    for i, j in a.t.moves:
        assert mappings.subtree(gold, i) == mappings.subtree(test, j)
        assert a.t.gold_status[i] == a.t.test_status[j] == "moved"


@given(pairs(most_words=7, same_words=False, **ANY))
def test_the_statuses_say_what_the_mapping_says(pair: tuple[Tree, Tree]):
    gold, test = pair
    t = align(gold, test).t
    for i, j in t.pairs:
        same = mappings.symbol(gold, i) == mappings.symbol(test, j)
        assert t.gold_status[i] == t.test_status[j] == ("right" if same else "relabeled")
        assert (t.gold_partner[i], t.test_partner[j]) == (j, i)
    mapped_gold, mapped_test = ({pair[side] for pair in t.pairs} for side in (0, 1))
    assert {t.gold_status[i] for i in set(range(len(gold))) - mapped_gold} <= {"missing", "moved"}
    assert {t.test_status[j] for j in set(range(len(test))) - mapped_test} <= {"spurious", "moved"}


@given(pairs(most_words=6, same_words=False, **ANY), st.integers(0, 99))
def test_the_cost_is_a_distance(pair: tuple[Tree, Tree], seed: int):
    one, two = pair
    random = Random(seed)
    three = Tree.from_string(text_of(random_forest(random, list(two.words))))

    def cost(gold: Tree, test: Tree) -> int:
        return sum(counts(align(gold, test))[:3])

    assert cost(one, one) == 0
    assert cost(one, two) == cost(two, one)
    assert (cost(one, two) == 0) == (one == two)
    assert cost(one, three) <= cost(one, two) + cost(two, three)


def test_a_tag_is_mapped_to_a_tag():
    """To map ADVP to RP and to delete the tag costs as much."""
    a = align("(S (ADVP (NNP Out)) (V go))", "(S (RP Out) (V go))")
    assert counts(a) == (1, 0, 1, 4)
    assert [a.gold.labels[node] for node, status in enumerate(a.t.gold_status) if status == "missing"] == ["ADVP"]
    assert [a.gold.labels[node] for node, status in enumerate(a.t.gold_status) if status == "relabeled"] == ["NNP"]


def test_a_word_is_never_a_category():
    a = align("(S (X NP) (V b))", "(S (X (NP c)) (V b))")
    assert counts(a)[3] == 4  # S, X, V and the word b
    assert (a.gold.labels[0], a.t.gold_status[0]) == ("NP", "relabeled")


def test_a_forest_has_a_root_that_does_not_count():
    a = align("(A a) (B b)", "(A a) (B b) (C c)")
    assert counts(a) == (0, 2, 0, 4)


@pytest.mark.slow
def test_trees_that_are_too_large_have_no_t_score(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "evaltools.frameworks.constituency.repair.MAX_WORK", 1_000_000
    )  # is given up in any case, after seconds
    words = " ".join(f"w{i}" for i in range(12000))
    a = align(f"(S {words})", f"(S (NP {words}))")
    assert a.scores["ted"] is None
    assert a.scores["f1"] == pytest.approx(2 / 3)
    assert align(f"(S {words})", f"(S {words})").scores["ted"] == 1.0


@given(pairs(most_words=5, **ANY))
def test_renaming_labels_one_to_one_changes_nothing(pair: tuple[Tree, Tree]):
    gold, test = pair
    renamed = dict(zip(LABELS, ("T1", "QP", "T", "Z", "ZZ", "Q"), strict=True))

    def rename(tree: Tree) -> Tree:
        labels = (renamed.get(l, l) if k != 2 else l for l, k in zip(tree.labels, tree.kinds, strict=True))  # noqa: E741
        return Tree(tuple(labels), tree.parents, tree.starts, tree.ends, tree.kinds)

    before, after = align(gold, test), align(rename(gold), rename(test))
    assert before.t.pairs == after.t.pairs
    assert before.e.pairs == after.e.pairs
    different = {name for name in before.scores if before.scores[name] != after.scores[name]}
    assert different <= {"la"}
