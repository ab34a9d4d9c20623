"""Overview in a real browser: a click on a figure, sections that fold, and the ways on."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.steps import HEADER, click_cell, expect_in_link, expect_no_overflow, open_page, settle
from tests.pages.tiny import HOSTILE_PARSER

ROW = 30


def test_a_figure_is_explained_and_lines_at_the_top_lead_to_sections_and_to_examples(page: Page, address: str):
    open_page(page, address, "", parser="nobody")
    page.get_by_role("button", name="Dismiss").click()  # the bar of the window does not cover it
    expect_in_link(page, parser=None)
    settle(page)
    table = page.get_by_test_id("stMain").get_by_test_id("stDataFrame").first
    click_cell(table, 250, HEADER + ROW * 1.5)
    expect_in_link(page, parser=HOSTILE_PARSER)
    tools = page.locator("[class*=st-key-leaderboard_] [data-testid=stElementToolbar]")
    expect(tools.locator("[aria-label^=Search]")).to_be_visible()
    expect(tools.locator("[aria-label^=Download]")).to_have_count(1)
    expect(tools.locator("[aria-label^=Download]")).to_be_hidden()  # its file would have the addresses of the bars
    expect(page.locator(".st-key-explanation_formula")).to_contain_text(HOSTILE_PARSER)
    settle(page)
    page.get_by_role("button", name="Compare two").click()
    expect_in_link(page, open="significance")
    expect(page.locator("[class*=st-key-pairs_] [data-testid=stDataFrame]")).to_be_visible()
    page.get_by_role("link", name="Examples", exact=True).first.click()
    expect(page.get_by_role("heading", name="Hotspots")).to_be_visible()
    expect_in_link(page, parser=HOSTILE_PARSER, view="errors")


def test_a_narrow_window_scrolls_the_table_which_fades_where_it_goes_on_and_not_the_page(page: Page, address: str):
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, address, "", open="ranks,distribution")
    expect_no_overflow(page)
    settle(page)
    table = page.locator("[data-testid=stMain] [data-testid=stDataFrameResizable] > div").first
    expect(table).to_be_visible()
    expect(table).to_have_css("mask-image", re.compile("linear-gradient"))
    table.locator(".dvn-scroller").evaluate("(columns) => { columns.scrollLeft = 5000 }")
    expect(table).to_have_css("mask-image", "none")
    table.locator(".dvn-scroller").evaluate("(columns) => { columns.scrollLeft = 0 }")
    expect(table).to_have_css("mask-image", re.compile("linear-gradient"))
    page.set_viewport_size({"width": 2400, "height": 844})
    expect(table).to_have_css("mask-image", "none")
