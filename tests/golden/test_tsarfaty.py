"""The figures of the papers on TedEval: Tsarfaty, Nivre and Andersson (2011, 2012)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaltools import (
    FunctionTree,
    MultiFunctionTree,
    Tree,
    bare_function_tree,
    constituency_function_tree,
    dependency_function_tree,
    generalize,
    multi_function_tree,
    realizational_function_tree,
    sorted_function_tree,
    subsumes,
    tedeval_protocol,
    tl_unify,
    unify,
)

WORDS = ("John", "loves", "Mary")
ALL, JOHN, LOVES, MARY = frozenset({0, 1, 2}), frozenset({0}), frozenset({1}), frozenset({2})
LOVES_MARY = frozenset({1, 2})

PTB = "(S (NP (NN John)) (VP (V loves) (NP (NN Mary))))"
PTB_WITH_FUNCTIONS = "(S-root (NP-sbj (NN-hd John)) (VP-prd (V-hd loves) (NP-obj (NN-hd Mary))))"
REALIZATIONAL = "(S ({sbj,prd,obj} (sbj (NP ({hd} (hd (NN John))))) (prd (V loves)) (obj (NP ({hd} (hd (NN Mary)))))))"


def arcs() -> FunctionTree:
    return dependency_function_tree(WORDS, (1, -1, 1), ("sbj", "root", "obj"))


def read(convert: Callable[[Tree], FunctionTree], text: str) -> FunctionTree:
    return convert(Tree.from_string(text))


# 2012, Figure 1: deterministic conversion into function trees

FIGURE_1 = [
    (arcs(), "(root (sbj John) (hd loves) (obj Mary))", "{root}[{sbj} John, {hd} loves, {obj} Mary]"),
    (
        read(constituency_function_tree, PTB_WITH_FUNCTIONS),
        "(root (sbj (hd John)) (prd (hd loves) (obj (hd Mary))))",
        "{root}[{hd,sbj} John, {prd}[{hd} loves, {hd,obj} Mary]]",
    ),
    (
        read(realizational_function_tree, REALIZATIONAL),
        "(root (sbj (hd John)) (prd loves) (obj (hd Mary)))",
        "{root}[{hd,sbj} John, {prd} loves, {hd,obj} Mary]",
    ),
]


@pytest.mark.parametrize(("tree", "functions", "multi"), FIGURE_1, ids=["a", "b", "c"])
def test_figure_1(tree: FunctionTree, functions: str, multi: str):
    assert str(tree) == functions
    assert str(multi_function_tree(tree)) == multi


# 2012, Figure 2: unary chains in function trees


def test_figure_2():
    t1, t2 = (
        multi_function_tree(realizational_function_tree(Tree.from_string(text)))
        for text in ("(S ({f1} (f1 ({f2} (f2 w)))))", "(S ({f2} (f2 ({f1} (f1 w)))))")
    )
    t3 = MultiFunctionTree(("w",), {frozenset({0}): frozenset({"root", "f1", "f2"})})
    assert t1 == t2 == t3
    assert str(sorted_function_tree(t3)) == "(f1 (f2 (root w)))"


# 2012, Figure 3: the protocol, with the trees of Figure 1


def test_figure_3():
    a, b, c = (multi_function_tree(tree) for tree, _, _ in FIGURE_1)
    gen = generalize(a, b, c)
    assert str(gen) == "{root}[{sbj} John, ∅ loves, {obj} Mary]"
    for own, gold in enumerate((a, b, c)):
        made = tedeval_protocol(gold, (a, b, c), own)
        assert made.generalization == gen
        assert all(one.discarded and one.kind == "delete" for one in made.operations)
        assert (made.delta, made.score) == (0, 1.0)
    # the flat dependency tree as the parse of a parser of theory (b): it lacks prd, and hd over the nouns
    made = tedeval_protocol(a, (a, b, c), 1)
    assert [(one.kind, one.label, one.words, one.discarded) for one in made.operations] == [
        ("delete", "hd", LOVES, True)
    ]
    single = tedeval_protocol(a, (b,))
    assert [(one.kind, one.label, one.words) for one in single.operations] == [
        ("add", "prd", LOVES_MARY),
        ("add", "hd", JOHN),
        ("add", "hd", MARY),
    ]
    assert single.score == 1 - 3 / (4 + 7)


# 2012, Figure 4: multi-function trees, and TL-unification


def test_figure_4():
    ptb = multi_function_tree(read(bare_function_tree, PTB))
    sd = multi_function_tree(arcs())
    assert ptb.labels == dict.fromkeys((ALL, JOHN, LOVES_MARY, LOVES, MARY), frozenset())
    assert sd.labels == {
        ALL: frozenset({"root"}),
        JOHN: frozenset({"sbj"}),
        LOVES: frozenset({"hd"}),
        MARY: frozenset({"obj"}),
    }
    unified = tl_unify(ptb, sd)
    assert unified.labels == sd.labels | {LOVES_MARY: frozenset()}
    assert str(unified) == "{root}[{sbj} John, ∅[{hd} loves, {obj} Mary]]"
    # one difference in structure: the flat tree subsumes the unified one
    assert subsumes(sd, unified)
    assert not subsumes(unified, sd)
    assert unify(ptb, sd) == unified
    assert generalize(unified, sd) == sd


# 2011, examples (1), (3), (4) and (6): heads


def heads(words: str, heads: tuple[int, ...], relations: str) -> MultiFunctionTree:
    return multi_function_tree(dependency_function_tree(words.split(), heads, relations.split(), head_label="*"))


def test_example_4_on_sunday():
    """Lexical and functional heads give the same tree but for wildcards."""
    lexical = heads("on Sunday", (1, -1), "case tmp")
    functional = heads("on Sunday", (-1, 0), "tmp pobj")
    assert str(lexical) == "{tmp}[{case} on, {*} Sunday]"
    assert str(functional) == "{tmp}[{*} on, {pobj} Sunday]"
    assert lexical.yields == functional.yields


def test_example_6_would_have_worked():
    """Two divisions of a phrase cross with neither; what they share is flat."""
    auxiliaries = heads("would have worked", (-1, 0, 1), "root vg vg")
    verb = heads("would have worked", (2, 2, -1), "vg vg root")
    assert str(auxiliaries) == "{root}[{*} would, {vg}[{*} have, {vg} worked]]"
    assert str(verb) == "{root}[{vg} would, {vg} have, {*} worked]"
    assert generalize(auxiliaries, verb).yields == frozenset(
        {frozenset({0, 1, 2}), frozenset({0}), frozenset({1}), frozenset({2})}
    )
