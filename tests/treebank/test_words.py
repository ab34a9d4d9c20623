"""The words of a tree's text are those of the tree."""

from __future__ import annotations

import pytest
from hypothesis import given

from evaltools import Tree
from evaltools.treebank.words import words_of
from tests.slow.trees import forests, text_of


@given(forests())
def test_generated_trees(forest):
    text = text_of(forest)
    assert words_of(text, "ptb") == list(Tree.from_string(text).words)


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("( (S (NP (X a) b) c))", "ptb"),
        ("(S ( a b) (-LRB- -LRB-) ($ $) ([ ]))", "ptb"),
        ("(A (P this)) (B (Q is\u00a0so))", "ptb"),
        ("[S [N1 two [N1 tax revision ] bills ] (were) passed ]", "sampson"),
        ("(())", "ptb"),
        ("", "ptb"),
    ],
)
def test_odd_trees(text: str, notation: str):
    assert words_of(text, notation) == list(Tree.from_string(text, notation).words)
