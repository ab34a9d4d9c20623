"""Saving in a browser: a button opens what can be saved, and a click brings the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from playwright.sync_api import expect

from tests.browser.steps import download, expect_boxes, open_page, settle
from tests.pages.tiny import HOSTILE_PARSER

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def opened(page: Page, key: str) -> Locator:
    """Open a Save button; return what it shows."""
    button = page.locator(f".st-key-save_{key} button").first
    button.scroll_into_view_if_needed()
    button.click()
    shown = page.get_by_test_id("stPopoverBody")
    expect(shown.get_by_test_id("stDownloadButton").first).to_be_visible()  # it comes once the button is open
    return shown


def saved(within: Locator, kind: str, place: int = 0) -> tuple[str, bytes]:
    """Save a file of a kind; return its name and what is in it."""
    file = download(within.get_by_role("button", name=kind, exact=True).nth(place))
    return file.suggested_filename, file.path().read_bytes()


def test_both_mappings_and_the_marked_sentence_are_saved_in_any_window(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="7")
    shown = opened(page, "sentence_viewer")
    expect(shown.get_by_text("T-mapping", exact=True)).to_be_visible()
    name, svg = saved(shown, "SVG", 1)
    assert name == "sentence-7-b-x-b-y-z-red-w-t.svg"
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert b"glasses" in svg
    assert b"evaltools:" in svg
    assert saved(shown, "PNG")[1].startswith(b"\x89PNG")
    assert "sentence 7" in json.loads(saved(shown, "JSON")[1])["caption"]
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 720})
    settle(page)
    fits(opened(page, "sentence_viewer"), 390)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 720})
    settle(page)
    shown = opened(page, "sentence_marked")
    fits(shown, 1280)
    legend = b'class="sample'
    assert legend in saved(shown, "SVG")[1]
    shown.get_by_text("Errors in words and legend").click()
    settle(page)
    assert legend not in saved(shown, "SVG")[1]


def fits(shown: Locator, width: int) -> None:
    """Check that the buttons stay within a window of this width."""
    expect_boxes(shown.get_by_test_id("stDownloadButton"), lambda box: box.x >= 0 and box.right <= width)
