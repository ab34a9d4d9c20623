"""Repairs of discontinuous trees, in an order of the words that makes both trees continuous."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from random import Random

import pytest
from hypothesis import given

import evaltools
from evaltools import Tree, Treebank, align
from evaltools.corpus import Kind
from evaltools.frameworks.constituency.common_order import common_order
from evaltools.frameworks.constituency.marked import UNREPAIRED, marked_sentence
from evaltools.frameworks.constituency.normalization import TreeComparison, normalize_pair
from evaltools.frameworks.constituency.repair import UNORDERED, OrderedPair, RepairCounts
from evaltools.frameworks.presets import load_preset
from evaltools.marks import compared
from tests.conftest import few_examples
from tests.slow import common_order as slow
from tests.slow.discontinuous import random_pair
from tests.slow.edits import error_rows, error_steps, repair
from tests.slow.trees import randoms


def tree(text: str) -> Tree:
    return Tree.from_string(text, "discbracket")


EXTRAPOSED = tree("(S (NP (DT 0=a) (NN 1=man) (PP (P 4=with) (N 5=hats))) (VP (V 2=came) (R 3=in)))")
LOW = tree("(S (NP (DT 0=a) (NN 1=man)) (VP (V 2=came) (R 3=in) (PP (P 4=with) (N 5=hats))))")
NEVER = tree("(S (X (A 0=a) (B 1=b)) (Y (C 2=c) (D 3=d)))"), tree("(S (X (A 0=a) (C 2=c)) (Y (B 1=b) (D 3=d)))")


def brackets(tree: Tree) -> Counter[tuple[str, frozenset[int]]]:
    phrases = (node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE)
    return Counter((tree.labels[node], tree.yield_(node)) for node in phrases)


def n_wrong(gold: Tree, test: Tree) -> int:
    return sum(((a := brackets(gold)) - (b := brackets(test))).values()) + sum((b - a).values())


def bits(words: frozenset[int]) -> int:
    return sum(1 << word for word in words)


def random_family(random: Random, words: list[int]) -> list[frozenset[int]]:
    """Return sets of which two are disjoint, or one contains the other."""
    if len(words) < 2:
        return []
    random.shuffle(words)
    cut = random.randint(1, len(words) - 1)
    own = [frozenset(words)] if random.random() < 0.6 else []
    return own + random_family(random, words[:cut]) + random_family(random, words[cut:])


@given(randoms)
def test_there_is_an_order_where_trying_all_of_them_finds_one(random: Random):
    n_words = random.randint(1, 6)
    families = [random_family(random, list(range(n_words))) for _ in range(2)]
    found = common_order(n_words, *(map(bits, sets) for sets in families))
    possible = slow.orders(n_words, [words for sets in families for words in sets])
    assert (found in possible) if possible else found is None
    if tuple(range(n_words)) in possible:
        assert found == tuple(range(n_words))
    assert found == common_order(n_words, *(map(bits, reversed(sets)) for sets in families))


def test_the_order_is_mostly_one_with_the_fewest_pairs_of_words_swapped():
    random = Random(1)
    n_nearest = n_found = 0
    for _ in range(150):
        families = [random_family(random, list(range(5))) for _ in range(2)]
        if possible := slow.orders(5, [words for sets in families for words in sets]):
            found = common_order(5, *(map(bits, sets) for sets in families))
            assert found is not None
            n_found += 1
            n_nearest += slow.swapped(found) == min(map(slow.swapped, possible))
    assert n_nearest / n_found > 0.75


def test_a_deep_tree_and_long_sentences_are_no_problem():
    n = 3000
    assert common_order(n, ((1 << end) - 1 for end in range(2, n)), [1 << (n - 1) | 1 << (n - 2)]) == tuple(range(n))


def order_of(gold: Tree, test: Tree) -> OrderedPair:
    vocabulary = evaltools.corpus.Vocabulary()
    sides = (Treebank.from_trees([tree], vocabulary) for tree in (gold, test))
    return OrderedPair.of(normalize_pair(*sides, load_preset("none")))


@given(randoms)
def test_the_trees_in_that_order_are_the_same_trees(random: Random):
    pair = random_pair(random)
    ordered = order_of(*pair)
    if ordered.refused[0]:
        assert not slow.orders(len(pair[0].words), [words for side in pair for words in slow.word_sets(side)])
        return
    order = ordered.orders.get(0, tuple(range(len(pair[0].words))))
    for before, after in zip(pair, (ordered.gold.tree(0), ordered.test.tree(0)), strict=True):
        assert after.is_continuous
        assert after.words == tuple(before.words[word] for word in order)
        in_sentence = {
            (label, frozenset(order[word] for word in words)): n for (label, words), n in brackets(after).items()
        }
        assert in_sentence == brackets(before)


@given(randoms)
def test_the_repair_ends_at_the_gold_tree_and_repairs_every_wrong_bracket_once(random: Random):
    pair = random_pair(random)
    result = align(*pair)
    ordered = order_of(*pair)
    if ordered.refused[0]:
        assert result.scores["errors"] is result.scores["repair_similarity"] is None
        assert result.repairs.problem == UNORDERED
        return
    steps = repair(*pair)
    gold, now = ordered.gold.tree(0), ordered.test.tree(0)
    for step in steps:
        assert step.repaired == n_wrong(gold, now) - n_wrong(gold, step.tree) > 0
        assert step.tree.words == now.words
        now = step.tree
    assert brackets(now) == brackets(gold)
    assert sum(step.repaired for step in steps) == n_wrong(*pair)
    assert result.counts["r_steps"] == len(steps)
    assert result.counts["r_brackets"] == n_wrong(*pair)
    assert result.counts["r_matched"] == result.counts["e_matched_roof"]
    assert (not steps) == (n_wrong(*pair) == 0)
    total = len(steps) + result.counts["r_matched"]
    assert result.scores["repair_similarity"] == pytest.approx(1 - len(steps) / total if total else 1)


@few_examples
@given(randoms)
def test_a_corpus_is_repaired_as_its_sentences_are(random: Random):
    pairs = [random_pair(random) for _ in range(3)] + [NEVER, (EXTRAPOSED, LOW)]
    vocabulary = evaltools.corpus.Vocabulary()
    sides = [Treebank.from_trees(list(trees), vocabulary) for trees in zip(*pairs, strict=True)]
    preset = load_preset("none")
    pair = normalize_pair(*sides, preset)
    repairs = RepairCounts(TreeComparison.of(pair, preset))
    repairs.run(0, len(pairs))
    steps = repairs.steps()
    table = error_rows(pair, preset)
    refused = OrderedPair.of(pair).refused
    for index, each in enumerate(pairs):
        own = table[table["sentence"] == index]
        assert refused[index] == order_of(*each).refused[0]
        expected = error_steps(*each)
        assert align(*each).repairs.steps.edits.tolist() == steps.edits[steps.sentences == index].tolist()
        assert own["type"].tolist() == [typed.type.title for typed in expected]
        assert own["text"].tolist() == [typed.text for typed in expected]


@given(randoms)
def test_the_marks_are_over_the_words_of_their_nodes(random: Random):
    pair = random_pair(random)
    alignment = align(*pair)
    marked = marked_sentence(alignment)
    sides = dict(zip(("gold", "test"), pair, strict=True))
    brackets = [mark for mark in marked.marks if mark.kind == "bracket"]
    for bracket in (*brackets, *marked.right):
        words = {word for start, end in bracket.stretches for word in range(start, end)}
        assert words == sides[bracket.side].yield_(bracket.node)
        assert sides[bracket.side].labels[bracket.node] == bracket.text
    wrong = [item for item in brackets if item.status != "right"]
    assert (marked.number("gold"), marked.number("test")) == tuple(
        int(alignment.counts[f"e_{side}_roof"] - alignment.counts["e_matched_roof"]) for side in ("gold", "test")
    )
    assert (marked.unrepaired == UNREPAIRED[UNORDERED]) == order_of(*pair).refused[0] == bool(marked.unrepaired)
    assert sum(item.repaired for item in marked.repairs) == (0 if marked.unrepaired else marked.wrong)
    both = compared(marked, marked, ("p", "q"))
    assert Counter((item.side, item.text, item.stretches) for item in both.marks if item.kind == "bracket") == Counter(
        (item.side, item.text, item.stretches) for item in wrong
    )


def test_an_extraposed_phrase_is_one_error_told_in_the_order_of_the_sentence():
    assert align(EXTRAPOSED, LOW).repairs.order == (0, 1, 4, 5, 2, 3)
    (typed,) = error_steps(EXTRAPOSED, LOW)
    assert typed.type.title == "PP attachment"
    assert typed.text == "PP “with hats” is in VP “came in with hats”, belongs in NP “a man”"
    (repair,) = marked_sentence(align(EXTRAPOSED, LOW)).repairs
    assert (repair.phrase, repair.verdict) == ("PP “with hats”", "is in VP “came in …”, belongs in NP “a man …”")
    assert repair.repaired == 4


def test_a_bracket_with_gaps_says_which_words_it_lacks_or_has_too_many():
    gold = tree("(S (VP (V 0=is) (A 2=very) (A 3=rich)) (N 1=John))")
    test = tree("(S (VP (V 0=is) (A 2=very)) (N 1=John) (A 3=rich))")
    for pair, verdict in (((gold, test), "should include “rich”"), ((test, gold), "should leave out “rich”")):
        marked = marked_sentence(align(*pair))
        told = [f"{repair.phrase} {repair.verdict}" for repair in marked.repairs]
        assert told in (
            [f"VP “is … very{' rich' * (pair[0] is test)}” {verdict}"],
            ["“rich” is in S “is John very …”, belongs in VP “is … very …”"],
            ["“rich” is in VP “is … very …”, belongs in S “is John very …”"],
        )


def file(*lines: Tree | str) -> BytesIO:
    texts = (line if isinstance(line, str) else line.to_string("discbracket") for line in lines)
    return BytesIO("".join(f"{text}\n" for text in texts).encode())


def test_without_an_order_there_is_no_number_of_errors_in_any_figure():
    run = evaltools.score(file(NEVER[0], EXTRAPOSED), {"p": file(NEVER[1], LOW)}, format="discbracket")
    assert run.sentences("p")["errors"].tolist() == pytest.approx([float("nan"), 1.0], nan_ok=True)
    assert run.counts()["r_steps"].isna().tolist() == [True, False]
    errors = run.summary().set_index("metric").loc["errors"]
    assert (errors.n, errors.pooled, errors["mean"]) == (1, 1.0, 1.0)
    assert (errors.n_mean_all, errors.n_pooled_all, errors.pooled_all) == (1, 1, 1.0)


def test_a_missing_parse_of_a_discontinuous_tree_has_an_error_for_each_bracket_and_word():
    run = evaltools.score(file(EXTRAPOSED, LOW), {"p": file("", LOW)}, format="discbracket")
    errors = run.summary().set_index("metric").loc["errors"]
    assert (errors.n, errors.pooled) == (1, 0.0)
    assert (errors.n_mean_all, errors.pooled_all) == (2, (4 + 6) / 2)
