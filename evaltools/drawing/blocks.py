"""Blocks of a page as plain data: remarks, formulas, steps to click, words shaded by scores, pictures, small tables.

The app's component ``plain`` shows them, and saves those that are pictures or tables.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from evaltools.drawing import draw, la_colour, options_of
from evaltools.errors import EvaltoolsError
from evaltools.text import excerpt, percentage

Block = dict[str, Any]
"""A block of a page, as the functions of this module return it."""

Languages = Mapping[str, Callable[[], str]]
"""Functions that return a drawing, by language."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """An object to draw, with the options of its pictures and the names of its files."""

    subject: object  # An object that `draw` accepts
    title: str = "Picture"  # Its title among several pictures
    suffix: str = ""  # The end of its file names
    heading: str = ""  # The first words of its caption; the title if empty
    # Options of `draw`; languages ignore those that are not theirs.
    options: Mapping[str, Any] = field(default_factory=dict)
    languages: tuple[str, ...] = ()  # The languages it can be saved in; all if empty

    def titled(self, title: str) -> Drawing:
        """Return it with a title in the picture itself, for files, which have no page around them."""
        return replace(self, options={**self.options, "title": title})

    def draw(self, language: str = "svg", **options: Any) -> str:
        """Draw it in some language, with more options; options of other languages are ignored.

        Whatever a layout stumbles over is raised as an EvaltoolsError, so that a page can go on without the picture.
        """
        with one_picture():
            names = options_of(self.subject, language)
            given = {**self.options, **options}
            return draw(self.subject, language, **{name: value for name, value in given.items() if name in names})


@contextmanager
def one_picture() -> Iterator[None]:
    """Raise an EvaltoolsError that says so where something cannot be drawn."""
    try:
        yield
    except (
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise EvaltoolsError(f"this cannot be drawn ({type(error).__name__}: {excerpt(str(error))})") from error


def _lists(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    return [list(row) for row in rows]


def answer(text: str) -> Block:
    """Return the first line of a page."""
    return {"type": "answer", "text": text}


def note(text: str) -> Block:
    """Return a remark in gray."""
    return {"type": "note", "text": text}


def sentence(words: Sequence[str], marked: Collection[int], lead: str = "") -> Block:
    """Return the words of a sentence as a quotation, some of them marked; `lead` stands before it in gray."""
    return {"type": "sentence", "words": list(words), "marked": sorted(marked), "lead": lead}


def facts(rows: Sequence[tuple[str, str, str]], heading: str = "", remark: str = "") -> Block:
    """Return terms, their values, and figures in gray; `remark` is the tooltip of the figures."""
    return {"type": "facts", "heading": heading, "remark": remark, "rows": _lists(rows)}


def formulas(rows: Sequence[tuple[str, str, str, str]], heading: str = "") -> Block:
    """Return a table: title, formula, the formula with numbers, value; a row without value begins a group."""
    return {"type": "formulas", "heading": heading, "rows": _lists(rows)}


def scores(rows: Sequence[tuple[str, float | None, str, str]], heading: str = "") -> Block:
    """Return scores as bars: title, share of 1 (None if it is no share), text, and change."""
    return {"type": "scores", "heading": heading, "rows": _lists(rows)}


def steps(rows: Sequence[tuple[str, str]], heading: str = "", chosen: int | None = None, title: str = "") -> Block:
    """Return a list of edit steps to click: status and text."""
    return {"type": "steps", "heading": heading, "rows": _lists(rows), "chosen": chosen, "title": title}


def story(
    rows: Sequence[tuple[str, str, str, str]],
    heading: str = "",
    chosen: int | None = None,
    title: str = "",
) -> Block:
    """Return steps to click with explanations: status, title, text, and a remark in gray."""
    return {"type": "story", "heading": heading, "rows": _lists(rows), "chosen": chosen, "title": title}


def strip(
    words: Sequence[tuple[str, int | None, float | None]],
    chosen: int | None = None,
    alone: Collection[int] = (),
    files: Drawing | None = None,
) -> Block:
    """Return the words of a sentence, each shaded by its score; those with a position can be clicked."""
    rows = []
    for form, position, score in words:
        is_alone = position is not None and position in alone
        if is_alone:
            text = "no aligned word, so no score"
        else:
            unscored = "left out by the preset" if position is None else "no score"
            text = unscored if score is None else percentage(score, 2)
        rows.append([form, position, text, is_alone, *la_colour(score, "light"), *la_colour(score, "dark")])
    scale = [[la_colour(step / 20, theme)[0] for step in range(21)] for theme in ("light", "dark")]
    return {"type": "strip", "words": rows, "scale": scale, "chosen": chosen, "files": files}


def marked(
    rows: Sequence[tuple[int, Sequence[str], Collection[int], str]],
    chosen: int | None = None,
    heading: str = "",
    pictures: Mapping[int, Sequence[tuple[int, str]]] = MappingProxyType({}),
    figures: Mapping[int, str] = MappingProxyType({}),
) -> Block:
    """Return a list of sentences to click, with some words marked; or with pictures: width and SVG, narrow to wide.

    `figures`: what stands in gray at the end of a sentence.
    """
    lines = [[number, list(words), sorted(indices), remark] for number, words, indices, remark in rows]
    drawings = {str(number): _lists(drawn) for number, drawn in pictures.items()}
    in_gray = {str(number): text for number, text in figures.items()}
    return {
        "type": "marked",
        "heading": heading,
        "rows": lines,
        "chosen": chosen,
        "pictures": drawings,
        "figures": in_gray,
    }


def legend(entries: Sequence[tuple[str, str]]) -> Block:
    """Return what marks mean: statuses and texts."""
    return {"type": "legend", "entries": _lists(entries)}


def pictured(rows: Sequence[tuple[str, str, str, str]], chosen: int | None = None, title: str = "") -> Block:
    """Return a list to click: SVG of a small picture, title, text, and figures in gray."""
    return {"type": "pictured", "heading": "", "rows": _lists(rows), "chosen": chosen, "title": title}


def anchored(words: Sequence[tuple[str, str, str, str]], heading: str = "") -> Block:
    """Return a text with the character spans of its words."""
    return {"type": "anchored", "heading": heading, "words": _lists(words)}


def triples(
    columns: Sequence[tuple[str, str, Sequence[tuple[int, str, str, str, str]]]],
    chosen: int | None = None,
    title: str = "",
) -> Block:
    """Return lists of triples beside one another, to click."""
    listed = [[heading, remark, _lists(rows)] for heading, remark, rows in columns]
    return {"type": "triples", "columns": listed, "chosen": chosen, "title": title}


def picture(
    svg: str,
    heading: str = "",
    *,
    fit: int = 0,
    min_percent: int = 90,
    files: Drawing | None = None,
    languages: Languages | None = None,
    wider: Sequence[tuple[int, str]] = (),
) -> Block:
    """Return a picture; it is scaled to the page, but not below a percentage of its size.

    The page shows instead the last of the `wider` ones that is not wider than itself: widths and SVG.
    """
    return {
        "type": "picture",
        "heading": heading,
        "svg": svg,
        "wider": _lists(wider),
        "fit": fit,
        "least": min_percent,
        "files": files,
        "languages": languages,
    }


def drawn(drawing: Drawing, heading: str | None = None, *, fit: int = 0, min_percent: int = 90) -> Block:
    """Return a drawing that can be saved in all its languages, or why there is none; its title is the usual heading."""
    title = drawing.title if heading is None else heading
    files = drawing.titled(title) if title else drawing
    try:
        svg = drawing.draw(theme="auto")
    except EvaltoolsError as error:
        return not_drawn(title, error)
    return picture(svg, title, fit=fit, min_percent=min_percent, files=files)


def not_drawn(title: str, error: EvaltoolsError) -> Block:
    """Return the line that replaces a picture."""
    return note(f"{title}: {error}" if title else str(error))


def wrapped(drawing: Drawing, heading: str | None = None, *, widths: Sequence[int] = (330, 640, 880, 1080)) -> Block:
    """Return a drawing whose layout takes a ``width``, for pages of several widths, or why there is none."""
    title = drawing.title if heading is None else heading
    try:
        narrow, *wider = [(width, drawing.draw(theme="auto", width=width)) for width in widths]
    except EvaltoolsError as error:
        return not_drawn(title, error)
    return picture(narrow[1], title, files=drawing, wider=wider)


def pictures(drawings: Sequence[tuple[str, str]], languages: Sequence[Languages | None] = ()) -> Block:
    """Return pictures in their own size, beside one another as far as they fit: title and SVG."""
    return {"type": "pictures", "heading": "", "drawn": _lists(drawings), "languages": list(languages)}


def table(
    head: Sequence[str], rows: Sequence[tuple[bool, Sequence[str]]], *, heading: str = "", numbers: Collection[int] = ()
) -> Block:
    """Return a small table of texts."""
    listed = [[is_marked, list(cells)] for is_marked, cells in rows]
    return {"type": "table", "heading": heading, "head": list(head), "rows": listed, "numbers": sorted(numbers)}


def differences(
    head: Sequence[str],
    rows: Sequence[tuple[int | None, bool, Sequence[Sequence[tuple[str, str]]]]],
    *,
    title: str = "",
) -> Block:
    """Return a table of two analyses: position to click, whether it is chosen, and cells of statuses and texts.

    The status of a text is ``deleted`` or ``inserted`` if only the first or only the second analysis has it.
    """
    listed = [[position, is_chosen, [_lists(cell) for cell in cells]] for position, is_chosen, cells in rows]
    return {"type": "differences", "heading": "", "title": title, "head": list(head), "rows": listed}
