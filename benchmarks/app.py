"""The app on a run of a million sentences and two parsers: the time to open each page and to answer each widget."""

from __future__ import annotations

import statistics
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks import engine, generate
from benchmarks.browser import Reader, chromium, serving, why_not
from benchmarks.long import repeated
from benchmarks.report import MEGABYTE, Row
from benchmarks.timing import Time, measure_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

PARSERS = 2
#: Different sentences; the corpus is these over and over.
DIFFERENT = 20_000
#: Rows on a page of a list of sentences.
ROWS = 5_000
OPENS, ANSWERS, MEMORY = 3.0, 1.0, 1_500
_HEIGHT, _HEADER, _ROW = 1000, 34, 30
_FIRST_COLUMN, _DECILE = 34, 46
_FIELDS = "[data-testid=stMain], [data-testid=stPopoverBody]"


@dataclass(frozen=True, slots=True)
class Widget:
    """An action on a page, and the element that changes after it."""

    name: str
    act: Callable[[Page], Any]
    answer: str


@dataclass(frozen=True, slots=True)
class AppPage:
    """A page: its path, the elements of the open page, and its widgets, in the order of use."""

    name: str
    path: str
    elements: tuple[str, ...]
    widgets: tuple[Widget, ...] = ()


def _choose(name: str, option: str) -> Callable[[Page], None]:
    """Choose an option of the select box of a query parameter."""

    def act(page: Page) -> None:
        field = page.locator(f".st-key-url_{name} input").first
        field.click()
        field.fill(option)  # a long list shows only part of its options
        page.get_by_role("option", name=option, exact=True).click()

    return act


