"""Figures as lines: by sentence length, and by rank of n-best lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.theme import (
    AXIS,
    FONT_SIZE,
    INK,
    LABEL_LIMIT,
    SOFT,
    Style,
    finish,
    in_units,
    parser_styles,
    series,
    specification,
    spread,
    tooltip,
)
from evaltools.frameworks.registry import METRICS
from evaltools.text import decimals

_LABEL_HEIGHT = 15.0
"""Pixels from label to label."""

_TWO_LINES = 16.0
"""Pixels that an axis with labels of two lines takes more."""

_HEIGHT = 340.0
_ORACLE = "EDM, best so far"


def _lines(
    data: pd.DataFrame,
    x: alt.X,
    title: str,
    domain: tuple[float, float],
    styles: Mapping[str, Style],
    titles: Mapping[str, str],
    pixels: float,
    *,
    order: str,
    steps: pd.DataFrame | None = None,
) -> list[Any]:
    """Return a line for each value of the column `line`, with its name at its end and its intervals, if it has any.

    `title`, `domain`: those of the vertical axis; `titles`: those of the tooltip; `pixels`: height without the other
    axis; `order`: the column by which a line runs; `steps`: a further line, drawn as steps.
    """
    look = series("line", styles)
    scale = alt.Scale(domain=list(domain), nice=False, zero=False)
    y = alt.Y("value:Q", scale=scale, title=title, axis=alt.Axis(tickCount=6))
    base = alt.Chart(data).encode(x=x, y=y, color=look.color)
    layers: list[Any] = []
    if "low" in data:
        bands = base.mark_area(opacity=0.13)
        layers.append(bands.encode(y=alt.Y("low:Q", scale=scale), y2=alt.Y2("high:Q")))
    layers += [
        base.mark_line(strokeWidth=2).encode(strokeDash=look.dash),
        base.mark_point(filled=True, size=50, opacity=1).encode(shape=look.shape, tooltip=tooltip(titles)),
    ]
    if steps is not None:
        line = alt.Chart(steps).mark_line(
            color=INK, opacity=SOFT, strokeWidth=1.5, interpolate="step-after", point={"opacity": 0.01, "size": 90}
        )
        layers.append(line.encode(x=x, y=y, tooltip=tooltip(titles)))
        data = pd.concat([data, steps], ignore_index=True)
    bottom, top = domain
    last = data.sort_values(order, kind="stable").groupby("line", sort=False).tail(1)
    gap = _LABEL_HEIGHT * (top - bottom) / pixels  # the names at the ends are kept apart
    last = last.assign(label=spread(list(last["value"].clip(lower=bottom)), gap))
    names = alt.Chart(last).mark_text(align="left", dx=11, limit=LABEL_LIMIT, fontSize=FONT_SIZE, color=INK)
    return [*layers, names.encode(x=x, y=alt.Y("label:Q", scale=scale), text="line:N")]


def _domain(data: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis from the lowest to the highest figure, with a margin."""
    values = data[[name for name in ("low", "high", "value") if name in data]]
    low, high = (float(values.min().min()), float(values.max().max())) if len(data) else (0.0, 1.0)
    margin = 0.05 * (high - low) or 1.0
    return low - margin, high + margin


