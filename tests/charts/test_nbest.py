"""The chart of F1 against rank."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from evaltools.analysis.nbest import nbest
from evaltools.charts.lines import nbest_chart
from tests.analysis.test_nbest import ranks_of


def drawn(lists):
    found = nbest(ranks_of(lists), resamples=20)
    return nbest_chart(found.by_rank, found.oracle[found.oracle["metric"] == "edm"])


def rows_of(chart) -> pd.DataFrame:
    return pd.concat([pd.DataFrame(rows) for rows in chart["datasets"].values()], ignore_index=True)


def test_every_rank_has_a_point_on_every_line():
    chart = drawn([[(4, 4, 1), (4, 4, 2), (4, 4, 4)], [(4, 4, 3), (4, 4, 1)]])
    rows = rows_of(chart)
    assert set(rows["line"]) == {"EDM", "EDM_N", "EDM_NA", "EDM, best so far"}
    edm = rows[rows["line"] == "EDM"].drop_duplicates("rank").sort_values("rank")
    assert edm["value"].tolist() == [50, 37.5, 100]
    assert edm["n"].tolist() == [2, 2, 1]
    assert edm["interval"].tolist()[2] == "–"
    best = rows[rows["line"] == "EDM, best so far"].drop_duplicates("rank").sort_values("rank")
    assert best["value"].tolist() == [50, 62.5, 87.5]


def test_names_stand_at_the_ends_and_apart():
    labels = rows_of(drawn([[(4, 4, 2), (4, 4, 2)], [(4, 4, 3), (4, 4, 3)]])).dropna(subset=["label"])
    assert set(labels["rank"]) == {2}
    assert (np.diff(np.sort(labels["label"])) > 0).all()


def test_one_rank_and_no_chance_make_a_chart():
    for lists in ([[(4, 4, 2)]], [[(4, 4, 4)]], [[(4, 4, 0)]]):
        chart = drawn(lists)
        assert chart["width"] == "container"
        assert "http" not in json.dumps({key: value for key, value in chart.items() if key != "$schema"})
