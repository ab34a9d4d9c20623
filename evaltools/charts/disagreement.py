"""Two scores of the same sentences against one another: points, or tiles if there are many."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.charts.theme import INK, SOFT, finish, specification, tooltip

__all__ = ["MAX_POINTS", "disagreement_chart"]

MAX_POINTS = 20_000
"""Maximum number of sentences drawn as points; above, tiles count them."""

_TILES = 40
_HEIGHT = 430.0
_MARGIN = 0.1  # around a score that all sentences have
_COLOR = "#1E7FC2"


def disagreement_chart(
    sentences: pd.DataFrame, titles: tuple[str, str], *, chosen: pd.DataFrame | None = None, shares: bool = True
) -> dict[str, Any]:
    """Draw one score against another; a box drawn with the mouse is the selection ``box``."""
    many = len(sentences) > MAX_POINTS
    rows = _tiles(sentences) if many else _points(sentences)
    axis = alt.Axis(tickCount=6, grid=False)
    x = alt.X("a:Q", title=titles[0], scale=_scale(sentences["a"]), axis=axis)
    y = alt.Y("b:Q", title=titles[1], scale=_scale(sentences["b"]), axis=axis)
    texts = tooltip({"count:Q": "sentences", "a:Q": titles[0], "b:Q": titles[1]}, {"a:Q": ".3f", "b:Q": ".3f"})
    brush = alt.selection_interval(name="box", encodings=["x", "y"])
    base = alt.Chart(rows)
    if many:
        # opacity, not lightness, so that many sentences stand out from few on a dark page too
        marks = base.mark_rect(stroke=None, color=_COLOR).encode(
            x=x,
            x2=alt.X2("a2:Q"),
            y=y,
            y2=alt.Y2("b2:Q"),
            opacity=alt.Opacity("count:Q", scale=alt.Scale(type="log", range=[0.12, 1]), legend=None),
            tooltip=texts,
        )
    else:
        marks = base.mark_circle(color=_COLOR, opacity=0.55).encode(
            x=x,
            y=y,
            size=alt.Size("count:Q", scale=alt.Scale(type="sqrt", range=[18, 420]), legend=None),
            tooltip=texts,
        )
    layers: list[Any] = [marks.add_params(brush)]
    if shares and len(sentences):
        low = float(max(sentences["a"].min(), sentences["b"].min()))
        line = pd.DataFrame({"a": [low, 1.0], "b": [low, 1.0]})
        diagonal = alt.Chart(line).mark_line(color=INK, opacity=SOFT, strokeDash=[3, 3], strokeWidth=1)
        layers.insert(0, diagonal.encode(x=x, y=y))
    if chosen is not None and 0 < len(chosen) <= 200:
        layers.append(
            alt.Chart(chosen[["a", "b"]].drop_duplicates())
            .mark_point(color=INK, size=90, strokeWidth=1.4, filled=False)
            .encode(x=x, y=y)
        )
    return specification(finish(layers, _HEIGHT))


def _scale(scores: pd.Series) -> alt.Scale:
    """Return an axis from the lowest to the highest score; a score that all sentences share is in its middle."""
    if len(scores) and scores.min() == scores.max():
        return alt.Scale(domain=list(_ends(scores)), nice=False)
    return alt.Scale(zero=False, nice=True)


def _ends(scores: pd.Series) -> tuple[float, float]:
    low, high = float(scores.min()), float(scores.max())
    return (low - _MARGIN, high + _MARGIN) if low == high else (low, high)


def _points(sentences: pd.DataFrame) -> pd.DataFrame:
    """Count the sentences of each pair of scores."""
    rounded = sentences[["a", "b"]].round(4)
    return rounded.value_counts(sort=False).to_frame("count").reset_index()


def _tiles(sentences: pd.DataFrame) -> pd.DataFrame:
    """Count the sentences in tiles of equal size."""
    indices, lows, steps = [], [], []
    for name in ("a", "b"):
        low, high = _ends(sentences[name])
        step = (high - low) / _TILES
        indices.append(np.minimum(((sentences[name].to_numpy() - low) / step).astype(np.int64), _TILES - 1))
        lows.append(low)
        steps.append(step)
    counts = np.bincount(indices[0] * _TILES + indices[1], minlength=_TILES * _TILES)
    filled = np.flatnonzero(counts)
    rows: dict[str, NDArray[Any]] = {"count": counts[filled]}
    for name, index, low, step in zip("ab", np.divmod(filled, _TILES), lows, steps, strict=True):
        rows[name], rows[f"{name}2"] = low + index * step, low + (index + 1) * step
    return pd.DataFrame(rows)
