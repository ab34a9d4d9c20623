"""A run as a folder of pages for any static host: overview, costliest errors, and the worst parses with pictures."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.frameworks.registry import METRICS
from evaltools.outputs import replace_folder, unfinished_folder
from evaltools.publishing.html_report import ranking_metric
from evaltools.publishing.page import Page
from evaltools.publishing.run_sections import Sections
from evaltools.runs.store import Run

__all__ = ["write_bundle"]

_PARSES_ON_PAGE = 20
_MAX_COSTLIEST = 12
"""Number of costliest rows on the page of a parser."""
_INDEX = "index.html"
_OWN_PAGES = re.compile(r"index\.html|(errors-\d+|worst-\d+-\d+)\.html")
Note = Callable[[str], None]


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
        Whether the pages of an earlier bundle in the folder are replaced.
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
        If the folder has other files, or pages that are not to be replaced, or cannot be written.
    """
    if worst < 0:
        raise ParameterError(f"the number of parses must not be negative: {worst}")
    chosen = ranking_metric(run, metric)
    if os.path.islink(folder) and os.path.isdir(folder):
        folder = folder.resolve()
    _check_replaceable(folder, force=force)
    bundle = _Bundle(Sections(run, chosen, cluster), worst)
    try:
        unfinished = unfinished_folder(folder)
        try:
            names = []
            for name, page in bundle.pages(tell or (lambda _: None)):
                (unfinished / name).write_text(str(page), encoding="utf-8", errors="backslashreplace")
                names.append(name)
            replace_folder(folder, unfinished, lambda: _check_replaceable(folder, force=force))
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
    except (OSError, ValueError) as error:  # the latter for a NUL in the path
        raise _unwritable(folder, error) from None
    return sorted((folder / name for name in names), key=lambda path: path.name != _INDEX)


def _unwritable(folder: Path, error: OSError | ValueError) -> InputError:
    found = getattr(error, "strerror", None) or str(error)
    return InputError(Problem("folder", str(folder), None, None, found, "a folder that can be written"))


def _check_replaceable(folder: Path, *, force: bool) -> None:
    """Raise InputError if the folder has other files than pages of a bundle, or pages that are not to be replaced."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise InputError(Problem("folder", str(folder), None, None, "a file", "a new folder"))
    names = sorted(path.name for path in folder.iterdir())
    other = next((name for name in names if not _OWN_PAGES.fullmatch(name)), None)
    if other is not None:
        found = f"other files, such as {other}"
        raise InputError(Problem("folder", str(folder), None, None, found, "a new folder"))
    if names and not force:
        raise InputError(Problem("folder", str(folder), None, None, "an existing bundle", "--force to replace it"))


class _Bundle:
    """The pages of a run. Names of files have the rank of a parser, since names of parsers may be anything."""

    def __init__(self, sections: Sections, worst: int) -> None:
        self.sections = sections
        self.title = sections.title
        self.metric = METRICS[sections.metric]
        self.rows = {parser: sections.worst_rows(parser, worst) for parser in sections.parsers}

    def pages(self, tell: Note) -> Iterator[tuple[str, Page]]:
        """Yield the pages with their names, the overview last, so that it links to complete pages."""
        for rank, parser in enumerate(self.sections.parsers, 1):
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
        page, sections = Page(self.title), self.sections
        sections.findings(page)
        page.section("Parsers")
        for rank, parser in enumerate(sections.parsers, 1):
            page.heading(f"{rank}. {parser}")
            if sentence := sections.costliest_of(parser):
                page.text(sentence)
            page.linked(self._pages_of(rank, parser))
        sections.leaderboard(page)
        sections.significance(page)
        sections.ranks(page)
        sections.error_types(page)
        sections.distributions(page)
        sections.problems(page)
        return page

    def _pages_of(self, rank: int, parser: str) -> list[tuple[str, str]]:
        pages = [(f"errors-{rank}.html", "Costliest errors")]
        n = len(self.rows[parser])
        return [*pages, *([(f"worst-{rank}-1.html", f"{n:,} worst parses")] if n else [])]

    def _linked(self, heading: str, rank: int, parser: str) -> Page:
        return Page(heading, [(_INDEX, "Overview"), *self._pages_of(rank, parser)])

    def _errors(self, rank: int, parser: str) -> Page:
        page = self._linked(f"{parser}: costliest errors", rank, parser)
        self.sections.costliest(page, [parser], _MAX_COSTLIEST)
        self.sections.hotspots(page, [parser])
        return page

    def _parses(self, rank: int, parser: str, number: int, n_pages: int, rows: list[tuple[int, float]]) -> Page:
        page = self._linked(f"{parser}: worst parses by {self.metric.title}", rank, parser)
        first, n = (number - 1) * _PARSES_ON_PAGE, len(self.rows[parser])
        page.text(
            f"{first + 1:,} to {first + len(rows):,} of the {n:,} worst parses, of {self.sections.run.n_sentences:,} "
            f"sentences: number, {self.metric.title}, words. A line opens the picture.",
            "note",
        )
        self.sections.parses(page, parser, rows, errors_only=True)
        around = [
            (f"worst-{rank}-{at}.html", text)
            for at, text in ((number - 1, "Previous page"), (number + 1, "Next page"))
            if 1 <= at <= n_pages
        ]
        page.linked(around)
        return page
