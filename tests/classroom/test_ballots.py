"""Phones of a class: what they show, one vote each, ballots that are closed and opened again."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import msgspec
import pytest

from evaltools.classroom.lessons import bundled_lessons
from evaltools.classroom.material import CHOICES
from evaltools.classroom.questions import Poll, question_of
from evaltools.classroom.votes import BallotBox
from evaltools.errors import ParameterError
from evaltools.outputs.lessons import phone_question
from tests.classroom.conftest import Class


def test_a_phone_follows_the_steps_and_votes_once(course: Class):
    phone = course.phone()
    assert phone.get().title == "The class has not begun."
    assert phone.cookie == ""
    versions = [phone.get("/now").body]
    course.ask("")
    assert phone.get().title == "Look at the screen in front."
    versions.append(phone.get("/now").body)
    course.ask("q")
    page = phone.get()
    assert page.title == "Which parse is worse?"
    assert "A &lt;b&gt;lesson&lt;/b&gt;" in page.body
    assert page.body.count("<button") == len(CHOICES)
    versions.append(phone.get("/now").body)
    for choice in ("a", "b"):
        assert phone.vote("q", choice) == 303
    assert course.votes.counts("q") == {"b": 1}
    page = phone.get()
    assert "Your answer: B is worse. You can still change it." in page.body
    assert 'value="b" aria-pressed="true">✓ B is worse' in page.body
    assert phone.get("/now").body == versions[-1], "a vote does not load other phones again"
    course.votes.close("q")
    versions.append(phone.get("/now").body)
    page = phone.get()
    assert page.title == "The question is closed: look at the screen."
    assert page.body.count(" disabled>") == len(CHOICES)
    assert len(set(versions)) == len(versions)


def test_showing_the_verdicts_closes_a_vote_and_it_can_be_opened_again(course: Class):
    course.ask("q")
    phone, late = course.phone(), course.phone()
    assert phone.vote("q", "a") == 303
    course.votes.close("q")
    for device in (phone, late):
        answer = device.post("/answer", ballot="q", answer="b")
        assert (answer.status, answer.title) == (409, "The question is closed: look at the screen.")
    assert course.votes.counts("q") == {"a": 1}
    course.votes.open("q")
    assert late.vote("q", "b") == 409, "what is closed stays so"
    course.votes.reopen("q")
    course.ask("q")
    assert "Your answer: A is worse. You can still change it." in phone.get().body
    assert [device.vote("q", "b") for device in (phone, late)] == [303, 303]
    assert course.votes.counts("q") == {"b": 2}


def test_an_answer_to_another_question_is_refused(course: Class):
    course.ask("first")
    phone = course.phone()
    course.ask("second")
    assert phone.vote("first", "a") == 409
    course.ask("")
    assert phone.vote("second", "a") == 409
    assert course.votes.total() == 0


def test_pictures_are_those_of_the_question_that_is_shown(course: Class):
    course.ask("q")
    phone = course.phone()
    addresses = re.findall(r'src="(picture/[^"]+)"', phone.get().body)
    assert [address.rpartition("/")[2] for address in addresses] == ["gold.svg", "a.svg", "b.svg"]
    for address in addresses:
        answer = phone.get(f"/{address}")
        assert answer.status == 200
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "sandbox" in answer.headers["content-security-policy"]
        assert ET.fromstring(answer.body).tag.endswith("svg")
    course.ask("other", content=msgspec.json.encode(Poll("Another?")).decode())
    assert [phone.get(f"/{address}").status for address in addresses] == [404] * 3


@pytest.mark.parametrize("name", bundled_lessons())
def test_every_bundled_question_has_a_page_with_its_pictures_and_not_its_answer(name: str):
    for step in bundled_lessons()[name].steps:
        question = phone_question(step)
        assert (question is not None) == bool(step.ballot)
        if question is None:
            continue
        assert question_of(question.kind, msgspec.json.encode(question).decode()) == question
        assert (question.pictures != ()) == (step.material is not None)
        answer = next(iter(question.options), question.correct)
        page = question.page(None, is_open=True, pictures="picture/x/")
        assert all(int(width) <= 900 for width in re.findall(r'width="(\d+)"', page)), step.title
        for state in (page, question.page(answer, is_open=True, pictures="x/")):
            assert "Right" not in state
            assert "Correct is" not in state
        if question.correct:
            assert "Right." in question.page(question.correct, is_open=False, pictures="x/")
            assert "Correct is" in question.page("9999", is_open=False, pictures="x/")


def test_a_question_that_cannot_be_read_is_not_asked(course: Class):
    damaged = [("poll", content) for content in ("{", '{"text": 1}', '{"text": "x", "options": ["a"]}')]
    for kind, content in (("nothing", "{}"), *damaged):
        course.ask("q", kind=kind, content=content)
        phone = course.phone()
        assert phone.get().title == "Look at the screen in front."
        assert phone.vote("q", "a") == 409


def test_an_answer_is_checked_by_its_question():
    question = Poll("Which?", options=CHOICES)
    assert [question.check(choice) for choice in CHOICES] == list(CHOICES)
    for wrong in ("", "c", "A", "a\n"):
        with pytest.raises(ParameterError, match="valid: a, b, equal"):
            question.check(wrong)


# -------------------------------------------------------------------------------------------------------------- stores


def run_as_the_phones(box: BallotBox, statement: str) -> None:
    with box._opened("rw") as database:
        database.execute(statement)


def test_the_phones_connection_can_only_add_votes_to_an_open_ballot(course: Class):
    votes = course.votes
    votes.vote("q", "teacher", "a")
    votes.open("q")
    box = BallotBox(votes.path)
    assert box.put("q", "phone", "b")
    assert box.put("q", "phone", "a")
    for statement in (
        "delete from votes",
        "update votes set choice = 'b'",
        "update questions set open = 1",
        "insert into questions values ('p', 1)",
        "insert into hands values ('q', 'a', 99)",
        "drop table votes",
        "create table x (a)",
        "delete from voters",
        "update voters set number = 1",
        "attach database ':memory:' as other",
        "pragma journal_mode = off",
        "insert into votes select 'q', hex(randomblob(4)), 'a' from sqlite_master",
    ):
        with pytest.raises(OSError, match=r"not authorized|prohibited"):
            run_as_the_phones(box, statement)
    votes.close("q")
    assert not box.put("q", "phone", "b")
    assert not box.put("other", "phone", "b"), "nobody has opened it"
    assert votes.counts("q") == {"a": 2}


def test_the_last_answer_counts_and_numbers_never_change(course: Class):
    votes = course.votes
    votes.open("q")
    votes.open("p")
    box = BallotBox(votes.path)
    for voter, answer in (("z", "1"), ("a", "2"), ("z", "3"), ("a", "4"), ("z", "5")):
        assert box.put("q", voter, answer)
    assert votes.answers("q") == {"z": "5", "a": "4"}
    assert votes.numbers() == {"z": 1, "a": 2}
    box.put("p", "b", "6")
    box.put("p", "a", "7")
    assert votes.numbers() == {"z": 1, "a": 2, "b": 3}
    assert [box.number_of(voter) for voter in ("z", "a", "b", "nobody")] == [1, 2, 3, 0]
    votes.close("q")
    assert not box.put("q", "z", "8")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"lesson": 1, "votes": "y"}', '{"lesson": "x"}'])
def test_a_state_that_cannot_be_read_is_none(course: Class, content: str):
    course.store.write(("insert into state values (1, ?)", (content,)))
    assert course.store.now() is None
    assert course.phone().get().title == "The class has not begun."
