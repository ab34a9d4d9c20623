"""A parser with other words than the gold trees, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import (
    at_rest,
    drawing,
    expect_boxes,
    expect_in_link,
    expect_no_overflow,
    open_page,
    settle,
    until,
)
from tests.pages.tokens import OTHER, score_tokens


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("tokens")
    return str(app_server(str(score_tokens(folder).path)).url)


def word(page: Page, side: str, form: str, kind: str = "e") -> Locator:
    cells = page.locator(f".panel[data-kind={kind}] .node.word.{side}")
    return cells.filter(has=page.locator("text", has_text=re.compile(f"^{re.escape(form)}$"))).first


def go_on(page: Page, sentence: str) -> None:
    page.get_by_role("button", name="Next").click()
    expect_in_link(page, sentence=sentence, at=None)
    settle(page)
    expect(page.locator(".answer").first).to_contain_text(f"Sentence {sentence}, ")
    expect(drawing(page, "e")).to_be_visible()


def expect_forms(page: Page, classes: str, *forms: str) -> None:
    expect(page.locator(f".panel[data-kind=e] .node.word{classes} text")).to_have_text(forms)


def expect_in_room(legend: Locator, width: int) -> None:
    """Wait until the parts of the legend are within a width, and not shrunk."""
    expect_boxes(legend, lambda box: box.right <= width and box.height >= 20)


def expect_stroke(line: Locator, scheme: str) -> None:
    """Wait until a line is dark in the light theme, and light in the dark one."""
    numbers = "(line) => getComputedStyle(line).stroke.match(/[\\d.]+/g).slice(0, 3).map(Number)"
    until(
        line.page,
        lambda: line.evaluate(numbers),
        lambda ink: (max(ink) < (1 if max(ink) <= 1 else 255) / 2) == (scheme == "light"),
    )


def test_words_show_what_they_are_aligned_with_are_shown_as_they_are_and_stay_over_one_another(
    page: Page, address: str
):
    open_page(page, address, "sentence", parser=OTHER, sentence="1")
    expect(drawing(page, "t")).to_be_visible()
    settle(page)
    panel = page.locator(".panel[data-kind=e]")
    expect(panel.locator(".readout")).to_have_text("Tokens differ: brackets are compared over the aligned characters.")
    word(page, "gold", "can").hover()
    expect(panel.locator(".readout")).to_contain_text("can · aligned with “cannot”: 3 characters in common")
    expect(panel.locator(".tie.hot")).to_have_count(1)
    expect_forms(page, ".hot", "can")
    expect_forms(page, ".mate", "cannot")
    word(page, "test", "cannot").hover()
    expect(panel.locator(".tie.hot")).to_have_count(2)
    expect_forms(page, ".mate", "can", "not")
    word(page, "gold", "there").hover()
    expect(panel.locator(".readout")).to_contain_text("there · missing: only in gold")
    expect(panel.locator(".tie.hot")).to_have_count(0)
    word(page, "test", "cannot").click()
    expect(page.locator("svg.lineage")).to_contain_text("3 characters")
    expect_in_link(page, at="1")
    expect(panel.locator(".cell.chosen")).to_have_count(2)
    word(page, "gold", "not").click()
    expect_in_link(page, at="2")
    expect(panel.locator(".cell.chosen")).to_have_count(1)

    go_on(page, "2")
    word(page, "gold", "<script>alert[1]</script>").hover()
    expect(panel.locator(".readout")).to_contain_text("aligned with “alert[1]</script>”")
    word(page, "gold", "**bold**").click()
    expect(page.locator("svg.lineage")).to_contain_text("$**bold**")
    settle(page)

    go_on(page, "3")  # from right to left
    gold = at_rest(page, *(word(page, "gold", form) for form in ("قرأ", "الطالب", "كتابا")))
    assert gold == sorted(gold, reverse=True)
    article, noun = at_rest(page, *(word(page, "test", form) for form in ("ال", "طالب")))
    assert noun.x < gold[1].middle[0] < article.right
    assert article.x > noun.x


def test_a_long_sentence_stays_in_the_page_and_its_folded_parts_open_in_both_rows(page: Page, address: str):
    open_page(page, address, "sentence", parser=OTHER, sentence="5")
    legend = page.locator(".viewer .legend svg")
    line = page.locator(".panel[data-kind=t] .tie .thread").first
    for width, scheme in ((420, "dark"), (1440, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(f".viewer.{scheme}")).to_be_visible()
        settle(page)
        expect(page.locator(".panel[data-kind=e] .node.folded").first).to_be_attached()
        expect_no_overflow(page)
        expect(legend.last).to_contain_text("characters in common")
        expect_in_room(legend, width)
        expect_stroke(line, scheme)

    panel = page.locator(".panel[data-kind=t]")
    folded = panel.locator(".node.folded")
    sides = [panel.locator(f".node.{side}.folded") for side in ("gold", "test")]

    def counts() -> tuple[int, ...]:
        return tuple(side.count() for side in sides)

    before = sum(until(page, counts, lambda seen: seen[0] == seen[1] > 0))
    panel.locator(".node.gold.folded").first.click()
    expect(folded).not_to_have_count(before)
    settle(page)
    until(page, counts, lambda seen: seen[0] == seen[1] < before)
