"""Formats of reports: text, JSON, and CSV that is safe to open in a spreadsheet."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Column, Table
from rich.text import Text

from evaltools.text import printable

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "console_text",
    "csv_text",
    "json_rows",
    "json_text",
    "json_value",
    "plain_table",
    "safe_cell",
]

_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|\t")
"""The beginning of cells that spreadsheets read as formulas; some skip blanks, some read full-width signs."""
_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that terminals and viewers act on, and that JSON can write as escapes."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def console_text(parts: Iterable[RenderableType | str], signature: str, width: int) -> str:
    """Return tables and lines as text, with the run's signature at the end; a `Text` with `no_wrap` stays one line.

    A `str` is text that is laid out already. Nothing in a table is cut: one that is too wide becomes several, and
    columns of text, which are flush left, are wrapped.
    """
    output = io.StringIO()
    console = Console(file=output, width=width, highlight=False, markup=False, emoji=False)
    for part in parts:
        if isinstance(part, str):
            output.write(f"{part}\n")
        elif isinstance(part, Table):
            for table in _fitting(part, width):
                console.print(table)
        else:
            console.print(part, soft_wrap=isinstance(part, Text) and part.no_wrap is True)
    console.print(Text(printable(signature)), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))


_MAX_TEXT = 60
"""Maximum width of a column of text in a table that is too wide."""


def _fitting(table: Table, width: int) -> list[Table]:
    """Return a table as one or several that fit a width; the columns before the figures name the rows of each."""
    is_text = [column.justify == "left" for column in table.columns]
    for column, of_text in zip(table.columns, is_text, strict=True):
        column.no_wrap, column.overflow = not of_text, "fold"
    widths = [_width(column) + 3 for column in table.columns]
    widths = [min(size, _MAX_TEXT + 3) if of_text else size for size, of_text in zip(widths, is_text, strict=True)]
    if sum(widths) <= width:
        return [table]
    before_figures = [index for index in range(len(widths) - 1) if is_text[index] and not is_text[index + 1]]
    n_keys = 1 + max(before_figures, default=0)
    if 2 * sum(widths[:n_keys]) > width:
        n_keys = 1 + min(before_figures, default=0)
    keys = list(range(n_keys))
    room = width - sum(widths[:n_keys])
    groups: list[list[int]] = [[]]
    for index in range(n_keys, len(widths)):
        if groups[-1] and sum(widths[other] for other in (*groups[-1], index)) > room:
            groups.append([])
        groups[-1].append(index)
    return [_with_columns(table, [*keys, *group]) for group in groups]


def _width(column: Column) -> int:
    lines = [line for cell in (column.header, *column.cells) for line in str(cell).split("\n")]
    return max(map(cell_len, lines))


def _with_columns(table: Table, indices: Sequence[int]) -> Table:
    """Return a table with some columns of another one."""
    part = Table(box=table.box, pad_edge=table.pad_edge, title=table.title, title_justify=table.title_justify)
    columns = [table.columns[index] for index in indices]
    for column in columns:
        part.add_column(column.header, justify=column.justify, no_wrap=column.no_wrap, overflow=column.overflow)
    for cells, row in zip(zip(*(column.cells for column in columns), strict=True), table.rows, strict=True):
        part.add_row(*cells, end_section=row.end_section)
    return part


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str | None:
    r"""Lay out a table as rich does with `SIMPLE_HEAD`, but faster; None if it is too wide, so that cells are folded.

    The first column is flush right. Cells may have several lines.

    >>> print(plain_table(["word", "form"], [["1", "a\n≠ b"]], 80))
    <BLANKLINE>
     word   form
     ───────────
        1   a
            ≠ b
    <BLANKLINE>
    """
    lined = [[cell.split("\n") for cell in row] for row in (headings, *rows)]
    lengths = [[[cell_len(line) for line in cell] for cell in row] for row in lined]
    widths = [max(max(row[column]) for row in lengths) for column in range(len(headings))]
    if sum(widths) + 3 * len(widths) - 1 > width - 1:
        return None
    lines = [""]
    for number, (row, row_lengths) in enumerate(zip(lined, lengths, strict=True)):
        for index in range(max(map(len, row))):
            parts = []
            for column, (cell, cell_lengths) in enumerate(zip(row, row_lengths, strict=True)):
                blanks = " " * (widths[column] - (cell_lengths[index] if index < len(cell) else 0))
                text = cell[index] if index < len(cell) else ""
                parts.append(text + blanks if column else blanks + text)
            lines.append(f" {'   '.join(parts)}".rstrip())
        if not number:
            lines.append(f" {'─' * (sum(widths) + 3 * len(widths) - 3)}")
    return "\n".join([*lines, ""])


def json_value(value: Any) -> Any:
    """Return a value for JSON; undefined numbers become None."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table for JSON."""
    return [{str(key): json_value(value) for key, value in row.items()} for row in frame.to_dict("records")]


def json_text(content: Any) -> str:
    """Return the text of a JSON file; control characters are escaped, other characters are as they are."""
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    return _IN_JSON.sub(lambda match: f"\\u{ord(match.group()):04x}", text) + "\n"


def safe_cell(value: Any) -> Any:
    r"""Prefix a text with a quote if a spreadsheet would execute it; control characters are written as codes.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("-LRB-"), safe_cell("-0.5"), safe_cell(-0.5), safe_cell("NP")
    ("'=1+1", "'-LRB-", '-0.5', -0.5, 'NP')
    >>> safe_cell(" =1+1"), safe_cell("\x1b[31m")
    ("' =1+1", '␛[31m')
    """
    if not isinstance(value, str):
        return value
    text = re.sub(r"[^\n\t]+", lambda match: printable(match.group()), value)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def csv_text(frame: pd.DataFrame) -> str:
    """Return a table as CSV, every digit kept, undefined values empty."""
    import pandas as pd

    columns = []
    for index in range(frame.shape[1]):
        column = frame.iloc[:, index]
        is_number = pd.api.types.is_numeric_dtype(column)
        columns.append(column if is_number else column.astype(object).map(safe_cell))
    safe = pd.concat(columns, axis=1) if columns else frame
    safe.columns = pd.Index([safe_cell(name) for name in frame.columns])
    return str(safe.to_csv(index=False, lineterminator="\n"))
