"""Pairs of trees that are too large to be aligned."""

from __future__ import annotations

import io

import evaltools
from evaltools.kernels import tree_distance
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection


def test_a_pair_that_is_too_large_has_no_t_score_and_is_listed():
    width = int(tree_distance.MAX_CELLS**0.5)
    wide = "(S " + " ".join(f"(X a{i})" for i in range(width)) + ")\n(S (X a) (Y b))\n"
    other = "(S " + " ".join(f"(Y a{i})" for i in range(width)) + ")\n(S (X a) (X b))\n"
    run = evaltools.score(
        io.BytesIO(wide.encode()), {"p": io.BytesIO(other.encode()), "same": io.BytesIO(wide.encode())}
    )
    rows = run.sentences("p")
    assert rows["ted"].isna().tolist() == [True, False]
    assert rows["t_gold"].isna().tolist() == [True, False]
    assert rows["f1_pos"].notna().all()
    (problem,) = run.problems().itertuples()
    assert (problem.kind, problem.sentence) == ("too_large", 1)
    figures = run.summary().set_index(["parser", "metric"])
    assert figures.loc[("p", "ted"), "n"] == 1
    assert figures.loc[("p", "ted"), "pooled_all"] == rows["ted"][1]
    assert run.sentences("same")["ted"].tolist() == [1, 1]  # equal trees of any size are
    header, line, *_ = REPORTS["csv"](run, Selection("p", sentences=True)).splitlines()
    cells = dict(zip(header.split(","), line.split(","), strict=True))
    assert {value for name, value in cells.items() if name.startswith("t_")} == {""}
    assert run.alignment(1, "p").scores["ted"] is None
