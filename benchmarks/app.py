"""The app on a run: the time to open each page and to answer each widget."""

from __future__ import annotations

import statistics
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console

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
MEMORY = 1_500
_HEIGHT, _HEADER, _ROW = 1000, 34, 30
_PAUSE = 1_000
"""Milliseconds between two actions: a reader looks at an answer before the next click."""
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


def _reopened(name: str) -> Callable[[Page], None]:
    """Open a popover, unless it is open."""

    def act(page: Page) -> None:
        if not page.get_by_test_id("stPopoverBody").is_visible():
            _press(name)(page)

    return act


def _segment(name: str, option: str) -> Callable[[Page], None]:
    """Choose a segment of the control of a query parameter."""
    return lambda page: page.locator(f".st-key-url_{name}").get_by_text(option, exact=True).first.click()


def _write(label: str, text: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        field = page.locator(_FIELDS).get_by_label(label, exact=True).first
        field.fill(text)
        field.press("Enter")

    return act


def _row(index: int) -> Callable[[Page], None]:
    """Select a row of the first table by its checkbox."""

    def act(page: Page) -> None:
        table = page.locator("[data-testid=stMain] [data-testid=stDataFrame]").first
        table.click(position={"x": 20, "y": _HEADER + _ROW * index + _ROW / 2})

    return act


def _open(name: str) -> Callable[[Page], None]:
    """Open a folding section."""
    return lambda page: page.locator(f".st-key-open_{name} summary").click()


_ABOUT = ".st-key-about_text"
_TABLE = "[data-testid=stDataFrame] canvas"
_HEADING = ".st-key-detail_head"
_FORMULA = ".st-key-explanation_formula .value"
_WORST = ".st-key-worst_answer .answer"
_COVERAGE = ".st-key-worst_coverage .note"
_MARKED = ".marked .panel svg"
_DISAGREES = ".st-key-disagree_answer .answer"
_CHART = "[data-testid=stVegaLiteChart] :is(canvas,svg)"
_HOT = ".st-key-hotspots_answer .answer"


def pages(leader: str, other: str, n: int) -> tuple[AppPage, ...]:
    """Return the pages of a run of `n` sentences, and their widgets; `leader` is the parser that pages show first."""
    t_dice, la_graded, la_exact = map(engine.metric_title, ("t_dice", "la_partial", "la_strict"))
    views = engine.hotspot_views()
    turns = (Widget("page 2", _write(f"Page, of {-(-n // ROWS):,}", "2"), _HEADING),) if n > ROWS else ()
    return (
        AppPage(
            "Overview",
            "",
            (".st-key-lead_types .answer", _TABLE, _FORMULA),
            (
                Widget("a figure of the table", _row(1), _FORMULA),
                Widget("figure: macro", _segment("average", "macro"), _FORMULA),
                Widget("sentences: all", _segment("over", "all, no parse counts as 0"), _TABLE),
                Widget("open: constructions of all parsers", _open("errors"), ".st-key-open_errors"),
                Widget("open: ranks", _open("ranks"), ".st-key-open_ranks"),
                Widget("open: distribution", _open("distribution"), ".st-key-open_distribution"),
                Widget(f"metric: {t_dice}", _choose("metric", t_dice), ".st-key-distribution_frame"),
            ),
        ),
        AppPage(
            "Worst parses",
            "worst_parses",
            (_TABLE, _MARKED),
            (
                Widget("next", _press("Next"), _HEADING),
                Widget("a row", _row(2), _HEADING),
                *turns,
                Widget("parser", _choose("parser", other), _WORST),
                Widget(f"metric: {t_dice}", _choose("metric", t_dice), _WORST),
                Widget("order: best by the metric", _choose("order", "best by the metric"), _TABLE),
                Widget(f"compare with: {la_exact}", _choose("metric2", la_exact), _WORST),
                Widget("text", _write("Text", "of the"), _COVERAGE),
                Widget("regular expression", lambda page: page.get_by_text("regular expression").first.click(), ""),
                Widget("another one", _write("Text", "[a-z]+s the"), _COVERAGE),
                Widget("no text", _write("Text", ""), _COVERAGE),
                Widget("more filters", _press("More filters"), ""),
                Widget("a whole word", _write("Word", "the"), _COVERAGE),
                Widget("more filters again", _reopened("More filters"), ""),
                Widget("label: PP", _choose("label", "PP"), _COVERAGE),
                Widget("more filters once more", _reopened("More filters"), ""),
                Widget("parsers differ", lambda page: page.get_by_text("parsers differ").first.click(), _COVERAGE),
            ),
        ),
        AppPage(
            "Sentence",
            f"sentence?sentence={max(1, n * 2 // 3)}",
            (_MARKED,),
            (
                Widget("next", _press("Next"), _MARKED),
                Widget("a number", _write(f"Sentence, of {n:,}", str(max(1, n // 8))), _MARKED),
                Widget("parser", _choose("parser", other), _MARKED),
                Widget("correct brackets", lambda page: page.get_by_text("Correct brackets").first.click(), _MARKED),
                Widget("a word", lambda page: page.locator(".strip .word").nth(1).click(), "svg.lineage"),
                Widget("open: trees as text", _open("texts"), ".st-key-open_texts"),
                Widget("compare with", _choose("other", leader), _MARKED),
            ),
        ),
        AppPage(
            "Disagreement",
            "disagreement",
            (_CHART, _TABLE),
            (
                Widget("next", _press("Next"), _HEADING),
                Widget(f"second metric: {la_exact}", _choose("metric2", la_exact), _DISAGREES),
                Widget(f"metric: {la_graded}", _choose("metric", la_graded), _DISAGREES),
                Widget("parser", _choose("parser", other), _DISAGREES),
                Widget("compare with", _choose("other", leader), _DISAGREES),
            ),
        ),
        AppPage(
            "Hotspots",
            "hotspots",
            (_TABLE,),
            (
                Widget("a row", _row(2), _HEADING),
                Widget("next", _press("Next"), _HEADING),
                *(Widget(f"view: {view}", _choose("view", view), _HOT) for view in (*views[1:], views[0])),
                Widget("parser", _choose("parser", other), _HOT),
                Widget("compare with", _choose("other", leader), _HOT),
            ),
        ),
        AppPage("Metric lab", "lab", ("svg.evaltools",)),
        AppPage("Lessons", "lessons", ("button",)),
    )


def million_run(n: int, folder: Path, seed: int) -> tuple[Path, Row]:
    """Generate two parsers' answers to `n` sentences, score them; return the run, and the line of what that took."""
    gold = generate.trees(min(n, DIFFERENT), seed)
    small = generate.write(folder, gold, generate.answers(gold, PARSERS, seed))
    made = generate.Corpus(folder / "long-gold.ptb", {name: folder / f"long-{name}.ptb" for name in small.parsers})
    pairs = [(small.gold, made.gold), *((small.parsers[name], path) for name, path in made.parsers.items())]
    for source, target in pairs:
        repeated(source, target, n)
    run = folder / "long.run"
    time = measure_command(engine.score_command(made, run), {})
    peak = f"{(time.peak or 0) / MEGABYTE:,.0f} MB"
    return run, Row("evaltools score", f"{n:,} sentences, {PARSERS} parsers", time, peak)


@dataclass(frozen=True, slots=True)
class Targets:
    """Seconds that an action may take at most; none where nothing is asked."""

    opens: float
    answers: float
    first: float | None = None  # the first page of a server that has just started
    turns: float | None = None  # from another page, by the navigation


LONG = Targets(opens=3.0, answers=1.0)
USUAL = Targets(opens=1.0, answers=0.3, first=2.5, turns=0.5)
#: A run of up to so many sentences is a usual one.
USUAL_SIZE = 20_000


def app_rows(run: Path, repeats: int) -> Iterator[Row]:
    """Measure every page and widget of a run.

    A page opens in a new tab of a server that has shown another page, or by the navigation from another page: for the
    first time in a tab, and again. The first page opens on a server that has just started, too. Widgets answer in a tab
    that showed the page.
    """
    reason = why_not()
    if reason:
        yield Row("the app", f"not measured: {reason}", Time(0, 0), "–")
        return
    n, parsers = engine.size(run), engine.parsers(run)
    targets = LONG if n > USUAL_SIZE else USUAL
    measured = pages(parsers[0], parsers[-1], n)
    say = Console(stderr=True, highlight=False).print
    times: dict[tuple[str, str, float | None], list[Time]] = defaultdict(list)
    peaks = []

    def record(page: AppPage, what: str, target: float | None, measure: Callable[..., Time], *inputs: Any) -> None:
        time = _tried(measure, *inputs)
        say(f"{page.name}, {what}: {time.wall:.2f} s")
        times[page.name, what, target].append(time)

    for _ in range(repeats):
        with _reading(run) as reader:
            first = measured[0]
            record(first, "opens, the first page of a server", targets.first, reader.open, first.path, *first.elements)
            for page in measured:
                reader.open("about", _ABOUT)
                reader.page.wait_for_timeout(_PAUSE)
                record(page, "from another page", targets.turns, reader.turn, page.name, *page.elements)
                reader.open("about", _ABOUT)
                reader.page.wait_for_timeout(_PAUSE)
                record(page, "opens", targets.opens, reader.open, page.path, *page.elements)
                for widget in page.widgets:
                    reader.page.wait_for_timeout(_PAUSE)
                    if widget.answer:
                        record(page, widget.name, targets.answers, reader.answer, widget.act, widget.answer)
                    else:
                        widget.act(reader.page)
            for page in measured:  # so that the tab has shown each of them
                reader.page.wait_for_timeout(_PAUSE)
                _tried(reader.turn, page.name, *page.elements)
            for page in measured:
                reader.page.wait_for_timeout(_PAUSE)
                record(page, "from another page, again", targets.turns, reader.turn, page.name, *page.elements)
            peaks.append(reader.server.peak())
    last = ""
    for (page_name, what, target), taken in sorted(times.items(), key=_in_order(measured)):
        time = _median(taken)
        aim = f"≤ {target:g} s" if target is not None else ""
        yield Row("" if page_name == last else page_name, what, time, "", aim, target is None or time.wall <= target)
        last = page_name
    peak = max(peaks) / MEGABYTE
    if peak:
        yield Row("  peak memory", "of the server", Time(0, 0), f"{peak:,.0f} MB", f"≤ {MEMORY:,} MB", peak <= MEMORY)


def _in_order(measured: tuple[AppPage, ...]) -> Callable[[Any], int]:
    """Return a key that sorts times by page, each page's in the order of measuring."""
    places = {page.name: place for place, page in enumerate(measured)}
    return lambda item: places[item[0][0]]


@contextmanager
def _reading(run: Path) -> Iterator[Reader]:
    """Start a server and a browser."""
    with serving(lambda port: engine.app_command(run, port)) as server, chromium() as browser:
        context = browser.new_context(viewport={"width": 1400, "height": _HEIGHT}, locale="en-GB")
        context.set_default_timeout(30_000 if engine.size(run) <= USUAL_SIZE else 120_000)
        yield Reader(context.new_page(), server)


def _tried(measure: Callable[..., Time], *inputs: Any) -> Time:
    """Return a measured time; infinite if what was waited for did not come."""
    from playwright.sync_api import Error

    try:
        return measure(*inputs)
    except (TimeoutError, Error):
        return Time(float("inf"), 0)


def _median(times: list[Time]) -> Time:
    return Time(statistics.median(time.wall for time in times), statistics.median(time.cpu for time in times))
