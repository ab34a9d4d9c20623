"""A student answers an exercise by touch, and the teacher sees the answer, projects it and saves the marks."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.steps import open_page, overflow, retried, settle
from tests.conftest import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
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


def open_form(teacher: Page) -> None:
    """Open the form that makes an exercise."""
    title = teacher.get_by_role("textbox", name="Title")

    def unfold(patience: float | None) -> None:
        teacher.get_by_role("tab", name="Exercises").click()
        settle(teacher)
        if not title.is_visible():
            teacher.get_by_text("Make an exercise").click()
        expect(title).to_be_visible(timeout=patience)

    retried(unfold, patience=10_000)


def make_exercise(teacher: Page) -> None:
    """Press the button of the form; the same exercise is kept once."""
    button = teacher.get_by_role("button", name="Make the exercise")

    def press(patience: float | None) -> None:
        settle(teacher)
        button.scroll_into_view_if_needed()
        settle(teacher)
        button.click()
        expect(teacher.get_by_text("The exercise is made.")).to_be_visible(timeout=patience)

    retried(press, patience=10_000)


def node(phone: Page, label: str, words: str) -> Locator:
    """Return a node of the student's tree by its label and words."""
    return phone.locator(".stage .node.test").filter(has=phone.locator("title", has_text=f"{label} · “{words}”")).first


