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
>>> print(table_markdown(pd.DataFrame({"word": ["[a](http://b)", "\x1b\u202e"]})))
| word            |
|:----------------|
| \[a\](http://b) |
| ␛\\u202e        |
<BLANKLINE>
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Mapping
from itertools import groupby
from typing import Any, Protocol

import pandas as pd

from evaltools.analysis.summary import Summary, summarize_run
from evaltools.drawing.writers.latex import table_row
from evaltools.frameworks.registry import METRICS
from evaltools.reports.formats import csv_text
from evaltools.reports.summary_report import table_columns
from evaltools.runs.store import Run
from evaltools.text import decimals as rounded
from evaltools.text import printable

__all__ = ["TABLE_FILES", "summary_latex", "table_csv", "table_latex", "table_markdown"]

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
    '"': r"{\char34}",
    "\u00a0": "~",
    "–": "--",
    "—": "---",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "…": r"\ldots{}",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≠": r"$\neq$",
    "→": r"$\rightarrow$",
    "✓": r"$\surd$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
_LIGATURE = re.compile(r"(?<=[-'`,!?])(?=[-'`,])")
"""Between two characters that LaTeX would join."""
_NO_LABEL = re.compile(r"[^\w:.-]+", re.ASCII)
_SCRIPTS = "% Other scripts need XeLaTeX or LuaLaTeX and a font that has them; pdfLaTeX prints their code points."
_LETTERS = frozenset("ßæÆœŒøØłŁı")
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")


def _escaped(value: str) -> str:
    r"""Return text for LaTeX with any engine; what pdfLaTeX cannot set is given by its code points there.

    Examples
    --------
    >>> print(_escaped("50 % of né"), _escaped("``"), _escaped("犬"))
    50 \% of né `{}` \ifdefined\Umathchar 犬\else U+72AC\fi{}
    """
    shown = _LIGATURE.sub("\0", unicodedata.normalize("NFC", printable(value)))
    parts = []
    for is_written, run in groupby(shown, lambda character: character in _LATEX or _is_latin(character)):
        text = "".join(run)
        if is_written:
            parts.append("".join(_LATEX.get(character, character) for character in text))
        else:
            codes = " ".join(f"U+{ord(character):04X}" for character in text)
            parts.append(rf"\ifdefined\Umathchar {text}\else {codes}\fi{{}}")
    return "".join(parts).replace("\0", "{}")


def _is_latin(character: str) -> bool:
    """Return whether every LaTeX can set a character: ASCII, and letters with the usual accents."""
    if character.isascii() or character in _LETTERS:
        return True
    parts = unicodedata.normalize("NFD", character)
    return len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in _ACCENTS


def _cell(value: Any, places: int) -> str:
    if isinstance(value, float):
        return rounded(value if math.isfinite(value) else None, places)
    return "" if value is None else " ".join(str(value).split())


def _is_number(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column)) and not pd.api.types.is_bool_dtype(column)


Best = Collection[tuple[int, str]]
"""Cells in bold type: row, from 0, and name of the column."""


class TableWriter(Protocol):
    """A function that writes a table as text."""

    def __call__(
        self, frame: pd.DataFrame, caption: str = "", decimals: int = 3, *, best: Best = (), label: str = ""
    ) -> str:
        """Return the text of the file."""
        ...


def _texts(frame: pd.DataFrame, decimals: int) -> tuple[list[str], list[list[str]]]:
    """Return the columns to print, and the cells by row."""
    columns = [[_cell(value, decimals) for value in frame[name]] for name in frame.columns]
    return [str(name) for name in frame.columns], [list(row) for row in zip(*columns, strict=True)]


def table_csv(frame: pd.DataFrame, caption: str = "", decimals: int = 3, *, best: Best = (), label: str = "") -> str:
    """Write a table as CSV, with all digits; the caption is a comment at the end.

    Parameters
    ----------
    frame : DataFrame
        The table.
    caption : str
        Caption with the run's signature.
    decimals, best, label
        Ignored; present so that all writers share a signature.

    Returns
    -------
    str
        The text of the file.
    """
    return csv_text(frame) + (f"# {' '.join(caption.split())}\n" if caption else "")


def table_markdown(
    frame: pd.DataFrame, caption: str = "", decimals: int = 3, *, best: Best = (), label: str = ""
) -> str:
    """Write a table in Markdown, the caption below it.

    Parameters
    ----------
    frame : DataFrame
        The table.
    caption : str
        Caption with the run's signature.
    decimals : int
        Number of decimals of fractional values.
    best : collection of (int, str)
        Cells in bold type: row and column.
    label : str
        Ignored.

    Returns
    -------
    str
        The text of the file.
    """
    names, rows = _texts(frame, decimals)
    right = [_is_number(frame[name]) for name in names]
    bold = [[(index, name) in best for name in names] for index in range(len(rows))]
    escaped = [[re.sub(r"([|\\`*<\[\]])", r"\\\1", printable(cell)) for cell in row] for row in (names, *rows)]
    marked = [
        [f"**{cell}**" if is_best else cell for cell, is_best in zip(*row, strict=True)]
        for row in zip(escaped[1:], bold, strict=True)
    ]
    written = [escaped[0], *marked]
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


