"""Score against sentence length: one line per parser, with intervals and numbers of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.intervals import interval_texts
from evaltools.charts.theme import AXIS, end_labels, finish, padded, parser_styles, series, tooltip
from evaltools.frameworks.registry import METRICS
from evaltools.text import decimals

_AXIS = AXIS + 16.0


def length_chart(
    rows: pd.DataFrame,
    metric: str,
    *,
    parsers: Sequence[str],
    figure: str = "pooled",
    height: float = 360.0,
) -> Any:
    """Draw the parsers' figures by sentence length.

    Parameters
    ----------
    rows : DataFrame
        From :func:`evaltools.analysis.score_by_length`.
    metric : str
        A metric id.
    parsers : sequence of str
        All parsers of the run, which fix the colors.
    figure : {"pooled", "mean"}
        Which figure.
    height : float
        Pixels.

    Returns
    -------
    altair.LayerChart
    """
    item, look = METRICS[metric], series("parser", parser_styles(parsers))
    unit = 100.0 if item.is_share else 1.0
    defined = rows[rows[figure].notna()]
    sentences = rows.groupby("bin")["sentences"].max()
    names = rows.drop_duplicates("bin").set_index("bin")["length"]
    axis_names = {at: f"{names[at]}|{sentences[at]:,}" for at in names.index}
    data = pd.DataFrame(
        {
            "parser": defined["parser"],
            "bin": defined["bin"].map(axis_names),
            "value": defined[figure] * unit,
            "low": defined[f"{figure}_low"] * unit,
            "high": defined[f"{figure}_high"] * unit,
            "at": defined["bin"],
            "words": defined["length"],
            "sentences": [f"{n:,} of {total:,}" for n, total in zip(defined["n"], defined["sentences"], strict=True)],
        }
    )
    data["text"] = [decimals(value) for value in data["value"]]
    data["interval"] = interval_texts(data)
    x = alt.X(
        "bin:N",
        title="words of the gold sentence, and number of sentences",
        scale=alt.Scale(type="point", domain=list(axis_names.values()), padding=0.3),
        axis=alt.Axis(labelAngle=0, labelExpr="split(datum.label, '|')", grid=False, labelOverlap=False),
    )
    bottom, top = padded(data["low"].fillna(data["value"]), data["high"].fillna(data["value"]), 0.04)
    scale = alt.Scale(domain=[bottom, top], nice=False, zero=False)
    y = alt.Y("value:Q", scale=scale, title=item.title_with_unit, axis=alt.Axis(tickCount=6))
    base = alt.Chart(data)
    bands = base.mark_area(opacity=0.13, clip=True).encode(
        x=x, y=alt.Y("low:Q", scale=scale), y2=alt.Y2("high:Q"), color=look.color
    )
    lines = base.mark_line(strokeWidth=2, clip=True).encode(x=x, y=y, color=look.color, strokeDash=look.dash)
    titles = {
        "parser:N": "parser",
        "words:N": "words",
        "text:N": item.title,
        "interval:N": "95 % interval",
        "sentences:N": "parsed sentences",
    }
    points = base.mark_point(filled=True, size=60, opacity=1, clip=True).encode(
        x=x, y=y, color=look.color, shape=look.shape, tooltip=tooltip(titles)
    )
    labels = end_labels(data, x, (bottom, top), height - _AXIS, name="parser", order="at", dx=12)
    return finish([bands, lines, points, labels], height)
