"""The page Lessons in a real browser: by keyboard, on a whole screen, by vote, on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, expect

from evaltools.classroom.lessons import bundled_lessons
from tests.browser.steps import expect_in_link, in_link, open_page, overflow, settle

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

LESSONS = bundled_lessons()


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the address of an app with a home of its own: nobody else votes there."""
    return str(app_server(str(tiny_folder / "tiny.run"), home=tmp_path_factory.mktemp("home")).url)


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


def press(page: Page, key: str, seen: Locator) -> None:
    """Press a key, once more if nothing has come of it: keys work a moment after their buttons are drawn."""
    for _ in range(3):
        page.keyboard.press(key)
        with suppress(AssertionError):
            expect(seen).to_be_visible(timeout=6_000)
            return
    expect(seen).to_be_visible()


def open_question(page: Page, address: str, place: int) -> None:
    """Open a step of the lesson of votes, and wait until its keys are there."""
    open_page(page, address, "lessons", lesson="vote", slide=str(place))
    expect(page.get_by_text(re.compile("votes? so far"))).to_be_visible()
    settle(page)


def test_a_lesson_is_walked_by_keyboard_on_a_whole_screen(calm: Page, address: str):
    page, steps = calm, LESSONS["attachment"].steps
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, address, "lessons", lesson="attachment")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    heading(page, steps[0].title)
    press(page, "f", page.get_by_role("button", name="Leave full screen"))
    expect_in_link(page, full="1")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    for number, step in enumerate(steps, start=1):
        heading(page, step.title)
        expect(page.get_by_text(f"{number} of {len(steps)}", exact=True)).to_be_visible()
        expect(page.get_by_test_id("stSidebar")).to_be_hidden()
        if step.material is not None:
            expect(page.locator(".picture svg, .rows").first).to_be_visible()
        if step.answer:
            page.keyboard.press("v")
            expect(page.locator(".st-key-lesson_answer")).to_be_visible()
            settle(page)
        assert overflow(page) == 0
        page.keyboard.press("ArrowRight")
        if number < len(steps):
            expect_in_link(page, slide=str(number + 1))
            expect(page).not_to_have_url(re.compile("[?&]shown="))
    page.keyboard.press("ArrowLeft")
    heading(page, steps[-2].title)
    page.keyboard.press("f")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    page.keyboard.press("l")
    expect(page.get_by_role("heading", name="Lessons", exact=True)).to_be_visible()
    assert in_link(page, "lesson") == ""


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
    page.get_by_role("button", name="Full screen").click()
    expect(page.get_by_role("button", name="Leave full screen")).to_be_visible()
    page.wait_for_function("document.fullscreenElement !== null")
    settle(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_text(f"6 of {last}", exact=True)).to_be_visible()
    assert page.evaluate("document.fullscreenElement !== null")
    page.evaluate("document.exitFullscreen()")  # as a browser does when Escape is pressed
    expect(page.get_by_role("button", name="Leave full screen")).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def test_keys_are_letters_where_somebody_types(calm: Page, address: str):
    page = calm
    open_question(page, address, 4)
    page.get_by_role("button", name="Show of hands").click()
    field = page.get_by_label("A is worse").last
    field.fill("")
    for key in ("1", "2", "ArrowRight", " ", "f", "l", "3"):  # V and the page keys work there
        page.keyboard.press(key)
    settle(page)
    expect(field).to_have_value("123")
    expect(page.get_by_text("0 votes so far")).to_be_visible()
    assert (in_link(page, "slide"), in_link(page, "full"), in_link(page, "shown")) == ("4", "", "")
    assert not page.evaluate("document.fullscreenElement !== null")


def test_a_link_opens_the_same_step_in_another_browser(calm: Page, address: str):
    step = LESSONS["attachment"].steps[4]
    open_page(calm, address, "lessons", lesson="attachment", slide="5", shown="1", full="1")
    heading(calm, step.title)
    expect(calm.locator(".st-key-lesson_answer")).to_contain_text(step.answer.strip()[:30])
    expect(calm.get_by_test_id("stSidebar")).to_be_hidden()
    expect(calm.locator(".formulas .value")).to_have_text(["0.250", "0.750"])


def test_a_class_votes_and_the_metrics_judge(calm: Page, address: str):
    page, vote = calm, LESSONS["vote"]
    place = next(number for number, step in enumerate(vote.steps, 1) if step.title.startswith("Near the root"))
    open_question(page, address, place)
    expect(page.locator(".picture svg")).to_have_count(3)
    press(page, "2", page.get_by_text("You: B is worse. 1 vote so far"))
    press(page, "1", page.get_by_text("You: A is worse. 1 vote so far"))
    settle(page)
    other = page.context.browser.new_context().new_page()  # type: ignore[union-attr]
    open_question(other, address, place)
    press(other, "3", other.get_by_text("You: equally bad. 2 votes so far"))
    other.context.close()
    expect(page.get_by_text("You: A is worse. 2 votes so far")).to_be_visible()  # without having done anything
    page.get_by_role("button", name="Show of hands").click()
    page.get_by_label("A is worse").last.fill("7")
    page.get_by_role("button", name="Save these numbers").click()
    expect(page.get_by_text("You: A is worse. 9 votes so far")).to_be_visible()
    settle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    expect(page.get_by_role("row", name="A is worse 8 of 9")).to_be_visible()
    settle(page)
    page.keyboard.press("v")
    expect(page.get_by_text("Most say: A is worse.")).to_be_visible()
    expect(page.locator(".rows tr.marked th")).to_have_text(["Leaf-ancestor, exact", "Leaf-ancestor, graded"])


