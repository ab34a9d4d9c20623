"""Signed numbers in tables, written with a true minus sign."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from evaltools.frameworks.wording import with_minus

__all__ = ["MAX_STYLED", "with_signs"]

MAX_STYLED = 1_000
"""Longer tables have hyphens: pandas takes several hundredths of a millisecond for each cell."""

_FORMAT = re.compile(r"%\+?(\.\d+f|d)( %%)?")


def with_signs(rows: pd.DataFrame, columns: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return a table and the configuration of its columns, both for `st.dataframe`.

    Columns with negative numbers and a format of printf are written here; other columns, and long tables, stay as they
    are: the browser writes them.

    Examples
    --------
    >>> import streamlit as st
    >>> column = st.column_config.NumberColumn("A − B", format="%+.1f")
    >>> shown, _ = with_signs(pd.DataFrame({"n": [1.5, -2.0]}), {"n": column})
    >>> [row[1]["display_value"] for row in shown._translate(False, False)["body"]]
    ['+1.5', '−2.0']
    """
    columns = dict(columns)
    if len(rows) > MAX_STYLED:
        return rows, columns
    written: dict[Any, Any] = {}
    for name, column in columns.items():
        form = str((column.get("type_config") or {}).get("format") or "")
        if name in rows and _FORMAT.fullmatch(form) and bool((rows[name] < 0).any()):
            written[name] = partial(_signed, form)
            columns[name] = {**column, "type_config": {**column["type_config"], "format": None}}
    return (rows.style.format(written, na_rep="–") if written else rows), columns


def _signed(form: str, value: float) -> str:
    return with_minus(form % value)
