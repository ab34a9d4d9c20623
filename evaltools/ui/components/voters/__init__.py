"""Who votes: a random name that the browser keeps for a month as a cookie, so that a device has one vote.

The name says nothing of a person and leaves neither the browser nor this computer. What is written beside a vote is
made of it and of the lesson, so that nobody can tell which votes on two lessons came from one device. A browser that
keeps no cookies gets a name for as long as its page is open.
"""

from __future__ import annotations

import re
import secrets
from hashlib import blake2b

import streamlit as st

from evaltools.ui.components import Component

__all__ = ["COOKIE", "device", "voter"]

_COMPONENT = Component("voters")

COOKIE = "evaltools_device"
"""The cookie's name."""

_NAME = re.compile(r"[0-9a-f]{32}")
_KEPT = 30 * 24 * 3600
_KEY = "evaltools_device_cookie"


def device() -> str:
    """Return the random name of the browser; to be called once on a page, which then keeps it there."""
    if COOKIE not in st.session_state:
        st.session_state[COOKIE] = _checked(st.context.cookies.get(COOKIE)) or secrets.token_hex(16)

    def told(said: object) -> None:
        if known := _checked(said):
            st.session_state[COOKIE] = known  # another page of this browser was first

    name = str(st.session_state[COOKIE])
    _COMPONENT.mount({"name": COOKIE, "value": name, "seconds": _KEPT}, key=_KEY, told={"known": told})
    return name


def _checked(said: object) -> str:
    """Return a name that a browser has sent; empty if it is none."""
    return said if isinstance(said, str) and _NAME.fullmatch(said) else ""


def voter(name: str, lesson: str) -> str:
    """Return under what name a device votes on a lesson.

    Parameters
    ----------
    name : str
        What :func:`device` returned.
    lesson : str
        The lesson's name.

    Examples
    --------
    >>> voter("0" * 32, "vote") == voter("0" * 32, "vote"), voter("0" * 32, "vote") == voter("0" * 32, "attachment")
    (True, False)
    """
    return blake2b(f"{name}\0{lesson}".encode(), digest_size=8).hexdigest()
