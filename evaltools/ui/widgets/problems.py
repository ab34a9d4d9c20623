"""The table of the problems of files: long texts are wrapped, not cut."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import pandas as pd
import streamlit as st

__all__ = ["problems_table"]

_EDGES, _LETTER = 18, 7.2
"""Pixels of the edges of a cell, and of a letter of mixed texts with the room that is lost where lines break."""
_LINE, _ONE_LINE, _MIN_WRAPPED = 20, 35, 66
"""Heights in pixels: of a line of text, of a row with one, and of the lowest rows in which the browser wraps texts."""
_MAX_LINES = 12
_MAX_HEIGHT = 400


def problems_table(rows: pd.DataFrame, widths: Mapping[str, int], *, key: str, max_height: int = _MAX_HEIGHT) -> None:
    """Show problems of files, with columns of some widths in pixels; rows are as high as the longest text needs.

    Of a file the name is shown, without its folder.
    """
    rows = rows.assign(file=[PurePath(file).name for file in rows["file"]])
    texts = [name for name in widths if not pd.api.types.is_numeric_dtype(rows[name])]
    lines = min(max(_lines(rows[name], widths[name]) for name in texts), _MAX_LINES)
    row_height = _ONE_LINE if lines == 1 else max(_MIN_WRAPPED, _ONE_LINE - _LINE + _LINE * lines)
    columns: dict[str, Any] = {name: st.column_config.Column(width=width) for name, width in widths.items()}
    st.dataframe(
        rows,
        hide_index=True,
        row_height=row_height,
        height=min(max_height, _ONE_LINE + 3 + row_height * len(rows)),
        placeholder="–",
        column_config=columns,
        key=key,
    )


def _lines(texts: pd.Series[Any], width: int) -> int:
    """Return the number of lines that the longest of some texts needs in a column."""
    longest = max((len(text) for text in texts.dropna().astype(str)), default=0)
    return max(1, -(-longest // int((width - _EDGES) / _LETTER)))
