"""Runs of semantic graphs in a browser: live weights, from what is lost to the graphs, odd names, narrow windows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import HEADER, ROW, expect_in_link, expect_ink, expect_no_overflow, open_page, settle
from tests.pages.semantic_corpus import HOSTILE_PARSER, score_graphs


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(app_server(str(score_graphs(tmp_path_factory.mktemp("graphs")).path)).url)


def answer(page: Page, place: int = 0) -> Locator:
    return page.locator(".answer").nth(place)


def table(page: Page, of: str) -> Locator:
    """Return the table in the element whose key begins so."""
    found = page.locator(
        f"[class*='st-key-{of}'][data-testid=stDataFrame], [class*='st-key-{of}'] [data-testid=stDataFrame]"
    )
    expect(found.first.locator("canvas").first).to_be_visible()
    return found.first


def stays_within_the_window(page: Page) -> None:
    """Check sentence 5, which is long, in a wide and in a narrow window, each in another theme."""
    for width, scheme in ((420, "light"), (1440, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        settle(page)
        expect(answer(page)).to_be_visible()
        expect_no_overflow(page)
        word = page.locator(".panel[data-kind=graphs] svg text").get_by_text("word7", exact=True).first
        expect(word).to_be_visible()
        expect_ink(word, scheme)


def test_weights_that_are_typed_change_every_figure_and_graphs_are_chosen(page: Page, address: str):
    open_page(page, address, "semantics", parser=HOSTILE_PARSER, other="lists", sentence="5")
    expect(answer(page)).to_contain_text("100.00 % EDM (F1): better has the highest")
    page.get_by_text("Weights", exact=True).click()
    field = page.get_by_label("Properties", exact=True)
    field.fill("0")
    field.press("Enter")
    expect_in_link(page, classes="1~1~0~0~0")
    expect(answer(page)).to_contain_text("With the weights of this page")
    settle(page)

    patterns = table(page, "weights_patterns")
    rows = patterns.locator("canvas table")
    expect(rows).to_have_attribute("aria-rowcount", "2")  # the header, and the gray row
    patterns.click(position={"x": 60, "y": HEADER + ROW / 2})  # the gray row becomes a row
    expect(rows).to_have_attribute("aria-rowcount", "3")
    editor = page.locator("#portal :is(input, textarea)")
    expect(editor).to_be_focused()  # it opens in the first cell of the row by itself
    editor.press("Escape")
    expect(editor).to_have_count(0)
    patterns.dblclick(position={"x": 200, "y": HEADER + ROW / 2})
    editor.fill("ARG*")
    editor.press("Enter")
    expect_in_link(page, patterns='[["role","ARG*",0]]', classes="1~1~0~0~0")
    settle(page)
    page.get_by_role("button", name="Back to the run’s weights").click()
    expect(answer(page)).not_to_contain_text("With the weights of this page")
    expect_in_link(page, classes=None, patterns=None)
    settle(page)
    stays_within_the_window(page)

    page.get_by_role("radio", name="lists and", exact=False).or_(
        page.get_by_role("button", name=re.compile("^lists and"))
    ).first.click()
    expect_in_link(page, graphs="both")
    expect(page.get_by_text(f"Sentence 5, {HOSTILE_PARSER} compared with lists", exact=False)).to_be_visible()


def test_pages_stay_within_the_window_and_a_repair_of_a_graph_is_focused_by_a_click(page: Page, address: str):
    page.set_viewport_size({"width": 420, "height": 900})
    open_page(page, address, "hotspots", parser=HOSTILE_PARSER, view="predicate", group="*q*")
    expect(page.locator(".sentences .fitting svg").first).to_be_visible()
    expect_no_overflow(page)
    page.set_viewport_size({"width": 1400, "height": 1000})
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="2")
    marks = page.locator(".marked .stage > svg")
    expect(marks).to_contain_text("**bold**")
    wrong = marks.locator(".node.tag.relabeled").filter(has_text="*q*")
    expect(wrong).to_have_count(1)
    repair = wrong.get_attribute("data-repair")
    wrong.click()
    expect_in_link(page, repair=repair)
    expect(marks.locator(".node.arc.faded").first).to_be_visible()
    page.mouse.move(1, 1)  # a repair under the pointer is focused, too, when the picture is drawn anew
    settle(page)
    number = page.get_by_label("Sentence, of 6")
    number.fill("5")
    number.press("Enter")
    expect_in_link(page, sentence="5", repair=None)
    settle(page)
    stays_within_the_window(page)
