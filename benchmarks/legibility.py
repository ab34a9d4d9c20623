"""The marked sentence in Chromium: the share of sentences that open with all words and errors readable."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from benchmarks import engine
from benchmarks.browser import chromium, serving, why_not

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

SAMPLE = 40
"""Imperfect sentences of each parser."""
MIN_PIXELS = 11.0
TARGETS = {(1440, 900): 0.95, (1280, 720): 0.90}
"""Windows, and the shares of sentences that are to be readable in them."""
_LISTED = 5
_TIMEOUT = 60_000

# Words and errors of the first marked sentence: how many, how many of them outside the window, and the smallest height
# of a letter, in pixels of the screen. An error is a wrong bracket, or a repair of labels and arcs.
_MEASURE = """() => {
    const drawing = document.querySelector('.marked .stage > svg') || [...document.querySelectorAll('*')]
        .map((host) => host.shadowRoot && host.shadowRoot.querySelector('.marked .stage > svg')).find((one) => one);
    const words = [...drawing.querySelectorAll('.cell')];
    const marks = [...drawing.querySelectorAll('.node.bracket, .node.tag[data-repair], .node.arc')];
    const wrong = marks.filter((one) => !one.classList.contains('right'));
    const name = (one) => one.classList.contains('bracket') ? one.dataset.node : one.dataset.repair;
    const outside = (group) => [...group.querySelectorAll('text')].some((text) => {
        const box = text.getBoundingClientRect();
        return box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    });
    const sizes = [...words, ...wrong].flatMap((group) => [...group.querySelectorAll('text')])
        .filter((text) => ![...text.classList].some((name) => name.endsWith('-number')))
        .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
    return {
        words: words.length,
        errors: new Set(wrong.map(name)).size,
        words_outside: words.filter(outside).length,
        errors_outside: new Set(wrong.filter(outside).map(name)).size,
        pixels: Math.min(...sizes),
    };
}"""


@dataclass(frozen=True, slots=True)
class Opened:
    """A sentence as it opened in a window."""

    parser: str
    sentence: int
    words: int
    wrong: int  # Errors of the parse, in `unit`
    errors: int  # Those that are drawn
    words_outside: int
    errors_outside: int
    pixels: float  # The smallest size of a letter
    unit: str = "wrong brackets"

    @property
    def faults(self) -> list[str]:
        """What cannot be read."""
        faults = []
        if self.errors != self.wrong:
            faults.append(f"{self.errors} of {self.wrong} {self.unit} drawn")
        if self.words_outside:
            faults.append(f"{self.words_outside} words off the screen")
        if self.errors_outside:
            faults.append(f"{self.errors_outside} {self.unit} off the screen")
        if self.pixels < MIN_PIXELS - 0.05:
            faults.append(f"letters of {self.pixels:.1f} px")
        return faults


def sampled(folder: Path, n: int, seed: int) -> Iterator[tuple[str, int, int, int, str]]:
    """Yield parser, sentence, words, errors and their unit of a sample of each parser's imperfect sentences."""
    has_brackets = engine.draws_brackets(folder)
    for parser, sentences in engine.imperfect(folder).items():
        chosen = random.Random(seed).sample(sorted(sentences), min(n, len(sentences)))
        for sentence in sorted(chosen):
            words, wrong = sentences[sentence]
            if has_brackets:
                yield parser, sentence, words, wrong, "wrong brackets"
            elif n_repairs := engine.repairs(folder, parser, sentence):
                yield parser, sentence, words, n_repairs, "repairs"


def opened(page: Page, address: str, parser: str, sentence: int, words: int, wrong: int, unit: str) -> Opened:
    """Open a sentence and measure it as it stands."""
    page.goto(f"{address}/sentence?parser={parser}&sentence={sentence}")
    page.locator(".marked .stage > svg").first.wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    measured: dict[str, Any] = page.evaluate(_MEASURE)
    own = {key: measured[key] for key in measured if key != "words"}
    return Opened(parser, sentence, words, wrong, unit=unit, **own)


def legibility(folder: Path, n: int, seed: int) -> tuple[Group, bool]:
    """Open a sample of a run's imperfect sentences in every window; return the tables, and whether targets are met."""
    if reason := why_not():
        return Group(Text(f"not measured: {reason}")), False
    work = list(sampled(folder, n, seed))
    if not work:
        return Group(Text("not measured: no parse in this run has an error and a marked sentence")), False
    results: dict[tuple[int, int], list[Opened]] = {}
    with serving(lambda port: engine.app_command(folder, port)) as server, chromium() as browser:
        for width, height in TARGETS:
            context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
            context.set_default_timeout(_TIMEOUT)
            page = context.new_page()
            results[width, height] = [opened(page, server.address, *item) for item in work]
            context.close()
    return Group(*(part for window, rows in results.items() for part in _report(window, rows))), all(
        share >= TARGETS[window] for window, rows in results.items() for share in _shares(rows).values()
    )


def _shares(rows: Sequence[Opened]) -> dict[str, float]:
    parsers = dict.fromkeys(row.parser for row in rows)
    own = {parser: [row for row in rows if row.parser == parser] for parser in parsers}
    return {parser: sum(not row.faults for row in some) / len(some) for parser, some in own.items()}


def _report(window: tuple[int, int], rows: Sequence[Opened]) -> Iterator[Table | Text]:
    target = TARGETS[window]
    table = Table(title=f"{window[0]} × {window[1]}", title_justify="left")
    table.add_column("parser")
    for heading in ("sentences", "all words and errors readable", "target", ""):
        table.add_column(heading, justify="right")
    for parser, share in _shares(rows).items():
        n = sum(row.parser == parser for row in rows)
        mark = "[green]met[/green]" if share >= target else "[red]missed[/red]"
        table.add_row(Text(parser), str(n), f"{100 * share:.1f} %", f"≥ {100 * target:.0f} %", mark)
    yield table
    worst = sorted((row for row in rows if row.faults), key=lambda row: (-len(row.faults), -row.words))[:_LISTED]
    for row in worst:
        yield Text(f"  {row.parser}, sentence {row.sentence}, {row.words} words: {', '.join(row.faults)}")
