"""Sections of a report as text; charts are left to HTML reports."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text as Line

from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.outputs.sections import SECTIONS, Block, Chart, Picture, Report, Table, Text
from evaltools.outputs.tables import console_text
from evaltools.text import printable

_WIDTH = 160
_ALL = "all"


def section_text(report: Report, name: str) -> str:
    """Return a section as text, or all of them."""
    if name not in (*SECTIONS, _ALL):
        raise ParameterError.unknown("section", name, [*SECTIONS, _ALL])
    parts: list[RenderableType | str] = []
    for section in (function(report) for own, function in SECTIONS.items() if name in (own, _ALL)):
        if section.title and section.blocks:
            parts.append(Line(f"\n{section.title}\n{'=' * len(section.title)}"))
        parts += [part for block in section.blocks for part in _parts(block)]
    return console_text(parts or [Line("Nothing to report.")], report.run.signature, _WIDTH)


def _parts(block: Block) -> Iterator[RenderableType | str]:
    if isinstance(block, Text):
        yield Line(("\n" if block.kind == "heading" else "") + printable(block.text))
    elif isinstance(block, Table):
        yield from [Line(f"\n{printable(block.title)}")] if block.title else []
        yield _grid(block)
        yield from [Line(printable(block.note))] if block.note else []
    elif isinstance(block, Chart):
        return
    else:
        yield from _picture(block)


def _grid(table: Table) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, head in enumerate(table.heads):
        grid.add_column(printable(head), justify="left" if index < table.n_texts else "right")
    for row in table.rows:
        grid.add_row(*(Line(printable(cell)) for cell in row))
    return grid


def _picture(picture: Picture) -> Iterator[RenderableType | str]:
    """Yield the heading and the texts of a picture, and of a whole sentence its drawings."""
    yield Line(f"\n{printable(picture.title)}")
    yield from (Line(printable(f"  {text}")) for text in picture.notes)
    if picture.words:
        words = " ".join(f"[{word}]" if at in picture.marked else word for at, word in enumerate(picture.words))
        yield Line(printable(f"  Sentence {picture.sentence}: {words}"))
    yield from [Line(printable(f"  {picture.remark}"))] if picture.remark else []
    for drawing in picture.drawings if picture.is_folded else ():
        try:
            yield drawing.draw("text")
        except EvaltoolsError as error:
            yield Line(f"  {printable(str(error))}")
