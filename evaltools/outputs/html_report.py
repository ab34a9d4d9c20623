"""A run as one HTML file, or as a folder of pages for any static host."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from evaltools.blocks import Block, Chart, Picture, Table, Text
from evaltools.drawing import Drawing
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.files import refuse_existing, write_files
from evaltools.outputs import sections
from evaltools.outputs.page import Page, note, quoted
from evaltools.outputs.sections import SECTIONS, Report
from evaltools.outputs.tables import table_html
from evaltools.outputs.vega import chart_svg
from evaltools.runs.store import Run

__all__ = ["html_report", "write_bundle"]

_KINDS = {"text": "", "line": "note"}
_EXAMPLE_WIDTH = 360
"""Pixels of a small picture."""

Note = Callable[[str], None]


def write_section(page: Page, title: str, blocks: Sequence[Block]) -> None:
    """Add a section to a page; nothing if it has no blocks."""
    if title and blocks:
        page.section(title)
    for form, own in groupby(blocks, _stands_beside):
        if form:
            page.beside(_small(page, block) for block in own)
        else:
            for block in own:
                _write_block(page, block)


def _stands_beside(block: Block) -> bool:
    """Return whether a block is small and stands beside others of its kind."""
    return (isinstance(block, Table) and block.form == "small") or (isinstance(block, Picture) and not block.is_folded)


def _small(page: Page, block: Block) -> tuple[str, str, str]:
    """Return title, content in HTML and remark of a small block."""
    if isinstance(block, Table):
        return block.title, table_html(block), block.note
    assert isinstance(block, Picture)
    parts = [note(text) for text in block.notes]
    sentence = f"Sentence {block.sentence}:"
    parts += [note(f"{sentence} {block.remark}")] if block.remark else []
    parts += [] if block.drawings else [quoted(block.words, block.marked, sentence)]
    parts += [page.figure(*_drawn(drawing, "", width=_EXAMPLE_WIDTH)) for drawing in block.drawings]
    return block.title, "".join(parts), ""


def _write_block(page: Page, block: Block) -> None:
    if isinstance(block, Text):
        if block.kind == "heading":
            page.heading(block.text)
        else:
            page.text(block.text, _KINDS.get(block.kind, block.kind))
    elif isinstance(block, Table):
        content = [table_html(block)]
        content += [note(block.note)] if block.note else []
        if block.form == "folded":
            page.folded(block.title, content)
        else:
            page.markup("".join(content))
    elif isinstance(block, Chart):
        caption = f"{block.title}. {block.note}".strip()
        page.picture(chart_svg(block.specification, inline=True), caption)
    elif isinstance(block, Picture):
        captions = [drawing.title if len(block.drawings) > 1 else "" for drawing in block.drawings]
        drawn = [_drawn(drawing, caption) for drawing, caption in zip(block.drawings, captions, strict=True)]
        figures = [*(("", text) for text in block.notes), *drawn]
        page.folded(block.title, (page.figure(svg, caption) for svg, caption in figures))


def _drawn(drawing: Drawing, caption: str, **options: Any) -> tuple[str, str]:
    """Return a picture and its caption; of one that cannot be drawn, why."""
    try:
        return drawing.draw(theme="auto", **options), caption
    except EvaltoolsError as error:
        return "", f"{caption}: {error}" if caption else str(error)


def _page(report: Report) -> Page:
    """Return the page of a report, with what its figures are of."""
    page = Page(report.title)
    write_section(page, "", sections.findings(report))
    page.text(f"{report.run.n_counted:,} sentences, preset {report.run.preset}.", "note")
    page.text(report.run.signature, "note")
    return page


def html_report(
    run: Run, *, worst: int = 5, metric: str | None = None, cluster: str = "", tell: Note | None = None
) -> str:
    """Write a run as one HTML file, which needs no network and no script.

    Parameters
    ----------
    run : Run
        The run.
    worst : int
        Number of worst parses drawn per parser.
    metric : str, optional
        Metric for comparison and ranking; by default the run's main metric.
    cluster : str
        Column of the metadata, such as ``document``, whose values are drawn as a whole for intervals and permuted in
        tests; by default sentences are.
    tell : callable, optional
        Called with the name of each step.

    Returns
    -------
    str
        The HTML text.

    Raises
    ------
    ParameterError
        If the metric or the column is not one of the run's, or `worst` is negative.
    """
    if worst < 0:
        raise ParameterError(f"the number of parses must not be negative: {worst}")
    tell = tell or (lambda _: None)
    tell("figures")
    report = Report.of(run, metric, cluster, worst)
    page = _page(report)
    for name, section in SECTIONS.items():
        if name != "findings":
            tell(name)
            write_section(page, section.title, section.blocks(report))
    return str(page)


_PARSES_ON_PAGE = 20
_MAX_COSTLIEST = 12
"""Number of costliest rows on the page of a parser."""
_INDEX = "index.html"
_OWN_PAGES = re.compile(r"index\.html|(errors-\d+|worst-\d+-\d+)\.html")


def write_bundle(
    run: Run,
    folder: Path,
    *,
    worst: int = 100,
    metric: str | None = None,
    cluster: str = "",
    force: bool = False,
    tell: Note | None = None,
) -> list[Path]:
    """Write a run as a folder of pages, which need no server, no network and no script.

    Parameters
    ----------
    run : Run
        The run.
    folder : Path
        Output folder; created if it does not exist.
    worst : int
        Number of worst parses drawn per parser.
    metric : str, optional
        Metric for comparison and ranking; by default the run's main metric.
    cluster : str
        Column of the metadata whose values, such as documents, are drawn as a whole for intervals and tests; by
        default sentences are drawn.
    force : bool
        Whether the pages of an earlier bundle in the folder are replaced; other files stay.
    tell : callable, optional
        Called with the name of each step.

    Returns
    -------
    list of Path
        The pages, the first one first.

    Raises
    ------
    ParameterError
        If the metric is not one of the run's, the run has no such column, or `worst` is negative.
    InputError
        If the folder has pages that are not to be replaced, or cannot be written.
    """
    if worst < 0:
        raise ParameterError(f"the number of parses must not be negative: {worst}")
    refuse_existing(folder / _INDEX, force=force)
    made = _Bundle(Report.of(run, metric, cluster, worst)).pages(tell or (lambda _: None))
    pages = {name: str(page).encode("utf-8", "backslashreplace") for name, page in made}
    write_files(folder, pages, force=force)
    for path in folder.iterdir():
        if _OWN_PAGES.fullmatch(path.name) and path.name not in pages:
            path.unlink()
    return sorted((folder / name for name in pages), key=lambda path: path.name != _INDEX)


_ON_OWN_PAGES = ("findings", "errors", "hotspots", "worst")
"""The sections that do not follow the list of parsers on the first page of a bundle."""


class _Bundle:
    """The pages of a run. Names of files have the rank of a parser, since names of parsers may be anything."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.rows = {parser: sections.worst_rows(report, parser, report.n_worst) for parser in report.parsers}

    def pages(self, tell: Note) -> Iterator[tuple[str, Page]]:
        """Yield the pages with their names, the overview last, so that it links to complete pages."""
        for rank, parser in enumerate(self.report.parsers, 1):
            tell(f"{parser}: errors")
            yield f"errors-{rank}.html", self._errors(rank, parser)
            listed = self.rows[parser]
            chunks = [listed[at : at + _PARSES_ON_PAGE] for at in range(0, len(listed), _PARSES_ON_PAGE)]
            for number, rows in enumerate(chunks, 1):
                tell(f"{parser}: worst parses, page {number} of {len(chunks)}")
                yield f"worst-{rank}-{number}.html", self._parses(rank, parser, number, len(chunks), rows)
        tell("overview")
        yield _INDEX, self._overview()

    def _overview(self) -> Page:
        page, report = _page(self.report), self.report
        page.section("Parsers")
        for rank, parser in enumerate(report.parsers, 1):
            page.heading(f"{rank}. {parser}")
            for block in sections.errors(replace(report, parser=parser)):
                if isinstance(block, Text) and block.kind == "text":
                    page.text(block.text)
            page.linked(self._pages_of(rank, parser))
        for name, section in SECTIONS.items():
            if name not in _ON_OWN_PAGES:
                write_section(page, section.title, section.blocks(report))
        return page

    def _pages_of(self, rank: int, parser: str) -> list[tuple[str, str]]:
        pages = [(f"errors-{rank}.html", "Costliest errors")]
        n = len(self.rows[parser])
        return [*pages, *([(f"worst-{rank}-1.html", f"{n:,} worst parses")] if n else [])]

    def _linked(self, heading: str, rank: int, parser: str) -> Page:
        return Page(heading, [(_INDEX, "Overview"), *self._pages_of(rank, parser)])

    def _errors(self, rank: int, parser: str) -> Page:
        page = self._linked(f"{parser}: costliest errors", rank, parser)
        report = replace(self.report, parser=parser)
        write_section(page, "Costliest errors", sections.errors(report, _MAX_COSTLIEST))
        write_section(page, "Hotspots", sections.hotspots(report))
        return page

    def _parses(self, rank: int, parser: str, number: int, n_pages: int, rows: Sequence[tuple[int, float]]) -> Page:
        title = self.report.metric.title
        page = self._linked(f"{parser}: worst parses by {title}", rank, parser)
        first, n = (number - 1) * _PARSES_ON_PAGE, len(self.rows[parser])
        page.text(
            f"{first + 1:,} to {first + len(rows):,} of the {n:,} worst parses, of {self.report.run.n_sentences:,} "
            f"sentences: number, {title}, words. A line opens the picture.",
            "note",
        )
        for block in sections.parses(self.report, parser, rows, errors_only=True):
            _write_block(page, block)
        around = [
            (f"worst-{rank}-{at}.html", text)
            for at, text in ((number - 1, "Previous page"), (number + 1, "Next page"))
            if 1 <= at <= n_pages
        ]
        page.linked(around)
        return page
