"""The guard of the app's server: its names, the policy of Streamlit's pages, and the teacher's link of a class."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
import signal
import sys
import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse

from evaltools.errors import ParameterError
from evaltools.guard import Guard, listening, refuse
from evaltools.hosts import ALLOWED_HOSTS, LAUNCHED, LOOPBACK, TEACHER, is_local, network_names, parse_allowed

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_CLOSED = ("/_stcore/metrics",)
"""Routes of Streamlit that nobody needs here: figures about the users' sessions, for everybody."""

_HEALTH = "/_stcore/health"
_TEACHER_NAME = "teacher"
_NOT_ADMITTED = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>evaltools: a class is on</title>
<style>body { max-width: 34rem; margin: 12vh auto; padding: 0 1rem; font: 1.1rem/1.5 system-ui, sans-serif; }</style>
</head><body><h1>A class is on</h1>
<p>Only its teacher can open the app. The link is new each time that a class is started: use the one that
<code>evaltools class</code> printed last.</p></body></html>
"""
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def guarded() -> list[Middleware]:
    """Return the middleware of the app's server."""
    names = os.environ.get(ALLOWED_HOSTS, "")
    try:
        allowed = parse_allowed(name for name in names.split(",") if name.strip())
    except ParameterError as error:
        raise SystemExit(f"evaltools: {ALLOWED_HOSTS}: {error}") from None
    if os.environ.get(LAUNCHED):
        threading.Thread(target=_end_with_launcher, name="evaltools-end", daemon=True).start()
    return [
        Middleware(Guard, names=own_names, headers=security_headers, allowed=allowed, port=_port),
        Middleware(Admission, secret=os.environ.get(TEACHER, "")),
    ]


def _end_with_launcher() -> None:
    """End the server when its standard input is closed: then the command that started it has ended, or was killed."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


class Admission:
    """Closes routes that nobody needs; with a secret, answers only the browser that was opened with the teacher's link.

    The link sets a cookie.
    """

    def __init__(self, app: ASGIApp, secret: str = "") -> None:
        self._app = app
        self._secret = secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif str(scope["path"]).rstrip("/").endswith(_CLOSED):
            await refuse(404, "Not found", scope, receive, send)
        elif self._secret and not str(scope["path"]).endswith(_HEALTH) and not self._is_teacher(scope):
            await self._admit(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _is_teacher(self, scope: Scope) -> bool:
        """Return whether the browser has the cookie."""
        cookie = HTTPConnection(scope).cookies.get(_teacher_cookie(scope), "")
        return secrets.compare_digest(cookie.encode(), self._secret.encode())

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give the cookie to a browser that comes with the teacher's link; refuse others."""
        query = HTTPConnection(scope).query_params
        given = query.get(_TEACHER_NAME, "")
        if scope["type"] != "http" or not secrets.compare_digest(given.encode(), self._secret.encode()):
            await HTMLResponse(_NOT_ADMITTED, 403)(scope, receive, send)
            return
        rest = urlencode([(name, value) for name, value in query.multi_items() if name != _TEACHER_NAME])
        response = RedirectResponse(f"/{str(scope['path']).lstrip('/')}{'?' if rest else ''}{rest}", 303)
        response.set_cookie(_teacher_cookie(scope), self._secret, httponly=True, samesite="strict")
        await response(scope, receive, send)


def _teacher_cookie(scope: Scope) -> str:
    """Return the name of the cookie, which depends on the port: cookies do not."""
    return f"evaltools_{_TEACHER_NAME}_{listening(scope, _port)[1]}"


def _port() -> int:
    return int(st.get_option("server.port"))


def own_names(local: str) -> set[str]:
    """Return the server's own names and addresses."""
    names = {*LOOPBACK, str(st.get_option("browser.serverAddress") or "localhost").lower()}
    names |= {local} if local else set()
    if not is_local(str(st.get_option("server.address") or "")):
        names |= network_names()
    return names


def security_headers(host: str) -> list[tuple[str, str]]:
    """Return the header that says what a page may load, and who may show it."""
    sockets = f" ws://{host} wss://{host}" if host else ""  # 'self' does not cover them in every browser
    policy = (
        "default-src 'none'",
        f"script-src 'self' blob: {_inline_scripts()}".rstrip(),  # a component's script is a blob
        "style-src 'self' 'unsafe-inline'",  # Streamlit's styles, and those of pictures, stand in the page
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "media-src 'self' blob:",
        "worker-src 'self' blob:",
        "manifest-src 'self'",
        f"connect-src 'self'{sockets}",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
    return [("Content-Security-Policy", "; ".join(policy))]


@cache
def _inline_scripts() -> str:
    """Return the digests of the scripts that stand in Streamlit's own page."""
    page = Path(st.__file__).parent / "static" / "index.html"
    scripts = _INLINE.findall(page.read_text(encoding="utf-8")) if page.is_file() else []
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)
