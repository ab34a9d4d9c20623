"""A parser with other words than the gold trees, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.steps import choose, drawing, expect_in_link, open_page, overflow, settle
from tests.pages.tokens import OTHER, score_tokens

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the address of the app, open on the run."""
    folder = tmp_path_factory.mktemp("tokens")
    return str(app_server(str(score_tokens(folder).path)).url)


def word(page: Page, side: str, form: str, kind: str = "e") -> Locator:
    """Return a word of a drawing."""
    cells = page.locator(f".panel[data-kind={kind}] .node.word.{side}")
    return cells.filter(has=page.locator("text", has_text=re.compile(f"^{re.escape(form)}$"))).first


def forms(page: Page, classes: str, kind: str = "e") -> list[str]:
    return page.locator(f".panel[data-kind={kind}] .node.word{classes} text").all_text_contents()


def test_a_word_shows_what_it_is_aligned_with_and_the_lineages_that_are_compared(page: Page, address: str):
    open_page(page, address, "sentence", parser=OTHER, sentence="1")
    expect(drawing(page, "t")).to_be_visible()
    settle(page)
    panel = page.locator(".panel[data-kind=e]")
    expect(panel.locator(".readout")).to_have_text("Tokens differ: brackets are compared over the aligned characters.")
    word(page, "gold", "can").hover()
    expect(panel.locator(".readout")).to_contain_text("can · aligned with “cannot”: 3 characters in common")
    expect(panel.locator(".tie.hot")).to_have_count(1)
    assert forms(page, ".hot") == ["can"]
    assert forms(page, ".mate") == ["cannot"]
    word(page, "test", "cannot").hover()
    expect(panel.locator(".tie.hot")).to_have_count(2)
    assert forms(page, ".mate") == ["can", "not"]
    word(page, "gold", "there").hover()
    expect(panel.locator(".readout")).to_contain_text("there · missing: only in gold")
    expect(panel.locator(".tie.hot")).to_have_count(0)
    word(page, "test", "cannot").click()
    expect(page.locator("svg.lineage")).to_contain_text("3 characters")
    expect_in_link(page, at="1")
    expect(page.locator(".panel[data-kind=e] .cell.chosen")).to_have_count(2)
    word(page, "gold", "not").click()
    expect(page).to_have_url(re.compile("at=2"))
    expect(page.locator(".panel[data-kind=e] .cell.chosen")).to_have_count(1)
    page.locator(".strip .word.alone").click()
    expect(page.get_by_text("“there” of gold has no aligned word in", exact=False)).to_be_visible()


def test_parsers_are_compared_in_the_same_way(page: Page, address: str):
    open_page(page, address, "sentence", parser=OTHER, sentence="1")
    choose(page, "Compare with", "same")
    expect(page.locator(".answer")).to_contain_text("compared with same")
    expect(page.get_by_text("They are aligned: bracketing (E) over", exact=False)).to_be_visible()
    expect(page.locator(".panel[data-kind=e] .tie")).to_have_count(4)
    open_page(page, address, "sentence", parser="same", other=OTHER, sentence="1")
    expect(page.locator(".panel[data-kind=e] .tie")).to_have_count(4)
    word(page, "gold", "cannot").hover()
    assert forms(page, ".mate") == ["can", "not"]


def test_hostile_words_are_shown_as_they_are(fresh_page: Page, address: str):
    shown: list[str] = []
    fresh_page.on("dialog", lambda dialog: (shown.append(dialog.message), dialog.dismiss()))
    open_page(fresh_page, address, "sentence", parser=OTHER, sentence="2", at="1")
    for label in ("**bold**", "$**bold**", "<script>alert[1]</script>", "alert[1]</script>", ":red[x]"):
        expect(drawing(fresh_page, "e").get_by_text(label, exact=True).first).to_be_attached()
    expect(fresh_page.locator("svg.lineage")).to_contain_text("$**bold**")
    word(fresh_page, "gold", "<script>alert[1]</script>").hover()
    expect(fresh_page.locator(".panel[data-kind=e] .readout")).to_contain_text("aligned with “alert[1]</script>”")
    open_page(fresh_page, address, "")
    expect(fresh_page.get_by_text(f"6 of {OTHER}.", exact=False)).to_be_visible()
    assert shown == []


def test_words_from_right_to_left_stay_over_one_another(page: Page, address: str):
    open_page(page, address, "sentence", parser=OTHER, sentence="3")
    expect(drawing(page, "e")).to_be_visible()
    settle(page)
    places = [word(page, "gold", form).bounding_box() for form in ("قرأ", "الطالب", "كتابا")]
    assert [place["x"] for place in places] == sorted((place["x"] for place in places), reverse=True)
    article, noun = (word(page, "test", form).bounding_box() for form in ("ال", "طالب"))
    middle = places[1]["x"] + places[1]["width"] / 2
    assert noun["x"] < middle < article["x"] + article["width"]
    assert article["x"] > noun["x"]


@pytest.mark.parametrize("sentence", ["5", "7"])
def test_long_sentences_stay_in_the_page(page: Page, address: str, sentence: str):
    for width, scheme in product((420, 1440), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        open_page(page, address, "sentence", parser=OTHER, sentence=sentence)
        expect(page.locator(".panel[data-kind=t] .tie").first).to_be_attached()
        expect(page.locator(".panel[data-kind=e] .node.folded").first).to_be_attached()
        assert overflow(page) <= 0
        legend = page.locator(".viewer .legend svg")
        expect(legend.last).to_contain_text("characters in common")
        for drawn in legend.all():
            box = drawn.bounding_box()
            assert box["x"] + box["width"] <= width
            assert box["height"] >= 20, "not shrunk"
        line = page.locator(".panel[data-kind=t] .tie .thread").first
        ink = line.evaluate("(line) => getComputedStyle(line).stroke.match(/[\\d.]+/g).slice(0, 3).map(Number)")
        assert (max(ink) < (1 if max(ink) <= 1 else 255) / 2) == (scheme == "light")


def test_folded_parts_open_in_both_rows(page: Page, address: str):
    open_page(page, address, "sentence", parser=OTHER, sentence="6")
    panel = page.locator(".panel[data-kind=t]")
    folded = panel.locator(".node.folded")
    expect(folded.first).to_be_attached()
    before = folded.count()
    assert panel.locator(".node.gold.folded").count() == panel.locator(".node.test.folded").count() == before / 2
    panel.locator(".node.gold.folded").first.click()
    expect(folded).not_to_have_count(before)
    settle(page)
    assert panel.locator(".node.gold.folded").count() == panel.locator(".node.test.folded").count()
