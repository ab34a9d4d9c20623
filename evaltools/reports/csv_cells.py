"""CSV that a spreadsheet shows and does not execute."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

__all__ = ["csv_text", "safe_cell"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so is a formula to a spreadsheet."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def safe_cell(value: Any) -> Any:
    """Return a value with a quote before it if it is a text that a spreadsheet would execute.

    Parameters
    ----------
    value : object
        A cell. Numbers, also numbers written as text, are returned as they are.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("-LRB-"), safe_cell("-0.5"), safe_cell(-0.5), safe_cell("NP")
    ("'=1+1", "'-LRB-", '-0.5', -0.5, 'NP')
    """
    is_formula = isinstance(value, str) and value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value


def csv_text(frame: pd.DataFrame) -> str:
    """Return a table as CSV, every digit kept, undefined values empty.

    Parameters
    ----------
    frame : DataFrame
        The table; its index is left out.
    """
    columns = []
    for at in range(frame.shape[1]):
        column = frame.iloc[:, at]
        is_number = pd.api.types.is_numeric_dtype(column)
        columns.append(column if is_number else column.astype(object).map(safe_cell))
    safe = pd.concat(columns, axis=1) if columns else frame
    safe.columns = pd.Index([safe_cell(name) for name in frame.columns])
    return str(safe.to_csv(index=False, lineterminator="\n"))
