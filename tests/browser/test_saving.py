"""Saving in a browser: a button opens a dialog with what can be saved, and a click brings the file."""

from __future__ import annotations

from xml.etree import ElementTree

from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import download, expect_boxes, open_page, settle
from tests.pages.tiny import HOSTILE_PARSER


def opened(page: Page, key: str) -> Locator:
    page.locator(f".st-key-save_{key} button").click()
    dialog = page.get_by_test_id("stDialog")
    expect(dialog.get_by_test_id("stDownloadButton").first).to_be_visible()
    return dialog


def close(dialog: Locator) -> None:
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_a_picture_is_saved_by_buttons_that_stay_within_any_window(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="7")
    shown = opened(page, "sentence_viewer")
    expect(shown.get_by_text("T-mapping: tree-edit alignment", exact=True)).to_be_visible()
    file = download(shown.get_by_role("button", name="SVG", exact=True).nth(1))
    assert file.suggested_filename == "sentence-7-b-x-b-y-z-red-w-t.svg"
    assert ElementTree.parse(file.path()).getroot().tag.endswith("svg")
    close(shown)
    for width, key in ((390, "sentence_viewer"), (1280, "sentence_marked")):
        page.set_viewport_size({"width": width, "height": 720})
        settle(page)
        shown = opened(page, key)
        expect_within(shown.get_by_test_id("stDownloadButton"), width)
        close(shown)


def expect_within(buttons: Locator, width: int) -> None:
    """Wait until buttons are within a window of this width."""
    expect_boxes(buttons, lambda box: box.x >= 0 and box.right <= width)
