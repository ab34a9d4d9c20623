"""One sentence through TedEval of 2011 has the figures of the pass over a corpus."""

from __future__ import annotations

import pytest
from hypothesis import given

from evaltools import MultiFunctionTree, ParameterError, dependency_function_tree, multi_function_tree
from evaltools.corpus import DependencyTree
from evaltools.corpus.function_trees import WILDCARD
from evaltools.drawing import tedeval2011_bars
from evaltools.frameworks.crossframework.function_columns import FunctionColumns, FunctionVocabulary
from evaltools.frameworks.crossframework.protocol import tedeval2011_steps
from evaltools.frameworks.crossframework.tedeval import COLUMNS_2011, TedEval2011
from evaltools.marks import Status
from tests.slow.functions import dependency_trees

NAMES = {"delete": Status.SPURIOUS, "insert": Status.MISSING, "relabel": Status.RELABELED}


def functions_of(tree: DependencyTree, head: str = "hd") -> MultiFunctionTree:
    relations = [one.replace("hd", "dep") for one in tree.relations]  # hd is what heads are called
    return multi_function_tree(dependency_function_tree(tree.forms, tree.heads, relations, head_label=head))


@given(dependency_trees(3, most_words=6, projective=True))
def test_the_counts_are_those_of_the_pass(trees: list[DependencyTree]):
    parse, *golds = map(functions_of, trees)
    made = tedeval2011_steps(parse, golds, own=1)
    vocabulary = FunctionVocabulary()
    columns = [FunctionColumns.from_trees([functions_of(tree, WILDCARD)], vocabulary) for tree in trees]
    counts = dict(zip(COLUMNS_2011, TedEval2011(columns[0], columns[1:], 1).counts[0].tolist(), strict=True))
    assert made.delta == counts["tedeval2011_error_labelled"] == sum(not one.discarded for one in made.steps)
    assert made.n_parse == counts["tedeval2011_parse_labelled"]
    assert made.n_generalized == counts["tedeval2011_generalized_labelled"]


@given(dependency_trees(3, most_words=6, projective=True))
def test_every_step_is_drawn_once(trees: list[DependencyTree]):
    parse, *golds = map(functions_of, trees)
    made = tedeval2011_steps(parse, golds)
    drawn = [
        function for bar in tedeval2011_bars(made) for function in bar.functions if function[1] is not Status.RIGHT
    ]
    assert sorted(status.value for _, status, _ in drawn) == sorted(NAMES[one.kind].value for one in made.steps)
    assert sum(discarded for _, _, discarded in drawn) == sum(one.discarded for one in made.steps)


def test_what_cannot_be_compared_is_refused():
    gold = MultiFunctionTree(("a", "b", "c"), {frozenset({0, 2}): {"x"}, frozenset({0, 1, 2}): {"root"}})
    with pytest.raises(ParameterError, match="not projective"):
        tedeval2011_steps(gold, [gold])
    two = MultiFunctionTree(("a", "b"), {frozenset({0}): {"x", "y"}})
    with pytest.raises(ParameterError, match="two functions"):
        tedeval2011_steps(two, [two])
    with pytest.raises(ParameterError, match="words of the trees differ"):
        tedeval2011_steps(two, [MultiFunctionTree(("a", "c"), {})])
