"""The server of the phones under attack: foreign requests, forged cookies, floods."""

from __future__ import annotations

import os
import re
import stat
from itertools import product
from typing import Any

import msgspec
import pytest

from evaltools.classroom.questions import Poll
from evaltools.classroom.server import Cookies, RateLimit, kept_secret, phone_app
from evaltools.classroom.votes import MAX_HANDS
from evaltools.hosts import parse_allowed
from tests.classroom.client import HOST, Phone
from tests.classroom.conftest import Class

ROUTES = {
    "/": "GET",
    "/now": "GET",
    "/answer": "POST",
    "/draft": "POST",
    "/exercise.js": "GET",
    "/editor.js": "GET",
    "/exercise.css": "GET",
    "/phones.css": "GET",
    "/phones.js": "GET",
    "/picture/0000000000000000/a.svg": "GET",
}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW")


@pytest.mark.parametrize(("path", "method"), [pair for pair in product(ROUTES, METHODS) if ROUTES[pair[0]] != pair[1]])
def test_other_methods_are_refused(course: Class, path: str, method: str):
    course.ask()
    allowed = method == "HEAD" and ROUTES[path] == "GET"
    assert (course.phone().send(method, path).status == 405) != allowed
    assert course.votes.total() == 0


@pytest.mark.parametrize("path", ROUTES)
def test_foreign_hosts_and_origins_are_refused(course: Class, path: str):
    course.ask()
    hosts = ("evil.example", "evil.example:8502", f"{HOST}@evil.example", "192.168.1.5", "192.168.1.5:80", "")
    origins = ("http://evil.example", "http://192.168.1.5:8501", "null")
    for headers in (*({"host": host} for host in hosts), *({"origin": origin} for origin in origins)):
        answer = course.phone().send(ROUTES[path], path, b"ballot=q&answer=a", **headers)
        assert answer.status == (403 if headers.get("host", "x") else 400), headers
        assert answer.body.startswith("evaltools refuses this request: it ")
    assert course.votes.total() == 0


def test_the_servers_own_hosts_are_answered_and_those_that_were_named(course: Class):
    named = Phone(phone_app(course.store.path, parse_allowed(["class.example", "other.example:8443"])))
    for host, status in (
        (HOST, 200),
        ("localhost:8502", 200),
        ("class.example", 200),
        ("class.example:99", 200),
        ("other.example:8443", 200),
        ("other.example", 403),
    ):
        assert named.get(host=host, origin=f"http://{host}").status == status, host


ELSEWHERE = """
/../../etc/passwd //etc/passwd /%2e%2e/%2e%2e/pyproject.toml /phones.css/../server.py /server.py
/questions.py /picture/../../class.sqlite.svg /picture/x/../../../etc/passwd.svg /picture/x/a.svg/.. /class.sqlite
/ballots.sqlite /lessons /sentence /media/x /_stcore/stream
/_stcore/health /_stcore/upload_file/0/0 /docs /openapi.json /answer/x
/now/x
"""


@pytest.mark.parametrize("path", ELSEWHERE.split())
def test_other_paths_lead_nowhere(course: Class, path: str):
    course.ask()
    for method in ("GET", "POST", "PUT"):
        answer = course.phone().send(method, path)
        assert answer.status in (404, 405), path
        assert answer.body in ("Not Found", "Not found\n", "Method Not Allowed")


