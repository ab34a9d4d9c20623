"""From the matrix of significance to a pair, a class, its sentences, and back, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, expect

import evaltools
from evaltools.analysis.comparison.run_pairs import carriers, compare_in_run
from tests.browser.steps import HEADER, ROW, expect_in_link, expect_ink, open_page, overflow, settle
from tests.pages.tiny import HOSTILE_PARSER, write_files

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAIR = f"better · {HOSTILE_PARSER}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    """Give a run of three parsers, two of them equal."""
    folder = tmp_path_factory.mktemp("three")
    files = write_files(folder)
    parsers = {"better": files["better"], HOSTILE_PARSER: files["worse"], "again": files["better"]}
    return evaltools.score(files["gold"], parsers, out=folder / "three.run")


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], run: evaltools.Run) -> str:
    """Give the address of the app, open on that run."""
    return str(app_server(str(run.path)).url)


def cell(page: Page, row: str, column: str) -> Locator:
    """Return the cell of two parsers that takes clicks."""
    cells = page.locator(".st-key-pairs_frame path[aria-label*='row minus column']")
    return cells.and_(page.locator(f'[aria-label*="column: {column}; row: {row}; "]'))


def test_a_cell_leads_to_the_pair_a_class_its_sentences_and_back(page: Page, address: str, run: evaltools.Run):
    classes = carriers(compare_in_run(run, "e_dice_roof", "better", HOSTILE_PARSER).classes)
    wanted = classes[classes["family"] == "label"].iloc[1]
    open_page(page, address, "")
    words = page.locator(".st-key-pair_words .answer")
    cell(page, "again", "better").click()
    expect(words).to_contain_text("have the same figure by Bracketing F1")
    cell(page, HOSTILE_PARSER, "better").click()
    expect(words).to_contain_text(f"better has 9.09 points more than {HOSTILE_PARSER}")
    expect_in_link(page, pair=PAIR)
    settle(page)
    page.get_by_role("button", name="Phrase label in the gold tree").or_(
        page.get_by_role("radio", name="Phrase label in the gold tree")
    ).first.click()
    expect_in_link(page, by="label")
    settle(page)
    table = page.locator("[class*=st-key-carriers_] [data-testid=stDataFrame]")
    table.click(position={"x": 20, "y": HEADER + ROW * 1 + ROW / 2})
    expect_in_link(page, carrier=f"label · {wanted['name']}")
    settle(page)
    count = int(wanted["sentences"])
    page.get_by_role("link", name=f"These {count} sentences in Worst parses").click()
    expect(page).to_have_url(re.compile("/worst_parses.*class=label"))
    shown = f"{count} of 7 sentences: Phrase label in the gold tree: {wanted['name']} "
    expect(page.get_by_text(shown)).to_be_visible()
    page.go_back()
    expect(page.locator(".st-key-pair_words .answer")).to_contain_text(
        f"better has 9.09 points more than {HOSTILE_PARSER}"
    )
    expect(page).to_have_url(re.compile("carrier=label"))


def test_the_matrix_follows_the_metric_and_the_table(page: Page, address: str):
    open_page(page, address, "", metric="la_strict")
    expect(page.locator(".st-key-pair_words .answer")).to_contain_text("Leaf-ancestor, exact")
    table = page.locator("[class*=st-key-pairs_] [data-testid=stDataFrame]").first
    table.click(position={"x": 20, "y": HEADER + ROW * 2 + ROW / 2})
    expect(page).to_have_url(re.compile("pair="))


def test_a_narrow_window_scrolls_the_matrix_and_not_the_page(page: Page, address: str):
    page.set_viewport_size({"width": 420, "height": 900})
    open_page(page, address, "", pair=PAIR)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        number = page.locator(".st-key-pairs_frame text", has_text="+9.09").first
        expect(number).to_be_visible()
        expect_ink(number, scheme)
        assert overflow(page) == 0
