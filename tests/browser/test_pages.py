"""The main job in a real browser: find the worst parse, see why."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from evaltools.app.frame import PAGES
from tests.browser.steps import (
    HEADER,
    ROW,
    at_rest,
    choose,
    click_cell,
    click_row,
    drawing,
    expect_boxes,
    expect_in_link,
    open_page,
    settle,
)
from tests.pages.tiny import HOSTILE_PARSER

SHADES = {"dark": re.compile(r"rgb\((\d\d?, ){2}\d\d?\)"), "light": re.compile(r"rgb\((2\d\d, ){2}2\d\d\)")}


def test_pages_fetch_nothing_from_elsewhere(fresh_page: Page, address: str):
    requested: list[str] = []
    fresh_page.on("request", lambda request: requested.append(request.url))
    open_page(fresh_page, address, "about", parser=HOSTILE_PARSER)
    settle(fresh_page)
    heading = fresh_page.get_by_role("heading", name=re.compile(r"^Sentence \d"))
    pages = fresh_page.get_by_test_id("stSidebarNavLink")
    expect(pages).to_have_text([title for group in PAGES.values() for _, title in group])
    for title in ("Worst parses", "Disagreement", "Hotspots"):
        pages.filter(has_text=title).click()
        expect(fresh_page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        expect(fresh_page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
        settle(fresh_page)
        before = heading.inner_text()
        if title == "Hotspots":
            click_row(fresh_page, 1)
            expect(fresh_page).to_have_url(re.compile("group="))
        else:
            fresh_page.get_by_role("button", name="Next").click()
        expect(heading).not_to_have_text(before)
        settle(fresh_page)
    own = (address, address.replace("http", "ws"), "data:", "blob:")
    assert [url for url in requested if not url.startswith(own)] == []


def test_rows_buttons_keys_and_the_browser_change_the_sentence_which_other_pages_and_a_copied_link_keep(
    page: Page, new_page: Callable[..., Page], address: str
):
    open_page(page, address, "worst_parses", parser=HOSTILE_PARSER, order="worst")
    heading = page.get_by_role("heading", name=re.compile(r"Sentence \d"))
    expect(heading).to_contain_text("Sentence 2")
    expect(drawing(page, "t")).to_contain_text("**bold**")
    click_row(page, 3)
    expect(heading).to_contain_text("Sentence 7")
    expect(drawing(page, "t")).to_contain_text("glasses")
    expect_in_link(page, sentence="7")
    settle(page)
    page.get_by_role("button", name="Previous").click()
    expect(heading).not_to_contain_text("Sentence 7")
    settle(page)
    previous = heading.inner_text()
    page.keyboard.press("n")
    expect(heading).to_contain_text("Sentence 7")
    settle(page)
    page.go_back()
    expect(heading).to_have_text(previous)
    settle(page)
    page.get_by_role("button", name="Next").click()
    expect(heading).to_contain_text("Sentence 7")
    settle(page)

    there = page.url
    page.get_by_role("link", name="Open in Sentence").click()
    expect(page).to_have_url(re.compile("/sentence.*sentence=7"))
    expect(drawing(page, "t")).to_contain_text("glasses")
    expect(page.locator(".answer").first).to_contain_text(HOSTILE_PARSER)
    settle(page)
    page.go_back()
    expect(page).to_have_url(there)
    expect(heading).to_contain_text("Sentence 7")
    settle(page)

    page.get_by_label("Text").fill("saw")
    page.get_by_label("Text").press("Enter")
    expect(page.get_by_text("2 of 7 sentences")).to_be_visible()
    page.get_by_role("button", name="More filters").click()
    choose(page, "Error type", "PP attachment", inside="stPopoverBody")
    expect_in_link(page, error="pp_attachment", q="saw")
    narrowed = page.get_by_text(re.compile("1 of 7 sentences: .*error type PP attachment"))
    expect(narrowed).to_be_visible()
    page.keyboard.press("Escape")
    copy = new_page()
    copy.goto(page.url)
    expect(copy.get_by_text(narrowed.inner_text(), exact=True)).to_be_visible()
    expect(copy.get_by_role("heading", name=re.compile(r"Sentence \d"))).to_have_text(heading.inner_text())
    expect(copy.locator("[data-testid=stMain] [data-testid=stTextInput] input").first).to_have_value("saw")
    page.get_by_test_id("stSidebarNav").get_by_text("Sentence", exact=True).click()
    expect(page).to_have_url(re.compile("/sentence.*sentence=7"))
    expect(drawing(page, "t")).to_contain_text("glasses")
    expect_in_link(page, parser=HOSTILE_PARSER)

    # What was written last is sent before a link is followed, however short the click.
    copy.get_by_label("Text").fill("the")
    copy.get_by_test_id("stSidebarNav").get_by_text("Hotspots", exact=True).click()
    expect(copy.get_by_role("heading", name="Hotspots")).to_be_visible()
    settle(copy)
    expect(copy).to_have_url(re.compile("/hotspots.*q=the"))


def test_parsers_nodes_steps_words_and_digits_change_what_the_trees_of_a_sentence_show(page: Page, address: str):
    open_page(page, address, "sentence", parser="better", sentence="7")
    expect(page.get_by_text("the two trees are equal", exact=False).first).to_be_visible()
    choose(page, "Parser", HOSTILE_PARSER)
    expect_in_link(page, parser=HOSTILE_PARSER)
    panel = page.locator(".panel[data-kind=t]")
    deleted = panel.locator(".node.missing").first
    expect(deleted).to_be_visible()
    expect(page.get_by_text("E and T mark the same nodes")).to_be_visible()
    expect(page.locator(".viewer .panel")).to_have_count(1)
    (whole,) = at_rest(page, page.locator(".viewer"))
    expect_boxes(panel, lambda box: box.width > 0.95 * whole.width)  # one picture, which has the full width
    deleted.hover()
    expect(panel.locator(".readout")).to_contain_text("only in gold")
    deleted.click()
    expect(panel.locator(".readout")).to_contain_text("pinned")
    page.get_by_role("heading", name="Sentence", exact=True).hover()
    expect(panel.locator(".readout")).to_contain_text("only in gold")
    deleted.click()

    page.locator(".story tr").first.click()
    expect_in_link(page, step="r0")
    hot = drawing(page, "t").locator(".node.hot")
    expect(hot.filter(has_text="glasses")).not_to_have_count(0)
    expect(hot.filter(has_text="saw")).to_have_count(0)
    expect(drawing(page, "t").locator(".node.hot.missing", has_text="NP")).to_have_count(1)
    expect(page.locator(".readout").first).to_contain_text(
        "repair: PP “with glasses” is in VP “saw a man …”, belongs in NP “a man …”"
    )
    page.locator(".steps:not(.story) tr.missing").first.click()
    expect(page).to_have_url(re.compile("[?&]step=t"))
    expect(page.locator(".steps tr.chosen")).to_have_count(1)
    expect(hot).to_have_count(1)
    page.locator(".strip .word", has_text="glasses").click()
    expect(page.locator("svg.lineage")).to_contain_text("glasses:")
    expect_in_link(page, at="5")
    page.get_by_test_id("stMain").get_by_role("radio", name="exact").click()
    expect(page).to_have_url(re.compile("scheme=la_exact"))
    panel.locator(".cell[data-word='0']").first.click()
    expect(page.locator("svg.lineage")).to_contain_text("I:")

    choose(page, "Compare with", "better")
    expect_in_link(page, other="better")
    expect(page.locator(".answer").first).to_contain_text("compared with better")
    expect(deleted).to_be_visible()
    verdicts = page.locator(".marked .verdicts button")
    expect(verdicts).to_have_count(2)
    expect(page.locator(".marked .node.only-b").first).to_be_visible()
    page.get_by_role("heading", name="Sentence", exact=True).click()  # away from the box, in which digits are typed
    page.locator("body").press("2")
    expect(verdicts.nth(1)).to_have_attribute("aria-pressed", "true")
    expect_in_link(page, repair="2")
    page.locator("body").press("1")
    expect(page.locator(".marked .node.only-b.faded").first).to_be_visible()


def test_hostile_labels_are_shown_literally_in_both_themes(page: Page, address: str):
    """A script or a handler that came into the page would meet its content security policy, which fails the test."""
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="2")
    for label in ("<script>", "$", "*", "-LRB-", ":red[x]", "**bold**", "<script>alert[1]</script>", "$x$"):
        expect(drawing(page, "t").get_by_text(label, exact=True).first).to_be_attached()
    expect(page.locator(".strip")).to_contain_text("<script>alert[1]</script>")
    expect(page.locator(".steps.story")).to_contain_text("“$”")
    expect(page.locator(".steps:not(.story)")).to_contain_text("<script>")
    expect(page.locator(".answer").first).to_contain_text(HOSTILE_PARSER)
    expect(page.get_by_test_id("stSidebar").locator(".facts")).to_contain_text(HOSTILE_PARSER)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(f".viewer.{scheme}")).to_be_visible()
        expect(page.locator(f".blocks.{scheme} .formulas")).to_be_visible()
        ink, paper = ("dark", "light") if scheme == "light" else ("light", "dark")
        expect(page.get_by_test_id("stApp")).to_have_css("color", SHADES[ink])
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", SHADES[paper])


def expect_below_middle(tools: Locator, element: Locator) -> None:
    """Wait until tools stand in the lower half of their element, or below it."""
    (own,) = at_rest(element.page, element)
    expect_boxes(tools, lambda box: box.y > own.middle[1])


def test_a_chart_and_a_table_have_their_tools_below_and_list_the_sentences_of_a_box_and_a_cell(
    page: Page, address: str
):
    open_page(page, address, "disagreement", parser=HOSTILE_PARSER)
    chart = page.get_by_test_id("stVegaLiteChart").first
    table = page.get_by_test_id("stDataFrame").first
    for element in (chart, table):
        expect(element.locator("canvas, svg").first).to_be_visible()
        settle(page)
        element.hover()
        tools = page.get_by_test_id("stFullScreenFrame").filter(has=element).get_by_test_id("stElementToolbar").first
        expect(tools).to_have_css("opacity", "1")  # they come slowly
        expect_below_middle(tools, element)
        page.locator(".st-key-url_other input").click(trial=True)
    picture = chart.locator("canvas, svg").first
    picture.scroll_into_view_if_needed()
    settle(page)
    (drawn,) = at_rest(page, picture)
    page.mouse.move(drawn.x + 0.15 * drawn.width, drawn.y + 0.05 * drawn.height)
    page.mouse.down()
    page.mouse.move(drawn.x + 0.95 * drawn.width, drawn.y + 0.6 * drawn.height, steps=8)
    page.mouse.up()
    expect(page).to_have_url(re.compile("box="))
    expect(page.get_by_text("in the box")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(page).not_to_have_url(re.compile("box="))
    settle(page)
    click_cell(table, 55, HEADER + ROW / 2)
    expect(page).to_have_url(re.compile("cell="))
    expect(page.get_by_text(re.compile("in decile 1 by"))).to_be_visible()