def test_the_agreement_is_plotted_saved_and_forgotten_on_demand(calm: Page, address: str):
    page = calm
    agreed = next(number for number, step in enumerate(LESSONS["vote"].steps, 1) if step.agreement)
    open_question(page, address, 2)
    press(page, "1", page.get_by_text("You: A is worse"))
    settle(page)
    open_page(page, address, "lessons", lesson="vote", slide=str(agreed))
    chart = page.get_by_test_id("stVegaLiteChart")
    expect(chart.locator("svg, canvas").first).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Votes (CSV)").click()
    rows = saved.value.path().read_text("utf-8").splitlines()
    assert rows[0].startswith("step,question,votes_a,votes_b,votes_equal,class,e_dice_roof,")
    assert rows[1].startswith("2,")
    assert len(rows) == 1 + len(LESSONS["vote"].votes)
    page.get_by_role("button", name="Forget all votes").click()
    expect(chart).to_be_visible()
    page.get_by_role("button", name="Yes, forget them").click()
    expect(page.get_by_text("No question has an answer yet.")).to_be_visible()
    expect(chart).to_have_count(0)


def test_the_trees_of_a_step_open_in_the_lab(calm: Page, address: str):
    page = calm
    open_page(page, address, "lessons", lesson="attachment", slide="4")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open these trees in the Metric lab").click()
    lab = opened.value
    expect(lab.get_by_role("heading", name="Metric lab")).to_be_visible()
    expect(lab).to_have_url(re.compile("/lab[?].*lab_gold="))
    expect(lab.get_by_test_id("stException")).to_have_count(0)
    lab.close()


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
    page.locator("input[type=file]").set_input_files(good)
    expect(page.get_by_text("No problems; 1 step.")).to_be_visible()
    expect(page.get_by_role("heading", name="<b>Mine</b>")).to_be_visible()
    page.get_by_role("button", name="Open the lesson").click()
    heading(page, "Only")
    expect(page.locator(".picture svg").first).to_contain_text("<i>a</i>")
    assert re.fullmatch("own-[0-9a-f]{12}", in_link(page, "lesson"))
    page.keyboard.press("l")
    expect(page.get_by_role("heading", name="<b>Mine</b>")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="More").last.click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="File (TOML)").click()
    assert saved.value.path().read_bytes() == good.read_bytes()
    page.get_by_role("button", name="Remove the lesson").click()
    expect(page.get_by_text("None yet.")).to_be_visible()
    expect(page.get_by_role("heading", name="<b>Mine</b>")).to_have_count(0)
    page.get_by_text("How to write a lesson").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Template (TOML)").click()
    pattern = tmp_path / "lesson.toml"
    pattern.write_bytes(saved.value.path().read_bytes())
    page.locator("input[type=file]").set_input_files(pattern)
    page.get_by_role("button", name="Open the lesson").click()
    heading(page, "What you will be able to do")
    assert overflow(page) == 0


def test_the_notes_follow_in_a_second_window(calm: Page, address: str):
    page, steps = calm, LESSONS["brackets"].steps
    open_page(page, address, "lessons", lesson="brackets", slide="2")
    heading(page, steps[1].title)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Notes").click()
    notes = opened.value
    expect(notes.get_by_text(steps[1].notes)).to_be_visible()
    page.keyboard.press("ArrowRight")
    heading(page, steps[2].title)
    expect(notes.get_by_text(steps[2].notes)).to_be_visible()
    expect(page.get_by_text(steps[2].notes)).to_have_count(0)
    notes.close()


def test_the_wrong_bracket_is_clicked(calm: Page, address: str):
    page = calm
    number = next(n for n, step in enumerate(LESSONS["brackets"].steps, 1) if step.task and step.task.kind == "click")
    open_page(page, address, "lessons", lesson="brackets", slide=str(number))
    page.get_by_text("NP: the dog food").click()
    expect(page.locator(".steps li.chosen")).to_contain_text("NP: the dog food")
    settle(page)
    page.keyboard.press("v")
    expect(page.get_by_text("Your bracket is not matched.")).to_be_visible()


@pytest.mark.parametrize(("lesson", "step"), [("attachment", 4), ("lineages", 5), ("meaning", 3)])
def test_formulas_keep_their_column_beside_the_picture(
    new_page: Callable[..., Page], address: str, lesson: str, step: int
):
    page = new_page(viewport={"width": 1280, "height": 720})
    open_page(page, address, "lessons", lesson=lesson, slide=str(step), shown="1")
    formulas = page.locator("table.formulas").first
    expect(formulas).to_be_visible()
    assert formulas.evaluate("(table) => table.scrollWidth - table.parentElement.clientWidth") <= 0
    assert formulas.locator("td.value").first.evaluate(
        "(value) => value.getBoundingClientRect().right - value.closest('table').parentElement"
        ".getBoundingClientRect().right"
    ) == pytest.approx(0, abs=1)


def test_lists_in_answers_have_the_size_of_the_text(new_page: Callable[..., Page], address: str):
    page = new_page(viewport={"width": 1280, "height": 720})
    open_page(page, address, "lessons", lesson="brackets", slide="12", shown="1")
    sizes = {
        element.evaluate("(item) => getComputedStyle(item).fontSize")
        for element in page.locator(".st-key-lesson_answer :is(p, li)").all()
    }
    assert len(sizes) == 1
    assert float(sizes.pop().removesuffix("px")) >= 18
