"""Students answer an exercise by phone: drafts, handing in, what they see, and what is refused."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import msgspec
import pytest

from evaltools import Tree
from evaltools.classroom.exercises import MAX_EDITS, item_of
from evaltools.classroom.questions import TreeExercise, drawing_style, question_of, warm
from tests.classroom.client import Answer, Phone
from tests.classroom.conftest import Class

GOLD = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))))"
PARSE = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))"
RIGHT = "i7,13,NP"  # over “pasta” and “with cheese”
ITEM = item_of("1", Tree.from_string(GOLD), Tree.from_string(PARSE))


def ask(course: Class, **values: Any) -> TreeExercise:
    question = TreeExercise(ITEM, "Sentence 1 of 2", ("NP", "PP", "S", "VP"), **values)
    course.ask(kind=TreeExercise.kind, content=msgspec.json.encode(question).decode())
    return question


def hand_in(phone: Phone, edits: str, name: str = "") -> Answer:
    return phone.post("/answer", ballot="q", answer=json.dumps({"edits": edits, "name": name}))


def draft(phone: Phone, edits: str) -> dict[str, Any]:
    answer = phone.post("/draft", ballot="q", edits=edits)
    assert answer.status == 200, answer.body
    return dict(json.loads(answer.body))


def test_a_student_edits_hands_in_and_sees_at_once_what_is_not_right(course: Class):
    ask(course)
    phone = course.phone()
    page = phone.get()
    assert page.title == "Sentence 1 of 2: Correct the tree"
    assert "She ate pasta with cheese" in page.body
    shown = draft(phone, "")
    assert 'class="node test right phrase"' in shown["svg"]
    assert "<style" not in shown["svg"], "the page has the style once"
    assert (shown["undo"], shown["message"], shown["labels"]) == (False, "", ["NP", "PP", "S", "VP"])
    after = draft(phone, "r13,X")
    assert after["undo"]
    assert after["message"] == "Relabeled PP over “with cheese” as X"
    assert "spurious" not in after["svg"], "marks only what was handed in"
    assert hand_in(phone, "r13,X").status == 303
    page = phone.get()
    assert "Not right yet: 2 corrections are still missing." in page.body
    assert "0 of 100 points: 0 errors repaired, 2 left." in page.body
    assert page.body.count("<li>") == 2
    assert 'data-edits="r13,X"' in page.body
    marked = draft(phone, "r13,X")
    assert 'class="node test relabeled phrase"' in marked["svg"]
    assert len(marked["legend"]) == 1
    assert hand_in(phone, RIGHT).status == 303
    assert "Right." in phone.get().body
    assert "<li>" not in phone.get().body
    assert course.votes.answers("q") == {next(iter(course.votes.answers("q"))): '{"edits":"i7,13,NP","name":""}'}


@pytest.mark.parametrize(
    ("feedback", "texts", "marked"), [("words", 2, True), ("places", 0, True), ("points", 0, False)]
)
def test_the_teacher_chooses_what_students_see_while_a_sentence_is_open(
    course: Class, feedback: str, texts: int, marked: bool
):
    ask(course, feedback=feedback)
    phone, other = course.phone(), course.phone()
    other.get()
    phone.get()
    assert hand_in(phone, "r13,X").status == 303
    page = phone.get().body
    assert "of 100 points" in page
    assert page.count("<li>") == texts
    assert ("relabeled" in draft(phone, "r13,X")["svg"]) is marked
    course.votes.close("q")
    ask(course, feedback=feedback, is_closed=True)
    assert phone.get().body.count("<li>") == 2
    assert "You have not handed in an answer." in other.get().body


def test_names_are_stored_only_if_they_were_asked_for(course: Class):
    ask(course)
    hand_in(course.phone(), "", "Ada")
    assert [json.loads(text)["name"] for text in course.votes.answers("q").values()] == [""]
    ask(course, ask_names=True)
    phone = course.phone("192.168.1.8")
    assert 'id="name"' in phone.get().body
    hand_in(phone, "", '<b>"Ada"')
    assert sorted(json.loads(text)["name"] for text in course.votes.answers("q").values()) == ["", '<b>"Ada"']
    assert 'value="&lt;b&gt;&quot;Ada&quot;"' in phone.get().body


def test_the_last_answer_counts_and_a_student_sees_the_number_of_the_teachers_list(course: Class):
    ask(course)
    first, second = course.phone(), course.phone("192.168.1.8")
    assert "You are student" not in first.get().body
    for phone, edits in ((second, ""), (first, "r13,X"), (second, RIGHT)):
        assert hand_in(phone, edits).status == 303
    answers = course.votes.answers("q")
    assert [json.loads(answers[name])["edits"] for name in course.votes.numbers()] == [RIGHT, "r13,X"]
    assert "You are student 1 in" in second.get().body
    assert "You are student 2 in" in first.get().body


def gold_in(answer: Answer) -> bool:
    """Return whether a response has the gold tree: in brackets, or as a drawing."""
    body = unescape(answer.body).replace("\\/", "/")
    return GOLD in body or "The gold tree" in body or "data:image/svg+xml" in body


def test_the_gold_tree_is_in_no_response_before_the_sentence_is_closed(course: Class):
    ask(course)
    phone = course.phone()
    answers = [phone.get(), phone.get("/now"), phone.post("/draft", ballot="q", edits=""), hand_in(phone, "r13,X")]
    answers += [phone.get(), phone.post("/draft", ballot="q", edits="r13,X"), phone.post("/draft", ballot="x")]
    answers += [phone.get(f"/{name}") for name in ("exercise.js", "editor.js", "exercise.css", "phones.js")]
    version = re.search('data-version="([^"]+)"', phone.get().body)
    assert version
    answers += [phone.get(f"/picture/{version[1]}/{name}.svg") for name in ("gold", "a", "start")]
    assert not any(map(gold_in, answers))
    other = course.phone("192.168.1.8")
    course.votes.close("q")
    assert not gold_in(other.get()), "the ballot is closed, but the teacher has not shown the solution"
    ask(course, is_closed=True)
    page = other.get()
    assert page.title == "Sentence 1 of 2: closed"
    assert gold_in(page)
    assert "exercise.js" not in page.body
    assert hand_in(other, RIGHT).status == 409
    assert "Your tree" in phone.get().body
    assert "Your tree" not in page.body


def test_the_solution_is_shown_to_those_who_have_handed_in_if_the_teacher_allows_it(course: Class):
    ask(course, is_closed=True)
    assert not gold_in(course.phone().get()), "the ballot is open"
    ask(course, show_solution=True)
    phone, other = course.phone(), course.phone("192.168.1.8")
    assert not gold_in(phone.get())
    hand_in(phone, "")
    assert gold_in(phone.get())
    assert not gold_in(other.get())


# ------------------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    "edits",
    ["a", "a1", "x1,2", "a999999,1", "d0", "r1,a(b", "a0,0", "i1,99,NP", "d1 " * (MAX_EDITS + 1), "r1," + "x" * 9999],
)
def test_impossible_edits_are_refused_with_the_reason(course: Class, edits: str):
    ask(course)
    phone = course.phone()
    answer = phone.post("/draft", ballot="q", edits=edits)
    assert answer.status == 400
    assert json.loads(answer.body)["refused"].startswith("Not done: ")
    assert hand_in(phone, edits).status == 400
    assert course.votes.answers("q") == {}


@pytest.mark.parametrize("answer", ["", "a", "null", "[]", '{"edits": 1}', '{"name": "x"}', "{" * 5000, "x" * 20_000])
def test_what_is_no_answer_is_refused(course: Class, answer: str):
    ask(course)
    assert course.phone().post("/answer", ballot="q", answer=answer).status == 400
    assert course.votes.answers("q") == {}


def test_drafts_need_the_cookie_and_the_ballot(course: Class):
    ask(course)
    assert Phone(course.app).post("/draft", ballot="q", edits="").status == 403
    assert Phone(course.app, cookie="0" * 32 + "." + "0" * 64).post("/draft", ballot="q").status == 403
    phone = course.phone()
    assert phone.post("/draft", ballot="other", edits="").status == 409
    assert phone.post("/draft", edits="").status == 409
    assert phone.send("POST", "/draft", b"\xff\xfe").status == 400
    assert phone.send("POST", "/draft", b"ballot=q", content_type="application/json").status == 415
    course.ask()
    assert phone.post("/draft", ballot="q", edits="").status == 400, "a vote has no editor"


def test_a_thousand_drafts_of_one_device_take_nothing_from_the_class(course: Class):
    ask(course)
    attacker, student = course.phone("192.168.1.66"), course.phone("192.168.1.8")
    statuses = [attacker.post("/draft", ballot="q", edits=f"r13,X{number}").status for number in range(1000)]
    assert statuses[:60] == [200] * 60
    assert set(statuses[60:]) == {429}
    assert course.votes.answers("q") == {}
    assert student.post("/draft", ballot="q", edits="").status == 200
    assert hand_in(student, RIGHT).status == 303
    course.clock.now += 1
    assert attacker.post("/draft", ballot="q", edits="").status == 200


@pytest.mark.parametrize("label", ["<script>", "</svg>", "&lt;", "']]>", "{{7*7}}", "\u202e", "\x00"])
def test_hostile_labels_are_shown_as_they_are(course: Class, label: str):
    ask(course)
    phone = course.phone()
    drawn = draft(phone, f"r13,{label}")
    assert "<script" not in drawn["svg"]
    assert hand_in(phone, f"r13,{label}").status == 303
    page = phone.get()
    assert re.findall("<script[^>]*>", page.body) == [
        '<script src="phones.js" defer>',
        '<script type="module" src="exercise.js">',
    ]
    assert not re.search(r"<style|style=|\son\w+=|javascript:", page.body)


def test_a_damaged_question_is_none(course: Class):
    question = ask(course)
    content = msgspec.json.encode(question).decode()
    assert question_of(TreeExercise.kind, content) == question
    for damaged in (content[:-9], "{}", content.replace("(S (NP", ")S (NP")):
        assert question_of(TreeExercise.kind, damaged) is None


def test_the_style_of_drawings_is_sent_once(course: Class):
    warm()
    style = drawing_style()
    assert ".evaltools" in style
    css = course.phone().get("/exercise.css")
    assert css.headers["content-type"].startswith("text/css")
    assert style in css.body
    script = course.phone().get("/editor.js").body
    assert "export default function" in script
    assert "function adopt(" in script
