"""Agreement of each metric with a class: a point for each metric, on its interval."""

from __future__ import annotations

from itertools import cycle
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
from evaltools.frameworks.registry import METRICS

_ROW, _SIZE = 30.0, 15
_STYLES = (
    Style("#E69F00", "square"),
    Style("#5A5AD2", "diamond"),
    Style("#69A5A5", "circle"),
    Style("#CC79A7", "triangle-up"),
)
"""Styles of the families of metrics, in the order of the rows."""


def agreement_chart(rows: pd.DataFrame) -> dict[str, Any]:
    """Draw the share of questions on which each metric agrees with the class."""
    order = [METRICS[metric].title for metric in rows["metric"]]
    data = 100 * rows[["share", "low", "high"]]
    data["metric"] = order
    data["family"] = [METRICS[metric].approach for metric in rows["metric"]]
    data["text"] = [f"{agreed} of {asked}" for agreed, asked in zip(rows["agreed"], rows["questions"], strict=True)]
    data["votes"] = [f"{agreed} of {given}" for agreed, given in zip(rows["votes_agreed"], rows["votes"], strict=True)]
    data["interval"] = interval_texts(data)
    title = "questions on which metric and class agree, %"
    x = alt.X("share:Q", title=title, scale=alt.Scale(domain=[-3, 112], nice=False))
    y = row_names("metric", order, limit=LABEL_LIMIT + 110, dotted=True).scale(domain=order)
    look = series("family", dict(zip(dict.fromkeys(data["family"]), cycle(_STYLES), strict=False)))
    base = alt.Chart(data.dropna(subset=["share"]))
    bars = base.mark_rule(strokeWidth=5, strokeCap="round", opacity=0.5).encode(
        x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=y, color=look.color
    )
    points = base.mark_point(filled=True, size=110, opacity=1).encode(
        x=x.axis(values=list(range(0, 101, 20))),
        y=y,
        color=look.color,
        shape=look.shape,
        tooltip=tooltip(
            {"metric:N": "metric", "text:N": "questions", "interval:N": "95 % interval", "votes:N": "single votes"}
        ),
    )
    labels = base.mark_text(align="left", dx=10, fontSize=_SIZE, color=INK, opacity=SOFT).encode(
        x=alt.X("high:Q"), y=y, text=alt.Text("text:N")
    )
    chart = specification(finish([bars, points, labels], _ROW * max(1, len(order)) + AXIS))
    chart["config"]["axis"] |= {"labelFontSize": _SIZE, "titleFontSize": _SIZE}  # to be read from afar
    return chart
