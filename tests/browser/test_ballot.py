"""A class votes by phone: a teacher who projects a lesson, and two phones that follow."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.steps import expect_in_link, open_page, overflow, settle
from tests.conftest import free_port

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


class Addresses(NamedTuple):
    """Where the app and the ballots are, and the query that admits the teacher."""

    app: str
    phones: str
    secret: str


@pytest.fixture(scope="module")
def course(app_server: Callable[..., Any], tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Addresses:
    """Give the addresses of a class, whose phones are browsers on this computer."""
    port = free_port()
    command = [sys.executable, "-m", "evaltools.cli", "class", str(tiny_folder / "tiny.run"), "--no-browser"]
    command += ["--port", "{port}", "--phones-port", str(port), "--phones-address", "127.0.0.1"]
    server = app_server(command=command, home=tmp_path_factory.mktemp("home"))
    secret = re.search(r"teacher=(\S+)", server.output())
    assert secret
    return Addresses(str(server.url), f"http://127.0.0.1:{port}", secret[1])


@pytest.fixture(scope="module")
def local_address(app_server: Callable[..., Any], tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the address of an app without phones."""
    return str(app_server(str(tiny_folder / "tiny.run"), home=tmp_path_factory.mktemp("home")).url)


def lead(teacher: Page, course: Addresses, **query: str) -> None:
    """Open a step of the vote as its teacher, and let phones vote."""
    open_page(teacher, course.app, "lessons", lesson="vote", teacher=course.secret, **query)
    assert "teacher" not in teacher.url
    teacher.get_by_role("button", name="Phones").click()
    teacher.get_by_role("button", name="Let phones vote").click()
    expect(teacher.get_by_test_id("stPopoverBody").locator("code")).to_have_text(course.phones)


def sideways(phone: Page) -> int:
    """Return by how many pixels a page of a phone is wider than the phone."""
    return int(phone.evaluate("document.documentElement.scrollWidth - innerWidth"))


def go_on(teacher: Page, number: int) -> None:
    teacher.keyboard.press("PageDown")
    expect_in_link(teacher, slide=str(number))
    settle(teacher)


def test_phones_follow_the_teacher_and_vote_once_each(new_page: Callable[..., Page], course: Addresses):
    teacher = new_page(viewport={"width": 1280, "height": 720})
    lead(teacher, course, full="1")
    code = teacher.get_by_test_id("stPopoverBody").locator("svg.qr")
    expect(code).to_be_visible()
    shown_size = code.bounding_box()
    assert shown_size is not None
    assert shown_size["width"] == shown_size["height"] >= 240
    teacher.keyboard.press("Escape")
    expect(code).to_be_hidden()

    # Phones open the link; the first step is no question.
    phones = [new_page(**PHONE, color_scheme=scheme) for scheme in ("light", "dark")]
    for phone in phones:
        phone.goto(course.phones)
        expect(phone.get_by_text("Look at the screen in front.")).to_be_visible()

    # A question comes up in front, and on the phones by itself.
    go_on(teacher, 2)
    expect(teacher.locator("svg.qr")).to_be_visible()
    for phone in phones:
        expect(phone.get_by_text("Which parse is worse?")).to_be_visible()
        expect(phone.locator(".picture img:visible")).to_have_count(3)  # the gold tree and both parses
        assert phone.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
        heights = [box["height"] for box in (one.bounding_box() for one in phone.locator("button").all()) if box]
        assert min(heights) >= 48
        assert sideways(phone) == 0
    first, second = phones
    first.get_by_role("button", name="A is worse").tap()
    expect(first.get_by_text("Your vote: A is worse. You can still change it.")).to_be_visible()
    expect(teacher.get_by_text("1 vote so far")).to_be_visible()  # without having done anything
    first.get_by_role("button", name="Equally bad").tap()
    expect(first.get_by_text("Your vote: equally bad.")).to_be_visible()
    second.get_by_role("button", name="B is worse").tap()
    expect(second.get_by_text("Your vote: B is worse.")).to_be_visible()
    expect(teacher.get_by_text("2 votes so far")).to_be_visible()

    # A device has one vote, also after its page was loaded again.
    first.reload()
    expect(first.get_by_text("Your vote: equally bad.")).to_be_visible()
    first.get_by_role("button", name="B is worse").tap()
    expect(first.get_by_text("Your vote: B is worse.")).to_be_visible()
    expect(teacher.get_by_text("2 votes so far")).to_be_visible()

    # Verdicts close the vote and are not on the phones.
    expect(teacher.locator(".rows")).to_have_count(0)
    settle(teacher)
    teacher.keyboard.press("v")
    expect(teacher.get_by_role("heading", name="The class: 2 votes")).to_be_visible()
    expect(teacher.get_by_role("row", name="B is worse 2 of 2")).to_be_visible()
    for phone in phones:
        expect(phone.get_by_text("The vote is closed: look at the screen.")).to_be_visible()
        expect(phone.get_by_role("button", name="A is worse")).to_be_disabled()
        expect(phone.locator("table")).to_have_count(0)

    # To vote again is a new ballot.
    teacher.get_by_role("button", name="Vote again").click()
    expect(teacher.get_by_text("Ballot 2. 0 votes so far")).to_be_visible()
    for phone in phones:
        expect(phone.get_by_text("Which parse is worse?")).to_be_visible()
        expect(phone.get_by_text("Your vote:")).to_have_count(0)
    first.get_by_role("button", name="A is worse").tap()
    expect(teacher.get_by_text("Ballot 2. 1 vote so far")).to_be_visible()

    # The next question is another one, on which nobody has voted.
    settle(teacher)
    go_on(teacher, 3)
    for phone in phones:
        expect(phone.get_by_text("Which parse is worse?")).to_be_visible()
        expect(phone.get_by_text("Your vote:")).to_have_count(0)
        assert sideways(phone) == 0

    # The end of it.
    teacher.get_by_role("button", name="Phones").click()
    teacher.get_by_role("button", name="Disconnect the phones").click()
    for phone in phones:
        expect(phone.get_by_text("The vote has not begun.")).to_be_visible()
    expect(teacher.get_by_test_id("stException")).to_have_count(0)


