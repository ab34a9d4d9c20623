"""The marked sentence of two trees: which brackets differ, which repair settles each, and what it says."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from evaltools import align
from evaltools.corpus import Kind, Tree
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.constituency.repair import Operation
from evaltools.marks import Mark, Marks, Status, compared, tie_of
from tests.drawing.test_marked import random_tree
from tests.slow.edits import error_steps, repair


def marked(gold: str, test: str) -> Marks:
    return marked_sentence(align(gold, test))


def brackets(sentence: Marks) -> list[Mark]:
    return [mark for mark in sentence.marks if mark.kind == "bracket"]


@pytest.mark.parametrize("seed", range(12))
def test_every_wrong_bracket_is_there_once_and_the_shares_add_up(seed: int) -> None:
    rng = random.Random(seed)
    words = [f"w{index}" for index in range(rng.randint(2, 16))]
    alignment = align(random_tree(rng, words), random_tree(rng, words))
    sentence = marked_sentence(alignment)
    for side, tree, statuses, count in (
        ("gold", alignment.gold, alignment.e.gold_status, sentence.number("gold")),
        ("test", alignment.test, alignment.e.test_status, sentence.number("test")),
    ):
        wrong = [node for node, kind in enumerate(tree.kinds)
                 if kind is Kind.PHRASE and statuses[node] is not Status.RIGHT]  # fmt: skip
        own = [item for item in brackets(sentence) if item.side == side and item.status is not Status.RIGHT]
        assert sorted(item.node for item in own) == wrong
        assert len(own) == count
        assert all(item.stretches == (tree.span(item.node),) and item.text == tree.labels[item.node] for item in own)
        assert all(item.repairs for item in own)
    assert sum(item.repaired for item in sentence.repairs) == sentence.wrong
    steps = enumerate(error_steps(alignment.gold, alignment.test), start=1)
    told = sorted((item.step, item.type, item.repaired) for item in sentence.repairs)
    assert told == [(number, step.type.title, step.repaired) for number, step in steps]
    assert [item.number for item in sentence.repairs] == list(range(1, len(sentence.repairs) + 1))
    shares = [item.repaired for item in sentence.repairs]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("seed", range(12))
def test_parents_of_a_moved_phrase_are_the_smallest_brackets_around_it(seed: int) -> None:
    rng = random.Random(100 + seed)
    words = [f"w{index}" for index in range(rng.randint(4, 20))]
    alignment = align(random_tree(rng, words), random_tree(rng, words))
    sentence = marked_sentence(alignment)
    for item in sentence.repairs:
        if not item.moved:
            assert item.gold_parent is item.test_parent is None
            continue
        (moved,) = item.moved
        parents = ("gold", item.gold_parent, alignment.gold), ("test", item.test_parent, alignment.test)
        for side, node, tree in parents:
            (bracket,) = [mark for mark in brackets(sentence) if (mark.side, mark.node) == (side, node)]
            assert not bracket.follows
            larger = [tree.span(node) for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE
                      and tree.starts[node] <= moved.start and moved.end <= tree.ends[node]
                      and tree.span(node) != moved]  # fmt: skip
            assert bracket.stretches[0] == min(larger, key=lambda span: span.end - span.start)
    for bracket in brackets(sentence):
        if bracket.follows:
            assert sentence.repairs[bracket.repairs[0] - 1].moved


NP, BARE = "(S (NP (PRP It)) (VP (VBZ works)))", "(S (PRP It) (VP (VBZ works)))"


@pytest.mark.parametrize(
    ("gold", "test", "status", "phrase", "verdict"),
    [
        (NP, NP.replace("NP", "INTJ"), "relabeled", "“It”", "is INTJ, should be NP"),
        (NP, BARE, "missing", "NP “It”", "is missing"),
        (BARE, NP, "spurious", "NP “It”", "is spurious"),
        # a wrong tag stands in the text of the repair of its phrase, and by itself where all brackets are right
        (NP, NP.replace("NP (PRP", "X (DT"), "relabeled", "“It”", "is X, should be NP; it is tagged DT, should be PRP"),
        (NP, NP.replace("PRP", "DT"), "relabeled", "“It”", "is tagged DT, should be PRP"),
    ],
)
def test_what_is_wrong_in_words(gold: str, test: str, status: str, phrase: str, verdict: str) -> None:
    (item,) = marked(gold, test).repairs
    assert (item.status, item.phrase, item.verdict) == (status, phrase, verdict)


def test_a_parent_is_named_by_its_words_that_do_not_move_and_those_beside_the_phrase_are_never_left_out() -> None:
    inner = "(NP (DT the) (JJ extraordinarily) (JJ complicated) (NN theory) (NN recipe) {}) {} (RB yesterday)"
    phrase = "(PP (IN with) (NN cheese))"
    (repair,) = marked(
        f"(S (VP (VBD ate) {inner.format('', phrase)}))", f"(S (VP (VBD ate) {inner.format(phrase, '')}))"
    ).repairs
    assert repair.phrase == "PP “with cheese”"
    assert repair.verdict == ("is in NP “the … recipe …”, belongs in VP “ate … recipe … yesterday”")


def test_a_phrase_that_moves_twice_is_told_once_from_where_the_parse_to_where_the_gold_tree_has_it() -> None:
    inner = "(ADVP (RB then)) (NP (DT this)) (VP (MD would) (VP (VB be) (ADJP (JJ possible)) {}))"
    alignment = align(
        f"(SINV (S {inner.format('')}) (VP (VBD said)) (NP (NNP Mohib)))",
        f"(S {inner.format('(S (VP (VBD said) (NP (NNP Mohib))))')})",
    )
    steps = [step for step in repair(alignment.gold, alignment.test) if step.operation is Operation.MOVE]
    assert [[part.span for part in step.moved] for step in steps[:2]] == [[(5, 7)], [(5, 7)]]
    sentence = marked_sentence(alignment)
    (first,) = [item for item in sentence.repairs if item.moved == ((5, 7),)]
    assert (first.phrase, first.verdict) == (
        "“said Mohib”",
        "is in VP “be possible …”, belongs in SINV “then this … possible …”",
    )
    assert first.gold_parent is not None
    assert alignment.gold.labels[first.gold_parent] == "SINV"
    texts = [(item.phrase, item.verdict) for item in sentence.repairs]
    assert len(set(texts)) == len(texts)
    second = next(item for item in sentence.repairs if item.step == 2)
    assert (second.phrase, second.verdict) == ("S “then this would be … Mohib”", "should end before “said”")
    assert second.number in first.together


@pytest.mark.parametrize("seed", range(60))
def test_words_of_a_move_name_the_brackets_that_its_arrow_joins_and_no_phrase_moves_twice(seed: int) -> None:
    rng = random.Random(400 + seed)
    words = [f"w{index}" for index in range(rng.randint(4, 14))]
    sentence = marked(random_tree(rng, words), random_tree(rng, words))
    moves = [item for item in sentence.repairs if item.moved]
    assert len({item.moved for item in moves}) == len(moves)
    for item in moves:
        (moved,) = item.moved
        named = re.fullmatch(r"is in (\S+) “(.+?)”.*, belongs in (\S+) “(.+?)”.*", item.verdict)
        assert named is not None, item.verdict
        for label, text, parent in (
            (*named.group(1, 2), ("test", item.test_parent)),
            (*named.group(3, 4), ("gold", item.gold_parent)),
        ):
            (bracket,) = [mark for mark in brackets(sentence) if (mark.side, mark.node) == parent]
            around = [
                word for at, word in enumerate(words) if at in range(*bracket.stretches[0]) and at not in range(*moved)
            ]
            quoted = [word for word in text.split() if word != "…"]
            assert label == bracket.text
            assert (quoted[0], quoted[-1]) == (around[0], around[-1])
            assert set(quoted) <= set(around)
        short = item.short.partition(" → ")[2]
        assert not short or item.verdict.partition(", belongs in ")[2].startswith(short)


def test_equal_brackets_over_the_same_words_are_counted_and_those_over_others_named_by_position() -> None:
    texts = [item.short for item in marked("(S (NP (NP (PRP it))) (NP (PRP it)))", "(S (PRP it) (PRP it))").repairs]
    assert sorted(texts) == [
        "NP it (1 of 2 over the same words)",
        "NP it (2 of 2 over the same words)",
        "NP it (word 2)",
    ]


def test_right_brackets_are_those_of_both_trees() -> None:
    tree = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta))))"
    sentence = marked(tree, tree)
    labels = [Tree.from_string(tree).labels[item.node] for item in sentence.right]
    assert labels == [item.text for item in sentence.right]
    assert sorted(labels) == ["NP", "NP", "S", "VP"]


def test_brackets_of_two_parsers_are_wrong_in_one_or_alike() -> None:
    gold = "(S (NP (N a)) (VP (V b) (NP (NP (N c)) (PP (P d) (NP (N e))))))"
    first = "(S (NP (N a)) (VP (V b) (NP (N c)) (PP (P d) (NP (N e)))))"
    second = "(S (N a) (X (V b) (NP (N c)) (PP (P d) (NP (N e)))))"
    a, b = marked(gold, first), marked(gold, second)
    sentence = compared(a, b, ("p", "q"))
    assert {(item.text, *item.stretches, item.side, item.status, item.repairs) for item in brackets(sentence)} == {
        ("NP", (2, 5), "gold", "missing", (1, 2)),
        ("NP", (0, 1), "gold", "missing", (2,)),
        ("VP", (1, 5), "gold", "missing", (2,)),
        ("X", (1, 5), "test", "spurious", (2,)),
    }
    assert (sentence.number("gold"), sentence.number("test"), sentence.wrong) == (3, 1, 1 + 4)
    assert [(item.phrase, item.repaired) for item in sentence.repairs] == [("p", 1), ("q", 4)]
    assert sorted(item.text for item in sentence.right) == ["NP", "NP", "PP", "S"]
    assert sentence.parsers == ("p", "q")
    mirrored = compared(b, a, ("q", "p"))
    assert sum(item.repairs == (1,) for item in mirrored.marks) == 3
    assert [item.text for item in mirrored.marks if item.repairs == (1, 2)] == ["NP"]


@pytest.mark.parametrize("seed", range(20))
def test_wrong_brackets_of_two_parsers_add_up_to_those_of_each(seed: int) -> None:
    rng = random.Random(seed)
    words = [f"w{index}" for index in range(rng.randint(2, 16))]
    gold, *parses = (random_tree(rng, words) for _ in range(3))
    a, b = (align(gold, parse) for parse in parses)
    sentence = compared(marked_sentence(a), marked_sentence(b), ("p", "q"))
    for number, alignment in ((1, a), (2, b)):
        own = [item for item in brackets(sentence) if number in item.repairs]
        for side, name in (("gold", "gold"), ("test", "test")):
            wrong = alignment.counts[f"e_{name}_roof"] - alignment.counts["e_matched_roof"]
            assert sum(item.side == side for item in own) == wrong
    missing = sentence.number("gold")
    assert missing + len(sentence.right) == a.counts["e_gold_roof"]


@pytest.mark.parametrize("seed", range(20))
def test_no_two_repairs_of_a_sentence_have_the_same_short_text(seed: int) -> None:
    rng = random.Random(300 + seed)
    words = [rng.choice(["the", "uh", "her"]) for _ in range(rng.randint(8, 30))]
    sentence = marked_sentence(align(random_tree(rng, words), random_tree(rng, words)))
    texts = [item.short for item in sentence.repairs]
    assert len(set(texts)) == len(texts)
    assert all(text == text.strip() for text in texts)


def test_tags_of_two_parsers_are_wrong_in_one_or_alike() -> None:
    gold = "(S (NN a) (NN b) (NN c) (NN d))"
    a, b = (marked(gold, f"(S {tags})") for tags in ("(NN a) (VB b) (VB c) (VB d)", "(NN a) (NN b) (VB c) (IN d)"))
    sentence = compared(a, b, ("p", "q"))
    assert [(tag.start, tag.text, tag.repairs) for tag in sentence.marks if tag.side == "test"] == [
        (1, "VB", (1,)),
        (2, "VB", (1, 2)),
        (3, "VB", (1,)),
        (3, "IN", (2,)),
    ]
    in_gold = [(tag.start, tag.repairs) for tag in sentence.marks if tag.side == "gold"]
    assert in_gold == [(1, (1,)), (2, (1, 2)), (3, (1, 2))]
    assert (sentence.unit, sentence.wrong) == ("tags", 3 + 2)


def test_wrong_tags_of_one_parser_beside_wrong_brackets_of_the_other_are_told_below_them() -> None:
    a, b = (
        marked("(S (NP (NN a)) (NN b))", "(S (NP (VB a)) (NN b))"),
        marked("(S (NP (NN a)) (NN b))", "(S (NN a) (NN b))"),
    )
    for first, second in ((a, b), (b, a)):
        sentence = compared(first, second, ("p", "q"))
        assert (sentence.unit, sentence.wrong) == ("brackets", 1)
        assert sorted(item.repaired for item in sentence.repairs) == [0, 1]
        assert sentence.remark == f"1 wrong tag: “a” {'A' if first is a else 'B'} VB, should be NN"


@pytest.mark.parametrize("seed", range(20))
def test_repairs_that_belong_together_say_so_of_one_another_and_those_of_one_bracket_always_do(seed: int) -> None:
    rng = random.Random(500 + seed)
    words = [f"w{index}" for index in range(rng.randint(4, 20))]
    sentence = marked_sentence(align(random_tree(rng, words), random_tree(rng, words)))
    together = {item.number: set(item.together) for item in sentence.repairs}
    for number, others in together.items():
        assert number not in others
        assert all(number in together[other] for other in others)
    for bracket in brackets(sentence):
        for number in bracket.repairs:
            assert set(bracket.repairs) - {number} <= together[number]
    assert sum(item.repaired for item in sentence.repairs) == sentence.wrong


def test_repairs_far_apart_do_not_belong_together() -> None:
    gold = "(S (A (X a) (X b)) (X c) (X d) (B (X e) (X f)))"
    sentence = marked(gold, "(S (X a) (X b) (X c) (X d) (X e) (X f))")
    assert [item.together for item in sentence.repairs] == [(), ()]
    assert [item.full_verdict for item in sentence.repairs] == [item.verdict for item in sentence.repairs]


def test_errors_that_repair_as_much_as_the_first_are_said_to_be_equal() -> None:
    gold = "(S (A (X a) (X b)) (X c) (X d) (B (X e) (X f)))"
    flat = "(S (X a) (X b) (X c) (X d) (X e) (X f))"
    assert tie_of(marked(gold, flat).repairs) == "Two errors of equal size: A “a b” and B “e f”"
    assert tie_of(marked(gold, "(S (A (X a) (X b)) (X c) (X d) (X e) (X f))").repairs) == ""
    assert tie_of(()) == ""
    first, second = marked(gold, flat).repairs
    larger, smaller = replace(first, repaired=2), replace(second, number=3)
    assert tie_of((larger, smaller)) == ""
    several = [replace(larger, phrase=f"NP “{letter}”") for letter in "abc"]
    assert tie_of((*several, smaller)) == "Three errors of equal size come first: NP “a”, NP “b” and NP “c”"
    assert tie_of((*several, larger)) == "Four errors of equal size"
    assert tie_of((larger, larger)) == "Two errors of equal size", "names that are alike tell nothing apart"
    assert tie_of([larger] * 8) == "8 errors of equal size"


def test_the_sentence_of_two_parsers_names_no_largest_error_where_several_are_equal() -> None:
    gold, right = "(S (A (X a) (X b)) (X c) (X d) (B (X e) (X f)))", "(S (A (X a) (X b)) (X c) (X d) (X e) (X f))"
    a, b = marked(gold, "(S (X a) (X b) (X c) (X d) (X e) (X f))"), marked(gold, right)
    assert [item.verdict for item in compared(a, b, ("p", "q")).repairs] == [
        "needs 2 repairs; two errors of equal size: A “a b” and B “e f”",
        "needs 1 repair; the largest: B “e f” is missing",
    ]
    assert compared(a, marked(gold, gold), ("p", "q")).repairs[1].verdict == "has no wrong brackets"


def test_a_wrong_tag_that_explains_a_third_of_the_brackets_comes_before_the_repairs() -> None:
    gold, parse = "(S (NP (NNP Kim)) (VP (VBZ interviews)))", "(S (NP (NNP Kim) (NNS interviews)))"
    lead = marked(gold, parse).lead
    assert lead == "“interviews” is tagged NNS, should be VBZ: 2 wrong brackets begin or end with it"
    assert marked(gold, gold).lead == ""
    near = marked(gold, parse.replace("NNS interviews", "VBP interviews"))
    assert near.lead == tie_of(near.repairs), "the same part of speech explains no bracket"
