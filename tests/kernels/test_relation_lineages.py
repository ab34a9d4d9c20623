"""The lineages of relations against their definition and plain edit distance, and what must hold of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evaltools import CostTable, lineage_alignment
from evaltools.corpus import Dependencies, DependencyTree, Vocabulary
from evaltools.corpus.dependency_tree import without_subtype
from evaltools.frameworks.common.tree_options import cost_rows
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.dependency.pair import DependencyComparison, pair_dependencies
from evaltools.frameworks.dependency.passes import DependencyLineages, relation_lineage
from tests.slow import dependency_pairs as slow, lineages

Pair = tuple[DependencyTree, DependencyTree]
TABLE = CostTable({("nsubj", "obj"): 0.75, ("obl", "o"): 1.5, ("root", ":"): 0.1})
SCHEMES = {"la_exact": lineages.strict, "la": lineages.partial, "la_costs": TABLE.cost}


def compared(pairs: list[Pair], *, subtypes: bool = True) -> DependencyLineages:
    vocabulary = Vocabulary()
    gold, test = (Dependencies.from_trees([pair[side] for pair in pairs], vocabulary) for side in (0, 1))
    return lineages_of(gold, test, DependencyOptions(subtypes=subtypes, la_table=cost_rows(TABLE)))


def lineages_of(gold: Dependencies, test: Dependencies, options: DependencyOptions) -> DependencyLineages:
    done = DependencyLineages(DependencyComparison(pair_dependencies(gold, test, options), options))
    done.run(0, len(gold))
    return done


@given(st.lists(slow.dependency_pairs(), min_size=1, max_size=3))
def test_similarities(pairs: list[Pair]):
    done = compared(pairs)
    word = 0
    for number, (gold, test) in enumerate(pairs):
        sums = [0.0, 0.0, 0.0]
        for place in range(len(gold)):
            one, other = slow.lineage(gold, place), slow.lineage(test, place)
            assert relation_lineage(gold, place, subtypes=True) == tuple(name for _, name in one)
            assert done.length[word].tolist() == [len(one), len(other)]
            for column, costs in enumerate(SCHEMES.values()):
                expected = lineages.similarity(one, other, costs)
                assert done.similarity[word, column] == pytest.approx(expected, abs=1e-12)
                sums[column] += expected
            word += 1
        assert done.counts[number].tolist() == pytest.approx([len(gold), *sums], abs=1e-9)


@given(slow.dependency_pairs())
def test_a_word_scores_1_if_and_only_if_its_lineages_are_equal(pair: Pair):
    gold, test = pair
    similarity = compared([pair]).similarity
    for word in range(len(gold)):
        equal = relation_lineage(gold, word, subtypes=True) == relation_lineage(test, word, subtypes=True)
        assert [value == 1.0 for value in similarity[word]] == [equal] * 3
    assert compared([(gold, gold)]).similarity.min() == 1.0


@given(slow.dependency_pairs())
def test_neither_side_is_preferred(pair: Pair):
    gold, test = pair
    assert np.array_equal(compared([pair]).similarity, compared([(test, gold)]).similarity)


@given(slow.dependency_pairs())
def test_without_subtypes_it_is_as_if_there_were_none(pair: Pair):
    bare = [
        DependencyTree(tree.forms, tree.heads, tuple(map(without_subtype, tree.relations)), tags=tree.tags)
        for tree in pair
    ]
    left_out = compared([pair], subtypes=False).similarity
    assert np.array_equal(left_out, compared([(bare[0], bare[1])]).similarity)
    assert (left_out[:, 0] >= compared([pair]).similarity[:, 0]).all()


@given(slow.dependency_pairs())
def test_the_alignment_of_lineages_costs_what_the_score_says(pair: Pair):
    similarity = compared([pair]).similarity
    for word in range(len(pair[0])):
        gold, test = (relation_lineage(tree, word, subtypes=True) for tree in pair)
        for column, scheme in enumerate(SCHEMES):
            cost = sum(cost for _, _, cost in lineage_alignment(gold, test, scheme, TABLE))
            assert similarity[word, column] == pytest.approx(1 - cost / (len(gold) + len(test)))


def test_words_without_a_partner_or_not_counted_have_no_score():
    gold = DependencyTree(("a", "b", "."), (1, -1, 1), ("det", "root", "punct"), tags=("DET", "NOUN", "PUNCT"))
    test = DependencyTree(("b", "."), (-1, 0), ("root", "punct"), tags=("NOUN", "PUNCT"))
    vocabulary = Vocabulary()
    sides = [Dependencies.from_trees([tree], vocabulary) for tree in (gold, test)]
    done = lineages_of(*sides, DependencyOptions(punctuation="upos"))
    assert np.isnan(done.similarity).tolist() == [[True] * 3, [False, False, True], [True] * 3]
    assert done.counts.tolist() == [[1.0, 1.0, 1.0, 0.0]]


def test_all_words_that_count_are_words_of_a_missing_parse():
    gold = DependencyTree(("a", "b"), (1, -1), ("det", "root"))
    vocabulary = Vocabulary()
    sides = [Dependencies.from_trees([tree], vocabulary) for tree in (gold, None)]
    done = lineages_of(*sides, DependencyOptions())
    assert done.counts.tolist() == [[2.0, 0.0, 0.0, 0.0]]


def test_an_example_by_hand():
    # "saw" with the prepositional phrase at the noun instead of at the verb
    gold = DependencyTree(
        ("I", "saw", "stars", "with", "telescopes"), (1, -1, 1, 4, 1), ("nsubj", "root", "obj", "case", "obl")
    )
    test = DependencyTree(gold.forms, (1, -1, 1, 4, 2), ("nsubj", "root", "obj", "case", "nmod"))
    similarity = compared([(gold, test)]).similarity
    # case obl root, case nmod obj root: obl becomes nmod (2) or goes (1) while nmod comes (1), and obj comes (1)
    assert similarity[:, 0].tolist() == pytest.approx([1, 1, 1, 1 - 3 / 7, 1 - 3 / 5])
    # partial: obl becomes obj (0.5), and nmod comes (1)
    assert similarity[:, 1].tolist() == pytest.approx([1, 1, 1, 1 - 1.5 / 7, 1 - 1.5 / 5])
