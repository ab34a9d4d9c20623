"""NEGRA export and discbracket: discontinuous constituents in files."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from evaltools import FORMATS, InputError, ParameterError, Tree, Treebank, read_treebank, score
from tests.slow.discontinuous import random_discontinuous
from tests.slow.trees import Nested, forests, randoms, text_of

TREE = Tree.from_string("(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John)) (? 3=?)", "discbracket")


def read(text: str, format_name: str | None = None) -> Treebank:
    treebank = read_treebank(io.BytesIO(text.encode()), format_name)
    assert isinstance(treebank, Treebank)
    return treebank


def trees(treebank: Treebank) -> list[Tree]:
    return [treebank.tree(i) for i in range(len(treebank))]


# ---------------------------------------------------------------------------------------------------------- round trips


@given(st.lists(st.none() | randoms, min_size=1, max_size=4))
def test_what_is_written_is_read_again(sources: list[Random | None]):
    corpus = [random and random_discontinuous(random, functions=True)[0] for random in sources]
    nothing = Tree((), (), (), (), ())
    again = read(FORMATS["export"].write(corpus), "export")
    assert trees(again) == [tree or nothing for tree in corpus]
    assert again.problems == []
    treebank = read(FORMATS["discbracket"].write(corpus), "discbracket")
    assert [tree.to_string("discbracket") for tree in trees(treebank)] == [
        tree.to_string("discbracket") if tree else "" for tree in corpus
    ]
    assert [tree.words for tree in trees(treebank)] == [tree.words if tree else () for tree in corpus]
    for i, tree in enumerate(corpus):
        if tree is not None:
            assert Tree.from_string(treebank.source(i), treebank.notation) == treebank.tree(i)
            assert Tree.from_string(again.source(i), again.notation) == treebank.tree(i)


@given(st.lists(forests(), min_size=1, max_size=4))
def test_continuous_trees_go_through_both(corpus: list[list[Nested]]):
    made = [Tree.from_string(text_of(forest)) for forest in corpus]
    for name in ("export", "discbracket"):
        treebank = read(FORMATS[name].write(made), name)
        assert trees(treebank) == made
        assert treebank.position is None


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("(S (NP) (N a))", "sentence 2: NEGRA export cannot hold a bracket without words"),
        ("(S (N #500))", "cannot hold the word '#500', which means something else in it"),
        ("(S (N %%))", "cannot hold the word '%%'"),
        ("(S (N #EOS))", "cannot hold the word '#EOS'"),
        ("(S (-- a))", "cannot hold the tag '--'"),
        ("(-- (N a))", "cannot hold the label '--'"),
        ("(S (N a\x0bb))", None),
    ],
)
def test_what_cannot_be_written(tree: str, message: str | None):
    made = Tree.from_string(tree)
    if message is None:
        assert FORMATS["export"].write([made])
        return
    with pytest.raises(ParameterError, match=message):
        FORMATS["export"].write([None, made])


def test_discbracket_cannot_hold_empty_brackets():
    with pytest.raises(ParameterError, match="sentence 1: discbracket cannot hold a bracket without words"):
        FORMATS["discbracket"].write([Tree.from_string("(S (NP) (N a))")])


# ----------------------------------------------------------------------------------------------------------------- runs


@pytest.mark.parametrize("name", ["export", "tigerxml", "discbracket"])
def test_runs_hold_trees_of_any_format_and_those_that_follow_evalb_continuous_ones_alone(tmp_path: Path, name: str):
    plain = Tree.from_string("(S (NP (N a)) (VP (V b)))")
    (tmp_path / "plain").write_text(FORMATS[name].write([plain, plain]))
    (tmp_path / "odd").write_text(FORMATS[name].write([plain, TREE]))
    run = score(tmp_path / "plain", {"same": tmp_path / "plain"}, preset="collins")
    assert run.sentences("same")["f1"].tolist() == [1, 1]
    assert run.tree(1) == plain
    run = score(tmp_path / "odd", {"same": tmp_path / "odd"}, preset="none")
    assert run.sentences("same")["f1"].tolist() == [1, 1]
    assert run.tree(2).words == TREE.words
    assert not run.tree(2).is_continuous
    for gold, test in (("odd", "plain"), ("plain", "odd")):
        with pytest.raises(InputError, match=r"odd:\d+: discontinuous constituents; expected continuous ones: evalb"):
            score(tmp_path / gold, {"it": tmp_path / test}, preset="collins")
