"""Score against sentence length: a line a parser, with intervals and numbers of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.intervals import between
from evaltools.charts.theme import AXIS, FONT_SIZE, INK, LABEL_LIMIT, finish, parser_scale, parser_styles, spread
from evaltools.metrics import METRICS

__all__ = ["length_chart"]

_AXIS = AXIS + 16.0
_LABEL = 15.0
"""Pixels from name to name."""


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
        All parsers of the run, which fix the colours.
    figure : {"pooled", "mean"}
        Which figure.
    height : float
        Pixels.

    Returns
    -------
    altair.LayerChart
    """
    one, styles = METRICS[metric], parser_styles(parsers)
    unit = 100.0 if one.is_share else 1.0
    known = rows[rows[figure].notna()]
    sentences = rows.groupby("bin")["sentences"].max()
    names = rows.drop_duplicates("bin").set_index("bin")["length"]
    axis_names = {at: f"{names[at]}|{sentences[at]:,}" for at in names.index}
    data = pd.DataFrame(
        {
            "parser": known["parser"],
            "bin": known["bin"].map(axis_names),
            "value": known[figure] * unit,
            "low": known[f"{figure}_low"] * unit,
            "high": known[f"{figure}_high"] * unit,
            "at": known["bin"],
            "words": known["length"],
            "sentences": [f"{n:,} of {total:,}" for n, total in zip(known["n"], known["sentences"], strict=True)],
        }
    )
    data["text"] = [f"{value:.2f}" for value in data["value"]]
    data["interval"] = [between(low, high) for low, high in zip(data["low"], data["high"], strict=True)]
    x = alt.X(
        "bin:N",
        title="words of the gold sentence, and number of sentences",
        scale=alt.Scale(type="point", domain=list(axis_names.values()), padding=0.3),
        axis=alt.Axis(labelAngle=0, labelExpr="split(datum.label, '|')", grid=False, labelOverlap=False),
    )
    lows, highs = (data[end].fillna(data["value"]) for end in ("low", "high"))
    low, high = (float(lows.min()), float(highs.max())) if len(data) else (0.0, 1.0)
    margin = 0.04 * (high - low) or 1.0
    bottom, top = low - margin, high + margin
    scale = alt.Scale(domain=[bottom, top], nice=False, zero=False)
    title = f"{one.title}{', %' if one.is_share else ''}"
    y = alt.Y("value:Q", scale=scale, title=title, axis=alt.Axis(tickCount=6))
    colour = alt.Color("parser:N", scale=parser_scale(styles, "colour"), legend=None)
    base = alt.Chart(data)
    bands = base.mark_area(opacity=0.13, clip=True).encode(
        x=x, y=alt.Y("low:Q", scale=scale, title=title), y2="high:Q", color=colour
    )
    lines = base.mark_line(strokeWidth=2, clip=True).encode(
        x=x,
        y=y,
        color=colour,
        strokeDash=alt.StrokeDash("parser:N", scale=parser_scale(styles, "dash"), legend=None),
    )
    points = base.mark_point(filled=True, size=60, opacity=1, clip=True).encode(
        x=x,
        y=y,
        color=colour,
        shape=alt.Shape("parser:N", scale=parser_scale(styles, "shape"), legend=None),
        tooltip=[
            alt.Tooltip("parser:N", title="parser"),
            alt.Tooltip("words:N", title="words"),
            alt.Tooltip("text:N", title=one.title),
            alt.Tooltip("interval:N", title="95 % interval"),
            alt.Tooltip("sentences:N", title="scored sentences"),
        ],
    )
    last = data.sort_values("at").groupby("parser", sort=False).tail(1)
    pixel = (top - bottom) / (height - _AXIS)
    ends = last.assign(label=spread([max(float(value), bottom) for value in last["value"]], _LABEL * pixel))
    labels = (
        alt.Chart(ends)
        .mark_text(align="left", dx=12, limit=LABEL_LIMIT, fontSize=FONT_SIZE, color=INK)
        .encode(x=x, y=alt.Y("label:Q", scale=scale, title=title), text="parser:N")
    )
    return finish([bands, lines, points, labels], height)
