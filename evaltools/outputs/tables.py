r"""Tables as text for a terminal, CSV that is safe to open in a spreadsheet, JSON, LaTeX with booktabs, and Markdown.

Examples
--------
>>> import pandas as pd
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

import io
import json
import math
import re
import shutil
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Column as GridColumn, Table as Grid
from rich.text import Text as Line

from evaltools.blocks import Block, Picture, Table, Text
from evaltools.drawing.tikz import table_row
from evaltools.errors import EvaltoolsError
from evaltools.text import decimals as rounded, printable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TABLE_FILES", "table_csv", "table_latex", "table_markdown"]


_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|\t")
"""The beginning of cells that spreadsheets read as formulas; some skip blanks, some read full-width signs."""
_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that terminals and viewers act on, and that JSON can write as escapes."""
_FIGURE = re.compile(r"[-+−]?[\d,.]*|–")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def terminal_width(max_width: int = 100) -> int:
    """Return the number of columns of a text: those of the terminal, at most so many, which files and pipes have."""
    return min(max_width, shutil.get_terminal_size((max_width, 24)).columns)


def console_text(parts: Iterable[Block | str], signature: str, max_width: int = 160) -> str:
    """Return blocks as text, with the run's signature at the end; charts are left to HTML reports.

    A `str` is text that is laid out already. Nothing in a table is cut: one that is too wide becomes several, and
    columns of text, which are flush left, are wrapped. `max_width`: that of files and pipes.
    """
    output, width = io.StringIO(), terminal_width(max_width)
    console = Console(file=output, width=width, highlight=False, markup=False, emoji=False)
    for part in parts:
        _print(console, part, width)
    console.print(_line(signature), soft_wrap=True)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))


def _line(text: str, above: str = "") -> Line:
    """Return a text as one printable line of a console, below an empty one if `above` is a line break."""
    return Line(above + printable(text))


def _print(console: Console, part: Block | str, width: int) -> None:
    if isinstance(part, str):
        console.file.write(f"{part}\n")
    elif isinstance(part, Text):
        above = "\n" if part.kind == "heading" else ""
        console.print(_line(part.text, above), soft_wrap=part.kind == "line")
    elif isinstance(part, Table):
        if part.title:
            console.print(_line(part.title, "\n"), soft_wrap=True)
        for grid in _fitting(_grid(part), width):
            console.print(grid)
        if part.note:
            console.print(_line(part.note))
    elif isinstance(part, Picture):
        _print_picture(console, part)


def _grid(table: Table) -> Grid:
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False)
    for column in table.columns:
        grid.add_column(_lines(column.title), justify="left" if column.format == "text" else "right")
    for index, cells in enumerate(table.cells):
        grid.add_row(*map(_lines, cells), end_section=index in table.ends)
    return grid


def _lines(text: str) -> Line:
    """Return a text as printable lines of a console."""
    return Line("\n").join(map(_line, text.split("\n")))


def _print_picture(console: Console, picture: Picture) -> None:
    """Print the heading and the texts of a picture, and of a whole sentence its drawings."""
    console.print(_line(picture.title, "\n"))
    texts = list(picture.notes)
    if picture.words:
        words = " ".join(f"[{word}]" if at in picture.marked else word for at, word in enumerate(picture.words))
        texts.append(f"Sentence {picture.sentence}: {words}")
    texts += [picture.remark] if picture.remark else []
    for text in texts:
        console.print(_line(f"  {text}"))
    for drawing in picture.drawings if picture.is_folded else ():
        try:
            console.file.write(f"{drawing.draw('text')}\n")
        except EvaltoolsError as error:
            console.print(_line(f"  {error}"))


_MAX_TEXT = 60
_MIN_TEXT = 24
"""Maximum width of a column of text in a table that is too wide, and the minimum of one after all figures."""


