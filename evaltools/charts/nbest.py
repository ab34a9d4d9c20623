"""Charts of n-best lists: F1 of EDM against rank, and what a perfect choice among the first analyses reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.charts.intervals import interval_texts
from evaltools.charts.theme import (
    AXIS,
    INK,
    SOFT,
    end_labels,
    finish,
    padded,
    parser_styles,
    series,
    specification,
    tooltip,
)
from evaltools.frameworks.registry import METRICS
from evaltools.text import decimals

_ORACLE = "EDM, best so far"


def nbest_chart(by_rank: pd.DataFrame, oracle: pd.DataFrame, *, height: float = 380.0) -> dict[str, Any]:
    """Draw the mean F1 of each rank, one line per configuration of EDM."""
    titles = {name: METRICS[name].heading for name in dict.fromkeys(by_rank["metric"])}
    look = series("line", parser_styles(list(titles.values())))
    data = _percentages(by_rank.assign(line=by_rank["metric"].map(titles)))
    best = _percentages(oracle.assign(line=_ORACLE))
    every = pd.concat([data, best], ignore_index=True)
    ends = every[["low", "high", "value"]]
    bottom, top = padded(ends.min(axis="columns"), ends.max(axis="columns"), 0.04)
    bottom, top = max(bottom, 0.0), min(top, 100.0)
    x = _rank_axis(every, "rank of the analysis in the parser’s list")
    scale = alt.Scale(domain=[bottom, top], nice=False, zero=False)
    y = alt.Y("value:Q", scale=scale, title="mean F1, %", axis=alt.Axis(tickCount=6))
    texts = tooltip(
        {
            "line:N": "figure",
            "rank:Q": "rank",
            "text:N": "mean F1, %",
            "interval:N": "95 % interval",
            "n:Q": "sentences",
        }
    )
    base = alt.Chart(data)
    layers = [
        base.mark_area(opacity=0.12).encode(x=x, y=alt.Y("low:Q", scale=scale), y2=alt.Y2("high:Q"), color=look.color),
        base.mark_line(strokeWidth=2).encode(x=x, y=y, color=look.color, strokeDash=look.dash),
        base.mark_point(filled=True, size=36, opacity=1).encode(
            x=x, y=y, color=look.color, shape=look.shape, tooltip=texts
        ),
        alt.Chart(best)
        .mark_line(
            color=INK, opacity=SOFT, strokeWidth=1.5, interpolate="step-after", point={"opacity": 0.01, "size": 90}
        )
        .encode(x=x, y=y, tooltip=texts),
        end_labels(every, x, (bottom, top), height - AXIS, name="line", order="rank"),
    ]
    return specification(finish(layers, height))


def _percentages(rows: pd.DataFrame) -> pd.DataFrame:
    data = rows[["line", "rank", "n"]].assign(
        value=100 * rows["mean"].astype(float),
        low=100 * rows["low"].astype(float),
        high=100 * rows["high"].astype(float),
    )
    data["text"] = [decimals(value) for value in data["value"]]
    data["interval"] = interval_texts(data)
    return data


def _rank_axis(data: pd.DataFrame, title: str) -> alt.X:
    maximum = max(int(data["rank"].max()), 2) if len(data) else 2
    return alt.X(
        "rank:Q",
        title=title,
        scale=alt.Scale(domain=[1, maximum], nice=False),
        axis=alt.Axis(tickMinStep=1, tickCount=min(maximum, 10), format="d", grid=False),
    )


def oracle_chart(
    curves: Sequence[tuple[str, pd.DataFrame]], metric: str, figure: str = "pooled", *, height: float = 300.0
) -> dict[str, Any]:
    """Draw figures against the length of the list: of the best analysis so far, and of the analyses of each rank."""
    item = METRICS[metric]
    unit = 100.0 if item.is_share else 1.0
    data = pd.concat(
        [
            pd.DataFrame(
                {
                    "line": line if len(curves) == 1 else f"{line}: {parser}",
                    "rank": rows["rank"],
                    "value": rows[column].astype(float) * unit,
                    "n": rows[n],
                }
            )
            for parser, rows in curves
            for line, column, n in (("best so far", figure, "n"), ("this rank", f"own_{figure}", "parses"))
        ],
        ignore_index=True,
    ).dropna(subset=["value"])
    data["text"] = [decimals(value) for value in data["value"]]
    look = series("line", parser_styles(list(dict.fromkeys(data["line"]))))
    bottom, top = padded(data["value"], data["value"], 0.06)
    scale = alt.Scale(domain=[bottom, top], nice=False, zero=False)
    x = _rank_axis(data, "analyses in the list")
    y = alt.Y("value:Q", scale=scale, title=item.title_with_unit, axis=alt.Axis(tickCount=5))
    base = alt.Chart(data)
    layers = [
        base.mark_line(strokeWidth=2).encode(x=x, y=y, color=look.color, strokeDash=look.dash),
        base.mark_point(filled=True, size=44, opacity=1).encode(
            x=x,
            y=y,
            color=look.color,
            shape=look.shape,
            tooltip=tooltip({"line:N": "figure", "rank:Q": "rank", "text:N": item.title, "n:Q": "sentences"}),
        ),
        end_labels(data, x, (bottom, top), height - AXIS, name="line", order="rank"),
    ]
    return specification(finish(layers, height))
