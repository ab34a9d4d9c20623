"""Every step of every lesson that comes with the program, projected; one of each kind as small as a phone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from evaltools.classroom.lessons import Step, Vote, bundled_lessons, filled, numbers_of
from evaltools.classroom.worse_parse import judges
from tests.browser.steps import expect_in_link, open_page, overflow, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

LESSONS = bundled_lessons()
PROJECTED = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
LARGE = {"width": 1920, "height": 1080}

ENLARGED = {("brackets", 8), ("attachment", 5), ("vote", 4), ("theories", 2)}
"""Slides that are also shown by a larger projector, where everything must be larger."""

BESIDE_THE_SIDEBAR = {("brackets", 12), ("attachment", 4), ("lineages", 5), ("meaning", 3)}
"""Steps with a list in the answer, and with formulas of each kind, that are also shown on the usual page."""

FONT = 12
"""Size of a drawing's letters in its own pixels, at the least."""

TEXT, LABEL, TAG = 22, 18, 16
"""Sizes of letters on a slide of 1280 by 720 pixels, at the least."""

LETTERS = """(all) => all.flatMap((svg) => {
  const scale = svg.getScreenCTM().a;
  return [...svg.querySelectorAll("text")].map((text) => [
    text.closest(".phrase") !== null && text.classList.contains("label"),
    parseFloat(getComputedStyle(text).fontSize) * scale]);
})"""
"""Whether a text of a drawing is the label of a phrase, and its size on the screen."""


def beginning(markdown: str) -> str:
    """Return the first words of a text as they stand on the page."""
    return " ".join(re.sub(r"[*_`]", "", markdown).split()[:10])


def expect_step(page: Page, step: Step) -> None:
    """Wait until a step is there; what it says, asks and draws must be seen."""
    numbers = numbers_of(step.material)
    expect(page.locator(".st-key-lesson_title h2")).to_have_text(filled(step.title, numbers))
    settle(page)
    is_vote = isinstance(step.material, Vote)
    revealed = "shown=1" in page.url
    for kind, text in (("text", step.text), ("ask", step.question)):
        hidden = kind == "text" and revealed and (step.task is not None or step.agreement)
        if text and not hidden and not text.lstrip().startswith(("|", "*")):
            expect(page.locator(f".st-key-lesson_{kind}")).to_contain_text(beginning(filled(text, numbers)))
    if step.material is not None and not (step.task is not None and step.task.kind == "hide"):
        expect(page.locator(".picture svg, .strip, .rows").first).to_be_visible()
    if is_vote and "shown=2" not in page.url:
        expect(page.locator(".picture svg")).to_have_count(3)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def expect_room(page: Page) -> None:
    """Nothing may be wider than the window, and no drawing so small that nobody can read it."""
    assert overflow(page) == 0, page.url
    sizes = page.locator(".picture svg").evaluate_all(
        f"(all) => all.map((one) => {FONT} * one.getBoundingClientRect().width / one.getAttribute('width'))"
    )
    assert all(size >= 7.5 for size in sizes), (page.url, sizes)
    for text in page.locator(".st-key-lesson_text p, .blocks.large").all()[:1]:
        assert float(text.evaluate("(one) => getComputedStyle(one).fontSize").removesuffix("px")) >= 14


def expect_slide(page: Page, scale: float = 1.0) -> None:
    """Letters must be large enough for the last row, and nothing may be cropped or below the window's end."""
    letters = page.locator(".picture svg").evaluate_all(LETTERS)
    assert all(size >= (LABEL if is_label else TAG) * scale - 0.1 for is_label, size in letters), (page.url, letters)
    fonts = page.locator(
        ".st-key-lesson_text p, .st-key-lesson_text li, .st-key-lesson_ask p, .st-key-lesson_answer p"
    ).evaluate_all("(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))")
    assert all(size >= TEXT * scale - 0.1 for size in fonts), (page.url, fonts)
    assert overflow(page) == 0, page.url
    assert too_high(page) <= 0, page.url
    frames = page.locator(".picture").evaluate_all("(all) => all.map((one) => one.scrollWidth - one.clientWidth)")
    assert all(over <= 1 for over in frames), (page.url, frames)
    lines = page.locator(".formulas .symbols, .formulas .numbers").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).fontSize))"
    )
    assert all(height < 3 for height in lines), (
        page.url,
        lines,
    )  # two at most: the denominator is below


