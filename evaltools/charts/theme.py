"""What all charts share: colours of parsers, ink and paper of both themes, sizes, how labels keep apart.

Field names in the charts are the program's own words; names that come from data (parsers) are only ever values, which
Vega shows as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import altair as alt

__all__ = [
    "AXIS",
    "FONT_SIZE",
    "INKS",
    "LABEL_LIMIT",
    "Ink",
    "Style",
    "finish",
    "parser_scale",
    "parser_styles",
    "spread",
]

FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
FONT_SIZE = 12
AXIS = 46.0
"""Pixels that a horizontal axis with its title takes."""
LABEL_LIMIT = 150
"""Widest name of a parser in a chart, in pixels; longer ones end in an ellipsis, and in full in the tooltip."""


@dataclass(frozen=True, slots=True)
class Ink:
    """Neutral colours of a chart.

    Parameters
    ----------
    text : str
        Names and figures.
    soft : str
        Axes and remarks.
    rule : str
        Lines of the grid.
    paper : str
        What stands behind, for outlines of marks; the chart itself is transparent.
    strong : str
        The neutral colour among those of the parsers.
    """

    text: str
    soft: str
    rule: str
    paper: str
    strong: str


INKS: dict[str, Ink] = {
    "light": Ink(text="#1c2024", soft="#5b6470", rule="#e3e6e9", paper="#ffffff", strong="#2b3036"),
    "dark": Ink(text="#e6e8ea", soft="#a6aeb8", rule="#30363d", paper="#16191d", strong="#dfe3e6"),
}
"""Both themes of the app."""

_NEUTRAL = ""
_COLOURS = ("#E69F00", "#56B4E9", _NEUTRAL, "#CC79A7", "#009E73", "#0072B2", "#D55E00", "#8A929B")
"""Okabe and Ito's colours. Those that mean nothing elsewhere in the program come first: orange, sky blue, black; with
more than three parsers come those that stand for moved, inserted, swapped and deleted nodes in drawings of trees."""

_DARK = {"#0072B2": "#3D9BDC"}
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


def parser_styles(parsers: Sequence[str], theme: str = "light") -> dict[str, Style]:
    """Give each parser a colour, a shape and dashes, the same in all charts.

    Parameters
    ----------
    parsers : sequence of str
        The run's parsers in their order, all of them.
    theme : {"light", "dark"}
        The app's theme.

    Returns
    -------
    dict
        From parser to :class:`Style`; with more than eight parsers colours come again, with other shapes and dashes.
    """
    colours = [_DARK.get(colour, colour) if theme == "dark" else colour for colour in _COLOURS]
    colours = [colour or INKS[theme].strong for colour in colours]
    rounds = [place // len(colours) for place in range(len(parsers))]
    return {
        parser: Style(colour, _SHAPES[(place + turn) % len(_SHAPES)], _DASHES[(place + turn) % len(_DASHES)])
        for place, (parser, colour, turn) in enumerate(
            zip(parsers, islice(cycle(colours), len(parsers)), rounds, strict=True)
        )
    }


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


def finish(layers: Sequence[Any], theme: str, height: float) -> Any:
    """Lay charts over one another and give them size and look.

    Parameters
    ----------
    layers : sequence of Chart
        What to draw, from the bottom to the top.
    theme : {"light", "dark"}
        The app's theme.
    height : float
        Height in pixels, axes included; the width is that of the page.

    Returns
    -------
    altair.LayerChart
    """
    ink = INKS[theme]
    return (
        alt.layer(*layers)
        .properties(width="container", height=height, background="transparent")
        .configure(font=FONT)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=ink.soft,
            titleColor=ink.soft,
            titleFontWeight="normal",
            labelFontSize=FONT_SIZE,
            titleFontSize=FONT_SIZE,
            gridColor=ink.rule,
            domain=False,
            ticks=False,
            labelPadding=6,
        )
        .configure_text(color=ink.text, fontSize=FONT_SIZE)
    )
