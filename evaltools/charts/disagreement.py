"""Two scores of the same sentences against one another: points, or tiles where there are many."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.charts.theme import INK, SOFT, finish, specification

__all__ = ["MOST_POINTS", "disagreement_chart"]

MOST_POINTS = 20_000
"""Above so many sentences scores are put into tiles."""

_TILES = 40
_HEIGHT = 430.0
_ROOM = 0.1  # around a score that all sentences have
_COLOUR = "#1E7FC2"


def disagreement_chart(
    sentences: pd.DataFrame, titles: tuple[str, str], *, chosen: pd.DataFrame | None = None, shares: bool = True
) -> dict[str, Any]:
    """Draw one score against another; a box drawn with the mouse is the selection ``box``.

    Parameters
    ----------
    sentences : DataFrame
        ``a`` and ``b``, the scores of each sentence.
    titles : (str, str)
        What the two are called.
    chosen : DataFrame, optional
        Those of the sentences that are listed, ringed if they are few.
    shares : bool
        Whether both scores are shares of 1, so that equal ones lie on the diagonal.

    Returns
    -------
    dict
        Vega-Lite.
    """
    many = len(sentences) > MOST_POINTS
    rows = _tiles(sentences) if many else _points(sentences)
    x_axis, y_axis = alt.Axis(tickCount=6, grid=False), alt.Axis(tickCount=6, grid=False)
    x_scale, y_scale = (_scale(sentences[name]) for name in ("a", "b"))
    tooltip = [
        alt.Tooltip("count:Q", title="sentences"),
        alt.Tooltip("a:Q", title=titles[0], format=".3f"),
        alt.Tooltip("b:Q", title=titles[1], format=".3f"),
    ]
    brush = alt.selection_interval(name="box", encodings=["x", "y"])
    base = alt.Chart(rows)
    x = alt.X("a:Q", title=titles[0], scale=x_scale, axis=x_axis)
    y = alt.Y("b:Q", title=titles[1], scale=y_scale, axis=y_axis)
    if many:
        # opacity, not lightness: on a dark page, too, many sentences shall stand out from few
        marks = base.mark_rect(stroke=None, color=_COLOUR).encode(
            x=x,
            x2="a2:Q",
            y=y,
            y2="b2:Q",
            opacity=alt.Opacity("count:Q", scale=alt.Scale(type="log", range=[0.12, 1]), legend=None),
            tooltip=tooltip,
        )
    else:
        marks = base.mark_circle(color=_COLOUR, opacity=0.55).encode(
            x=x,
            y=y,
            size=alt.Size("count:Q", scale=alt.Scale(type="sqrt", range=[18, 420]), legend=None),
            tooltip=tooltip,
        )
    layers: list[Any] = [marks.add_params(brush)]
    if shares and len(sentences):
        low = float(max(sentences["a"].min(), sentences["b"].min()))
        line = pd.DataFrame({"a": [low, 1.0], "b": [low, 1.0]})
        layers.insert(
            0,
            alt.Chart(line)
            .mark_line(color=INK, opacity=SOFT, strokeDash=[3, 3], strokeWidth=1)
            .encode(x=alt.X("a:Q", title=titles[0], scale=x_scale), y=alt.Y("b:Q", title=titles[1], scale=y_scale)),
        )
    if chosen is not None and 0 < len(chosen) <= 200:
        layers.append(
            alt.Chart(chosen[["a", "b"]].drop_duplicates())
            .mark_point(color=INK, size=90, strokeWidth=1.4, filled=False)
            .encode(x=alt.X("a:Q", title=titles[0], scale=x_scale), y=alt.Y("b:Q", title=titles[1], scale=y_scale))
        )
    return specification(finish(layers, _HEIGHT))


def _scale(scores: pd.Series) -> alt.Scale:
    """Reach from the lowest to the highest score; a score that all sentences share lies amid the axis."""
    if len(scores) and scores.min() == scores.max():
        return alt.Scale(domain=list(_ends(scores)), nice=False)
    return alt.Scale(zero=False, nice=True)


def _ends(scores: pd.Series) -> tuple[float, float]:
    low, high = float(scores.min()), float(scores.max())
    return (low - _ROOM, high + _ROOM) if low == high else (low, high)


def _points(sentences: pd.DataFrame) -> pd.DataFrame:
    """Count the sentences of each pair of scores."""
    rounded = sentences[["a", "b"]].round(4)
    return rounded.value_counts(sort=False).to_frame("count").reset_index()


def _tiles(sentences: pd.DataFrame) -> pd.DataFrame:
    """Count the sentences in tiles of equal size."""
    places, lows, steps = [], [], []
    for name in ("a", "b"):
        low, high = _ends(sentences[name])
        step = (high - low) / _TILES
        places.append(np.minimum(((sentences[name].to_numpy() - low) / step).astype(np.int64), _TILES - 1))
        lows.append(low)
        steps.append(step)
    counts = np.bincount(places[0] * _TILES + places[1], minlength=_TILES * _TILES)
    filled = np.flatnonzero(counts)
    rows: dict[str, NDArray[Any]] = {"count": counts[filled]}
    for name, place, low, step in zip("ab", np.divmod(filled, _TILES), lows, steps, strict=True):
        rows[name], rows[f"{name}2"] = low + place * step, low + (place + 1) * step
    return pd.DataFrame(rows)
