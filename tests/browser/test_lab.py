"""The metric lab in a real browser: nodes are dragged, chosen, relabelled, deleted; a link brings everything back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.steps import choose, expect_in_link, handle_events, open_page, overflow, settle
from tests.pages.tiny import HOSTILE_PARSER

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

GOLD = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS hats)))))"
TEST = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS hats))))))"
PP, LOW, HIGH, VERB = 15, 16, 17, 4


def node(page: Page, number: int) -> Locator:
    return page.locator(f".editor .node.test[data-node='{number}']")


def middles(page: Page, *numbers: int) -> list[tuple[float, float]]:
    """Return the middles of nodes, once nothing moves any more."""
    settle(page)
    for number in numbers:
        node(page, number).scroll_into_view_if_needed()
    before: list[tuple[float, float]] = []
    while True:
        boxes = [node(page, number).bounding_box() for number in numbers]
        places = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
        if places == before:
            return places
        before = places
        handle_events(page)


def drag(page: Page, source: int, target: int) -> None:
    """Drag a node of the lower tree onto another one."""
    (x, y), to = middles(page, source, target)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 9, steps=3)
    page.mouse.move(*to, steps=8)
    expect(page.locator(".editor .stage.dragging")).to_be_visible()
    page.mouse.up()
    settle(page)


def score(page: Page, title: str) -> Locator:
    return page.locator(".scores tr", has=page.get_by_role("rowheader", name=title, exact=True))


@pytest.fixture
def lab(page: Page, address: str) -> Page:
    open_page(page, address, "lab", lab_gold=GOLD, lab_test=TEST)
    expect(node(page, PP)).to_be_visible()
    return page


def test_a_phrase_is_dragged_to_where_it_belongs_and_back(lab: Page):
    expect(score(lab, "Bracketing F1")).to_contain_text("0.923")
    drag(lab, PP, HIGH)
    expect_in_link(lab, lab_edits=f"a{PP},{HIGH}")
    expect(lab.locator(".steps")).to_contain_text("moved PP over “with hats” from NP")
    lab.get_by_role("button", name="undo the last edit").click()
    settle(lab)
    expect(score(lab, "Bracketing F1")).to_contain_text("0.923")
    lab.get_by_role("button", name="redo the edit").click()
    settle(lab)
    expect(lab.locator(".answer")).to_contain_text("equal")  # no NP over NP is left
    lab.get_by_role("button", name="undo all edits").click()
    settle(lab)
    expect(lab.locator(".answer")).to_contain_text("1 node spurious")
    expect(lab.locator(".answer")).to_contain_text("0.923")


def test_a_move_that_cannot_be_is_refused_and_a_drag_is_given_up(lab: Page):
    drag(lab, 2, LOW)
    expect(lab.locator(".editor .said")).to_contain_text("words between them would change their order")
    expect_in_link(lab, lab_edits=None)
    for how in ("let go far from every node", "Escape"):
        (x, y), (root_x, root_y) = middles(lab, PP, 18)
        lab.mouse.move(x, y)
        lab.mouse.down()
        lab.mouse.move(x + 20, y + 15, steps=4)
        expect(lab.locator(".editor .stage.dragging")).to_be_visible()
        if how == "Escape":
            lab.mouse.move(root_x, root_y, steps=4)
            lab.keyboard.press("Escape")
            expect(lab.locator(".editor .stage.dragging")).to_have_count(0)
        else:
            stage = lab.locator(".editor .stage").bounding_box()
            assert stage is not None
            lab.mouse.move(stage["x"] + 4, stage["y"] + stage["height"] - 4, steps=6)
        lab.mouse.up()
        settle(lab)
        expect(lab.locator(".editor .stage.dragging, .editor .ghost")).to_have_count(0)
        expect_in_link(lab, lab_edits=None)
    drag(lab, PP, HIGH)  # and the next one is none the worse for it
    expect_in_link(lab, lab_edits=f"a{PP},{HIGH}")


def test_a_node_is_deleted_and_put_back_by_keys(lab: Page):
    node(lab, LOW).click()
    lab.keyboard.press("Delete")
    expect_in_link(lab, lab_edits=f"d{LOW}")
    settle(lab)
    expect(lab.locator(".answer")).to_contain_text("equal")
    node(lab, VERB).focus()
    lab.keyboard.press("Control+z")
    expect_in_link(lab, lab_done="0")
    settle(lab)
    expect(lab.locator(".answer")).to_contain_text("1 node spurious")
    node(lab, VERB).focus()
    lab.keyboard.press("Control+Shift+z")
    expect(lab.locator(".answer")).to_contain_text("equal")
    expect_in_link(lab, lab_done=None)


def test_relabelling_and_inserting_over_neighbours(lab: Page):
    node(lab, 2).click()
    box = lab.get_by_role("textbox", name="label")
    expect(box).to_have_value("NP")
    box.fill("ADVP")
    lab.get_by_role("button", name="give the node this label").click()
    settle(lab)
    expect(node(lab, 2)).to_contain_text("ADVP")
    node(lab, 6).click()
    lab.get_by_role("button", name="extend the selection to the right").click()
    expect(lab.locator(".editor .name")).to_contain_text("2 neighbors: “")
    box.fill("NX")
    box.press("Enter")
    settle(lab)
    expect_in_link(lab, lab_edits="r2,ADVP i6,8,NX")
    expect(lab.locator(".steps li")).to_have_count(2)


def test_the_keyboard_does_it_too(lab: Page):
    node(lab, LOW).focus()
    lab.keyboard.press("Enter")
    expect(lab.get_by_role("textbox", name="label")).to_be_focused()
    lab.get_by_role("combobox", name="attach to another parent").select_option(label="S over “I saw a … hats”")
    settle(lab)
    expect_in_link(lab, lab_edits=f"a{LOW},18")
    node(lab, VERB).focus()
    lab.keyboard.press("Control+z")
    settle(lab)
    expect_in_link(lab, lab_done="0")


def test_a_link_brings_everything_back(lab: Page, new_page: Callable[..., Page]):
    drag(lab, PP, HIGH)
    expect_in_link(lab, lab_edits=f"a{PP},{HIGH}")
    lab.get_by_role("button", name=re.compile("Leaf-ancestor: paths to the root")).click()
    expect_in_link(lab, lab_show="la")
    lab.locator(".strip [data-word='4']").click()
    expect_in_link(lab, lab_word="4")
    settle(lab)
    copy = new_page()
    shown = lab.locator(".answer").inner_text()
    copy.goto(lab.url)
    expect(copy.locator(".answer")).to_have_text(shown)
    expect(copy.locator(".strip .chosen")).to_have_text("with")
    expect(copy.locator(".steps li")).to_have_count(1)


def test_trees_are_typed_mistakes_shown_and_letters_never_lost(lab: Page):
    lab.get_by_text("Trees as text").click()
    settle(lab)
    box = lab.get_by_role("textbox", name="Test tree")
    box.fill("(S (NP (PRP I))\n(VP (VBD saw)))) ")
    expect(lab.get_by_text("line 2, column 16: ')' without its opening bracket")).to_be_visible()
    expect(lab.locator(".behind mark")).to_have_text(")")
    box.press("Backspace")
    box.press("Backspace")
    expect(lab.locator(".problems li")).to_have_count(0)
    box.fill(GOLD)
    expect(lab.locator(".answer")).to_contain_text("equal")
    expect_in_link(lab, lab_test=GOLD)
    settle(lab)
    box.fill("")
    box.press_sequentially("(S (N dogs) (V bark)) ", delay=45)  # while the page runs
    settle(lab)
    expect(box).to_have_value("(S (N dogs) (V bark)) ")
    expect(box).to_be_focused()


def test_going_to_another_page_and_back_keeps_the_trees(lab: Page):
    drag(lab, PP, HIGH)
    expect_in_link(lab, lab_edits=f"a{PP},{HIGH}")
    lab.get_by_role("link", name="Overview").click()
    settle(lab)
    expect(lab).not_to_have_url(re.compile("lab"))
    lab.get_by_role("link", name="Metric lab").click()
    settle(lab)
    expect_in_link(lab, lab_edits=f"a{PP},{HIGH}")
    choose(lab, "Start from", "The same spans, ancestry reversed")
    expect(score(lab, "Bracketing F1")).to_contain_text("1.000")


def test_nothing_sticks_out(page: Page, address: str):
    open_page(page, address, "lab", lab_gold=GOLD, lab_test=TEST, lab_show="e crossing la t tedeval edm", lab_text="1")
    for width in (1280, 420):
        page.set_viewport_size({"width": width, "height": 720})
        settle(page)
        expect(node(page, PP)).to_be_visible()
        assert overflow(page) <= 0


def touch_drag(page: Page, source: int, target: int) -> None:
    """Drag a node of the lower tree onto another one with a finger."""
    (x, y), (to_x, to_y) = middles(page, source, target)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        told = [{"x": at, "y": down} for at, down in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
    expect(page.locator(".editor .stage.dragging")).to_be_visible()
    touch("touchEnd")
    settle(page)


@pytest.fixture(params=[(390, 844), (1280, 720)], ids=["phone", "tablet"])
def touched(request: pytest.FixtureRequest, new_page: Callable[..., Page], address: str) -> Page:
    """Open the lab on a screen that is touched."""
    width, height = request.param
    page = new_page(viewport={"width": width, "height": height}, has_touch=True, color_scheme="dark")
    open_page(page, address, "lab", lab_gold=GOLD, lab_test=TEST)
    expect(node(page, PP)).to_be_visible()
    return page


def tap(page: Page, name: str | re.Pattern[str]) -> None:
    page.get_by_role("button", name=name).tap()
    settle(page)


def test_everything_is_done_by_touch(touched: Page):
    page = touched
    touch_drag(page, PP, HIGH)
    expect_in_link(page, lab_edits=f"a{PP},{HIGH}")
    expect(page.locator(".editor .said")).to_contain_text("moved PP over “with hats” from NP")
    node(page, 2).tap()
    expect(page.locator(".editor .name")).to_have_text(re.compile("NP"))
    for name in ("give the node this label", "delete the node"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"]
        assert box["height"] >= 24  # a finger's
    page.get_by_role("textbox", name="label").fill("ADVP")
    tap(page, "give the node this label")
    expect_in_link(page, lab_edits=f"a{PP},{HIGH} r2,ADVP")
    node(page, LOW).tap()
    tap(page, "delete the node")
    expect_in_link(page, lab_edits=f"a{PP},{HIGH} r2,ADVP d{LOW}")
    node(page, 6).tap()
    page.get_by_role("button", name="extend the selection to the right").tap()
    page.get_by_role("textbox", name="label").fill("NX")
    tap(page, re.compile("insert a node"))
    done = f"a{PP},{HIGH} r2,ADVP d{LOW} i6,8,NX"
    expect_in_link(page, lab_edits=done, lab_done=None)
    expect(page.locator(".steps li")).to_have_count(4)
    for left in (3, 2, 1):
        tap(page, "undo the last edit")
        expect_in_link(page, lab_edits=done, lab_done=str(left))
    tap(page, "redo the edit")
    expect_in_link(page, lab_edits=done, lab_done="2")
    expect(node(page, 2)).to_contain_text("ADVP")
    tap(page, "undo all edits")
    expect_in_link(page, lab_done="0")
    expect(page.locator(".answer")).to_contain_text("1 node spurious")
    assert overflow(page) <= 0


def test_a_bracket_left_empty_goes_with_its_only_daughter_and_comes_back(touched: Page):
    page = touched
    touch_drag(page, PP, 9)  # the outer NP keeps the inner one
    expect(page.locator(".editor .said")).not_to_contain_text("left empty")
    tap(page, "undo the last edit")
    noun_phrase, noun = 14, 13  # “hats”
    touch_drag(page, noun, PP)
    expect_in_link(page, lab_edits=f"a{noun},{PP}")
    expect(page.locator(".editor .said")).to_contain_text("NP, left empty, was removed")
    expect(page.locator(".steps li")).to_contain_text("NP, left empty, was removed – cost 1")
    expect(node(page, 18)).to_have_count(0)
    tap(page, "undo the last edit")
    expect(node(page, noun_phrase)).to_contain_text("NP")
    expect(node(page, noun)).to_contain_text("NNS")
    expect(node(page, 18)).to_have_count(1)


def test_the_link_is_copied_by_key_or_shown_where_that_is_refused(new_page: Callable[..., Page], address: str):
    page = new_page(viewport={"width": 1280, "height": 720}, permissions=["clipboard-read", "clipboard-write"])
    open_page(page, address, "lab", lab_gold=GOLD, lab_test=TEST, lab_edits=f"d{LOW}")
    button = page.get_by_role("button", name="Copy link")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Link copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    page.goto(link)
    expect(page.locator(".answer")).to_contain_text("equal")
    open_page(page, address, "lessons", lesson="brackets", slide="2")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # plain http, another host
    button.click()
    field = page.get_by_role("textbox", name="Link of this page")
    expect(field).to_have_value(page.url)
    expect(field).to_be_focused()
    assert page.evaluate("getSelection().toString()") == page.url or field.evaluate("one => one.selectionEnd") > 0
    expect(page.get_by_text("does not allow")).to_be_visible()


def test_a_sentence_is_opened_in_the_lab(page: Page, address: str):
    open_page(page, address, "sentence", sentence="7", parser=HOSTILE_PARSER)
    page.get_by_text("Trees as text").click()
    page.get_by_role("link", name="Open in the metric lab").click()
    expect(page).to_have_url(re.compile("/lab.*lab_test="))
    expect(page.locator(".answer")).to_contain_text("6 words")
    expect(page.locator(".editor .node.test").first).to_be_visible()


def test_an_exercise_is_solved_by_touch(new_page: Callable[..., Page], address: str):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    open_page(page, address, "lab", exercise="pp-knife")
    expect(node(page, 17)).to_contain_text("PP")
    touch_drag(page, 17, 19)
    expect_in_link(page, lab_edits="a17,19")
    expect(page.locator(".said")).to_contain_text("NP over NP alone was made one NP")
    tap(page, "undo the last edit")
    node(page, 9).tap()
    tap(page, "delete the node")
    tap(page, "Check")
    expect(page.get_by_text("Not right yet.")).to_be_visible()
    expect(page.locator(".editor .node.test.inserted")).to_have_count(1)
    assert page.locator(".node.gold").count() == 0
    tap(page, "undo the last edit")
    touch_drag(page, 17, 19)
    expect_in_link(page, lab_edits="a17,19", lab_check=None)
    tap(page, "Check")
    expect(page.get_by_text("Right: your tree is the gold tree.")).to_be_visible()
    assert overflow(page) <= 0
