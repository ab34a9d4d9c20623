"""Phones of a class, as the teacher sees them: they show what the app shows, and answer until the answer is shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from functools import partial

import msgspec
import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.lessons.layout import apply_projection
from evaltools.app.session import state
from evaltools.blocks import Picture, answer, note
from evaltools.classroom import shelf
from evaltools.classroom.questions import PhoneQuestion
from evaltools.classroom.votes import ClassState, class_store
from evaltools.drawing.qr import qr_svg
from evaltools.hosts import PHONES_URL
from evaltools.outputs.lessons import answers_csv
from evaltools.runs.locations import app_folder
from evaltools.text import count_of

_LARGE, _SMALL = 8, 4
"""Pixels of a module of the code: to be read from the last row, and beside what is projected."""
_FIT = 76
"""How much of the window's height the code may take, in hundredths."""


def command() -> str:
    """Return the command that starts the app with phones, as the reader has installed it."""
    return "make class" if (app_folder() / "Makefile").is_file() else "evaltools class"


def phones_url() -> str:
    """Return the address that phones open."""
    return os.environ.get(PHONES_URL, "")


def attempt(write: Callable[[], object]) -> None:
    """Write answers or what phones show, or say why that cannot be."""
    try:
        write()
    except OSError as error:
        st.toast(f"The answers of the class cannot be written: {error.strerror or error}", icon=":material/error:")


def follow(title: str, question_id: str = "", question: PhoneQuestion | None = None, *, closed: bool = False) -> None:
    """Have phones show a question, or that there is none.

    A question whose answer is shown is closed if anybody could have answered it. One that was closed without an answer,
    as in a rehearsal, is open again when it is shown anew.
    """
    store, ballots = class_store(), shelf.ballots()
    if question_id and closed and (store is not None or ballots.counts(question_id)):
        attempt(partial(ballots.close, question_id))
    elif question_id and not closed and store is not None:
        unused = not ballots.is_open(question_id) and not ballots.counts(question_id)
        attempt(partial(ballots.reopen if unused else ballots.open, question_id))
    if store is None:
        return
    now = ClassState(title, str(ballots.path))
    if question is not None:
        content = msgspec.json.encode(question).decode()
        now = msgspec.structs.replace(now, question=question_id, kind=question.kind, content=content)
    if now != store.now():
        attempt(partial(store.show, now))


def joined() -> int:
    """Return how many phones have joined the class."""
    return len(shelf.ballots().numbers())


def answered_by(answers: int) -> str:
    """Return how many have answered, of the phones that have joined.

    Examples
    --------
    >>> answered_by(2)
    '2 answers'
    """
    phones = joined() if class_store() is not None else 0
    return f"{answers} of {count_of(max(phones, answers), 'phone')}" if phones else count_of(answers, "answer")


def show_command(instead: str) -> None:
    """Say which command starts the app with phones."""
    st.text("This app was started without phones. To let the class answer on their own devices, start it with")
    st.code(command(), language=None)
    st.text(
        "in a network that you share with the class. Phones then reach the questions, and not the app."
        f"{f' {instead}' if instead else ''}"
    )


def phones_button(instead: str = "") -> None:
    """Show how phones join, and which class their answers belong to."""
    with st.popover("Phones", icon=":material/qr_code_2:", key="phones"):
        if class_store() is None:
            show_command(instead)
        else:
            st.text(
                f"Phones show what you ask, and answer until you show the answer. {count_of(joined(), 'phone')} joined."
            )
            show_blocks(Picture("", svg=qr_svg(phones_url(), _LARGE)), key="phones_code")
            st.code(phones_url(), language=None, wrap_lines=True)
            _enlarge("phones_enlarge")
        _class_of_now()


def show_join(what: str = "Answer") -> None:
    """Show the link with a small code, beside what is projected."""
    left, right = st.columns([2, 5], vertical_alignment="center")
    with left:
        show_blocks(Picture("", svg=qr_svg(phones_url(), _SMALL)), key="join_code")
    with right:
        show_blocks(answer(f"{what} with your phone:"), note(phones_url()), key="join_link", large=True)
        _enlarge("join_enlarge")


def show_large_code() -> None:
    """Fill the window with the code and the link."""
    link = phones_url()
    apply_projection(whole_screen=True)
    with st.container(key="lesson_title"):
        st.header(link, anchor=False)
    show_blocks(
        answer("Answer with your phone:"), Picture("", svg=qr_svg(link, _LARGE), fit=_FIT), key="large_code", large=True
    )
    st.button("Close the code", key="code_close", on_click=state.put, kwargs={"code": None})


def _enlarge(key: str) -> None:
    st.button("Enlarge the code", key=key, icon=":material/zoom_in:", on_click=state.put, kwargs={"code": 1})


def class_title(began: str) -> str:
    """Return the name of a class.

    Examples
    --------
    >>> class_title("2026-11-27 19.05.00")
    '27 November 2026, 19:05'
    """
    return f"{datetime.strptime(began, '%Y-%m-%d %H.%M.%S'):%-d %B %Y, %H:%M}"


def _class_of_now() -> None:
    """Say which class it is, and begin a new one; the list of classes continues an earlier one."""
    st.text(f"Class of {class_title(shelf.class_now())}: {count_of(shelf.ballots().total(), 'answer')}.")
    if not shelf.answers_stay():
        st.text("The answers are kept only until the app is closed, because its folder is not writable.")
    st.button(
        "Begin a new class", key="class_new", on_click=shelf.begin_class, help="Its questions have no answers yet."
    )


def class_files() -> None:
    """Offer the answers of a class as a file, and a way to delete those of earlier classes."""
    listed = [shelf.class_now(), *shelf.earlier_classes()]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        began = st.selectbox("Class", listed, format_func=class_title, key="class_chosen", width=280)
        st.download_button(
            "Answers (CSV)",
            lambda: answers_csv(shelf.ballots(began), class_title(began)).encode("utf-8"),
            f"answers-{began.replace(' ', '-')}.csv",
            "text/csv",
            icon=":material/download:",
            key="class_csv",
            on_click="ignore",
        )
        if began != shelf.class_now():
            st.button("Continue this class", key="class_open", on_click=shelf.begin_class, args=(began,))
            with st.popover("Delete", icon=":material/delete:", key="class_delete"):
                st.text(f"This deletes {count_of(shelf.ballots(began).total(), 'answer')}.")
                st.button("Yes, delete them", key="class_delete_sure", on_click=shelf.delete_class, args=(began,))
