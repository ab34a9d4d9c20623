"""The main job in a real browser: find the worst parse, see why."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from evaltools.ui.frame.navigation import PAGES
from tests.browser.steps import (
    HEADER,
    ROW,
    choose,
    click_row,
    drawing,
    expect_in_link,
    in_link,
    open_page,
    overflow,
    settle,
)
from tests.pages.tiny import HOSTILE_PARSER

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, WebSocket


def test_a_fresh_server_answers_a_deep_link(app_server: Callable[..., Any], tiny_folder: Path, page: Page):
    server = app_server(str(tiny_folder / "tiny.run"))
    open_page(page, server.url, "hotspots", parser=HOSTILE_PARSER, sentence="7")
    expect(drawing(page, "t")).to_be_visible()
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_text(
        [title for group in PAGES.values() for _, title in group]
    )
    expect(page.get_by_test_id("stSidebar").locator(".facts")).to_contain_text("better")
    expect_in_link(page, sentence="7")
    assert "Traceback" not in server.output()


def test_pages_load_the_scripts_of_their_elements_before_they_are_needed(fresh_page: Page, address: str):
    requested: list[str] = []
    fresh_page.on("request", lambda request: requested.append(request.url))
    open_page(fresh_page, address, "about")
    settle(fresh_page)
    assert [url for url in requested if "/DataFrame." in url]
    del requested[:]
    fresh_page.get_by_test_id("stSidebarNav").get_by_role("link", name="Worst parses").click()
    expect(fresh_page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
    assert [url for url in requested if re.search(r"/(DataFrame|arrowFormatUtils|NumberInput)\.[^/]*\.js$", url)] == []


@pytest.mark.parametrize("name", ["worst_parses", "disagreement", "hotspots"])
def test_a_click_in_a_list_redraws_the_list_and_not_the_page(fresh_page: Page, address: str, name: str):
    received: list[ForwardMsg] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: received.append(ForwardMsg.FromString(data)))

    fresh_page.on("websocket", listen)
    open_page(fresh_page, address, name, parser=HOSTILE_PARSER)
    settle(fresh_page)
    heading = fresh_page.get_by_role("heading", name=re.compile(r"^Sentence \d"))
    before = heading.inner_text()
    drawn = {kind(message) for message in received}
    del received[:]
    if name == "hotspots":
        click_row(fresh_page, 1)
    else:
        fresh_page.get_by_role("button", name="Next").click()
    expect(heading).not_to_have_text(before)
    settle(fresh_page)
    redrawn = {kind(message) for message in received}
    assert "navigation" in drawn - redrawn
    assert {"parser", "detail_head"} <= drawn
    assert "detail_head" in redrawn
    assert "parser" not in redrawn


def kind(message: ForwardMsg) -> str:
    """Return the key of the container or of the select box that a message draws, else its type."""
    delta = message.delta
    if delta.HasField("add_block"):
        return delta.add_block.id.rpartition("-")[2]
    if delta.new_element.HasField("selectbox"):
        return delta.new_element.selectbox.id.rpartition("-url_")[2]
    return str(message.WhichOneof("type"))


def test_a_row_and_the_buttons_select_the_sentence_that_is_shown(page: Page, address: str):
    open_page(page, address, "worst_parses", parser=HOSTILE_PARSER, order="worst")
    expect(page.get_by_role("heading", name=re.compile("Sentence 2"))).to_be_visible()
    expect(drawing(page, "t")).to_contain_text("**bold**")
    click_row(page, 3)
    expect(page.get_by_role("heading", name=re.compile("Sentence 7"))).to_be_visible()
    expect(drawing(page, "t")).to_contain_text("glasses")
    expect_in_link(page, sentence="7")
    settle(page)
    before = page.get_by_role("heading", name=re.compile(r"Sentence \d")).inner_text()
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_role("heading", name=re.compile(r"Sentence \d"))).not_to_have_text(before)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name=re.compile(r"Sentence \d"))).to_have_text(before)


def test_a_copied_link_opens_the_same_view(page: Page, new_page: Callable[..., Page], address: str):
    open_page(page, address, "worst_parses")
    choose(page, "Parser", HOSTILE_PARSER)
    choose(page, "Metric", "Leaf-ancestor, exact")
    page.get_by_label("Text").fill("saw")
    page.get_by_label("Text").press("Enter")
    expect(page.get_by_text("2 of 7 sentences")).to_be_visible()
    click_row(page, 1)
    expect(page).to_have_url(re.compile("sentence="))
    settle(page)
    shown = page.get_by_role("heading", name=re.compile(r"Sentence \d")).inner_text()
    copy = new_page()
    copy.goto(page.url)
    expect(copy.get_by_text("2 of 7 sentences")).to_be_visible()
    expect(copy.get_by_role("heading", name=re.compile(r"Sentence \d"))).to_have_text(shown)
    expect(copy.locator("[data-testid=stMain] [data-testid=stTextInput] input").first).to_have_value("saw")


def test_the_browser_goes_back_and_keys_go_on(page: Page, address: str):
    open_page(page, address, "worst_parses", parser=HOSTILE_PARSER)
    heading = page.get_by_role("heading", name=re.compile(r"Sentence \d"))
    first = heading.inner_text()
    expect(page.get_by_role("button", name="Next")).to_be_enabled()
    page.keyboard.press("n")
    expect(heading).not_to_have_text(first)
    page.go_back()
    expect(heading).to_have_text(first)


def test_a_link_to_another_page_is_one_step_of_the_history_and_all_pages_keep_the_sentence(page: Page, address: str):
    open_page(page, address, "worst_parses", parser=HOSTILE_PARSER, metric="la_strict", sentence="7")
    settle(page)
    there = page.url
    page.get_by_role("link", name="Open in Sentence").click()
    expect(page).to_have_url(re.compile("/sentence.*metric=la_strict"))
    expect(page).to_have_url(re.compile("/sentence.*sentence=7"))
    expect(drawing(page, "t")).to_contain_text("glasses")
    expect(page.locator(".answer")).to_contain_text(HOSTILE_PARSER)
    settle(page)
    page.go_back()
    expect(page).to_have_url(there)
    expect(page.get_by_role("heading", name="Sentence 7")).to_be_visible()
    settle(page)
    page.get_by_test_id("stSidebarNav").get_by_text("Sentence", exact=True).click()
    expect(page).to_have_url(re.compile("/sentence.*sentence=7"))
    expect(drawing(page, "t")).to_contain_text("glasses")
    expect_in_link(page, parser=HOSTILE_PARSER)


def test_what_is_shown_can_be_downloaded(page: Page, address: str):
    open_page(page, address, "worst_parses", parser=HOSTILE_PARSER, q="saw")
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as table:
        page.get_by_role("button", name="Table (CSV)").click()
    assert len(table.value.path().read_text("utf-8").splitlines()) == 3
    with page.expect_download() as trees:
        page.get_by_role("button", name="Gold trees").click()
    assert len(trees.value.path().read_text("utf-8").splitlines()) == 2
    with page.expect_download() as zipped:
        page.get_by_role("button", name="Run (ZIP)").click()
    with zipfile.ZipFile(zipped.value.path()) as archive:
        assert "2 of tiny.run/meta.json" in archive.namelist()
    page.get_by_role("button", name="Open as a run").click()
    expect(page.get_by_test_id("stSidebar").locator(".facts")).to_contain_text("part oftiny.run7")
    expect(page.get_by_text(re.compile(r"^2 sentences\."))).to_be_visible()
    expect_in_link(page, parser=HOSTILE_PARSER)
    origin = page.get_by_text(re.compile("This is sentence [47] of 7 in tiny.run"))
    expect(origin).to_be_visible()
    settle(page)
    number = origin.inner_text().split()[3]
    page.get_by_role("button", name="Show in tiny.run").click()
    settle(page)
    expect(page.get_by_text(re.compile(r"^7 sentences\."))).to_be_visible()
    expect_in_link(page, sentence=number)
    expect(page.get_by_role("heading", name=f"Sentence {number}")).to_be_visible()


def test_switching_the_parser_changes_the_alignment(page: Page, address: str):
    open_page(page, address, "sentence", parser="better", sentence="7")
    expect(page.get_by_text("the two trees are equal", exact=False).first).to_be_visible()
    choose(page, "Parser", HOSTILE_PARSER)
    expect(page.locator(".panel[data-kind=t] .node.deleted").first).to_be_visible()
    expect_in_link(page, parser=HOSTILE_PARSER)
    choose(page, "Compare with", "better")
    expect(page.locator(".panel[data-kind=t] .node.deleted").first).to_be_visible()
    expect(page).to_have_url(re.compile("other=better"))
    expect(page.locator(".answer")).to_contain_text("compared with better")


def test_a_node_shows_its_partner_and_a_step_of_the_repair_its_nodes(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="7")
    panel = page.locator(".panel[data-kind=t]")
    expect(panel.locator(".readout")).to_have_text("E and T mark the same nodes.")
    expect(page.locator(".viewer .panel")).to_have_count(1)
    box, whole = panel.bounding_box(), page.locator(".viewer").bounding_box()
    assert box is not None
    assert whole is not None
    assert box["width"] > 0.95 * whole["width"]  # one picture, which has the full width
    panel.locator(".node.deleted").first.hover()
    expect(panel.locator(".readout")).to_contain_text("only in gold")
    panel.locator(".node.deleted").first.click()
    expect(panel.locator(".readout")).to_contain_text("pinned")
    page.get_by_role("heading", name="Sentence", exact=True).hover()
    expect(panel.locator(".readout")).to_contain_text("only in gold")
    panel.locator(".node.deleted").first.click()

    step = page.locator(".story li").first
    expect(step).to_contain_text("PP attachment")
    step.click()
    expect_in_link(page, step="r0")
    expect(drawing(page, "t").locator(".node.hot", has_text="glasses")).not_to_have_count(0)
    expect(drawing(page, "t").locator(".node.hot", has_text="saw")).to_have_count(0)
    expect(drawing(page, "t").locator(".node.hot.deleted", has_text="NP")).to_have_count(1)
    expect(page.locator(".readout").first).to_contain_text("repair: NP “a man with glasses” is added")


def test_a_step_of_the_edit_script_and_a_word_are_shown(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, sentence="1")
    step = page.locator(".steps li.inserted").first
    step.click()
    expect(page.locator(".steps li.chosen")).to_have_count(1)
    expect(page.locator(".panel[data-kind=t] .node.hot")).to_have_count(1)
    expect(page).to_have_url(re.compile("[?&]step=t"))

    page.locator(".strip .word", has_text="dog").click()
    expect(page.locator("svg.lineage")).to_contain_text("dog:")
    expect_in_link(page, at="1")
    page.get_by_test_id("stMain").get_by_role("radio", name="exact").click()
    expect(page).to_have_url(re.compile("scheme=la_strict"))
    page.locator(".panel[data-kind=t] .cell[data-word='0']").first.click()
    expect(page.locator("svg.lineage")).to_contain_text("The:")


def test_a_sentence_of_sixty_words_stays_in_the_page(page: Page, address: str):
    for name in ("sentence", "worst_parses"):
        page.set_viewport_size({"width": 420, "height": 900})
        open_page(page, address, name, parser=HOSTILE_PARSER, sentence="6")
        for width in (420, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            settle(page)
            expect(drawing(page, "t")).to_be_visible()
            expect(page.locator(".panel[data-kind=t] .folded").first).to_be_attached()
            assert overflow(page) <= 0


def test_a_parser_of_two_can_be_focused_by_its_digit(page: Page, address: str):
    open_page(page, address, "sentence", parser=HOSTILE_PARSER, other="better", sentence="1")
    verdicts = page.locator(".marked .verdicts button")
    expect(verdicts).to_have_count(2)
    expect(verdicts.nth(1).locator(".number")).to_have_text("B")
    expect(page.locator(".marked .node.only-b").first).to_be_visible()
    page.locator("body").press("2")
    expect(verdicts.nth(1)).to_have_attribute("aria-pressed", "true")
    expect_in_link(page, repair="2")
    page.locator("body").press("1")
    expect(page.locator(".marked .node.only-b.faded").first).to_be_visible()


def test_hostile_labels_are_shown_literally(fresh_page: Page, address: str):
    said: list[str] = []
    fresh_page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    open_page(fresh_page, address, "sentence", parser=HOSTILE_PARSER, sentence="2")
    for label in ("<script>", "$", "*", "-LRB-", ":red[x]", "**bold**", "<script>alert[1]</script>"):
        expect(drawing(fresh_page, "t").get_by_text(label, exact=True).first).to_be_attached()
    expect(drawing(fresh_page, "t").get_by_text("$x$", exact=True).first).to_be_attached()
    expect(fresh_page.locator(".strip")).to_contain_text("<script>alert[1]</script>")
    expect(fresh_page.locator(".steps.story")).to_contain_text("“$”")
    expect(fresh_page.locator(".steps:not(.story)")).to_contain_text("<script>")
    expect(fresh_page.locator(".answer")).to_contain_text(HOSTILE_PARSER)
    expect(fresh_page.get_by_test_id("stSidebar").locator(".facts")).to_contain_text(HOSTILE_PARSER)
    open_page(fresh_page, address, "worst_parses", parser=HOSTILE_PARSER, sentence="2", label="<script>")
    expect(fresh_page.get_by_text("label <script>", exact=False).first).to_be_visible()
    expect(drawing(fresh_page, "t").get_by_text("-LRB-", exact=True).first).to_be_attached()
    assert said == []


def test_both_themes_and_nothing_is_fetched_from_elsewhere(fresh_page: Page, address: str):
    asked: list[str] = []
    fresh_page.on("request", lambda request: asked.append(request.url))
    open_page(fresh_page, address, "sentence", parser=HOSTILE_PARSER, sentence="1")
    for scheme in ("light", "dark"):
        fresh_page.emulate_media(color_scheme=scheme)
        expect(fresh_page.locator(f".viewer.{scheme}")).to_be_visible()
        expect(fresh_page.locator(f".blocks.{scheme} .formulas")).to_be_visible()
        of_app = "getComputedStyle(document.querySelector('[data-testid=stApp]'))"
        ink, paper = (fresh_page.evaluate(f"{of_app}.{one}") for one in ("color", "backgroundColor"))
        brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ink, paper)]
        assert (brightness[0] < brightness[1]) == (scheme == "light")
    settle(fresh_page)
    assert [
        url for url in asked if not url.startswith((address, address.replace("http", "ws"), "data:", "blob:"))
    ] == []


def test_a_hotspot_leads_to_its_sentences_their_alignment_and_back(page: Page, address: str):
    open_page(page, address, "hotspots", parser=HOSTILE_PARSER, view="errors")
    sentences = page.locator(".sentences li")
    expect(sentences.first).to_be_visible()
    expect(page.locator(".sentences .fitting svg").first).to_be_visible()
    click_row(page, 2)  # the second one is chosen already
    expect(page).to_have_url(re.compile("group="))
    settle(page)
    group = in_link(page, "group")
    last = sentences.last
    number = last.get_attribute("data-sentence")
    last.click()
    expect(page.get_by_role("heading", name=f"Sentence {number}")).to_be_visible()
    settle(page)  # the link below the heading is the old one until the script has run
    expect(drawing(page, "t")).to_be_visible()
    page.get_by_role("link", name="Open in Sentence").click()
    expect(page.get_by_role("heading", name="Sentence", exact=True)).to_be_visible()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Hotspots").click()
    expect(page.get_by_role("heading", name="Hotspots")).to_be_visible()
    expect(sentences.first).to_be_visible()
    settle(page)
    expect_in_link(page, group=group, sentence=number)


def test_the_sample_across_frameworks_is_one_click_away(page: Page, address: str):
    open_page(page, address, "crossframework")
    page.get_by_role("button", name="Open the sample across frameworks").click()
    expect(page.get_by_text("TedEval, all golds, unlabeled: ")).to_be_visible()
    expect(page.locator("svg.bars").first).to_be_visible()
    expect(page.locator(".steps li").first).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile("sentence=2"))
    expect(page.get_by_text(re.compile("^Sentence 2, "))).to_be_visible()
    page.get_by_role("radio", name="own gold").click()
    expect(page).to_have_url(re.compile("against=single"))
    expect(page.locator(".formulas").last).to_contain_text("|gold|")


@pytest.mark.parametrize(
    ("name", "kind", "field"), [("disagreement", "stVegaLiteChart", "other"), ("hotspots", "stDataFrame", "view")]
)
def test_the_tools_of_a_chart_or_table_stand_below_it(page: Page, address: str, name: str, kind: str, field: str):
    open_page(page, address, name, parser=HOSTILE_PARSER)
    element = page.get_by_test_id(kind).first
    expect(element.locator("canvas, svg").first).to_be_visible()
    settle(page)
    element.hover()
    tools = page.get_by_test_id("stFullScreenFrame").filter(has=element).get_by_test_id("stElementToolbar").first
    expect(tools).to_have_css("opacity", "1")  # they come slowly
    place, own = tools.bounding_box(), element.bounding_box()
    assert place is not None
    assert own is not None
    assert place["y"] > own["y"] + own["height"] / 2
    page.locator(f".st-key-url_{field} input").click(trial=True, timeout=5_000)


def test_a_box_and_a_cell_list_their_sentences(page: Page, address: str):
    open_page(page, address, "disagreement", parser=HOSTILE_PARSER)
    chart = page.get_by_test_id("stVegaLiteChart").first
    picture = chart.locator("canvas, svg").first
    expect(picture).to_be_visible()
    size = picture.bounding_box()
    assert size is not None
    page.mouse.move(size["x"] + 0.15 * size["width"], size["y"] + 0.05 * size["height"])
    page.mouse.down()
    page.mouse.move(size["x"] + 0.95 * size["width"], size["y"] + 0.6 * size["height"], steps=8)
    page.mouse.up()
    expect(page).to_have_url(re.compile("box="))
    expect(page.get_by_text("in the box")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(page).not_to_have_url(re.compile("box="))
    settle(page)
    table = page.get_by_test_id("stMain").get_by_test_id("stDataFrame").first
    table.click(position={"x": 55, "y": HEADER + ROW / 2})
    expect(page).to_have_url(re.compile("cell="))
    expect(page.get_by_text(re.compile("in decile 1 by"))).to_be_visible()


def test_the_list_can_be_narrowed_to_a_type_of_error(page: Page, address: str):
    open_page(page, address, "worst_parses", parser=HOSTILE_PARSER)
    page.get_by_role("button", name="More filters").click()
    choose(page, "Error type", "PP attachment", inside="stPopoverBody")
    expect_in_link(page, error="pp_attachment")
    expect(page.get_by_text("1 of 7 sentences: error type PP attachment")).to_be_visible()
