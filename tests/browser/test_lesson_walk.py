"""Every step of every lesson that comes with the program, projected; one of each kind as small as a phone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from evaltools.classroom.lessons import Step, bundled_lessons
from evaltools.classroom.material import Vote, filled, numbers_of
from tests.browser.steps import expect_in_link, expect_no_overflow, open_page, settle, until

LESSONS = bundled_lessons()
PROJECTED = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
LARGE = {"width": 1920, "height": 1080}

ENLARGED = {("brackets", 8), ("attachment", 5), ("vote", 4), ("theories", 2)}
"""Slides that are also shown by a larger projector, where everything must be larger."""

BESIDE_THE_SIDEBAR = {("brackets", 12), ("attachment", 4), ("lineages", 5), ("meaning", 4)}
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


def expect_step(page: Page, step: Step) -> None:
    expect(page.locator(".st-key-lesson_title h2")).to_have_text(filled(step.title, numbers_of(step.material)))
    settle(page)
    if step.material is not None and not (step.task is not None and step.task.kind == "hide"):
        expect(page.locator(".picture svg, .strip, .rows").first).to_be_visible()


FONT_SIZE = "parseFloat(getComputedStyle(one).fontSize)"


def expect_each(elements: Locator, figure: str, is_right: Callable[[float], bool]) -> None:
    """Wait until a figure of each element, if there are any, is right."""
    figures = f"(all) => all.map((one) => {figure})"
    until(elements.page, lambda: elements.evaluate_all(figures), lambda seen: all(map(is_right, seen)))


def expect_room(page: Page) -> None:
    """Nothing may be wider than the window, and no drawing so small that nobody can read it."""
    expect_no_overflow(page)
    drawn = f"{FONT} * one.getBoundingClientRect().width / one.getAttribute('width')"
    expect_each(page.locator(".picture svg"), drawn, lambda size: size >= 7.5)
    expect_each(page.locator(".st-key-lesson_text p, .blocks.large").first, FONT_SIZE, lambda size: size >= 14)


def expect_slide(page: Page, scale: float = 1.0) -> None:
    """Letters must be large enough for the last row, and nothing may be cropped or below the window's end."""
    drawings = page.locator(".picture svg")
    until(
        page,
        lambda: drawings.evaluate_all(LETTERS),
        lambda letters: all(size >= (LABEL if is_label else TAG) * scale - 0.1 for is_label, size in letters),
    )
    texts = page.locator(".st-key-lesson_text p, .st-key-lesson_text li, .st-key-lesson_ask p, .st-key-lesson_answer p")
    expect_each(texts, FONT_SIZE, lambda size: size >= TEXT * scale - 0.1)
    expect_no_overflow(page)
    expect_each(page.get_by_test_id("stMain"), "one.scrollHeight - one.clientHeight", lambda excess: excess <= 0)
    expect_each(page.locator(".picture"), "one.scrollWidth - one.clientWidth", lambda over: over <= 1)
    lines = page.locator(".formulas span.symbols, .formulas .numbers")
    in_lines = f"one.getBoundingClientRect().height / {FONT_SIZE}"
    expect_each(lines, in_lines, lambda height: height < 3)  # two at most: the denominator is below


def expect_larger_slide(page: Page) -> None:
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
        expect_each(formulas, "one.scrollWidth - one.parentElement.clientWidth", lambda excess: excess <= 0)
        beyond = "{0}.right - one.closest('table').parentElement.{0}.right".replace("{0}", "getBoundingClientRect()")
        expect_each(formulas.locator("td.value").first, f"one.{beyond}", lambda excess: abs(excess) <= 1)
    texts = page.locator(".st-key-lesson_answer :is(p, li)")
    expect_each(texts, FONT_SIZE, lambda size: size >= 18)
    until(page, lambda: texts.evaluate_all(f"(all) => all.map((one) => {FONT_SIZE})"), lambda seen: len(set(seen)) == 1)
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
                page.keyboard.press("v")
                expect(page.locator(".rows tbody tr").first).to_be_visible()
                settle(page)
                expect_slide(page)
            if kind_of(step) not in seen:
                seen.add(kind_of(step))
                expect_small(page)
            if number < len(steps):
                page.keyboard.press("PageDown")
                expect_in_link(page, slide=str(number + 1))
        if name != names[-1]:
            page.get_by_role("button", name="Next lesson: ").click()
            expect_in_link(page, lesson=lesson.next, slide=None)
