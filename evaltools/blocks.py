"""Blocks of pages and reports: texts, words, tables, charts and pictures, each shown in one way everywhere; controls.

Formulas, figures and lists to click are tables, too: their form says how a page sets them.

>>> block = steps([("missing", "remove NP")], "Edit steps")
>>> block.form, block.frame().to_dict("records")
('steps', [{'kind': 'missing', 'what': 'remove NP'}])
>>> sentences([(7, Quoted(["we", "go"], {1}), "VP", "2 brackets")]).frame()["words"].tolist()
['we *go*']
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from evaltools.drawing import Drawing
from evaltools.text import decimals, number, p_value, percent, percentage

if TYPE_CHECKING:
    import pandas as pd

Format = Literal[
    "text", "interval", "count", "amount", "figure", "points", "points difference", "percent", "p",
    "status", "bar", "pieces", "sentence",
]  # fmt: skip
"""Formats of values: a text, and one flush right; a count, and one that may be weighted; a figure with two decimals;
hundredths, and the same with the sign %; a p-value; a status; a share as a bar; texts with a status each; the words of
a sentence; an SVG."""
_HUNDREDTHS = ("points", "points difference", "percent")
_SIGNS = {"missing": "< ", "spurious": "> "}


class Quoted(NamedTuple):
    """A sentence in a table: its words, those that stand out, and its picture in several widths instead of them."""

    words: Sequence[str]
    marked: Collection[int]
    drawn: Sequence[tuple[int, str]] = ()  # Widths and SVG, narrow to wide

    def __str__(self) -> str:
        """Return the words, those that stand out between asterisks."""
        return " ".join(f"*{word}*" if at in self.marked else word for at, word in enumerate(self.words))


def _pieces(value: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{_SIGNS.get(status, '')}{text}" for status, text in value)


_FORMATS: Mapping[Format, Callable[[Any], str]] = {
    "text": str,
    "interval": str,
    "count": partial(decimals, places=0),
    "amount": number,
    "figure": decimals,
    "points": percent,
    "points difference": partial(percent, signed=True),
    "percent": percentage,
    "p": p_value,
    "status": str,
    "pieces": _pieces,
    "sentence": str,
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str  # The column of the data frame
    title: str
    format: Format = "count"  # How its values are written
    help: str = ""  # A hint; empty for none
    width: int | Literal["large"] | None = None
    is_joined: bool = False  # Whether a page shows it together with the column before it

    def text(self, value: Any) -> str:
        """Return a value as text; empty for None."""
        return "" if value is None else _FORMATS[self.format](value)


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, a gray note, a heading within a section, or a line that is not wrapped."""

    text: str
    kind: Literal["answer", "text", "note", "heading", "line"] = "note"


