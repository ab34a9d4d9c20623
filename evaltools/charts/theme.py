"""Helpers of all charts: colors of parsers, ink, sizes, axes, tooltips, labels that keep apart.

Field names in the charts are the program's own words; names that come from data (parsers) are only ever values, which
Vega shows as they are. Encodings are objects (``alt.X2("high:Q")``): given a string, altair searches its schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from evaltools.frameworks.metric import Metric
from evaltools.text import interval_text

CHECKED = False
"""Whether charts are checked against the schema of Vega-Lite; tests set it."""
FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
FONT_SIZE = 12
AXIS = 46.0
"""Pixels that a horizontal axis with its title takes."""
LABEL_LIMIT = 150
"""Maximum width of a parser's name in a chart, in pixels; longer ones end in an ellipsis, and the tooltip has all."""

INK = "currentColor"
"""Names, figures and axes have the color of the page's text, so that a chart follows the theme. Remarks and lines have
the same color, fainter."""

SOFT, FAINT = 0.68, 0.14
"""Opacities of remarks and of lines."""

_COLORS = ("#E6A000", "#69A5A5", INK, "#B42D78", "#5A5AD2", "#FC78D9", "#697800", "#967869")
"""Eight colors, the ink among them, that readers with any color-vision deficiency can tell apart, on light and on dark
paper. None of them is the color of a status in drawings of trees."""

_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
_DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3), (5, 2), (12, 4), (3, 5), (1, 3))


@dataclass(frozen=True, slots=True)
class Style:
    """How a parser looks in every chart.

    Parameters
    ----------
    color : str
        Its color.
    shape : str
        The shape of its points.
    dash : tuple of int
        The dashes of its lines.
    """

    color: str
    shape: str
    dash: tuple[int, ...] = (1, 0)


def parser_styles(parsers: Sequence[str]) -> dict[str, Style]:
    """Give each parser a color, a shape and dashes, the same in all charts.

    Parameters
    ----------
    parsers : sequence of str
        The run's parsers in their order, all of them.

    Returns
    -------
    dict
        From parser to `Style`; with more than eight parsers colors repeat, with other shapes and dashes.
    """
    styles = {}
    for index, parser in enumerate(parsers):
        turn, color = divmod(index, len(_COLORS))
        mark = (index + turn) % len(_SHAPES)
        styles[parser] = Style(_COLORS[color], _SHAPES[mark], _DASHES[mark])
    return styles


LEGEND = alt.Legend(
    orient="top", title=None, columns=2, labelFontSize=FONT_SIZE, labelColor=INK, labelLimit=0, symbolOpacity=1
)
"""Above a chart whose points have no names beside them."""


class Series(NamedTuple):
    """The channels that tell the series of a chart apart."""

    color: alt.Color
    shape: alt.Shape
    dash: alt.StrokeDash


def series(field: str, styles: Mapping[str, Style], legend: alt.Legend | None = None) -> Series:
    """Return the channels that give each value of a field its style."""

    def channel(kind: Any, values: Sequence[Any]) -> Any:
        return kind(f"{field}:N", scale=alt.Scale(domain=list(styles), range=values), legend=legend)

    return Series(
        channel(alt.Color, [style.color for style in styles.values()]),
        channel(alt.Shape, [style.shape for style in styles.values()]),
        channel(alt.StrokeDash, [list(style.dash) for style in styles.values()]),
    )


def tooltip(titles: Mapping[str, str], formats: Mapping[str, str] = MappingProxyType({})) -> list[alt.Tooltip]:
    """Return a tooltip: titles by field, and the number formats of some fields."""
    return [alt.Tooltip(name, title=title, format=formats.get(name, alt.Undefined)) for name, title in titles.items()]


def row_names(field: str, order: Sequence[str]) -> alt.Y:
    """Return the vertical axis of a chart with one row per name."""
    axis = alt.Axis(labelLimit=LABEL_LIMIT, labelOpacity=1, grid=True, gridDash=[1, 3])
    return alt.Y(f"{field}:N", sort=list(order), title=None, axis=axis)


def in_units(rows: pd.DataFrame, metric: Metric) -> pd.DataFrame:
    """Return figures and the ends of their intervals as percentages if they are shares, and both as texts."""
    data = rows.assign(text=[metric.text(value) for value in rows["value"]])
    data[["value", "low", "high"]] = rows[["value", "low", "high"]].astype(float) * (100.0 if metric.is_share else 1.0)
    return data.assign(interval=[interval_text(*ends) for ends in zip(data["low"], data["high"], strict=True)])


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Move labels apart as little as needed.

    Examples
    --------
    >>> spread([1.0, 1.0, 5.0], 2.0)
    [0.0, 2.0, 5.0]
    """
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    blocks: list[tuple[float, list[int]]] = []  # center, members
    for i in order:
        blocks.append((positions[i], [i]))
        while len(blocks) > 1:
            (below, lower), (above, upper) = blocks[-2:]
            if above - gap * (len(upper) - 1) / 2 - (below + gap * (len(lower) - 1) / 2) >= gap - 1e-12:
                break
            members = lower + upper
            blocks[-2:] = [(sum(positions[k] for k in members) / len(members), members)]
    result = [0.0] * len(positions)
    for center, members in blocks:
        for at, i in enumerate(members):
            result[i] = center + gap * (at - (len(members) - 1) / 2)
    return result


def specification(chart: Any) -> dict[str, Any]:
    """Return the Vega-Lite of a chart, unchecked: the check takes as long as all the rest, and tests make it."""
    return dict(chart.to_dict(validate=CHECKED))


def finish(layers: Sequence[Any], height: float) -> Any:
    """Lay charts over one another, and set their size and look."""
    axis = alt.AxisConfig(
        labelColor=INK,
        labelOpacity=SOFT,
        titleColor=INK,
        titleOpacity=SOFT,
        titleFontWeight="normal",
        labelFontSize=FONT_SIZE,
        titleFontSize=FONT_SIZE,
        gridColor=INK,
        gridOpacity=FAINT,
        domain=False,
        ticks=False,
        labelPadding=6,
        labelFlush=False,  # each label at its tick, at the ends too
    )
    look = alt.Config(
        font=FONT,
        view=alt.ViewConfig(stroke=None),
        axis=axis,
        text=alt.MarkConfig(color=INK, fontSize=FONT_SIZE),
    )
    data = layers[0].data
    if all(layer.data is data for layer in layers):
        for layer in layers:  # altair would move it up, too, but first write all of it out for each layer
            layer.data = alt.Undefined
    else:
        data = alt.Undefined
    # set at once, because each of altair's setters copies the chart
    return alt.layer(*layers, data=data, width="container", height=height, background="transparent", config=look)
