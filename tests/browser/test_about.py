"""About the metrics in a real browser: chapters behind the # of the address, on wide and narrow screens."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from evaltools.app.about_chapters import SECTIONS
from tests.browser.steps import Box, boxes, expect_no_overflow, settle, until

SIZES = {"wide": {"width": 1280, "height": 720}, "phone": {"width": 390, "height": 844}}


def heading(page: Page, section: str) -> None:
    """Wait until a chapter is shown, and is in sight."""
    shown = page.get_by_test_id("stMain").get_by_role("heading", name=SECTIONS[section], exact=True)
    expect(shown).to_be_visible()
    settle(page)
    expect(shown).to_be_in_viewport()


def is_drawn(seen: tuple[list[Box], int]) -> bool:
    """Return whether pictures have a size, and no more of them are flat than there are legends."""
    pictures, n_legends = seen
    flat = [box for box in pictures if box.height <= 40]
    return 0 < n_legends == len(flat) < len(pictures) - 10 and all(
        box.width > 60 and box.height > 20 for box in pictures
    )


def test_a_deep_link_opens_its_chapter_and_all_chapters_fit_a_wide_window_and_a_phone(page: Page, address: str):
    page.goto(f"{address}/about#la")
    heading(page, "la")
    expect(page).to_have_url(re.compile("/about#la$"))
    main = page.get_by_test_id("stMain")
    expect(main.locator("h3")).to_have_count(1)
    contents = page.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name="All on one page").click()
    expect(main.locator("h3")).to_have_count(len(SECTIONS) + 2)  # with the two in "Where this differs"
    pictures = page.locator(".pictures svg")
    legends = page.locator(":is(.st-key-about_legend, .st-key-about_lines) .pictures svg")
    for size, theme in (("wide", "light"), ("phone", "dark")):
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=theme)
        settle(page)
        expect_no_overflow(page)
        until(page, lambda: (boxes(pictures), legends.count()), is_drawn)
    expect(page.get_by_test_id("stException")).to_have_count(0)

    # On a phone the contents are folded, and fold away after a choice.
    link = contents.get_by_role("link", name=SECTIONS["presets"])
    expect(link).to_be_hidden()
    contents.locator("summary").click()
    link.click()
    heading(page, "presets")
    expect(link).to_be_hidden()


def test_an_odd_address_opens_the_first_chapter_and_links_the_contents_and_the_way_back_lead_on(
    page: Page, address: str
):
    page.goto(f"{address}/about#%la%20<b>")
    heading(page, "counts")
    contents = page.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name=SECTIONS["t"]).click()
    heading(page, "t")
    expect(contents.locator("[aria-current]")).to_have_text(SECTIONS["t"])
    main = page.get_by_test_id("stMain")
    main.get_by_role("link", name=f"{SECTIONS['la']} →").click()
    heading(page, "la")
    page.go_back()
    heading(page, "t")
    contents.get_by_role("link", name="All on one page").click()
    expect(main.locator("h3")).to_have_count(len(SECTIONS) + 2)
    main.get_by_role("link", name="aligned", exact=True).click()
    heading(page, "words")
    expect(main.locator("h3")).to_have_count(len(SECTIONS) + 2)
    expect(contents).to_be_in_viewport()
    contents.get_by_role("link", name="One chapter at a time").click()
    heading(page, "counts")
    expect(main.locator("h3")).to_have_count(1)
    contents.get_by_role("link", name=SECTIONS["words"]).click()
    heading(page, "words")
    page.get_by_role("link", name="Hotspots").click()
    settle(page)
    page.get_by_role("link", name="About the metrics").click()
    heading(page, "words")
