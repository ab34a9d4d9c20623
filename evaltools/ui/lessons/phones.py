"""Phones of a class, as the teacher sets them up: the command that starts their server, who has a vote, the link."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from evaltools.classroom.class_state import PHONES_URL, Admission, ClassState, ClassStore, class_codes, code_secret
from evaltools.drawing.blocks import answer, note, picture
from evaltools.drawing.qr import qr_svg
from evaltools.runs.installed import app_folder
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lessons import shelf
from evaltools.ui.lessons.code_sheet import code_sheet
from evaltools.ui.lessons.projection import apply_projection
from evaltools.ui.session import state

__all__ = [
    "ask_admission",
    "attempt",
    "codes_of",
    "command",
    "phones_url",
    "show_command",
    "show_join",
    "show_large_code",
    "show_link",
]

_LARGE, _SMALL = 8, 4
"""Pixels of a module of the code: to be read from the last row, and beside what is projected."""
_FIT = 76
"""How much of the window's height the code may take, in hundredths."""
_MAX_STUDENTS = 500
_ADMISSIONS: dict[Admission, str] = {"device": "Each device", "code": "Each one-time code of a printed sheet"}
_HELP = (
    "Devices are known by a cookie; whoever deletes it can vote again, up to the number of students for each network "
    "address. A one-time code admits one device."
)


def command() -> str:
    """Return the command that starts the app with phones, as the reader has installed it."""
    return "make class" if (app_folder() / "Makefile").is_file() else "evaltools class"


def phones_url() -> str:
    """Return the address that phones open."""
    return os.environ.get(PHONES_URL, "")


def codes_of(number: int) -> list[str]:
    """Return the one-time codes of the sheet, the same ones until they end to be valid."""
    return class_codes(code_secret(_code_file()).secret, number)


def codes_until() -> str:
    """Return the last moment for which the codes of the sheet are valid."""
    until = code_secret(_code_file()).until.astimezone()
    return f"{until.day} {until:%B %Y, %H:%M}"


def _code_file() -> Path:
    return shelf.folder() / "codes.json"


def attempt(write: Callable[[], object]) -> None:
    """Write what phones show, or say why that cannot be."""
    try:
        write()
    except OSError as error:
        st.toast(f"Phones cannot follow: {error.strerror or error}", icon=":material/error:")


def show_command(what: str, instead: str = "") -> None:
    """Say which command starts the app with phones."""
    st.text(f"This app was started without phones. To let the class {what} on their own devices, start it with")
    st.code(command(), language=None)
    st.text(
        "in a network that you share with the class. Phones then reach the ballots, and not the app."
        f"{f' {instead}' if instead else ''}"
    )


def ask_admission(store: ClassStore, what: str = "vote") -> tuple[Admission, int]:
    """Ask who has one vote, and how many students there are."""
    if store.now() is not None:
        st.text("They currently follow another browser.")
    admission = st.radio(
        f"Who has one {what}",
        list(_ADMISSIONS),
        format_func=lambda name: _ADMISSIONS[name],
        key="phones_admission",
        help=_HELP,
    )
    students = st.number_input(
        "Number of students", min_value=1, max_value=_MAX_STUDENTS, value=40, key="phones_students"
    )
    if admission == "code":
        attempt(_sheet_age)
    return admission, int(students)


def _sheet_age() -> None:
    """Say how long the sheet is valid, and offer new codes."""
    st.text(f"A sheet that was printed before is valid until {codes_until()}.")
    renew = partial(code_secret, _code_file(), renew=True)
    st.button("New codes", key="phones_renew", help="Earlier sheets are void then.", on_click=attempt, args=(renew,))


def show_link(now: ClassState, title: str, name: str, what: str = "vote") -> None:
    """Show the link with its large code, and the sheet of one-time codes."""
    link = phones_url()
    if now.admission == "code":
        until = codes_until()
        st.text(
            f"Print the sheet and cut it up: each of its {now.students} codes has one {what}. The sheet is valid until "
            f"{until}, also if you start the class again with the same address."
        )
        # The file is made before the click; one made after it is lost when two fragments end before it is fetched.
        st.download_button(
            "Sheet of codes (HTML)",
            code_sheet(link, tuple(codes_of(now.students)), f"Codes: {title}", until),
            f"codes-{name}.html",
            "text/html",
            icon=":material/download:",
            key="phones_sheet",
            on_click="ignore",
        )
    else:
        st.text(f"Each device has one {what}.")
    show_blocks(picture(qr_svg(link, _LARGE)), key="phones_code")
    st.code(link, language=None, wrap_lines=True)
    _enlarge("phones_enlarge")


def show_join(now: ClassState, what: str = "Vote") -> None:
    """Show the link with a small code, beside what is projected."""
    left, right = st.columns([2, 5], vertical_alignment="center")
    link = phones_url()
    with left:
        show_blocks(picture(qr_svg(link, _SMALL)), key="join_code")
    with right:
        show_blocks(answer(_invitation(now, what)), note(link), key="join_link", large=True)
        _enlarge("join_enlarge")


def show_large_code(now: ClassState, what: str = "Vote") -> None:
    """Fill the window with the code and the link."""
    link = phones_url()
    apply_projection(whole_screen=True)
    with st.container(key="lesson_title"):
        st.header(link, anchor=False)
    show_blocks(answer(_invitation(now, what)), picture(qr_svg(link, _LARGE), fit=_FIT), key="large_code", large=True)
    st.button("Close the code", key="code_close", on_click=state.put, kwargs={"code": None})


def _invitation(now: ClassState, what: str) -> str:
    return f"{what} with your phone{' and your code' if now.admission == 'code' else ''}:"


def _enlarge(key: str) -> None:
    st.button(
        "Fill the window with the code", key=key, icon=":material/zoom_in:", on_click=state.put, kwargs={"code": 1}
    )
