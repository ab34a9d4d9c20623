"""Dependency trees in a real browser: the worst parse, its arcs, what hangs from what."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import drawing, expect_in_link, expect_no_overflow, open_page, settle
from tests.pages.dependency_corpus import HOSTILE_PARSER, score_dependencies


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("dependencies")
    score_dependencies(folder)
    return str(app_server(str(folder / "dependencies.run")).url)


def arc(page: Page, side: str, word: int) -> Locator:
    return drawing(page, "arcs").locator(f".arc[data-side={side}][data-node='{word}']")


def test_hotspots_lead_to_arcs_that_show_their_heads_lineages_and_repairs(page: Page, address: str):
    open_page(page, address, "hotspots", parser=HOSTILE_PARSER, view="heads", least="1", sentence="1")
    expect(page.locator(".sentences tr.chosen .fitting svg")).to_be_visible()
    says = page.locator(".sentences tr.chosen td.remark")
    expect(says).to_contain_text("“")
    quoted = re.search("“(.+?)”", says.inner_text())
    assert quoted is not None
    marked = quoted.group(1)
    expect(drawing(page, "arcs").locator(".cell.hot", has_text=marked).first).to_be_visible()
    page.get_by_role("link", name="Open in Sentence").click()
    expect(page).to_have_url(re.compile("/sentence.*step=a"))
    expect(drawing(page, "arcs").locator(".hot", has_text=marked).first).to_be_visible()
    expect_in_link(page, sentence="1")
    settle(page)
    page.locator(".panel[data-kind=arcs] .stage").press("Escape")  # the arc of the link is no longer pinned
    expect(drawing(page, "arcs").locator(".hot")).to_have_count(0)

    arc(page, "gold", 0).hover()
    expect(arc(page, "gold", 0)).to_have_class(re.compile(r"\bhot\b"))
    expect(arc(page, "test", 0)).to_have_class(re.compile(r"\bmate\b"))
    path = drawing(page, "arcs").locator(".edge.path")
    expect(path).to_have_count(3 + 2)  # The, dog, barks above; The, barks below
    readout = page.locator(".readout")
    expect(readout).to_have_text(f"The · det of “dog” · different head · {HOSTILE_PARSER} has det of “barks”")
    arc(page, "gold", 0).click()
    expect(readout).to_contain_text("pinned")
    page.get_by_role("heading", name="Sentence", exact=True).hover()
    expect(arc(page, "gold", 0)).to_have_class(re.compile(r"\bhot\b"))
    page.keyboard.press("Escape")
    expect(drawing(page, "arcs").locator(".hot")).to_have_count(0)

    drawing(page, "arcs").locator(".cell[data-word='0']").click()
    expect_in_link(page, at="0")
    lineage = page.locator("svg.lineage")
    expect(lineage).to_contain_text("det")
    expect(lineage).to_contain_text("nsubj")
    settle(page)

    marks = page.locator(".marked .stage > svg")
    marks.locator(".node.arc.missing").first.locator(".hit").hover()
    expect(page.locator(".marked div.tip")).to_contain_text(", only in gold")
    expect(marks.locator(".cell.covered")).to_have_count(2)  # the word and its head
    page.get_by_role("heading", name="Sentence", exact=True).click()  # away from the arcs, where 0 is a zoom
    page.mouse.move(1, 1)  # a repair under the pointer is focused, too, when the picture is drawn anew
    page.locator("body").press("2")
    expect_in_link(page, repair="2")
    expect(marks.locator(".node.tag:not(.faded)")).to_have_count(2)
    page.locator("body").press("0")
    expect(marks.locator(".faded")).to_have_count(0)


def test_arcs_of_long_sentences_open_zoom_and_stay_in_the_page(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="6")
    expect(drawing(page, "arcs").locator(".cell")).to_have_count(30)
    settle(page)

    stage = page.locator(".panel[data-kind=arcs] .stage")
    before = page.locator(".tools output").inner_text()
    stage.focus()
    page.keyboard.press("+")
    expect(page.locator(".tools output")).not_to_have_text(before)
    page.keyboard.press("Tab")
    expect(drawing(page, "arcs").locator(".arc:focus")).to_have_count(1)
    page.locator("body").press("v")
    expect_in_link(page, trees="0")
    expect(drawing(page, "arcs")).to_have_count(0)
    settle(page)
    page.locator("body").press("v")
    expect(drawing(page, "arcs")).to_be_visible()

    page.set_viewport_size({"width": 390, "height": 900})
    settle(page)
    expect(drawing(page, "arcs")).to_be_visible()
    expect_no_overflow(page)
