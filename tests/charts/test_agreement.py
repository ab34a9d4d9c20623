"""The chart of agreement between metrics and a class."""

from __future__ import annotations

import pandas as pd
import vl_convert

from evaltools.charts.intervals import agreement_chart
from evaltools.classroom.votes import Tally
from evaltools.classroom.worse_parse import JUDGES, agreement, verdicts

VERDICTS = verdicts("(S (A a) (B (C b) (D c)))", "(S (A a) (C b) (D c))", "(Q (A a) (E (C b) (D c)))")


def values(chart: dict[str, object]) -> list[dict[str, object]]:
    return [row for data in chart["datasets"].values() for row in data]  # type: ignore[union-attr,attr-defined]


def test_every_metric_has_its_point_within_its_interval():
    rows = values(agreement_chart(pd.DataFrame(agreement([(Tally(4, 1, 0), VERDICTS), (Tally(0, 3, 1), VERDICTS)]))))
    assert {row["metric"] for row in rows} == {row["metric"] for row in rows if 0 <= row["low"] <= row["share"]}
    assert len(rows) == len(JUDGES)
    for row in rows:
        assert row["share"] <= row["high"] <= 100
        assert str(row["text"]).endswith("of 2")


def test_every_family_of_metrics_has_its_own_mark_and_is_drawn():
    chart = agreement_chart(pd.DataFrame(agreement([(Tally(4, 1, 0), VERDICTS)])))
    points = next(layer for layer in chart["layer"] if layer["mark"]["type"] == "point")
    families = {row["family"] for row in values(chart)}
    for channel in ("color", "shape"):
        scale = points["encoding"][channel]["scale"]
        assert families == set(scale["domain"])
        assert len(set(scale["range"])) == len(families)


def test_without_questions_it_is_empty_and_still_drawn():
    chart = agreement_chart(pd.DataFrame(agreement([])))
    assert values(chart) == [] or all(row["share"] is None for row in values(chart))
    assert "<svg" in vl_convert.vegalite_to_svg(chart)
