"""Tables in which rows or cells are chosen: selections, widths of columns, signed numbers; and lists of problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, Literal

import pandas as pd
import streamlit as st

from evaltools.app.session import state
from evaltools.app.widgets.saving import save, save_table, table_files
from evaltools.blocks import Column, Format, Table
from evaltools.text import P_VALUES, column_format, with_minus

_EDGES, _LETTER = 18, 6.5
_FIGURE = 7


def heading_width(title: str, minimum: int = 58) -> int:
    """Return the width of a column that shows its heading and short figures.

    Examples
    --------
    >>> heading_width("F1"), heading_width("Tree edit (Dice)")
    (58, 122)
    """
    return max(minimum, round(_EDGES + _LETTER * len(title)))


def text_width(n_letters: int) -> int:
    """Return the width of a column of texts with figures, the longest of some number of letters.

    Examples
    --------
    >>> text_width(len("1.81 (n 223)"))
    102
    """
    return _EDGES + _FIGURE * n_letters


MAX_STYLED = 300
"""Longer tables are written by the browser, negative numbers with hyphens: pandas takes several hundredths of a
millisecond a cell."""

_PRINTF = re.compile(r"%(\+?)(\.\d+f|d)( %%)?")
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
    written: dict[Any, Any] = {}
    is_long = len(rows) > MAX_STYLED
    for name, column in columns.items():
        settings = column.get("type_config") or {}
        form = _PRINTF.fullmatch(str(settings.get("format") or ""))
        if name not in rows or form is None:
            continue
        sign, digits, percent = form.groups(default="")
        is_negative, is_large = bool((rows[name] < 0).any()), bool((rows[name] >= 1000).any())
        if not is_long and (is_negative or is_large):
            with_commas = f"{{:{sign},{digits.replace('d', '.0f')}}}{percent.replace('%%', '%')}"
            written[name] = partial(_written, with_commas)
            columns[name] = {**column, "type_config": {**settings, "format": None}}
        elif is_large and not (is_negative or sign or percent):
            decimals = 0 if digits == "d" else int(digits[1:-1])
            rows = rows.assign(**{name: rows[name].round(decimals)})  # the browser cuts what is beyond the step
            columns[name] = {**column, "type_config": {**settings, "format": _COMMAS, "step": 10**-decimals}}
    if is_long or not (written or len(pale)):
        return rows, columns
    style = rows.style.format(written, na_rep="–")
    if len(pale):
        style = style.apply(lambda row: [_PALE] * len(row), axis=1, subset=pd.IndexSlice[rows.index[list(pale)], :])
    return style, columns


def _written(form: str, value: float) -> str:
    return with_minus(form.format(value))


def with_styles(rows: Any, cells: Sequence[Sequence[str]]) -> Any:
    """Return a table, or one that is styled already, with a style in CSS for each cell."""
    styler = rows.style if isinstance(rows, pd.DataFrame) else rows
    # one frame of them all, because a frame takes long to be styled cell by cell
    return styler.apply(lambda frame: pd.DataFrame(cells, index=frame.index, columns=frame.columns), axis=None)


_FORMATS: Mapping[Format, str] = {
    "percent": column_format(1, sign="%"),
    "points": column_format(),
    "points difference": column_format(),
    "figure": column_format(),
    "p": P_VALUES,
}
ROW_HEIGHT, _TABLE_HEIGHT = 30, 424
"""Pixels."""


def columns_of(table: Table) -> dict[str, Any]:
    """Return how a page shows the columns of a table of a report, by their names."""
    values = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.columns)
    return {column.name: column_of(column, list(own)) for column, own in zip(table.columns, values, strict=True)}


def column_of(column: Column, values: Sequence[Any], *, signed: bool = False) -> Any:
    """Return how a page shows a column of these values; numbers may have a sign."""
    title, hint = column.title or column.name, column.help or None
    if column.format == "text":
        return st.column_config.TextColumn(title, help=hint, width=column.width)
    if column.format == "interval":
        width = max(heading_width(title), text_width(max(map(len, values), default=0)))
        return st.column_config.TextColumn(title, help=hint, width=column.width or width, alignment="right")
    numbers = pd.Series([value for value in values if value is not None])
    form = _FORMATS.get(column.format) or number_format(numbers, signed=signed)
    return st.column_config.NumberColumn(title, help=hint, format=form, width=column.width or heading_width(title))


def show_table(table: Table, key: str, caption: str, *, decimals: int = 2) -> None:
    """Show a table of a report, and offer it as files."""
    written, columns = with_signs(table.frame(titled=False), columns_of(table))
    st.dataframe(
        written,
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=min(_TABLE_HEIGHT, table_height(len(table.rows))),
        column_config=columns,
        placeholder="–",
        key=key,
    )
    own = table_files(table.frame(), key, caption, decimals=decimals, best=table.best_titles, made=table.files)
    save(key, own)


_BETWEEN = " · "


def choice_name(values: Sequence[object]) -> str:
    """Return what the URL says of a row with these keys."""
    return _BETWEEN.join(map(str, values))


def choice_names(rows: pd.DataFrame, keys: Sequence[str]) -> list[str]:
    """Return what the URL says of each row."""
    return [choice_name(values) for values in rows[list(keys)].astype(str).to_numpy().tolist()]


def chosen_index(names: Sequence[str], name: str, pale: Sequence[int] = ()) -> int:
    """Return the index of the row that the URL names; by default of the first row that is not pale, or of the first.

    Examples
    --------
    >>> names = ["NP", "VP", "PP"]
    >>> chosen_index(names, "VP"), chosen_index(names, "", [0, 1]), chosen_index(names, "", [0, 1, 2])
    (1, 2, 0)
    """
    if name in names:
        return names.index(name)
    return next((index for index in range(len(names)) if index not in pale), 0)


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
) -> int:
    """Show rows, at least one, and return the index of the chosen one, by default the first one that is not pale.

    It stands in the URL by its keys; a click removes the names in `also`. `whole`: the table that is saved, if longer.
    `pale`: indices of rows in gray.
    """
    names = choice_names(rows, keys)
    index = chosen_index(names, state.get(name), pale)
    written, configuration = with_signs(rows[list(columns)], columns, pale=pale)
    rows_to_click(
        written,
        configuration,
        lambda row: state.put(**{name: names[row]}, **dict.fromkeys(also)),
        key=key_of(key, "\n".join(names)),
        chosen=index,
        height=min(height, table_height(len(rows))),
    )
    titles = {item: about.get("label") or item for item, about in columns.items()}
    save_table(lambda: (rows if whole is None else whole())[list(columns)].rename(columns=titles), key, caption)
    return index


def table_height(n_rows: int) -> int:
    """Return the height of a table with so many rows, in pixels."""
    return ROW_HEIGHT + 4 + ROW_HEIGHT * n_rows


def key_of(key: str, content: str | bytes) -> str:
    """Return the key of a table with some content: for the same key the browser keeps what was selected."""
    content = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    return f"{key}_{blake2b(content, digest_size=8).hexdigest()}"


def rows_to_click(
    rows: Any, columns: Mapping[str, Any], on_row: Callable[[int], None], *, key: str, chosen: int | None, height: int
) -> None:
    """Show a table in which a click on any cell of a row, or on its box, chooses the row."""

    def clicked() -> None:
        found = [row for row, _ in _cells_in(key)] or [int(row) for row in selected_in(key).get("rows", [])]
        if found:
            on_row(found[0])

    st.dataframe(
        rows,
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height,
        column_config=columns,
        placeholder="–",
        on_select=clicked,
        selection_mode=("single-row", "single-cell"),
        selection_default=_selection(key, rows=[] if chosen is None else [chosen]),
        key=key,
    )


def cells_to_click(
    rows: Any,
    columns: Mapping[str, Any],
    on_cell: Callable[[int, str], None],
    *,
    key: str,
    chosen: tuple[int, str] | None = None,
    height: int | Literal["content"] = "content",
    row_height: int | None = ROW_HEIGHT,
    placeholder: str = "–",
    alt: str | None = None,
) -> None:
    """Show a table in which a click chooses a cell."""

    def clicked() -> None:
        for row, column in _cells_in(key):
            on_cell(row, column)

    st.dataframe(
        rows,
        hide_index=True,
        row_height=row_height,
        height=height,
        column_config=columns,
        placeholder=placeholder,
        on_select=clicked,
        selection_mode="single-cell",
        selection_default=_selection(key, cells=[] if chosen is None else [chosen]),
        key=key,
        alt=alt,
    )


def selected_in(key: str) -> Mapping[str, Any]:
    """Return what is selected in a table or chart; nothing in one that is no longer on the page."""
    selected: Mapping[str, Any] = st.session_state.get(key, {}).get("selection", {})
    return selected


def _cells_in(key: str) -> list[tuple[int, str]]:
    """Return the cell that is selected in a table; empty if none is."""
    return [(int(row), str(column)) for row, column in selected_in(key).get("cells", [])[:1]]


def _selection(key: str, *, rows: Sequence[int] = (), cells: Sequence[tuple[int, str]] = ()) -> Any:
    """Select rows or cells of a table that is drawn next; return its default selection."""
    wanted = {"rows": list(rows), "columns": [], "cells": list(cells)}
    if key in st.session_state and dict(selected_in(key)) != wanted:
        st.session_state[key] = {"selection": wanted}
    return {"selection": wanted}
