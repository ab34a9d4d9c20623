"""The bump chart: ranks of the parsers under every variant of the metrics, with who passes whom."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import altair as alt
import pandas as pd

from evaltools.analysis.rankings import Crossing, Variant
from evaltools.charts.theme import AXIS, FONT_SIZE, INK, LABEL_LIMIT, finish, parser_styles, series, tooltip
from evaltools.frameworks.figures import AVERAGES
from evaltools.frameworks.registry import METRICS
from evaltools.text import number

_STEP = 24.0
"""Pixels from variant to variant."""
_GAP = 0.5
"""Extra distance between micro and macro figures, in rows."""
_NAME_ANGLE = -40
"""Degrees, so that names of parsers stand above ranks that are near each other."""


def _positions(variants: Sequence[Variant]) -> list[float]:
    """Return the positions of the rows, with a gap where micro figures end and macro figures begin."""
    steps = (1 + _GAP * (before.figure != variant.figure) for before, variant in pairwise(variants))
    return list(accumulate(steps, initial=0.0))


def bump_data(figures: pd.DataFrame, ranks: pd.DataFrame, variants: Sequence[Variant]) -> pd.DataFrame:
    """Return one row per parser and variant, with its position in the chart."""
    rows = []
    for row, variant in zip(_positions(variants), variants, strict=True):
        column = dict(zip(ranks.index, ranks[variant.id].tolist(), strict=True))
        scores = dict(zip(figures.index, figures[variant.id].tolist(), strict=True))
        for parser, rank in column.items():
            if math.isnan(rank):
                continue
            tied = [other for other in column if column[other] == rank]
            middle = rank + (len(tied) - 1) / 2
            aside = 0.3 * (tied.index(parser) - (len(tied) - 1) / 2)
            rows.append(
                {
                    "parser": parser,
                    "variant": variant.title,
                    "row": row,
                    "column": middle + aside,
                    "rank": number(rank) + ("=" if len(tied) > 1 else ""),
                    "score": METRICS[variant.metric].text(scores[parser], sign=True),
                }
            )
    return pd.DataFrame(rows, columns=["parser", "variant", "row", "column", "rank", "score"])


def crossing_points(
    data: pd.DataFrame, crossings: Sequence[Crossing], texts: Sequence[str], variants: Sequence[Variant]
) -> pd.DataFrame:
    """Return the points of parsers where they have passed another one."""
    positions = _positions(variants)
    passed = [(item.up, positions[item.after], text) for item, text in zip(crossings, texts, strict=True)]
    points = pd.DataFrame(passed, columns=["parser", "row", "text"])
    joined: pd.DataFrame = points.groupby(["parser", "row"], sort=False)["text"].agg(list).str.join(" · ").reset_index()
    return joined.merge(data[["parser", "row", "column"]], on=["parser", "row"])


def bump_chart(
    figures: pd.DataFrame,
    ranks: pd.DataFrame,
    variants: Sequence[Variant],
    found: Sequence[Crossing] = (),
    texts: Sequence[str] = (),
    *,
    parsers: Sequence[str] | None = None,
) -> Any:
    """Draw the ranks of the parsers under every variant.

    Parameters
    ----------
    figures, ranks : DataFrame
        From `evaltools.analysis.figures_by_variant` and `evaltools.analysis.rank_parsers`.
    variants : sequence of Variant
        The columns.
    found : sequence of Crossing
        Changes of rank; a ring marks the parser that has passed the other one.
    texts : sequence of str
        The tooltip of each.
    parsers : sequence of str, optional
        All parsers of the run, which fix the colors; those in `figures` if not given.

    Returns
    -------
    altair.LayerChart
    """
    look = series("parser", parser_styles(list(parsers or figures.index)))
    data, positions, n = bump_data(figures, ranks, variants), _positions(variants), len(figures)
    names = [f"{METRICS[variant.metric].short}, {AVERAGES[variant.figure]}" for variant in variants]
    x = alt.X(
        "column:Q",
        title="rank",
        scale=alt.Scale(domain=[0.5, n + 0.5], nice=False, zero=False),
        axis=alt.Axis(values=list(range(1, n + 1)), format="d", grid=False),
    )
    y = alt.Y(
        "row:Q",
        title=None,
        scale=alt.Scale(domain=[-0.5, positions[-1] + 0.5], reverse=True, nice=False, zero=False),
        axis=alt.Axis(
            values=positions,
            labelExpr=f"{json.dumps(names)}[indexof({json.dumps(positions)}, datum.value)]",
            labelLimit=LABEL_LIMIT,
            labelOverlap=False,
            labelOpacity=1,
        ),
    )
    hover = alt.selection_point(
        name="hover", on="pointerover", clear="pointerout", fields=["parser"], nearest=True, empty=True
    )
    faded = alt.condition(hover, alt.value(1.0), alt.value(0.25))
    base = alt.Chart(data).encode(x=x, y=y, color=look.color, opacity=faded)
    titles = {"parser:N": "parser", "variant:N": "variant", "rank:N": "rank", "score:N": "score"}
    first = data.sort_values("row", kind="stable").groupby("parser", sort=False).head(1)
    above = alt.Chart(first).mark_text(
        align="left",
        baseline="middle",
        dx=9,
        dy=-9,
        angle=_NAME_ANGLE % 360,
        limit=LABEL_LIMIT,
        fontSize=FONT_SIZE,
        color=INK,
    )
    layers: list[Any] = [
        base.mark_line(strokeWidth=2.6, strokeJoin="round", strokeCap="round").encode(order=alt.Order("row:Q")),
        base.mark_point(filled=True, size=95).encode(shape=look.shape, tooltip=tooltip(titles)).add_params(hover),
        above.encode(x=x, y=y, text=alt.Text("parser:N"), opacity=faded, tooltip=tooltip({"parser:N": "parser"})),
    ]
    rings = crossing_points(data, found, texts, variants)
    if len(rings):
        layers.append(
            alt.Chart(rings)
            .mark_point(size=330, shape="circle", stroke=INK, strokeWidth=1.6, fill="transparent", opacity=1)
            .encode(x=x, y=y, tooltip=tooltip({"text:N": "swapped ranks"}))
        )
    return finish(layers, _STEP * (positions[-1] + 1) + AXIS)
