"""The page Lessons in a real browser: by keyboard, on a whole screen, by vote, in a second window."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from evaltools.classroom.exercises import practice
from evaltools.classroom.lessons import bundled_lessons
from tests.browser.steps import expect_boxes, expect_in_link, open_page, settle

LESSONS = bundled_lessons()


@pytest.fixture
def calm(page: Page) -> Iterator[Page]:
    """Give a page that must not have failed anywhere in the end."""
    yield page
    expect(page.get_by_test_id("stException")).to_have_count(0)


def heading(page: Page, text: str) -> None:
    """Wait until a step is shown and its keys are there."""
    expect(page.locator(".st-key-lesson_title").get_by_role("heading", name=text)).to_be_visible()
    expect(page.get_by_role("button", name="All lessons")).to_be_visible()
    settle(page)


def open_question(page: Page, address: str, place: int) -> None:
    """Open a step of the lesson of votes, and wait until its keys are there."""
    open_page(page, address, "lessons", lesson="vote", slide=str(place))
    expect(page.get_by_text(re.compile("answers? so far"))).to_be_visible()
    settle(page)


def test_a_presenters_keys_and_the_browsers_full_screen(calm: Page, address: str):
    page, last = calm, len(LESSONS["vote"].steps)
    open_question(page, address, 2)
    for key, number in (
        ("PageDown", 3),
        ("Space", 4),
        ("Shift+Space", 3),
        ("ArrowRight", 4),
        ("PageUp", 3),
        ("End", last),
        ("Home", 1),
        ("ArrowLeft", 1),  # nothing stands before the first step
        ("Control+ArrowRight", 1),  # what is the browser's stays so
    ):
        page.keyboard.press(key)
        expect(page.get_by_text(f"{number} of {last}", exact=True)).to_be_visible()
        settle(page)
    for _ in range(4):  # faster than steps are drawn
        page.keyboard.press("PageDown")
    expect(page.get_by_text(f"5 of {last}", exact=True)).to_be_visible()
    settle(page)
    page.keyboard.press("v")
    expect_in_link(page, shown="1")
    settle(page)
    page.get_by_role("button", name="Full screen").click()
    expect(page.get_by_role("button", name="Leave full screen")).to_be_visible()
    page.wait_for_function("() => document.fullscreenElement !== null")
    expect_in_link(page, full="1", shown="1")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    settle(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_text(f"6 of {last}", exact=True)).to_be_visible()
    expect_in_link(page, shown=None)
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.evaluate("document.exitFullscreen()")  # as a browser does when Escape is pressed
    expect(page.get_by_role("button", name="Leave full screen")).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    settle(page)
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Leave full screen")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    settle(page)
    page.keyboard.press("f")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    settle(page)
    page.keyboard.press("l")
    expect(page.get_by_role("heading", name="Lessons", exact=True)).to_be_visible()
    expect_in_link(page, lesson=None)


def test_keys_vote_and_are_letters_where_a_number_is_typed(calm: Page, address: str):
    page, vote = calm, LESSONS["vote"]
    place = next(number for number, step in enumerate(vote.steps, 1) if step.title.startswith("Near the root"))
    open_question(page, address, place)
    expect(page.locator(".picture svg")).to_have_count(3)
    for key, choice in (("2", "B"), ("1", "A")):
        settle(page)
        page.keyboard.press(key)
        expect(page.get_by_text(f"You: {choice} is worse. 1 answer so far")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Show of hands").click()
    field = page.get_by_label("A is worse").last
    field.fill("")
    for key in ("1", "2", "ArrowRight", " ", "f", "l", "3"):  # V and the page keys work there
        page.keyboard.press(key)
    settle(page)
    expect(field).to_have_value("123")
    expect(page.get_by_text("You: A is worse. 1 answer so far")).to_be_visible()
    expect_in_link(page, slide=str(place), full=None, shown=None)
    page.wait_for_function("() => document.fullscreenElement === null")
    field.fill("7")
    page.get_by_role("button", name="Save these numbers").click()
    expect(page.get_by_text("You: A is worse. 8 answers so far")).to_be_visible()
    settle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    expect(page.get_by_role("row", name="A is worse 8 of 8")).to_be_visible()


def test_the_wrong_bracket_is_clicked_and_the_notes_follow_in_a_second_window(calm: Page, address: str):
    page, steps = calm, LESSONS["brackets"].steps
    number = next(n for n, step in enumerate(steps, 1) if step.task and step.task.kind == "click")
    open_page(page, address, "lessons", lesson="brackets", slide=str(number))
    page.get_by_text("NP: the dog food").click()
    expect(page.locator(".steps tr.chosen")).to_contain_text("NP: the dog food")
    settle(page)
    page.keyboard.press("v")
    expect(page.get_by_text("Your bracket is not matched.")).to_be_visible()
    lab = page.get_by_role("link", name="Open these trees in the Metric lab")
    expect(lab).to_have_attribute("href", re.compile(r"(^|/)lab\?lab_gold="))
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Notes").click()
    notes = opened.value
    expect(notes.get_by_text(steps[number - 1].notes)).to_be_visible()
    page.keyboard.press("ArrowRight")
    heading(page, steps[number].title)
    expect(notes.get_by_text(steps[number].notes)).to_be_visible()
    expect(page.get_by_text(steps[number].notes)).to_have_count(0)
    notes.close()


def test_buttons_of_the_lists_name_what_they_are_about_and_do_not_draw_it(calm: Page, address: str):
    open_page(calm, address, "lessons")
    for lesson in LESSONS.values():
        for verb in ("Open", "More"):
            expect(calm.get_by_role("button", name=f"{verb} {lesson.title}", exact=True)).to_have_count(1)
    names = calm.locator("button .stMarkdownColoredText")
    expect_boxes(names, lambda box: box.width <= 1 and box.height <= 1)
    calm.get_by_role("tab", name="Exercises").click()
    expect(calm.get_by_role("button", name=f"Open {practice().title}", exact=True)).to_be_visible()
