"""The matrix of significance as Vega-Lite."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from evaltools.analysis.significance import Comparison
from evaltools.charts.intervals import contributions_chart
from evaltools.charts.significance import matrix_rows, significance_chart
from evaltools.frameworks.registry import METRICS
from evaltools.text import p_value
from tests.charts.test_charts import HOSTILE


def pair(parser_a: str, parser_b: str, difference: float, p: float, metric: str = "f1") -> Comparison:
    return Comparison(
        parser_a, parser_b, metric, "pooled", 0.5 + difference, 0.5, difference - 0.01, difference + 0.01, p, p, 9, 8
    )


def test_every_cell_has_its_mirror():
    found = [pair("a", "b", 0.1, 0.001), pair("a", "c", 0.2, 0.04), pair("b", "c", 0.1, 0.2)]
    rows = matrix_rows(found, ["a", "b", "c"], ("b", "a")).set_index(["row", "column"])
    assert len(rows) == 6
    assert rows.loc[("a", "b"), ["side", "text", "under"]].tolist() == ["ahead", "+10.00", "p 0.001"]
    assert rows.loc[("b", "a"), ["side", "text", "interval"]].tolist() == ["behind", "−10.00", "−11.00 to −9.00"]
    assert rows.loc[("b", "c"), "side"] == rows.loc[("c", "b"), "side"] == "unsure"
    assert rows.loc[("b", "c"), "strength"] == 0
    assert rows.loc[("a", "c"), "strength"] > rows.loc[("a", "b"), "strength"] > 0
    assert rows["chosen"].tolist() == [True, False, True, False, False, False]


def test_fewer_errors_are_ahead():
    rows = matrix_rows([pair("a", "b", -0.5, 0.01, "crossing")], ["a", "b"])
    assert rows["side"].tolist() == ["ahead", "behind"]
    assert rows["text"].tolist() == ["−0.50", "+0.50"]


def test_what_is_unknown_is_a_dash():
    nothing = pair("a", "b", float("nan"), float("nan"))
    rows = matrix_rows([nothing], ["a", "b"])
    assert rows[["side", "text", "under", "strength"]].to_numpy().tolist() == [["unsure", "–", "p –", 0.0]] * 2
    assert p_value(float("nan")) == "–"


@pytest.mark.parametrize("parsers", [("a", "b"), HOSTILE, tuple(f"parser {at}" for at in range(14))], ids=len)
def test_it_is_valid_transparent_and_of_no_fetched_data(parsers: tuple[str, ...]):
    found = [pair(*two, difference=0.01 * at, p=0.01 * at) for at, two in enumerate(combinations(parsers, 2))]
    spec = significance_chart(matrix_rows(found, parsers), parsers)
    assert spec["background"] == "transparent"
    text = json.dumps({key: value for key, value in spec.items() if key != "$schema"})
    assert "http" not in text
    (click,) = spec["params"]
    assert click["name"] == "cell"
    assert click["select"]["fields"] == ["row", "column"]


def test_contributions_stand_beside_what_is_even():
    rows = pd.DataFrame(
        {
            "name": ["$x$", "b"],
            "sentences": [3, 4],
            "contribution": [0.01, 0.03],
            "low": [0.0, np.nan],
            "high": [0.02, np.nan],
            "weight": [0.25, 0.75],
        }
    )
    spec = contributions_chart(rows, 0.04, METRICS["f1"])
    data = next(rows for rows in spec["datasets"].values() if len(rows) == 2)
    assert [row["contribution"] for row in data] == pytest.approx([1, 3])
    assert [row["even"] for row in data] == pytest.approx([1, 3])
    assert [row["interval"] for row in data] == ["0.00 to 2.00", "–"]
