"""Files that are chosen to be scored and hold something else."""

from __future__ import annotations

import pytest

from evaltools.ui.checking import check

DEPENDENCIES = b"1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("stored", "found"),
    [
        (b"(root (sbj it) (hd rains))\n", "function trees (function trees)"),
        (b"(S (VP (V 0=is) (A 2=rich)) (N 1=John))\n", "discontinuous constituents"),
    ],
)
def test_what_cannot_be_scored_is_said(stored: bytes, found: str):
    checked = check("gold", stored)
    assert checked.fatal
    (problem,) = checked.problems
    assert problem.found == found
    assert problem.file == "gold"


def test_dependency_trees_can_be():
    checked = check("gold", DEPENDENCIES)
    assert (checked.kind, checked.trees, checked.problems) == ("dependency", 1, ())


def test_continuous_trees_of_any_format_can_be():
    for stored in (b"(S (N 0=John) (V 1=is))\n", b"#BOS 1\nJohn\tN\t--\t--\t0\n#EOS 1\n"):
        checked = check("gold", stored)
        assert not checked.fatal
        assert checked.problems == ()
        assert checked.trees == 1
