"""The bump chart: ranks of the parsers under every variant of the metrics, changes of rank marked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from typing import Any

import altair as alt
import pandas as pd

from evaltools.analysis.rankings import Crossing, Variant
from evaltools.charts.theme import FAINT, FONT_SIZE, INK, LABEL_LIMIT, SOFT, finish, parser_styles, series, tooltip
from evaltools.frameworks.registry import METRICS
from evaltools.text import number

_STEP = 38.0
"""Pixels from rank to rank."""
_GAP = 0.5
"""Extra distance between the pooled variants and the means, in columns."""
_HEADING_GAP = 0.4
"""Extra distance beside a group of one column, whose heading is wider than the column."""
_HEADINGS = 66.0
"""Pixels for the three lines of headings."""


def _positions(variants: Sequence[Variant]) -> list[float]:
    """Return the positions of the columns, with a gap where micro figures end and macro figures begin."""
    sizes = Counter((variant.figure, variant.group) for variant in variants)
    positions = [0.0]
    for before, variant in pairwise(variants):
        groups = {(before.figure, before.group), (variant.figure, variant.group)}
        extra = _GAP if before.figure != variant.figure else 0.0
        if len(groups) > 1 and any(sizes[group] == 1 for group in groups):
            extra = max(extra, _HEADING_GAP)
        positions.append(positions[-1] + 1 + extra)
    return positions


def bump_data(figures: pd.DataFrame, ranks: pd.DataFrame, variants: Sequence[Variant]) -> pd.DataFrame:
    """Return one row per parser and variant, with its position in the chart."""
    rows = []
    for x, variant in zip(_positions(variants), variants, strict=True):
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
                    "x": x,
                    "y": middle + aside,
                    "rank": number(rank) + ("=" if len(tied) > 1 else ""),
                    "score": METRICS[variant.metric].text(scores[parser], sign=True),
                }
            )
    return pd.DataFrame(rows, columns=["parser", "variant", "x", "y", "rank", "score"])


def crossing_points(
    data: pd.DataFrame, crossings: Sequence[Crossing], texts: Sequence[str], variants: Sequence[Variant]
) -> pd.DataFrame:
    """Return where the lines of two parsers cross."""
    heights: dict[tuple[str, float], float] = {
        (parser, x): y for parser, x, y in zip(data["parser"], data["x"], data["y"], strict=True)
    }
    columns = _positions(variants)
    points: dict[tuple[float, float], list[str]] = {}
    for crossing, text in zip(crossings, texts, strict=True):
        between = columns[crossing.before : crossing.after + 1]
        for left, right in pairwise(between):
            ends = [heights.get((parser, x)) for x in (left, right) for parser in (crossing.up, crossing.down)]
            up_left, down_left, up_right, down_right = ends
            if up_left is None or down_left is None or up_right is None or down_right is None:
                continue
            before, after = up_left - down_left, up_right - down_right
            if before > 0 >= after or before >= 0 > after:
                share = before / (before - after)
                point = (round(left + share * (right - left), 6), round(up_left + share * (up_right - up_left), 6))
                points.setdefault(point, []).append(text)
                break
    rows = [{"x": x, "y": y, "text": " · ".join(value)} for (x, y), value in points.items()]
    return pd.DataFrame(rows, columns=["x", "y", "text"])


def _headings(variants: Sequence[Variant]) -> pd.DataFrame:
    """Return the headings: normalization, mapping with part, figure; each over its columns."""
    positions = _positions(variants)
    names = {"pooled": "micro: over the corpus", "mean": "macro: over the sentences"}
    lines: tuple[tuple[int, Callable[[Variant], object], Callable[[Variant], str]], ...] = (
        (1, lambda variant: (variant.figure, variant.group, variant.norm), lambda variant: variant.norm),
        (
            2,
            lambda variant: (variant.figure, variant.group),
            lambda variant: variant.part or variant.mapping,
        ),
        (3, lambda variant: variant.figure, lambda variant: names.get(variant.figure, variant.figure)),
    )
    rows = []
    for line, key, name in lines:
        at = 0
        for _, together in groupby(variants, key=key):
            members = list(together)
            first, last = positions[at], positions[at + len(members) - 1]
            rows.append({"line": line, "text": name(members[0]), "x": (first + last) / 2, "x1": first, "x2": last})
            at += len(members)
    return pd.DataFrame(rows)


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
        Changes of rank, marked with a ring.
    texts : sequence of str
        The tooltip of each.
    parsers : sequence of str, optional
        All parsers of the run, which fix the colors; those in `figures` if not given.

    Returns
    -------
    altair.LayerChart
    """
    look = series("parser", parser_styles(list(parsers or figures.index)))
    data = bump_data(figures, ranks, variants)
    headings = _headings(variants)
    n = len(figures)
    top = 1 - 0.5 - _HEADINGS / _STEP
    columns = _positions(variants)
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[columns[0] - 0.25, columns[-1] + 0.25], nice=False))
    y_scale = alt.Scale(domain=[top, n + 0.5], reverse=True, nice=False, zero=False)
    y = alt.Y("y:Q", axis=None, scale=y_scale)
    hover = alt.selection_point(
        name="hover", on="pointerover", clear="pointerout", fields=["parser"], nearest=True, empty=True
    )
    faded = alt.condition(hover, alt.value(1.0), alt.value(0.25))

    lines = (
        alt.Chart(data)
        .mark_line(strokeWidth=2.6, strokeJoin="round", strokeCap="round")
        .encode(x=x, y=y, color=look.color, opacity=faded)
    )
    points = (
        alt.Chart(data)
        .mark_point(filled=True, size=95)
        .encode(
            x=x,
            y=y,
            color=look.color,
            opacity=faded,
            shape=look.shape,
            tooltip=tooltip({"parser:N": "parser", "variant:N": "variant", "rank:N": "rank", "score:N": "score"}),
        )
        .add_params(hover)
    )
    layers: list[Any] = [_rules(headings, x, y_scale, n), lines, points]
    ends = data.sort_values("x", kind="stable").groupby("parser", sort=False)
    for chosen, align, aside in ((ends.head(1), "right", -12), (ends.tail(1), "left", 12)):
        layers.append(
            alt.Chart(chosen)
            .mark_text(align=align, dx=aside, limit=LABEL_LIMIT, fontSize=FONT_SIZE, color=INK)  # type: ignore[arg-type]
            .encode(x=x, y=y, text=alt.Text("parser:N"), opacity=faded, tooltip=tooltip({"parser:N": "parser"}))
        )
    layers += _heading_layers(headings, x, y_scale, top)
    rings = crossing_points(data, found, texts, variants)
    if len(rings):
        layers.append(
            alt.Chart(rings)
            .mark_point(size=330, shape="circle", stroke=INK, strokeWidth=1.6, fill="transparent", opacity=1)
            .encode(x=x, y=y, tooltip=tooltip({"text:N": "swapped ranks"}))
        )
    return finish(layers, _HEADINGS + _STEP * n)


