"""Dependency trees for people, and corpora of them as columns."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as st

from evaltools import InputError, ParameterError
from evaltools.corpus import Dependencies, DependencyTree, MultiwordToken, Span
from tests.slow.dependencies import random_dependencies, slow_yield
from tests.slow.trees import randoms

# "A hearing is scheduled on the issue today": the words of "a hearing on the issue" do not stand together
WORDS = ("A", "hearing", "is", "scheduled", "on", "the", "issue", "today")
HEARING = DependencyTree(
    WORDS, (1, 3, 3, -1, 6, 6, 1, 3), ("det", "nsubj", "aux", "root", "case", "det", "nmod", "obl")
)


def test_the_parts_of_a_dependency_tree():
    assert HEARING.words == HEARING.forms == WORDS
    assert HEARING.roots == (3,)
    assert HEARING.children(3) == (1, 2, 7)
    assert HEARING.children(0) == ()
    assert list(HEARING.ancestors(4)) == [6, 1, 3]
    assert HEARING.yield_(1) == {0, 1, 4, 5, 6}
    assert HEARING.yield_(3) == frozenset(range(8))
    assert HEARING.top_down[0] == 3
    assert HEARING.tags == ("_",) * 8
    assert len(HEARING) == 8


def test_a_sentence_with_everything():
    lines = [
        "# sent_id = s-1",
        "# text = au bord",
        "#no value",
        "0.1\teux\t_\tPRON\t_\t_\t_\t_\t3:nsubj\t_",
        "1-2\tau\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No",
        "1\tà\tà\tADP\tP\t_\t3\tcase\t_\t_",
        "2\tle\tle\tDET\tD\tDefinite=Def|Gender=Masc\t3\tdet\t3:det\t_",
        "3\tbord\tbord\tNOUN\tN\t_\t0\troot\t0:root\tA=1|B=2",
        "3.1\tx\t_\t_\t_\t_\t_\t_\t_\t_",
        "3.2\ty\t_\t_\t_\t_\t_\t_\t_\t_",
    ]
    tree = DependencyTree.from_string("\n".join(lines))
    assert tree.to_string() == str(tree) == "\n".join(lines)
    assert tree.sent_id == "s-1"
    assert tree.comment("text") == "au bord"
    assert tree.comment("no value") is None
    assert (tree.lemmas, tree.tags, tree.xtags) == (("à", "le", "bord"), ("ADP", "DET", "NOUN"), ("P", "D", "N"))
    assert tree.feats[1] == "Definite=Def|Gender=Masc"
    assert (tree.deps[2], tree.misc[2]) == ("0:root", "A=1|B=2")
    rest = ("_", "_", "_", "Typo=Yes", "_", "_", "_", "SpaceAfter=No")
    assert tree.multiwords == (MultiwordToken(Span(0, 2), "au", rest),)
    assert [(node.after, node.index, node.columns[0]) for node in tree.empty_nodes] == [
        (0, 1, "eux"),
        (3, 1, "x"),
        (3, 2, "y"),
    ]
    with pytest.raises(ParameterError, match="neither multiword tokens nor empty nodes"):
        tree.to_string("conllx")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((("a",), (-1, 0), ("x",)), "2 heads for 1 words"),
        ((("a",), (-1,), ()), "0 relations for 1 words"),
        ((("a",), (1,), ("x",)), "from 0 to 0, or -1"),
        ((("a", "b", "c"), (-1, 2, 1), ("x",) * 3), "the heads of 2 words form a cycle, one of them 'b'"),
        ((("a",), (0,), ("x",)), "the heads of 1 words form a cycle"),
    ],
)
def test_what_is_no_tree_cannot_be_made(arguments: tuple[tuple[str, ...], ...], message: str):
    with pytest.raises(ParameterError, match=message):
        DependencyTree(*arguments)


def test_what_cannot_be_written():
    with pytest.raises(ParameterError, match="a tab or the end of a line"):
        DependencyTree(("a\tb",), (-1,), ("root",)).to_string()
    with pytest.raises(ParameterError, match="a tab or the end of a line"):
        DependencyTree(("a",), (-1,), ("ro\not",)).to_string()
    with pytest.raises(ParameterError, match="begins with #"):
        DependencyTree(("a",), (-1,), ("root",), comments=("text = a",))
    with pytest.raises(ParameterError, match=r"unknown notation 'ptb'; valid: conllu, conllx"):
        HEARING.to_string("ptb")


GO = "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_"


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("", "empty", 1),
        ("# text = a", "empty", 1),
        (f"\n{GO}\n\n{GO}", "blank", 3),
        (f"# c\n{GO}\t_", "columns", 2),
        (GO.replace("\t0\t", "\t2\t"), "head_range", 1),
        (GO.replace("\t0\t", "\t_\t"), "head", 1),
        (GO.replace("\t0\t", "\t1\t"), "no_root", 1),
        (f"{GO}\n{GO}", "duplicate_id", 2),
        (f"{GO}\n3{GO[1:]}", "ids", 2),
    ],
)
def test_text_that_is_no_sentence_says_where(text: str, kind: str, line: int):
    with pytest.raises(InputError) as error:
        DependencyTree.from_string(text)
    assert (error.value.problem.kind, error.value.problem.line) == (kind, line)
    with pytest.raises(InputError, match="conllu or conllx"):
        DependencyTree.from_string(GO, "ptb")


@given(randoms)
def test_yields(random: Random):
    tree = random_dependencies(random)
    for word in range(len(tree)):
        assert tree.yield_(word) == slow_yield(tree, word)


@given(st.lists(st.none() | randoms, max_size=5), st.integers(0, 8))
def test_columns_and_back(sources: list[Random | None], count: int):
    trees = [random and random_dependencies(random) for random in sources]
    corpus = Dependencies.from_trees(trees)
    nothing = DependencyTree((), (), ())
    assert len(corpus) == corpus.n_filled == len(trees)
    assert [corpus.tree(i) for i in range(len(trees))] == [tree or nothing for tree in trees]
    assert corpus.n_words.tolist() == [len(tree) if tree else 0 for tree in trees]
    for i, tree in enumerate(trees):
        words = slice(int(corpus.offsets[i]), int(corpus.offsets[i + 1]))
        assert corpus.source(i) == (tree.to_string() if tree else "")
        assert tuple(corpus.head[words].tolist()) == (tree.heads if tree else ())
        names = [corpus.vocabulary.labels[number] for number in corpus.relation[words].tolist()]
        assert tuple(names) == (tree.relations if tree else ())
        forms = [corpus.vocabulary.words[number] for number in corpus.form[words].tolist()]
        assert tuple(forms) == (tree.forms if tree else ())
    resized = corpus.resized(count)
    assert len(resized) == count
    assert resized.n_filled == min(count, len(trees))
    assert [resized.tree(i) for i in range(count)] == [
        (trees[i] if i < len(trees) else None) or nothing for i in range(count)
    ]
