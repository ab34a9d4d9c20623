"""Every step of every lesson that comes with the program, projected and as small as a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from evaltools.classroom.lessons import Step, Vote, bundled_lessons, filled, numbers_of
from tests.browser.steps import expect_in_link, open_page, overflow, settle

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

LESSONS = bundled_lessons()
PROJECTED = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
LITTLE = 80
"""By how many pixels a step may be higher than a projected window."""

FONT = 12
"""Size of a drawing's letters in its own pixels, at the least."""


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the address of an app with a home of its own, where nobody has voted."""
    return str(app_server(str(tiny_folder / "tiny.run"), home=tmp_path_factory.mktemp("home")).url)


def beginning(markdown: str) -> str:
    """Return the first words of a text as they stand on the page."""
    return " ".join(re.sub(r"[*_`]", "", markdown).split()[:10])


def expect_step(page: Page, step: Step) -> None:
    """Wait until a step is there; what it says, asks and draws must be seen."""
    numbers = numbers_of(step.material)
    expect(page.locator(".st-key-lesson_title h2")).to_have_text(filled(step.title, numbers))
    settle(page)
    is_vote = isinstance(step.material, Vote)
    for kind, text in (("text", step.text), ("ask", step.question)):
        if text and not is_vote:
            expect(page.locator(f".st-key-lesson_{kind}")).to_contain_text(beginning(filled(text, numbers)))
    if step.material is not None:
        expect(page.locator(".picture svg, .strip").first).to_be_visible()
    if is_vote:
        expect(page.locator(".picture svg")).to_have_count(3)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def expect_room(page: Page) -> None:
    """Nothing may be wider than the window, and no drawing so small that nobody can read it."""
    assert overflow(page) == 0
    sizes = page.locator(".picture svg").evaluate_all(
        f"(all) => all.map((one) => {FONT} * one.getBoundingClientRect().width / one.getAttribute('width'))"
    )
    assert all(size >= 7.5 for size in sizes), sizes
    for text in page.locator(".st-key-lesson_text p, .blocks.large").all()[:1]:
        assert float(text.evaluate("(one) => getComputedStyle(one).fontSize").removesuffix("px")) >= 14


def too_high(page: Page) -> int:
    """Return by how many pixels a step is higher than the window."""
    return int(page.get_by_test_id("stMain").evaluate("(main) => main.scrollHeight - main.clientHeight"))


@pytest.mark.parametrize("name", LESSONS)
def test_projected_by_a_presenters_keys_and_in_a_small_window(page: Page, address: str, name: str):
    steps = LESSONS[name].steps
    page.set_viewport_size(PROJECTED)
    open_page(page, address, "lessons", lesson=name, full="1", shown="1")
    for number, step in enumerate(steps, start=1):
        expect_step(page, step)
        expect(page.get_by_test_id("stSidebar")).to_be_hidden()
        hidden = "The verdicts" if isinstance(step.material, Vote) else "Answer" if step.answer else ""
        if hidden and number > 1:
            page.get_by_role("button", name=hidden).click()
            expect(page.get_by_role("button", name="Hide")).to_be_visible()
            settle(page)
        if isinstance(step.material, Vote):
            expect(page.locator(".rows tbody tr")).to_have_count(8)
        elif step.answer:
            expect(page.locator(".st-key-lesson_answer")).to_be_visible()
        expect_room(page)
        assert too_high(page) <= LITTLE
        page.set_viewport_size(PHONE)
        page.emulate_media(color_scheme="dark")
        settle(page)
        expect_room(page)
        page.set_viewport_size(PROJECTED)
        page.emulate_media(color_scheme="light")
        settle(page)
        if number < len(steps):
            page.keyboard.press("PageDown")
            expect_in_link(page, slide=str(number + 1))


def test_on_a_phone_by_touch(new_page: Callable[..., Page], address: str):
    name, steps = "lineages", LESSONS["lineages"].steps
    page = new_page(viewport=PHONE, has_touch=True, color_scheme="dark")
    open_page(page, address, "lessons", lesson=name)
    for number, step in enumerate(steps, start=1):
        expect_step(page, step)
        expect_room(page)
        if number < len(steps):
            page.get_by_role("button", name="Next").tap()
            expect_in_link(page, slide=str(number + 1))
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
