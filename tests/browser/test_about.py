"""About the metrics in a real browser: a chapter of the address, on wide and narrow screens."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from evaltools.app.about_chapters import SECTIONS
from tests.browser.steps import Box, boxes, expect_in_link, expect_no_overflow, open_page, settle, until

SIZES = {"wide": {"width": 1280, "height": 720}, "phone": {"width": 390, "height": 844}}


def test_a_deep_link_opens_its_chapter_and_a_reference_another_one(page: Page, address: str):
    open_page(page, address, "about", chapter="counts")
    pictures, heading = page.locator(".pictures svg"), page.get_by_test_id("stMain").locator("h3")

    def are_drawn(seen: list[Box]) -> bool:
        return bool(seen) and all(box.width > 20 and box.height > 10 for box in seen)

    for size, theme in (("wide", "light"), ("phone", "dark")):
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=theme)
        settle(page)
        expect_no_overflow(page)
        until(page, lambda: boxes(pictures), are_drawn)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.set_viewport_size(SIZES["wide"])
    with page.context.expect_page() as opened:
        page.get_by_test_id("stMain").get_by_role("link", name="LA", exact=True).click()
    expect(opened.value.get_by_role("heading", name=SECTIONS["la"], exact=True)).to_be_visible()
    page.get_by_role("button", name="Next").click()
    settle(page)
    expect(heading.first).to_have_text(SECTIONS["e"])
    page.go_back()
    settle(page)
    expect(heading.first).to_have_text(SECTIONS["counts"])
    page.get_by_role("link", name="Hotspots").click()
    settle(page)
    page.get_by_role("link", name="About the metrics").click()
    expect_in_link(page, chapter="counts")
