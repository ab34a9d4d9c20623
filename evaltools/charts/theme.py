"""What all charts share: colours of parsers, ink, sizes, how labels keep apart.

Field names in the charts are the program's own words; names that come from data (parsers) are only ever values, which
Vega shows as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

__all__ = [
    "AXIS",
    "FAINT",
    "FONT_SIZE",
    "INK",
    "LABEL_LIMIT",
    "SOFT",
    "Style",
    "finish",
    "parser_scale",
    "parser_styles",
    "specification",
    "spread",
]

CHECKED = False
"""Whether charts are compared with the schema of Vega-Lite; tests set it."""
FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
FONT_SIZE = 12
AXIS = 46.0
"""Pixels that a horizontal axis with its title takes."""
LABEL_LIMIT = 150
"""Widest name of a parser in a chart, in pixels; longer ones end in an ellipsis, and in full in the tooltip."""


INK = "currentColor"
"""Names, figures and axes take the colour of the page's text, so that a chart follows when the theme changes. Remarks
and lines take the same colour, fainter."""

SOFT, FAINT = 0.68, 0.14
"""Opacity of remarks and of lines."""

_COLOURS = ("#E69F00", "#69A5A5", INK, "#B42D78", "#5A5AD2", "#C396FF", "#697800", "#967869")
"""Eight colours, the ink among them, that stay apart for readers with any colour-vision deficiency, on light paper and
on dark, and are none of those that mean deleted, inserted, swapped or moved in drawings of trees."""

_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
_DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3), (5, 2), (12, 4), (3, 5), (1, 3))


@dataclass(frozen=True, slots=True)
class Style:
    """How a parser looks in every chart.

    Parameters
    ----------
    colour : str
        Its colour.
    shape : str
        The shape of its points.
    dash : tuple of int
        The dashes of its lines.
    """

    colour: str
    shape: str
    dash: tuple[int, ...]


def parser_styles(parsers: Sequence[str]) -> dict[str, Style]:
    """Give each parser a colour, a shape and dashes, the same in all charts.

    Parameters
    ----------
    parsers : sequence of str
        The run's parsers in their order, all of them.

    Returns
    -------
    dict
        From parser to :class:`Style`; with more than eight parsers colours come again, with other shapes and dashes.
    """
    styles = {}
    for place, parser in enumerate(parsers):
        turn, colour = divmod(place, len(_COLOURS))
        mark = (place + turn) % len(_SHAPES)
        styles[parser] = Style(_COLOURS[colour], _SHAPES[mark], _DASHES[mark])
    return styles


def parser_scale(styles: dict[str, Style], what: str) -> alt.Scale:
    """Return the scale from parsers to ``"colour"``, ``"shape"`` or ``"dash"``."""
    values: list[Any] = [getattr(style, what) for style in styles.values()]
    if what == "dash":
        values = [list(value) for value in values]
    return alt.Scale(domain=list(styles), range=values)


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Move labels apart as little as needed.

    Parameters
    ----------
    places : sequence of float
        Where the labels would stand.
    gap : float
        The least distance between two.

    Returns
    -------
    list of float
        Where they stand, in the order given; those too close to one another are centred on their mean.

    Examples
    --------
    >>> spread([1.0, 1.0, 5.0], 2.0)
    [0.0, 2.0, 5.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    blocks: list[tuple[float, list[int]]] = []  # centre, members
    for i in order:
        blocks.append((places[i], [i]))
        while len(blocks) > 1:
            (below, lower), (above, upper) = blocks[-2:]
            if above - gap * (len(upper) - 1) / 2 - (below + gap * (len(lower) - 1) / 2) >= gap - 1e-12:
                break
            members = lower + upper
            blocks[-2:] = [(sum(places[k] for k in members) / len(members), members)]
    result = [0.0] * len(places)
    for centre, members in blocks:
        for at, i in enumerate(members):
            result[i] = centre + gap * (at - (len(members) - 1) / 2)
    return result


def specification(chart: Any) -> dict[str, Any]:
    """Return the Vega-Lite of a chart. That it is valid is tested: to find that out takes as long as all the rest.

    Parameters
    ----------
    chart : altair chart
        The chart.
    """
    return dict(chart.to_dict(validate=CHECKED))


def finish(layers: Sequence[Any], height: float) -> Any:
    """Lay charts over one another and give them size and look.

    Parameters
    ----------
    layers : sequence of Chart
        What to draw, from the bottom to the top.
    height : float
        Height in pixels, axes included; the width is that of the page.

    Returns
    -------
    altair.LayerChart
    """
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
    )
    look = alt.Config(
        font=FONT,
        view=alt.ViewConfig(stroke=None),
        axis=axis,
        text=alt.MarkConfig(color=INK, fontSize=FONT_SIZE),
    )
    # all at once: each of altair's methods that sets one of them copies the whole chart
    return alt.layer(*layers, width="container", height=height, background="transparent", config=look)
