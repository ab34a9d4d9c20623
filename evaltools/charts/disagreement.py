"""Two scores of the same sentences against one another: points, or tiles if there are many."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.charts.theme import INK, SOFT, finish, specification, tooltip

MAX_POINTS = 20_000
"""Maximum number of sentences drawn as points; above, tiles count them."""

_TILES = 40
_HEIGHT = 430.0
_MARGIN = 0.1  # around a score that all sentences have
_COLOR = "#1E7FC2"
_GOLD = "#B8860B"
"""The line on which both scores are equal: legible on white and on dark."""


def disagreement_chart(
    sentences: pd.DataFrame,
    titles: tuple[str, str],
    *,
    chosen: pd.DataFrame | None = None,
    shares: tuple[bool, bool] = (True, True),
    alike: bool = True,
) -> dict[str, Any]:
    """Draw one score against another; a box drawn with the mouse is the selection ``box``.

    `shares`: whether each score is a share of 1, which is written as a percentage; `alike`: whether both have the same
    unit, so that both axes have one range and a line shows where both are equal.
    """
    many = len(sentences) > MAX_POINTS
    rows = _tiles(sentences) if many else _points(sentences)
    look: dict[str, Any] = {
        "domain": True,
        "domainColor": INK,
        "domainOpacity": SOFT,
        "tickColor": INK,
        "tickOpacity": SOFT,
    }
    axes = [
        alt.Axis(tickCount=6, grid=False, ticks=True, format=".3~p" if is_share else "", **look) for is_share in shares
    ]
    places = [".2%" if is_share else ".3~f" for is_share in shares]
    ends = [_ends(sentences[["a", "b"] if alike else [name]]) for name in ("a", "b")]
    scales = [alt.Scale(domain=[low, high], nice=True, zero=False) for low, high in ends]
    x = alt.X("a:Q", title=titles[0], scale=scales[0], axis=axes[0])
    y = alt.Y("b:Q", title=titles[1], scale=scales[1], axis=axes[1])
    texts = tooltip({"count:Q": "sentences", "a:Q": titles[0], "b:Q": titles[1]}, {"a:Q": places[0], "b:Q": places[1]})
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
    if alike and len(sentences):
        line = pd.DataFrame({"a": ends[0], "b": ends[0]})
        diagonal = alt.Chart(line).mark_line(color=_GOLD, strokeWidth=1.5)
        layers.insert(0, diagonal.encode(x=x, y=y))
    if chosen is not None and 0 < len(chosen) <= 200:
        layers.append(
            alt.Chart(chosen[["a", "b"]].drop_duplicates())
            .mark_point(color=INK, size=90, strokeWidth=1.4, filled=False)
            .encode(x=x, y=y)
        )
    return specification(finish(layers, _HEIGHT))


def _ends(scores: pd.DataFrame) -> tuple[float, float]:
    """Return the lowest and the highest score; a score that all sentences share is in the middle of its axis."""
    if not len(scores):
        return 0.0, 1.0
    low, high = float(np.min(scores.to_numpy())), float(np.max(scores.to_numpy()))
    return (low - _MARGIN, high + _MARGIN) if low == high else (low, high)


def _points(sentences: pd.DataFrame) -> pd.DataFrame:
    """Count the sentences of each pair of scores."""
    rounded = sentences[["a", "b"]].round(4)
    return rounded.value_counts(sort=False).to_frame("count").reset_index()


def _tiles(sentences: pd.DataFrame) -> pd.DataFrame:
    """Count the sentences in tiles of equal size."""
    indices, lows, steps = [], [], []
    for name in ("a", "b"):
        low, high = _ends(sentences[[name]])
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
