"""How often each metric says what a class says: a point for each metric, on its interval."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.intervals import between
from evaltools.charts.theme import AXIS, INK, LABEL_LIMIT, SOFT, finish, specification
from evaltools.metrics import METRICS

__all__ = ["agreement_chart"]

_ROW, _SIZE = 38.0, 15
_COLOURS = {"e": "#E69F00", "t": "#5A5AD2", "la": "#69A5A5"}
_FAMILIES = {"e": "brackets (E)", "t": "tree distance (T)", "la": "lineages (LA)"}


def agreement_chart(rows: pd.DataFrame) -> dict[str, Any]:
    """Draw the share of questions on which each metric agrees with the class.

    Parameters
    ----------
    rows : DataFrame
        ``metric``, ``questions``, ``agreed``, ``share``, ``low``, ``high``, ``votes`` and ``votes_agreed``; metrics
        without a question have no point.

    Returns
    -------
    dict
        Vega-Lite.
    """
    order = [METRICS[metric].title for metric in rows["metric"]]
    data = 100 * rows[["share", "low", "high"]]
    data["metric"] = order
    data["family"] = [_FAMILIES[METRICS[metric].family] for metric in rows["metric"]]
    data["text"] = [f"{agreed} of {asked}" for agreed, asked in zip(rows["agreed"], rows["questions"], strict=True)]
    data["votes"] = [f"{agreed} of {given}" for agreed, given in zip(rows["votes_agreed"], rows["votes"], strict=True)]
    data["interval"] = [between(low, high) for low, high in zip(data["low"], data["high"], strict=True)]
    title = "questions on which the metric says what the class says, %"
    scale = alt.Scale(domain=[-3, 112], nice=False)
    values = list(range(0, 101, 20))
    x = alt.X("share:Q", title=title, scale=scale, axis=alt.Axis(values=values))
    y = alt.Y(
        "metric:N",
        sort=order,
        scale=alt.Scale(domain=order),
        title=None,
        axis=alt.Axis(labelLimit=LABEL_LIMIT + 110, labelOpacity=1, grid=True, gridDash=[1, 3]),
    )
    families = [name for name in _FAMILIES.values() if name in set(data["family"])]
    colours = [_COLOURS[family] for family, name in _FAMILIES.items() if name in families]
    shapes = [
        {"e": "square", "t": "diamond", "la": "circle"}[one] for one, name in _FAMILIES.items() if name in families
    ]
    colour = alt.Color("family:N", scale=alt.Scale(domain=families, range=colours), legend=None)
    base = alt.Chart(data.dropna(subset=["share"]))
    bars = base.mark_rule(strokeWidth=5, strokeCap="round", opacity=0.5).encode(
        x=alt.X("low:Q", title=title, scale=scale), x2="high:Q", y=y, color=colour
    )
    points = base.mark_point(filled=True, size=110, opacity=1).encode(
        x=x,
        y=y,
        color=colour,
        shape=alt.Shape("family:N", scale=alt.Scale(domain=families, range=shapes), legend=None),
        tooltip=[
            alt.Tooltip("metric:N", title="metric"),
            alt.Tooltip("text:N", title="questions"),
            alt.Tooltip("interval:N", title="95 % interval"),
            alt.Tooltip("votes:N", title="single votes"),
        ],
    )
    labels = base.mark_text(align="left", dx=10, fontSize=_SIZE, color=INK, opacity=SOFT).encode(
        x=alt.X("high:Q", title=title, scale=scale), y=y, text="text:N"
    )
    chart = specification(finish([bars, points, labels], _ROW * max(1, len(order)) + AXIS))
    chart["config"]["axis"] |= {"labelFontSize": _SIZE, "titleFontSize": _SIZE}  # to be read from afar
    return chart
