"""A class by phone: a teacher who asks, and phones that follow, vote and correct trees."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from evaltools.classroom.lessons import bundled_lessons
from tests.browser.steps import (
    Box,
    at_rest,
    boxes,
    download,
    expect_boxes,
    expect_images,
    expect_in_link,
    expect_no_overflow,
    open_page,
    settle,
    until,
)
from tests.conftest import free_port

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL = {"width": 320, "height": 700}
PROJECTED = {"width": 1280, "height": 720}
GOLD = (
    "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))) "
    "(PP (IN in) (NP (DT a) (JJ small) (NN restaurant))) (NP (JJ last) (NN night))) (. .))"
)
PARSE = (
    "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese))) "
    "(PP (IN in) (NP (DT a) (JJ small) (NN restaurant))) (NP (JJ last) (NN night))) (. .))"
)


class Addresses(NamedTuple):
    """Where the app and the phones' server are, and the query that admits the teacher."""

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


def test_phones_follow_the_teacher_and_vote_once_each(new_page: Callable[..., Page], course: Addresses):
    teacher = new_page(viewport=PROJECTED)
    open_page(teacher, course.app, "lessons", lesson="vote", full="1", teacher=course.secret)
    expect(teacher).not_to_have_url(re.compile("teacher"))
    teacher.get_by_role("button", name="Phones").click()
    body = teacher.get_by_test_id("stPopoverBody")
    expect(body.locator("code")).to_have_text(course.phones)
    code = body.locator("svg.qr")
    expect(code).to_be_visible()
    expect_boxes(code, lambda box: box.width == box.height >= 240)
    teacher.keyboard.press("Escape")
    expect(code).to_be_hidden()

    # Phones open the link; the first step is no question.
    phones = [new_page(**PHONE, color_scheme=scheme) for scheme in ("light", "dark")]
    for phone in phones:
        phone.goto(course.phones)
        expect(phone.get_by_text("Look at the screen in front.")).to_be_visible()

    # A question comes up in front, and on the phones by itself.
    teacher.keyboard.press("PageDown")
    expect_in_link(teacher, slide="2")
    expect(teacher.locator("svg.qr")).to_have_count(1)  # that of the step before is gone
    expect(teacher.locator("svg.qr")).to_be_visible()
    for phone in phones:
        expect(phone.get_by_text("Which parse is worse?")).to_be_visible()
        expect(phone.locator(".picture img:visible")).to_have_count(3)  # the gold tree and both parses
        expect_images(phone)
        expect_boxes(phone.locator("button:visible"), lambda box: box.height >= 48)
        expect_no_overflow(phone)
    first, second = phones
    first.get_by_role("button", name="A is worse").tap()
    expect(first.get_by_text("Your answer: A is worse. You can still change it.")).to_be_visible()
    expect(teacher.get_by_text("1 of 2 phones so far")).to_be_visible()  # without having done anything
    second.get_by_role("button", name="B is worse").tap()
    expect(second.get_by_text("Your answer: B is worse.")).to_be_visible()

    # A device has one vote, also after its page was loaded again.
    first.reload()
    expect(first.get_by_text("Your answer: A is worse.")).to_be_visible()
    first.get_by_role("button", name="B is worse").tap()
    expect(first.get_by_text("Your answer: B is worse.")).to_be_visible()
    expect(teacher.get_by_text("2 of 2 phones so far")).to_be_visible()

    # A phone says so when it has lost the class.
    expect(second.locator("#lost")).to_be_hidden()
    second.context.set_offline(True)
    expect(second.locator("#lost")).to_be_visible()
    second.context.set_offline(False)
    expect(second.locator("#lost")).to_be_hidden()

    # Verdicts close the vote and are not on the phones.
    settle(teacher)
    teacher.keyboard.press("v")
    expect(teacher.get_by_role("heading", name="The class: 2 answers")).to_be_visible()
    expect(teacher.get_by_role("row", name="B is worse 2 of 2")).to_be_visible()
    for phone in phones:
        expect(phone.get_by_text("The question is closed: look at the screen.")).to_be_visible()
        expect(phone.get_by_role("button", name="A is worse")).to_be_disabled()
        expect(phone.locator("table")).to_have_count(0)

    # A new class has new ballots.
    settle(teacher)
    teacher.get_by_role("button", name="Reopen").click()
    expect(teacher.get_by_text("2 of 2 phones so far")).to_be_visible()
    settle(teacher)
    teacher.get_by_role("button", name="Phones").click()
    body.get_by_role("button", name="Begin a new class").click()
    for phone in phones:
        expect(phone.get_by_text("Your answer")).to_have_count(0)
        expect(phone.get_by_role("button", name="A is worse")).to_be_enabled()
    expect(teacher.get_by_test_id("stException")).to_have_count(0)


def node(phone: Page, label: str, words: str) -> Locator:
    return phone.locator(".stage .node.test").filter(has=phone.locator("title", has_text=f"{label} · “{words}”")).first


