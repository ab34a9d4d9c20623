"""Voting by phone, as whoever projects a lesson sees it: the address, its QR code, and phones that follow."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode, urlsplit

import streamlit as st

from evaltools.classroom.votes import ClassStep, ClassStore
from evaltools.drawing.blocks import answer, note, picture
from evaltools.drawing.qr import qr_svg
from evaltools.hosts import is_local, lan_address
from evaltools.ui.components.blocks import show_blocks

__all__ = ["ballot_link", "base_address", "follow", "join", "leads", "phones"]

_COMMAND = 'make app ARGS="--address 0.0.0.0"'
_ANY = {"", "0.0.0.0", "::"}
_NOT_SET = "localhost"  # what streamlit takes for the browser's address unless it is told
_LARGE, _SMALL = 8, 4
"""Pixels of a module of the code: to be read from the last row, and beside two parses."""


def leads(store: ClassStore, me: str) -> bool:
    """Tell whether phones follow this device."""
    now = store.now()
    return now is not None and now.leader == me


def follow(store: ClassStore, me: str, step: int, *, is_open: bool) -> None:
    """Have phones show a step, if they follow this device."""
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
        show_blocks(picture(qr_svg(link, _SMALL)), key="join_code")
    with right:
        show_blocks(answer("Vote with your phone:"), note(link), key="join_link", large=True)


def phones(name: str, store: ClassStore, me: str, step: int, *, is_open: bool) -> None:
    """Show where voting by phone begins and ends, or why phones cannot vote."""
    with st.popover("Phones", icon=":material/qr_code_2:", key="phones"):
        base = base_address()
        if base is None:
            st.text("Phones do not reach this app: it listens on this computer only.")
            st.text("To let the class vote on their own devices, stop the app and start it again with")
            st.code(_COMMAND, language=None)
            st.text(
                "in a network that you share with the class. Everyone in it can then open the whole app. "
                "Alternatively, take a show of hands and enter the numbers."
            )
            return
        now = store.now()
        if now is None or now.leader != me:
            st.text("Phones in the same network show the two parses that you show, and vote on them.")
            if now is not None:
                st.text("They currently follow another device.")
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
        show_blocks(picture(qr_svg(link, _LARGE)), key="phones_code")
        st.code(link, language=None, wrap_lines=True)
        st.text("Phones show what you show. They may vote until you show the verdicts.")
        st.button("End the vote by phone", key="phones_end", on_click=_try, args=(store.clear,))


def _try(write: Callable[[], None]) -> None:
    try:
        write()
    except OSError as error:
        st.toast(f"Phones cannot follow: {error.strerror or error}", icon=":material/error:")


def base_address() -> str | None:
    """Return the address of the app in the network; None if only this computer reaches it."""
    # An address by which the teacher's own browser has come from elsewhere serves phones as well; otherwise it is
    # that which the server listens on.
    own = urlsplit(st.context.url or "")
    if own.hostname and not is_local(own.hostname) and own.hostname not in _ANY:
        path = own.path.rsplit("/", 1)[0] if own.path.endswith("/lessons") else own.path
        return f"{own.scheme}://{own.netloc}{path.rstrip('/')}"
    listens = str(st.get_option("server.address") or "")
    if listens not in _ANY and is_local(listens):
        return None
    text = str(st.get_option("browser.serverAddress") or "")
    host = text if text and text != _NOT_SET else lan_address() if listens in _ANY else listens
    if not host:
        return None
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{st.get_option('server.port')}" + (f"/{path}" if path else "")


def ballot_link(base: str, lesson: str) -> str:
    """Return the link that phones open to vote.

    Examples
    --------
    >>> ballot_link("http://192.168.1.5:8501", "vote")
    'http://192.168.1.5:8501/lessons?ballot=vote'
    """
    return f"{base}/lessons?{urlencode({'ballot': lesson})}"
