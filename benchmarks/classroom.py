"""A class answers an exercise by phone: how soon every answer is stored, and shown on the teacher's page.

``python -m benchmarks.classroom`` starts `evaltools class` with an empty home folder, makes an exercise, opens the
teacher's page in Chromium, and has all students ask for a drawing, hand in at the same moment, and load their marking.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from playwright.sync_api import expect

from benchmarks.browser import chromium
from evaltools import Tree
from evaltools.classroom.exercises import Exercise, item_of
from evaltools.classroom.votes import Ballots
from evaltools.corpus import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

GOLD = "(S (NP (DT The) (NN man)) (VP (VBD saw) (NP (NP (DT a) (NN dog)) (PP (IN with) (NP (DT a) (NN telescope))))))"
TARGET = 2.0
"""Seconds."""
_PATIENCE = 120
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True, slots=True)
class Course:
    """A class that is on: the addresses, the folder of the answers, and the command's process."""

    app: str
    phones: int
    secret: str
    classes: Path
    name: str
    process: int


@dataclass(frozen=True, slots=True)
class Times:
    """One round: seconds from the moment at which all students begin."""

    stored: float  # until the last answer is in the file
    shown: float  # until the teacher's page has counted all
    marked: float  # until the last student has loaded the marking
    cpu: float  # of app and phones' server together, until all of that has happened


def main() -> int:
    """Measure, print, and return the status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classroom", description=__doc__)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5, help="sentences that the class answers")
    parser.add_argument("--strict", action="store_true", help="end with status 1 if a target is missed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evaltools-classroom-") as folder:
        exercise = Exercise(
            "Attachment", tuple(item_of(str(at + 1), Tree.from_string(GOLD)) for at in range(options.rounds))
        )
        with course_on(Path(folder), exercise) as course:
            times = measure(course, exercise, options.students)
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{options.students} students, Python {platform.python_version()}, {os.cpu_count()} processors{load}")
    print("sentence  stored  shown to the teacher  marked on the phones  CPU of the servers")
    for number, each in enumerate(times, start=1):
        print(f"{number:8}  {each.stored:5.2f}s  {each.shown:19.2f}s  {each.marked:19.2f}s  {each.cpu:17.2f}s")
    worst = max(each.shown for each in times)
    print(f"slowest: {worst:.2f} s until stored and shown; target {TARGET:g} s")
    return int(options.strict and worst > TARGET)


@contextmanager
def course_on(folder: Path, exercise: Exercise) -> Iterator[Course]:
    """Start a class with an exercise in an empty home folder, and end it afterwards."""
    data = folder / "data" / "evaltools" / "lessons"
    data.mkdir(parents=True)
    name = "exercise-0123456789ab"
    (data / f"{name}.json").write_bytes(exercise.to_json())
    port, phones = free_port(), free_port()
    command = [sys.executable, "-m", "evaltools.cli", "class", "--no-browser", f"--port={port}"]
    command += [f"--phones-port={phones}", "--phones-address=127.0.0.1"]
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
    log = folder / "output.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(command, env={**os.environ, **home}, stdout=output, stderr=subprocess.STDOUT)
    try:
        for each in (port, phones):
            wait_for(each)
        secret = re.search(r"teacher=(\S+)", log.read_text("utf-8"))
        assert secret is not None
        app = f"http://127.0.0.1:{port}"
        yield Course(app, phones, secret[1], data / "classes", name, process.pid)
    finally:
        process.send_signal(2)  # as Ctrl-C
        process.wait()


def measure(course: Course, exercise: Exercise, students: int) -> list[Times]:
    """Have the class answer each sentence."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(_PATIENCE * 1000)
        page.goto(f"{course.app}/lessons?{urlencode({'teacher': course.secret, 'exercise': course.name})}")
        expect(page.locator("svg.qr").first).to_be_visible(timeout=_PATIENCE * 1000)
        with ThreadPoolExecutor(students) as pool:
            cookies = list(pool.map(lambda _: join(course.phones), range(students)))
            times = []
            for number in range(len(exercise.items)):
                expect(page.get_by_text("No answer yet.")).to_be_visible(timeout=_PATIENCE * 1000)
                times.append(round_of(course, exercise, number, cookies, page, pool))
                if number + 1 < len(exercise.items):
                    page.get_by_role("button", name="Next").click()
        return times


def round_of(
    course: Course, exercise: Exercise, number: int, cookies: list[str], page: Page, pool: ThreadPoolExecutor
) -> Times:
    """Have all students answer one sentence at the same moment."""
    item, students = exercise.items[number], len(cookies)
    ballot = f"{course.name}-{item.id}"
    tags = [node for node, kind in enumerate(item.start_tree.kinds) if kind is Kind.PRETERMINAL]
    answers = [f"i{first},{last},NP" for first in tags for last in tags if first < last]
    barrier, last_marked = threading.Barrier(students + 1), [0.0]

    def hand_in(student: int) -> None:
        edits, cookie = answers[student % len(answers)], cookies[student]
        barrier.wait()
        ask(course.phones, "POST", "/draft", cookie, ballot=ballot, edits=edits)
        ask(course.phones, "POST", "/answer", cookie, ballot=ballot, answer=json.dumps({"edits": edits}))
        assert b"of 100 points" in ask(course.phones, "GET", "/", cookie)[1]
        last_marked[0] = max(last_marked[0], time.monotonic())

    sent = [pool.submit(hand_in, student) for student in range(students)]
    stored_at = [0.0]

    def watch() -> None:
        store, pause = Ballots(next(course.classes.glob("*.sqlite"))), threading.Event()
        while len(store.answers(ballot)) < students:
            pause.wait(0.02)
        stored_at[0] = time.monotonic()

    watching = threading.Thread(target=watch)
    before = cpu_of(course.process)
    barrier.wait()
    begun = time.monotonic()
    watching.start()
    told = page.get_by_text(re.compile(rf"\b{students} (of|answers)\b"))
    expect(told.first).to_be_visible(timeout=_PATIENCE * 1000)
    shown = time.monotonic()
    for each in sent:
        each.result()
    watching.join()
    return Times(stored_at[0] - begun, shown - begun, last_marked[0] - begun, cpu_of(course.process) - before)


def join(port: int) -> str:
    """Open the link as a new device; return its cookie."""
    return ask(port, "GET", "/", "")[0]


def ask(port: int, method: str, path: str, cookie: str, **fields: str) -> tuple[str, bytes]:
    """Send a request; return the cookie that is set, and the body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
    headers = {**({"Cookie": cookie} if cookie else {}), **(_FORM if fields else {})}
    connection.request(method, path, urlencode(fields) if fields else None, headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status >= 400:
        raise RuntimeError(f"{path}: status {answer.status}: {body[:200]!r}")
    return (answer.getheader("set-cookie") or "").partition(";")[0], body


def cpu_of(process: int) -> float:
    """Return the CPU seconds of a process and those it has started; 0 where the system does not tell."""
    root = Path("/proc")
    if not root.is_dir():
        return 0.0
    seconds: dict[int, float] = {}
    parents: dict[int, int] = {}
    for folder in root.iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(folder.name)] = int(fields[1])
            seconds[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    family = {process}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(seconds.get(each, 0.0) for each in family)


def free_port() -> int:
    """Return a port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    """Wait until somebody listens on a port."""
    pause = threading.Event()
    for _ in range(_PATIENCE * 10):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        pause.wait(0.1)
    raise TimeoutError(f"nobody listens on port {port}")


if __name__ == "__main__":
    sys.exit(main())
