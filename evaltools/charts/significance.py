"""Every parser against every other: differences as cells of a matrix, shaded where they are significant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from evaltools.analysis.significance import Comparison
from evaltools.analysis.standing import p_text
from evaltools.charts.intervals import between, shown
from evaltools.charts.theme import FAINT, FONT_SIZE, INK, LABEL_LIMIT, SOFT, finish, specification
from evaltools.metrics import METRICS

__all__ = ["matrix_rows", "matrix_width", "significance_chart"]

_AHEAD, _BEHIND = "#56B4E9", "#E69F00"
_CELL, _NARROWEST, _TOP = 46.0, 55, 92.0
_WEAKEST, _STRONGEST = 0.12, 0.5


def matrix_rows(
    found: Sequence[Comparison], order: Sequence[str], chosen: tuple[str, str] | None = None
) -> pd.DataFrame:
    """Arrange comparisons as cells: the row's parser against the column's.

    Parameters
    ----------
    found : sequence of Comparison
        Every two parsers, once.
    order : sequence of str
        The parsers in the order of rows and columns.
    chosen : (str, str), optional
        The pair that is outlined.

    Returns
    -------
    DataFrame
        ``row``, ``column``, ``side`` (``ahead``, ``behind`` or ``unsure``), ``strength`` (of the shade), ``text`` (the
        difference), ``under`` (the p-value), ``interval``, ``p``, ``adjusted``, ``chosen``.
    """
    largest = max((abs(one.difference) for one in found if one.difference == one.difference), default=0.0)
    cells: list[dict[str, Any]] = []
    for one in (side for pair in found for side in (pair, pair.turned())):
        share = METRICS[one.metric].is_share
        sure = one.significant
        strength = _WEAKEST + (_STRONGEST - _WEAKEST) * abs(one.difference) / largest if sure else 0.0
        text = shown(one.difference, share=share)
        unit = 100 if share else 1
        cells.append(
            {
                "row": one.one,
                "column": one.other,
                "side": ("ahead" if one.ahead == one.one else "behind") if sure else "unsure",
                "strength": strength,
                "text": f"+{text}" if one.difference > 0 else text.replace("-", "−"),
                "under": f"p {p_text(one.p_adjusted)}",
                "interval": between(unit * one.low, unit * one.high),
                "p": p_text(one.p),
                "adjusted": p_text(one.p_adjusted),
                "chosen": chosen is not None and {one.one, one.other} == set(chosen),
            }
        )
    place = {name: number for number, name in enumerate(order)}
    cells.sort(key=lambda cell: (place[cell["row"]], place[cell["column"]]))
    return pd.DataFrame(cells)


def matrix_width(n_parsers: int) -> int:
    """Return the pixels below which the matrix cannot be read."""
    return 120 + _NARROWEST * n_parsers


def significance_chart(rows: pd.DataFrame, order: Sequence[str]) -> dict[str, Any]:
    """Draw the matrix; a cell that is clicked is the selection ``cell``.

    Parameters
    ----------
    rows : DataFrame
        From :func:`matrix_rows`.
    order : sequence of str
        The parsers in the order of rows and columns.

    Returns
    -------
    dict
        Vega-Lite.
    """
    names = list(order)
    places = alt.Scale(domain=names, paddingInner=0.04, paddingOuter=0)
    x = alt.X(
        "column:N",
        sort=names,
        axis=alt.Axis(
            orient="top", labelAngle=-28, labelAlign="left", labelLimit=130, labelOpacity=1, labelOverlap=False
        ),
        title=None,
        scale=places,
    )
    y = alt.Y("row:N", sort=names, title=None, scale=places, axis=alt.Axis(labelLimit=LABEL_LIMIT, labelOpacity=1))
    sides = alt.Scale(domain=["ahead", "behind", "unsure"], range=[_AHEAD, _BEHIND, INK])
    base = alt.Chart(rows).encode(x=x, y=y)
    grid = base.mark_rect(fill=None, stroke=INK, strokeOpacity=FAINT)
    shades = base.mark_rect(stroke=None).encode(
        color=alt.Color("side:N", scale=sides, legend=None), opacity=alt.Opacity("strength:Q", scale=None, legend=None)
    )
    rings = base.transform_filter(alt.datum.chosen).mark_rect(fill=None, stroke=INK, strokeWidth=2).encode()
    texts = base.mark_text(dy=-6, fontSize=FONT_SIZE + 1).encode(text="text:N")
    below = base.mark_text(dy=10, fontSize=FONT_SIZE - 2, opacity=SOFT + 0.12).encode(text="under:N")
    click = alt.selection_point(name="cell", fields=["row", "column"], toggle=False, clear=False)
    tooltip = [
        alt.Tooltip("row:N", title="row"),
        alt.Tooltip("column:N", title="column"),
        alt.Tooltip("text:N", title="row minus column"),
        alt.Tooltip("interval:N", title="95 % interval"),
        alt.Tooltip("p:N", title="p"),
        alt.Tooltip("adjusted:N", title="p after Holm’s correction"),
    ]
    over = base.mark_rect(fill="transparent", stroke=None, cursor="pointer").encode(tooltip=tooltip).add_params(click)
    return specification(finish([grid, shades, rings, texts, below, over], _CELL * len(names) + _TOP))
