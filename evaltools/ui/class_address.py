"""Where phones of a class reach the app, if they do."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

import streamlit as st

from evaltools.hosts import is_local
from evaltools.launch import lan_address

__all__ = ["ballot_link", "base_address"]

_ANY = {"", "0.0.0.0", "::"}
_NOT_SET = "localhost"  # what streamlit takes for the browser's address unless it is told


def base_address() -> str | None:
    """Return the address of the app in the network; None if only this computer reaches it.

    An address by which the teacher's own browser has come from elsewhere serves phones as well; otherwise it is that
    which the server listens on.
    """
    own = urlsplit(st.context.url or "")
    if own.hostname and not is_local(own.hostname) and own.hostname not in _ANY:
        path = own.path.rsplit("/", 1)[0] if own.path.endswith("/lessons") else own.path
        return f"{own.scheme}://{own.netloc}{path.rstrip('/')}"
    listens = str(st.get_option("server.address") or "")
    if listens not in _ANY and is_local(listens):
        return None
    told = str(st.get_option("browser.serverAddress") or "")
    host = told if told and told != _NOT_SET else lan_address() if listens in _ANY else listens
    if not host:
        return None
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{st.get_option('server.port')}" + (f"/{path}" if path else "")


def ballot_link(base: str, lesson: str) -> str:
    """Return the link that phones open to vote.

    Parameters
    ----------
    base : str
        What :func:`base_address` returned.
    lesson : str
        The lesson's name.

    Examples
    --------
    >>> ballot_link("http://192.168.1.5:8501", "vote")
    'http://192.168.1.5:8501/lessons?ballot=vote'
    """
    return f"{base}/lessons?{urlencode({'ballot': lesson})}"
