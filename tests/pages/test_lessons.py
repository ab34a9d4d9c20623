"""The page Lessons, without a browser: every step of every lesson, votes, lessons of others."""

from __future__ import annotations

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
from evaltools.app.lessons.phones import phone_question
from evaltools.app.lessons.votes import votes_csv, votes_file
from evaltools.classroom import shelf
from evaltools.classroom.exercises import Exercise, item_of
from evaltools.classroom.lessons import bundled_lessons
from evaltools.classroom.material import TreePair, Vote
from evaltools.classroom.questions import Number, WorseParse, question_of
from evaltools.classroom.votes import (
    CLASS_FILE,
    PHONES_URL,
    TEACHER,
    BallotBox,
    ClassStore,
    Tally,
    VoteStore,
)
from evaltools.classroom.worse_parse import judges
from evaltools.corpus import Tree
from evaltools.errors import InputError
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


def votes_kept(name: str) -> VoteStore:
    return shelf.votes_of(name)


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
        assert len(blocks(app, "scores")[0]["rows"]) == len(blocks(app, "picture")) == 3
        app.button(key="lesson_shown").click().run()
        assert len(blocks(app, "rows")[0]["rows"]) == len(judges([step.material]))


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


def test_a_link_opens_a_step_with_its_answer_on_the_full_screen(open_app: Open):
    step = bundled_lessons()["attachment"].steps[4]
    app = open_app("lessons", lesson="attachment", slide="5", shown="1", full="1")
    assert app.main.header[0].value == step.title
    assert step.answer.strip()[:30] in texts(app)
    assert [row[3] for row in blocks(app, "formulas")[0]["rows"]] == ["25.00 %", "75.00 %"]
    assert app.button(key="lesson_full").label == "Leave full screen"


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
    assert votes_kept("vote").tally(question) == Tally(0, 1, 0)
    other = open_app("lessons", lesson="vote", slide="2")
    other.button(key="vote_equal").click().run()
    assert votes_kept("vote").tally(question) == Tally(0, 1, 1)
    assert not blocks(other, "rows")
    assert any("2 votes so far" in one.value for one in other.main.text)


def test_a_show_of_hands_is_typed_in_and_the_metrics_judge(open_app: Open):
    app = open_app("lessons", lesson="vote", slide="5")
    question = bundled_lessons()["vote"].votes[3][1].id
    for choice, number in (("a", 12), ("b", 3), ("equal", 1)):
        app.number_input(key=f"hands_{question}_{choice}").set_value(number)
    next(one for one in app.main.button if one.label == "Save these numbers").click().run()
    assert not app.exception
    assert votes_kept("vote").tally(question) == Tally(12, 3, 1)
    app.button(key="lesson_shown").click().run()
    assert [row[2] for row in blocks(app, "scores")[0]["rows"]] == ["12 of 16", "3 of 16", "1 of 16"]
    app.button(key="lesson_shown").click().run()
    assert "Most say: A is worse. 2 of 7 metrics agree." in said(app, "note")[0]
    (table,) = blocks(app, "rows")
    marked = [table["rows"][at][0] for at in table["marked"]]
    assert marked == ["Leaf-ancestor, exact", "Leaf-ancestor, graded"]
    assert {cells[1] for cells in table["rows"] if cells[0] not in marked} == {"equal"}


def test_the_agreement_is_drawn_saved_and_forgotten(open_app: Open):
    store = votes_kept("vote")
    for _, vote in bundled_lessons()["vote"].votes[:3]:
        store.hands(vote.id, Tally(4, 1, 0))
    app = open_app("lessons", lesson="vote", slide="8")
    assert not app.exception
    assert "3 of 6 questions have an answer; 15 votes" in said(app, "note")[-1]
    assert len(app.get("arrow_vega_lite_chart")) + len(app.get("vega_lite_chart")) == 1
    app.button(key="votes_reset_sure").click().run()
    assert store.tallies() == {}
    assert "No question has an answer yet" in said(app, "note")[-1]


def test_a_tie_is_no_missing_answer(open_app: Open):
    for _, vote in bundled_lessons()["vote"].votes[:2]:
        votes_kept("vote").hands(vote.id, Tally(3, 3, 1))
    app = open_app("lessons", lesson="vote", slide="8")
    summary = said(app, "note")[-1]
    assert summary.startswith(
        "0 of 6 questions have an answer; 14 votes. Tied, so without an answer of the class: 2 questions."
    )


