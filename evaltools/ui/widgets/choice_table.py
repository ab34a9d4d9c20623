"""A table of anything to choose a row from; the choice stands in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.ui.session import state
from evaltools.ui.widgets.saving import save_table

__all__ = ["choice_name", "choice_table"]

_ROW = 30
_BETWEEN = " · "


def choice_name(values: Sequence[object]) -> str:
    """Return what the URL says of a row with these keys."""
    return _BETWEEN.join(map(str, values))


def choice_table(
    rows: pd.DataFrame,
    keys: Sequence[str],
    *,
    key: str,
    name: str,
    columns: dict[str, Any],
    caption: str,
    height: int = 416,
    also: Sequence[str] = (),
) -> pd.Series | None:
    """Show rows; the chosen one stands in the URL by its keys.

    Parameters
    ----------
    rows : DataFrame
        What to choose from, in the order to show.
    keys : sequence of str
        Columns that tell the rows apart.
    key : str
        The table's key; a fingerprint of the rows is added, because a selection belongs to positions.
    name : str
        The URL's name for the choice.
    columns : dict
        The columns to show and their configuration.
    caption : str
        What the table shows, and how its figures came about; goes with the files it is saved as.
    height : int
        Most pixels.
    also : sequence of str
        Names of the URL to remove when another row is chosen.

    Returns
    -------
    Series or None
        The chosen row; the first while the URL names none; None where there is no row.
    """
    if rows.empty:
        return None
    names = [choice_name(values) for values in rows[list(keys)].astype(str).to_numpy().tolist()]
    said = state.get(name)
    place = names.index(said) if said in names else 0
    digest = blake2b("\n".join(names).encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
    table_key = f"{key}_{digest}"
    if table_key in st.session_state and _selected(table_key) != [place]:
        st.session_state[table_key] = {"selection": {"rows": [place], "columns": [], "cells": []}}

    def chosen() -> None:
        places = [one for one in _selected(table_key) if 0 <= one < len(names)]
        if places:
            state.put(**{name: names[places[0]]}, **dict.fromkeys(also))

    st.dataframe(
        rows[list(columns)],
        hide_index=True,
        row_height=_ROW,
        height=min(height, _ROW + 4 + _ROW * len(rows)),
        column_config=columns,
        placeholder="–",
        on_select=chosen,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [place]}},
        key=table_key,
    )
    titles = {one: about.get("label") or one for one, about in columns.items()}
    save_table(rows[list(columns)].rename(columns=titles), key, caption)
    return rows.iloc[place]


def _selected(key: str) -> list[int]:
    return list(st.session_state[key].get("selection", {}).get("rows", []))
