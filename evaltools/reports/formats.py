"""Formats of reports: text, JSON, and CSV that is safe to open in a spreadsheet."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from rich.text import Text

from evaltools.errors import printable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["console_text", "csv_text", "json_rows", "json_text", "json_value", "percent", "safe_cell", "three"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of cells that spreadsheets read as formulas."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def percent(value: float) -> str:
    """Return a share as a percentage with two decimals, a dash where it is undefined."""
    return "–" if math.isnan(value) else f"{100 * value:.2f}"


def three(value: float) -> str:
    """Return a score with three decimals, a dash where it is undefined."""
    return "–" if math.isnan(value) else f"{value:.3f}"


def console_text(parts: Iterable[RenderableType], signature: str, width: int) -> str:
    """Return tables and lines as text, with the run's signature at the end; a `Text` with `no_wrap` stays one line."""
    output = io.StringIO()
    console = Console(file=output, width=width, highlight=False, markup=False, emoji=False)
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, Text) and part.no_wrap is True)
    console.print(Text(printable(signature)), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))


def json_value(value: Any) -> Any:
    """Return a value for JSON; undefined numbers become None."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table for JSON."""
    return [{str(key): json_value(value) for key, value in row.items()} for row in frame.to_dict("records")]


def json_text(content: Any) -> str:
    """Return the text of a JSON file."""
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def safe_cell(value: Any) -> Any:
    """Prefix a text with a quote if a spreadsheet would execute it.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("-LRB-"), safe_cell("-0.5"), safe_cell(-0.5), safe_cell("NP")
    ("'=1+1", "'-LRB-", '-0.5', -0.5, 'NP')
    """
    is_formula = isinstance(value, str) and value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value


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
