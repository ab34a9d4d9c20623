"""Figures of the parsers under one metric, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.theme import AXIS, FONT_SIZE, INK, finish, parser_styles, row_names, series, tooltip
from evaltools.frameworks.registry import METRICS
from evaltools.text import interval_text

_ROW = 30.0


def interval_texts(data: pd.DataFrame, places: int = 2, *, signed: bool = False) -> list[str]:
    """Return the intervals of the columns `low` and `high` as texts."""
    return [interval_text(*ends, places, signed=signed) for ends in zip(data["low"], data["high"], strict=True)]


def intervals_chart(rows: pd.DataFrame, metric: str, *, parsers: Sequence[str], figure: str = "pooled") -> Any:
    """Draw each parser's figure as a point on its interval.

    Numbers of sentences stand beside the figures if they are not the same for all.

    Parameters
    ----------
    rows : DataFrame
        From :func:`evaltools.analysis.leaderboard`.
    metric : str
        A metric id.
    parsers : sequence of str
        All parsers of the run, which fix the colors.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        Which figure.

    Returns
    -------
    altair.LayerChart
    """
    item, look = METRICS[metric], series("parser", parser_styles(parsers))
    unit = 100.0 if item.is_share else 1.0
    rows = rows[(rows["metric"] == metric) & rows[figure].notna()]
    sizes = rows[f"n_{figure}"] if f"n_{figure}" in rows else pd.Series(0, index=rows.index)
    remarks = [f" (n {n:,})" if sizes.nunique() > 1 else "" for n in sizes]
    data = pd.DataFrame(
        {
            "parser": rows["parser"],
            "value": rows[figure] * unit,
            "low": rows[f"{figure}_low"] * unit,
            "high": rows[f"{figure}_high"] * unit,
            "text": [item.text(value) + remark for value, remark in zip(rows[figure], remarks, strict=True)],
        }
    ).sort_values("value", ascending=not item.higher_is_better, kind="stable")
    data["interval"] = interval_texts(data)
    data["end"] = data["high"].fillna(data["value"])
    x = alt.X("value:Q", title=item.title_with_unit, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=6))
    y = row_names("parser", list(data["parser"]), dotted=True)
    base = alt.Chart(data)
    bars = base.mark_rule(strokeWidth=5, strokeCap="round", opacity=0.4).encode(
        x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=y, color=look.color
    )
    points = base.mark_point(filled=True, size=95, opacity=1).encode(
        x=x,
        y=y,
        color=look.color,
        shape=look.shape,
        tooltip=tooltip({"parser:N": "parser", "text:N": item.title, "interval:N": "95 % interval"}),
    )
    labels = base.mark_text(align="left", dx=8, fontSize=FONT_SIZE, color=INK).encode(
        x=alt.X("end:Q"), y=y, text=alt.Text("text:N")
    )
    return finish([bars, points, labels], _ROW * max(1, len(data)) + AXIS)
