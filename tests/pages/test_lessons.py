"""The page Lessons, without a browser: every step of every lesson, votes, lessons of others."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evaltools.app.lessons import phones
from evaltools.app.lessons.layout import as_markdown
from evaltools.classroom import shelf
from evaltools.classroom.lessons import bundled_lessons
from evaltools.classroom.material import TreePair, Vote
from evaltools.classroom.questions import Poll, question_of
from evaltools.classroom.votes import BallotBox, ClassState, ClassStore
from evaltools.classroom.worse_parse import JUDGES
from evaltools.hosts import CLASS_FILE, PHONES_URL, TEACHER
from evaltools.outputs.lessons import answers_csv, phone_question
from tests.pages.shown import blocks, said

Open = Callable[..., AppTest]
STEPS = [(name, place) for name, lesson in bundled_lessons().items() for place in range(1, len(lesson.steps) + 1)]
OWN = """
title = "Mine $x$ <b>"
about = "With ![a picture](http://example.com/x.png)"
[[step]]
title = "One ![p](http://example.com/p.png)"
text = "<script>alert(1)</script> ![p](http://example.com/p.png) {{ted}}"
[step.trees]
gold = "(S (A <i>a</i>) (B $b$))"
test = "(S (A <i>a</i>) (C $b$))"
show = ["trees", "e", "t", "brackets", "brackets_whole", "words", "lineage", "table"]
word = 2
"""


def texts(app: AppTest) -> str:
    return "\n".join(one.value for one in app.main.markdown)


@pytest.mark.parametrize(("name", "place"), STEPS, ids=[f"{name}-{place}" for name, place in STEPS])
@pytest.mark.slow
def test_every_step_is_shown(open_app: Open, name: str, place: int):
    step = bundled_lessons()[name].steps[place - 1]
    for shown in ("0", "1") if step.hides else ("1",):
        app = open_app("lessons", lesson=name, slide=str(place), shown=shown, full="1")
        assert not app.exception
        assert not app.error
        assert app.main.header[0].value == step.title
        hidden = shown == "0" and step.task is not None
        assert not (hidden and blocks(app, "formulas"))
        assert not (hidden and step.answer and step.answer[:20] in texts(app))
    assert app.button(key="lesson_Previous").disabled == (place == 1)
    assert app.button(key="lesson_Next").disabled == (place == len(bundled_lessons()[name].steps))
    drawn = [one for kind in ("picture", "strip", "rows") for one in blocks(app, kind)]
    assert (step.material is not None) == bool(drawn)
    assert "{{" not in texts(app)
    if isinstance(step.material, Vote):
        assert len(blocks(app, "picture")) == 3
        app.button(key="lesson_shown").click().run()
        assert len(blocks(app, "picture")) == 3, "the trees stay"
        assert len(blocks(app, "rows")[0]["rows"]) == len(JUDGES)


def test_the_list_leads_to_a_lesson_and_back(open_app: Open):
    app = open_app("lessons")
    assert not app.exception
    assert said(app, "answer")[0].startswith("6 lessons, 270 minutes in all")
    assert said(app, "note")[0] == "Each fills one class of 45 minutes, with its questions and talking."
    app.button(key="open_lineages").click().run()
    assert app.query_params["lesson"] == "lineages"
    app.button(key="lesson_Next").click().run()
    assert app.query_params["slide"] == "2"
    assert app.main.header[0].value == bundled_lessons()["lineages"].steps[1].title
    app.button(key="lesson_full").click().run()
    assert app.query_params["full"] == "1"
    app.button(key="lesson_Previous").click().run()
    assert "slide" not in app.query_params
    app.button(key="lesson_all").click().run()
    assert {"lesson", "slide", "full"}.isdisjoint(app.query_params)
    assert app.main.header[0].value == "Lessons"


def test_an_answer_is_shown_when_asked_for_and_goes_with_its_step(open_app: Open):
    app = open_app("lessons", lesson="attachment", slide="2")
    hidden = bundled_lessons()["attachment"].steps[1].answer[:20]
    assert hidden not in texts(app)
    app.button(key="lesson_shown").click().run()
    assert hidden in texts(app)
    app.button(key="lesson_Next").click().run()
    assert "shown" not in app.query_params


def test_the_trees_of_a_step_are_taken_to_the_lab(open_app: Open):
    app = open_app("lessons", lesson="attachment", slide="4")
    (link,) = [one.proto.url for one in app.get("link_button") if one.proto.label.startswith("Open these trees")]
    address = urlsplit(link)
    assert address.path == "lab"
    lab = open_app("lab", **{name: values[0] for name, values in parse_qs(address.query).items()})
    assert not lab.exception
    step = bundled_lessons()["attachment"].steps[3]
    assert isinstance(step.material, TreePair)
    assert (lab.query_params["lab_gold"], lab.query_params["lab_test"]) == (step.material.gold, step.material.test)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ({"lesson": "attachment", "slide": "99"}, "Recap"),
        ({"lesson": "attachment", "slide": "x"}, "What you will be able to do"),
        ({"lesson": "ancestry"}, "What you will be able to do"),
        ({"lesson": "../../secret"}, "Lessons"),
        ({"lesson": "own-0123456789ab"}, "Lessons"),
    ],
)
def test_links_that_say_nothing_sensible_lead_somewhere(open_app: Open, query: dict[str, str], title: str):
    app = open_app("lessons", **query)
    assert not app.exception
    assert app.main.header[0].value == title
    if title == "Lessons":
        assert "There is no lesson" in said(app, "note")[0]


def test_a_session_votes_once_and_may_change_its_mind(open_app: Open):
    app = open_app("lessons", lesson="vote", slide="2")
    question = bundled_lessons()["vote"].votes[0][1].id
    for choice in ("a", "b"):
        app.button(key=f"vote_{choice}").click().run()
        assert not app.exception
    assert shelf.ballots().counts(question) == {"b": 1}
    other = open_app("lessons", lesson="vote", slide="2")
    other.button(key="vote_equal").click().run()
    assert shelf.ballots().counts(question) == {"b": 1, "equal": 1}
    assert not blocks(other, "rows")
    assert any("2 answers so far" in one.value for one in other.main.text)


def test_a_show_of_hands_is_typed_in_and_the_metrics_judge(open_app: Open):
    app = open_app("lessons", lesson="vote", slide="5")
    question = bundled_lessons()["vote"].votes[3][1].id
    for choice, number in (("a", 12), ("b", 3), ("equal", 1)):
        app.number_input(key=f"hands_{question}_{choice}").set_value(number)
    next(one for one in app.main.button if one.label == "Save these numbers").click().run()
    assert not app.exception
    assert shelf.ballots().counts(question) == {"a": 12, "b": 3, "equal": 1}
    app.button(key="lesson_shown").click().run()
    assert [row[2] for row in blocks(app, "scores")[0]["rows"]] == ["12 of 16", "3 of 16", "1 of 16"]
    app.button(key="lesson_shown").click().run()
    assert "Most say: A is worse. 1 of 6 metrics agree." in said(app, "note")[0]
    (table,) = blocks(app, "rows")
    marked = [table["rows"][at][0] for at in table["marked"]]
    assert marked == ["Leaf-ancestor, graded"]
    assert {cells[1] for cells in table["rows"] if cells[0] not in marked} == {"equal"}


def test_the_agreement_is_drawn_and_a_tie_is_no_missing_answer(open_app: Open):
    votes = bundled_lessons()["vote"].votes
    app = open_app("lessons", lesson="vote", slide="8")
    assert "No question has an answer yet." in said(app, "note")
    for _, vote in votes[:3]:
        shelf.ballots().hands(vote.id, {"a": 4, "b": 1})
    shelf.ballots().hands(votes[3][1].id, {"a": 3, "b": 3})
    app.run()
    assert not app.exception
    assert "3 of 6 questions have an answer. Tied, so without an answer of the class: 1 question." in said(app, "note")
    (shown,) = blocks(app, "scores")
    assert len(shown["rows"]) == len(JUDGES)
    assert all(row[2].endswith("of 3") for row in shown["rows"])


def test_the_answers_of_a_class_are_one_file():
    vote, brackets = bundled_lessons()["vote"].votes[0][1], bundled_lessons()["brackets"].steps[1]
    ballots = shelf.ballots()
    for question, answer in ((vote.id, "b"), (brackets.ballot, "4"), (brackets.ballot, "5")):
        ballots.open(question)
        assert BallotBox(ballots.path).put(question, f"phone{answer}", answer)
    ballots.hands(vote.id, {"a": 12})
    rows = list(csv.reader(io.StringIO(answers_csv(ballots, "today"))))
    assert rows[0][:3] == ["class", "lesson", "step"]
    assert [row[4:8] for row in rows[1:]] == [
        ["2", "1", "4", "yes"],
        ["3", "1", "5", "no"],
        ["1", "1", "B is worse", ""],
        ["hands", "12", "A is worse", ""],
    ]
    assert {row[0] for row in rows[1:]} == {"today"}
    assert "phone" not in "".join(map("".join, rows))


def test_a_new_class_has_new_ballots_and_an_earlier_one_is_continued(open_app: Open):
    shelf.ballots().hands("q", {"a": 1})
    first = shelf.class_now()
    app = open_app("lessons", lesson="brackets", slide="2")
    app.button(key="class_new").click().run()
    assert not app.exception
    assert shelf.class_now() != first
    assert not shelf.ballots().counts("q")
    app = open_app("lessons")
    app.selectbox(key="class_chosen").set_value(first).run()
    app.button(key="class_open").click().run()
    assert shelf.class_now() == first
    assert shelf.ballots().counts("q") == {"a": 1}
    shelf.begin_class()
    app = open_app("lessons")
    app.selectbox(key="class_chosen").set_value(first).run()
    app.button(key="class_delete_sure").click().run()
    assert not app.exception
    assert shelf.earlier_classes() == []


def test_a_lesson_of_ones_own_is_kept_and_linked(open_app: Open):
    name = shelf.keep(OWN.encode(), "mine.toml")
    assert shelf.keep(OWN.encode(), "again.toml") == name
    app = open_app("lessons")
    assert app.button(key=f"open_{name}").label == r"Open :gray[Mine \$x\$ \<b\>]"
    app = open_app("lessons", lesson=name)
    assert not app.exception
    shown = texts(app)
    assert "83.33" in shown
    assert "![" not in shown.replace("\\![", "")
    assert "![" not in app.main.header[0].value.replace("\\![", "")
    assert len(blocks(app, "picture")) == 8


def test_the_template_is_offered_and_is_a_lesson(open_app: Open):
    pattern = (resources.files("evaltools.classroom") / "data/pattern.toml").read_bytes()
    app = open_app("lessons")
    assert "lesson_pattern" in {one.key for one in app.get("download_button")}
    assert pattern.decode().strip() in [one.value for one in app.main.code]
    app = open_app("lessons", lesson=shelf.keep(pattern, "lesson.toml"))
    assert not app.exception
    assert app.main.header[0].value == "What you will be able to do"


@pytest.mark.skipif(os.name != "posix", reason="a file in the place of a folder")
def test_where_nothing_can_be_kept_votes_last_as_long_as_the_app(
    fresh_home: Path, monkeypatch: pytest.MonkeyPatch, open_app: Open
):
    st.cache_resource.clear()
    (fresh_home / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr(shelf.platformdirs, "user_data_dir", lambda _: str(fresh_home / "file"))
    assert not shelf.answers_stay()
    shelf.ballots().vote("q", "me", "a")
    assert shelf.ballots().counts("q") == {"a": 1}
    assert shelf.find(shelf.keep(OWN.encode(), "mine.toml")) is not None
    app = open_app("lessons", lesson="brackets", slide="2")
    assert any("kept only until the app is closed" in text.value for text in app.text)


def test_texts_fetch_nothing():
    assert as_markdown("![a][b] and !x", {}) == "\\![a][b] and !x"


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ClassStore:
    monkeypatch.setenv(CLASS_FILE, str(tmp_path / "class.sqlite"))
    monkeypatch.setenv(PHONES_URL, "http://192.168.1.5:8502")
    monkeypatch.setenv(TEACHER, "secret")
    return ClassStore(tmp_path / "class.sqlite")


def now(led: ClassStore) -> ClassState:
    state = led.now()
    assert state is not None
    return state


@pytest.mark.slow
def test_phones_follow_without_being_told(open_app: Open, led: ClassStore):
    votes = bundled_lessons()["vote"].votes
    app = open_app("lessons", lesson="vote", slide="2")
    assert not app.exception
    shown = now(led)
    assert (shown.lesson, shown.question) == ("Which parse is worse?", votes[0][1].id)
    assert Path(shown.votes) == shelf.class_path()
    question = question_of(shown.kind, shown.content)
    assert isinstance(question, Poll)
    assert [picture.name for picture in question.pictures] == ["gold", "a", "b"]
    assert "(S" in question.pictures[0].text
    assert "http://192.168.1.5:8502" in said(app, "note")
    box = BallotBox(shelf.class_path())
    assert box.put(shown.question, "phone", "b")
    assert any("1 of 1 phone so far" in one.value for one in app.run().main.text)
    app.button(key="lesson_shown").click().run()
    assert not box.put(shown.question, "late", "a"), "showing the result closes the question"
    app.button(key="lesson_shown").click().run()
    app.button(key="lesson_shown").click().run()
    assert not box.put(shown.question, "late", "a"), "hiding it does not open it"
    app.button(key="vote_again").click().run()
    assert now(led) == shown
    assert box.put(shown.question, "phone", "a"), "a vote can be changed then"
    assert shelf.ballots().counts(votes[0][1].id) == {"a": 1}
    app.button(key="lesson_Next").click().run()
    assert now(led).question == votes[1][1].id
    app.button(key="lesson_all").click().run()
    assert now(led).question == ""


def test_a_rehearsal_does_not_close_the_questions_of_the_class(open_app: Open, led: ClassStore):
    question = bundled_lessons()["vote"].votes[0][1].id
    app = open_app("lessons", lesson="vote", slide="2")
    app.button(key="lesson_shown").click().run()
    assert not shelf.ballots().is_open(question)
    app.button(key="lesson_shown").click().run()
    app.button(key="lesson_shown").click().run()
    assert shelf.ballots().is_open(question)


def test_without_a_class_the_result_closes_a_question_that_has_votes(open_app: Open):
    app = open_app("lessons", lesson="vote", slide="2", shown="1")
    assert not shelf.class_path().exists()
    app.button(key="lesson_shown").click().run()
    app.button(key="lesson_shown").click().run()
    app.button(key="vote_a").click().run()
    app.button(key="lesson_shown").click().run()
    assert "vote_a" not in {button.key for button in app.main.button}
    assert any("1 answer; the question is closed" in one.value for one in app.main.text)
    app.button(key="vote_again").click().run()
    assert "shown" not in app.query_params
    assert any("You: A is worse. 1 answer so far" in one.value for one in app.main.text)


def test_an_app_without_phones_names_the_command(open_app: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv(CLASS_FILE, raising=False)
    app = open_app("lessons", lesson="vote", slide="2")
    assert "make class" in [one.value for one in app.main.code]
    other = open_app("lessons", lesson=shelf.keep(OWN.encode(), "mine.toml"))  # it asks phones nothing
    assert not other.main.code
    monkeypatch.setattr(phones, "app_folder", lambda: tmp_path)  # installed by pip: no Makefile
    assert phones.command() == "evaltools class"


def test_a_file_is_taken_in_once_and_what_is_wrong_with_one_is_listed(open_app: Open):
    app = open_app("lessons")

    def give(text: str) -> None:
        (uploader,) = (one for one in app.get("file_uploader") if one.key == "lesson_file")
        uploader.set_value([("mine.toml", text.encode(), "application/toml")])
        app.run()
        assert not app.exception

    give('title = "x"\nabout = "y"\n[[step]]\ntitel = "z"\n[[step]]\ntitle = 3\n')
    assert [error.value for error in app.error] == ["This is not a valid lesson: 2 problems to correct."]
    assert [cells[1:3] for cells in blocks(app, "rows")[0]["rows"]] == [
        ["4", "unknown key 'titel' in step 1"],
        ["6", "title = 3 in step 2"],
    ]
    give(OWN)
    assert "No problems; 1 step." in [text.value for text in app.main.text]
    app.button(key="open_given").click().run()
    assert app.query_params["lesson"] in shelf.own_lessons()
    app.button(key="lesson_all").click().run()
    (name,) = shelf.own_lessons()
    app.button(key=f"remove_{name}").click().run()
    assert not app.exception
    assert shelf.own_lessons() == {}


@pytest.mark.parametrize("name", ["attachment", "../own-0123456789ab", "own-0123456789ab"])
def test_nothing_but_lessons_of_ones_own_is_removed(fresh_home: Path, name: str):
    st.cache_resource.clear()
    shelf.ballots().vote("q", "me", "a")
    kept = shelf.keep(OWN.encode(), "mine.toml")
    shelf.remove(name)
    assert shelf.file_of(name) == b""
    assert shelf.file_of(kept) == OWN.encode()
    assert shelf.ballots().counts("q") == {"a": 1}


def test_all_that_is_wrong_is_listed(fresh_home: Path):
    steps = b'[[step]]\ntitle = "ok"\n[[step]]\ntitle = ""\n[[step]]\ntitle = "x"\n[step.trees]\ngold = "(S"\n'
    text = b'about = "y"\nminuets = 3\n' + steps
    problems = shelf.problems_of(text, "mine.toml")
    assert [one.line for one in problems] == [2, None, 6, 10]
    assert problems[0].found == "unknown key 'minuets'"
    assert problems[1].found == "no title"
    assert shelf.problems_of(OWN.encode(), "mine.toml") == ()
    assert shelf.problems_of(b"\xff", "mine.toml")[0].found == "bytes that are no UTF-8"
    assert shelf.problems_of(b"#" * 1_048_577, "mine.toml")[0].expected == "no more than 1,048,576"


def test_a_lesson_of_windows_is_the_same_lesson(fresh_home: Path):
    windows = b"\xef\xbb\xbf" + OWN.replace("\n", "\r\n").encode()
    name, name_of_windows = (shelf.keep(data, "mine.toml") for data in (OWN.encode(), windows))
    assert shelf.find(name_of_windows) == shelf.find(name) is not None


# ---------------------------------------------------------------------------------- tasks, the teacher's window, sheets


def step_of(lesson: str, kind: str) -> int:
    return next(
        number for number, step in enumerate(bundled_lessons()[lesson].steps, 1) if step.task and step.task.kind == kind
    )


@pytest.mark.parametrize(
    ("kind", "written", "told"),
    [
        ("predict", "1/2", "Your number: 50.00 %. Not right: it is 60.00 %."),
        ("predict", "3/5", "Your number: 60.00 %. Right."),
        ("predict", "60 %", "Your number: 60.00 %. Right."),
        ("predict", "many", "Your number: 'many'; expected a percentage, a fraction, or a number from 0 to 1."),
        ("count", "3", "Your number: 3. Not right: it is 4."),
    ],
)
def test_a_number_is_compared_with_the_figure(open_app: Open, kind: str, written: str, told: str):
    number = step_of("brackets", kind)
    app = open_app("lessons", lesson="brackets", slide=str(number))
    app.text_input(key=f"task_brackets_{number}_input").set_value(written).run()
    app.button(key="lesson_shown").click().run()
    assert not app.exception
    assert told in said(app, "answer")
    app.button(key="lesson_shown").click().run()
    assert app.text_input(key=f"task_brackets_{number}_input").value == written


def test_the_brackets_to_click_are_listed_and_marked_afterwards(open_app: Open):
    number = step_of("brackets", "click")
    app = open_app("lessons", lesson="brackets", slide=str(number))
    (listed,) = blocks(app, "steps")
    assert {status for status, _ in listed["rows"]} == {"right"}
    assert len(blocks(app, "picture")) == 2  # the two trees, without marks
    app.button(key="lesson_shown").click().run()
    (listed,) = blocks(app, "steps")
    assert [text for status, text in listed["rows"] if status != "right"] == ["NP: the dog food"]


def test_the_notes_follow_into_another_lesson(open_app: Open):
    open_app("lessons", lesson="attachment", slide="3")
    notes = open_app("lessons", lesson="brackets", slide="2", notes="1")
    assert notes.main.header[0].value == bundled_lessons()["attachment"].steps[2].title


def test_every_lesson_asks_phones_something():
    for name, lesson in bundled_lessons().items():
        asked = [step.ballot for step in lesson.steps if step.ballot]
        assert asked, name
        assert len(set(asked)) == len(asked), name
        assert all((phone_question(step) is not None) == bool(step.ballot) for step in lesson.steps)


def test_a_class_enters_numbers_by_phone(open_app: Open, led: ClassStore):
    app = open_app("lessons", lesson="brackets", slide="2")
    asked = now(led).question
    box = BallotBox(shelf.class_path())
    assert box.put(asked, "a", "4")
    assert box.put(asked, "b", "9")
    assert box.join("c")
    assert blocks(app.run(), "scores") == [], "no answers before the solution"
    assert any("2 of 3 phones so far" in one.value for one in app.main.text)
    app.button(key="lesson_shown").click().run()
    assert not app.exception
    (chart,) = blocks(app, "scores")
    assert chart["heading"] == "The class: 2 answers"
    assert [row[0] for row in chart["rows"]] == ["4 ✓", "9"]


def test_the_last_step_leads_to_the_next_lesson(open_app: Open):
    app = open_app("lessons", lesson="brackets", slide="99")
    app.button(key="lesson_follows").click().run()
    assert app.query_params["lesson"] == "attachment"
    assert "slide" not in app.query_params


def test_notes_are_in_the_teachers_window_only(open_app: Open):
    step = bundled_lessons()["brackets"].steps[1]
    app = open_app("lessons", lesson="brackets", slide="2", shown="1")
    assert step.notes not in texts(app)
    app = open_app("lessons", lesson="brackets", slide="2", notes="1")
    assert not app.exception
    assert step.notes in texts(app)
    assert any("Step 2 of 14 · 3 minutes · ends after 5 of 45 minutes" in one.value for one in app.main.text)
    assert not app.main.button


def test_the_list_offers_every_sheet(open_app: Open):
    app = open_app("lessons")
    sheets = {f"sheet_brackets_{sheet}" for sheet in ("exercises", "solutions", "handout", "script")}
    assert sheets <= {one.key for one in app.get("download_button")}