def table_latex(frame: pd.DataFrame, caption: str = "", decimals: int = 3, *, best: Best = (), label: str = "") -> str:
    r"""Write a table in LaTeX; the document needs ``booktabs`` and ``graphicx``.

    A table that is wider than its column is scaled to the column. The first line of the caption is printed, the others,
    such as the signature, are comments.

    Parameters
    ----------
    frame : DataFrame
        The table.
    caption : str
        Caption with the run's signature.
    decimals : int
        Number of decimals of fractional values.
    best : collection of (int, str)
        Cells in bold type: row and column.
    label : str
        Name for ``\\ref``; none if empty.

    Returns
    -------
    str
        The text of the file.
    """
    names, rows = _texts(frame, decimals)
    is_number = {name: _is_number(frame[name]) for name in names}

    def line(index: int, row: list[str]) -> str:
        cells = [
            rf"\textbf{{{_escaped(cell)}}}" if (index, name) in best else _escaped(cell)
            for name, cell in zip(names, row, strict=True)
        ]
        return table_row(cells)

    right = "".join("r" if is_number[name] else "l" for name in names)
    head, body = table_row([_escaped(name) for name in names]), [line(index, row) for index, row in enumerate(rows)]
    title, *remarks = [" ".join(part.split()) for part in caption.splitlines() if part.strip()] or [""]
    lines = [
        "% In the preamble: \\usepackage{booktabs,graphicx}",
        *([_SCRIPTS] if any(r"\Umathchar" in row for row in (head, *body)) else []),
        *(f"% {printable(remark)}" for remark in remarks),
        r"\begin{table}",
        r"\centering\small\setlength{\tabcolsep}{4pt}",
        rf"\sbox0{{\begin{{tabular}}{{@{{}}{right}@{{}}}}",
        r"\toprule",
        head,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}}%",
        r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi",
        *([rf"\caption{{{_escaped(title)}}}"] if title else []),
        *([rf"\label{{tab:{re.sub(_NO_LABEL, '-', label)}}}"] if label else []),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


TABLE_FILES: Mapping[str, tuple[str, str, str, TableWriter]] = {
    "csv": ("CSV", "csv", "text/csv", table_csv),
    "latex": ("LaTeX", "tex", "text/x-tex", table_latex),
    "markdown": ("Markdown", "md", "text/markdown", table_markdown),
}
"""File formats of tables: title, suffix, media type and writer."""


def summary_table(
    summary: Summary, parsers: Collection[str] | None = None
) -> tuple[pd.DataFrame, set[tuple[int, str]]]:
    """Return the table of a summary for papers, with its cells in bold type: the rows of some parsers, by default all.

    Figures are numbers, so that a CSV file has all digits.
    """
    rows = [row for row in summary.rows if parsers is None or row.parser in parsers]
    columns = table_columns(summary, rows)
    table: dict[str, list[Any]] = {"parser": [row.parser for row in rows]}
    best: set[tuple[int, str]] = set()
    for name in (name for name in columns if name in METRICS):
        head, scale = METRICS[name].narrow, 100 if METRICS[name].is_share else 1
        table[head] = [scale * row.figures[name].value for row in rows]
        best |= {(index, head) for index, row in enumerate(rows) if row.figures[name].is_best}
    table["no parse"] = [row.no_parse for row in rows]
    if "words_differ" in columns:
        table["words differ"] = [row.words_differ for row in rows]
    if "ahead" in columns:
        ahead = zip(columns["ahead"][1:], columns["sure"][1:], strict=True)
        table[columns["ahead"][0]] = [f"{size} ({sure})" if sure == "not sure" else size for size, sure in ahead]
    return pd.DataFrame(table), best


def summary_latex(run: Run, parsers: Collection[str] | None = None) -> str:
    """Write the main figures of a run in LaTeX: a row a parser, best first, as in the text report.

    Parameters
    ----------
    run : Run
        The run.
    parsers : collection of str, optional
        Parsers whose rows are written; by default all.

    Returns
    -------
    str
        The text of the file.
    """
    summary = summarize_run(run)
    table, best = summary_table(summary, parsers)
    return table_latex(table, f"{summary_caption(summary)}\n{run.signature}", 2, best=best)


def summary_caption(summary: Summary) -> str:
    """Return the caption of the table of a summary."""
    has_best = any(figure.is_best for row in summary.rows for figure in row.figures.values())
    remark = "; bold: significantly better than all others" if has_best else ""
    return f"{METRICS[summary.metric].title}, {summary.base}{remark}"
