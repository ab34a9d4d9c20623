"""Phones of a class, as the teacher sets them up: the command that starts their server, who has a vote, the link."""

from __future__ import annotations

import os
from collections.abc import Callable

import streamlit as st

from evaltools.classroom.votes import PHONES_URL, ClassStore
from evaltools.drawing.blocks import answer, note, picture
from evaltools.drawing.qr import qr_svg
from evaltools.runs.installed import app_folder
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lessons.projection import apply_projection
from evaltools.ui.session import state

_LARGE, _SMALL = 8, 4
"""Pixels of a module of the code: to be read from the last row, and beside what is projected."""
_FIT = 76
"""How much of the window's height the code may take, in hundredths."""
_MAX_STUDENTS = 500
_HELP = (
    "Devices are known by a cookie; whoever deletes it can vote again, up to the number of students for each network "
    "address."
)


def command() -> str:
    """Return the command that starts the app with phones, as the reader has installed it."""
    return "make class" if (app_folder() / "Makefile").is_file() else "evaltools class"


def phones_url() -> str:
    """Return the address that phones open."""
    return os.environ.get(PHONES_URL, "")


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


def ask_students(store: ClassStore) -> int:
    """Ask how many students there are."""
    if store.now() is not None:
        st.text("They currently follow another browser.")
    number = st.number_input(
        "Number of students", min_value=1, max_value=_MAX_STUDENTS, value=40, key="phones_students", help=_HELP
    )
    return int(number)


def show_link(what: str = "vote") -> None:
    """Show the link with its large code."""
    link = phones_url()
    st.text(f"Each device has one {what}.")
    show_blocks(picture(qr_svg(link, _LARGE)), key="phones_code")
    st.code(link, language=None, wrap_lines=True)
    _enlarge("phones_enlarge")


def show_join(what: str = "Vote") -> None:
    """Show the link with a small code, beside what is projected."""
    left, right = st.columns([2, 5], vertical_alignment="center")
    link = phones_url()
    with left:
        show_blocks(picture(qr_svg(link, _SMALL)), key="join_code")
    with right:
        show_blocks(answer(f"{what} with your phone:"), note(link), key="join_link", large=True)
        _enlarge("join_enlarge")


def show_large_code(what: str = "Vote") -> None:
    """Fill the window with the code and the link."""
    link = phones_url()
    apply_projection(whole_screen=True)
    with st.container(key="lesson_title"):
        st.header(link, anchor=False)
    show_blocks(
        answer(f"{what} with your phone:"), picture(qr_svg(link, _LARGE), fit=_FIT), key="large_code", large=True
    )
    st.button("Close the code", key="code_close", on_click=state.put, kwargs={"code": None})


def _enlarge(key: str) -> None:
    st.button(
        "Fill the window with the code", key=key, icon=":material/zoom_in:", on_click=state.put, kwargs={"code": 1}
    )