def _press(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_test_id("stMain").get_by_role("button", name=name).first.click()


def _segment(name: str, option: str) -> Callable[[Page], None]:
    """Choose a segment of the control of a query parameter."""
    return lambda page: page.locator(f".st-key-url_{name}").get_by_text(option, exact=True).first.click()


def _write(label: str, text: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        field = page.locator(_FIELDS).get_by_label(label).first
        field.fill(text)
        field.press("Enter")

    return act


def _row(index: int) -> Callable[[Page], None]:
    """Select a row of the first table by its checkbox."""

    def act(page: Page) -> None:
        table = page.locator("[data-testid=stMain] [data-testid=stDataFrame]").first
        table.click(position={"x": 20, "y": _HEADER + _ROW * index + _ROW / 2})

    return act


def _cell(row: int, column: int) -> Callable[[Page], None]:
    """Select a cell of the first table, which is that of the deciles."""

    def act(page: Page) -> None:
        table = page.locator("[data-testid=stMain] [data-testid=stDataFrame]").first
        table.click(position={"x": _FIRST_COLUMN + _DECILE * (column - 0.5), "y": _HEADER + _ROW * (row - 0.5)})

    return act


_ABOUT = ("[data-testid=stMarkdown]",)
_CHART = "[data-testid=stVegaLiteChart] :is(canvas, svg)"
_TABLE = "[data-testid=stDataFrame] canvas"
_HEADING = ".st-key-detail_head"
_ANSWER = ".st-key-worst_answer .answer"
_DRAWING = ".panel[data-kind=t] svg"
_DISAGREES = ".st-key-disagree_answer .answer"
_HOT = ".st-key-hotspots_answer .answer"
_NOTE = ".st-key-worst_coverage .note"


def pages(leader: str, other: str, n: int) -> tuple[AppPage, ...]:
    """Return the pages of a run of `n` sentences, and their widgets; `leader` is the parser that pages show first."""
    t_dice, la_graded, la_exact = map(engine.metric_title, ("t_dice", "la_partial", "la_strict"))
    turns = (Widget("page 2", _write(f"Page, of {-(-n // ROWS):,}", "2"), _HEADING),) if n > ROWS else ()
    return (
        AppPage(
            "Overview",
            "",
            (_TABLE, ".st-key-bump_frame svg", ".st-key-distribution_frame svg", ".st-key-length_frame svg"),
            (
                Widget("figure: macro", _segment("average", "macro"), ".st-key-explanation_formula .plain"),
                Widget(
                    "sentences: all",
                    _segment("over", "all, no parse counts as 0"),
                    ".st-key-explanation_formula .plain",
                ),
                Widget(f"metric: {t_dice}", _choose("metric", t_dice), ".st-key-length_frame"),
                Widget(f"metric: {la_graded}", _choose("metric", la_graded), ".st-key-distribution_frame"),
                Widget("a figure of the table", _row(1), ".st-key-explanation_formula .plain"),
            ),
        ),
        AppPage(
            "Worst parses",
            "worst_parses",
            (_TABLE, _DRAWING),
            (
                Widget("next", _press("Next"), _HEADING),
                Widget("a row", _row(5), _HEADING),
                *turns,
                Widget("parser", _choose("parser", other), _ANSWER),
                Widget(f"metric: {t_dice}", _choose("metric", t_dice), _ANSWER),
                Widget("order: best first", _choose("order", "best first"), _TABLE),
                Widget(f"rank against: {la_exact}", _choose("metric2", la_exact), _ANSWER),
                Widget("text", _write("Text", "of the"), _NOTE),
                Widget("regular expression", lambda page: page.get_by_text("regular expression").first.click(), _NOTE),
                Widget("another one", _write("Text", "(ka|re)+[a-z]* the"), _NOTE),
                Widget("no text", _write("Text", ""), _NOTE),
                Widget("more filters", _press("More filters"), ""),
                Widget("label: PP", _choose("label", "PP"), _NOTE),
                Widget("a whole word", _write("Word", "the"), _NOTE),
                Widget("parsers differ", lambda page: page.get_by_text("parsers differ").first.click(), _NOTE),
            ),
        ),
        AppPage(
            "Sentence",
            f"sentence?sentence={n * 2 // 3}",
            (_DRAWING,),
            (
                Widget("next", _press("Next"), _DRAWING),
                Widget("a number", _write(f"Sentence, of {n:,}", str(n // 8)), _DRAWING),
                Widget("parser", _choose("parser", other), _DRAWING),
                Widget("a word", lambda page: page.locator(".strip .word").nth(1).click(), "svg.lineage"),
                Widget("compare with", _choose("other", leader), _DRAWING),
                Widget("mapping of the edit script", _segment("script", "E-mapping"), ".st-key-sentence_steps .steps"),
            ),
        ),
        AppPage(
            "Disagreement",
            "disagreement",
            (_CHART, _TABLE),
            (
                Widget("a cell of the deciles", _cell(2, 9), ".st-key-disagree_coverage .note"),
                Widget("show all", _press("Show all"), ".st-key-disagree_coverage .note"),
                Widget("next", _press("Next"), _HEADING),
                Widget(f"second metric: {la_exact}", _choose("metric2", la_exact), _DISAGREES),
                Widget(f"metric: {t_dice}", _choose("metric", t_dice), _DISAGREES),
                Widget("parser", _choose("parser", other), _DISAGREES),
                Widget("against the other", _choose("other", leader), _DISAGREES),
            ),
        ),
        AppPage(
            "Hotspots",
            "hotspots",
            (_TABLE,),
            (
                Widget("a row", _row(2), ".st-key-detail_head"),
                Widget("next", _press("Next"), _HEADING),
                *(Widget(f"view: {view}", _choose("view", view), _HOT) for view in engine.hotspot_views()),
                Widget("parser", _choose("parser", other), _HOT),
                Widget("compare with", _choose("other", leader), _HOT),
            ),
        ),
        AppPage("About the metrics", "about", _ABOUT),
    )


def million_run(n: int, folder: Path, seed: int) -> tuple[Path, Time]:
    """Generate two parsers' answers to `n` sentences, score them; return the run and what that took."""
    gold = generate.trees(min(n, DIFFERENT), seed)
    small = generate.write(folder, gold, generate.answers(gold, PARSERS, seed))
    made = generate.Corpus(folder / "long-gold.ptb", {name: folder / f"long-{name}.ptb" for name in small.parsers})
    pairs = [(small.gold, made.gold), *((small.parsers[name], path) for name, path in made.parsers.items())]
    for source, target in pairs:
        repeated(source, target, n)
    run = folder / "long.run"
    return run, measure_command(engine.score_command(made, run), {})


def app_rows(n: int, folder: Path, seed: int, repeats: int, made: Path | None = None) -> Iterator[Row]:
    """Make the run, unless there is one, and measure every page and widget.

    A page opens on a server that has shown only another page, and on one that has just started and still loads its
    libraries; widgets answer on the latter.
    """
    reason = why_not()
    if reason:
        yield Row("the app", f"not measured: {reason}", Time(0, 0), "–")
        return
    if made is None:
        made, scoring = million_run(n, folder, seed)
        peak = f"{(scoring.peak or 0) / MEGABYTE:,.0f} MB"
        yield Row("evaltools score", f"{n:,} sentences, {PARSERS} parsers", scoring, peak)
    measured = pages(*engine.parsers(made)[:2], n)
    first: dict[str, list[Time]] = defaultdict(list)
    opens: dict[str, list[Time]] = defaultdict(list)
    answers: dict[tuple[str, str], list[Time]] = defaultdict(list)
    peaks = []
    for _ in range(repeats):
        for page in measured:
            with _reading(made) as reader:
                first[page.name].append(reader.open(page.path, *page.elements))
                for widget in page.widgets:
                    if widget.answer:
                        answers[page.name, widget.name].append(_answered(reader, widget))
                    else:
                        widget.act(reader.page)
                peaks.append(reader.server.peak())
            with _reading(made) as reader:
                reader.open("about", *_ABOUT)
                opens[page.name].append(reader.open(page.path, *page.elements))
    for page in measured:
        time = _median(opens[page.name])
        yield Row(page.name, "opens", time, "", f"≤ {OPENS:g} s", time.wall <= OPENS)
        yield Row("", "opens, while the server starts", _median(first[page.name]), "")
        for widget in page.widgets:
            if widget.answer:
                time = _median(answers[page.name, widget.name])
                yield Row("", widget.name, time, "", f"≤ {ANSWERS:g} s", time.wall <= ANSWERS)
    peak = max(peaks) / MEGABYTE
    if peak:
        yield Row("  peak memory", "of the server", Time(0, 0), f"{peak:,.0f} MB", f"≤ {MEMORY:,} MB", peak <= MEMORY)


@contextmanager
def _reading(run: Path) -> Iterator[Reader]:
    """Start a server and a browser."""
    with serving(lambda port: engine.app_command(run, port)) as server, chromium() as browser:
        context = browser.new_context(viewport={"width": 1400, "height": _HEIGHT}, locale="en-GB")
        context.set_default_timeout(120_000)
        yield Reader(context.new_page(), server)


def _answered(reader: Reader, widget: Widget) -> Time:
    """Return the time until a widget answered; infinite if it did not."""
    try:
        return reader.answer(widget.act, widget.answer)
    except TimeoutError:
        return Time(float("inf"), 0)


def _median(times: list[Time]) -> Time:
    return Time(statistics.median(time.wall for time in times), statistics.median(time.cpu for time in times))
