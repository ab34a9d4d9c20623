"""Every parser against every other: differences as cells of a matrix, shaded where they are significant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.analysis.significance import Comparison
from evaltools.charts.theme import FAINT, FONT_SIZE, INK, SOFT, finish, row_names, specification, tooltip
from evaltools.frameworks.registry import METRICS
from evaltools.text import interval_text, p_value

_AHEAD, _BEHIND = "#56B4E9", "#E69F00"
_CELL, _MIN_CELL, _TOP = 46.0, 58, 92.0
_NAMES = 170
"""Width of the names beside the cells, and of the end of the last name above them, in pixels."""
_MIN_OPACITY, _MAX_OPACITY = 0.12, 0.5


def matrix_rows(
    comparisons: Sequence[Comparison], order: Sequence[str], chosen: tuple[str, str] | None = None
) -> pd.DataFrame:
    """Arrange comparisons as cells: the row's parser against the column's."""
    largest = max((abs(item.difference) for item in comparisons if not math.isnan(item.difference)), default=0.0)
    cells: list[dict[str, Any]] = []
    for item in (side for pair in comparisons for side in (pair, pair.turned())):
        metric = METRICS[item.metric]
        significant = item.significant
        strength = _MIN_OPACITY + (_MAX_OPACITY - _MIN_OPACITY) * abs(item.difference) / largest if significant else 0.0
        text = metric.text(item.difference)
        unit = 100 if metric.is_share else 1
        cells.append(
            {
                "row": item.parser_a,
                "column": item.parser_b,
                "side": ("ahead" if item.ahead == item.parser_a else "behind") if significant else "unsure",
                "strength": strength,
                "text": f"+{text}" if item.difference > 0 else text,
                "under": f"p {p_value(item.p_adjusted)}",
                "interval": interval_text(unit * item.low, unit * item.high),
                "p": p_value(item.p),
                "adjusted": p_value(item.p_adjusted),
                "chosen": chosen is not None and {item.parser_a, item.parser_b} == set(chosen),
            }
        )
    index = {name: number for number, name in enumerate(order)}
    cells.sort(key=lambda cell: (index[cell["row"]], index[cell["column"]]))
    return pd.DataFrame(cells)


def matrix_width(n_parsers: int) -> int:
    """Return the pixels below which the matrix cannot be read."""
    return _NAMES + _MIN_CELL * n_parsers


def significance_chart(rows: pd.DataFrame, order: Sequence[str]) -> dict[str, Any]:
    """Draw the matrix; a cell that is clicked is the selection ``cell``."""
    names = list(order)
    scale = alt.Scale(domain=names, paddingInner=0.04, paddingOuter=0)
    x = alt.X(
        "column:N",
        sort=names,
        axis=alt.Axis(
            orient="top", labelAngle=-28, labelAlign="left", labelLimit=130, labelOpacity=1, labelOverlap=False
        ),
        title=None,
        scale=scale,
    )
    y = row_names("row", names).scale(scale)
    sides = alt.Scale(domain=["ahead", "behind", "unsure"], range=[_AHEAD, _BEHIND, INK])
    base = alt.Chart(rows).encode(x=x, y=y)
    grid = base.mark_rect(fill=None, stroke=INK, strokeOpacity=FAINT)
    shades = base.mark_rect(stroke=None).encode(
        color=alt.Color("side:N", scale=sides, legend=None), opacity=alt.Opacity("strength:Q", scale=None, legend=None)
    )
    rings = base.transform_filter(alt.datum.chosen).mark_rect(fill=None, stroke=INK, strokeWidth=2).encode()
    texts = base.mark_text(dy=-6, fontSize=FONT_SIZE + 1).encode(text=alt.Text("text:N"))
    below = base.mark_text(dy=10, fontSize=FONT_SIZE - 1, opacity=SOFT + 0.12).encode(text=alt.Text("under:N"))
    click = alt.selection_point(name="cell", fields=["row", "column"], toggle=False, clear=False)
    titles = {
        "row:N": "row",
        "column:N": "column",
        "text:N": "row minus column",
        "interval:N": "95 % interval",
        "p:N": "p",
        "adjusted:N": "p after Holm’s correction",
    }
    over = (
        base.mark_rect(fill="transparent", stroke=None, cursor="pointer")
        .encode(tooltip=tooltip(titles))
        .add_params(click)
    )
    drawn = finish([grid, shades, rings, texts, below, over], _CELL * len(names) + _TOP)
    return specification(drawn) | {"padding": {"left": 0, "top": 5, "right": 40, "bottom": 5}}
