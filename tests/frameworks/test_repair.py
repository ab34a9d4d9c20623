"""From a parser's tree to the gold tree: laws on any trees, and the steps of small examples."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st
from msgspec.structs import replace

from evaltools.corpus import Kind, Span, Tree, Vocabulary
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.constituency.normalization import TreeComparison, normalize_pair
from evaltools.frameworks.constituency.repair import Operation, RepairCounts, edit_text, edits_of
from evaltools.frameworks.presets import load_preset
from tests.slow.edits import named, repair
from tests.slow.repair import NO_TREE, errors, slow_repair
from tests.slow.trees import pairs


def n_errors(gold: Tree, test: Tree) -> int:
    return sum(sum(side.values()) for side in errors(gold, test))


def tree(text: str) -> Tree:
    return Tree.from_string(text)


@given(pairs(most_words=9, empties=True))
def test_every_step_repairs_what_it_says_and_the_last_leaves_nothing(pair):
    gold, test = pair
    left = n_errors(gold, test)
    for step in repair(gold, test):
        assert step.repaired > 0
        now = n_errors(gold, step.tree)
        assert left - now == step.repaired
        left = now
    assert left == 0


@given(pairs(most_words=9, empties=True))
def test_words_and_their_tags_stay_as_they_are(pair):
    gold, test = pair
    for step in repair(gold, test):
        assert step.tree.words == test.words
        assert [step.tree.tag(word) for word in range(len(test.words))] == [
            test.tag(word) for word in range(len(test.words))
        ]
        assert all(step.tree.span(node) == span_of(step.tree, node) for node in range(len(step.tree)))


def span_of(tree: Tree, node: int) -> Span:
    """Find the words below a node by walking down; its own span where there are none."""
    if tree.kinds[node] is Kind.WORD:
        return tree.span(node)
    spans = [span_of(tree, child) for child in tree.children(node)]
    return Span(min(s.start for s in spans), max(s.end for s in spans)) if spans else tree.span(node)


@given(pairs(most_words=7))
def test_equal_brackets_need_no_step_and_others_do(pair):
    gold, test = pair
    assert (repair(gold, test) == []) == (n_errors(gold, test) == 0)
    assert repair(gold, gold) == []


def test_errors_are_counted_one_to_one():
    gold, test = tree("(S (X (X (N a))) (N b))"), tree("(S (X (N a)) (Y (N b)))")
    extra, missing = errors(gold, test)
    assert dict(extra) == {("Y", 1, 2): 1}
    assert dict(missing) == {("X", 0, 1): 1}


def steps(gold: str, test: str):
    return repair(tree(gold), tree(test))


def test_one_move_repairs_every_bracket_on_its_way():
    # "today" belongs to the sentence, the parser put it at the end of the noun phrase in the verb phrase
    gold = "(S (NP (N she)) (VP (V saw) (NP (D the) (N man))) (ADVP (A today)))"
    test = "(S (NP (N she)) (VP (V saw) (NP (D the) (N man) (ADVP (A today)))))"
    (step,) = steps(gold, test)
    assert (step.operation, step.repaired) == (Operation.MOVE, 4)
    assert [part.label for part in step.moved] == ["ADVP"]
    assert (step.bracket.label, step.target.label) == ("NP", "S")
    assert step.tree.to_string() == gold


def test_a_move_may_make_room_for_a_bracket_which_is_added_with_it():
    # the bracket over "b c" crosses the one over "a b" until b has moved
    gold = "(S (N a) (X (N b) (N c)) (N d))"
    test = "(S (Y (N a) (N b)) (N c) (N d))"
    found_steps = steps(gold, test)
    assert sum(step.repaired for step in found_steps) == 2
    gold = "(S (Y (N a)) (X (N b) (N c)) (N d))"
    (step,) = steps(gold, test)
    assert (step.operation, step.repaired) == (Operation.MOVE, 3)
    assert step.added is not None
    assert (step.added.label, *step.added.span) == ("X", 1, 3)
    assert step.tree.to_string() == gold


def test_a_bracket_left_with_one_child_of_its_label_is_merged_with_it():
    gold = "(S (NP (N a) (N b)) (VP (V c) (V d)))"
    test = "(S (NP (NP (N a) (N b)) (V c)) (VP (V d)))"
    (step,) = steps(gold, test)
    assert (step.operation, step.repaired) == (Operation.MOVE, 3)
    assert step.tree.to_string() == gold


def test_of_equally_good_steps_a_label_comes_first_then_an_addition_then_a_removal_then_a_move():
    gold = "(S (X (N a) (N b)) (Y (N c) (N d)) (N e) (N f))"
    test = "(S (Z (N a) (N b)) (N c) (N d) (W (N e) (N f)))"
    assert [str(step.operation) for step in steps(gold, test)] == ["relabel", "add", "remove"]
    # b moves down into X, which repairs two brackets, as many as a new label does
    test = "(S (X (N a)) (N b) (Q (N c) (N d)) (N e) (N f))"
    assert [str(step.operation) for step in steps(gold, test)] == ["relabel", "move"]


def test_additions_and_removals_go_from_left_to_right_smaller_spans_first():
    gold, test = "(S (X (Y (N a) (N b)) (N c)) (Z (N d) (N e)))", "(S (N a) (N b) (N c) (N d) (N e))"
    assert [(step.bracket.label) for step in steps(gold, test)] == ["Y", "X", "Z"]
    assert [(step.bracket.label) for step in steps(test, gold)] == ["Y", "X", "Z"]


def test_added_brackets_of_one_span_stand_in_the_gold_order():
    for test in ("(S (N a) (N b))", "(S (X (N a) (N b)))", "(S (Y (N a) (N b)))", "(S (Z (N a) (N b)))"):
        found_steps = steps("(S (X (Y (Z (N a) (N b)))))", test)
        assert found_steps[-1].tree.to_string() == "(S (X (Y (Z (N a) (N b)))))"


def test_nothing_moves_over_a_bracket_without_words():
    # the outer S is as long as NN, which ends inside V before an empty NP
    gold = tree("(VP (V a c b c) NP c)")
    test = tree("(S (V (NP (S a (NN c)) (N) (NP b) (NN (VP c) (S NP) (S c))) (NP)))")
    found_steps = repair(gold, test)
    assert found_steps == slow_repair(gold, test)
    for step in found_steps:
        assert all(step.tree.span(node) == span_of(step.tree, node) for node in range(len(step.tree)))


@given(pairs(most_words=10, empties=True))
def test_the_kernel_takes_the_steps_of_its_slow_twin(pair):
    gold, test = pair
    assert repair(gold, test) == slow_repair(gold, test)


@given(st.lists(pairs(most_words=8, empties=True), min_size=1, max_size=4))
def test_a_corpus_is_repaired_as_its_sentences_are(corpus):
    texts = ["\n".join(pair[side].to_string() or "(())" for pair in corpus) + "\n" for side in (0, 1)]
    vocabulary = Vocabulary()
    gold, test = (FORMATS["ptb"].read(Source("x", text.encode(), "", layout="lines"), vocabulary) for text in texts)
    pair = normalize_pair(gold, test, load_preset("none"))
    repairs = RepairCounts.prepare(TreeComparison.of(pair, load_preset("none")))
    repairs.run(0, len(corpus))
    expected = [
        replace(step, tree=NO_TREE)
        for sentence in np.flatnonzero(pair.status == SentenceStatus.OK).tolist()
        for step in slow_repair(*(side.treebank.tree(sentence) for side in (pair.gold, pair.test)))
    ]
    found = repairs.steps()
    assert list(named(found)) == expected
    again = RepairCounts.prepare(TreeComparison.of(pair, load_preset("none")))
    again.known |= {sentence: edits_of([edit_text(edit) for edit in found.edits[found.sentences == sentence].tolist()])
                    for sentence in range(len(corpus))}  # fmt: skip
    again.run(0, len(corpus))
    assert list(named(again.steps())) == expected
    assert (again.counts == repairs.counts).all()
    for known, own in zip(again.settled(), repairs.settled(), strict=True):
        assert (known == own).all()
