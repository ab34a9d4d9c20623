"""The app on a run: the time to open each page and to answer each widget, beside a nearly empty app of Streamlit."""

from __future__ import annotations

import statistics
import tempfile
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from benchmarks import engine, generate, streamlit_alone
from benchmarks.browser import Reader, chromium, serving, why_not
from benchmarks.long import repeated
from benchmarks.report import MEGABYTE, Row
from benchmarks.streamlit_alone import CHART, CHOICE, ROW
from benchmarks.timing import Time, measure_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

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
    """An action on a page, the element that changes after it, and the like in the app that shows Streamlit alone."""

    name: str
    act: Callable[[Page], Any]
    answer: str
    like: str = CHOICE


@dataclass(frozen=True, slots=True)
class AppPage:
    """A page: its path, the elements of the open page, and its widgets, in the order of use."""

    name: str
    path: str
    elements: tuple[str, ...]
    widgets: tuple[Widget, ...] = ()


def _choose(name: str, option: str) -> Callable[[Page], None]:
    """Choose an option of the select box of a query parameter."""
    return _choose_in(f"[class*=st-key-url_{name}] input", option)  # a number follows once another widget changed it


def _choose_in(selector: str, option: str) -> Callable[[Page], None]:
    """Choose an option of the select box whose field a selector finds."""

    def act(page: Page) -> None:
        field = page.locator(selector).first
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
    return lambda page: page.locator(f"[class*=st-key-url_{name}]").get_by_text(option, exact=True).first.click()


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


