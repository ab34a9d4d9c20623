"""From a parser's tree to the gold tree: laws on any trees, and the steps of small examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from evaltools.corpus import Kind, Span, Tree, Vocabulary
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.constituency.normalization import TreeComparison, normalize_pair
from evaltools.frameworks.constituency.repair import RepairCounts, edit_text, edits_of
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


def span_of(tree: Tree, node: int) -> Span:
    """Find the words below a node by walking down; its own span where there are none."""
    if tree.kinds[node] is Kind.WORD:
        return tree.span(node)
    spans = [span_of(tree, child) for child in tree.children(node)]
    return Span(min(s.start for s in spans), max(s.end for s in spans)) if spans else tree.span(node)


def test_errors_are_counted_one_to_one():
    gold, test = tree("(S (X (X (N a))) (N b))"), tree("(S (X (N a)) (Y (N b)))")
    extra, missing = errors(gold, test)
    assert dict(extra) == {("Y", 1, 2): 1}
    assert dict(missing) == {("X", 0, 1): 1}


LABELS = "(S (X (N a) (N b)) (Y (N c) (N d)) (N e) (N f))"
TWO, FLAT = "(S (X (Y (N a) (N b)) (N c)) (Z (N d) (N e)))", "(S (N a) (N b) (N c) (N d) (N e))"
CHAIN = "(S (X (Y (Z (N a) (N b)))))"


@pytest.mark.parametrize(
    ("gold", "test", "steps"),
    [
        # "today" belongs to the sentence, the parser put it at the end of the noun phrase in the verb phrase
        (
            "(S (NP (N she)) (VP (V saw) (NP (D the) (N man))) (ADVP (A today)))",
            "(S (NP (N she)) (VP (V saw) (NP (D the) (N man) (ADVP (A today)))))",
            ["move NP 4"],
        ),
        # the bracket over "b c" crosses the one over "a b" until b has moved, and is added with the move
        ("(S (Y (N a)) (X (N b) (N c)) (N d))", "(S (Y (N a) (N b)) (N c) (N d))", ["move Y 3"]),
        # a bracket left with one child of its label is merged with it
        ("(S (NP (N a) (N b)) (VP (V c) (V d)))", "(S (NP (NP (N a) (N b)) (V c)) (VP (V d)))", ["move NP 3"]),
        # of equally good steps a label comes first, then an addition, a removal, a move
        (LABELS, "(S (Z (N a) (N b)) (N c) (N d) (W (N e) (N f)))", ["relabel Z 2", "add Y 1", "remove W 1"]),
        (LABELS, "(S (X (N a)) (N b) (Q (N c) (N d)) (N e) (N f))", ["relabel Q 2", "move S 2"]),
        # from left to right, smaller spans first
        (TWO, FLAT, ["add Y 1", "add X 1", "add Z 1"]),
        (FLAT, TWO, ["remove Y 1", "remove X 1", "remove Z 1"]),
        # brackets over the same words are added where the gold tree has them
        (CHAIN, "(S (N a) (N b))", ["add X 1", "add Y 1", "add Z 1"]),
        (CHAIN, "(S (X (N a) (N b)))", ["add Y 1", "add Z 1"]),
        (CHAIN, "(S (Y (N a) (N b)))", ["add X 1", "add Z 1"]),
        (CHAIN, "(S (Z (N a) (N b)))", ["add X 1", "add Y 1"]),
    ],
)
def test_the_steps_of_small_examples(gold: str, test: str, steps: list[str]):
    found = repair(tree(gold), tree(test))
    assert [f"{step.operation} {step.bracket.label} {step.repaired}" for step in found] == steps
    assert found[-1].tree.to_string() == gold


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
    repairs = RepairCounts(TreeComparison.of(pair, load_preset("none")))
    repairs.run(0, len(corpus))
    expected = [
        replace(step, tree=NO_TREE)
        for sentence in np.flatnonzero(pair.status == SentenceStatus.OK).tolist()
        for step in slow_repair(*(side.treebank.tree(sentence) for side in (pair.gold, pair.test)))
    ]
    found = repairs.steps()
    assert list(named(found)) == expected
    again = RepairCounts(TreeComparison.of(pair, load_preset("none")))
    again.known |= {sentence: edits_of([edit_text(edit) for edit in found.edits[found.sentences == sentence].tolist()])
                    for sentence in range(len(corpus))}  # fmt: skip
    again.run(0, len(corpus))
    assert list(named(again.steps())) == expected
    assert (again.counts == repairs.counts).all()
    for known, own in zip(again.settled(), repairs.settled(), strict=True):
        assert (known == own).all()
