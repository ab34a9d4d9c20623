"""What classes of sentences carry of a difference: a point on its interval for each."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.intervals import between
from evaltools.charts.theme import AXIS, INK, LABEL_LIMIT, SOFT, finish, specification

__all__ = ["contributions_chart"]

_MOST = 15
_ROW = 22.0
_COLOUR = "#56B4E9"


def contributions_chart(rows: pd.DataFrame, whole: float, *, share: bool) -> dict[str, Any]:
    """Draw what classes carry of a difference, beside what they would carry if all sentences were alike.

    Parameters
    ----------
    rows : DataFrame
        Of one family, from :func:`evaltools.analysis.difference_classes.difference_by_class`; the first ones are drawn.
    whole : float
        The difference.
    share : bool
        Whether the metric is a share of 1, shown in percentage points.

    Returns
    -------
    dict
        Vega-Lite.
    """
    unit = 100 if share else 1
    rows = rows.head(_MOST)
    data = pd.DataFrame(
        {
            "name": rows["name"],
            "sentences": rows["sentences"],
            "carries": unit * rows["contribution"],
            "low": unit * rows["low"],
            "high": unit * rows["high"],
            "even": unit * rows["weight"] * whole,
        }
    )
    data["interval"] = [between(low, high) for low, high in zip(data["low"], data["high"], strict=True)]
    title = f"carries of the difference, {'percentage points' if share else 'a sentence'}"
    y = alt.Y("name:N", sort=list(data["name"]), title=None, axis=alt.Axis(labelLimit=LABEL_LIMIT, labelOpacity=1))
    zero = (
        alt.Chart(pd.DataFrame({"x": [0.0]}))
        .mark_rule(color=INK, opacity=SOFT, strokeDash=[3, 3])
        .encode(x=alt.X("x:Q", title=title))
    )
    base = alt.Chart(data)
    bars = base.mark_rule(strokeWidth=3, opacity=0.6, color=_COLOUR).encode(
        x=alt.X("low:Q", title=title, axis=alt.Axis(tickCount=6)), x2="high:Q", y=y
    )
    even = base.mark_tick(color=INK, opacity=SOFT, thickness=2, size=13).encode(x=alt.X("even:Q", title=title), y=y)
    points = base.mark_point(filled=True, size=60, opacity=1, color=_COLOUR).encode(
        x=alt.X("carries:Q", title=title),
        y=y,
        tooltip=[
            alt.Tooltip("name:N", title="class"),
            alt.Tooltip("sentences:Q", title="sentences", format=","),
            alt.Tooltip("carries:Q", title="carries", format="+.2f"),
            alt.Tooltip("interval:N", title="95 % interval"),
            alt.Tooltip("even:Q", title="by its counts", format="+.2f"),
        ],
    )
    return specification(finish([zero, bars, even, points], _ROW * max(len(data), 1) + AXIS))