@pytest.mark.parametrize("path", [*ROUTES, "/nowhere"])
def test_every_answer_says_what_a_page_may_do(course: Class, path: str):
    course.ask()
    for method in ("GET", "POST"):
        headers = course.phone().send(method, path).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
        assert "unsafe" not in policy["script-src"] + policy["style-src"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_pages_have_no_scripts_or_styles_of_their_own_and_fetch_nothing(course: Class):
    course.ask()
    phone = course.phone()
    phone.vote("q", "a")
    page = phone.get(query="code=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").body
    assert re.findall("<script[^>]*>", page) == ['<script src="phones.js" defer>']
    assert not re.search(r"<style|style=|\son\w+=|javascript:|https?://|//", page.replace("</", ""))


# ------------------------------------------------------------------------------------------------------------ cookies


def test_without_a_cookie_of_this_server_nobody_votes(course: Class):
    course.ask()
    real = course.phone().cookie
    assert re.fullmatch(r"[0-9a-f]{32}\.[0-9a-f]{64}", real)
    name, signature = real[:32], real[33:]
    forged = [
        "",
        "x",
        name,
        f"{'0' * 32}.{signature}",
        f"d{name}.{signature}",
        f"{name}.{'0' * 64}",
        f"{real}0",
        real.upper(),
        f"{name}.",
        Cookies().value(name),
        "%00",
        "a" * 5000,
    ]
    for cookie in forged:
        phone = Phone(course.app, cookie=cookie)
        assert phone.vote("q", "a") == 403, cookie
        page = re.search(r"picture/\w+/", course.phone().get().body)
        assert page
        assert Phone(course.app, cookie=cookie).get(f"/{page[0]}a.svg").status == 404
    assert course.votes.total() == 0
    answer = Phone(course.app).get()
    assert answer.headers["set-cookie"].lower().endswith("httponly; max-age=43200; path=/; samesite=strict")


def test_a_teachers_secret_is_nothing_to_this_server(course: Class):
    course.ask()
    for query in ("teacher=secret", "token=secret", "ballot=q&answer=a", "reset=1"):
        assert course.phone().get(query=query).title == "Which parse is worse?"
    assert course.votes.total() == 0


# -------------------------------------------------------------------------------------------------------------- bodies


@pytest.mark.parametrize("path", ["/answer", "/draft"])
def test_large_bodies_are_refused(course: Class, path: str):
    course.ask()
    phone, megabyte = course.phone(), b"answer=" + b"a" * 2**20
    assert phone.send("POST", path, megabyte).status == 413
    assert phone.send("POST", path, megabyte, chunks=100, content_length="").status == 413
    assert phone.send("POST", path, megabyte, content_length="17").status == 413
    assert phone.send("POST", path, b"", content_length="9" * 5000).status == 413
    assert phone.send("POST", path, b"", content_length="-1").status == 413
    assert course.votes.total() == 0
    assert phone.vote("q", "a") == 303


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "multipart/form-data; boundary=x", ""])
def test_what_other_sites_can_send_without_asking_is_no_form(course: Class, kind: str):
    course.ask()
    answer = course.phone().send("POST", "/answer", b"ballot=q&answer=a", content_type=kind or "x")
    assert answer.status == 415
    assert course.votes.total() == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"answer=a",
        b"ballot=q",
        b"ballot=q&answer=c",
        b"ballot=q&answer=A",
        b"ballot=q&answer=" + b"a" * 60_000,
        b"ballot=q&answer=a'; drop table votes; --",
        b"ballot=q%00&answer=a",
        b"ballot=q' or 1=1 --&answer=a",
        b"\xff\xfe",
        b"ballot=q&answer=%ff",
        b"&".join(b"x%d=1" % number for number in range(1000)),
    ],
)
def test_malformed_answers_are_refused(course: Class, body: bytes):
    course.ask()
    phone = course.phone()
    assert phone.send("POST", "/answer", body).status in (400, 409)
    assert course.votes.total() == 0
    assert phone.vote("q", "a") == 303


# ------------------------------------------------------------------------------------------------------------ numbers


@pytest.mark.parametrize(
    "answer", ["", "101 %", *"-1 1e3 nan 101 100.1 0.5.5 ٣ 99999999999 0x1 ' 1/0 0/0 3/2 / %".split()]
)
def test_numbers_that_are_none_are_refused(course: Class, answer: str):
    content = msgspec.json.encode(Poll("Predict <b>F1</b>.", is_score=True)).decode()
    course.ask("n", kind=Poll.kind, content=content)
    phone = course.phone()
    assert "Predict &lt;b&gt;F1&lt;/b&gt;." in phone.get().body
    assert phone.vote("n", answer) == 400
    assert course.votes.answers("n") == {}


