"""Blocks of reports: texts, tables, charts and pictures, which command line, HTML files and pages show."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.formulas import formula
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.questions import Column, Format

if TYPE_CHECKING:
    import pandas as pd

_HUNDREDTHS = ("points", "points difference", "percent")


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, a gray note, a heading within a section, or a line that is not wrapped."""

    text: str
    kind: Literal["answer", "text", "note", "heading", "line"] = "note"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of values, which its columns write."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    note: str = ""
    form: Literal["whole", "folded", "small"] = "whole"  # Small ones stand beside one another
    best: Collection[tuple[int, int]] = frozenset()  # Cells that stand out, by row and column
    ends: Collection[int] = frozenset()  # Rows that a line follows

    @classmethod
    def of(cls, frame: pd.DataFrame, columns: Sequence[Column], **options: Any) -> Table:
        """Return the table of some columns of a data frame."""
        names = [column.name for column in columns]
        return cls(columns, [[row[name] for name in names] for row in frame.to_dict("records")], **options)

    @property
    def heads(self) -> list[str]:
        """The titles of the columns."""
        return [column.title for column in self.columns]

    @property
    def cells(self) -> list[list[str]]:
        """The values as texts, by row."""
        return [[column.text(value) for column, value in zip(self.columns, row, strict=True)] for row in self.rows]

    def frame(self, *, titled: bool = True) -> pd.DataFrame:
        """Return a data frame with shares in hundredths; its columns have their titles, or their names."""
        import pandas as pd

        series = []
        for at, column in enumerate(self.columns):
            values = [row[at] for row in self.rows]
            if column.format in _HUNDREDTHS:
                values = [100 * value for value in values]
            dtype = None if None not in values else object if titled else float  # integers stay integers in files
            series.append(pd.Series(values, dtype=dtype))
        frame = pd.concat(series, axis=1)
        return frame.set_axis([(titled and column.title) or column.name for column in self.columns], axis=1)

    @property
    def best_titles(self) -> set[tuple[int, str]]:
        """The cells that stand out, by row and title of the column."""
        return {(row, self.columns[at].title or self.columns[at].name) for row, at in self.best}


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart."""

    specification: Mapping[str, Any]  # Vega-Lite
    title: str  # What it shows
    note: str = ""  # How to read it
    width: int = 0  # In pixels, below which it is scrolled; 0 for none
    is_half: bool = False  # Whether another one stands beside it


@dataclass(frozen=True, slots=True)
class Picture:
    """An error, or a sentence with its errors: a heading, texts, the words, and drawings."""

    title: str
    drawings: Sequence[Drawing] = ()
    notes: Sequence[str] = ()
    sentence: int = 0  # Its number
    words: Sequence[str] = ()  # Of an excerpt of the sentence
    marked: frozenset[int] = frozenset()  # Positions of words that stand out
    remark: str = ""  # Below the words
    query: Mapping[str, str] = field(default_factory=dict)  # What a link names to lead to its row in *Hotspots*
    is_folded: bool = False  # Whether the title alone is in view; others stand beside one another


Block = Text | Table | Chart | Picture


def text_columns(*titles: str) -> list[Column]:
    """Return columns of texts."""
    return [Column(title, title, "text") for title in titles]


def hint(metric: Metric) -> str:
    """Return the hint at the head of a metric's column: the title if the head is shorter, its help and formula."""
    title = f"{metric.title}. " if metric.short != metric.title else ""
    return f"{title}{metric.help} Formula: {formula(metric)}"


def figure_column(metric: Metric, name: str = "", title: str = "", *, whole: bool = False) -> Column:
    """Return a column of figures of a metric, by default under its id and its usual head.

    `whole`: numbers are written without decimals if they are whole, as counts of one sentence are.
    """
    form: Format = "points" if metric.is_share else "amount" if whole else "figure"
    return Column(name or metric.id, title or metric.short, form, hint(metric))
