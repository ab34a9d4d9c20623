"""From a figure to a tree in a real browser: error type, example, marked sentence, trees; and back."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import at_rest, expect_boxes, expect_in_link, expect_no_overflow, open_page, settle, until
from tests.pages.tiny import HOSTILE_PARSER


def test_the_way_from_a_figure_to_a_tree_and_back_keeps_everything(page: Page, address: str):
    open_page(page, address, "", parser=HOSTILE_PARSER, metric="la_exact")
    page.get_by_role("link", name="Examples", exact=True).nth(1).click()
    expect(page.get_by_role("heading", name="Hotspots")).to_be_visible()
    settle(page)
    chosen = {"parser": HOSTILE_PARSER, "view": "errors", "metric": "la_exact"}
    expect_in_link(page, group="PP attachment", part="PP attached to the VP instead of the NP", **chosen)
    expect(page.locator(".sentences .fitting svg").first).to_be_visible()
    page.locator(".sentences tr").first.click()
    settle(page)
    expect(page.locator(".marked .verdicts")).to_contain_text("with glasses")
    hotspots = page.url

    page.get_by_role("link", name="Open in Sentence").click()
    expect(page.get_by_role("heading", name="Sentence", exact=True)).to_be_visible()
    settle(page)
    expect_in_link(page, parser=HOSTILE_PARSER, sentence="7", metric="la_exact")
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
    expect(page).to_have_url(hotspots)
    expect(page.locator(".marked .verdicts")).to_contain_text("with glasses")
    while "hotspots" in page.url:
        page.go_back()
        settle(page)
    expect_in_link(page, parser=HOSTILE_PARSER, metric="la_exact")
    expect(page.get_by_role("link", name="Examples", exact=True).first).to_be_visible()


def test_sixty_words_stay_in_the_page_say_where_they_go_on_scroll_with_it_and_are_folded(page: Page, address: str):
    open_page(page, address, "worst_parses", parser=HOSTILE_PARSER, sentence="6")
    panel = page.locator(".panel[data-kind=t]")
    folded = panel.locator(".folded")

    def stays_in_windows_of(*widths: int) -> None:
        for width in widths:
            page.set_viewport_size({"width": width, "height": 720})
            settle(page)
            expect(panel.locator("svg").first).to_be_visible()
            expect(folded.first).to_be_attached()
            expect_no_overflow(page)

    stays_in_windows_of(390, 1440)
    page.get_by_role("link", name="Open in Sentence").click()
    expect(page.get_by_role("heading", name="Sentence", exact=True)).to_be_visible()
    stays_in_windows_of(1440, 390)

    page.get_by_text("Show only what differs").click()
    expect_in_link(page, fold="0")
    expect(folded).to_have_count(0)
    stage = panel.locator(".stage")
    onward = panel.get_by_role("button", name="scroll right")
    whole = panel.get_by_role("button", name="show the whole drawing")
    larger = panel.get_by_role("button", name="zoom in")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        settle(page)
        expect(panel.locator("svg").first).to_be_visible()
        expect_no_overflow(page)
        while int(panel.locator("output").inner_text()[:-2]) < 120:
            larger.click()
        stage.evaluate("(stage) => stage.scrollTo(0, 0)")
        expect(onward).to_be_visible()
        expect(panel.get_by_role("button", name="scroll left")).to_be_hidden()
        onward.click()
        expect(panel.get_by_role("button", name="scroll left")).to_be_visible()
        whole.click()
        expect(onward).to_be_hidden()

    top = "document.querySelector('[data-testid=stMain]').scrollTop"
    for n_larger in (0, 8):  # a drawing that fits, and one that is much higher than its box
        for _ in range(n_larger):
            larger.click()
        page.evaluate(f"{top} = 250")
        (box,) = at_rest(page, stage)
        page.mouse.move(box.x + box.width / 2, box.y + 60)
        page.mouse.wheel(0, -120)
        page.wait_for_function(f"() => {top} < 200")
        page.mouse.wheel(0, 60)
        page.wait_for_function(f"() => {top} > 150")
    until(page, lambda: stage.evaluate("(stage) => stage.scrollHeight > stage.clientHeight"))

    page.set_viewport_size({"width": 390, "height": 120})  # too low for a drawing, of which the first lines are shown
    marked = page.locator(".marked .stage").first
    expect(marked).to_have_class("stage folded")
    (low,) = at_rest(page, marked)
    page.get_by_role("button", name="show all lines").click()
    expect(marked).to_have_class("stage")
    expect_boxes(marked, lambda box: box.height > low.height)
    expect(page.get_by_role("button", name="show all lines")).to_be_hidden()


def expect_tip(element: Locator, text: str) -> None:
    content = "(element) => getComputedStyle(element, '::after').content"
    until(element.page, lambda: element.evaluate(content), lambda tip: text in tip)


def test_letters_are_explained_to_pointer_and_keyboard_and_a_narrow_window_has_its_own_drawings_and_menu(
    page: Page, address: str
):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="2")
    panel = page.locator(".panel[data-kind=t]")
    letter = panel.locator(".numbers .spurious").first
    expect_tip(letter, "none")
    letter.hover()
    expect_tip(letter, "spurious: only in <b>x</b>")
    panel.locator("h3").hover()
    panel.locator(".head .help").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect_tip(panel.locator(".head .help"), "T-mapping: the cheapest alignment")

    strips = page.locator(".st-key-sentence_strips svg")
    expect_boxes(strips, lambda box: box.width > 330)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".st-key-sentence_strips svg[width='330']")).to_be_visible()
    expect_no_overflow(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    entry = page.get_by_test_id("stSidebarNavLink").filter(has_text="Worst parses")
    expect(entry).to_be_in_viewport()
    entry.click()
    expect(page.get_by_role("heading", name="Worst parses", exact=True)).to_be_visible()
    expect(entry).not_to_be_in_viewport()
