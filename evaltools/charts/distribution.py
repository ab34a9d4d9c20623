"""Distribution of sentence scores: one row of steps per parser, on one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from evaltools.charts.theme import (
    AXIS,
    FAINT,
    FONT_SIZE,
    INK,
    LABEL_LIMIT,
    SOFT,
    finish,
    parser_styles,
    series,
    tooltip,
)
from evaltools.frameworks.registry import METRICS
from evaltools.text import decimals, number, percent, percentage

UNDEFINED = (
    "Undefined: parsed sentences with nothing to count (denominator 0); they are left out here, but figures per "
    "sentence, such as exact match, include them."
)
"""What the chart counts as undefined, for the text beside it."""

_ROW = 62.0
_MIN_HEIGHT = 314.0
"""Minimum height of all rows together, in pixels."""
_FILLED = 0.86
"""Share of a row that the highest step takes, unless it would run into the words."""
_NAME, _REMARK, _WORDS = 13.0, 27.0, 38.0
"""Pixels from the top of a row to the middle of its name, to that of the remark below, and to where both have ended."""
_WORDS_SHARE = 0.68
"""Share of the width that the words may take."""


def distribution_height(n_parsers: int) -> float:
    """Return how high the chart of some parsers is, in pixels.

    Parameters
    ----------
    n_parsers : int
        Number of parsers.

    Returns
    -------
    float
        The height in pixels.
    """
    return max(_ROW * n_parsers, _MIN_HEIGHT) + AXIS


def distribution_chart(
    histogram: pd.DataFrame,
    metric: str,
    *,
    parsers: Sequence[str],
    means: Mapping[str, float],
    perfect: Mapping[str, float],
    undefined: Mapping[str, int],
    order: Sequence[str],
) -> Any:
    """Draw how each parser's sentence scores are distributed.

    Parameters
    ----------
    histogram : DataFrame
        From :func:`evaltools.analysis.score_histogram`.
    metric : str
        A metric id.
    parsers : sequence of str
        All parsers of the run, which fix the colors.
    means : dict
        Mean sentence score by parser, marked with a line.
    perfect : dict
        Share of sentences with the best possible score by parser, written beside its name with the number of sentences
        in the histogram.
    undefined : dict
        Number of parsed sentences without a score by parser, written there, too.
    order : sequence of str
        The parsers in the order of the rows, from above.

    Returns
    -------
    altair.LayerChart
    """
    item, look = METRICS[metric], series("parser", parser_styles(parsers))
    unit = 100.0 if item.is_share else 1.0
    scored = set(histogram["parser"])
    drawn = [parser for parser in order if parser in scored]
    floor = {parser: float(len(drawn) - 1 - at) for at, parser in enumerate(drawn)}
    row = (distribution_height(len(drawn)) - AXIS) / max(1, len(drawn))
    scale = _scale(histogram, row, words_left=item.higher_is_better)
    data = histogram.assign(
        x1=histogram["low"] * unit,
        x2=histogram["high"] * unit,
        floor=histogram["parser"].map(floor),
        top=histogram["parser"].map(floor) + histogram["share"] * scale,
        range=[_range(row, share=item.is_share) for row in histogram.itertuples()],
        percent=[percentage(share, 2) for share in histogram["share"]],
    )
    left, right = (float(data["x1"].min()), float(data["x2"].max())) if len(data) else (0.0, 1.0)
    x = alt.X(
        "x1:Q",
        title=f"{item.title} of a sentence, %" if item.is_share else item.title_with_unit,
        scale=alt.Scale(domain=[left, right], nice=False),
        axis=alt.Axis(tickCount=10, grid=False),
    )
    y_scale = alt.Scale(domain=[-0.04, max(1, len(drawn)) - 0.02], nice=False)
    y = alt.Y("floor:Q", axis=None, scale=y_scale)
    bars = (
        alt.Chart(data)
        .mark_rect(fillOpacity=0.55, strokeWidth=0)
        .encode(
            x=x,
            x2=alt.X2("x2:Q"),
            y=y,
            y2=alt.Y2("top:Q"),
            color=look.color,
            tooltip=tooltip(
                {"parser:N": "parser", "range:N": item.title, "count:Q": "sentences", "percent:N": "share"}
            ),
        )
    )
    steps = (
        alt.Chart(_outline(data))
        .mark_line(strokeWidth=1.4, strokeJoin="miter")
        .encode(x=alt.X("x:Q"), y=alt.Y("y:Q", axis=None, scale=y_scale), color=look.color, order=alt.Order("order:Q"))
    )
    rows = pd.DataFrame({"parser": drawn, "floor": [floor[parser] for parser in drawn]})
    grounds = (
        alt.Chart(rows.assign(x1=left, x2=right))
        .mark_rule(color=INK, opacity=FAINT)
        .encode(x=x, x2=alt.X2("x2:Q"), y=y)
    )
    # shares of 1 gather on the right and counts of errors on the left; names stand on the other side
    at, align, aside = (left, "left", 4) if item.higher_is_better else (right, "right", -4)
    words = rows.assign(x1=at, floor=rows["floor"] + 0.98 - _NAME / row)
    names = (
        alt.Chart(words)
        .mark_text(align=align, dx=aside, limit=LABEL_LIMIT * 1.6, fontSize=FONT_SIZE, color=INK)  # type: ignore[arg-type]
        .encode(x=x, y=y, text=alt.Text("parser:N"))
    )
    sizes = {parser: int(histogram.loc[histogram["parser"] == parser, "count"].sum()) for parser in drawn}
    remarks = _remarks(drawn, means, perfect, sizes, undefined, share=item.is_share)
    below = (
        alt.Chart(words.assign(remark=words["parser"].map(remarks)))
        .mark_text(align=align, dx=aside, dy=_REMARK - _NAME, fontSize=FONT_SIZE - 1, color=INK, opacity=SOFT)  # type: ignore[arg-type]
        .encode(x=x, y=y, text=alt.Text("remark:N"))
    )
    at_mean = [means.get(parser, float("nan")) * unit for parser in drawn]
    under = [_under(x, left, right, words_left=item.higher_is_better) for x in at_mean]
    marks = rows.assign(x1=at_mean, top=rows["floor"] + np.where(under, _room(row), _FILLED))
    middles = (
        alt.Chart(marks.dropna())
        .mark_rule(color=INK, strokeWidth=1.4, strokeDash=[3, 2])
        .encode(x=x, y=y, y2=alt.Y2("top:Q"))
    )
    layers = [grounds, bars, steps, names, below, middles]
    return finish(layers, distribution_height(len(drawn)))


def _scale(histogram: pd.DataFrame, row: float, *, words_left: bool) -> float:
    """Return the height of the share 1, in rows: the highest step fills its row, and none reaches the words."""
    if not len(histogram):
        return 0.0
    left, right = float(histogram["low"].min()), float(histogram["high"].max())
    edge = histogram["low" if words_left else "high"]
    under = [_under(x, left, right, words_left=words_left) for x in edge]
    limits = [(float(histogram["share"].max()), _FILLED), (float(histogram["share"][under].max()), _room(row))]
    return min((height / share for share, height in limits if share > 0), default=0.0)


def _under(x: float, left: float, right: float, *, words_left: bool) -> bool:
    """Return whether a position on the axis is under the words."""
    return (x - left if words_left else right - x) < (right - left) * _WORDS_SHARE


def _room(row: float) -> float:
    """Return the share of a row that is free below the words."""
    return 0.98 - _WORDS / row


def _range(row: Any, *, share: bool) -> str:
    if not share:
        return f"{number(row.low)} or more" if row.open else number(row.low)
    return f"{percent(row.low, 0)} to {percentage(row.high, 0)}"


def _remarks(
    parsers: Sequence[str],
    means: Mapping[str, float],
    perfect: Mapping[str, float],
    sizes: Mapping[str, int],
    undefined: Mapping[str, int],
    *,
    share: bool,
) -> dict[str, str]:
    """Return mean, share of perfect sentences, and how many have a score and how many have none in words, by parser."""
    best = "perfect" if share else "without any"
    remarks = {}
    for parser in parsers:
        mean = percentage(means[parser], 2) if share else decimals(means[parser])
        left_out = f", {undefined[parser]:,} undefined" if undefined.get(parser) else ""
        figures = f"mean {mean}, {percentage(perfect[parser], 2)} {best}"
        remarks[parser] = f"{figures}; n {sizes[parser]:,}{left_out}"
    return remarks


def _outline(data: pd.DataFrame) -> pd.DataFrame:
    """Return the corners of each parser's steps."""
    rows = []
    for parser, part in data.groupby("parser", sort=False):
        bins = list(part.sort_values("x1").itertuples())
        corners = [(bins[0].x1, bins[0].floor)]
        for item in bins:
            corners += [(item.x1, item.top), (item.x2, item.top)]
        corners.append((bins[-1].x2, bins[-1].floor))
        rows += [{"parser": parser, "x": x, "y": y, "order": order} for order, (x, y) in enumerate(corners)]
    return pd.DataFrame(rows, columns=["parser", "x", "y", "order"])
