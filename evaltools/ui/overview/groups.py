"""Figures of groups of sentences, such as genres, with intervals over sentences or documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.by_group import FEW_UNITS, few_units, figures_by_group
from evaltools.charts.intervals import figure_text
from evaltools.drawing.blocks import note
from evaltools.frameworks.registry import METRICS
from evaltools.runs.metadata import plural_of
from evaltools.runs.store import Run
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session.data import cached_by_run
from evaltools.ui.widgets.folding import folded
from evaltools.ui.widgets.metadata import chosen_cluster, key_picker, keys
from evaltools.ui.widgets.saving import save_table

__all__ = ["groups_section"]


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
    table = []
    for start in range(0, len(rows), len(run.parsers)):
        own = rows.iloc[start : start + len(run.parsers)].set_index("parser")
        cells = [_cell(own.loc[parser].to_dict(), figure, share=item.is_share) for parser in order]
        name = "all sentences" if start + len(run.parsers) >= len(rows) else str(own["group"].iloc[0])
        table.append((name, int(own["sentences"].iloc[0]), int(own["units"].iloc[0]), *cells))
    # names from data are titles, not names of columns: two may be the same
    titles = {"group": by or " ", "sentences": "Sentences", "units": drawn.capitalize()}
    titles |= {f"parser_{index}": parser for index, parser in enumerate(order)}
    frame = pd.DataFrame(table, columns=list(titles))
    frame = frame if cluster else frame.drop(columns="units")
    columns: dict[str, Any] = {name: st.column_config.TextColumn(titles[name]) for name in frame.columns}
    columns["group"] = st.column_config.TextColumn(titles["group"], width=170, pinned=True)
    for name in ("sentences", "units"):
        columns[name] = st.column_config.NumberColumn(titles[name], format="localized", width=84)
    st.dataframe(
        frame,
        hide_index=True,
        row_height=30,
        height=min(34 + 30 * len(frame), 424),
        column_config=columns,
        key=f"groups_{by}_{metric}_{cluster}",
    )
    unit = "percent, " if item.is_share else "per sentence, "
    text = f"{item.title}, {unit}with 95 % intervals from 1,000 resamples of {drawn}; n where not all sentences count."
    if cluster and (rows["units"] < FEW_UNITS).any():
        text += f" {few_units(drawn)}."
    show_blocks(note(text), key="groups_note")
    save_table(frame.rename(columns=titles), "groups", f"{text}\n{run.signature}")


def _cell(row: Mapping[Any, Any], figure: str, *, share: bool) -> str:
    """Return a figure with its interval, and its number of sentences if not all of the group have it."""
    low, high = row[f"{figure}_low"], row[f"{figure}_high"]
    interval = "" if low != low else f"  [{figure_text(low, share=share)}, {figure_text(high, share=share)}]"
    n = "" if row[f"n_{figure}"] == row["sentences"] else f"  n {int(row[f'n_{figure}']):,}"
    return f"{figure_text(row[figure], share=share)}{interval}{n}"
