"""The panel of the marked sentence by itself, in a page without a server: what it leaves out where room is short."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from evaltools import Tree, align
from evaltools.drawing import draw
from evaltools.frameworks.constituency.marked import marked_sentence
from tests.browser.steps import Box, boxes, expect_boxes, until

N_VERDICTS = 20
LEGEND = [
    [status, f"what {status} marks mean in a few words"] for status in ("missing", "spurious", "moved", "follows")
]


def panel_data(**changes: Any) -> dict[str, Any]:
    """Return what the panel is given: many errors, of which all but three are small."""
    verdicts = [
        {
            "number": number,
            "status": "moved",
            "phrase": f"PP “with number {number}”",
            "text": "is in VP, belongs in NP",
            "short": f"PP with number {number}",
            "share": N_VERDICTS + 1 - number,
            "badge": "",
            "together": [],
        }
        for number in range(1, N_VERDICTS + 1)
    ]
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" class="evaltools" width="300" height="40"></svg>'
    return {
        **{"id": "one", "subject": "a", "heading": "Marked sentence", "verdicts": verdicts, "unit": "brackets"},
        **{"total": 210, "drawings": [[300, drawing]], "alone": [], "legend": LEGEND, "focus": 0, "keys": []},
        **{"help": "", "compact": False, "empty": "", "remark": "1 wrong tag: “a” X, should be Y", "lead": ""},
        **changes,
    }


@pytest.fixture
def mounted(page: Page) -> Callable[..., Page]:
    """Give a function that shows the panel in a window of a size."""
    own = resources.files("evaltools.app.components") / "marked_sentence"
    scripts = (resources.files("evaltools.drawing") / "dom.js", own / "marked_sentence.js")
    script = "\n".join(file.read_text("utf-8") for file in scripts).replace("export default function", "function mount")
    style = (own / "marked_sentence.css").read_text("utf-8")

    def mount(width: int, height: int, **changes: Any) -> Page:
        page.goto("about:blank")
        page.set_viewport_size({"width": width, "height": height})
        page.set_content(f"<style>{style}</style><main></main>")
        page.add_script_tag(content=script)
        page.evaluate(
            "(data) => mount({ parentElement: document.querySelector('main'), data, setStateValue: () => {}, "
            "setTriggerValue: (name, value) => (window.asked ||= []).push([name, value]) })",
            json.loads(json.dumps(panel_data(**changes))),
        )
        return page

    return mount


def expect_rows(pills: Locator, n_rows: int) -> None:
    """Wait until elements stand in so many rows."""

    def rows(seen: list[Box]) -> int:
        return 1 + sum(box.x <= before.x for before, box in pairwise(seen))

    until(pills.page, lambda: boxes(pills), lambda seen: rows(seen) == n_rows)


def expect_cut(text: Locator, *, is_cut: bool) -> None:
    """Wait until a text is wider than its room, or is not."""
    is_wider = "(text) => text.scrollWidth > text.clientWidth"
    until(text.page, lambda: text.evaluate(is_wider), lambda seen: seen == is_cut)


def test_small_errors_take_one_row_in_low_windows_and_two_in_others(mounted: Callable[..., Page]):
    for height, n_rows in ((720, 1), (900, 2)):
        page = mounted(1000, height)
        pills = page.locator(".pills li")
        expect_rows(pills, n_rows)
        shown = pills.count() - 1
        more = page.get_by_role("button", name="more")
        expect(more).to_have_text(f"+ {N_VERDICTS - 3 - shown} more")
        (remark,), (first, *_) = boxes(page.locator(".also")), boxes(pills)
        assert remark.y < first.y + first.height
        more.click()
        expect(pills).to_have_count(N_VERDICTS - 3)
        expect(more).to_have_count(0)


def test_a_small_error_that_is_pinned_is_never_left_out(mounted: Callable[..., Page]):
    page = mounted(700, 720, focus=N_VERDICTS)
    expect(page.locator(f".pills [data-repair='{N_VERDICTS}'][aria-pressed=true]")).to_have_count(1)


def test_errors_that_fit_have_no_button(mounted: Callable[..., Page]):
    page = mounted(1000, 720, verdicts=panel_data()["verdicts"][:5])
    expect(page.locator(".pills li")).to_have_count(2)
    expect(page.get_by_role("button", name="more")).to_have_count(0)


def test_the_legend_has_one_row_in_low_windows_until_it_is_asked_for_and_is_whole_in_others(
    mounted: Callable[..., Page],
):
    page = mounted(500, 720)
    legend, button = page.locator(".legend"), page.get_by_role("button", name="all marks")
    (low,) = boxes(legend)
    button.click()
    expect_boxes(legend, lambda box: box.height > 1.8 * low.height)
    expect(button).to_be_hidden()
    mounted(500, 900)
    expect(legend).to_be_visible()
    expect(button).to_be_hidden()


def test_wrong_tags_are_cut_in_low_windows_and_whole_where_there_is_room(mounted: Callable[..., Page]):
    remark = "4 wrong tags: " + "; ".join(f"“word{number}” NN, should be NNS" for number in range(4))
    for height, is_cut in ((720, True), (900, False)):
        page = mounted(1000, height, remark=remark)
        expect_cut(page.locator(".also"), is_cut=is_cut)
        expect(page.locator(".also")).to_have_attribute("title", remark)


def test_a_panel_below_a_list_says_how_many_errors_it_does_not_tell(mounted: Callable[..., Page]):
    for remark, text in (("", "and 17 more"), ("1 wrong tag", "and 17 more; 1 wrong tag")):
        page = mounted(1000, 900, compact=True, remark=remark)
        expect(page.locator(".verdicts li")).to_have_count(3)
        expect(page.locator(".also")).to_have_text(text)
    three = panel_data()["verdicts"][:3]
    expect(mounted(1000, 900, compact=True, remark="", verdicts=three).locator(".also")).to_be_hidden()


def test_a_narrow_window_shows_the_repair_that_is_chosen_alone_and_the_whole_when_asked(mounted: Callable[..., Page]):
    def picture(name: str) -> str:
        return f'<svg xmlns="http://www.w3.org/2000/svg" class="evaltools" width="300" height="40" id="{name}"></svg>'

    pictures = {
        "drawings": [[300, picture("whole")]],
        "alone": [[number, picture(f"only{number}")] for number in (1, 2)],
    }
    page = mounted(390, 844, **pictures)
    expect(page.locator(".stage #only1")).to_be_visible()
    page.locator("[data-repair='2']").click()
    expect(page.locator(".stage #only2")).to_be_visible()
    page.get_by_role("button", name="show the whole sentence").click()
    expect(page.locator(".stage #whole")).to_be_visible()
    expect(page.locator("button.all")).to_be_hidden()
    page = mounted(1000, 844, **pictures)
    expect(page.locator(".stage #whole")).to_be_visible()
    expect(page.locator("button.all")).to_be_hidden()


def test_pointing_at_a_bracket_with_gaps_underlines_its_words_alone(mounted: Callable[..., Page]):
    texts = "(S (VP (V 0=is) (A 2=very) (A 3=rich)) (N 1=John))", "(S (V 0=is) (N 1=John) (A 2=very) (A 3=rich))"
    sentence = marked_sentence(align(*(Tree.from_string(text, "discbracket") for text in texts)))
    page = mounted(1000, 900, drawings=[[600, draw(sentence, "svg", width=600)]])
    bracket = page.locator(".stage .bracket")
    says = "VP, is … very rich, only in gold, repair 1"
    expect(bracket).to_have_attribute("aria-label", says)
    bracket.locator(".hit").hover()
    for word, is_covered in enumerate((True, False, True, True)):
        expect(page.locator(f".stage .cell.covered[data-word='{word}']")).to_have_count(int(is_covered))
    bracket.focus()
    expect(page.locator("div.tip")).to_have_text(says)
