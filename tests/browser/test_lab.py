"""The metric lab in a real browser: nodes are dragged, chosen, relabeled, deleted; a link brings everything back."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from evaltools.classroom.shelf import PRACTICE
from tests.browser.steps import (
    Box,
    at_rest,
    boxes,
    expect_boxes,
    expect_in_link,
    expect_no_overflow,
    open_page,
    settle,
)

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
    return [box.middle for box in at_rest(page, *(node(page, number) for number in numbers))]


def drag(page: Page, source: int, target: int) -> None:
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


def open_lab(page: Page, address: str, **query: str) -> None:
    """Open the lab on a parse with a prepositional phrase attached too low."""
    open_page(page, address, "lab", lab_gold=GOLD, lab_test=TEST, **query)
    expect(node(page, PP)).to_be_visible()


def test_a_phrase_is_dragged_to_where_it_belongs_and_back_not_to_where_it_cannot_be_and_a_drag_is_given_up(
    page: Page, address: str
):
    open_lab(page, address)
    expect(score(page, "Bracketing F1")).to_contain_text("92.31")
    drag(page, 2, LOW)
    expect(page.locator(".editor .said")).to_contain_text("words between them would change their order")
    expect_in_link(page, lab_edits=None)
    for how in ("let go far from every node", "Escape"):
        (x, y), (root_x, root_y) = middles(page, PP, 18)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 20, y + 15, steps=4)
        expect(page.locator(".editor .stage.dragging")).to_be_visible()
        if how == "Escape":
            page.mouse.move(root_x, root_y, steps=4)
            page.keyboard.press("Escape")
            expect(page.locator(".editor .stage.dragging")).to_have_count(0)
        else:
            (stage,) = boxes(page.locator(".editor .stage"))
            page.mouse.move(stage.x + 4, stage.y + stage.height - 4, steps=6)
        page.mouse.up()
        settle(page)
        expect(page.locator(".editor .stage.dragging, .editor .ghost")).to_have_count(0)
        expect_in_link(page, lab_edits=None)
    drag(page, PP, HIGH)  # and the next one is none the worse for it
    expect_in_link(page, lab_edits=f"a{PP},{HIGH}")
    expect(page.locator(".editor .said")).to_contain_text("moved PP over “with hats” from NP")
    page.get_by_role("button", name="undo the last edit").click()
    settle(page)
    expect(score(page, "Bracketing F1")).to_contain_text("92.31")
    page.get_by_role("button", name="redo the edit").click()
    settle(page)
    expect(page.locator(".answer")).to_contain_text("equal")  # no NP over NP is left
    page.get_by_role("button", name="undo all edits").click()
    settle(page)
    expect(page.locator(".answer")).to_contain_text("1 node spurious")
    expect(page.locator(".answer")).to_contain_text("92.31")


def test_nodes_are_relabeled_inserted_attached_and_deleted_by_keys_and_trees_are_typed(page: Page, address: str):
    open_lab(page, address)
    node(page, LOW).focus()
    page.keyboard.press("Enter")
    label = page.get_by_role("textbox", name="label")
    expect(label).to_be_focused()
    page.get_by_role("combobox", name="attach to another parent").select_option(label="S over “I saw a … hats”")
    settle(page)
    expect_in_link(page, lab_edits=f"a{LOW},18")
    node(page, VERB).focus()
    page.keyboard.press("Control+z")
    settle(page)
    expect_in_link(page, lab_done="0")
    node(page, LOW).click()
    page.keyboard.press("Delete")
    expect_in_link(page, lab_edits=f"d{LOW}", lab_done=None)
    settle(page)
    expect(page.locator(".answer")).to_contain_text("equal")
    node(page, VERB).focus()
    page.keyboard.press("Control+z")
    expect_in_link(page, lab_done="0")
    settle(page)
    expect(page.locator(".answer")).to_contain_text("1 node spurious")
    node(page, VERB).focus()
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(".answer")).to_contain_text("equal")
    expect_in_link(page, lab_done=None)
    settle(page)
    page.get_by_role("button", name="undo all edits").click()
    settle(page)
    node(page, 2).click()
    expect(label).to_have_value("NP")
    label.fill("ADVP")
    page.get_by_role("button", name="give the node this label").click()
    settle(page)
    expect(node(page, 2)).to_contain_text("ADVP")
    node(page, 6).click()
    page.get_by_role("button", name="extend the selection to the right").click()
    expect(page.locator(".editor .name")).to_contain_text("2 neighbors: “")
    label.fill("NX")
    label.press("Enter")
    settle(page)
    expect_in_link(page, lab_edits="r2,ADVP i6,8,NX")

    # Trees are typed; mistakes are shown where they are.
    page.get_by_text("Trees as text").click()
    settle(page)
    box = page.get_by_role("textbox", name="Parse")
    box.fill("(S (NP (PRP I))\n(VP (VBD saw)))) ")
    box.press("Control+Enter")
    expect(page.get_by_text("')' without its opening bracket")).to_be_visible()
    box.fill(GOLD)
    box.press("Control+Enter")
    expect(page.locator(".answer")).to_contain_text("equal")
    expect_in_link(page, lab_test=GOLD)


def test_nothing_sticks_out_and_the_address_brings_everything_back(page: Page, address: str):
    open_lab(page, address, lab_edits="r2,ADVP", lab_show="e t", lab_text="1")
    page.get_by_role("button", name=re.compile("Leaf-ancestor: paths to the root")).click()
    expect_in_link(page, lab_show="e la t")
    page.locator(".strip [data-word='4']").click()
    expect_in_link(page, lab_word="4")
    for width in (420, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        settle(page)
        expect(node(page, PP)).to_be_visible()
        expect_no_overflow(page)
    shown = page.locator(".answer").inner_text()
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".answer")).to_have_text(shown)
    expect(page.locator(".strip .chosen")).to_have_text("with")
    expect(page.locator(".editor .said")).to_contain_text("relabeled NP over “I” as ADVP")


def touch_drag(page: Page, source: int, target: int) -> None:
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


def tap(page: Page, name: str | re.Pattern[str]) -> None:
    page.get_by_role("button", name=name).tap()
    settle(page)


def expect_buttons_for_a_finger(page: Page) -> None:
    """Expect the buttons of a chosen node within the window, and large enough for a finger."""
    width = (page.viewport_size or {})["width"]

    def fits(box: Box) -> bool:
        return box.x >= 0 and box.right <= width and box.height >= 24

    for name in ("give the node this label", "delete the node"):
        expect_boxes(page.get_by_role("button", name=name), fits)


def test_everything_is_done_by_touch_on_a_phone_and_a_tablet_and_an_exercise_hides_its_gold_tree(
    new_page: Callable[..., Page], address: str
):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    open_lab(page, address)
    touch_drag(page, PP, HIGH)
    expect_in_link(page, lab_edits=f"a{PP},{HIGH}")
    expect(page.locator(".editor .said")).to_contain_text("moved PP over “with hats” from NP")
    node(page, 2).tap()
    expect(page.locator(".editor .name")).to_have_text(re.compile("NP"))
    expect_buttons_for_a_finger(page)
    page.get_by_role("textbox", name="label").fill("ADVP")
    tap(page, "give the node this label")
    expect_in_link(page, lab_edits=f"a{PP},{HIGH} r2,ADVP")
    said = page.locator(".editor .said")  # with its answer, the editor has the new tree, in which nothing is chosen
    expect(said).to_contain_text("relabeled NP")
    node(page, LOW).tap()
    tap(page, "delete the node")
    expect_in_link(page, lab_edits=f"a{PP},{HIGH} r2,ADVP d{LOW}")
    expect(said).to_contain_text("deleted VP")
    node(page, 6).tap()
    page.get_by_role("button", name="extend the selection to the right").tap()
    page.get_by_role("textbox", name="label").fill("NX")
    tap(page, re.compile("insert a node"))
    done = f"a{PP},{HIGH} r2,ADVP d{LOW} i6,8,NX"
    expect_in_link(page, lab_edits=done, lab_done=None)
    expect_no_overflow(page)
    tap(page, "undo the last edit")
    expect_in_link(page, lab_edits=done, lab_done="3")
    tap(page, "redo the edit")
    expect_in_link(page, lab_edits=done, lab_done=None)
    tap(page, "undo all edits")
    expect_in_link(page, lab_done="0")
    expect(page.locator(".answer")).to_contain_text("1 node spurious")

    # A bracket that is left empty goes with its only daughter, and comes back; now on a tablet.
    page.set_viewport_size({"width": 1280, "height": 720})
    touch_drag(page, PP, 9)  # the outer NP keeps the inner one
    expect(page.locator(".editor .said")).not_to_contain_text("left empty")
    tap(page, "undo the last edit")
    noun_phrase, noun = 14, 13  # “hats”
    touch_drag(page, noun, PP)
    expect_in_link(page, lab_edits=f"a{noun},{PP}")
    expect(page.locator(".editor .said")).to_contain_text("NP, left empty, was removed")
    expect(node(page, 18)).to_have_count(0)
    tap(page, "undo the last edit")
    expect(node(page, noun_phrase)).to_contain_text("NP")
    expect(node(page, noun)).to_contain_text("NNS")
    expect(node(page, 18)).to_have_count(1)
    node(page, 2).tap()
    expect_buttons_for_a_finger(page)
    tap(page, "close without a change")

    # An exercise, again as small as a phone: where it is not right is said and drawn, and the gold tree is not.
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/lessons?exercise={PRACTICE}&solve=1")
    expect(page.get_by_role("button", name="Back to the class")).to_be_visible()
    settle(page)
    tap(page, "Check")
    expect_in_link(page, lab_check="1")
    expect(page.get_by_text("Not right yet").first).to_be_visible()
    expect(page.locator(".editor .node.test").first).to_be_visible()
    expect(page.locator(".node.gold")).to_have_count(0)
    expect_no_overflow(page)