def test_the_votes_as_a_file_hold_no_voter():
    text = votes_csv([(2, "One, or two", Tally(3, 1, 0), ())])
    assert text == 'step,question,votes_a,votes_b,votes_equal,class\n2,"One, or two",3,1,0,a\n'


def test_a_lesson_of_ones_own_is_kept_and_linked(open_app: Open):
    name = shelf.keep(OWN.encode(), "mine.toml")
    assert shelf.keep(OWN.encode(), "again.toml") == name
    app = open_app("lessons")
    assert app.button(key=f"open_{name}").label == "Open"
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


@pytest.mark.parametrize("data", [b"title = ", b"\xff\xfe", b'title = "x"', b"#" * (1 << 21)])
def test_what_is_no_lesson_is_not_kept(fresh_home: Path, data: bytes):
    st.cache_resource.clear()
    with pytest.raises(InputError, match=r"mine\.toml"):
        shelf.keep(data, "mine.toml")
    assert shelf.own_lessons() == {}


@pytest.mark.skipif(os.name != "posix", reason="a file in the place of a folder")
def test_where_nothing_can_be_kept_votes_last_as_long_as_the_app(fresh_home: Path, monkeypatch: pytest.MonkeyPatch):
    st.cache_resource.clear()
    (fresh_home / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr(shelf.platformdirs, "user_data_dir", lambda _: str(fresh_home / "file"))
    assert not shelf.votes_stay()
    votes_kept("vote").vote("q", "me", "a")
    assert votes_kept("vote").tally("q") == Tally(1, 0, 0)
    assert shelf.find(shelf.keep(OWN.encode(), "mine.toml")) is not None


def test_texts_fetch_nothing():
    assert as_markdown("![a][b] and !x", {}) == "\\![a][b] and !x"


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ClassStore:
    """Give the class that the app was started for."""
    monkeypatch.setenv(CLASS_FILE, str(tmp_path / "class.sqlite"))
    monkeypatch.setenv(PHONES_URL, "http://192.168.1.5:8502")
    monkeypatch.setenv(TEACHER, "secret")
    return ClassStore(tmp_path / "class.sqlite")


@pytest.mark.slow
def test_phones_follow_the_browser_that_began(open_app: Open, led: ClassStore):
    votes = bundled_lessons()["vote"].votes
    app = open_app("lessons", lesson="vote", slide="2")
    assert led.now() is None
    app.button(key="phones_begin").click().run()
    assert not app.exception
    now = led.now()
    assert now is not None
    assert (now.lesson, now.question) == ("Which parse is worse?", votes[0][1].id)
    assert Path(now.votes) == votes_kept("vote").path
    question = question_of(now.kind, now.content)
    assert isinstance(question, WorseParse)
    assert (question.gold, question.a, question.b) == (votes[0][1].gold, votes[0][1].a, votes[0][1].b)
    assert "http://192.168.1.5:8502" in said(app, "note")
    box = BallotBox(votes_kept("vote").path)
    assert box.put(now.question, "phone", "b")
    app.button(key="lesson_shown").click().run()
    assert not box.put(now.question, "late", "a"), "showing the verdicts closes the ballot"
    assert led.now() == now
    app.button(key="lesson_shown").click().run()
    assert not box.put(now.question, "late", "a"), "hiding them does not open it"
    app.button(key="vote_again").click().run()
    assert led.now() == now
    assert box.put(now.question, "phone", "a"), "a vote can be changed then"
    assert votes_kept("vote").tally(votes[0][1].id) == Tally(1, 0, 0)
    app.button(key="lesson_Next").click().run()
    assert getattr(led.now(), "question", None) == votes[1][1].id
    open_app("lessons", lesson="vote", slide="5")  # another browser looks at the lesson
    assert getattr(led.now(), "question", None) == votes[1][1].id
    app.button(key="lesson_Previous").click().run()
    app.button(key="lesson_Previous").click().run()
    assert getattr(led.now(), "question", None) == ""
    app.button(key="phones_end").click().run()
    assert led.now() is None


def test_the_teacher_says_how_many_students_there_are(open_app: Open, led: ClassStore):
    app = open_app("lessons", lesson="vote", slide="2")
    app.number_input(key="phones_students").set_value(3).run()
    app.button(key="phones_begin").click().run()
    assert not app.exception
    now = led.now()
    assert now is not None
    assert now.students == 3
    assert "Vote with your phone:" in said(app, "answer")


def test_a_rehearsal_does_not_close_the_ballots_of_the_class(open_app: Open, led: ClassStore):
    question = bundled_lessons()["vote"].votes[0][1].id
    app = open_app("lessons", lesson="vote", slide="2")
    app.button(key="phones_begin").click().run()
    for _ in range(3):  # the class's result, the metrics, nothing
        app.button(key="lesson_shown").click().run()
    assert "shown" not in app.query_params
    assert not votes_kept("vote").is_open(question)
    app.button(key="phones_end").click().run()
    app.button(key="phones_begin").click().run()
    assert BallotBox(votes_kept("vote").path).is_open(question)


def test_without_a_class_the_verdicts_close_a_ballot_that_has_votes(open_app: Open):
    question = bundled_lessons()["vote"].votes[0][1].id
    app = open_app("lessons", lesson="vote", slide="2", shown="1")
    assert votes_kept("vote").is_open(question)
    assert not votes_kept("vote").path.exists()
    app.button(key="vote_a").click().run()
    app.run()
    assert "vote_a" not in {button.key for button in app.main.button}
    assert any("1 vote; the vote is closed" in one.value for one in app.main.text)
    app.button(key="vote_again").click().run()
    assert "shown" not in app.query_params
    assert not app.button(key="vote_a").disabled
    assert any("You: A is worse. 1 vote so far" in one.value for one in app.main.text)


def test_an_app_without_phones_names_the_command(open_app: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv(CLASS_FILE, raising=False)
    app = open_app("lessons", lesson="vote", slide="2")
    assert "make class" in [one.value for one in app.main.code]
    assert "phones_begin" not in {one.key for one in app.main.button}
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
    assert [cells[:2] for cells in blocks(app, "rows")[0]["rows"]] == [
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


def test_a_lesson_of_ones_own_can_be_taken_away_with_its_votes(open_app: Open):
    name = shelf.keep(OWN.encode(), "mine.toml")
    votes_kept(name).vote("q", "me", "a")
    assert shelf.file_of(name) == OWN.encode()
    app = open_app("lessons")
    app.button(key=f"remove_{name}").click().run()
    assert not app.exception
    assert f"open_{name}" not in {one.key for one in app.main.button}
    assert "open_attachment" in {one.key for one in app.main.button}
    assert (shelf.find(name), shelf.file_of(name), votes_kept(name).tallies()) == (None, b"", {})


@pytest.mark.parametrize("name", ["attachment", "../own-0123456789ab", "own-0123456789ab"])
def test_nothing_but_lessons_of_ones_own_is_removed(fresh_home: Path, name: str):
    st.cache_resource.clear()
    store = votes_kept("attachment")
    store.vote("q", "me", "a")
    shelf.remove(name)
    assert shelf.file_of(name) == b""
    assert store.tally("q") == Tally(1, 0, 0)


def test_all_that_is_wrong_is_listed(fresh_home: Path):
    steps = b'[[step]]\ntitle = "ok"\n[[step]]\ntitle = ""\n[[step]]\ntitle = "x"\n[step.trees]\ngold = "(S"\n'
    text = b'about = "y"\nminuets = 3\n' + steps
    problems = shelf.problems_of(text, "mine.toml")
    assert [one.line for one in problems] == [2, None, 6, 10]
    assert problems[0].found == "unknown key 'minuets'"
    assert problems[1].found == "no title"
    assert shelf.problems_of(OWN.encode(), "mine.toml") == ()
    assert shelf.problems_of(b"\xff", "mine.toml")[0].found == "bytes that are no UTF-8"


def test_before_the_next_class_the_votes_of_the_last_one_are_forgotten(open_app: Open):
    vote = bundled_lessons()["vote"].votes[0][1]
    assert "forget_vote" not in {one.key for one in open_app("lessons").main.button}
    votes_kept("vote").hands(vote.id, Tally(4, 1, 0))
    app = open_app("lessons")
    assert "5 votes on this lesson." in [one.value for one in app.main.text]
    rows = votes_file(bundled_lessons()["vote"], votes_kept("vote")).decode().splitlines()
    assert rows[0].startswith("step,question,votes_a,votes_b,votes_equal,class,f1,")
    assert rows[1].startswith("2,")
    assert len(rows) == 1 + len(bundled_lessons()["vote"].votes)
    app.button(key="forget_vote").click().run()
    assert not app.exception
    assert votes_kept("vote").tallies() == {}
    assert "forget_vote" not in {one.key for one in app.main.button}


# ---------------------------------------------------------------------------------- tasks, the teacher's window, sheets


def step_of(lesson: str, kind: str) -> int:
    """Return the number of the first step with a task of a kind."""
    return next(
        number for number, step in enumerate(bundled_lessons()[lesson].steps, 1) if step.task and step.task.kind == kind
    )


@pytest.mark.parametrize(("kind", "value", "given"), [("predict", 0.5, "0.50"), ("count", 3, "3")])
def test_a_prediction_is_compared_with_the_figure(open_app: Open, kind: str, value: float, given: str):
    number = step_of("brackets", kind)
    app = open_app("lessons", lesson="brackets", slide=str(number))
    app.number_input(key=f"task_brackets_{number}_input").set_value(value).run()
    app.button(key="lesson_shown").click().run()
    assert not app.exception
    assert any(given in text for text in said(app, "answer"))
    app.button(key="lesson_shown").click().run()
    assert app.number_input(key=f"task_brackets_{number}_input").value == value


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
    app = open_app("lessons", lesson="attachment", slide="3")
    me = app.session_state["evaltools_device"]
    notes = open_app("lessons", lesson="brackets", slide="2", notes="1")
    notes.session_state["evaltools_device"] = me  # the other window of the same browser
    notes.run()
    assert notes.main.header[0].value == bundled_lessons()["attachment"].steps[2].title


def test_every_lesson_asks_phones_something():
    for name, lesson in bundled_lessons().items():
        asked = [step.ballot for step in lesson.steps if step.ballot]
        assert asked, name
        assert len(set(asked)) == len(asked), name
        assert all((phone_question(step) is not None) == bool(step.ballot) for step in lesson.steps)


def test_a_class_enters_numbers_by_phone(open_app: Open, led: ClassStore):
    step = bundled_lessons()["brackets"].steps[1]
    app = open_app("lessons", lesson="brackets", slide="2")
    app.button(key="phones_begin").click().run()
    assert not app.exception
    now = led.now()
    assert now is not None
    assert (now.question, now.kind) == (step.ballot, Number.kind)
    assert question_of(now.kind, now.content) == Number("Count the brackets of this tree.")
    box = BallotBox(votes_kept("brackets").path)
    assert box.put(now.question, "a", "4")
    assert box.put(now.question, "b", "9")
    assert blocks(app.run(), "scores") == [], "no answers before the solution"
    assert any("2 answers by phone so far" in one.value for one in app.main.text)
    app.button(key="lesson_shown").click().run()
    assert not app.exception
    (chart,) = blocks(app, "scores")
    assert chart["heading"] == "The class: 2 answers"
    assert [row[0] for row in chart["rows"]] == ["4 ✓", "9"]
    assert not box.put(now.question, "late", "4"), "the answer closes the question"
    app.button(key="poll_again").click().run()
    assert box.put(now.question, "late", "4")


def test_a_lesson_does_not_take_phones_from_an_exercise(open_app: Open, led: ClassStore):
    item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    name = shelf.keep_exercise(Exercise("Mine", (item,)))
    app = open_app("lessons", exercise=name)
    app.button(key="phones_begin").click().run()
    before = led.now()
    assert before is not None
    lesson = open_app("lessons", lesson="vote", slide="2")
    lesson.session_state["evaltools_device"] = before.leader  # the same browser
    lesson.run()
    assert led.now() == before
    assert any("the exercise “Mine”" in one.value for one in lesson.main.text)
    lesson.button(key="phones_begin").click().run()
    now = led.now()
    assert now is not None
    assert now.question == bundled_lessons()["vote"].votes[0][1].id


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
    sheets = {f"sheet_brackets_{sheet}_html" for sheet in ("exercises", "solutions", "handout")}
    assert sheets <= {one.key for one in app.get("download_button")}
