"""The matrix of significance, a pair and its classes, in a real browser: clicks, a narrow window, both themes."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.steps import HEADER, ROW, expect_in_link, expect_ink, expect_no_overflow, open_page, settle
from tests.pages.tiny import HOSTILE_PARSER


def test_a_cell_chooses_a_pair_a_row_a_class_and_a_narrow_window_scrolls_the_matrix(page: Page, address: str):
    open_page(page, address, "")
    page.get_by_text("Compare two: significance of every difference").click()
    cells = page.locator(".st-key-pairs_frame path[aria-label*='row minus column']")
    cells.and_(page.locator(f'[aria-label*="column: better; row: {HOSTILE_PARSER}; "]')).click()
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
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        number = page.locator(".st-key-pairs_frame text", has_text="+11.11").first
        expect(number).to_be_visible()
        expect_ink(number, scheme)
        expect_no_overflow(page)
