"""Points on intervals, row by row: figures of parsers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.theme import (
    AXIS,
    FONT_SIZE,
    INK,
    LEGEND,
    Series,
    finish,
    in_units,
    parser_styles,
    row_names,
    series,
    tooltip,
)
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS

_ROW, _LINE = 30.0, 11.0


def _points(
    data: pd.DataFrame,
    x: alt.X,
    y: alt.Y,
    look: Series,
    titles: Mapping[str, str],
    *,
    wide: bool = True,
    offset: Any = alt.Undefined,
) -> list[Any]:
    """Return a point on its interval for each row; `titles`: those of the tooltip; `offset`: place within a row."""
    base = alt.Chart(data).encode(y=y, color=look.color, yOffset=offset)
    bars = base.mark_rule(strokeWidth=11 if wide else 7, opacity=0.4)
    points = base.mark_point(filled=True, size=30 if wide else 24, opacity=1)
    return [
        bars.encode(x=alt.X("low:Q"), x2=alt.X2("high:Q")),
        points.encode(x=x, shape=look.shape, tooltip=tooltip(titles)),
    ]


def _axis(title: str) -> alt.X:
    return alt.X("value:Q", title=title, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=6))


def intervals_chart(rows: pd.DataFrame, metric: str, *, parsers: Sequence[str]) -> Any:
    """Draw each parser's figure as a point on its interval.

    Numbers of sentences stand beside the figures if they are not the same for all.

    Parameters
    ----------
    rows : DataFrame
        ``parser``, ``value``, ``low``, ``high`` and ``n``.
    metric : str
        A metric id.
    parsers : sequence of str
        All parsers of the run, which fix the colors.

    Returns
    -------
    altair.LayerChart
    """
    item = METRICS[metric]
    data = in_units(rows[rows["value"].notna()], item)
    data = data.sort_values("value", ascending=not item.higher_is_better, kind="stable")
    if data["n"].nunique() > 1:
        data["text"] += [f" (n {n:,})" for n in data["n"]]
    data["end"] = data["high"].fillna(data["value"])
    y = row_names("parser", list(data["parser"]))
    titles = {"parser:N": "parser", "text:N": item.title, "interval:N": "95 % interval"}
    drawn = _points(data, _axis(item.title_with_unit), y, series("parser", parser_styles(parsers)), titles)
    labels = alt.Chart(data).mark_text(align="left", dx=9, fontSize=FONT_SIZE, color=INK)
    drawn.append(labels.encode(x=alt.X("end:Q"), y=y, text=alt.Text("text:N")))
    return finish(drawn, _ROW * max(1, len(data)) + AXIS)


def figures_chart(rows: pd.DataFrame, parsers: Sequence[str], metric: Metric) -> Any:
    """Draw figures of several metrics as points on their intervals, a row a parser.

    Parameters
    ----------
    rows : DataFrame
        ``line``, ``parser``, ``value``, ``low``, ``high`` and ``n``; a line is a metric and how it is averaged.
    parsers : sequence of str
        The parsers from top to bottom.
    metric : Metric
        One of the metrics, whose unit all have.

    Returns
    -------
    altair.LayerChart
    """
    lines = list(dict.fromkeys(rows["line"]))
    look = series("line", parser_styles(lines), LEGEND)
    titles = {"line:N": "figure", "parser:N": "parser", "text:N": "value", "interval:N": "95 % interval"}
    offset = alt.YOffset("line:N", sort=lines, scale=alt.Scale(padding=1))
    x, y = _axis("percent" if metric.is_share else metric.unit), row_names("parser", parsers)
    drawn = _points(in_units(rows, metric), x, y, look, titles | {"n:Q": "sentences"}, wide=False, offset=offset)
    return finish(drawn, _LINE * (len(lines) + 1) * max(1, len(parsers)) + AXIS)
