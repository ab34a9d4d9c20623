"""Distribution of sentence scores: a row of bars for each parser, on one axis."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.theme import AXIS, INK, LABEL_LIMIT, finish, parser_styles, series, tooltip
from evaltools.frameworks.registry import METRICS
from evaltools.text import number, percent, percentage

UNDEFINED = (
    "Undefined: parsed sentences with nothing to count (denominator 0); they are left out here, but figures per "
    "sentence, such as exact match, include them."
)
"""What the chart counts as undefined, for the text beside it."""

_ROW = 62.0
_MIN_HEIGHT = 314.0
"""Minimum height of all rows together, in pixels."""
_FILLED = 0.86
"""Share of a row that the highest bar takes."""
_UP = -46.0
"""Pixels from the foot of a row to the first line beside it."""


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
        Mean sentence score by parser, marked with a line, and written below its name with the number of sentences in
        the histogram.
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
    sizes = histogram.groupby("parser")["count"].sum()
    drawn = [parser for parser in order if parser in sizes.index]
    floor = {parser: float(len(drawn) - 1 - at) for at, parser in enumerate(drawn)}
    floors, scale = histogram["parser"].map(floor), _FILLED / max(histogram["share"].max(), 1e-9)
    data = histogram.assign(
        x1=histogram["low"] * unit,
        x2=histogram["high"] * unit,
        floor=floors,
        top=floors + histogram["share"] * scale,
        range=[_range(row, share=item.is_share) for row in histogram.itertuples()],
        percent=[percentage(share, 2) for share in histogram["share"]],
    )
    x = alt.X(
        "x1:Q",
        title=f"{item.title} of a sentence, %" if item.is_share else item.title_with_unit,
        scale=alt.Scale(nice=False, zero=False),
        axis=alt.Axis(tickCount=10, grid=False),
    )
    labels = {floor[parser]: _label(parser, item.text(means[parser]), sizes[parser], undefined) for parser in drawn}
    y = alt.Y(
        "floor:Q",
        title=None,
        scale=alt.Scale(domain=[-0.04, max(1, len(drawn)) - 0.02], nice=False),
        axis=alt.Axis(
            values=list(labels),
            labelExpr=f"{json.dumps(list(labels.values()))}[indexof({json.dumps(list(labels))}, datum.value)]",
            labelBaseline="line-bottom",
            labelLimit=LABEL_LIMIT,
            labelOffset=_UP,
            labelOpacity=1,
            labelOverlap=False,
        ),
    )
    titles = {"parser:N": "parser", "range:N": item.title, "count:Q": "sentences", "percent:N": "share"}
    bars = alt.Chart(data).mark_rect(fillOpacity=0.55, strokeWidth=0)
    rows = [(means[parser] * unit, floor[parser], floor[parser] + _FILLED) for parser in drawn]
    marks = alt.Chart(pd.DataFrame(rows, columns=["x1", "floor", "top"]).dropna())
    y2 = alt.Y2("top:Q")
    layers = [
        bars.encode(x=x, x2=alt.X2("x2:Q"), y=y, y2=y2, color=look.color, tooltip=tooltip(titles)),
        marks.mark_rule(color=INK, strokeWidth=1.4, strokeDash=[3, 2]).encode(x=x, y=y, y2=y2),
    ]
    return finish(layers, distribution_height(len(drawn)))


def _label(parser: str, mean: str, n: int, undefined: Mapping[str, int]) -> list[str]:
    """Return the lines beside a row: the parser, its mean, and how many sentences have a score, and how many none."""
    left_out = [f"{undefined[parser]:,} undefined"] if undefined.get(parser) else []
    return [parser, f"mean {mean}", f"n {n:,}", *left_out]


def _range(row: Any, *, share: bool) -> str:
    if not share:
        return f"{number(row.low)} or more" if row.open else number(row.low)
    return f"{percent(row.low, 0)} to {percentage(row.high, 0)}"