_ALONE = "Streamlit alone"
_ABOUT = ".st-key-about_text"
_TABLE = "[data-testid=stDataFrame] canvas"
_BASE = ".st-key-leaderboard_note .note"
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
    ted, la_graded, la_exact = map(engine.metric_title, ("ted", "la", "la_exact"))
    views = engine.hotspot_views()
    turns = (Widget("page 2", _write(f"Page, of {-(-n // ROWS):,}", "2"), _HEADING),) if n > ROWS else ()
    return (
        AppPage(
            "Overview",
            "",
            ("[class*=st-key-lead_types_] .answer", _TABLE, _FORMULA),
            (
                Widget("a figure of the table", _row(1), _FORMULA, ROW),
                Widget("choice of figures", _reopened("metrics"), ""),
                Widget("figure: macro", _segment("average", "macro"), _FORMULA),
                Widget("choice of figures again", _reopened("metrics"), ""),
                Widget("sentences: parsed only", _segment("over", "parsed sentences only"), _BASE),
                Widget("open: ranks", _open("ranks"), ".st-key-open_ranks", ""),
                Widget("open: distribution", _open("distribution"), ".st-key-open_distribution", ""),
                Widget(f"metric: {ted}", _choose("metric", ted), ".st-key-distribution_0_frame", CHART),
            ),
        ),
        AppPage(
            "Worst parses",
            "worst_parses",
            (_TABLE, _MARKED),
            (
                Widget("next", _press("Next"), _HEADING),
                Widget("a row", _row(2), _HEADING, ROW),
                *turns,
                Widget("parser", _choose("parser", other), _WORST),
                Widget(f"metric: {ted}", _choose("metric", ted), _WORST),
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
                Widget("open: trees as text", _open("texts"), ".st-key-open_texts", ""),
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
                Widget("a row", _row(2), _HEADING, ROW),
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


#: How many times as long as in an app of Streamlit with hardly anything on it an action may take.
TIMES = 3.0
#: A run of up to so many sentences is a usual one.
USUAL_SIZE = 20_000


_FIRST, _OPENS = "opens, the first page of a server", "opens"
_TURNS, _AGAIN = "from another page", "from another page, again"


class _Times:
    """What has been measured: by page and action, all times."""

    def __init__(self) -> None:
        self._say = Console(stderr=True, highlight=False).print
        self._taken: dict[tuple[str, str], list[Time]] = defaultdict(list)

    def record(self, page: str, what: str, measure: Callable[..., Time], *inputs: Any) -> None:
        """Measure an action once more."""
        time = _tried(measure, *inputs)
        self._say(f"{page}, {what}: {time.wall:.2f} s")
        self._taken[page, what].append(time)

    def median(self, page: str, what: str) -> Time:
        """Return the median time of an action."""
        taken = self._taken[page, what]
        return Time(statistics.median(time.wall for time in taken), statistics.median(time.cpu for time in taken))

    def rows(self, pages: Iterable[str], likes: Mapping[tuple[str, str], Time]) -> Iterator[Row]:
        """Yield the line of each action, by page; the result is how many times as long it took as what it is like."""
        for page in pages:
            name = page
            for what in [action for measured, action in self._taken if measured == page]:
                time, like = self.median(page, what), likes.get((page, what))
                ratio = f"{time.wall / like.wall:.1f} ×" if like else ""
                aim = f"≤ {TIMES:g} ×" if like else ""
                yield Row(name, what, time, ratio, aim, like is None or time.wall <= TIMES * like.wall)
                name = ""


def app_rows(run: Path, repeats: int) -> Iterator[Row]:
    """Measure every page and widget of a run, and the same actions in a nearly empty app of Streamlit.

    A page opens in a new tab of a server that has shown another page, or by the navigation from another page: for the
    first time in a tab, and again. The first page opens on a server that has just started, too. Widgets answer in a tab
    that showed the page.
    """
    reason = why_not()
    if reason:
        yield Row("the app", f"not measured: {reason}", Time(0, 0), "–")
        return
    engine.warm()  # compiles the kernels, if they are not yet: no reader opens a page while that takes the processors
    n, parsers = engine.size(run), engine.parsers(run)
    measured = pages(parsers[0], parsers[-1], n)
    alone, times, peaks = _Times(), _Times(), []
    for _ in range(repeats):
        _measure_alone(alone)
        peaks.append(_measure(run, measured, times))
    yield from alone.rows([_ALONE], {})
    likes = {
        **{(page.name, what): what for page in measured for what in (_FIRST, _OPENS, _TURNS)},
        **{(page.name, _AGAIN): _TURNS for page in measured},
        **{(page.name, widget.name): widget.like for page in measured for widget in page.widgets if widget.like},
    }
    yield from times.rows(
        (page.name for page in measured), {key: alone.median(_ALONE, like) for key, like in likes.items()}
    )
    peak = max(peaks) / MEGABYTE
    if peak:
        yield Row("  peak memory", "of the server", Time(0, 0), f"{peak:,.0f} MB", f"≤ {MEMORY:,} MB", peak <= MEMORY)


def _measure_alone(times: _Times) -> None:
    """Measure the nearly empty app once."""
    with (
        tempfile.TemporaryDirectory(prefix="evaltools-bench-alone-") as folder,
        _reading(lambda port: streamlit_alone.command(Path(folder), port), 30_000) as reader,
    ):
        elements = (streamlit_alone.TEXT, _TABLE, _CHART)
        times.record(_ALONE, _FIRST, reader.open, "", *elements)
        reader.open("second", streamlit_alone.TEXT)
        reader.page.wait_for_timeout(_PAUSE)
        times.record(_ALONE, _TURNS, reader.turn, streamlit_alone.PAGE, *elements)
        reader.page.wait_for_timeout(_PAUSE)
        times.record(_ALONE, _OPENS, reader.open, "", *elements)
        for what, act, answer in (
            (CHOICE, _choose_in(streamlit_alone.SELECT_BOX, "two"), streamlit_alone.TEXT),
            (ROW, _row(2), streamlit_alone.TEXT),
            (CHART, _choose_in(streamlit_alone.SELECT_BOX, "three"), _CHART),
        ):
            reader.page.wait_for_timeout(_PAUSE)
            times.record(_ALONE, what, reader.answer, act, answer)


def _measure(run: Path, measured: tuple[AppPage, ...], times: _Times) -> int:
    """Measure all pages and widgets once; return the peak memory of the server in bytes."""
    patience = 30_000 if engine.size(run) <= USUAL_SIZE else 120_000
    with _reading(lambda port: engine.app_command(run, port), patience) as reader:
        first = measured[0]
        times.record(first.name, _FIRST, reader.open, first.path, *first.elements)
        for page in measured:
            reader.open("about", _ABOUT)
            reader.page.wait_for_timeout(_PAUSE)
            times.record(page.name, _TURNS, reader.turn, page.name, *page.elements)
            reader.open("about", _ABOUT)
            reader.page.wait_for_timeout(_PAUSE)
            times.record(page.name, _OPENS, reader.open, page.path, *page.elements)
            for widget in page.widgets:
                reader.page.wait_for_timeout(_PAUSE)
                if widget.answer:
                    times.record(page.name, widget.name, reader.answer, widget.act, widget.answer)
                else:
                    widget.act(reader.page)
        for page in measured:  # so that the tab has shown each of them
            reader.page.wait_for_timeout(_PAUSE)
            _tried(reader.turn, page.name, *page.elements)
        for page in measured:
            reader.turn("About the metrics", _ABOUT)
            reader.page.wait_for_timeout(_PAUSE)
            times.record(page.name, _AGAIN, reader.turn, page.name, *page.elements)
        return reader.server.peak()


@contextmanager
def _reading(command: Callable[[int], list[str]], patience: int) -> Iterator[Reader]:
    """Start a server and a browser, which waits for an element for so many milliseconds."""
    with serving(command) as server, chromium() as browser:
        context = browser.new_context(viewport={"width": 1400, "height": _HEIGHT}, locale="en-GB")
        context.set_default_timeout(patience)
        yield Reader(context.new_page(), server)


def _tried(measure: Callable[..., Time], *inputs: Any) -> Time:
    """Return a measured time; infinite if what was waited for did not come."""
    from playwright.sync_api import Error

    try:
        return measure(*inputs)
    except (TimeoutError, Error):
        return Time(float("inf"), 0)
