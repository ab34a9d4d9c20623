"""The repair of a sentence in words: what adds up, and what is marked."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from evaltools.corpus import Kind, Tree
from evaltools.frameworks.constituency.error_types import error_steps
from evaltools.frameworks.constituency.repair import errors
from evaltools.frameworks.constituency.wording import repair_story
from tests.slow.trees import pairs

GOLD = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses))))))"
TEST = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses)))))"
CLAUSE = "(S (VP (VB say) (NP (NN it))) (SBAR (IN if) (S (NP (PRP we)) (VP (VBP go)))))"
CLAUSE_LOW = "(S (VP (VB say) (NP (NN it) (SBAR (IN if) (S (NP (PRP we)) (VP (VBP go)))))))"


def bracket(tree: Tree, node: int) -> tuple[str, int, int]:
    return (tree.labels[node], *tree.span(node))


def test_an_added_bracket_names_what_it_holds():
    story = repair_story(Tree.from_string(GOLD), Tree.from_string(TEST))
    (step,) = story.steps
    assert (story.extra, story.missing, step.repaired, step.left) == (0, 1, 1, 0)
    assert step.type == "PP attachment"
    assert step.text == "NP “a man with glasses” is added in VP, around NP “a man” and PP “with glasses”"
    assert [bracket(Tree.from_string(GOLD), node) for node in step.gold] == [("NP", 2, 6)]
    assert step.test == ()
    assert step.words == (2, 3, 4, 5)


def test_a_move_says_from_where_to_where_and_marks_what_moves_in_both_trees():
    gold, test = Tree.from_string(CLAUSE), Tree.from_string(CLAUSE_LOW)
    story = repair_story(gold, test)
    (step,) = story.steps
    assert step.text == "SBAR “if we go” moves from NP “it if we go” to S “say it if we go”"
    assert step.repaired == story.extra + story.missing == 4
    assert {bracket(gold, node) for node in step.gold} == {("VP", 0, 2), ("NP", 1, 2), ("SBAR", 2, 5)}
    assert {bracket(test, node) for node in step.test} == {("VP", 0, 5), ("NP", 1, 5), ("SBAR", 2, 5)}
    assert step.words == (2, 3, 4)
    assert story.by_type == {"clause attachment": (1, 4)}


def test_words_that_move_are_marked_with_their_tags():
    gold = Tree.from_string("(S (NP (DT the) (NN dog)) (VP (VBZ barks) (RB now)))")
    test = Tree.from_string("(S (NP (DT the) (NN dog) (VBZ barks)) (VP (RB now)))")
    (step,) = repair_story(gold, test).steps
    moved = gold.word_nodes[2] + 1
    assert gold.kinds[moved] is Kind.PRETERMINAL
    assert moved in step.gold


def test_equal_trees_need_no_step():
    story = repair_story(Tree.from_string(GOLD), Tree.from_string(GOLD))
    assert story.steps == ()
    assert story.by_type == {}


@given(pairs(most_words=9))
def test_what_the_steps_repair_adds_up(pair):
    gold, test = pair
    if len(gold.words) != len(test.words):
        return
    story = repair_story(gold, test)
    extra, missing = errors(gold, test)
    assert (story.extra, story.missing) == (extra.total(), missing.total())
    assert [(step.type, step.repaired) for step in story.steps] == [
        (typed.type.title, typed.step.repaired) for typed in error_steps(gold, test)
    ]
    left = story.extra + story.missing
    for step in story.steps:
        left -= step.repaired
        assert step.left == left
    assert left == 0
    assert sum(repaired for _, repaired in story.by_type.values()) == story.extra + story.missing


@given(pairs(most_words=9))
def test_the_brackets_that_go_and_come_lead_from_one_tree_to_the_other(pair):
    gold, test = pair
    if len(gold.words) != len(test.words):
        return

    def phrases(tree: Tree) -> Counter[tuple[str, int, int]]:
        return Counter(bracket(tree, node) for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE)

    now = phrases(test)
    for step in repair_story(gold, test).steps:
        now -= Counter((item.label, *item.span) for item in step.removed)
        now += Counter((item.label, *item.span) for item in step.added)
    assert now == phrases(gold)
