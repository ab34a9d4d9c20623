"""The server of the phones as a process of its own, and the app beside it while a class is on."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
import pytest

from evaltools import Tree
from evaltools.classroom.exercises import check_edits, item_of, mark, mistakes
from evaltools.classroom.questions import TreeExercise
from evaltools.classroom.server import voter_of
from evaltools.corpus import Kind
from tests.classroom.conftest import Class
from tests.conftest import ROOT, free_port

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def ask(port: int, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


def wait_for(port: int, *, is_open: bool) -> None:
    """Wait until somebody listens on a port, or nobody does."""
    pause = threading.Event()
    for _ in range(600):
        with socket.socket() as probe:
            if (probe.connect_ex(("127.0.0.1", port)) == 0) == is_open:
                return
        pause.wait(0.1)
    pytest.fail(f"port {port} is {'closed' if is_open else 'open'}")


@contextmanager
def running(course: Class, *before: str) -> Iterator[int]:
    """Run a server for the class, perhaps by another command before its own; give its port."""
    port = free_port()
    command = [*before, sys.executable, "-m", "evaltools.classroom.server", str(course.store.path), f"--port={port}"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE)
    try:
        wait_for(port, is_open=True)
        yield port
    finally:
        assert process.stdin is not None
        process.send_signal(signal.SIGINT)  # Ctrl-C is for the command that has started it
        process.stdin.close()
        assert process.wait(30) == 0
    wait_for(port, is_open=False)


@pytest.fixture
def phones(course: Class) -> Iterator[int]:
    with running(course) as port:
        yield port


def hold(held: ExitStack, port: int, number: int) -> list[socket.socket]:
    connections = [held.enter_context(socket.create_connection(("127.0.0.1", port), 30)) for _ in range(number)]
    for connection in connections:
        with suppress(ConnectionError):
            connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode())
    return connections


def is_ended(connection: socket.socket, seconds: float) -> bool:
    """Return whether the server ends a connection within some seconds."""
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def test_a_megabyte_is_refused_before_it_is_read(course: Class, phones: int):
    course.ask()
    with socket.create_connection(("127.0.0.1", phones), timeout=30) as connection:
        head = f"POST /answer HTTP/1.1\r\nHost: 127.0.0.1:{phones}\r\nContent-Type: {FORM['Content-Type']}\r\n"
        connection.sendall(f"{head}Content-Length: {2**20}\r\n\r\n".encode())
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 413 ")
    status, headers, _ = ask(phones, "GET", "/")
    assert status == 200
    assert "server" not in headers


@pytest.mark.slow
def test_connections_that_are_only_held_do_not_keep_the_class_out(course: Class, phones: int):
    course.ask()
    with ExitStack() as held:
        connections = hold(held, phones, 450)
        assert ask(phones, "GET", "/")[0] == 200, "whoever comes next is answered"
        assert all(is_ended(connection, 10) for connection in connections[:50]), "an address has 400 connections"
        assert not is_ended(connections[-1], 0.1)
        assert is_ended(connections[-1], 40), "a connection has some seconds"


@pytest.mark.skipif(os.name != "posix", reason="open files are limited")
def test_connections_never_take_all_open_files(course: Class):
    course.ask()
    with running(course, "sh", "-c", 'ulimit -n 250 && exec "$@"', "sh") as port, ExitStack() as held:
        connections = hold(held, port, 200)
        assert ask(port, "GET", "/")[0] == 200, "whoever comes next is answered"
        assert all(is_ended(connection, 10) for connection in connections[:70]), "120 of 250 files are left"
        assert not is_ended(connections[-1], 0.1)


def test_a_connection_has_one_request(course: Class, phones: int):
    course.ask()
    with socket.create_connection(("127.0.0.1", phones), timeout=30) as connection:
        request = f"GET /now HTTP/1.1\r\nHost: 127.0.0.1:{phones}\r\n\r\n".encode()
        connection.sendall(request)
        answer = b""
        while part := connection.recv(1 << 16):  # it ends: no second request can be slow
            answer += part
    assert answer.count(b"HTTP/1.1 200 ") == 1
    assert b"connection: close" in answer.lower()


def test_requests_as_they_are_sent(course: Class, phones: int):
    course.ask()
    for path in ("/../../../../etc/passwd", "/picture/..%2f..%2fclass.sqlite/a.svg", "/%2e%2e/pyproject.toml", "//"):
        status, _, body = ask(phones, "GET", path)
        assert status == 404, path
        assert b"root:" not in body
    assert ask(phones, "GET", "/", Host="evil.example")[0] == 403
    assert ask(phones, "GET", "/", Origin="http://evil.example")[0] == 403
    forwarded = {"X_Forwarded_For": "10.9.8.7", "X_Forwarded_Host": "evil.example"}
    assert b"evil" not in ask(phones, "GET", "/", **forwarded)[2]
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": "x"}
    assert ask(phones, "GET", "/_stcore/stream", **upgrade)[0] == 404


@pytest.mark.slow
def test_while_a_class_is_on_the_app_is_the_teachers(app_server: Callable[..., Any], tmp_path_factory: Any):
    phones_port = free_port()
    command = [sys.executable, "-m", "evaltools.cli", "class", "--no-browser", "--port", "{port}"]
    command += ["--phones-port", str(phones_port), "--phones-address", "127.0.0.1"]
    server = app_server(command=command, home=tmp_path_factory.mktemp("home"))
    port = int(urlsplit(server.url).port)
    line = re.search(rf"Teacher .* http://127\.0\.0\.1:{port}/lessons\?(teacher=\S+)", server.output())
    assert line, server.output()
    link = f"/?{line[1]}"
    wait_for(phones_port, is_open=True)

    def status(path: str, **headers: str) -> int:
        return ask(port, "GET", path, **headers)[0]

    for path in ("/", "/lessons", "/static/x.js", "/media/x", "/_stcore/host-config", "/?teacher=", "/?teacher=x"):
        assert status(path) == 403, path
    assert ask(port, "PUT", "/_stcore/upload_file/0/0")[0] == 403
    assert status("/_stcore/health") == 200
    code, headers, _ = ask(port, "GET", link.replace("/?", "/lessons?lesson=vote&"))
    assert (code, headers["location"]) == (303, "/lessons?lesson=vote")
    assert headers["set-cookie"].lower().endswith("; httponly; path=/; samesite=strict")
    cookie = headers["set-cookie"].partition(";")[0]
    assert status("/", Cookie=cookie) == 200
    assert status("/", Cookie=f"{cookie}0") == status("/", Cookie=cookie.replace(str(port), "1")) == 403
    for foreign in ({"Host": f"evil.example:{port}"}, {"Origin": "http://evil.example"}):
        assert status("/", Cookie=cookie, **foreign) == status(link, **foreign) == 403
    assert status("/", Cookie=cookie, Origin=f"http://127.0.0.1:{phones_port}") == 403, "a page of the phones"
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    upgrade["Sec_WebSocket_Key"] = "AAAAAAAAAAAAAAAAAAAAAA=="
    assert status("/_stcore/stream", **upgrade) == 403
    assert status("/_stcore/stream", Cookie=cookie, **upgrade) == 101

    answer = ask(phones_port, "GET", "/", Cookie=cookie)
    assert b"The class has not begun." in answer[2]
    assert "set-cookie" not in answer[1]
    assert ask(phones_port, "GET", link)[0] == 200, "the teacher's link says nothing to the phones' server"
    server.process.kill()  # not even then phones stay connected, or the app goes on
    server.process.wait()
    wait_for(phones_port, is_open=False)
    wait_for(port, is_open=False)


@pytest.mark.slow
def test_thirty_students_answer_an_exercise_at_once_and_every_answer_is_there(course: Class, phones: int):
    gold = Tree.from_string(
        "(S (NP (DT The) (NN man)) (VP (VBD saw) (NP (NP (DT a) (NN dog)) (PP (IN with) (NP (DT a) (NN telescope))))))"
    )
    item = item_of("1", gold)
    question = TreeExercise(item, "Sentence 1 of 1")
    course.ask(kind=question.kind, content=msgspec.json.encode(question).decode())
    tags = [node for node, kind in enumerate(item.start_tree.kinds) if kind is Kind.PRETERMINAL]
    answers = [f"i{tags[first]},{tags[last]},NP" for first in range(7) for last in range(first + 1, 8)]
    with ThreadPoolExecutor(30) as pool:
        cookies = list(pool.map(lambda _: ask(phones, "GET", "/")[1]["set-cookie"].partition(";")[0], range(30)))
        drafted = urlencode({"ballot": "q", "edits": ""}).encode()
        assert ask(phones, "POST", "/draft", drafted, Cookie=cookies[0], **FORM)[0] == 200  # the kernels are loaded
        barrier = threading.Barrier(31)

        def hand_in(number: int) -> tuple[int, bytes]:
            barrier.wait()
            edits = answers[number % len(answers)]
            draft = urlencode({"ballot": "q", "edits": edits}).encode()
            assert ask(phones, "POST", "/draft", draft, Cookie=cookies[number], **FORM)[0] == 200
            body = urlencode({"ballot": "q", "answer": json.dumps({"edits": edits})}).encode()
            status = ask(phones, "POST", "/answer", body, Cookie=cookies[number], **FORM)[0]
            return status, ask(phones, "GET", "/", Cookie=cookies[number])[2]

        sent = [pool.submit(hand_in, number) for number in range(30)]
        barrier.wait()
        results = [each.result() for each in sent]  # each has seen its marking
        stored = course.votes.answers("q")
        shown = {name: mark(item, check_edits(json.loads(text)["edits"])) for name, text in stored.items()}
        found = mistakes(shown)
    assert [status for status, _ in results] == [303] * 30
    assert all(b"of 100 points" in page for _, page in results)
    assert len(shown) == 30
    assert len(found[0].answers) >= len(found[-1].answers)


def test_what_is_written_down_does_not_tell_the_cookie():
    name = "0123456789abcdef" * 2
    written = {voter_of(name, lesson) for lesson in ("vote", "attachment")}
    assert len(written) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", voter) and voter not in name for voter in written)
