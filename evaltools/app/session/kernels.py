"""The kernels, compiled once after installation: the server does it, or loads them, while the first page comes up."""

from __future__ import annotations

import threading

import streamlit as st

from evaltools.runs.warm import warm

_MOMENT = 0.3
"""Seconds."""


@st.cache_resource(show_spinner=False)
def start_warming() -> threading.Thread:
    """Begin to compile or load the kernels in the background, once in the life of the server."""
    thread = threading.Thread(target=warm, name="evaltools-warm", daemon=True)
    thread.start()
    return thread


def compiling() -> bool:
    """Tell whether the kernels are still being compiled or loaded; waits a moment, which is enough to load them."""
    thread = start_warming()
    thread.join(_MOMENT)
    return thread.is_alive()


def wait_for_kernels() -> None:
    """Wait until the kernels are there, and say so meanwhile."""
    if compiling():
        with st.spinner("Compiling the kernels, once after installation: up to a minute …"):
            start_warming().join()
