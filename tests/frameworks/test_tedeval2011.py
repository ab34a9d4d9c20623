"""TedEval of 2011."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evaltools import MultiFunctionTree, ParameterError, dependency_function_tree, multi_function_tree
from evaltools.corpus import DependencyTree
from evaltools.corpus.function_trees import WILDCARD
from evaltools.drawing import protocol_bars
from evaltools.frameworks.crossframework.function_columns import FunctionColumns, FunctionVocabulary
from evaltools.frameworks.crossframework.memberships import Segmentation
from evaltools.frameworks.crossframework.protocol import tedeval2011_steps
from evaltools.frameworks.crossframework.tedeval import COLUMNS_2011, METRICS_2011, REFUSALS, Refusal, TedEval2011
from evaltools.marks import Status
from tests.slow import functions
from tests.slow.functions import dependency_trees

FREE = {("sbj", "obj")}
LABELS = ("unlabeled", "labeled")


def wild(tree: DependencyTree) -> MultiFunctionTree:
    return multi_function_tree(dependency_function_tree(tree.forms, tree.heads, tree.relations, head_label=WILDCARD))


def evaluated(parses: list[MultiFunctionTree], *golds: list[MultiFunctionTree], **options: object) -> TedEval2011:
    vocabulary = FunctionVocabulary()
    corpora = [FunctionColumns.from_trees(trees, vocabulary) for trees in (parses, *golds)]
    return TedEval2011(corpora[0], corpora[1:], **options)


def scores(passed: TedEval2011, sentence: int | None = None) -> dict[str, float]:
    rows = passed.counts if sentence is None else passed.counts[sentence : sentence + 1]
    sums = {name: np.array([float(total)]) for name, total in zip(COLUMNS_2011, rows.sum(axis=0), strict=True)}
    return {metric.id: float(metric.score(sums)[0]) for metric in METRICS_2011}


@given(st.lists(dependency_trees(2, most_words=5, projective=True), min_size=1, max_size=3))
def test_against_one_gold_it_is_the_edit_distance(corpus: list[list[DependencyTree]]):
    parses, golds = ([wild(trees[side]) for trees in corpus] for side in (0, 1))
    passed = evaluated(parses, golds, free=FREE)
    for sentence, (parse, gold) in enumerate(zip(parses, golds, strict=True)):
        counts = dict(zip(COLUMNS_2011, passed.counts[sentence].tolist(), strict=True))
        for labels in LABELS:
            forests = [functions.ordered_forest(tree, labeled=labels == "labeled") for tree in (parse, gold)]
            assert counts[f"tedeval2011_error_{labels}"] == functions.edit_distance(*forests, FREE)
            sizes = [len(tree.labels) - 1 for tree in (parse, gold)]
            assert [counts[f"tedeval2011_{what}_{labels}"] for what in ("parse", "generalized")] == sizes


@given(dependency_trees(4, most_words=5, projective=True), st.integers(0, 2))
def test_against_several_golds(trees: list[DependencyTree], own: int):
    parse, *golds = map(wild, trees)
    vocabulary = FunctionVocabulary()
    corpora = [FunctionColumns.from_trees([tree], vocabulary) for tree in (parse, *golds)]
    passed = TedEval2011(corpora[0], corpora[1:], own, free=FREE)
    counts = dict(zip(COLUMNS_2011, passed.counts[0].tolist(), strict=True))
    for labels in LABELS:
        labeled = labels == "labeled"
        gen = functions.common_2011(golds, FREE, labeled=labeled)
        forests = [functions.ordered_forest(tree, labeled=labeled) for tree in (parse, gen)]
        whole = frozenset(range(len(parse.words)))
        assert counts[f"tedeval2011_generalized_{labels}"] == len(gen.yields - {whole})
        script = passed.operations[labels]
        assert len(script) == functions.edit_distance(*forests, FREE)
        assert counts[f"tedeval2011_error_{labels}"] == np.count_nonzero(script[:, 6] == 0)
        # what is discarded is a step of the own gold's, too
        native = TedEval2011(corpora[1 + own], corpora[1:], own, free=FREE).operations[labels]
        steps = {tuple(row) for row in native[:, :6].tolist()}
        assert {tuple(row[:6]) for row in script.tolist() if row[6]} == steps & {
            tuple(row[:6]) for row in script.tolist()
        }


def test_on_sunday_with_either_head_differs_by_wildcards_only():
    lexical = wild(DependencyTree(("on", "Sunday"), (1, -1), ("case", "tmp")))
    functional = wild(DependencyTree(("on", "Sunday"), (-1, 0), ("tmp", "pobj")))
    assert set(scores(evaluated([lexical], [functional])).values()) == {1.0}


def test_free_relabellings():
    gold = wild(DependencyTree(("a", "b"), (1, -1), ("SUB", "root")))
    parse = wild(DependencyTree(("a", "b"), (1, -1), ("SBJ", "root")))
    assert scores(evaluated([parse], [gold])) == {"tedeval2011_unlabeled": 1.0, "tedeval2011_labeled": 0.75}
    assert scores(evaluated([parse], [gold], free=[("SBJ", "SUB"), ("x", "y")]))["tedeval2011_labeled"] == 1.0


def test_would_have_worked():
    """Example (6): with the auxiliaries as heads, and with the verb as head."""
    words = ("would", "have", "worked")
    auxiliaries = wild(DependencyTree(words, (-1, 0, 1), ("root", "vg", "vg")))
    verb = wild(DependencyTree(words, (2, 2, -1), ("vg", "vg", "root")))
    passed = evaluated([auxiliaries, auxiliaries], [auxiliaries, verb], [verb, verb])
    # {have worked} is the own gold's, so it is not counted against the parse; against the other gold alone it is
    assert scores(passed, 0) == {"tedeval2011_unlabeled": 1.0, "tedeval2011_labeled": 1.0}
    assert scores(passed, 1)["tedeval2011_unlabeled"] == pytest.approx(1 - 1 / 7)
    rows = passed.operations["unlabeled"]
    assert rows[:, [0, 1, 2, 6]].tolist() == [[0, 0, 1 << 32 | 3, 1], [1, 0, 1 << 32 | 3, 0]]


@pytest.mark.parametrize("known", [["x", "y"], ["y", "x"]])
def test_of_two_functions_the_alphabetically_last_counts_whatever_other_files_have(known: list[str]):
    words = ("a", "b")
    double, single = (MultiFunctionTree(words, {frozenset({0}): frozenset(names)}) for names in ("xy", "y"))
    vocabulary = FunctionVocabulary()
    vocabulary.labels.add_all(known)
    corpora = [FunctionColumns.from_trees([tree], vocabulary) for tree in (single, double, single)]
    passed = TedEval2011(corpora[0], corpora[1:])
    assert passed.refused.tolist() == [Refusal.TWO_LABELS]
    assert passed.counts[0, COLUMNS_2011.index("tedeval2011_generalized_labeled")] == 1


def test_what_this_mode_does_not_take_is_refused_and_said():
    words = ("a", "b", "c")
    plain = wild(DependencyTree(words, (1, -1, 1), ("x", "root", "y")))
    crossed = wild(DependencyTree(words, (2, -1, 1), ("x", "root", "y")))
    double = MultiFunctionTree(words, {frozenset({0}): frozenset({"x", "y"})})
    overlapping = MultiFunctionTree(words, {frozenset({0, 1}): frozenset("x"), frozenset({1, 2}): frozenset("x")})
    parses = [plain, crossed, plain, overlapping, plain]
    golds = [plain, plain, double, plain, crossed]
    passed = evaluated(parses, golds)
    assert passed.refused.tolist() == [
        Refusal.NONE,
        Refusal.NOT_PROJECTIVE,
        Refusal.TWO_LABELS,
        Refusal.NOT_PROJECTIVE,
        Refusal.NOT_PROJECTIVE,
    ]
    assert passed.refused_trees.tolist() == [
        [Refusal.NONE, Refusal.NOT_PROJECTIVE, Refusal.NONE, Refusal.NOT_PROJECTIVE, Refusal.NONE],
        [Refusal.NONE, Refusal.NONE, Refusal.TWO_LABELS, Refusal.NONE, Refusal.NOT_PROJECTIVE],
    ]
    # nothing is matched: all of the parse goes, all of the gold is added
    assert set(scores(passed, 0).values()) == {1.0}
    assert all(set(scores(passed, sentence).values()) == {0.0} for sentence in range(1, 5))
    counts = [dict(zip(COLUMNS_2011, row, strict=True)) for row in passed.counts.tolist()]
    sizes = [[one[f"tedeval2011_{what}_labeled"] for what in ("parse", "generalized", "error")] for one in counts]
    assert sizes == [[3, 3, 0], [4, 3, 7], [3, 1, 4], [2, 3, 5], [3, 4, 7]]
    assert all("2012" in REFUSALS[why] for why in Refusal if why)


def test_trees_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch):
    n = 6000
    words = tuple("a" for _ in range(n))
    one, other = (
        MultiFunctionTree(words, {frozenset(range(n - cut)): frozenset({"x"}), frozenset({0}): frozenset({"y"})})
        for cut in (1, 2)
    )
    passed = evaluated([one], [other])
    assert passed.refused.tolist() == [Refusal.TOO_LARGE]
    assert passed.refused_trees.tolist() == [[Refusal.TOO_LARGE], [Refusal.NONE]]
    assert set(scores(passed).values()) == {0.0}


def test_words_that_differ_and_missing_trees():
    tree = MultiFunctionTree(("a", "b"), {frozenset({0, 1}): frozenset({"root"}), frozenset({0}): frozenset({"x"})})
    cut = MultiFunctionTree(("ab",), {frozenset({0}): frozenset({"root"})})
    missing = MultiFunctionTree((), {})
    passed = evaluated([cut, missing, tree, tree], [tree, tree, missing, tree])
    kinds = [Segmentation.CHARACTERS, Segmentation.MISSING, Segmentation.NO_GOLD, Segmentation.WORDS]
    assert passed.status.tolist() == kinds
    assert [scores(passed, sentence)["tedeval2011_labeled"] for sentence in (0, 1, 3)] == [0.0, 0.0, 1.0]
    assert np.isnan(scores(passed, 2)["tedeval2011_labeled"])
    assert scores(passed)["tedeval2011_labeled"] == pytest.approx(1 - (2 + 1) / (2 + 1 + 2))


def test_nodes_without_a_function_count_unlabeled_only():
    words = ("a", "b")
    gold = MultiFunctionTree(words, {frozenset({0}): frozenset({"x"}), frozenset({1}): frozenset()})
    parse = MultiFunctionTree(words, {frozenset({0}): frozenset({"x"})})
    assert scores(evaluated([parse], [gold])) == {
        "tedeval2011_unlabeled": pytest.approx(1 - 1 / 3),
        "tedeval2011_labeled": 1.0,
    }


def test_an_own_gold_that_is_not_there_is_refused():
    with pytest.raises(ParameterError, match="0 to 0"):
        evaluated([], [], own=1)
    assert evaluated([], []).counts.shape == (0, len(COLUMNS_2011))
    assert all(one < other for one, other in pairwise(Refusal))


# ----------------------------------------------------------------------------------------------- steps of one sentence

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
    assert made.delta == counts["tedeval2011_error_labeled"]
    assert made.n_parse == counts["tedeval2011_parse_labeled"]
    assert made.n_generalized == counts["tedeval2011_generalized_labeled"]


@given(dependency_trees(3, most_words=6, projective=True))
def test_every_step_is_drawn_once(trees: list[DependencyTree]):
    parse, *golds = map(functions_of, trees)
    made = tedeval2011_steps(parse, golds)
    drawn = [function for bar in protocol_bars(made) for function in bar.functions if function[1] is not Status.RIGHT]
    assert sorted(status.value for _, status, _ in drawn) == sorted(NAMES[one.kind].value for one in made.operations)
    assert sum(discarded for _, _, discarded in drawn) == sum(one.discarded for one in made.operations)


def test_what_cannot_be_compared_is_refused():
    gold = MultiFunctionTree(("a", "b", "c"), {frozenset({0, 2}): {"x"}, frozenset({0, 1, 2}): {"root"}})
    with pytest.raises(ParameterError, match="not projective"):
        tedeval2011_steps(gold, [gold])
    two = MultiFunctionTree(("a", "b"), {frozenset({0}): {"x", "y"}})
    with pytest.raises(ParameterError, match="two functions"):
        tedeval2011_steps(two, [two])
    with pytest.raises(ParameterError, match="words of the trees differ"):
        tedeval2011_steps(two, [MultiFunctionTree(("a", "c"), {})])
