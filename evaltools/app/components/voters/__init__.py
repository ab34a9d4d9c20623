"""Identity of voters: a random name that the browser keeps for a month as a cookie, so that a device has one vote.

The name does not identify a person and leaves neither the browser nor this computer. A browser without cookies gets a
name that is valid while the page is open.
"""

from __future__ import annotations

import re
import secrets

import streamlit as st

from evaltools.app.components import Component

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

    def changed(value: object) -> None:
        if name := _checked(value):
            st.session_state[COOKIE] = name  # another page of this browser was first

    name = str(st.session_state[COOKIE])
    _COMPONENT.mount({"name": COOKIE, "value": name, "seconds": _KEPT}, key=_KEY, listeners={"known": changed})
    return name


def _checked(value: object) -> str:
    """Return a name that a browser has sent; empty if it is invalid."""
    return value if isinstance(value, str) and _NAME.fullmatch(value) else ""
