"""N-best lists in a real browser: from the chart to a sentence whose best analysis is not the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import evaltools
from tests.browser.steps import click_row, drawing, expect_in_link, open_page, overflow
from tests.pages.tiny import HOSTILE_PARSER
from tests.runs.test_nbest_trees import GOLD, LISTS

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the address of the app, open on a run of n-best lists."""
    folder = tmp_path_factory.mktemp("nbest")
    (folder / "gold.ptb").write_text(GOLD)
    (folder / "list.tsv").write_text(LISTS)
    evaltools.oracle(folder / "gold.ptb", {HOSTILE_PARSER: folder / "list.tsv"}, out=folder / "lists.run")
    return str(app_server(str(folder / "lists.run")).url)


def test_from_what_the_best_choice_reaches_to_a_sentence(page: Page, address: str):
    open_page(page, address, "")
    expect(page.get_by_text(f"{HOSTILE_PARSER}: the first analyses reach")).to_be_visible()
    expect(page.locator(".st-key-nbest_chart_frame").locator("canvas, svg").first).to_be_visible()
    assert overflow(page) == 0
    open_page(page, address, "worst_parses", parser=HOSTILE_PARSER, order="file")
    click_row(page, 2)
    expect_in_link(page, sentence="3")
    best = f"best of 3: {HOSTILE_PARSER}"
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="3", other=best)
    expect(drawing(page, "t")).to_contain_text(best)
    expect(page.locator(".story li")).not_to_have_count(0)