def _fitting(table: Grid, width: int) -> list[Grid]:
    """Return a table as one or several that fit a width; the columns before the figures name the rows of each."""
    is_text = [column.justify == "left" for column in table.columns]
    for column, of_text in zip(table.columns, is_text, strict=True):
        column.no_wrap, column.overflow = not of_text, "fold"
    widths = [_width(column) + 3 for column in table.columns]
    widths = [min(size, _MAX_TEXT + 3) if of_text else size for size, of_text in zip(widths, is_text, strict=True)]
    room_for_text = width - sum(size for size, of_text in zip(widths, is_text, strict=True) if not of_text)
    if sum(widths) <= width or (is_text[-1] and not any(is_text[:-1]) and room_for_text >= _MIN_TEXT):
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


def _width(column: GridColumn) -> int:
    lines = [line for cell in (column.header, *column.cells) for line in str(cell).split("\n")]
    return max(map(cell_len, lines))


def _with_columns(table: Grid, indices: Sequence[int]) -> Grid:
    """Return a table with some columns of another one."""
    part = Grid(box=table.box, pad_edge=table.pad_edge)
    columns = [table.columns[index] for index in indices]
    for column in columns:
        part.add_column(column.header, justify=column.justify, no_wrap=column.no_wrap, overflow=column.overflow)
    for cells, row in zip(zip(*(column.cells for column in columns), strict=True), table.rows, strict=True):
        part.add_row(*cells, end_section=row.end_section)
    return part


def table_html(table: Table) -> str:
    """Return a table in HTML."""

    def cell(text: str, row: int, column: int) -> str:
        is_text = table.columns[column].format == "text"
        kind = "text" if is_text else "best" if (row, column) in table.best else ""
        return f'<td class="{kind}">{escape(printable(text))}</td>'

    head = "".join(
        f'<th class="{"text" if column.format == "text" else ""}">{escape(printable(column.title))}</th>'
        for column in table.columns
    )
    body = "".join(
        f"<tr>{''.join(cell(text, row, column) for column, text in enumerate(cells))}</tr>"
        for row, cells in enumerate(table.cells)
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def json_text(content: Any) -> str:
    """Return the text of a JSON file: undefined numbers are null, and a table is a list of its rows.

    Control characters are escaped, other characters are as they are.
    """
    text = json.dumps(_plain(content), indent=1, ensure_ascii=False, allow_nan=False)
    return _IN_JSON.sub(lambda match: f"\\u{ord(match.group()):04x}", text) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "to_dict"):  # a data frame
        return _plain(value.to_dict("records"))
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
        columns.append(column if is_number else pd.Series(map(safe_cell, column), column.index, dtype=object))
    safe = pd.concat(columns, axis=1) if columns else frame
    safe.columns = pd.Index([safe_cell(name) for name in frame.columns])
    return str(safe.to_csv(index=False, lineterminator="\n"))


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
    "†": r"$^\dagger$",
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