class Word(NamedTuple):
    """A word that is shown."""

    form: str
    status: str = ""  # ``marked`` for one that stands out
    below: str = ""
    hint: str = ""
    position: int | None = None  # What a click on it sends
    score: float | None = None  # What shades it


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a sentence: quoted, with something below each, or shaded by scores; or the meanings of signs."""

    words: Sequence[Word]
    form: Literal["quoted", "anchored", "strip", "legend"]
    title: str = ""
    lead: str = ""  # What stands before them in gray
    chosen: int | None = None  # The position of the chosen one
    drawing: Drawing | None = None  # The picture that they are saved as

    @property
    def saved(self) -> list[Drawing]:
        """The picture that they are saved as, if any."""
        return [] if self.drawing is None else [self.drawing]

    def scores(self) -> Table:
        """Return the scores of the words as a table."""
        return Table(text_columns("word", "score"), [(word.form, word.hint) for word in self.words], self.title)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of values, which its columns write."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    note: str = ""
    # Small ones stand beside one another. The last ones are lists and figures of a page.
    form: Literal[
        "whole", "folded", "small", "rows", "formulas", "facts", "scores", "steps", "story", "triples", "sentences",
        "differences",
    ] = "whole"  # fmt: skip
    best: Collection[tuple[int, int]] = frozenset()  # Cells that stand out, by row and column
    ends: Collection[int] = frozenset()  # Rows that a line follows
    marked: Collection[int] = frozenset()  # Rows that stand out
    keys: Sequence[int | None] = ()  # What a click on each row sends; empty if rows are not clicked
    sends: Literal["step", "word", "sentence"] = "step"  # As what
    file_title: str = ""  # The title of its files, if it has none on the page
    files: Mapping[str, str] = field(default_factory=dict)  # By format, where its cells as shown are no data

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

        series, names = [], []
        for at, column in enumerate(self.columns):
            if column.format == "bar":
                continue
            values = [row[at] for row in self.rows]
            if column.format in _HUNDREDTHS:
                values = [100 * value for value in values]
            elif column.format in ("pieces", "sentence"):
                values = list(map(column.text, values))
            dtype = None if None not in values else object if titled else float  # integers stay integers in files
            series.append(pd.Series(values, dtype=dtype))
            names.append((titled and column.title) or column.name)
        return pd.concat(series, axis=1).set_axis(names, axis=1)

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
    """A drawing; or an error, or a sentence with its errors: a heading, texts, the words, and drawings."""

    title: str
    drawings: Sequence[Drawing] = ()
    notes: Sequence[str] = ()
    sentence: int = 0  # Its number
    words: Sequence[str] = ()  # Of an excerpt of the sentence
    marked: frozenset[int] = frozenset()  # Positions of words that stand out
    remark: str = ""  # Below the words
    query: Mapping[str, str] = field(default_factory=dict)  # What a link names to lead to its row in *Hotspots*
    is_folded: bool = False  # Whether the title alone is in view; others stand beside one another
    svg: str = ""  # A drawing that exists already and is not saved, such as a QR code
    fit: int = 0  # How much of the window's height it may take, in hundredths; 0 for its own size
    min_percent: int = 90  # But it is not scaled below this percentage of its size
    widths: Sequence[int] = ()  # Of a drawing that takes a ``width``: the page shows the widest that it has room for
    keys: Sequence[int] = ()  # Nodes that can be clicked
    chosen: int | None = None  # Which of these is chosen
    is_small: bool = False  # Whether a page shows it beside others

    @property
    def saved(self) -> list[Drawing]:
        """Its drawings for files, which have no page around them: with its title."""
        return [drawing.titled(self.title) if self.title else drawing for drawing in self.drawings]


Block = Text | Words | Table | Chart | Picture


def text_columns(*titles: str) -> list[Column]:
    """Return columns of texts."""
    return [Column(title, title, "text") for title in titles]


# ---------------------------------------------------------------------------------------------------- usual blocks


def answer(text: str) -> Text:
    """Return the first line of a page."""
    return Text(text, "answer")


def note(text: str) -> Text:
    """Return a remark in gray."""
    return Text(text)


def sentence(words: Sequence[str], marked: Collection[int], lead: str = "") -> Words:
    """Return the words of a sentence as a quotation, some of them marked; `lead` stands before it in gray."""
    return Words([Word(word, "marked" if at in marked else "") for at, word in enumerate(words)], "quoted", lead=lead)


def legend(entries: Sequence[tuple[str, str]]) -> Words:
    """Return what marks mean: statuses and texts."""
    return Words([Word(text, status) for status, text in entries], "legend")


def anchored(words: Sequence[tuple[str, str, str, str]]) -> Words:
    """Return a text with what stands below each word, its status, and a hint."""
    return Words([Word(form, status, below, hint) for form, below, status, hint in words], "anchored")


def strip(
    words: Sequence[tuple[str, int | None, float | None]],
    chosen: int | None = None,
    alone: Collection[int] = (),
    drawing: Drawing | None = None,
) -> Words:
    """Return the words of a sentence, each shaded by its score; those with a position can be clicked."""
    shown = []
    for form, position, score in words:
        if position is not None and position in alone:
            shown.append(Word(form, "missing", "", "no aligned word, so no score", position))
            continue
        unscored = "left out by the preset" if position is None else "no score"
        hint = unscored if score is None else percentage(score, 2)
        shown.append(Word(form, "", "", hint, position, score))
    return Words(shown, "strip", chosen=chosen, drawing=drawing)


def facts(rows: Sequence[tuple[str, str, str]], title: str = "", remark: str = "") -> Table:
    """Return terms, their values, and figures in gray; `remark` is the hint of the figures."""
    columns = [*text_columns("what", "value"), Column("remark", remark or "remark", "interval", remark)]
    return Table(columns, rows, title, form="facts", file_title=title or "Figures")


def formulas(rows: Sequence[tuple[str, str, str, str]], title: str = "") -> Table:
    """Return a table: title, formula, the formula with numbers, value; a row without value begins a group."""
    columns = [
        Column("figure", "figure", "text"),
        Column("symbols", "formula", "text"),
        Column("numbers", "with its numbers", "text", is_joined=True),
        Column("value", "value", "interval"),
    ]
    return Table(columns, rows, title, form="formulas", file_title=title or "Scores")


def scores(rows: Sequence[tuple[str, float | None, str, str]], title: str = "") -> Table:
    """Return scores as bars: title, share of 1 (None if it is no share), text, and change."""
    columns = [
        Column("score", "score", "text"),
        Column("bar", "", "bar"),
        Column("value", "value", "interval"),
        Column("change", "change", "interval"),
    ]
    return Table(columns, rows, title, form="scores", file_title=title or "Scores")


_STATUS = Column("kind", "kind", "status")


def _rows_at(chosen: int | None) -> frozenset[int]:
    return frozenset() if chosen is None else frozenset({chosen})


def steps(rows: Sequence[tuple[str, str]], title: str = "", chosen: int | None = None, file_title: str = "") -> Table:
    """Return a list of edit steps to click: status and text."""
    columns = [_STATUS, Column("what", "what", "text")]
    keys = range(len(rows))
    return Table(columns, rows, title, form="steps", marked=_rows_at(chosen), keys=keys, file_title=file_title)


def story(rows: Sequence[tuple[str, str, str, str]], chosen: int | None = None, file_title: str = "") -> Table:
    """Return steps to click with explanations: status, title, text, and a remark in gray."""
    columns = [
        _STATUS,
        Column("title", "type of error", "text"),
        Column("what", "what", "text", is_joined=True),
        Column("remark", "brackets", "text", is_joined=True),
    ]
    keys = range(len(rows))
    return Table(columns, rows, form="story", marked=_rows_at(chosen), keys=keys, file_title=file_title)


def triples(
    lists: Sequence[tuple[str, str, Sequence[tuple[int, str, str, str, str]]]], chosen: int | None = None
) -> list[Table]:
    """Return lists of triples to click, which stand beside one another: number, status, words, label and value."""
    columns = [
        _STATUS,
        Column("words", "words", "text"),
        Column("label", "what", "text"),
        Column("value", "value", "text", is_joined=True),
    ]
    tables = []
    for title, remark, rows in lists:
        keys = [row[0] for row in rows]
        marked = {at for at, key in enumerate(keys) if key == chosen}
        listed = [row[1:] for row in rows]
        tables.append(Table(columns, listed, title, remark, "triples", marked=marked, keys=keys))
    return tables


def sentences(rows: Sequence[tuple[int, Quoted, str, str]], title: str = "", chosen: int | None = None) -> Table:
    """Return a list of sentences to click: number, words, a remark, and a figure in gray."""
    columns = [
        Column("sentence", "sentence", "interval"),
        Column("words", "words", "sentence"),
        Column("remark", "remark", "text"),
        Column("figure", "figure", "text", is_joined=True),
    ]
    keys = [row[0] for row in rows]
    marked = {at for at, key in enumerate(keys) if key == chosen}
    return Table(columns, rows, title, form="sentences", marked=marked, keys=keys, sends="sentence")


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numbers: Collection[int] = (),
    marked: Collection[int] = frozenset(),
) -> Table:
    """Return a small table of texts, numbers flush right."""
    columns = [Column(head, head, "interval" if at in numbers else "text") for at, head in enumerate(heads)]
    return Table(columns, rows, form="rows", marked=marked)


def drawn(drawing: Drawing, title: str | None = None, *, fit: int = 0, min_percent: int = 90) -> Picture:
    """Return a drawing; its title is the usual heading."""
    return Picture(drawing.title if title is None else title, [drawing], fit=fit, min_percent=min_percent)


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice among a few named options."""

    name: str  # Its name in the URL
    label: str
    options: Mapping[str, str]  # Value and title of each option, in the order to offer them
    default: str  # The value while the URL has none
    help: str = ""  # A hint; empty for none
    is_menu: bool = False  # Whether the options are in a menu, rather than side by side
    is_toggle: bool = False  # Whether it switches between the values ``"0"`` and ``"1"``
    is_kept: bool = False  # Whether the URL keeps what was chosen even where it is the default, which may change
    clears: tuple[str, ...] = ()  # Names of the URL that a change removes

    def chosen(self, values: Mapping[str, str]) -> str:
        """Return the chosen option, given values by their names in the URL."""
        value = values.get(self.name, self.default)
        return value if value in self.options else self.default


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    name: str  # Its name in the URL
    label: str
    default: int  # Its value while the URL has none
    low: int = 1
    high: int = 100_000
    step: int = 10  # Step of the buttons
    help: str = ""  # A hint; empty for none
    width: int = 160


Control = Choice | Number
"""A control of a page, beside parsers and sentences."""
