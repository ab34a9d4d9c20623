"""The alignment viewer: what it hands to the browser, and what the browser does with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

import evaltools.app.components as components
from tests.browser.steps import boxes, settle, until

SCRIPT = """
import streamlit as st
from evaltools.frameworks.constituency.alignment import align
from evaltools.frameworks.constituency.views import subject, tree_panels
from evaltools.frameworks.views import Viewing
from evaltools.app.sentence import opened_parts, show_panels

shared = "(NP (NP (DT the) (NN man)) (PP (IN in) (NP (DT the) (NN moon))))"
pairs = {
    "plain": (f"(S {shared} (VP (VBZ is) (ADJP (JJ old))))", f"(S {shared} (VP (VBZ is) (NP (NN old))))"),
    "hostile": (
        "(S (-LRB- -LRB-) (<script> <img>) ($ $x$) (* *))",
        "(S (-LRB- -LRB-) (X (<script> <img>)) ($ $x$) (* *))",
    ),
    "long": (f"(S {' '.join([shared] * 8)})", f"(S (X {' '.join([shared] * 8)}))"),
}
st.set_page_config(layout="wide")
name = st.radio("pair", list(pairs), index=list(pairs).index(st.query_params.get("pair", "plain")))
key = f"viewer_{name}"
other = st.checkbox("another widget")
flash = st.checkbox("flash")
alignment = align(*pairs[name])
step = alignment.t.steps[0] if alignment.t.steps else None
unfolded = Viewing(opened=opened_parts(key)).unfolded(subject(alignment))
highlight = (step.gold, step.test) if flash and step else None
word = show_panels(tree_panels(alignment, fold=name == "plain", unfolded=unfolded, highlight=highlight), key=key)
st.text(f"word {word} open {sorted(unfolded)}")
"""


def test_script_never_makes_html_of_data() -> None:
    script = (Path(components.__file__).parent / "alignment_viewer" / "alignment_viewer.js").read_text(encoding="utf-8")
    for unsafe in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "text/html"):
        assert unsafe not in script


@pytest.mark.parametrize("name", ["plain", "hostile"])
def test_viewer_mounts(name: str) -> None:
    app = AppTest.from_string(SCRIPT)
    app.query_params["pair"] = name
    app.run(timeout=60)
    assert not app.exception
    assert app.text[0].value == "word None open []"


def show(page: Page, name: str) -> None:
    page.get_by_test_id("stRadio").get_by_text(name, exact=True).click()
    page.locator(f".st-key-viewer_{name} .panel[data-kind=t] svg").wait_for()
    settle(page)


def test_trees_answer_and_keep_pin_and_zoom_and_labels_stay_text_and_readable(fresh_page: Page, address: str) -> None:
    errors: list[str] = []
    fresh_page.on("pageerror", lambda error: errors.append(str(error)))
    fresh_page.goto(address)
    fresh_page.wait_for_selector(".panel[data-kind=t] svg")
    expect(fresh_page.get_by_text("Ctrl + wheel")).to_be_visible()
    expect(fresh_page.get_by_text("tap: pin")).to_be_hidden()
    node = fresh_page.locator(".panel[data-kind=t] .node.gold.relabeled").first
    node.hover()
    expect(fresh_page.locator(".panel[data-kind=t] .node.hot")).to_have_count(1)
    expect(fresh_page.locator(".panel[data-kind=t] .node.mate")).to_have_count(1)
    assert fresh_page.locator(".panel[data-kind=t] .edge.path").count() >= 2
    expect(fresh_page.locator(".panel[data-kind=e] .node.hot")).to_have_count(1)
    node.click()
    fresh_page.locator(".panel[data-kind=t] button", has_text="+").click()
    percent = fresh_page.locator(".panel[data-kind=t] output").inner_text()
    fresh_page.get_by_text("another widget").click()
    settle(fresh_page)
    expect(fresh_page.locator(".panel[data-kind=t] .node.hot")).to_have_count(1)  # a pin outlasts a rerun
    expect(fresh_page.locator(".panel[data-kind=t] output")).to_have_text(percent)  # and so does zoom
    fresh_page.locator(".panel[data-kind=t] .stage").press("Escape")
    expect(fresh_page.locator(".node.hot")).to_have_count(0)
    fresh_page.locator(".panel[data-kind=t] .stage").press("0")

    fresh_page.locator(".panel[data-kind=t] .node.gold.folded").first.click()
    fresh_page.locator("[data-testid=stText]", has_text=re.compile(r"open \[\d+\]")).wait_for()
    fresh_page.wait_for_selector(".panel[data-kind=t] .node.gold:has(> .handle)")
    fresh_page.locator(".panel[data-kind=t] .cell[data-word='5']").first.click()
    fresh_page.locator("[data-testid=stText]", has_text="word 5").wait_for()
    expect(fresh_page.locator(".cell.chosen")).to_have_count(2)
    fresh_page.get_by_text("flash", exact=True).click()
    fresh_page.wait_for_selector(".panel[data-kind=t] .node.hot.flash")

    show(fresh_page, "hostile")
    texts = fresh_page.locator(".panel[data-kind=t] svg text").all_text_contents()
    assert {"-LRB-", "<script>", "<img>", "$", "$x$", "*"} <= set(texts)
    expect(fresh_page.locator(".stage script, .stage img")).to_have_count(0)
    panels = fresh_page.locator(".panel:is([data-kind=e], [data-kind=t])")
    until(fresh_page, lambda: [box.y for box in boxes(panels)], lambda tops: tops[0] == tops[1])
    fresh_page.set_viewport_size({"width": 700, "height": 900})
    until(fresh_page, lambda: [box.y for box in boxes(panels)], lambda tops: tops[0] < tops[1])
    settle(fresh_page)

    fresh_page.set_viewport_size({"width": 1400, "height": 1000})
    show(fresh_page, "long")
    letters = fresh_page.locator(".panel[data-kind=e] :is(.cell, .node) text")
    sizes = "(texts) => texts.map((text) => Number(text.getAttribute('font-size')) * text.getScreenCTM().a)"
    until(fresh_page, lambda: letters.evaluate_all(sizes), lambda seen: seen and min(seen) >= 7.95)
    stage = fresh_page.locator(".stage").first
    until(fresh_page, lambda: stage.evaluate("(stage) => stage.scrollWidth > stage.clientWidth"))
    fresh_page.get_by_role("button", name="show the whole drawing").first.click()
    until(fresh_page, lambda: letters.evaluate_all(sizes), lambda seen: min(seen) < 7.95)
    assert not errors


def test_the_help_is_about_fingers_where_nothing_hovers(new_page: Callable[..., Page], address: str) -> None:
    phone = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone.goto(address)
    phone.wait_for_selector(".panel[data-kind=t] svg")
    expect(phone.get_by_text("Ctrl + wheel")).to_be_hidden()
    expect(phone.get_by_text("tap: pin partner and path")).to_be_visible()