def _rules(headings: pd.DataFrame, x: alt.X, y_scale: alt.Scale, n: int) -> Any:
    """Return a faint column under each variant."""
    data = headings[headings["line"] == 1].assign(y1=0.6, y2=n + 0.4)
    return (
        alt.Chart(data)
        .mark_rule(color=INK, opacity=FAINT, strokeWidth=1)
        .encode(x=x, y=alt.Y("y1:Q", axis=None, scale=y_scale), y2=alt.Y2("y2:Q"))
    )


def _heading_layers(headings: pd.DataFrame, x: alt.X, y_scale: alt.Scale, top: float) -> list[Any]:
    """Return the headings, and a line under each group."""
    lines = []
    for line, pixels, size, weight, opacity in (
        (3, 16, FONT_SIZE, "bold", SOFT),
        (2, 36, FONT_SIZE, "bold", 1.0),
        (1, 56, FONT_SIZE - 2, "normal", SOFT),
    ):
        y = alt.Y("y:Q", axis=None, scale=y_scale)
        data = headings[headings["line"] == line].assign(y=top + pixels / _STEP, under=top + (pixels + 9) / _STEP)
        lines.append(
            alt.Chart(data)
            .mark_text(fontSize=size, fontWeight=weight, color=INK, opacity=opacity, baseline="middle")  # type: ignore[arg-type]
            .encode(x=x, y=y, text=alt.Text("text:N"))
        )
        if line > 1:
            data = data.assign(x1=data["x1"] - 0.3, x2=data["x2"] + 0.3)
            lines.append(
                alt.Chart(data)
                .mark_rule(color=INK, opacity=SOFT if line == 3 else FAINT, strokeWidth=1)
                .encode(x=alt.X("x1:Q", axis=None), x2=alt.X2("x2:Q"), y=alt.Y("under:Q", axis=None, scale=y_scale))
            )
    return lines
