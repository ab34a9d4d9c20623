"""Every two parsers, a pair and its classes, in a real browser: clicks and a narrow window."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.steps import HEADER, ROW, click_cell, expect_in_link, expect_no_overflow, open_page, settle
from tests.pages.tiny import HOSTILE_PARSER


def test_rows_choose_a_pair_and_a_class_and_a_narrow_window_does_not_scroll(page: Page, address: str):
    open_page(page, address, "")
    page.get_by_text("Compare two: significance of every difference").click()
    click_cell(page.locator("[class*=st-key-pairs_] [data-testid=stDataFrame]"), 20, HEADER + ROW / 2)
    expect_in_link(page, pair=f"better · {HOSTILE_PARSER}")
    expect(page.locator(".st-key-pair_words .answer")).to_contain_text(
        f"better is significantly better: 11.11 points more than {HOSTILE_PARSER}"
    )
    settle(page)
    page.get_by_role("button", name="Phrase label in the gold tree").or_(
        page.get_by_role("radio", name="Phrase label in the gold tree")
    ).first.click()
    expect_in_link(page, by="label")
    settle(page)
    table = page.locator("[class*=st-key-carriers_] [data-testid=stDataFrame]")
    expect(table).to_have_count(1)  # that of the classes before is gone
    table.click(position={"x": 20, "y": HEADER + ROW * 1 + ROW / 2})
    expect(page).to_have_url(re.compile(r"carrier=label\+"))
    expect(page.get_by_role("link", name=re.compile("sentences? in Worst parses"))).to_be_visible()

    page.set_viewport_size({"width": 420, "height": 900})
    expect_no_overflow(page)
