"""What the best of the first so many analyses reaches, and what the analyses of each rank do."""

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
    finish,
    parser_scale,
    parser_styles,
    specification,
    spread,
)
from evaltools.metrics import METRICS

__all__ = ["oracle_chart"]

_LABEL = 15.0
"""Pixels from name to name."""


def oracle_chart(
    curves: Sequence[tuple[str, pd.DataFrame]], metric: str, figure: str = "pooled", *, height: float = 300.0
) -> dict[str, Any]:
    """Draw figures against the length of the list.

    Parameters
    ----------
    curves : sequence of (str, DataFrame)
        Names of parsers, and what :func:`evaltools.runs.nbest_choice.curve` returns of each.
    metric : str
        By which the best were chosen.
    figure : {"pooled", "mean"}
        Which figure.
    height : float
        Pixels.

    Returns
    -------
    dict
        Vega-Lite.
    """
    one = METRICS[metric]
    unit = 100.0 if one.is_share else 1.0
    sides = (("best so far", figure, "n"), ("this rank", f"own_{figure}", "parses"))
    data = pd.concat(
        [
            pd.DataFrame(
                {
                    "what": says if len(curves) == 1 else f"{says}: {parser}",
                    "rank": rows["rank"],
                    "value": rows[column].astype(float) * unit,
                    "n": rows[n],
                }
            )
            for parser, rows in curves
            for says, column, n in sides
        ],
        ignore_index=True,
    ).dropna(subset=["value"])
    data["text"] = [f"{value:.2f}" for value in data["value"]]
    styles = parser_styles(list(dict.fromkeys(data["what"])))
    low, high = (float(data["value"].min()), float(data["value"].max())) if len(data) else (0.0, 1.0)
    margin = 0.06 * (high - low) or 1.0
    scale = alt.Scale(domain=[low - margin, high + margin], nice=False, zero=False)
    most = max(int(data["rank"].max()), 2) if len(data) else 2
    x = alt.X(
        "rank:Q",
        title="analyses in the list",
        scale=alt.Scale(domain=[1, most], nice=False),
        axis=alt.Axis(tickMinStep=1, tickCount=min(most, 10), format="d", grid=False),
    )
    y = alt.Y("value:Q", scale=scale, title=f"{one.title}{', %' if one.is_share else ''}", axis=alt.Axis(tickCount=5))
    colour = alt.Color("what:N", scale=parser_scale(styles, "colour"), legend=None)
    dash = alt.StrokeDash("what:N", scale=parser_scale(styles, "dash"), legend=None)
    shape = alt.Shape("what:N", scale=parser_scale(styles, "shape"), legend=None)
    tooltip = [
        alt.Tooltip("what:N", title="figure"),
        alt.Tooltip("rank:Q", title="rank"),
        alt.Tooltip("text:N", title=one.title),
        alt.Tooltip("n:Q", title="sentences"),
    ]
    base = alt.Chart(data)
    last = data.sort_values("rank", kind="stable").groupby("what", sort=False).tail(1)
    gap = _LABEL * (high - low + 2 * margin) / (height - AXIS)
    ends = last.assign(at=spread([float(value) for value in last["value"]], gap))
    layers = [
        base.mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash),
        base.mark_point(filled=True, size=44, opacity=1).encode(x=x, y=y, color=colour, shape=shape, tooltip=tooltip),
        alt.Chart(ends)
        .mark_text(align="left", dx=9, limit=LABEL_LIMIT, fontSize=FONT_SIZE, color=INK)
        .encode(x=x, y=alt.Y("at:Q", scale=scale), text="what:N"),
    ]
    return specification(finish(layers, height))
