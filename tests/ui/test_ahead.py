"""What is computed in the background: in which order, and how often."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evaltools.ui.session import ahead
from evaltools.ui.session.ahead import compute_ahead
from tests.pages.conftest import wait_for_what_is_computed_ahead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(autouse=True)
def queue() -> Iterator[None]:
    """Give an empty queue, and leave none that remembers the keys of a test."""
    ahead._queue.clear()
    yield
    wait_for_what_is_computed_ahead()
    ahead._queue.clear()


class Hold:
    """A step that waits until it is released; what comes after it waits, too."""

    def __init__(self) -> None:
        self._begun, self._released = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self._begun.set()
        self._released.wait(60)

    def wait_until_begun(self) -> None:
        assert self._begun.wait(60)

    def release(self) -> None:
        self._released.set()
        wait_for_what_is_computed_ahead()


@contextmanager
def running_script() -> Iterator[None]:
    """Have a thread like that which computes a page."""
    ends = threading.Event()
    script = threading.Thread(target=ends.wait, args=(60,), name=ahead._SCRIPT)
    script.start()
    try:
        yield
    finally:
        ends.set()
        script.join()


def fail() -> None:
    raise ValueError("what is computed ahead")


def test_lists_are_computed_once_for_each_key_the_last_one_first_and_a_failure_ends_none():
    computed: list[str] = []
    hold = Hold()

    def step(name: str) -> Callable[[], None]:
        return lambda: computed.append(name)

    compute_ahead("first", [hold, fail, step("a"), step("b")])
    hold.wait_until_begun()
    compute_ahead("second", [fail, step("c"), step("d")])
    compute_ahead("first", [step("again")])
    compute_ahead("least", [step("z")], last=True)
    hold.release()
    assert computed == ["c", "d", "a", "b", "z"]
    compute_ahead("second", [step("again")])
    compute_ahead("third", [step("e")])  # by a new thread
    wait_for_what_is_computed_ahead()
    assert computed == ["c", "d", "a", "b", "z", "e"]


def test_a_list_that_fails_is_left_and_the_others_are_computed():
    computed: list[str] = []
    hold = Hold()

    def broken() -> Iterator[Callable[[], None]]:
        yield lambda: computed.append("a")
        fail()

    compute_ahead("first", [hold, lambda: computed.append("b")])
    hold.wait_until_begun()
    compute_ahead("broken", broken())
    hold.release()
    assert computed == ["a", "b"]


def test_what_takes_long_is_a_function_that_returns_shorter_ones_which_come_next():
    computed: list[str] = []
    hold = Hold()

    def step(name: str) -> Callable[[], None]:
        return lambda: computed.append(name)

    def long() -> Iterator[Callable[[], None]]:
        computed.append("begins")
        yield step("short")
        yield hold
        yield step("shorter")
        fail()

    compute_ahead("first", [long, step("after it")])
    hold.wait_until_begun()
    compute_ahead("second", [step("of the page opened meanwhile")])
    hold.release()
    assert computed == ["begins", "short", "of the page opened meanwhile", "shorter", "after it"]


def test_a_page_adds_its_list_while_another_one_computes_what_it_goes_on_from():
    computed: list[str] = []
    hold = Hold()

    def slow() -> Iterator[Callable[[], None]]:
        hold()
        yield lambda: computed.append("slow")

    compute_ahead("slow", slow())
    hold.wait_until_begun()
    page = threading.Thread(target=compute_ahead, args=("page", [lambda: computed.append("page")]))
    page.start()
    page.join(30)
    assert not page.is_alive(), "the page waits for what is computed in the background"
    hold.release()
    assert sorted(computed) == ["page", "slow"]


def test_a_spinner_that_no_page_can_show_is_not_warned_of(caplog):
    @st.cache_resource(show_spinner="Computing …")
    def slow(number: int) -> int:
        return number + 1

    computed: list[int] = []
    compute_ahead("spinner", [lambda: computed.append(slow(1))])
    wait_for_what_is_computed_ahead()
    assert computed == [2]
    assert "ScriptRunContext" not in caplog.text
    slow(2)
    assert "ScriptRunContext" in caplog.text  # elsewhere it is


def test_of_many_pages_only_the_last_ones_wait():
    hold = Hold()

    computed: list[int] = []
    compute_ahead("first", [hold])
    hold.wait_until_begun()
    for page in range(10):
        compute_ahead(str(page), [lambda page=page: computed.append(page)])
    hold.release()
    assert computed == [9, 8, 7, 6]


def test_it_waits_while_a_page_is_computed(monkeypatch):
    monkeypatch.setattr(ahead, "_REST", 0.1)
    computed: list[int] = []
    with running_script():
        compute_ahead("waits", [lambda: computed.append(1)])
        threading.Event().wait(0.3)
        assert not computed
    wait_for_what_is_computed_ahead()
    assert computed


def test_it_waits_while_a_browser_loads_a_page_but_for_the_first_one(monkeypatch):
    monkeypatch.setattr(ahead, "_REST", 0.0)
    computed: list[str] = []
    ahead.expect_page()
    compute_ahead("first page", [lambda: computed.append("first page")])
    wait_for_what_is_computed_ahead()
    assert computed == ["first page"]

    with running_script():
        assert ahead._is_answering(ahead._queue())
    monkeypatch.setattr(ahead, "_LOADING", 60.0)
    ahead.expect_page()
    compute_ahead("next click", [lambda: computed.append("next click")])
    threading.Event().wait(0.3)
    assert computed == ["first page"]
    with running_script():
        assert ahead._is_answering(ahead._queue())
    wait_for_what_is_computed_ahead()
    assert computed == ["first page", "next click"]


def test_streamlit_computes_pages_in_threads_of_the_name_that_is_waited_for():
    def script() -> None:
        import threading

        import streamlit as st

        st.text(threading.current_thread().name)

    assert AppTest.from_function(script).run().text[0].value == ahead._SCRIPT