def length_chart(
    rows: pd.DataFrame, metric: str, *, parsers: Sequence[str], figure: str = "pooled", height: float = 360.0
) -> Any:
    """Draw the parsers' figures by sentence length.

    Parameters
    ----------
    rows : DataFrame
        From :func:`evaltools.analysis.score_by_length`.
    metric : str
        A metric id.
    parsers : sequence of str
        All parsers of the run, which fix the colors.
    figure : {"pooled", "mean"}
        Which figure.
    height : float
        Pixels.

    Returns
    -------
    altair.LayerChart
    """
    item = METRICS[metric]
    sentences = rows.groupby("bin")["sentences"].max()
    names = rows.drop_duplicates("bin").set_index("bin")["length"]
    axis_names = {at: f"{names[at]}|{sentences[at]:,}" for at in names.index}
    defined = rows[rows[figure].notna()]
    columns = {"parser": "line", "bin": "at", "length": "words"}
    columns |= {figure: "value", f"{figure}_low": "low", f"{figure}_high": "high"}
    data = in_units(defined[list(columns)].rename(columns=columns), item)
    data["bin"] = data["at"].map(axis_names)
    data["sentences"] = [f"{n:,} of {total:,}" for n, total in zip(defined["n"], defined["sentences"], strict=True)]
    x = alt.X(
        "bin:N",
        title="words of the gold sentence, and number of sentences",
        scale=alt.Scale(type="point", domain=list(axis_names.values()), padding=0.3),
        axis=alt.Axis(labelAngle=0, labelExpr="split(datum.label, '|')", grid=False, labelOverlap=False),
    )
    titles = {
        "line:N": "parser",
        "words:N": "words",
        "text:N": item.title,
        "interval:N": "95 % interval",
        "sentences:N": "parsed sentences",
    }
    styles, room = parser_styles(parsers), height - AXIS - _TWO_LINES
    layers = _lines(data, x, item.title_with_unit, _domain(data), styles, titles, room, order="at")
    return finish(layers, height)


def _rank_axis(data: pd.DataFrame, title: str) -> alt.X:
    maximum = max(int(data["rank"].max()), 2) if len(data) else 2
    return alt.X(
        "rank:Q",
        title=title,
        scale=alt.Scale(domain=[1, maximum], nice=False),
        axis=alt.Axis(tickMinStep=1, tickCount=min(maximum, 10), format="d", grid=False),
    )


def nbest_chart(by_rank: pd.DataFrame, oracle: pd.DataFrame) -> dict[str, Any]:
    """Draw the mean F1 of each rank, one line per configuration of EDM, and that of the best analysis so far."""
    names = {name: METRICS[name].short for name in dict.fromkeys(by_rank["metric"])}
    by_rank = by_rank.assign(line=by_rank["metric"].map(names))
    rows = (part[["line", "rank", "n", "mean", "low", "high"]] for part in (by_rank, oracle.assign(line=_ORACLE)))
    data, best = (in_units(part.rename(columns={"mean": "value"}), METRICS[next(iter(names))]) for part in rows)
    every = pd.concat([data, best], ignore_index=True)
    x = _rank_axis(every, "rank of the analysis in the parser’s list")
    bottom, top = _domain(every)
    domain = max(bottom, 0.0), min(top, 100.0)
    titles = {
        "line:N": "figure",
        "rank:Q": "rank",
        "text:N": "mean F1, %",
        "interval:N": "95 % interval",
        "n:Q": "sentences",
    }
    styles = parser_styles(list(names.values()))
    layers = _lines(data, x, "mean F1, %", domain, styles, titles, _HEIGHT - AXIS, order="rank", steps=best)
    return specification(finish(layers, _HEIGHT))


def oracle_chart(curves: Sequence[tuple[str, pd.DataFrame]], metric: str, figure: str = "pooled") -> dict[str, Any]:
    """Draw figures against the length of the list: of the best analysis so far, and of the analyses of each rank."""
    item = METRICS[metric]
    parts = []
    for parser, rows in curves:
        for line, column, n in (("best so far", figure, "n"), ("this rank", f"own_{figure}", "parses")):
            part = rows[["rank", column, n]].set_axis(["rank", "value", "n"], axis=1)
            parts.append(part.assign(line=line if len(curves) == 1 else f"{line}: {parser}"))
    data = pd.concat(parts, ignore_index=True).dropna(subset=["value"])
    data["value"] = data["value"].astype(float) * (100.0 if item.is_share else 1.0)
    data["text"] = [decimals(value) for value in data["value"]]
    titles = {"line:N": "figure", "rank:Q": "rank", "text:N": item.title, "n:Q": "sentences"}
    x, domain = _rank_axis(data, "analyses in the list"), _domain(data)
    styles = parser_styles(list(dict.fromkeys(data["line"])))
    layers = _lines(data, x, item.title_with_unit, domain, styles, titles, _HEIGHT - AXIS, order="rank")
    return specification(finish(layers, _HEIGHT))
