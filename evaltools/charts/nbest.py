"""F1 against rank: a line for each configuration of EDM, and what a perfect choice among the first would reach."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.intervals import between
from evaltools.charts.theme import (
    AXIS,
    FONT_SIZE,
    INK,
    LABEL_LIMIT,
    SOFT,
    finish,
    parser_scale,
    parser_styles,
    specification,
    spread,
)
from evaltools.metrics import METRICS

__all__ = ["nbest_chart"]

_LABEL = 15.0
"""Pixels from name to name."""
_ORACLE = "EDM, best so far"
_NAMES = {"edm": "EDM", "edm_n": "EDM_N", "edm_a": "EDM_A", "edm_p": "EDM_P", "edm_na": "EDM_NA"}


def nbest_chart(by_rank: pd.DataFrame, oracle: pd.DataFrame, *, height: float = 380.0) -> dict[str, Any]:
    """Draw the mean F1 of each rank.

    Parameters
    ----------
    by_rank : DataFrame
        ``metric``, ``rank``, ``mean``, ``low``, ``high``, ``n``, from :func:`evaltools.analysis.nbest.nbest`.
    oracle : DataFrame
        The same of the best analysis up to each rank, of one metric.
    height : float
        Pixels.

    Returns
    -------
    dict
        Vega-Lite.
    """
    titles = {name: _NAMES.get(name, METRICS[name].title) for name in dict.fromkeys(by_rank["metric"])}
    styles = parser_styles(list(titles.values()))
    data = _percentages(by_rank.assign(what=by_rank["metric"].map(titles)))
    best = _percentages(oracle.assign(what=_ORACLE))
    every = pd.concat([data, best], ignore_index=True)
    ends = every[["low", "high", "value"]]
    low, high = (float(ends.min().min()), float(ends.max().max())) if len(every) else (0.0, 100.0)
    margin = 0.04 * (high - low) or 1.0
    bottom, top = max(low - margin, 0.0), min(high + margin, 100.0)
    most = max(int(every["rank"].max()), 2) if len(every) else 2
    title = "rank of the analysis in the parser’s list"
    x = alt.X(
        "rank:Q",
        title=title,
        scale=alt.Scale(domain=[1, most], nice=False),
        axis=alt.Axis(tickMinStep=1, tickCount=min(most, 10), format="d", grid=False),
    )
    scale = alt.Scale(domain=[bottom, top], nice=False, zero=False)
    y = alt.Y("value:Q", scale=scale, title="mean F1, %", axis=alt.Axis(tickCount=6))
    tooltip = [
        alt.Tooltip("what:N", title="figure"),
        alt.Tooltip("rank:Q", title="rank"),
        alt.Tooltip("text:N", title="mean F1, %"),
        alt.Tooltip("interval:N", title="95 % interval"),
        alt.Tooltip("n:Q", title="sentences"),
    ]
    colour = alt.Color("what:N", scale=parser_scale(styles, "colour"), legend=None)
    dash = alt.StrokeDash("what:N", scale=parser_scale(styles, "dash"), legend=None)
    shape = alt.Shape("what:N", scale=parser_scale(styles, "shape"), legend=None)
    base = alt.Chart(data)
    layers = [
        base.mark_area(opacity=0.12).encode(x=x, y=alt.Y("low:Q", scale=scale), y2="high:Q", color=colour),
        base.mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash),
        base.mark_point(filled=True, size=36, opacity=1).encode(x=x, y=y, color=colour, shape=shape, tooltip=tooltip),
        alt.Chart(best)
        .mark_line(
            color=INK, opacity=SOFT, strokeWidth=1.5, interpolate="step-after", point={"opacity": 0.01, "size": 90}
        )
        .encode(x=x, y=y, tooltip=tooltip),
        _names(every, x, scale, _LABEL * (top - bottom) / (height - AXIS)),
    ]
    return specification(finish(layers, height))


def _percentages(rows: pd.DataFrame) -> pd.DataFrame:
    data = rows[["what", "rank", "n"]].assign(
        value=100 * rows["mean"].astype(float),
        low=100 * rows["low"].astype(float),
        high=100 * rows["high"].astype(float),
    )
    data["text"] = [f"{value:.2f}" for value in data["value"]]
    data["interval"] = [between(low, high) for low, high in zip(data["low"], data["high"], strict=True)]
    return data


def _names(every: pd.DataFrame, x: alt.X, scale: alt.Scale, gap: float) -> Any:
    """Write the name of each line at its end."""
    last = every.sort_values("rank", kind="stable").groupby("what", sort=False).tail(1)
    ends = last.assign(at=spread([float(value) for value in last["value"]], gap))
    return (
        alt.Chart(ends)
        .mark_text(align="left", dx=9, limit=LABEL_LIMIT, fontSize=FONT_SIZE, color=INK)
        .encode(x=x, y=alt.Y("at:Q", scale=scale), text="what:N")
    )
