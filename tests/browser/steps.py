"""What readers do, as steps for tests; each waits for what it brings about."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from re import Pattern
from typing import NamedTuple, TypeVar
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.conftest import MAX_WAIT

ROW = 30
HEADER = 34

Seen = TypeVar("Seen")


FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
"""Two frames: by then the page has handled every event it got before, and has asked for the run that they need."""


def handle_events(page: Page) -> None:
    """Wait until the page has handled what was just done to it."""
    page.evaluate(FRAMES)


SETTLED = f"""async () => {{
  const frames = {FRAMES};
  const state = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
  for (let quiet = 0; quiet < 5; quiet = state() === "notRunning" ? quiet + 1 : 0) await frames();
  return true;
}}"""
"""Waits in the page, because each question from outside takes as long as a frame. A run may end only to begin again."""


def settle(page: Page) -> None:
    """Wait until the script has run: what was just done has asked for its run, and no run follows the last one."""
    page.wait_for_function(SETTLED)


def until(page: Page, look: Callable[[], Seen], is_right: Callable[[Seen], object] = bool) -> Seen:
    """Look at a page, again with every second frame, until what is seen is right; return it.

    This is for what ``expect`` has no word for, such as sizes and colors.
    """
    end = time.monotonic() + MAX_WAIT / 1000
    while not is_right(seen := look()):
        if time.monotonic() > end:
            pytest.fail(f"{page.url} stays at {seen}")
        handle_events(page)
    return seen


class Box(NamedTuple):
    """Where an element is in the window, in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


def boxes(elements: Locator) -> list[Box]:
    """Return where elements are, all seen at once."""
    told = (
        """(all) => all.map((one) => one.getBoundingClientRect()).map((box) => [box.x, box.y, box.width, box.height])"""
    )
    return [Box(*box) for box in elements.evaluate_all(told)]


def expect_boxes(elements: Locator, is_right: Callable[[Box], bool]) -> None:
    """Wait until elements, at least one, are where they belong, and as large as they should be."""
    until(elements.page, lambda: boxes(elements), lambda seen: seen and all(map(is_right, seen)))


def at_rest(page: Page, *elements: Locator) -> list[Box]:
    """Return where elements are once they no longer move."""

    def places() -> list[Box]:
        return [box for element in elements for box in boxes(element.first)]

    def look() -> tuple[list[Box], list[Box]]:
        before = places()
        handle_events(page)
        return before, places()

    return until(page, look, lambda seen: seen[0] == seen[1] and len(seen[1]) == len(elements))[1]


def open_page(page: Page, address: str, name: str, **query: str) -> None:
    page.goto(f"{address}/{name}?{urlencode(query)}")
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
    settle(page)
    expect(
        page.locator("[data-testid=stMain] h1, [data-testid=stMain] h2, [data-testid=stMain] h3").first
    ).to_be_visible()


def drawing(page: Page, kind: str) -> Locator:
    return page.locator(f".panel[data-kind={kind}] svg")


def click_cell(table: Locator, x: float, y: float) -> None:
    """Click a cell as people do, with the pointer on it before: a table that has moved looks where it is only then."""
    settle(table.page)
    table.hover(position={"x": x, "y": y})
    handle_events(table.page)
    table.click(position={"x": x, "y": y})
    settle(table.page)


def click_row(page: Page, place: int) -> None:
    """Select a row of the table of sentences by its checkbox."""
    table = page.locator("[data-testid=stMain] [data-testid=stDataFrame]").first
    row = table.locator(f"canvas tr[aria-rowindex='{place + 2}']").first
    settle(page)
    expect(row).to_be_attached()
    at_rest(page, table)
    table.click(position={"x": 20, "y": HEADER + ROW * place + ROW / 2})
    expect(row).to_have_attribute("aria-selected", "true")
    settle(page)


def in_link(page: Page, name: str) -> str:
    return parse_qs(urlsplit(page.url).query).get(name, [""])[0]


def expect_in_link(page: Page, **values: str | None) -> None:
    """Wait until the address has these values; None for a name that it has not."""
    for name, value in values.items():
        if value is None:
            expect(page).not_to_have_url(re.compile(f"[?&]{re.escape(urlencode({name: ''}))}"))
        else:
            expect(page).to_have_url(re.compile(f"[?&]{re.escape(urlencode({name: value}))}(&|$)"))


def choose(page: Page, label: str, option: str | Pattern[str], *, inside: str = "stMain") -> None:
    """Choose an option of a select box, and return when the page has run with it."""
    box = page.get_by_test_id(inside).get_by_role("combobox", name=label).first
    settle(page)
    box.scroll_into_view_if_needed()
    at_rest(page, box)  # a list closes when the page scrolls
    box.click()
    if isinstance(option, str):
        box.fill(option)  # of a long list only a part is in the page
    page.get_by_role("option", name=option, exact=isinstance(option, str)).click()
    expect(box).to_have_value(option)
    settle(page)


def upload(page: Page, gold: Path, *parsers: Path) -> None:
    """Open the dialog that scores files, and give it files."""
    page.get_by_role("button", name="Score files").click()
    inputs = page.get_by_test_id("stDialog").locator("input[type=file]")
    inputs.nth(0).set_input_files(gold)
    expect(page.get_by_test_id("stDialog").get_by_text(f"{gold.name}: ")).to_be_visible()
    inputs.nth(1).set_input_files(list(parsers))
    for parser in parsers:
        expect(page.get_by_test_id("stDialog").get_by_text(f"{parser.name}: ")).to_be_visible()


def expect_ink(text: Locator, scheme: str) -> None:
    """Wait until a text of a drawing has the color of the theme: dark in the light one."""
    dark = re.compile(r"rgb\((\d|\d\d|1[01]\d|12[0-8]),")
    check = expect(text).not_to_have_css if scheme == "dark" else expect(text).to_have_css
    check("fill", dark)


def expect_no_overflow(page: Page) -> None:
    both = "[document.documentElement, document.querySelector('[data-testid=stMain]')].filter(Boolean)"
    wider = f"() => Math.max(...{both}.map((one) => one.scrollWidth - one.clientWidth))"
    until(page, lambda: page.evaluate(wider), lambda excess: excess <= 0)


def expect_images(page: Page) -> None:
    page.wait_for_function("() => [...document.images].every((image) => image.complete && image.naturalWidth > 0)")


def download(button: Locator) -> Download:
    """Click a button, and return the file that it brings once all of it is there."""
    settle(button.page)
    with button.page.expect_download() as coming:
        button.click()
        coming.value.path()
    return coming.value