def too_high(page: Page) -> int:
    """Return by how many pixels a step is higher than the window."""
    return int(page.get_by_test_id("stMain").evaluate("(main) => main.scrollHeight - main.clientHeight"))


def expect_larger_slide(page: Page) -> None:
    """Check the slide on a larger projector."""
    page.set_viewport_size(LARGE)
    settle(page)
    expect_slide(page, 1.5)
    page.set_viewport_size(PROJECTED)
    settle(page)


def expect_small(page: Page) -> None:
    """Check the step as small as a phone, in the dark theme."""
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    settle(page)
    expect_room(page)
    page.locator(".st-key-lesson_bar").get_by_role("button", name="Next").click(trial=True)  # nothing covers it
    page.set_viewport_size(PROJECTED)
    page.emulate_media(color_scheme="light")
    settle(page)


def expect_columns(page: Page, step: Step) -> None:
    """Check the usual page: formulas stay in their column, and lists in answers are as large as their text."""
    page.keyboard.press("f")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    settle(page)
    if step.material is not None:
        formulas = page.locator("table.formulas").first
        expect(formulas).to_be_visible()
        assert formulas.evaluate("(table) => table.scrollWidth - table.parentElement.clientWidth") <= 0
        assert formulas.locator("td.value").first.evaluate(
            "(value) => value.getBoundingClientRect().right - value.closest('table').parentElement"
            ".getBoundingClientRect().right"
        ) == pytest.approx(0, abs=1)
    sizes = page.locator(".st-key-lesson_answer :is(p, li)").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert len(set(sizes)) == 1
    assert sizes[0] >= 18
    page.keyboard.press("f")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    settle(page)


def kind_of(step: Step) -> tuple[object, ...]:
    """Return what a step has in common with others that are laid out as it is."""
    return type(step.material), getattr(step.material, "show", ()), step.agreement, bool(step.answer)


def test_projected_by_a_presenters_keys_from_the_first_lesson_to_the_last_and_each_kind_in_a_small_window(
    page: Page, address: str
):
    names = list(LESSONS)
    seen: set[tuple[object, ...]] = set()
    page.set_viewport_size(PROJECTED)
    open_page(page, address, "lessons", lesson=names[0], full="1")
    page.evaluate("document.documentElement.requestFullscreen = undefined")  # windows have the sizes that are set
    for name, lesson in LESSONS.items():
        steps = lesson.steps
        for number, step in enumerate(steps, start=1):
            expect_step(page, step)
            expect(page.get_by_test_id("stSidebar")).to_be_hidden()
            expect_slide(page)
            hidden = "Result of the vote" if isinstance(step.material, Vote) else "Answer" if step.hides else ""
            if hidden:
                page.get_by_role("button", name=hidden).click()
                following = "Verdicts of the metrics" if isinstance(step.material, Vote) else "Hide"
                expect(page.get_by_role("button", name=following)).to_be_visible()
                settle(page)
                expect_slide(page)
            if (name, number) in ENLARGED:
                expect_larger_slide(page)
            if (name, number) in BESIDE_THE_SIDEBAR:
                expect_columns(page, step)
            if isinstance(step.material, Vote):
                expect(page.locator(".scores tr")).to_have_count(3)
                expect(page.locator(".picture svg")).to_have_count(3)
                expect(page.locator(".st-key-lesson_text, .st-key-lesson_answer")).to_have_count(2)
                page.keyboard.press("v")
                expect(page.locator(".rows tbody tr")).to_have_count(len(judges([step.material])))
                settle(page)
                expect_slide(page)
            elif step.answer:
                expect(page.locator(".st-key-lesson_answer")).to_be_visible()
            if kind_of(step) not in seen:
                seen.add(kind_of(step))
                expect_small(page)
            if number < len(steps):
                page.keyboard.press("PageDown")
                expect_in_link(page, slide=str(number + 1))
        if name != names[-1]:
            page.get_by_role("button", name="Next lesson: ").click()
            expect_in_link(page, lesson=lesson.next, slide=None)
