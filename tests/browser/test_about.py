"""About the metrics in a real browser: chapters behind the # of the address, on wide and narrow screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from evaltools.ui.about_chapters import SECTIONS
from tests.browser.steps import open_page, overflow, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = {"wide": {"width": 1280, "height": 720}, "phone": {"width": 390, "height": 844}}


def heading(page: Page, section: str) -> None:
    """Wait until a chapter is shown, and is in sight."""
    shown = page.get_by_test_id("stMain").get_by_role("heading", name=SECTIONS[section], exact=True)
    expect(shown).to_be_visible()
    settle(page)
    expect(shown).to_be_in_viewport()


def go(page: Page, address: str, section: str) -> None:
    page.goto("about:blank")
    page.goto(f"{address}/about#{section}")
    heading(page, section)


def test_a_deep_link_opens_its_chapter_which_fits_the_window(page: Page, address: str):
    for section in ("la", "e", "frameworks", "edm", "choose", "evidence"):
        go(page, address, section)
        assert page.url.endswith(f"/about#{section}")
        expect(page.get_by_test_id("stException")).to_have_count(0)
        if section == "la":
            expect(page.get_by_test_id("stMain").locator("h3")).to_have_count(1)
        for size, theme in (("phone", "dark"), ("wide", "light")):
            page.set_viewport_size(SIZES[size])
            page.emulate_media(color_scheme=theme)
            settle(page)
            assert overflow(page) == 0
            pictures = page.locator(".pictures svg")
            if section in ("e", "la", "frameworks", "edm"):
                expect(pictures.first).to_be_visible()
                boxes = [picture.bounding_box() for picture in pictures.all()]
                assert all(box is not None and box["width"] > 60 and box["height"] > 40 for box in boxes)


def test_links_the_contents_and_the_way_back_lead_to_chapters(page: Page, address: str):
    open_page(page, address, "about")
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
    expect(main.locator("h3")).to_have_count(len(SECTIONS) + 2)  # with the two in "Where this differs"
    main.get_by_role("link", name="aligned", exact=True).click()
    heading(page, "words")
    expect(main.locator("h3")).to_have_count(len(SECTIONS) + 2)
    expect(contents).to_be_in_viewport()
    contents.get_by_role("link", name=SECTIONS["e"]).click()
    heading(page, "e")
    contents.get_by_role("link", name="One chapter at a time").click()
    heading(page, "counts")
    expect(main.locator("h3")).to_have_count(1)
    contents.get_by_role("link", name=SECTIONS["words"]).click()
    heading(page, "words")
    page.get_by_role("link", name="Overview").click()
    settle(page)
    page.get_by_role("link", name="About the metrics").click()
    heading(page, "words")


def test_an_odd_address_opens_the_first_chapter(page: Page, address: str):
    for hash_ in ("%", "la%20<b>"):
        page.goto("about:blank")
        page.goto(f"{address}/about#{hash_}")
        heading(page, "counts")
    contents = page.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name=SECTIONS["e"]).click()
    heading(page, "e")


def test_on_a_phone_the_contents_fold_away(new_page: Callable[..., Page], address: str):
    page = new_page(viewport=SIZES["phone"])
    go(page, address, "e")
    contents = page.get_by_role("navigation", name="Contents")
    link = contents.get_by_role("link", name=SECTIONS["presets"])
    expect(link).to_be_hidden()
    contents.locator("summary").click()
    link.click()
    heading(page, "presets")
    expect(link).to_be_hidden()