def test_a_code_admits_one_phone(new_page: Callable[..., Page], course: Addresses, tmp_path: Path):
    teacher, sheet = new_page(), new_page()
    open_page(teacher, course.app, "lessons", lesson="vote", slide="4", teacher=course.secret)
    teacher.get_by_role("button", name="Phones").click()
    body = teacher.get_by_test_id("stPopoverBody")
    body.get_by_text("Each one-time code of a printed sheet").click()
    settle(teacher)
    body.get_by_role("button", name="Let phones vote").click()
    with teacher.expect_download() as saved:
        body.get_by_role("button", name="Sheet of codes (HTML)").click()
    saved.value.save_as(tmp_path / "codes.html")
    sheet.goto((tmp_path / "codes.html").as_uri())
    expect(sheet.locator("section")).to_have_count(40)
    code = sheet.locator("code").first.inner_text()
    phones = [new_page(**PHONE) for _ in range(2)]
    for phone in phones:
        phone.goto(f"{course.phones}/?code={code}")
        phone.get_by_role("button", name="Join the class").tap()
    expect(phones[0].get_by_text("Which parse is worse?")).to_be_visible()
    expect(phones[1].get_by_text("This code is used by another device.")).to_be_visible()
    open_page(teacher, course.app, "lessons", lesson="vote", slide="5")  # the page was loaded again and still leads
    expect(phones[0].get_by_text("Which parse is worse?")).to_be_visible()


def test_a_phone_says_that_it_has_lost_the_class(new_page: Callable[..., Page], course: Addresses):
    phone = new_page(**PHONE)
    phone.goto(course.phones)
    expect(phone.locator("#lost")).to_be_hidden()
    phone.context.set_offline(True)
    expect(phone.locator("#lost")).to_be_visible()
    phone.context.set_offline(False)
    expect(phone.locator("#lost")).to_be_hidden()


def test_a_phone_does_not_open_the_app(new_page: Callable[..., Page], course: Addresses):
    phone = new_page(**PHONE)
    answer = phone.goto(f"{course.app}/lessons")
    assert answer is not None
    assert answer.status == 403


def test_where_phones_cannot_reach_the_app_it_says_what_to_do(new_page: Callable[..., Page], local_address: str):
    page = new_page(viewport={"width": 390, "height": 844})
    open_page(page, local_address, "lessons", lesson="vote", slide="2")
    page.get_by_role("button", name="Phones").click()
    body = page.get_by_test_id("stPopoverBody")
    expect(body.get_by_text("This app was started without phones.")).to_be_visible()
    expect(body.locator("code")).to_have_text("make class")
    expect(page.locator("svg.qr")).to_have_count(0)
    assert overflow(page) == 0
