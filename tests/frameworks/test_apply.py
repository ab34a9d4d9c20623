"""Normalisation against trees that are built anew."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools import Preset, Tree, Treebank, align, load_preset
from evaltools.corpus import Vocabulary
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.constituency.aligned_trees import WordMatch
from evaltools.frameworks.constituency.normalization import normalize_pair
from tests.slow import filtering, word_alignment
from tests.slow.trees import Nested, nested_of, perturbed, random_forest, randoms, text_of

LABELS = ("S", "NP-SBJ", "NP=2", "PRT", "TOP", "", "ROOT", "-LRB-", ",", ".", "-NONE-", "NN", "VP")
PRESETS = [
    load_preset("standard"),
    load_preset("none"),
    Preset("mine", "", delete_tags=frozenset({",", "NN"}), delete_labels=frozenset({"VP", ""}), cut="evalb"),
    Preset("own", "", delete_tags=frozenset({",", "."}), delete_by_gold=False, delete_top=frozenset({"S", "TOP"})),
    replace(load_preset("standard"), multiword_only=True),
    replace(load_preset("none"), multiword_only=True, label_map={"NP": "PP", "PP": "X", "VP": "S", "-LRB-": "("}),
    replace(load_preset("standard"), label_map={"NN": ",", "S": "TOP", "NP-SBJ": "NP", "NP": "", "-NONE-": "NN"}),
]


@st.composite
def corpora(draw: st.DrawFn) -> list[tuple[list[Nested], list[Nested]]]:
    random = draw(randoms)
    made = []
    for _ in range(random.randint(1, 3)):
        words = [random.choice("abc") for _ in range(random.randint(1, 6))]
        gold = random_forest(random, words, empties=True, labels=LABELS)
        test = perturbed(random, gold, random.randint(0, 4), LABELS)
        if random.random() < 0.2:
            test = random_forest(random, ["x", *words[1:]], empties=True, labels=LABELS)
        made.append((gold, test))
    return made


@given(corpora(), st.sampled_from(PRESETS))
def test_what_is_left(corpus: list[tuple[list[Nested], list[Nested]]], preset: Preset):
    vocabulary = Vocabulary()
    sides = [[Tree.from_string(text_of(pair[side])) for pair in corpus] for side in (0, 1)]
    corpus = [tuple(nested_of(trees[i]) for trees in sides) for i in range(len(corpus))]
    banks = [Treebank.from_trees(trees, vocabulary) for trees in sides]
    pair = normalize_pair(*banks, preset)
    for i, (gold, test) in enumerate(corpus):
        gold, test = ([filtering.relabeled(node, preset) for node in forest] for forest in (gold, test))
        gold, test = filtering.without_empty_elements(gold, test, preset)
        gold_words, test_words = (list(filtering.tagged_words(one)) for one in (gold, test))
        same = [form for form, _ in gold_words] == [form for form, _ in test_words]
        gold_drops = [tag in preset.delete_tags for _, tag in gold_words]
        test_drops = [tag in preset.delete_tags for _, tag in test_words]
        if preset.delete_by_gold:  # the gold words decide about those that they are aligned with as whole words
            links = word_alignment.links(*([form for form, _ in words] for words in (gold_words, test_words)))
            for link in links:
                if link.how is not WordMatch.CHARACTERS:
                    test_drops[link.test] = gold_drops[link.gold]
        gold_left = filtering.normalized(gold, preset, gold_drops.__getitem__)
        test_left = filtering.normalized(test, preset, test_drops.__getitem__)
        assert nested_of(pair.gold.treebank.tree(i)) == gold_left
        assert nested_of(pair.test.treebank.tree(i)) == test_left
        if not list(filtering.tagged_words(test_left)):
            expected = SentenceStatus.MISSING
        else:
            expected = SentenceStatus.OK if same else SentenceStatus.WORDS_DIFFER
        assert pair.status[i] == expected


@given(corpora(), st.sampled_from(PRESETS))
def test_every_node_left_knows_where_it_was(corpus: list[tuple[list[Nested], list[Nested]]], preset: Preset):
    trees = [Tree.from_string(text_of(gold)) for gold, _ in corpus]
    bank = Treebank.from_trees(trees)
    side = normalize_pair(bank, bank, preset).gold
    for i in range(len(trees)):
        tree = side.read.tree(i)
        left = side.treebank.tree(i)
        nodes = slice(*side.treebank.offsets[i : i + 2])
        for label, kind, node in zip(left.labels, left.kinds, side.origin[nodes].tolist(), strict=True):
            assert tree.kinds[node] == kind
            assert label == (preset.cut_label(tree.labels[node]) if kind == 0 else tree.labels[node])


@pytest.mark.parametrize(
    ("label", "left"),
    [
        ("NP", "NP"),
        ("NP-SBJ-1", "NP"),
        ("NP=2", "NP"),
        ("NP=2-SBJ", "NP"),
        ("PRT", "ADVP"),
        ("PRT-CLR", "ADVP"),
        ("-LRB-", "-LRB-"),
        ("-NONE-", "-NONE-"),
        ("-", "-"),
        ("", ""),
    ],
)
def test_standard_cuts_function_tags_from_phrases(label: str, left: str):
    assert load_preset("standard").cut_label(label) == left


def left_by_standard(gold: str, test: str | None = None) -> tuple[str, str]:
    a = align(gold, test or gold, "standard")
    return str(a.gold), str(a.test)


@pytest.mark.parametrize("top", ["TOP", "ROOT", "S1", "VROOT", ""])
def test_standard_deletes_the_top_label_and_only_there(top: str):
    inside = f"(S (NP (N a)) (X ({top} (N b) (N c))))"
    assert left_by_standard(f"({top} {inside})")[0] == inside
    assert left_by_standard(f"({top} (S (N a)) (S (N b)))")[0] == "(S (N a)) (S (N b))"


def test_standard_deletes_punctuation_by_the_gold_tags_on_both_sides():
    gold, test = "(S (NP (NN a)) (, ,) (VP (V b)))", "(S (NP (, a)) (NN ,) (VP (V b)))"
    a = align(gold, test, "standard")
    assert (str(a.gold), str(a.test)) == ("(S (NP (NN a)) (VP (V b)))", "(S (NP (, a)) (VP (V b)))")
    assert a.status == "ok"
    assert [word.position for word in a.gold_words] == [0, None, 1]


def test_evalb_deletes_by_each_sides_own_tags():
    a = align("(S (NP (NN a)) (, ,) (VP (V b)))", "(S (NP (, a)) (NN ,) (VP (V b)))", "collins")
    assert [str(a.gold), str(a.test)] == ["(S (NP (NN a)) (VP (V b)))", "(S (NN ,) (VP (V b)))"]
    assert a.status == "words_differ"


def test_phrases_emptied_by_deletion_go():
    assert left_by_standard("(S (NP (-NONE- *)) (VP (V b) (PP (NP (-NONE- *T*-1)))))")[0] == "(S (VP (V b)))"


def test_a_tree_with_nothing_left_is_missing_in_the_test_and_not_scored_in_the_gold():
    a = align("(S (. .))", "(S (. .))", "standard")
    assert a.status == "missing"
    assert (a.counts["e_gold_roof"], a.counts["t_gold"], a.counts["la_words"]) == (0, 0, 0)
    assert set(a.scores.values()) == {None}
