"""The words of the gold sentences, kept beside their trees, are those of the trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import Tree, Treebank
from evaltools.formats import Source, read_treebank
from evaltools.frameworks.constituency.tables import trees_table, words_joined
from tests.slow.trees import forests, text_of


def texts(content: str, notation: str = "ptb") -> tuple[list[str | None], list[str | None]]:
    """Return the texts that the table has, and those of the trees one by one."""
    treebank = read_treebank(Source.from_bytes(content.encode("utf-8"), "gold"), notation)
    slow = [" ".join(tree.words) if len(tree := treebank.tree(i)) else None for i in range(len(treebank))]
    return trees_table(None, treebank, treebank)["text"].tolist(), slow


@given(st.lists(forests(), min_size=1, max_size=5))
def test_generated_trees(trees):
    fast, slow = texts("\n".join(map(text_of, trees)))
    assert fast == slow


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("( (S (NP (X a) b) c))", "ptb"),
        ("(())\n(S ( a b) (-LRB- -LRB-) ($ $) ([ ]))\n(())", "ptb"),
        ("(A (P this) (Q is\u00a0so))", "ptb"),
        ("(A\n(B é)\n (C \U0001f600)\n)", "ptb"),
        ("[S [N1 two [N1 tax revision ] bills ] (were) passed ]", "sampson"),
    ],
)
def test_odd_trees(text: str, notation: str):
    fast, slow = texts(text, notation)
    assert fast == slow


def test_words_of_a_discontinuous_tree_are_in_the_order_of_the_sentence():
    trees = ["(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John) (? 3=?))", "(S (NP 1=Ann) (VB 0=is))"]
    treebank = Treebank.from_trees([Tree.from_string(tree, "discbracket") for tree in trees])
    assert treebank.position is not None
    assert words_joined(treebank) == ["is John rich ?", "is Ann"]


def test_a_run_has_them_in_order_and_nothing_for_a_blank_gold_tree(tmp_path: Path):
    gold = tmp_path / "gold.ptb"
    gold.write_text("(S (A one) (B two))\n(())\n(S (A three))\n")
    run = evaltools.score(gold, {"it": gold}, out=tmp_path / "run")
    assert run.texts().to_dict("list") == {"sentence": [1, 2, 3], "text": ["one two", "", "three"]}
    assert run.query("select count(text) as n from trees where parser is not null")["n"].tolist() == [0]
