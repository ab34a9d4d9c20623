"""TIGER-XML."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from hypothesis import given

from evaltools import ParameterError, Tree, Treebank, read_treebank
from evaltools.corpus import Kind
from evaltools.formats import FORMATS
from tests.slow.discontinuous import random_discontinuous
from tests.slow.trees import randoms

WRITE = FORMATS["tigerxml"].write


def read(text: str) -> Treebank:
    return read_treebank(BytesIO(text.encode()), "tigerxml")


@given(randoms)
def test_what_is_written_is_read_again(random: Random):
    trees = [random_discontinuous(random, functions=True)[0] for _ in range(3)]
    trees = [
        Tree(item.labels, item.parents, item.starts, item.ends, item.kinds, item.positions, _below(item))
        for item in trees
    ]
    treebank = read(WRITE([*trees[:2], None, trees[2]]))
    assert treebank.problems == []
    assert [treebank.tree(index) for index in (0, 1, 3)] == trees
    assert not len(treebank.tree(2))


def _below(tree: Tree) -> tuple[str, ...] | None:
    """Return the functions without those of roots."""
    if tree.functions is None:
        return None
    return tuple("" if up < 0 else name for name, up in zip(tree.functions, tree.parents, strict=True))


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (Tree(("a\x00", "N"), (1, -1), (0, 0), (1, 1), (Kind.WORD, Kind.PRETERMINAL)), "the character"),
        (Tree(("a", "--"), (1, -1), (0, 0), (1, 1), (Kind.WORD, Kind.PRETERMINAL)), "the tag '--'"),
        (Tree(("a", "N"), (1, -1), (0, 0), (1, 1), (Kind.WORD, Kind.PRETERMINAL), None, ("", "HD")), "a root"),
        (Tree(("S",), (-1,), (0,), (0,), (Kind.PHRASE,)), ""),
    ],
)
def test_what_it_cannot_hold_is_refused(tree: Tree, reason: str):
    if not reason:
        assert "<t " not in WRITE([tree])
        return
    with pytest.raises(ParameterError, match=f"sentence 1: TIGER-XML cannot hold .*{reason}"):
        WRITE([tree])
