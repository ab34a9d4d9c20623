"""Normalization against trees that are built anew, and words that differ and are aligned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evaltools import METRICS, Preset, Tree, Treebank, align, load_preset
from evaltools.corpus import Kind, Vocabulary
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.constituency.aligned_trees import Alignment, WordMatch
from evaltools.frameworks.constituency.bracketing import Bracketing
from evaltools.frameworks.constituency.leaf_ancestor import LeafAncestor
from evaltools.frameworks.constituency.normalization import TreeComparison, WordAlignment, link_words, normalize_pair
from evaltools.frameworks.constituency.options import ConstituencyOptions
from tests.slow import filtering, lineages, word_alignment
from tests.slow.trees import Nested, nested_of, pairs, perturbed, random_forest, randoms, text_of

TREEBANK_LABELS = ("S", "NP-SBJ", "NP=2", "PRT", "TOP", "", "ROOT", "-LRB-", ",", ".", "-NONE-", "NN", "VP")
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
        gold = random_forest(random, words, empties=True, labels=TREEBANK_LABELS)
        test = perturbed(random, gold, random.randint(0, 4), TREEBANK_LABELS)
        if random.random() < 0.2:
            test = random_forest(random, ["x", *words[1:]], empties=True, labels=TREEBANK_LABELS)
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


def test_a_gold_sentence_of_which_nothing_is_left_is_not_scored():
    for test, status in (("(S (. .))", "missing"), ("(S (N a))", "words_differ")):
        a = align("(S (. .))", test, "standard")
        assert (a.status, a.links, a.words) == (status, (), ())
        assert (a.counts["e_gold_roof"], a.counts["t_gold"], a.counts["la_words"]) == (0, 0, 0)
        assert set(a.scores.values()) == {None}


LABELS = ("A", "B", "BB")
DELETING = Preset("deleting", "", delete_tags=frozenset({"B"}), delete_labels=frozenset({"BB"}))
FORMS = tuple(form for form in word_alignment.FORMS if form != "(")


@st.composite
def differing(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """Draw a gold tree and one over other words."""
    random = draw(randoms)
    words = [random.choice(FORMS) for _ in range(random.randint(1, 7))]
    options = {"bare": True, "empties": True, "labels": LABELS}
    gold = random_forest(random, words, **options)
    others = [form.replace("(", "") or "b" for form in word_alignment.retokenised(random, words)]
    return tuple(Tree.from_string(text_of(tree)) for tree in (gold, random_forest(random, others, **options)))


def left(a: Alignment) -> tuple[list[int | None], list[int | None]]:
    """Return for each word as read its place among those that are left."""
    return [word.position for word in a.gold_words], [word.position for word in a.test_words]


def live(a: Alignment) -> list[tuple[int, int, int]]:
    """Return the links between words that are left, by their places there, with the characters they share."""
    golds, tests = left(a)
    found = [(golds[link.gold], tests[link.test], link.characters) for link in a.links]
    return [(i, j, shared) for i, j, shared in found if i is not None and j is not None]


@given(differing(), st.sampled_from([load_preset("none"), DELETING]))
def test_brackets_are_those_over_aligned_characters(pair: tuple[Tree, Tree], preset: Preset):
    a = align(*pair, preset)
    if a.status != "words_differ" or not a.gold.words:
        return
    golds, tests = left(a)
    links = [link for link in a.links if golds[link.gold] is not None and tests[link.test] is not None]
    words = [word_alignment.places(golds, links, "gold"), word_alignment.places(tests, links, "test")]
    for part, whole in (("roof", False), ("whole", True)):
        for side, tree in (("gold", a.gold), ("test", a.test)):
            assert a.counts[f"e_{side}_{part}"] == sum(kind == 0 or (whole and kind == 1) for kind in tree.kinds)
        for suffix, labeled in (("", True), ("_unlabeled", False)):
            both = [
                word_alignment.brackets(tree, over, whole=whole, labeled=labeled)
                for tree, over in zip((a.gold, a.test), words, strict=True)
            ]
            assert a.counts[f"e_matched_{part}{suffix}"] == (both[0] & both[1]).total()
    assert a.counts["e_crossing_brackets"] == word_alignment.crossing(a.gold, a.test, *words)
    assert sum(a.gold.kinds[i] != 2 for i, _ in a.e.pairs) == a.counts["e_matched_whole"]


@given(differing(), st.sampled_from([load_preset("none"), DELETING]), st.booleans())
def test_words_are_compared_with_the_partner_that_shares_most(
    pair: tuple[Tree, Tree], preset: Preset, preterminals: bool
):
    a = align(*pair, preset, la_preterminals=preterminals)
    if a.status != "words_differ" or not a.gold.words:
        return
    links = live(a)
    similarities = []
    assert [word.position for word in a.words] == list(range(len(a.gold.words)))
    for word in a.words:
        partners = [(-shared, j) for i, j, shared in links if i == word.position]
        gold_lineage = lineages.lineage(a.gold, word.position, preterminals=preterminals)
        assert word.gold == tuple(symbol for _, symbol in gold_lineage)
        if not partners:
            assert (word.test, word.test_position, word.test_form, word.scores) == (None, None, None, {})
            continue
        place = min(partners)[1]
        assert (word.test_position, word.test_form) == (place, a.test.words[place])
        test_lineage = lineages.lineage(a.test, place, preterminals=preterminals)
        assert word.test == tuple(symbol for _, symbol in test_lineage)
        assert word.scores["la_exact"] == pytest.approx(
            lineages.similarity(gold_lineage, test_lineage, lineages.strict)
        )
        similarities.append(word.scores["la_exact"])
    assert a.counts["la_words"] == len(similarities)
    expected = pytest.approx(sum(similarities) / len(similarities)) if similarities else None
    assert a.scores["la_exact"] == expected


@given(differing(), st.sampled_from([load_preset("none"), DELETING]))
def test_tags_count_where_words_are_aligned_one_to_one(pair: tuple[Tree, Tree], preset: Preset):
    a = align(*pair, preset)
    if a.status != "words_differ" or not a.gold.words:
        return
    links = live(a)
    golds, tests = [i for i, _, _ in links], [j for _, j, _ in links]
    single = {i: j for i, j, _ in links if golds.count(i) == tests.count(j) == 1}
    tags = [(a.gold.tag(i), a.test.tag(j)) for i, j in single.items()]
    assert a.counts["e_tags_correct"] == sum(
        gold_tag is not None and gold_tag == test_tag for gold_tag, test_tag in tags
    )
    assert a.counts["e_tags"] == sum(a.gold.tag(i) is not None for i in range(len(a.gold.words)))
    words = {(a.gold.starts[i], a.test.starts[j]) for i, j in a.e.pairs if a.gold.kinds[i] is Kind.WORD}
    assert words == set(single.items())


@given(pairs(bare=True, most_words=7, labels=LABELS), st.sampled_from([load_preset("none"), DELETING]))
def test_equal_words_score_the_same_either_way(pair: tuple[Tree, Tree], preset: Preset):
    vocabulary = Vocabulary()
    gold, test = (Treebank.from_trees([tree], vocabulary) for tree in pair)
    plain = normalize_pair(gold, test, preset)
    if plain.scored.tolist() != [1]:
        return
    every = np.ones(1, dtype=np.bool_)
    links = link_words(gold, test, every)
    aligned = replace(plain, alignment=WordAlignment.of(links, every, (gold, test), (plain.gold, plain.test)))
    assert aligned.scored.tolist() == [2]
    e, la = [], []
    for normalized in (plain, aligned):
        comparison = TreeComparison.of(normalized, preset, ConstituencyOptions())
        e.append(Bracketing(comparison))
        la.append(LeafAncestor(comparison))
        e[-1].run(0, 1)
        la[-1].run(0, 1)
    for name in ("counts", "partner_gold", "partner_test", "crossing"):
        assert np.array_equal(getattr(e[0], name), getattr(e[1], name)), name
    assert np.array_equal(la[0].counts, la[1].counts)


def test_can_not_and_cannot():
    """The gold VPs end where the test's do; ``can not`` is one word there, so one word of five has two partners."""
    gold = "(S (NP (PRP He)) (VP (MD can) (RB not) (VP (VB go))) (. .))"
    test = "(S (NP (PRP he)) (VP (MD cannot) (VP (VB go))) (. .))"
    a = align(gold, test, "standard")
    assert a.status == "words_differ"
    assert [(link.gold, link.test, link.how, link.characters) for link in a.links] == [
        (0, 0, WordMatch.FOLDED, 2),
        (1, 1, WordMatch.CHARACTERS, 3),
        (2, 1, WordMatch.CHARACTERS, 3),
        (3, 2, WordMatch.EXACT, 2),
        (4, 3, WordMatch.EXACT, 1),
    ]
    assert (a.scores["f1"], a.scores["exact"], a.scores["crossing"]) == (1.0, 1.0, 0.0)
    # whole: S, NP, VP, VP and the tags of he and go, of 8 and 7
    assert a.scores["f1_pos"] == pytest.approx(2 * 6 / 15)
    assert a.scores["tagging"] == 2 / 4
    # not: VP S in the gold tree; cannot: [ VP S
    assert [word.scores["la_exact"] for word in a.words] == pytest.approx([1, 1, 0.8, 1])
    assert [word.test_form for word in a.words] == ["he", "cannot", "cannot", "go"]
    assert a.scores["la_exact"] == pytest.approx(3.8 / 4)


