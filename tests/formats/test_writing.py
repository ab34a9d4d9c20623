"""Writing treebanks to files."""

from __future__ import annotations

from pathlib import Path

import pytest

import evaltools
from evaltools import InputError, ParameterError, Tree

TREES = [Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"), None, Tree.from_string("(S (X é))")]


@pytest.mark.parametrize("name", ["out.ptb", "out.ptb.gz", "out.ptb.zst"])
def test_what_is_written_is_read_again(tmp_path: Path, name: str):
    evaltools.write_treebank(TREES, tmp_path / name)
    treebank = evaltools.read_treebank(tmp_path / name)
    assert [str(treebank.tree(i)) for i in range(3)] == [str(tree or "") for tree in TREES]
    assert treebank.problems == []


def test_errors(tmp_path: Path):
    with pytest.raises(ParameterError, match="unknown format 'x'"):
        evaltools.write_treebank(TREES, tmp_path / "out", "x")
    with pytest.raises(InputError, match="No such file or directory; expected a file that can be written"):
        evaltools.write_treebank(TREES, tmp_path / "nowhere" / "out")
