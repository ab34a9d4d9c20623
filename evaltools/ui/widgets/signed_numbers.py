"""Numbers in tables: with a true minus sign, and commas between thousands, as texts have them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from evaltools.text import column_format, with_minus

__all__ = ["MAX_STYLED", "number_format", "with_signs"]

MAX_STYLED = 300
"""Longer tables are written by the browser, negative numbers with hyphens: pandas takes several hundredths of a
millisecond a cell."""

_FORMAT = re.compile(r"%(\+?)(\.\d+f|d)( %%)?")
_COMMAS = "accounting"
"""The only format of the browser with commas in every language; it puts negative numbers in parentheses."""
_PALE = "color: gray"


def number_format(values: pd.Series[Any], *, decimals: int = 1, signed: bool = False) -> str:
    """Return the format of counts, with decimals if one of them has.

    Examples
    --------
    >>> number_format(pd.Series([2.0, 3.0])), number_format(pd.Series([-0.5, 3.0]), signed=True)
    ('%d', '%+.1f')
    """
    is_whole = bool((values.dropna() % 1 == 0).all())
    return column_format(0 if is_whole else decimals, signed=signed)


def with_signs(
    rows: pd.DataFrame, columns: Mapping[str, Any], *, pale: Sequence[int] = ()
) -> tuple[Any, dict[str, Any]]:
    """Return a table and the configuration of its columns, both for `st.dataframe`; rows at some indices are gray.

    Columns with negative or large numbers and a format of printf are written here; other columns stay as they are. Long
    tables are written by the browser, large counts with commas.

    Examples
    --------
    >>> import streamlit as st
    >>> column = st.column_config.NumberColumn("A − B", format="%+.1f")
    >>> shown, _ = with_signs(pd.DataFrame({"n": [1.5, -2000.0]}), {"n": column})
    >>> [row[1]["display_value"] for row in shown._translate(False, False)["body"]]
    ['+1.5', '−2,000.0']
    """
    columns = dict(columns)
    if len(rows) > MAX_STYLED:
        return _with_commas(rows, columns)
    written: dict[Any, Any] = {}
    for name, column in columns.items():
        form = _FORMAT.fullmatch(str((column.get("type_config") or {}).get("format") or ""))
        if name in rows and form is not None and bool(((rows[name] < 0) | (rows[name] >= 1000)).any()):
            sign, digits, percent = form.groups(default="")
            written[name] = partial(_written, f"{{:{sign},{digits.replace('d', '.0f')}}}{percent.replace('%%', '%')}")
            columns[name] = {**column, "type_config": {**column["type_config"], "format": None}}
    if not written and not len(pale):
        return rows, columns
    style = rows.style.format(written, na_rep="–")
    if len(pale):
        style = style.apply(lambda row: [_PALE] * len(row), axis=1, subset=pd.IndexSlice[rows.index[list(pale)], :])
    return style, columns


def _with_commas(rows: pd.DataFrame, columns: dict[str, Any]) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Configure the columns of counts, or amounts, so that the browser writes commas."""
    for name, column in columns.items():
        form = _FORMAT.fullmatch(str((column.get("type_config") or {}).get("format") or ""))
        if name not in rows or form is None or not bool((rows[name] >= 1000).any()) or bool((rows[name] < 0).any()):
            continue
        sign, digits, percent = form.groups(default="")
        if sign or percent:
            continue
        decimals = 0 if digits == "d" else int(digits[1:-1])
        rows = rows.assign(**{name: rows[name].round(decimals)})  # the browser cuts what is beyond the step
        columns[name] = {**column, "type_config": {**column["type_config"], "format": _COMMAS, "step": 10**-decimals}}
    return rows, columns


def _written(form: str, value: float) -> str:
    return with_minus(form.format(value))