def test_a_number_is_answered_once_and_closed(course: Class):
    content = msgspec.json.encode(Poll("How many?", correct="7")).decode()
    course.ask("n", kind=Poll.kind, content=content)
    phone = course.phone()
    assert [phone.vote("n", answer) for answer in ("7", "007 ", "8")] == [303] * 3
    assert list(course.votes.answers("n").values()) == ["8"]
    assert "Your answer: 8. You can still change it." in phone.get().body
    assert "Correct" not in phone.get().body
    course.votes.close("n")
    page = phone.get()
    assert page.title == "The question is closed: look at the screen."
    assert "Not right. Correct is: 7." in page.body
    assert "<button" not in page.body
    assert phone.vote("n", "9") == 409
    assert list(course.votes.answers("n").values()) == ["8"]


# --------------------------------------------------------------------------------------------------------------- floods


def test_a_thousand_votes_of_one_device_are_one_vote_and_take_none_from_the_class(course: Class):
    course.ask()
    attacker = course.phone("192.168.1.66")
    statuses = [attacker.vote("q", "ab"[number % 2]) for number in range(1000)]
    assert statuses[:10] == [303] * 10
    assert set(statuses[10:]) == {429}
    pupils = [course.phone(f"192.168.1.{number}") for number in range(100, 130)]
    assert [pupil.vote("q", "equal") for pupil in pupils] == [303] * 30
    counts = course.votes.counts("q")
    assert counts["equal"] == 30
    assert counts.total() == 31
    course.clock.now += 2
    assert attacker.vote("q", "a") == 303, "it may change its vote later"
    assert course.votes.counts("q").total() == 31


def test_an_address_gets_a_limited_number_of_devices(course: Class):
    course.ask()
    statuses = [Phone(course.app, "192.168.1.66").get().status for _ in range(150)]
    assert statuses == [200] * 100 + [429] * 50
    assert course.phone("192.168.1.67").cookie
    prefix = "2001:db8:1:2"
    assert [Phone(course.app, f"{prefix}::{number:x}").get().status for number in range(101)][-2:] == [200, 429]
    known = course.phone("192.168.1.68")
    assert {known.get().status for _ in range(40)} == {200}, "a known device loads its page as often as it likes"
    course.clock.now += 20
    assert [Phone(course.app, "192.168.1.66").get().status for _ in range(2)] == [200, 429]


def test_devices_that_only_load_the_page_are_not_counted_as_phones(course: Class):
    course.ask()
    for _ in range(5):
        Phone(course.app, "192.168.1.66").get()
    phone = course.phone()
    for _ in range(3):
        phone.get("/now")
    assert list(course.votes.numbers().values()) == [1]


def test_after_a_restart_phones_are_known_and_counted_once(course: Class):
    course.ask()
    key = course.folder / "there" / "phones.key"

    def started() -> Any:
        return phone_app(course.store.path, cookies=Cookies(kept_secret(key)))

    phone = Phone(started())
    phone.get()
    phone.get("/now")
    assert phone.vote("q", "a") == 303
    phone.app = started()
    cookie = phone.cookie
    assert "Your answer: A is worse." in phone.get().body
    assert phone.cookie == cookie
    assert phone.vote("q", "b") == 303
    assert course.votes.counts("q") == {"b": 1}
    assert list(course.votes.numbers().values()) == [1]
    key.write_bytes(b"short")
    assert len(kept_secret(key)) == 32


@pytest.mark.skipif(os.name != "posix", reason="permissions")
def test_files_of_a_class_are_readable_by_their_owner_only(course: Class):
    course.ask()
    course.phone().vote("q", "a")
    kept_secret(course.folder / "phones.key")
    for path in (course.votes.path, course.store.path, course.folder / "phones.key"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_limits_forget_the_oldest_and_not_the_last():
    limit = RateLimit(1, 100, clock=lambda: 0.0)
    assert all(limit.take(str(number)) for number in range(MAX_HANDS + 1))
    assert not limit.take(str(MAX_HANDS))
    assert limit.take("0")
