"""A table of anything to choose a row from; the choice stands in the URL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Literal

import pandas as pd
import streamlit as st

from evaltools.ui.session import state
from evaltools.ui.widgets.saving import save_table
from evaltools.ui.widgets.signed_numbers import with_signs

__all__ = [
    "SELECTS",
    "choice_name",
    "choice_table",
    "chosen_row",
    "first_index",
    "keep_selected",
    "selected_in",
    "selected_rows",
]

SELECTS: tuple[Literal["single-row", "single-cell"], ...] = ("single-row", "single-cell")
"""What a click on a table of rows selects: its box or any of its cells."""

_FIRST = "evaltools_first_selection"
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
    whole: Callable[[], pd.DataFrame] | None = None,
    pale: Sequence[int] = (),
    titles: Mapping[str, str] = MappingProxyType({}),
) -> pd.Series | None:
    """Show rows; the chosen one stands in the URL by its keys, by default the first one that is not pale.

    `whole`: the table that is saved, if longer. `pale`: indices of rows in gray. `titles`: those of the columns of the
    saved table that have shorter ones on the page.
    """
    if rows.empty:
        return None
    names = [choice_name(values) for values in rows[list(keys)].astype(str).to_numpy().tolist()]
    value = state.get(name)
    index = names.index(value) if value in names else first_index(len(names), pale)
    digest = blake2b("\n".join(names).encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
    table_key = f"{key}_{digest}"
    first = keep_selected(table_key, [index])

    def chosen() -> None:
        indices = [item for item in selected_rows(table_key) if 0 <= item < len(names)]
        if indices:
            state.put(**{name: names[indices[0]]}, **dict.fromkeys(also))

    written, configuration = with_signs(rows[list(columns)], columns, pale=pale)
    st.dataframe(
        written,
        hide_index=True,
        row_height=_ROW,
        height=min(height, _ROW + 4 + _ROW * len(rows)),
        column_config=configuration,
        placeholder="–",
        on_select=chosen,
        selection_mode=SELECTS,
        selection_default=first,
        key=table_key,
    )
    full = {item: about.get("label") or item for item, about in columns.items()} | dict(titles)

    def saved() -> pd.DataFrame:
        return (rows if whole is None else whole())[list(columns)].rename(columns=full)

    save_table(saved, key, caption)
    return rows.iloc[index]


def first_index(n: int, pale: Sequence[int]) -> int:
    """Return the index of the first of some rows that is not pale; 0 if all are.

    Examples
    --------
    >>> first_index(3, [0, 1]), first_index(1, [0])
    (2, 0)
    """
    return next((index for index in range(n) if index not in pale), 0)


def chosen_row(rows: pd.DataFrame, keys: Sequence[str], name: str, pale: Sequence[int] = ()) -> pd.Series[Any]:
    """Return the row of which the URL has the keys; the first row that is not pale by default."""
    names = [choice_name(values) for values in rows[list(keys)].astype(str).to_numpy().tolist()]
    value = state.get(name)
    return rows.iloc[names.index(value) if value in names else first_index(len(names), pale)]


def selected_in(key: str) -> Mapping[str, Any]:
    """Return what is selected in a table or chart; nothing in one that is no longer on the page."""
    selected: Mapping[str, Any] = st.session_state.get(key, {}).get("selection", {})
    return selected


def selected_rows(key: str) -> list[int]:
    """Return the row that is selected in a table, by a cell of it or by its box; empty if none is."""
    selected = selected_in(key)
    cells = selected.get("cells", [])
    return [int(cells[0][0])] if cells else [int(row) for row in selected.get("rows", [])]


def keep_selected(key: str, rows: list[int]) -> Any:
    """Mark the box of the row that is chosen, and no cell, in a table that is drawn again; return its first selection.

    The first selection stays as it was when the table was first drawn: the browser keeps a long table that has not
    changed, and the server does not send it again.
    """
    wanted = {"selection": {"rows": rows, "columns": [], "cells": []}}
    firsts: dict[str, Any] = st.session_state.get(_FIRST, {})
    # A page that was left is drawn again, with a table that the session has forgotten and the browser has not, if what
    # was written in one of its fields comes after the click on a link to another page.
    if key not in st.session_state or key not in firsts:
        kept = {name: first for name, first in firsts.items() if name in st.session_state}
        st.session_state[_FIRST] = kept | {key: wanted}
    elif selected_rows(key) != rows or selected_in(key).get("cells"):
        st.session_state[key] = wanted
    return st.session_state[_FIRST][key]
