"""The page Lessons in a real browser: by keyboard, on a whole screen, by vote, in a second window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from evaltools.classroom.lessons import bundled_lessons
from tests.browser.steps import download, expect_in_link, expect_no_overflow, open_page, settle

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

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
    expect(page.get_by_text(re.compile("votes? so far"))).to_be_visible()
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


def test_a_class_votes_where_keys_are_letters_the_metrics_judge_and_their_agreement_is_plotted(
    calm: Page, address: str
):
    page, vote = calm, LESSONS["vote"]
    place = next(number for number, step in enumerate(vote.steps, 1) if step.title.startswith("Near the root"))
    open_question(page, address, place)
    expect(page.locator(".picture svg")).to_have_count(3)
    for key, choice in (("2", "B"), ("1", "A")):
        settle(page)
        page.keyboard.press(key)
        expect(page.get_by_text(f"You: {choice} is worse. 1 vote so far")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Show of hands").click()
    field = page.get_by_label("A is worse").last
    field.fill("")
    for key in ("1", "2", "ArrowRight", " ", "f", "l", "3"):  # V and the page keys work there
        page.keyboard.press(key)
    settle(page)
    expect(field).to_have_value("123")
    expect(page.get_by_text("You: A is worse. 1 vote so far")).to_be_visible()
    expect_in_link(page, slide=str(place), full=None, shown=None)
    page.wait_for_function("() => document.fullscreenElement === null")
    field.fill("7")
    page.get_by_role("button", name="Save these numbers").click()
    expect(page.get_by_text("You: A is worse. 8 votes so far")).to_be_visible()
    settle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    expect(page.get_by_role("row", name="A is worse 8 of 8")).to_be_visible()
    settle(page)
    page.keyboard.press("v")
    expect(page.get_by_text("Most say: A is worse.")).to_be_visible()
    expect(page.locator(".rows tr.marked th")).to_have_text(["Leaf-ancestor, exact", "Leaf-ancestor, graded"])
    settle(page)

    # Where the agreement is shown, all votes can be forgotten.
    agreed = next(number for number, step in enumerate(vote.steps, 1) if step.agreement)
    for _ in range(agreed - place):
        page.keyboard.press("PageDown")
    expect_in_link(page, slide=str(agreed))
    chart = page.get_by_test_id("stVegaLiteChart")
    expect(chart.locator("svg, canvas").first).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Forget all votes").click()
    expect(chart).to_be_visible()
    page.get_by_role("button", name="Yes, forget them").click()
    expect(page.get_by_text("No question has an answer yet.")).to_be_visible()
    expect(chart).to_have_count(0)

    # On a phone, an app that phones cannot reach says what to do.
    page.set_viewport_size({"width": 390, "height": 844})
    settle(page)
    page.get_by_role("button", name="Phones").click()
    body = page.get_by_test_id("stPopoverBody")
    expect(body.get_by_text("This app was started without phones.")).to_be_visible()
    expect(body.locator("code")).to_have_text("make class")
    expect_no_overflow(page)


def test_lessons_are_brought_along_and_removed_and_a_broken_one_is_refused(calm: Page, address: str, tmp_path: Path):
    page, good, bad = calm, tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(
        'title = "<b>Mine</b>"\nabout = "Own trees."\n[[step]]\ntitle = "Only"\n[step.trees]\n'
        'gold = "(S (A <i>a</i>))"\ntest = "(S (B <i>a</i>))"\n',
        encoding="utf-8",
    )
    bad.write_text('title = "x"\nabout = "y"\n[[step]]\ntitel = "z"\n[[step]]\ntitle = 3\n', encoding="utf-8")
    open_page(page, address, "lessons")
    page.locator("input[type=file]").set_input_files(bad)
    expect(page.get_by_text("This is not a valid lesson: 2 problems to correct.")).to_be_visible()
    rows = page.locator(".rows tbody tr")
    expect(rows.locator("th")).to_have_text(["4", "6"])
    expect(rows.nth(0)).to_contain_text("unknown key 'titel' in step 1")
    expect(rows.nth(1)).to_contain_text("a text")
    expect_no_overflow(page)
    page.locator("input[type=file]").set_input_files(good)
    expect(page.get_by_text("No problems; 1 step.")).to_be_visible()
    expect(page.get_by_role("heading", name="<b>Mine</b>")).to_be_visible()
    page.get_by_role("button", name="Open the lesson").click()
    heading(page, "Only")
    expect(page.locator(".picture svg").first).to_contain_text("<i>a</i>")
    expect(page).to_have_url(re.compile("[?&]lesson=own-[0-9a-f]{12}(&|$)"))
    page.keyboard.press("l")
    expect(page.get_by_role("heading", name="<b>Mine</b>")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="More").last.click()
    assert download(page.get_by_role("button", name="File (TOML)")).path().read_bytes() == good.read_bytes()
    page.get_by_role("button", name="Remove the lesson").click()
    expect(page.get_by_text("None yet.")).to_be_visible()
    expect(page.get_by_role("heading", name="<b>Mine</b>")).to_have_count(0)


def test_the_wrong_bracket_is_clicked_and_the_notes_follow_in_a_second_window(calm: Page, address: str):
    page, steps = calm, LESSONS["brackets"].steps
    number = next(n for n, step in enumerate(steps, 1) if step.task and step.task.kind == "click")
    open_page(page, address, "lessons", lesson="brackets", slide=str(number))
    page.get_by_text("NP: the dog food").click()
    expect(page.locator(".steps li.chosen")).to_contain_text("NP: the dog food")
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
