r"""Tables for papers: CSV, LaTeX with booktabs, Markdown.

Examples
--------
>>> frame = pd.DataFrame({"parser": ["a_1", "b|2"], "F1": [0.5, float("nan")]})
>>> print(table_markdown(frame, "Figures."))
| parser |    F1 |
|:-------|------:|
| a_1    | 0.500 |
| b\|2   |     – |
<BLANKLINE>
Figures.
<BLANKLINE>
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from evaltools.reports.formats import csv_text

__all__ = ["TABLE_FILES", "table_csv", "table_latex", "table_markdown"]

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "±": r"$\pm$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def _cell(value: Any, decimals: int) -> str:
    if isinstance(value, float):
        return "–" if not math.isfinite(value) else f"{value:.{decimals}f}"
    return "" if value is None else " ".join(str(value).split())


def _is_number(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column)) and not pd.api.types.is_bool_dtype(column)


def table_csv(frame: pd.DataFrame, caption: str = "", decimals: int = 3) -> str:
    """Write a table as CSV, with all digits; the caption is a comment at the end.

    Parameters
    ----------
    frame : DataFrame
        The table.
    caption : str
        Caption with the run's signature.
    decimals : int
        Ignored; present so that all writers share a signature.

    Returns
    -------
    str
        The text of the file.
    """
    return csv_text(frame) + (f"# {' '.join(caption.split())}\n" if caption else "")


def table_markdown(frame: pd.DataFrame, caption: str = "", decimals: int = 3) -> str:
    """Write a table in Markdown, the caption below it.

    Parameters
    ----------
    frame : DataFrame
        The table.
    caption : str
        Caption with the run's signature.
    decimals : int
        Number of decimals of fractional values.

    Returns
    -------
    str
        The text of the file.
    """
    right = [_is_number(frame[name]) for name in frame]
    rows = [
        list(map(str, frame.columns)),
        *([_cell(value, decimals) for value in row] for row in frame.itertuples(index=False)),
    ]
    written = [[re.sub(r"([|\\`*<])", r"\\\1", cell) for cell in row] for row in rows]
    widths = [max(3, *(len(row[at]) for row in written)) for at in range(len(right))]

    def line(row: list[str]) -> str:
        cells = (
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        )
        return f"| {' | '.join(cells)} |"

    ruler = "|".join(
        "-" * (width + 1) + ":" if item else ":" + "-" * (width + 1) for width, item in zip(widths, right, strict=True)
    )
    lines = [line(written[0]), f"|{ruler}|", *map(line, written[1:])]
    return "\n".join([*lines, "", *([caption, ""] if caption else [])])


def table_latex(frame: pd.DataFrame, caption: str = "", decimals: int = 3) -> str:
    r"""Write a table in LaTeX; the document needs ``\usepackage{booktabs}``.

    Parameters
    ----------
    frame : DataFrame
        The table.
    caption : str
        Caption with the run's signature.
    decimals : int
        Number of decimals of fractional values.

    Returns
    -------
    str
        The text of the file.
    """

    def text(value: str) -> str:
        return "".join(_LATEX.get(character, character) for character in value)

    right = "".join("r" if _is_number(frame[name]) else "l" for name in frame)
    rows = [" & ".join(text(_cell(value, decimals)) for value in row) + r" \\" for row in frame.itertuples(index=False)]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{right}}}",
        r"\toprule",
        " & ".join(text(str(name)) for name in frame) + r" \\",
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        *([rf"\caption{{{text(' '.join(caption.split()))}}}"] if caption else []),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


TABLE_FILES: Mapping[str, tuple[str, str, str, Callable[[pd.DataFrame, str, int], str]]] = {
    "csv": ("CSV", "csv", "text/csv", table_csv),
    "latex": ("LaTeX", "tex", "text/x-tex", table_latex),
    "markdown": ("Markdown", "md", "text/markdown", table_markdown),
}
"""File formats of tables: title, suffix, media type and writer."""
