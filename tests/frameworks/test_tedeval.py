"""TedEval: its identities, and the fast columns against the definition."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from apted import APTED, Config
from hypothesis import given, strategies as st

from evaltools import (
    MultiFunctionTree,
    ParameterError,
    Tree,
    constituency_function_tree,
    dependency_function_tree,
    generalize,
    labeled_function_tree,
    multi_function_tree,
    read_treebank,
    realizational_function_tree,
    sorted_function_tree,
    tedeval_protocol,
    tl_unify,
)
from evaltools.corpus import Dependencies, DependencyTree, Kind, Span, Treebank
from evaltools.corpus.dependency_tree import MultiwordToken
from evaltools.frameworks.crossframework import tedeval
from evaltools.frameworks.crossframework.function_columns import (
    FunctionColumns,
    FunctionVocabulary,
    corpus_functions,
)
from evaltools.frameworks.crossframework.inputs import tl_unified
from evaltools.frameworks.crossframework.memberships import Segmentation
from evaltools.frameworks.crossframework.protocol import sentence_protocol
from evaltools.frameworks.crossframework.tedeval import COLUMNS, TedEval, statuses
from tests.slow import functions
from tests.slow.functions import dependency_trees, function_sets
from tests.slow.trees import forests, randoms, text_of

Trees = list[MultiFunctionTree]
VARIANTS = [(golds, labels) for golds in ("single", "multiple") for labels in ("unlabeled", "labeled")]


def scores(passed: TedEval, sentence: int | None = None) -> dict[str, float]:
    rows = passed.counts if sentence is None else passed.counts[sentence : sentence + 1]
    sums = {name: np.array([total], dtype=float) for name, total in zip(COLUMNS, rows.sum(axis=0), strict=True)}
    return {metric.id: float(metric.score(sums)[0]) for metric in tedeval.METRICS}


def corpora_of(*sides: Trees) -> list[FunctionColumns]:
    vocabulary = FunctionVocabulary()
    return [FunctionColumns.from_trees(trees, vocabulary) for trees in sides]


def evaluated(parses: Trees, *golds: Trees, own: int = 0, count_root: bool = True) -> TedEval:
    corpora = corpora_of(parses, *golds)
    return TedEval(corpora[0], corpora[1:], own, count_root=count_root)


def function_tree_of(tree: DependencyTree) -> MultiFunctionTree:
    return multi_function_tree(dependency_function_tree(tree.forms, tree.heads, tree.relations))


# ------------------------------------------------------------------------------------------------ the fast and the slow


@given(st.lists(function_sets(4), min_size=1, max_size=4), st.integers(0, 2), st.booleans())
def test_counts_and_scores_are_those_of_the_definition(corpus: list[Trees], own: int, count_root: bool):
    parses, *golds = ([trees[place] for trees in corpus] for place in range(4))
    passed = evaluated(parses, *golds, own=own, count_root=count_root)
    for sentence, (parse, *gold) in enumerate(corpus):
        found = scores(passed, sentence)
        counts = dict(zip(COLUMNS, passed.counts[sentence].tolist(), strict=True))
        for which, labels in VARIANTS:
            chosen, at = ([gold[own]], 0) if which == "single" else (gold, own)
            labeled = labels == "labeled"
            options = {"labeled": labeled, "count_root": count_root}
            n_parse, n_gen, delta, score = functions.tedeval(parse, chosen, at, **options)
            gen = "gold" if which == "single" else "generalized"
            assert counts[f"tedeval_parse_{labels}"] == n_parse
            assert counts[f"tedeval_{gen}_{labels}"] == n_gen
            assert counts[f"tedeval_{which}_error_{labels}"] == delta
            made = tedeval_protocol(parse, chosen, at, **options)
            assert (made.n_parse, made.n_generalized, made.delta) == (n_parse, n_gen, delta)
            if n_parse + n_gen:
                assert found[f"tedeval_{which}_{labels}"] == pytest.approx(score)
                assert made.score == pytest.approx(score)


def shuffled_tree(tree: Tree, random: Random) -> Tree:
    """Put the words of a tree in another order, now and then, and give its nodes functions."""
    if random.random() < 0.5:
        return tree
    places = list(range(len(tree.words)))
    random.shuffle(places)
    positions = [-1] * len(tree)
    for place, node in zip(places, tree.word_nodes, strict=True):
        positions[node] = place
    functions = ["" if kind == Kind.WORD else random.choice(("", "SBJ", "OBJ")) for kind in tree.kinds]
    return Tree.from_nodes(tree.labels, positions, tree.parents, tree.kinds, functions)


@given(st.lists(forests(most_words=6), min_size=1, max_size=4), st.sampled_from(("ptb", "functions", "rr")), randoms)
def test_columns_of_constituents_hold_the_trees(corpus: list[Any], format_name: str, random: Random):
    """Half of them are discontinuous and have functions apart from their labels."""
    renamed = {"NP": "NP-SBJ", "VP": "VP-PRD-2", "NN": "-NONE-", "S": "{a,b}", "V": "V-X-Y"}
    words = {"NP": "word"}

    def change(item: Any) -> Any:
        if isinstance(item, str):
            return words.get(item, item)
        return [renamed.get(item[0], item[0]), *map(change, item[1:])]

    trees = [shuffled_tree(Tree.from_string(text_of([change(node) for node in forest])), random) for forest in corpus]
    label_map = {"SBJ": "subject"}
    convert = {
        "ptb": constituency_function_tree,
        "functions": labeled_function_tree,
        "rr": realizational_function_tree,
    }[format_name]
    treebank = replace(Treebank.from_trees(trees), format=format_name)
    columns = corpus_functions(treebank, FunctionVocabulary(), label_map)
    for sentence, tree in enumerate(trees):
        assert columns.tree(sentence) == multi_function_tree(convert(tree, label_map=label_map))


@pytest.mark.parametrize(
    ("content", "format_name", "expected"),
    [
        ("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", "conllu", "{root} a"),
        ("(S-root (NP-sbj a))\n", "ptb", "{root,sbj} a"),
        ("({root} ({sbj,nom} a) ({} b))\n", "functions", "{root}[{nom,sbj} a, ∅ b]"),
        ("(S ({sbj,prd} (sbj (NP a)) (prd (V b))))\n", "rr", "{root}[{sbj} a, {prd} b]"),
        ("(S-root (VP-x (V 0=a) (V 2=c)) (N-y 1=b))\n", "discbracket", "{root}[{x}[∅ a, ∅ c], {y} b]"),
    ],
)
def test_every_format_is_read_in_its_way(tmp_path: Path, content: str, format_name: str, expected: str):
    file = tmp_path / "trees"
    file.write_text(content, encoding="utf-8")
    trees = read_treebank(file, format_name)
    assert str(corpus_functions(trees, FunctionVocabulary()).tree(0)) == expected


def test_parents_in_a_circle_are_refused():
    trees = Dependencies.from_trees([DependencyTree(("a", "b"), (1, -1), ("x", "root"))] * 2)
    trees.head[3] = 0
    with pytest.raises(ParameterError, match="form a cycle"):
        corpus_functions(trees, FunctionVocabulary())


@given(st.lists(function_sets(2), min_size=1, max_size=4))
def test_tl_unification_of_corpora(corpus: list[Trees]):
    vocabulary = FunctionVocabulary()
    structure, labels = (FunctionColumns.from_trees([trees[i] for trees in corpus], vocabulary) for i in (0, 1))
    made = tl_unified(structure, labels)
    for sentence, (one, other) in enumerate(corpus):
        assert made.tree(sentence) == tl_unify(one, other)


@given(st.lists(function_sets(2), min_size=1, max_size=4), st.booleans())
def test_overlap(corpus: list[Trees], count_root: bool):
    vocabulary = FunctionVocabulary()
    one, other = (FunctionColumns.from_trees([trees[i] for trees in corpus], vocabulary) for i in (0, 1))
    found = functions.overlap(one, other, count_root=count_root)
    assert found == pytest.approx(functions.overlap(other, one, count_root=count_root))
    for labels in ("unlabeled", "labeled"):
        sides = [
            [functions.counted(trees[i], labeled=labels == "labeled", count_root=count_root) for trees in corpus]
            for i in (0, 1)
        ]
        total = sum(len(a) + len(b) for a, b in zip(*sides, strict=True))
        different = sum(len(a ^ b) for a, b in zip(*sides, strict=True))
        assert found[labels] == pytest.approx(1 - different / total if total else None)


# ----------------------------------------------------------------------------------------------------------- identities


@dataclass(eq=False)
class Node:
    """A node of an ordered tree: a function, or a word by its position."""

    label: str | int
    children: list[Node] = field(default_factory=list)


class OnlyAddAndDelete(Config):  # type: ignore[misc]
    """Nodes are added and deleted; words stay, and nothing is renamed."""

    def delete(self, node: Node) -> int:
        return 1 if isinstance(node.label, str) else 10_000

    insert = delete

    def rename(self, one: Node, other: Node) -> int:
        return 0 if one.label == other.label else 10_000

    def children(self, node: Node) -> list[Node]:
        return node.children


def ordered(tree: MultiFunctionTree) -> Node:
    """Return the sorted function tree as apted takes it, under a common root."""
    spread = sorted_function_tree(tree)
    top = Node("")
    made = [Node(node.label or "") for node in spread.nodes]
    above: dict[int, Node] = {}
    for node, one in zip(spread.nodes, made, strict=True):
        (made[node.parent] if node.parent >= 0 else top).children.append(one)
        above |= dict.fromkeys(node.words, one)  # the innermost comes last
    first: dict[int, int] = {}
    for node, one in zip(spread.nodes, made, strict=True):
        first[id(one)] = min(node.words)
    for word in range(len(tree.words)):
        leaf = Node(word)
        first[id(leaf)] = word
        above.get(word, top).children.append(leaf)
    for one in (top, *made):
        one.children.sort(key=lambda child: first[id(child)])
    return top


@given(dependency_trees(2, most_words=7, projective=True))
def test_the_set_formulation_is_the_tree_edit_formulation(trees: list[DependencyTree]):
    one, other = map(function_tree_of, trees)
    for goal in (other, generalize(one, other)):
        distance = APTED(ordered(one), ordered(goal), OnlyAddAndDelete()).compute_edit_distance()
        assert distance == len(tedeval_protocol(one, [goal]).operations)


# ------------------------------------------------------------------------------------- beyond trees, beyond known words


def test_nothing_is_lost_of_a_tree_that_is_not_projective():
    """*What did you see*: the object of *see* stands before *did*. Without that arc the figure would be another."""
    words = ("what", "did", "you", "see")
    gold = DependencyTree(words, (3, -1, 1, 1), ("obj", "root", "sbj", "vc"))
    projective = DependencyTree(words, (1, -1, 1, 1), ("obj", "root", "sbj", "vc"))
    assert frozenset({0, 3}) in function_tree_of(gold).labels
    perfect = evaluated([function_tree_of(gold)], [function_tree_of(gold)])
    assert set(scores(perfect).values()) == {1.0}
    lifted = evaluated([function_tree_of(projective)], [function_tree_of(gold)])
    # gold: root, vc {what see}, obj, hd did, sbj, hd see; the lifted parse has vc on "see" alone
    found = scores(lifted)
    assert found["tedeval_single_labeled"] == pytest.approx(1 - 3 / 11)
    assert found["tedeval_single_unlabeled"] == pytest.approx(1 - 1 / 11)
    made = tedeval_protocol(function_tree_of(projective), [function_tree_of(gold)])
    assert [(one.kind, one.label, sorted(one.words)) for one in made.operations] == [
        ("delete", "vc", [3]),
        ("add", "vc", [0, 3]),
        ("add", "hd", [3]),
    ]


def halves(tree: DependencyTree) -> tuple[MultiFunctionTree, MultiFunctionTree]:
    """Return a tree over words of three characters, and over their first characters and the rest as words."""
    whole = DependencyTree(tuple("abc" for _ in tree.forms), tree.heads, tree.relations)
    nodes = function_tree_of(whole).labels
    cut = {frozenset(half for word in words for half in (2 * word, 2 * word + 1)): own for words, own in nodes.items()}
    return function_tree_of(whole), MultiFunctionTree(("a", "bc") * len(tree), cut)


@given(dependency_trees(3))
def test_words_need_not_be_known(trees: list[DependencyTree]):
    """Trees over other words of the same text score as if they had been over the same words."""
    over_words, over_halves = zip(*map(halves, trees), strict=True)
    same = evaluated(*([tree] for tree in over_words))
    for golds in ([over_halves[1], over_words[2]], [over_halves[1], over_halves[2]], [over_words[1], over_halves[2]]):
        mixed = evaluated([over_words[0]], *([tree] for tree in golds))
        assert mixed.counts.tolist() == same.counts.tolist()
        made = tedeval_protocol(over_words[0], golds)
        assert made.in_characters
        assert made.delta == dict(zip(COLUMNS, mixed.counts[0], strict=True))["tedeval_multiple_error_labeled"]


def test_the_words_of_a_token_that_cannot_be_divided_are_aligned_by_form():
    """French *au* is *à le*: a parser that leaves it whole has neither of the two words."""
    au = MultiwordToken(Span(0, 2), "au")
    divided = DependencyTree(("à", "le", "bar"), (2, 2, -1), ("case", "det", "root"), multiwords=(au,))
    whole = DependencyTree(("au", "bar"), (1, -1), ("case", "root"))
    vocabulary = FunctionVocabulary()
    parse, gold = (functions.columns([tree, tree], vocabulary) for tree in (whole, divided))
    assert gold.tokens(1) == [(0, 2, "au")]
    passed = TedEval(parse, [gold])
    assert passed.status.tolist() == [Segmentation.CHARACTERS] * 2
    # {hd} bar alone is in both; root and case of the parse go, root, case and det of the gold are added
    assert scores(passed, 1) == dict.fromkeys(scores(passed, 1), pytest.approx(1 - 5 / 7))
    made = sentence_protocol(parse, [gold], 1)
    assert made.words_aligned
    assert str(made.golds[0]) == "au, {root}[{case} à, {det} le, {hd} bar]"
    assert (made.delta, made.score) == (5, pytest.approx(1 - 5 / 7))
    same = functions.columns([divided] * 2, vocabulary)
    assert TedEval(same, [gold]).status.tolist() == [Segmentation.WORDS] * 2
    assert not sentence_protocol(same, [gold], 0).words_aligned


@given(st.lists(function_sets(3), min_size=1, max_size=3), st.booleans(), st.booleans())
def test_the_protocol_of_a_sentence_of_a_corpus(corpus: list[Trees], labeled: bool, count_root: bool):
    vocabulary = FunctionVocabulary()
    parse, *golds = (FunctionColumns.from_trees([trees[i] for trees in corpus], vocabulary) for i in range(3))
    for sentence, trees in enumerate(corpus):
        options = {"labeled": labeled, "count_root": count_root}
        expected = tedeval_protocol(trees[0], trees[1:], 1, **options)
        assert sentence_protocol(parse, golds, sentence, 1, **options) == expected


def test_a_missing_tree_has_no_protocol():
    vocabulary = FunctionVocabulary()
    trees = [MultiFunctionTree(("a",), {}), MultiFunctionTree((), {})]
    parse, gold = (FunctionColumns.from_trees([tree], vocabulary) for tree in trees)
    with pytest.raises(ParameterError, match="sentence 1 is missing"):
        sentence_protocol(parse, [gold], 0)


def test_words_without_characters():
    """A word of nothing but white space has no characters: what it alone kept apart is together without it."""
    words = ("ab", "\u00a0", "c")
    nodes = {frozenset({0, 2}): frozenset("x"), frozenset({1}): frozenset("y"), frozenset({0}): frozenset("z")}
    parse = MultiFunctionTree(words, nodes)
    gold = MultiFunctionTree(("a", "bc"), {frozenset({0, 1}): frozenset("x"), frozenset({0}): frozenset("z")})
    passed = evaluated([parse], [gold])
    counts = dict(zip(COLUMNS, passed.counts[0].tolist(), strict=True))
    made = tedeval_protocol(parse, [gold])
    assert passed.status.tolist() == [Segmentation.CHARACTERS]
    assert (made.n_parse, made.n_generalized, made.delta) == (2, 2, 2)
    names = ("parse", "gold", "single_error")
    assert [counts[f"tedeval_{name}_labeled"] for name in names] == [2, 2, 2]


def test_other_characters_are_marked_and_match_nothing():
    tree = MultiFunctionTree(("a", "b"), {frozenset({0, 1}): frozenset({"root"})})
    other = MultiFunctionTree(("a", "c"), {frozenset({0, 1}): frozenset({"root"})})
    sides = [other, tree, tree], [tree, tree, tree], [tree, tree, other]
    passed = evaluated(*sides)
    assert passed.status.tolist() == [Segmentation.DIFFERENT, Segmentation.WORDS, Segmentation.WORDS]
    parse, *golds = corpora_of(*sides)
    assert statuses(parse, golds).tolist() == [Segmentation.DIFFERENT, Segmentation.WORDS, Segmentation.NO_GOLD]
    assert [scores(passed, i)["tedeval_single_labeled"] for i in range(3)] == [0.0, 1.0, 1.0]
    assert scores(passed, 0)["tedeval_multiple_labeled"] == 0.0
    assert scores(passed)["tedeval_multiple_labeled"] == 0.5
    with pytest.raises(ParameterError, match="different characters"):
        tedeval_protocol(tree, [other])


def test_a_missing_parse_matches_nothing():
    tree = MultiFunctionTree(("a", "b"), {frozenset({0, 1}): frozenset({"root"}), frozenset({0}): frozenset({"x"})})
    missing = MultiFunctionTree((), {})
    passed = evaluated([missing, tree, tree], [tree, tree, missing], [tree, tree, tree])
    assert passed.status.tolist() == [Segmentation.MISSING, Segmentation.WORDS, Segmentation.NO_GOLD]
    assert set(scores(passed, 0).values()) == {0.0}
    assert all(np.isnan(score) for score in scores(passed, 2).values())
    assert scores(passed)["tedeval_single_unlabeled"] == pytest.approx(1 - 2 / 6)


def test_escapes_of_the_penn_treebank_are_the_same_words():
    vocabulary = FunctionVocabulary()
    constituents = corpus_functions(
        Treebank.from_trees([Tree.from_string("(S (-LRB- -LRB-) (`` ``) (X x))")]), vocabulary
    )
    arcs = functions.columns([DependencyTree(("(", "“", "x"), (2, 2, -1), ("a", "b", "root"))], vocabulary)
    assert TedEval(constituents, [arcs]).status.tolist() == [Segmentation.WORDS]


# ------------------------------------------------------------------------------------------------------------ the edges


def test_equal_trees_with_nothing_to_count_score_1():
    bare = MultiFunctionTree(("a", "b"), {frozenset({0, 1}): frozenset()})
    other = MultiFunctionTree(("a", "b"), {frozenset({0, 1}): frozenset(), frozenset({0}): frozenset()})
    passed = evaluated([bare, other], [bare, bare], count_root=False)
    assert scores(passed, 0) == dict.fromkeys(scores(passed, 0), 1.0)
    assert scores(passed, 1)["tedeval_single_unlabeled"] == 0.0
    assert np.isnan(scores(passed, 1)["tedeval_single_labeled"])
    assert np.isnan(scores(passed)["tedeval_single_labeled"])
    assert tedeval_protocol(bare, [bare], count_root=False).score == 1.0
    assert tedeval_protocol(other, [bare], count_root=False).score is None


def test_the_root_counts_if_asked():
    gold = MultiFunctionTree(("a", "b"), {frozenset({0, 1}): frozenset({"root"}), frozenset({0}): frozenset({"x"})})
    parse = MultiFunctionTree(("a", "b"), {frozenset({0, 1}): frozenset({"top"}), frozenset({0}): frozenset({"x"})})
    assert scores(evaluated([parse], [gold]))["tedeval_single_labeled"] == 0.5
    assert scores(evaluated([parse], [gold], count_root=False))["tedeval_single_labeled"] == 1.0


def test_what_is_discarded_is_what_the_own_gold_needs_too():
    words = ("a", "b", "c")
    root = {frozenset({0, 1, 2}): frozenset({"root"})}
    left = MultiFunctionTree(words, root | {frozenset({0, 1}): frozenset({"x"})})
    right = MultiFunctionTree(words, root | {frozenset({1, 2}): frozenset({"x"})})
    mine, theirs = (tedeval_protocol(left, [left, right], own) for own in (0, 1))
    assert [one.discarded for one in mine.operations] == [True]
    assert [one.discarded for one in theirs.operations] == [False]
    assert (mine.score, theirs.score) == (1.0, pytest.approx(1 - 1 / 3))


def test_what_cannot_be_compared_is_refused():
    tree = MultiFunctionTree(("a",), {frozenset({0}): frozenset()})
    with pytest.raises(ParameterError, match="0 to 0"):
        evaluated([tree], [tree], own=1)
    with pytest.raises(ParameterError, match="0 to 0"):
        tedeval_protocol(tree, [tree], 1)
    with pytest.raises(ParameterError, match="1 and 2 sentences"):
        evaluated([tree], [tree] * 2)
    assert len(evaluated([], []).counts) == 0
