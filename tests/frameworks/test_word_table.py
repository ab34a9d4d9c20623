"""The table of words of two dependency trees: what differs is what the figures count."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from evaltools.blocks import Block
from evaltools.corpus import DependencyTree
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.dependency.views import compare_words, word_table
from evaltools.frameworks.views import Viewing
from tests.slow.universal import tokenized

GOLD = DependencyTree(
    ("We", "saw", "it", "here"),
    (1, -1, 1, 1),
    ("nsubj", "root", "obj", "advmod"),
    lemmas=("we", "see", "it", "_"),
    feats=("Case=Nom|Number=Plur", "_", "_", "_"),
)
PARSE = DependencyTree(
    ("We", "saw", "it", "here"),
    (1, -1, 1, 2),
    ("nsubj", "root", "obj", "advmod:lmod"),
    lemmas=("we", "saw", "it", "here"),
    feats=("Case=Nom|Number=Sing|Person=1", "_", "_", "_"),
)


def one_sentence(random: Random, text: str) -> DependencyTree:
    while True:
        written = tokenized(random, text, enhanced=True)
        if written.count("\n\n") == 1:
            return DependencyTree.from_string(written)


def test_words_without_a_difference_are_those_that_the_figures_count():
    columns = {"UPOS": "upos", "XPOS": "xpos", "Lemma": "lemmas", "Head": "uas"}
    for seed in range(200):
        random = Random(seed)
        text = "".join(random.choice("ab") for _ in range(random.randint(1, 9)))
        alignment = align_dependencies(one_sentence(random, text), one_sentence(random, text))
        words = compare_words(alignment)
        pairs = [word for word in words if word.position is not None and word.test_position is not None]
        assert len(pairs) == alignment.counts["ud_aligned_words"]
        for column, figure in columns.items():
            assert sum(not word.differs(column) for word in pairs) == alignment.counts[f"ud_right_{figure}"], seed
        # an edge of both is counted for each pair of equal ones, and listed once
        enhanced = [{piece for piece in word.cells["Enhanced"] if not piece[0]} for word in pairs]
        assert (sum(map(len, enhanced)) > 0) == (alignment.counts["ud_right_elas"] > 0), seed
        assert sorted(word.position for word in words if word.position is not None) == [*range(len(alignment.gold))]
        n_more = sum(word.position is None for word in words)
        assert len(pairs) + n_more == len(alignment.test)


def test_features_are_compared_one_by_one_and_any_lemma_is_right_where_gold_has_none():
    words = compare_words(align_dependencies(GOLD, PARSE))
    features = (("", "Case=Nom"), ("missing", "Number=Plur"), ("spurious", "Number=Sing"), ("spurious", "Person=1"))
    assert words[0].cells["Features"] == features
    assert words[1].cells["Lemma"] == (("missing", "see"), ("spurious", "saw"))
    assert words[3].cells["Lemma"] == (("", "here"),)
    assert words[3].cells["Head"] == (("missing", "2 saw"), ("spurious", "3 it"))
    assert words[3].cells["Relation"] == (("missing", "advmod"), ("spurious", "advmod:lmod"))


def blocks_of(**values: str) -> tuple[Block, ...]:
    return word_table(align_dependencies(GOLD, PARSE), Viewing(values), ("gold", "p"), 1).blocks


def test_the_table_leaves_out_empty_columns_and_on_demand_words_that_are_equal():
    remark, _, table = blocks_of()
    assert remark.text.startswith(
        "4 words of gold; number of words that differ: Lemma 1, Features 1, Head 1, Relation 1."
    )
    assert table.heads == ["#", "Form", "Lemma", "Features", "Head", "Relation"]
    assert (table.keys, table.marked) == ([0, 1, 2, 3], {1})
    assert blocks_of(words="1")[-1].keys == [0, 1, 3]


def test_enhanced_dependencies_that_differ_in_subtypes_only_are_told_apart():
    gold = replace(GOLD, deps=("2:nsubj", "0:root", "2:obj", "2:obl:here"))
    test = replace(PARSE, deps=("2:nsubj", "0:root", "2:xcomp", "2:obl"))
    remark, *_ = word_table(align_dependencies(gold, test), Viewing({}), ("gold", "p"), 1).blocks
    assert "Relation 1, Enhanced 2 (1 without subtypes, as in EULAS)." in remark.text


def test_the_rows_of_words_have_the_columns_as_they_are_in_the_trees():
    rows = compare_words(align_dependencies(GOLD, PARSE))
    assert [row.gold["form"] for row in rows] == list(GOLD.forms)
    assert [row.test["head"] for row in rows] == [str(head + 1) for head in PARSE.heads]
    assert [row.different for row in rows] == [("feats",), ("lemma",), (), ("head", "deprel")]


def test_nothing_to_compare_and_nothing_that_differs():
    missing = word_table(align_dependencies(GOLD, DependencyTree((), (), ())), Viewing(), ("gold", "p"), None)
    assert [block.text for block in missing.blocks] == ["There is nothing to compare."]
    equal = word_table(align_dependencies(GOLD, GOLD), Viewing({"words": "1"}), ("gold", "p"), None)
    (remark,) = equal.blocks
    assert "all columns are equal" in remark.text
