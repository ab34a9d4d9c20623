"""A class votes by phone: a teacher who projects a lesson, and two phones that follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.steps import expect_in_link, open_page, overflow, settle

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(scope="module")
def address(app_server: Callable[..., Any], tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the address of an app that is open to the network, and takes this computer's own address for that there."""
    network = {"STREAMLIT_SERVER_ADDRESS": "0.0.0.0", "STREAMLIT_BROWSER_SERVER_ADDRESS": "127.0.0.1"}
    home = tmp_path_factory.mktemp("home")
    return str(app_server(str(tiny_folder / "tiny.run"), home=home, env=network).url)


@pytest.fixture(scope="module")
def local_address(app_server: Callable[..., Any], tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the address of an app that only this computer reaches."""
    return str(app_server(str(tiny_folder / "tiny.run"), home=tmp_path_factory.mktemp("home")).url)


def go_on(teacher: Page, number: int) -> None:
    teacher.keyboard.press("PageDown")
    expect_in_link(teacher, slide=str(number))
    settle(teacher)


def test_phones_follow_the_teacher_and_vote_once_each(new_page: Callable[..., Page], address: str):
    teacher = new_page(viewport={"width": 1280, "height": 720})
    open_page(teacher, address, "lessons", lesson="vote", full="1")
    teacher.get_by_role("button", name="Phones").click()
    teacher.get_by_role("button", name="Let phones vote").click()
    link = teacher.get_by_test_id("stPopoverBody").locator("code")
    expect(link).to_have_text(f"{address}/lessons?ballot=vote")
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
        phone.goto(f"{address}/lessons?ballot=vote")
        expect(phone.get_by_text("Look at the screen in front.")).to_be_visible()
        expect(phone.get_by_test_id("stSidebar")).to_be_hidden()

    # A question comes up in front, and on the phones by itself.
    go_on(teacher, 2)
    expect(teacher.locator("svg.qr")).to_be_visible()
    for phone in phones:
        expect(phone.get_by_text("Which parse is worse?")).to_be_visible()
        expect(phone.locator(".picture svg:visible")).to_have_count(2)  # the gold tree stands in front
        assert overflow(phone) == 0
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
    expect(teacher.get_by_text("The class: A is worse 0, B is worse 2, equally bad 0.")).to_be_visible()
    for phone in phones:
        expect(phone.get_by_text("The vote is closed: look at the screen.")).to_be_visible()
        expect(phone.get_by_role("button", name="A is worse")).to_be_disabled()
        expect(phone.locator(".rows")).to_have_count(0)

    # The next question is another one, on which nobody has voted.
    settle(teacher)
    go_on(teacher, 3)
    for phone in phones:
        expect(phone.get_by_text("Which parse is worse?")).to_be_visible()
        expect(phone.get_by_text("Your vote:")).to_have_count(0)
        assert overflow(phone) == 0

    # The end of it.
    teacher.get_by_role("button", name="Phones").click()
    teacher.get_by_role("button", name="End the vote by phone").click()
    for phone in phones:
        expect(phone.get_by_text("The vote has not begun.")).to_be_visible()
        expect(phone.get_by_test_id("stException")).to_have_count(0)
    expect(teacher.get_by_test_id("stException")).to_have_count(0)


def test_the_teachers_page_leads_after_it_was_loaded_again_and_nobody_elses_does(
    new_page: Callable[..., Page], address: str
):
    teacher, other, phone = new_page(), new_page(), new_page(**PHONE)
    open_page(teacher, address, "lessons", lesson="vote", slide="4")
    teacher.get_by_role("button", name="Phones").click()
    teacher.get_by_role("button", name="Let phones vote").click()
    expect(teacher.locator(".st-key-join_code svg.qr")).to_be_visible()
    with phone.expect_websocket() as opened:
        phone.goto(f"{address}/lessons?ballot=vote")
    asking = opened.value  # a phone asks every two seconds, and gets an answer each time
    expect(phone.locator(".picture svg").first).to_contain_text("chased")
    settle(phone)
    open_page(other, address, "lessons", lesson="vote", slide="5")  # somebody looks at the lesson alone
    expect(other.get_by_text("votes so far")).to_be_visible()
    settle(other)
    for _ in range(2):  # the first answer may be older than what the others did
        with asking.expect_event("framereceived"):
            pass
    settle(phone)
    expect(phone.locator(".picture svg").first).to_contain_text("chased")
    open_page(teacher, address, "lessons", lesson="vote", slide="6")
    expect(phone.locator(".picture svg").first).to_contain_text("women")


def test_where_phones_cannot_reach_the_app_it_says_what_to_do(new_page: Callable[..., Page], local_address: str):
    page = new_page(viewport={"width": 390, "height": 844})
    open_page(page, local_address, "lessons", lesson="vote", slide="2")
    page.get_by_role("button", name="Phones").click()
    body = page.get_by_test_id("stPopoverBody")
    expect(body.get_by_text("it listens on this computer only")).to_be_visible()
    expect(body.locator("code")).to_have_text('make app ARGS="--address 0.0.0.0"')
    expect(page.locator("svg.qr")).to_have_count(0)
    assert overflow(page) == 0