def test_other_case_is_no_error():
    a = align("(S (NP (DT The) (NN Dog)) (VP (V Barks)))", "(S (NP (DT the) (NN dog)) (VP (V barks)))")
    assert a.status == "ok"
    undefined = {name for name in a.scores if name.endswith("_discontinuous")}
    assert {name for name, score in a.scores.items() if score not in (1.0, 0.0)} == undefined
    assert (a.scores["f1_pos"], a.scores["ted"], a.scores["repair_similarity"]) == (1.0, 1.0, 1.0)
    assert (a.counts["t_swapped"], a.counts["t_deleted"], a.counts["t_inserted"]) == (0, 0, 0)
    assert a.test.words == ("the", "dog", "barks")


def test_the_gold_tag_decides_about_words_aligned_as_wholes():
    gold = "(S (NP (NN a)) (, ,) (VP (VB x)) (. .))"
    by_gold = align(gold, "(S (NP (NN b)) (NN ,) (VP (VB x)) (NN .))", "standard")
    assert by_gold.test.words == ("b", "x")
    own = align(gold, "(S (NP (NN a)) (VP (VB x.)) (. !) (NN ?))", "standard")
    assert own.test.words == ("a", "x.", "?")  # x. is no whole word of the gold tree; ! goes by its own tag
    assert [word.test_form for word in own.words] == ["a", "x."]


def test_evalb_does_not_score_other_words():
    a = align("(S (N a) (N b))", "(S (N a) (N c))", "collins")
    assert (a.status, a.links, a.words) == ("words_differ", (), ())
    assert {name for name, score in a.scores.items() if score is not None} == {"ted", "ted_jaccard"}
    assert a.counts["e_matched_roof"] == 0
    assert a.counts["la_words"] == 2


def test_every_metric_says_what_it_does_where_words_differ():
    assert all(metric.family.words_differ for metric in METRICS.values())
