"""A matrix of confused labels; a cell opens its sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.drawing.blocks import note
from evaltools.frameworks.groups import Matrix
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session import state
from evaltools.ui.widgets.choice_table import choice_name, selected_in
from evaltools.ui.widgets.saving import save_table

__all__ = ["matrix_table"]

_NAMES = "_gold"
"""The column of gold labels."""
_ROW, _NAME_WIDTH, _MAX_WIDTH = 27, 72, 130
_ERROR = "background-color: rgba(184, 80, 0, {share:.2f})"
_RIGHT = "opacity: 0.45; color: gray"


def matrix_table(matrix: Matrix, keys: tuple[str, ...], *, key: str, caption: str) -> pd.Series[Any]:
    """Show a matrix, and return the chosen pair of labels; by default the most frequent confusion."""
    counts = matrix.counts
    names = [str(name) for name in counts.columns]
    pairs = {choice_name((gold, test)): (gold, test) for gold in names for test in names if gold != test}
    gold, test = pairs.get(state.get("group"), _largest(counts))
    cell = (names.index(gold), test)
    listed = counts.astype("Int64").mask(counts == 0)
    listed.insert(0, _NAMES, ["spurious" if name == matrix.none else name for name in names])
    listed = listed.reset_index(drop=True)
    table_key = f"{key}_{hash((*names, counts.to_numpy().tobytes()))}"
    if table_key in st.session_state and _cells(table_key) != [cell]:
        st.session_state[table_key] = {"selection": {"rows": [], "columns": [], "cells": [cell]}}

    def choose() -> None:
        for row, column in _cells(table_key)[:1]:
            if column in names and names[row] != column:
                state.put(group=choice_name((names[row], column)), sentence=None, part=None)

    headings = {name: "missed" if name == matrix.none else name for name in names}
    columns: dict[str, Any] = {
        name: st.column_config.NumberColumn(heading, width=_width(max(heading, f"{counts[name].max():,}", key=len), 0))
        for name, heading in headings.items()
    }
    written = listed.style.format(thousands=",", na_rep="", subset=pd.Index(names))
    longest = max(names, key=len)
    columns[_NAMES] = st.column_config.TextColumn("gold", width=_width(longest, _NAME_WIDTH), pinned=True)
    st.dataframe(
        written.apply(_shades(counts), axis=None),
        hide_index=True,
        row_height=_ROW,
        height=_ROW * (len(names) + 1) + 12,
        column_config=columns,
        placeholder="",
        on_select=choose,
        selection_mode="single-cell",
        selection_default={"selection": {"rows": [], "columns": [], "cells": [cell]}},
        key=table_key,
    )
    text = f"Rows: gold. Columns: the parser. {matrix.description} Click a cell to list its sentences."
    show_blocks(note(text), key=f"{key}_note")
    save_table(listed.rename(columns={_NAMES: "gold"}), key, caption)
    return pd.Series(dict(zip(keys, (gold, test), strict=True)))


def _width(heading: str, min_width: int) -> int:
    """Return the width of a column in pixels."""
    return min(max(min_width, 18 + 8 * len(heading)), _MAX_WIDTH)


def _wrong(counts: pd.DataFrame) -> NDArray[np.int64]:
    """Return the counts with 0 on the diagonal."""
    wrong = counts.to_numpy(dtype=np.int64, copy=True)
    np.fill_diagonal(wrong, 0)
    return wrong


def _largest(counts: pd.DataFrame) -> tuple[str, str]:
    """Return the most frequent pair of different labels."""
    gold, test = divmod(int(_wrong(counts).argmax()), len(counts.columns))
    return str(counts.index[gold]), str(counts.columns[test])


def _shades(counts: pd.DataFrame) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Return a function to the style of each cell: errors the darker the more frequent, right counts pale."""
    wrong = _wrong(counts)
    shares = 0.08 + 0.55 * np.sqrt(wrong / max(int(wrong.max(initial=0)), 1))

    def styles(listed: pd.DataFrame) -> pd.DataFrame:
        cells = [
            [
                "",
                *(
                    _RIGHT if row == column else _ERROR.format(share=shares[row, column]) if wrong[row, column] else ""
                    for column in range(len(wrong))
                ),
            ]
            for row in range(len(wrong))
        ]
        return pd.DataFrame(cells, index=listed.index, columns=listed.columns)

    return styles


def _cells(key: str) -> list[tuple[int, str]]:
    cells = selected_in(key).get("cells", [])
    return [(int(row), str(column)) for row, column in cells]
