"""Figures of groups of sentences, such as genres, with intervals over sentences or documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.by_group import FEW_UNITS, few_units, figures_by_group
from evaltools.drawing.blocks import note
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS
from evaltools.runs.metadata import plural_of
from evaltools.runs.store import Run
from evaltools.text import excerpt
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session.data import cached_by_run
from evaltools.ui.widgets.column_widths import heading_width, text_width
from evaltools.ui.widgets.folding import folded
from evaltools.ui.widgets.metadata import chosen_cluster, key_picker, keys
from evaltools.ui.widgets.saving import save_table
from evaltools.ui.widgets.signed_numbers import with_signs

__all__ = ["groups_section"]

_MAX_LETTERS = 20
"""Letters of a parser's name that a column of figures with intervals has room for."""


@cached_by_run(32, "Computing the figures of groups …")
def _figures(run: Run, by: str, metric: str, cluster: str) -> pd.DataFrame:
    return figures_by_group(run, by, [metric], cluster=cluster)


def groups_section(run: Run, metric: str, figure: str, order: list[str]) -> None:
    """Show the figures of all parsers by a column of the metadata; nothing if the run has none."""
    offered = keys(run)
    section = folded("Figures by genre, document or other metadata", "groups") if offered else None
    if section is None:
        return
    with section:
        with st.container(horizontal=True, vertical_alignment="bottom", key="overview_groups"):
            by = key_picker(run, "Group by", "none")
        _table(run, by, metric, figure, chosen_cluster(run), order)


def _table(run: Run, by: str, metric: str, figure: str, cluster: str, order: list[str]) -> None:
    item = METRICS[metric]
    rows = _figures(run, by, metric, cluster)
    drawn = plural_of(cluster) if cluster else "sentences"
    table: list[tuple[object, ...]] = []
    long_table: list[tuple[object, ...]] = []
    for start in range(0, len(rows), len(run.parsers)):
        own = rows.iloc[start : start + len(run.parsers)].set_index("parser")
        name = "all sentences" if start + len(run.parsers) >= len(rows) else str(own["group"].iloc[0])
        facts = name, int(own["sentences"].iloc[0]), int(own["units"].iloc[0])
        of_parsers = [own.loc[parser].to_dict() for parser in order]
        table.append((*facts, *(_cell(row, figure, item) for row in of_parsers)))
        long_table.append((*facts, *(_long_cell(row, figure, item) for row in of_parsers)))
    # names from data are titles, not names of columns: two may be the same
    titles = {"group": by or " ", "sentences": "Sentences", "units": drawn.capitalize()}
    titles |= {f"parser_{index}": parser for index, parser in enumerate(order)}
    frame, saved = (
        pd.DataFrame(listed, columns=list(titles)).drop(columns=[] if cluster else "units")
        for listed in (table, long_table)
    )
    columns: dict[str, Any] = {
        name: st.column_config.TextColumn(
            excerpt(titles[name], _MAX_LETTERS),
            help=titles[name] if len(titles[name]) > _MAX_LETTERS else None,
        )
        for name in frame.columns
    }
    columns["group"] = st.column_config.TextColumn(
        titles["group"], width=min(170, text_width(max(map(len, frame["group"])))), pinned=True
    )
    for name in ("sentences", "units"):
        columns[name] = st.column_config.NumberColumn(titles[name], format="%d", width=heading_width(titles[name]))
    written, columns = with_signs(frame, columns)
    st.dataframe(
        written,
        hide_index=True,
        row_height=30,
        height=min(34 + 30 * len(frame), 424),
        column_config=columns,
        key=f"groups_{by}_{metric}_{cluster}",
    )
    text = f"{item.title_with_unit}, with 95 % intervals from 1,000 resamples of {drawn}; "
    text += "n where not all sentences count."
    half = "± is half the interval; Save writes both ends."
    if cluster and (rows["units"] < FEW_UNITS).any():
        text += f" {few_units(drawn)}."
    show_blocks(note(f"{text} {half}"), key="groups_note")
    save_table(saved.rename(columns=titles), "groups", f"{text}\n{run.signature}")


def _cell(row: Mapping[Any, Any], figure: str, metric: Metric) -> str:
    """Return a figure with half its interval, and its number of sentences if not all of the group have it."""
    half = (row[f"{figure}_high"] - row[f"{figure}_low"]) / 2
    around = "" if half != half else f" ± {metric.text(half)}"
    return f"{metric.text(row[figure])}{around}{_n(row, figure)}"


def _long_cell(row: Mapping[Any, Any], figure: str, metric: Metric) -> str:
    """Return a figure with both ends of its interval, and its number of sentences as in `_cell`."""
    low, high = row[f"{figure}_low"], row[f"{figure}_high"]
    interval = "" if low != low else f" [{metric.text(low)}, {metric.text(high)}]"
    return f"{metric.text(row[figure])}{interval}{_n(row, figure)}"


def _n(row: Mapping[Any, Any], figure: str) -> str:
    return "" if row[f"n_{figure}"] == row["sentences"] else f" (n {int(row[f'n_{figure}']):,})"
