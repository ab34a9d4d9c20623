"""Voting by phone, as whoever projects a lesson sees it: the link as a QR code, and phones that follow."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from evaltools.analysis.class_step import ClassStep, ClassStore
from evaltools.drawing.qr import qr_svg
from evaltools.ui.class_address import ballot_link, base_address
from evaltools.ui.plain import answer, note, picture, plain

__all__ = ["follow", "join", "leads", "phones"]

_COMMAND = 'make app ARGS="--address 0.0.0.0"'
_LARGE, _SMALL = 8, 4
"""Pixels of a module of the code: to be read from the last row, and beside two parses."""


def leads(store: ClassStore, me: str) -> bool:
    """Tell whether phones follow this device."""
    now = store.now()
    return now is not None and now.leader == me


def follow(store: ClassStore, me: str, step: int, *, is_open: bool) -> None:
    """Have phones show a step, if they follow this device.

    Parameters
    ----------
    store : ClassStore
        What the class is shown.
    me : str
        This device.
    step : int
        The step's place, from 0.
    is_open : bool
        Whether one may vote on it.
    """
    wanted = ClassStep(me, step, is_open)
    if leads(store, me) and store.now() != wanted:
        _try(lambda: store.show(wanted))


def join(name: str) -> None:
    """Show the link of the ballot as a QR code, beside a ballot that is projected."""
    base = base_address()
    if base is None:
        return
    link = ballot_link(base, name)
    left, right = st.columns([2, 5], vertical_alignment="center")
    with left:
        plain(picture(qr_svg(link, _SMALL)), key="join_code")
    with right:
        plain(answer("Vote with your phone:"), note(link), key="join_link", large=True)


def phones(name: str, store: ClassStore, me: str, step: int, *, is_open: bool) -> None:
    """Show where voting by phone begins and ends, or why phones cannot vote.

    Parameters
    ----------
    name : str
        The lesson's name.
    store : ClassStore
        What the class is shown of it.
    me : str
        This device.
    step : int
        The place of the step that is shown, from 0.
    is_open : bool
        Whether one may vote on it.
    """
    with st.popover("Phones", icon=":material/qr_code_2:", key="phones"):
        base = base_address()
        if base is None:
            st.text("Phones do not reach this app: it listens on this computer only.")
            st.text("To have the class vote on devices of their own, end the app and start it again with")
            st.code(_COMMAND, language=None)
            st.text(
                "in a network that you share with the class. Everybody in it can then open all of the app. "
                "Or take a show of hands and type the numbers in."
            )
            return
        now = store.now()
        if now is None or now.leader != me:
            st.text("Phones in the same network show the two parses that you show, and vote on them.")
            if now is not None:
                st.text("They follow another device at the moment.")
            begin = ClassStep(me, step, is_open)
            st.button(
                "Let phones vote",
                key="phones_begin",
                type="primary",
                on_click=_try,
                args=(lambda: store.show(begin),),
            )
            return
        link = ballot_link(base, name)
        plain(picture(qr_svg(link, _LARGE)), key="phones_code")
        st.code(link, language=None, wrap_lines=True)
        st.text("Phones show what you show. They may vote until you show the verdicts.")
        st.button("End the vote by phone", key="phones_end", on_click=_try, args=(store.stop,))


def _try(write: Callable[[], None]) -> None:
    try:
        write()
    except OSError as error:
        st.toast(f"Phones cannot follow: {error.strerror or error}", icon=":material/error:")