def latex_text(value: str) -> str:
    r"""Return text for LaTeX with any engine; what pdfLaTeX cannot set is given by its code points there.

    Examples
    --------
    >>> print(latex_text("50 % of né"), latex_text("``"), latex_text("犬"))
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
    parts = unicodedata.normalize("NFD", character) if character <= "\u017f" else ""
    return len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in _ACCENTS


def _written(value: Any, places: int) -> str:
    if isinstance(value, float):
        return rounded(value if math.isfinite(value) else None, places)
    return "" if value is None else " ".join(str(value).split())


Best = Collection[tuple[int, str]]
"""Cells in bold type: row, from 0, and name of the column."""


TableWriter = Callable[..., str]
"""A function that writes a table as text: `table_csv`, `table_markdown` and `table_latex`."""


def _texts(frame: pd.DataFrame, decimals: int) -> tuple[list[str], list[list[str]]]:
    """Return the columns to print, and the cells by row."""
    columns = [[_written(value, decimals) for value in frame.iloc[:, at]] for at in range(frame.shape[1])]
    return [str(name) for name in frame.columns], [list(row) for row in zip(*columns, strict=True)]


def _are_figures(rows: Sequence[Sequence[str]], n_columns: int) -> list[bool]:
    """Return for each column whether all of its cells are figures, which stand at the right."""
    return [all(_FIGURE.fullmatch(row[at]) for row in rows) for at in range(n_columns)]


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
    right = _are_figures(rows, len(names))
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


_DIGIT, _BETWEEN = 4.45, 6.0
"""Points of a figure in small type, and between two columns of a table."""
_SMALLER = 8 / 9
"""Size of letters of footnotes in small type."""
_COLUMN, _PAGE = 219.0, 345.0
"""Points of a column of papers with two, and of the text of a page where it is narrow."""
_MAX_COLUMNS = 5
"""A table with more is as wide as the page."""


def table_latex(
    frame: pd.DataFrame,
    caption: str = "",
    decimals: int = 3,
    *,
    best: Best = (),
    label: str = "",
    marked: Best = (),
) -> str:
    r"""Write a table in LaTeX; the document needs ``booktabs``.

    A table of six columns or more, or one that is wider than a column of a paper with two columns, is as wide as the
    page (``table*``). One that is wider than that, too, is scaled if need be, and needs ``graphicx``. The first line
    of the caption is printed, the others, such as the signature, are comments.

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
    marked : collection of (int, str)
        Cells with a dagger.

    Returns
    -------
    str
        The text of the file.
    """
    names, rows = _texts(frame, decimals)
    with_marks = {name for _, name in marked}

    def line(index: int, row: list[str]) -> str:
        cells = []
        for name, cell in zip(names, row, strict=True):
            text = rf"\textbf{{{latex_text(cell)}}}" if (index, name) in best else latex_text(cell)
            mark = r"$^\dagger$" if (index, name) in marked else r"\phantom{$^\dagger$}" if name in with_marks else ""
            cells.append(text + mark)
        return table_row(cells)

    right = "".join("r" if is_right else "l" for is_right in _are_figures(rows, len(names)))
    head, body = table_row([latex_text(name) for name in names]), [line(index, row) for index, row in enumerate(rows)]
    lengths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    letters, gaps = _DIGIT * (sum(lengths) + len(with_marks)), _BETWEEN * (len(names) - 1)
    width, smaller = letters + gaps, _SMALLER * letters + gaps
    is_narrow = smaller <= _COLUMN and len(names) <= _MAX_COLUMNS
    environment = "table" if is_narrow else "table*"
    size = "footnotesize" if is_narrow and width > _COLUMN else "small"
    tabular = [
        rf"\begin{{tabular}}{{@{{}}{right}@{{}}}}",
        *(r"\toprule", head, r"\midrule", *body, r"\bottomrule"),
        r"\end{tabular}",
    ]
    if width > _PAGE:
        scaled = r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi"
        tabular = [r"\sbox0{%", *tabular, "}%", scaled]
    title, *remarks = [" ".join(part.split()) for part in caption.splitlines() if part.strip()] or [""]
    lines = [
        f"% In the preamble: \\usepackage{{booktabs{',graphicx' if width > _PAGE else ''}}}",
        *([_SCRIPTS] if any(r"\Umathchar" in row for row in (head, *body)) else []),
        *(f"% {printable(remark)}" for remark in remarks),
        rf"\begin{{{environment}}}",
        rf"\centering\{size}\setlength{{\tabcolsep}}{{3pt}}",
        *tabular,
        *([rf"\caption{{{latex_text(title)}}}"] if title else []),
        *([rf"\label{{tab:{re.sub(_NO_LABEL, '-', label)}}}"] if label else []),
        rf"\end{{{environment}}}",
    ]
    return "\n".join(lines) + "\n"


TABLE_FILES: Mapping[str, tuple[str, str, str, TableWriter]] = {
    "csv": ("CSV", "csv", "text/csv", table_csv),
    "latex": ("LaTeX", "tex", "text/x-tex", table_latex),
    "markdown": ("Markdown", "md", "text/markdown", table_markdown),
}
"""File formats of tables: title, suffix, media type and writer."""
