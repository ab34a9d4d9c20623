"""Figures of the parsers under one metric, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.theme import AXIS, FONT_SIZE, INK, LABEL_LIMIT, finish, parser_scale, parser_styles
from evaltools.metrics import METRICS

__all__ = ["between", "intervals_chart", "shown"]

_ROW = 30.0


def shown(value: float | None, *, share: bool) -> str:
    """Write a figure as the page does: a percentage with two decimals; a number with two; a dash where undefined."""
    return "–" if value is None or value != value else f"{value * (100 if share else 1):.2f}"


def between(low: float, high: float) -> str:
    """Write an interval of numbers as they are shown; a dash where there is none.

    Examples
    --------
    >>> between(81.5, 84.25), between(float("nan"), float("nan"))
    ('81.50 to 84.25', '–')
    """
    return "–" if low != low else f"{low:.2f} to {high:.2f}"


def intervals_chart(rows: pd.DataFrame, metric: str, *, parsers: Sequence[str], figure: str = "pooled") -> Any:
    """Draw each parser's figure as a point on its interval.

    The order is that of the figures over the sentences that all parsers have, where `rows` say so. Numbers of sentences
    stand beside the figures where they are not the same for all.

    Parameters
    ----------
    rows : DataFrame
        From :func:`evaltools.analysis.leaderboard`.
    metric : str
        A metric id.
    parsers : sequence of str
        All parsers of the run, which fix the colours.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        Which figure.

    Returns
    -------
    altair.LayerChart
    """
    one, styles = METRICS[metric], parser_styles(parsers)
    unit = 100.0 if one.is_share else 1.0
    rows = rows[(rows["metric"] == metric) & rows[figure].notna()]
    sizes = rows[f"n_{figure}"] if f"n_{figure}" in rows else pd.Series(0, index=rows.index)
    remarks = [f" (n {n:,})" if sizes.nunique() > 1 else "" for n in sizes]
    data = pd.DataFrame(
        {
            "parser": rows["parser"],
            "value": rows[figure] * unit,
            "low": rows[f"{figure}_low"] * unit,
            "high": rows[f"{figure}_high"] * unit,
            "text": [
                shown(value, share=one.is_share) + remark for value, remark in zip(rows[figure], remarks, strict=True)
            ],
            "place": rows[f"{figure}_common"] if f"{figure}_common" in rows else rows[figure],
        }
    ).sort_values("place", ascending=not one.higher_is_better, kind="stable")
    data["interval"] = [between(low, high) for low, high in zip(data["low"], data["high"], strict=True)]
    data["end"] = data["high"].fillna(data["value"])
    order = list(data["parser"])
    title = f"{one.title}, {'%' if one.is_share else 'a sentence'}"
    x = alt.X("value:Q", title=title, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=6))
    y = alt.Y(
        "parser:N",
        sort=order,
        title=None,
        axis=alt.Axis(labelLimit=LABEL_LIMIT, labelOpacity=1, grid=True, gridDash=[1, 3]),
    )
    colour = alt.Color("parser:N", scale=parser_scale(styles, "colour"), legend=None)
    base = alt.Chart(data)
    bars = base.mark_rule(strokeWidth=5, strokeCap="round", opacity=0.4).encode(
        x=alt.X("low:Q", title=title), x2="high:Q", y=y, color=colour
    )
    points = base.mark_point(filled=True, size=95, opacity=1).encode(
        x=x,
        y=y,
        color=colour,
        shape=alt.Shape("parser:N", scale=parser_scale(styles, "shape"), legend=None),
        tooltip=[
            alt.Tooltip("parser:N", title="parser"),
            alt.Tooltip("text:N", title=one.title),
            alt.Tooltip("interval:N", title="95 % interval"),
        ],
    )
    labels = base.mark_text(align="left", dx=8, fontSize=FONT_SIZE, color=INK).encode(
        x=alt.X("end:Q", title=title), y=y, text="text:N"
    )
    return finish([bars, points, labels], _ROW * max(1, len(order)) + AXIS)
