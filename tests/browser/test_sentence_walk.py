"""From a figure to a tree in a real browser: error type, example, marked sentence, trees; and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.steps import expect_in_link, open_page, overflow, settle
from tests.pages.tiny import HOSTILE_PARSER

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_the_way_from_a_figure_to_a_tree_and_back_keeps_everything(page: Page, address: str):
    open_page(page, address, "", open="errors", metric="la_strict")
    page.get_by_role("link", name="Examples", exact=True).nth(1).click()
    expect(page.get_by_role("heading", name="Hotspots")).to_be_visible()
    settle(page)
    chosen = {"parser": HOSTILE_PARSER, "view": "errors", "metric": "la_strict"}
    expect_in_link(page, group="PP attachment", part="PP in VP, belongs in NP", **chosen)
    page.locator(".sentences li").first.click()
    settle(page)
    expect(page.locator(".marked .verdicts")).to_contain_text("with glasses")
    hotspots = page.url

    page.get_by_role("link", name="Open in Sentence").click()
    expect(page.get_by_role("heading", name="Sentence", exact=True)).to_be_visible()
    settle(page)
    expect_in_link(page, parser=HOSTILE_PARSER, sentence="7", metric="la_strict")
    page.locator(".marked .verdicts button").first.click()
    settle(page)
    expect_in_link(page, repair="1")
    page.keyboard.press("v")
    settle(page)
    expect_in_link(page, trees="0", repair="1")
    expect(page.locator(".panel[data-kind=t]")).to_have_count(0)
    expect(page.locator(".marked .verdicts button").first).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("v")
    settle(page)
    expect(page.locator(".panel[data-kind=t] svg")).to_be_visible()

    page.go_back()
    settle(page)
    expect_in_link(page, trees="0", repair="1", sentence="7")
    expect(page.locator(".panel[data-kind=t]")).to_have_count(0)
    page.go_back()
    settle(page)
    expect(page.locator(".panel[data-kind=t] svg")).to_be_visible()
    expect(page.locator(".marked .verdicts button").first).to_have_attribute("aria-pressed", "true")
    page.go_back()
    settle(page)
    expect(page.locator(".marked .verdicts button").first).to_have_attribute("aria-pressed", "false")
    page.go_back()
    expect(page.get_by_role("heading", name="Hotspots")).to_be_visible()
    settle(page)
    assert page.url == hotspots
    expect(page.locator(".marked .verdicts")).to_contain_text("with glasses")
    while "hotspots" in page.url:
        page.go_back()
        settle(page)
    expect_in_link(page, open="errors", metric="la_strict")
    expect(page.get_by_role("link", name="Examples", exact=True).first).to_be_visible()


def test_a_wide_tree_says_where_it_goes_on(page: Page, address: str):
    page.set_viewport_size({"width": 390, "height": 720})
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="6", fold="0")
    panel = page.locator(".panel[data-kind=t]")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        settle(page)
        expect(panel.locator("svg").first).to_be_visible()
        assert overflow(page) <= 0
        while panel.locator("output").inner_text() != "125 %" and int(panel.locator("output").inner_text()[:-2]) < 120:
            panel.get_by_role("button", name="zoom in").click()
        stage = panel.locator(".stage")
        stage.evaluate("(stage) => stage.scrollTo(0, 0)")
        onward = panel.get_by_role("button", name="scroll right")
        expect(onward).to_be_visible()
        expect(panel.get_by_role("button", name="scroll left")).to_be_hidden()
        onward.click()
        expect(panel.get_by_role("button", name="scroll left")).to_be_visible()
        panel.get_by_role("button", name="show the whole drawing").click()
        expect(onward).to_be_hidden()


def test_strips_are_drawn_for_the_width_of_the_page(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="2")
    strips = page.locator(".st-key-sentence_strips svg")
    expect(strips).to_be_visible()
    wide = strips.evaluate("(svg) => svg.getBoundingClientRect().width")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".st-key-sentence_strips svg[width='330']")).to_be_visible()
    assert wide > 330
    assert overflow(page) <= 0


def test_the_wheel_scrolls_the_page_also_over_the_trees(page: Page, address: str):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="6", fold="0")
    panel = page.locator(".panel[data-kind=t]")
    stage = panel.locator(".stage")
    top = "document.querySelector('[data-testid=stMain]').scrollTop"
    for step in range(6):  # a drawing that fits, and one that is much higher than its box
        page.evaluate(f"{top} = 250")
        box = stage.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 60)
        page.mouse.wheel(0, -120)
        page.wait_for_function(f"() => {top} < 200")
        page.mouse.wheel(0, 60)
        page.wait_for_function(f"() => {top} > 150")
        if step < 5:
            panel.get_by_role("button", name="zoom in").click()
    assert stage.evaluate("(stage) => stage.scrollHeight > stage.clientHeight")


def test_letters_over_the_trees_are_explained_to_pointer_and_keyboard(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="6")
    panel = page.locator(".panel[data-kind=t]")
    content = "(element) => getComputedStyle(element, '::after').content"
    letter = panel.locator(".numbers .inserted")
    assert letter.evaluate(content) == "none"
    letter.hover()
    assert "spurious: only in the lower tree" in letter.evaluate(content)
    panel.locator("h3").hover()
    panel.locator(".head .help").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert "T-mapping: the cheapest alignment" in panel.locator(".head .help").evaluate(content)


def test_a_high_drawing_is_folded_until_it_is_asked_for(page: Page, address: str):
    page.set_viewport_size({"width": 390, "height": 120})
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="6")
    stage = page.locator(".marked .stage").first
    expect(stage).to_have_class("stage folded")
    low = stage.evaluate("(stage) => stage.clientHeight")
    page.get_by_role("button", name="show all lines").click()
    expect(stage).to_have_class("stage")
    assert stage.evaluate("(stage) => stage.clientHeight") > low
    expect(page.get_by_role("button", name="show all lines")).to_be_hidden()


def test_the_menu_of_a_narrow_window_closes_after_a_choice(page: Page, address: str):
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, address, "sentence")
    page.get_by_test_id("stExpandSidebarButton").click()
    entry = page.get_by_test_id("stSidebarNavLink").filter(has_text="Worst parses")
    expect(entry).to_be_in_viewport()
    entry.click()
    expect(page.get_by_role("heading", name="Worst parses", exact=True)).to_be_visible()
    expect(entry).not_to_be_in_viewport()
