"""Two parsers row by row: both figures, and the interval of their difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.theme import (
    AXIS,
    FONT_SIZE,
    INK,
    LABEL_LIMIT,
    LEGEND,
    SOFT,
    finish,
    interval_texts,
    parser_styles,
    row_names,
    series,
    specification,
    tooltip,
)
from evaltools.text import decimals

_MAX_ROWS = 15
_ROW = 24.0
_ROOM = 1.9
"""The length of the axis, in those of the longest line."""
_GAP, _LETTER = 9, 6.2
"""Pixels from a point to its text, and of a letter there."""
_LARGE = 10
"""From which figure on differences are written without decimals."""


def dumbbells_chart(rows: pd.DataFrame, pair: tuple[str, str], *, parsers: Sequence[str], unit: str) -> dict[str, Any]:
    """Draw the figures of two parsers as points on a line, the rows with the largest differences.

    Parameters
    ----------
    rows : DataFrame
        ``group``, ``first``, ``second``, ``more``, ``low`` and ``high``.
    pair : tuple of str
        The two parsers.
    parsers : sequence of str
        All parsers of the run, which fix colors and shapes.
    unit : str
        What the figures count.

    Returns
    -------
    dict
        The specification of the chart.
    """
    largest = rows["more"].abs().sort_values(ascending=False, kind="stable").index[:_MAX_ROWS]
    data = rows.loc[sorted(largest), ["group", "first", "second", "more", "low", "high"]]
    data["end"] = data[["first", "second"]].max(axis=1)
    places = 0 if data["end"].max() >= _LARGE else 1
    intervals = interval_texts(data, places, signed=True)
    data["interval"] = intervals
    data["short"] = [decimals(more, places, signed=True) for more in data["more"].tolist()]
    data["text"] = [
        short if text == "–" else f"{short} ({text})" for short, text in zip(data["short"], intervals, strict=True)
    ]
    y = row_names("group", list(data["group"]), limit=LABEL_LIMIT)
    margin = _ROOM * max(float(data["end"].max()), 1.0) if len(data) else 1.0
    # right of the longest line there is room for the interval, too, unless the chart is narrow
    min_width = (_GAP + _LETTER * max(map(len, data["text"]), default=0)) * _ROOM / (_ROOM - 1)
    styles = parser_styles(parsers)
    x = alt.X("first:Q", title=unit, scale=alt.Scale(domainMax=margin), axis=alt.Axis(tickCount=4))
    lines = alt.Chart(data).mark_rule(strokeWidth=3, opacity=0.4, color=INK).encode(x=x, x2=alt.X2("second:Q"), y=y)
    points = data.melt(["group", "interval", "more"], ["first", "second"], "side", "value")
    points["parser"] = points["side"].map(dict(zip(("first", "second"), pair, strict=True)))
    look = series("parser", {parser: styles[parser] for parser in pair}, LEGEND)
    titles = {
        "group:N": "group",
        "parser:N": "parser",
        "value:Q": unit,
        "more:Q": "difference",
        "interval:N": "95 % interval",
    }
    marks = (
        alt.Chart(points)
        .mark_point(filled=True, size=70, opacity=1)
        .encode(x=alt.X("value:Q"), y=y, color=look.color, shape=look.shape, tooltip=tooltip(titles))
    )
    labels = (
        alt.Chart(data)
        .transform_calculate(label=f"width < {round(min_width)} ? datum.short : datum.text")
        .mark_text(align="left", dx=_GAP, fontSize=FONT_SIZE - 1, color=INK, opacity=SOFT)
        .encode(x=alt.X("end:Q"), y=y, text=alt.Text("label:N"))
    )
    return specification(finish([lines, marks, labels], _ROW * max(1, len(data)) + AXIS))