def test_a_student_corrects_a_tree_by_touch_and_the_teacher_sees_it(new_page: Callable[..., Page], course: Addresses):
    teacher = new_page(viewport={"width": 1280, "height": 720})
    open_page(teacher, course.app, "lessons", teacher=course.secret)
    open_form(teacher)
    teacher.get_by_role("textbox", name="Title").fill("Attachment")
    teacher.get_by_role("textbox", name="Gold trees").fill(GOLD)
    teacher.get_by_role("textbox", name="Trees to correct").fill(PARSE)
    teacher.get_by_text("Ask for names").click()
    make_exercise(teacher)
    teacher.locator(".st-key-exercise_rows button[kind=primary]").filter(has_text="Open").click()
    expect(teacher.get_by_text("Attachment: sentence 1 of 1")).to_be_visible()
    settle(teacher)
    teacher.get_by_role("button", name="Phones").click()
    teacher.get_by_role("button", name="Let the class answer").click()
    expect(teacher.get_by_test_id("stPopoverBody").locator("code")).to_have_text(course.phones)
    teacher.keyboard.press("Escape")
    expect(teacher.get_by_text("No answer yet.").first).to_be_visible()
    expect(teacher.locator("svg.qr")).to_be_visible()

    phone = new_page(**PHONE)
    phone.goto(course.phones)
    expect(phone.get_by_text("Sentence 1 of 1: Correct the tree")).to_be_visible()
    expect(node(phone, "PP", "with cheese")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    source = phone.content() + phone.evaluate("document.getElementById('editor').shadowRoot.innerHTML")
    assert GOLD not in source

    # A first answer that is not right: in words, with marks in the picture.
    node(phone, "PP", "with cheese").tap()
    buttons = [box for button in phone.locator(".panel button:visible").all() if (box := button.bounding_box())]
    assert min(box["height"] for box in buttons) >= 40
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
    assert phone.evaluate(covered) == 0
    phone.get_by_role("button", name="relabel as VP").tap()
    expect(phone.get_by_text("Relabeled PP over “with cheese” as VP")).to_be_visible()
    phone.get_by_label("Name").fill("Ada")
    phone.get_by_role("button", name="Hand in").tap()
    expect(phone.get_by_text("Not right yet: 2 corrections are still missing.")).to_be_visible()
    expect(phone.locator(".marking li")).to_have_count(2)
    expect(phone.locator(".stage .node.test.swapped")).to_have_count(1)
    expect(teacher.get_by_text("1 answer.").first).to_be_visible()
    teacher.get_by_text("Show points and mistakes now").click()
    expect(teacher.locator(".st-key-exercise_mistakes li")).to_have_count(2)

    # Undone, and corrected: the phrase is put over both.
    phone.get_by_role("button", name="undo the last edit").tap()
    expect(node(phone, "PP", "with cheese")).to_be_visible()
    phone.reload()  # what was not handed in is still there
    expect(node(phone, "PP", "with cheese")).to_be_visible()
    node(phone, "NP", "pasta").tap()
    phone.get_by_role("button", name="extend the selection to the right").tap()
    expect(phone.locator(".panel .name")).to_have_attribute("title", "2 neighbors: “pasta with cheese”")
    phone.get_by_role("button", name="insert NP above").tap()
    expect(node(phone, "NP", "pasta with cheese")).to_be_visible()
    phone.get_by_role("button", name="Hand in again").tap()
    expect(phone.get_by_text("Right.", exact=True)).to_be_visible()
    expect(phone.locator(".marking")).to_contain_text("100 of 100 points")
    assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    expect(teacher.get_by_text("1 answer after 2 tries, 1 right.").first).to_be_visible()
    expect(phone.get_by_text("You are student 1")).to_be_visible()
    teacher.get_by_role("button", name="Fill the window with the code").last.click()
    expect(teacher.get_by_role("button", name="Close the code")).to_be_visible()
    settle(teacher)
    expect(teacher.locator("svg.qr")).to_be_visible()
    assert (teacher.locator("svg.qr").bounding_box() or {})["height"] >= 320
    assert overflow(teacher) == 0
    teacher.get_by_role("button", name="Close the code").click()

    # A second student leaves it as it is; a mistake is projected without a name.
    other = new_page(**PHONE, color_scheme="dark")
    other.goto(course.phones)
    other.get_by_role("button", name="Hand in").tap()
    expect(other.get_by_text("Not right yet: 1 correction is still missing.")).to_be_visible()
    expect(teacher.get_by_text("2 answers after 3 tries, 1 right.").first).to_be_visible()
    settle(teacher)
    teacher.locator(".st-key-exercise_mistakes li").first.click()
    expect(teacher.get_by_role("button", name="Back to the class")).to_be_visible()
    expect(teacher.get_by_text("Ada")).to_have_count(0)
    assert overflow(teacher) == 0
    teacher.get_by_role("button", name="Back to the class").click()
    expect(teacher.get_by_text("2 answers after 3 tries, 1 right.").first).to_be_visible()

    # Closed: the gold tree is shown in front and on the phones; the marks are saved.
    teacher.get_by_role("button", name="Close and show the solution").click()
    expect(other.get_by_text("Sentence 1 of 1: closed")).to_have_count(0)  # only after a second press
    teacher.get_by_role("button", name="Close it now").click()
    expect(teacher.get_by_text("The gold tree")).to_be_visible()
    expect(other.get_by_text("Sentence 1 of 1: closed")).to_be_visible()
    expect(other.get_by_alt_text("The gold tree")).to_be_visible()
    assert other.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
    with teacher.expect_download() as saved:
        teacher.get_by_role("button", name="Marks (CSV)").click()
    rows = Path(saved.value.path()).read_text("utf-8").splitlines()
    assert rows == [
        "student,name,sentence 1,total of 100,tries of sentence 1",
        "1,Ada,100.0,100.0,2",
        rows[2],
    ]
    assert rows[2].startswith("2,,")
    expect(teacher.get_by_test_id("stException")).to_have_count(0)


def inside(phone: Page) -> None:
    """Expect the buttons of the selection within the phone, large enough for a finger, and nothing wider than it."""
    width = (phone.viewport_size or {})["width"]
    boxes = [box for button in phone.locator(".panel .head button").all() if (box := button.bounding_box())]
    assert len(boxes) == 3
    assert all(box["x"] + box["width"] <= width and min(box["width"], box["height"]) >= 44 for box in boxes), boxes
    assert len({round(box["y"]) for box in boxes}) == 1
    assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def test_long_phrases_fit_a_phone(new_page: Callable[..., Page], course: Addresses):
    teacher = new_page(viewport={"width": 1280, "height": 720})
    open_page(teacher, course.app, "lessons", teacher=course.secret)
    open_form(teacher)
    teacher.get_by_role("textbox", name="Gold trees").fill(GOLD)
    teacher.get_by_role("textbox", name="Trees to correct").fill(PARSE)
    teacher.get_by_role("textbox", name="Title").fill("Long phrases")
    make_exercise(teacher)
    teacher.locator(".st-key-exercise_rows button[kind=primary]").filter(has_text="Open").click()
    settle(teacher)
    teacher.get_by_role("button", name="Phones").click()
    teacher.get_by_role("button", name="Let the class answer").click()
    for width in (390, 320):
        phone = new_page(viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
        phone.goto(course.phones)
        words = "ate pasta with cheese in a small restaurant last night"
        node(phone, "VP", words).tap()
        expect(phone.locator(".panel .name")).to_have_attribute("title", f"VP over “{words}”")
        inside(phone)
        node(phone, "NP", "pasta").tap()
        for _ in range(3):
            phone.get_by_role("button", name="extend the selection to the right").tap()
            inside(phone)
        expect(phone.locator(".panel .name")).to_have_attribute(
            "title", re.compile("4 neighbors: “pasta with .* night”")
        )
        phone.get_by_role("button", name="insert NP above").tap()
        expect(phone.locator(".said")).to_contain_text("Inserted NP over")
        assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def test_a_finger_drags_a_phrase_to_another_parent(new_page: Callable[..., Page], course: Addresses):
    teacher = new_page(viewport={"width": 1280, "height": 720})
    open_page(teacher, course.app, "lessons", teacher=course.secret)
    open_form(teacher)
    teacher.get_by_role("textbox", name="Gold trees").fill("(S (NP (N he)) (VP (V ran) (N home)))")
    teacher.get_by_role("textbox", name="Trees to correct").fill("(S (NP (N he)) (VP (V ran)) (NP (N home)))")
    make_exercise(teacher)
    teacher.locator(".st-key-exercise_rows button[kind=primary]").filter(has_text="Open").click()
    settle(teacher)
    teacher.get_by_role("button", name="Phones").click()
    teacher.get_by_role("button", name="Let the class answer").click()
    phone = new_page(**PHONE)
    phone.goto(course.phones)
    expect(node(phone, "NP", "home")).to_be_visible()
    boxes = [node(phone, label, words).bounding_box() for label, words in (("N", "home"), ("VP", "ran"))]
    assert all(boxes)
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box)
    session = phone.context.new_cdp_session(phone)
    for kind, points in (
        ("touchStart", [(x, y)]),
        *(("touchMove", [(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)]) for step in range(1, 9)),
        ("touchEnd", []),
    ):
        touches = [{"x": at_x, "y": at_y} for at_x, at_y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    expect(phone.locator(".said")).to_contain_text("NP, left empty, was removed")
    phone.get_by_role("button", name="Hand in").tap()
    expect(phone.get_by_text("Right.", exact=True)).to_be_visible()
