"""Differences as points on intervals: groups of words or triples against the rest, contributions of classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.intervals import interval_texts
from evaltools.charts.theme import (
    AXIS,
    INK,
    LABEL_LIMIT,
    SOFT,
    Style,
    finish,
    row_names,
    series,
    specification,
    tooltip,
)
from evaltools.frameworks.metric import Metric

_MAX_ROWS = 15
_WORSE, _BETTER = "#E69F00", "#56B4E9"


def differences_chart(
    rows: pd.DataFrame, most: int = _MAX_ROWS, *, score: str = "mean LA", things: str = "words"
) -> dict[str, Any]:
    """Draw how far groups are from the rest."""
    data = rows.head(most)[["group", "count", "mean", "difference", "low", "high"]].dropna(subset=["difference"])
    data = data.assign(side=(data["difference"] < 0).map({True: "worse", False: "better"}))
    figures = ["mean", "difference", "low", "high"]
    data[figures] = data[figures] * 100
    data["interval"] = interval_texts(data, signed=True)
    title = f"{score} of the group minus {score} of all other {things}, percentage points"
    y = row_names("group", list(data["group"]), limit=LABEL_LIMIT * 2)
    look = series("side", {"worse": Style(_WORSE, "circle"), "better": Style(_BETTER, "square")})
    base = alt.Chart(data)
    bars = base.mark_rule(strokeWidth=3, opacity=0.6).encode(
        x=alt.X("low:Q", axis=alt.Axis(tickCount=6, format=".3~g")), x2=alt.X2("high:Q"), y=y, color=look.color
    )
    titles = {
        "group:N": "group",
        "count:Q": things,
        "mean:Q": score,
        "difference:Q": "difference",
        "interval:N": "95 % interval",
    }
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=alt.X("difference:Q"),
        y=y,
        color=look.color,
        shape=look.shape,
        tooltip=tooltip(titles, {"mean:Q": ".2f", "difference:Q": "+.2f"}),
    )
    return _around_zero([bars, points], title, len(data), 20.0)


def contributions_chart(rows: pd.DataFrame, whole: float, metric: Metric) -> dict[str, Any]:
    """Draw the contributions of classes to a difference, beside those they would have if all sentences were alike."""
    unit = 100 if metric.is_share else 1
    rows = rows.head(_MAX_ROWS)
    data = rows[["name", "sentences"]].assign(
        contribution=unit * rows["contribution"],
        low=unit * rows["low"],
        high=unit * rows["high"],
        even=unit * rows["weight"] * whole,
    )
    data["interval"] = interval_texts(data)
    title = f"contribution to the difference, {'percentage points' if metric.is_share else metric.unit}"
    y = row_names("name", list(data["name"]))
    base = alt.Chart(data)
    bars = base.mark_rule(strokeWidth=3, opacity=0.6, color=_BETTER).encode(
        x=alt.X("low:Q", axis=alt.Axis(tickCount=6)), x2=alt.X2("high:Q"), y=y
    )
    even = base.mark_tick(color=INK, opacity=SOFT, thickness=2, size=13).encode(x=alt.X("even:Q"), y=y)
    titles = {
        "name:N": "class",
        "sentences:Q": "sentences",
        "contribution:Q": "contribution",
        "interval:N": "95 % interval",
        "even:Q": "by its counts",
    }
    points = base.mark_point(filled=True, size=60, opacity=1, color=_BETTER).encode(
        x=alt.X("contribution:Q"),
        y=y,
        tooltip=tooltip(titles, {"sentences:Q": ",", "contribution:Q": "+.2f", "even:Q": "+.2f"}),
    )
    return _around_zero([bars, even, points], title, len(data), 22.0)


def _around_zero(layers: Sequence[Any], title: str, n_rows: int, row: float) -> dict[str, Any]:
    """Return the chart of rows of some height, with a dashed line at 0."""
    zero = (
        alt.Chart(pd.DataFrame({"x": [0.0]}))
        .mark_rule(color=INK, opacity=SOFT, strokeDash=[3, 3])
        .encode(x=alt.X("x:Q", title=title))
    )
    return specification(finish([zero, *layers], row * max(n_rows, 1) + AXIS))
