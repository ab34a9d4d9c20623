"""Groups of words, or of triples, against the rest: a point on its interval for each."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.theme import AXIS, INK, LABEL_LIMIT, SOFT, finish, specification

__all__ = ["differences_chart"]

_ROW = 20.0
_MOST = 15
_WORSE, _BETTER = "#E69F00", "#56B4E9"


def differences_chart(
    rows: pd.DataFrame, most: int = _MOST, *, score: str = "mean LA", things: str = "words", percent: bool = False
) -> dict[str, Any]:
    """Draw how far groups are from the rest.

    Parameters
    ----------
    rows : DataFrame
        From :func:`evaltools.analysis.hotspots.hotspots`, the group in the column ``group``.
    most : int
        At most so many of its first rows.
    score : str
        What the figures are.
    things : str
        What groups are made of.
    percent : bool
        Whether figures are written as percentages.

    Returns
    -------
    dict
        Vega-Lite.
    """
    data = rows.head(most)[["group", "count", "mean", "difference", "low", "high"]].dropna(subset=["difference"])
    data = data.assign(side=(data["difference"] < 0).map({True: "worse", False: "better"}))
    decimals, unit, wide = ("2", ", percentage points", ".3~g") if percent else ("3", "", ".2f")
    figures = ["mean", "difference", "low", "high"]
    data[figures] = data[figures] * (100 if percent else 1)
    spans = zip(data["low"], data["high"], strict=True)
    data["says"] = [f"{low:+.{decimals}f} to {high:+.{decimals}f}" for low, high in spans]
    title = f"{score} of the group minus {score} of all other {things}{unit}"
    y = alt.Y(
        "group:N", sort=list(data["group"]), title=None, axis=alt.Axis(labelLimit=LABEL_LIMIT * 2, labelOpacity=1)
    )
    sides = ["worse", "better"]
    colour = alt.Color("side:N", scale=alt.Scale(domain=sides, range=[_WORSE, _BETTER]), legend=None)
    zero = (
        alt.Chart(pd.DataFrame({"x": [0.0]}))
        .mark_rule(color=INK, opacity=SOFT, strokeDash=[3, 3])
        .encode(x=alt.X("x:Q", title=title))
    )
    base = alt.Chart(data)
    bars = base.mark_rule(strokeWidth=3, opacity=0.6).encode(
        x=alt.X("low:Q", title=title, axis=alt.Axis(tickCount=6, format=wide)), x2="high:Q", y=y, color=colour
    )
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=alt.X("difference:Q", title=title),
        y=y,
        color=colour,
        shape=alt.Shape("side:N", scale=alt.Scale(domain=sides, range=["circle", "square"]), legend=None),
        tooltip=[
            alt.Tooltip("group:N", title="group"),
            alt.Tooltip("count:Q", title=things),
            alt.Tooltip("mean:Q", title=score, format=f".{decimals}f"),
            alt.Tooltip("difference:Q", title="difference", format=f"+.{decimals}f"),
            alt.Tooltip("says:N", title="95 % interval"),
        ],
    )
    drawn = finish([zero, bars, points], _ROW * max(len(data), 1) + AXIS)
    return specification(drawn)