def inside(phone: Page) -> None:
    """Expect the buttons of the selection within the phone, large enough for a finger, and nothing wider than it."""
    width = (phone.viewport_size or {})["width"]
    buttons = phone.locator(".panel .head button:visible")

    def are_right(seen: list[Box]) -> bool:
        is_one_row = len(seen) == 3 and len({round(box.y) for box in seen}) == 1
        return is_one_row and all(box.right <= width and min(box.width, box.height) >= 44 for box in seen)

    until(phone, lambda: boxes(buttons), are_right)
    expect_no_overflow(phone)


def drag(phone: Page, source: Locator, target: Locator) -> None:
    (x, y), (to_x, to_y) = (box.middle for box in at_rest(phone, source, target))
    session = phone.context.new_cdp_session(phone)
    for kind, points in (
        ("touchStart", [(x, y)]),
        *(("touchMove", [(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)]) for step in range(1, 9)),
        ("touchEnd", []),
    ):
        touches = [{"x": at_x, "y": at_y} for at_x, at_y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def make_exercise(teacher: Page, title: str) -> None:
    """Fill in the form that makes an exercise, and press its button."""
    teacher.get_by_text("Make an exercise").click()
    expect(teacher.get_by_role("checkbox", name="Ask for names")).to_be_visible()
    settle(teacher)  # the opened form is drawn once more
    at_rest(teacher, teacher.get_by_text("Ask for names"))  # it opens slowly, and a press on what moves is none
    teacher.get_by_text("Ask for names").click()
    expect(teacher.get_by_role("checkbox", name="Ask for names")).to_be_checked()
    for field, text in (("Title", title), ("Gold trees", GOLD), ("Trees to correct", PARSE)):
        teacher.get_by_role("textbox", name=field).fill(text)
    teacher.get_by_role("button", name="Make the exercise").click()
    expect(teacher.get_by_text("The exercise is made.")).to_be_visible()


def test_students_correct_a_tree_by_touch_and_the_teacher_sees_it(new_page: Callable[..., Page], course: Addresses):
    teacher = new_page(viewport=PROJECTED)
    open_page(teacher, course.app, "lessons", list="exercises", teacher=course.secret)
    make_exercise(teacher, "Attachment")
    settle(teacher)
    teacher.locator(".st-key-exercise_rows button[kind=primary]").filter(has_text="Open").click()
    expect(teacher.get_by_text("Attachment: sentence 1 of 1")).to_be_visible()
    expect(teacher.get_by_text("No answer yet.").first).to_be_visible()
    expect(teacher.locator("svg.qr")).to_be_visible()

    phone = new_page(**PHONE)
    phone.goto(course.phones)
    expect(phone.get_by_text("Sentence 1 of 1: Correct the tree")).to_be_visible()
    expect(node(phone, "PP", "with cheese")).to_be_visible()
    expect_no_overflow(phone)
    source = phone.content() + phone.evaluate("document.getElementById('editor').shadowRoot.innerHTML")
    assert GOLD not in source

    # A first answer that is not right: in words, with marks in the picture.
    node(phone, "PP", "with cheese").tap()
    expect_boxes(phone.locator(".panel button:visible"), lambda box: box.height >= 40)
    phone.get_by_role("button", name="close without a change").tap()
    expect(phone.locator(".panel")).to_be_hidden()
    node(phone, "PP", "with cheese").tap()
    covered = """() => {
      const { shadowRoot } = document.getElementById('editor');
      const panel = shadowRoot.querySelector('.panel').getBoundingClientRect();
      return [...shadowRoot.querySelectorAll('.stage .word')].filter((word) => {
        const box = word.getBoundingClientRect();
        return box.bottom > panel.top && box.top < panel.bottom;
      }).length;
    }"""
    until(phone, lambda: phone.evaluate(covered), lambda n_covered: n_covered == 0)
    phone.get_by_role("button", name="relabel as VP").tap()
    expect(phone.get_by_text("Relabeled PP over “with cheese” as VP")).to_be_visible()
    phone.get_by_label("Name").fill("Ada")
    phone.get_by_role("button", name="Hand in").tap()
    expect(phone.get_by_text("Not right yet: 2 corrections are still missing.")).to_be_visible()
    expect(phone.locator(".marking li")).to_have_count(2)
    expect(phone.locator(".stage .node.test.relabeled")).to_have_count(1)
    expect(teacher.get_by_text(re.compile(r"1\sof \d+\sphones?\.")).first).to_be_visible()
    teacher.get_by_text("Show points and mistakes now").click()
    expect(teacher.locator(".st-key-exercise_mistakes tr")).to_have_count(2)

    # Undone, and corrected: the phrase is put over both.
    phone.get_by_role("button", name="undo the last edit").tap()
    expect(node(phone, "PP", "with cheese")).to_be_visible()
    node(phone, "NP", "pasta").tap()
    phone.get_by_role("button", name="extend the selection to the right").tap()
    expect(phone.locator(".panel .name")).to_have_attribute("title", "2 neighbors: “pasta with cheese”")
    inside(phone)
    phone.get_by_role("button", name="insert NP above").tap()
    expect(node(phone, "NP", "pasta with cheese")).to_be_visible()
    phone.get_by_role("button", name="Hand in again").tap()
    expect(phone.get_by_text("Right.", exact=True)).to_be_visible()
    expect(phone.locator(".marking")).to_contain_text("100 of 100 points")
    expect_no_overflow(phone)
    expect(teacher.get_by_text("1 answer, 1 right.").first).to_be_visible()
    told = phone.get_by_text("You are student")
    expect(told).to_be_visible()
    number = re.findall(r"\d+", told.inner_text())[0]  # phones of other tests may have joined
    teacher.get_by_role("button", name="Enlarge the code").last.click()
    expect(teacher.get_by_role("button", name="Close the code")).to_be_visible()
    settle(teacher)
    expect_boxes(teacher.locator("svg.qr"), lambda box: box.height >= 320)
    expect_no_overflow(teacher)
    teacher.get_by_role("button", name="Close the code").click()

    # On a smaller phone long phrases are selected, and one is dragged with a finger to where it does not belong.
    other = new_page(**PHONE, color_scheme="dark")
    other.set_viewport_size(SMALL)
    other.goto(course.phones)
    words = "ate pasta with cheese in a small restaurant last night"
    node(other, "VP", words).tap()
    expect(other.locator(".panel .name")).to_have_attribute("title", f"VP over “{words}”")
    inside(other)
    node(other, "NP", "pasta").tap()
    for _ in range(3):
        other.get_by_role("button", name="extend the selection to the right").tap()
        inside(other)
    expect(other.locator(".panel .name")).to_have_attribute("title", re.compile("4 neighbors: “pasta with .* night”"))
    other.get_by_role("button", name="close without a change").tap()
    expect(other.locator(".panel")).to_be_hidden()
    drag(other, node(other, "PP", "with cheese"), node(other, "NP", "pasta"))
    expect(other.locator(".said")).to_contain_text("Moved PP over “with cheese” from VP")
    expect_no_overflow(other)
    other.get_by_role("button", name="Hand in").tap()
    expect(other.get_by_text("Not right yet: 1 correction is still missing.")).to_be_visible()
    expect(teacher.get_by_text("2 answers, 1 right.").first).to_be_visible()

    # The mistake is projected without a name.
    settle(teacher)
    teacher.locator(".st-key-exercise_mistakes tr").first.click()
    expect(teacher.get_by_role("button", name="Back to the class")).to_be_visible()
    expect(teacher.get_by_text("Ada")).to_have_count(0)
    expect_no_overflow(teacher)
    teacher.get_by_role("button", name="Back to the class").click()
    expect(teacher.get_by_text("2 answers, 1 right.").first).to_be_visible()
    settle(teacher)

    # Closed: the gold tree is shown in front and on the phones; the marks are saved.
    teacher.get_by_role("button", name="Close and show the solution").click()
    teacher.get_by_role("button", name="Close it now").click()
    expect(teacher.get_by_text("The gold tree")).to_be_visible()
    expect(other.get_by_text("Sentence 1 of 1: closed")).to_be_visible()
    expect(other.get_by_alt_text(re.compile("The gold tree: "))).to_be_visible()
    expect_images(other)
    rows = download(teacher.get_by_role("button", name="Marks (CSV)")).path().read_text("utf-8").splitlines()
    assert rows[:2] == ["student,name,sentence 1,total of 100", f"{number},Ada,100.0,100.0"]
    assert len(rows) == 3
    expect(teacher.get_by_test_id("stException")).to_have_count(0)


ANSWERED = """([ballot, answer]) =>
  fetch("/answer", {method: "POST", body: new URLSearchParams({ballot, answer})}).then((answered) => answered.status)"""


@pytest.mark.parametrize("slide", [4, 5])
def test_a_slide_with_the_answers_of_a_class_fits_the_screen(
    new_page: Callable[..., Page], course: Addresses, slide: int
):
    teacher = new_page(viewport=PROJECTED)
    query = {"lesson": "lineages", "slide": str(slide), "full": "1", "teacher": course.secret}
    open_page(teacher, course.app, "lessons", **query)
    expect(teacher.get_by_text("so far")).to_be_visible()
    ballot = bundled_lessons()["lineages"].steps[slide - 1].ballot
    for tens in range(1, 7):  # each with a cookie of its own
        phone = new_page(**PHONE)
        phone.goto(course.phones)
        assert phone.evaluate(ANSWERED, [ballot, f"0.{tens}"]) == 200
        phone.close()
    settle(teacher)
    teacher.keyboard.press("v")
    expect(teacher.get_by_role("heading", name="The class: 6 answers")).to_be_visible()
    settle(teacher)
    excess = "one => one.scrollHeight - one.clientHeight"
    until(teacher, lambda: teacher.get_by_test_id("stMain").evaluate(excess), lambda pixels: pixels <= 0)
