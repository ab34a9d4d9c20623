"""Saving in a browser: a button opens what can be saved, and a click brings the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from playwright.sync_api import expect

from tests.browser.steps import open_page, settle
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


def download(page: Page, within: Locator, kind: str, place: int = 0) -> tuple[str, bytes]:
    with page.expect_download() as file:
        within.get_by_role("button", name=kind, exact=True).nth(place).click()
    return file.value.suggested_filename, file.value.path().read_bytes()


def test_both_mappings_of_a_sentence_are_saved_in_every_language_in_any_window(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="7")
    shown = opened(page, "sentence_viewer")
    expect(shown.get_by_text("T-mapping", exact=True)).to_be_visible()
    name, svg = download(page, shown, "SVG", 1)
    assert name == "sentence-7-b-x-b-y-z-red-w-t.svg"
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert b"glasses" in svg
    assert b"evaltools:" in svg
    assert download(page, shown, "PNG")[1].startswith(b"\x89PNG")
    assert download(page, shown, "PDF")[1].startswith(b"%PDF")
    assert rb"\begin{document}" in download(page, shown, "LaTeX")[1]
    assert b"digraph" in download(page, shown, "DOT")[1]
    assert b"glasses" in download(page, shown, "text")[1]
    assert "sentence 7" in json.loads(download(page, shown, "JSON")[1])["caption"]
    for width in (1280, 390):
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": width, "height": 720})
        settle(page)
        for button in opened(page, "sentence_viewer").get_by_test_id("stDownloadButton").all():
            box = button.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


def test_a_marked_sentence_is_saved_with_its_errors_and_legend_or_alone(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="7")
    shown = opened(page, "sentence_marked")
    legend = b'class="sample'
    assert legend in download(page, shown, "SVG")[1]
    shown.get_by_text("Errors in words and legend").click()
    settle(page)
    assert legend not in download(page, shown, "SVG")[1]
    shown.get_by_text("Caption in the picture").click()
    settle(page)
    plain = download(page, shown, "SVG")[1]
    assert b'class="caption"' not in plain
    assert b"evaltools:" in plain
