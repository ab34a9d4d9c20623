"""What the server of the app refuses, and the headers of what it answers.

Every request passes through here first, whatever part of Streamlit answers it: pages, static files, media, uploads,
the WebSocket. See :mod:`evaltools.hosts` for why the host of a request matters.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse

from evaltools.classroom.votes import TEACHER
from evaltools.errors import ParameterError
from evaltools.hosts import (
    ALLOWED_HOSTS,
    LOOPBACK,
    Host,
    is_answered,
    is_local,
    network_names,
    parse_allowed,
    parse_host,
    parse_origin,
)
from evaltools.text import excerpt

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    return [Middleware(Guard, allowed=allowed, secret=os.environ.get(TEACHER, ""))]


class Guard:
    """Refuses requests for foreign hosts and from foreign pages; adds the headers that confine what a page may do.

    With a secret it answers only the browser that was opened with the teacher's link, which sets a cookie.
    """

    def __init__(self, app: ASGIApp, allowed: Iterable[Host] = (), secret: str = "") -> None:
        self._app = app
        self._allowed = tuple(allowed)
        self._secret = secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")

        async def send_confined(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in security_headers(hosts[0] if reason is None else ""):
                    answer[name] = value
            await send(message)

        reason = self._refusal(scope, headers, hosts)
        if reason is not None:
            _print_refusal()
            await _refuse(403 if hosts else 400, reason, scope, receive, send_confined)
        elif str(scope["path"]).rstrip("/").endswith(_CLOSED):
            await _refuse(404, "Not found", scope, receive, send_confined)
        elif self._secret and not str(scope["path"]).endswith(_HEALTH) and not self._is_teacher(scope):
            await self._admit(scope, receive, send_confined)
        else:
            await self._app(scope, receive, send_confined)

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

    def _refusal(self, scope: Scope, headers: Headers, hosts: list[str]) -> str | None:
        """Return why a request is refused; None if it is not."""
        if len(hosts) != 1:
            return "evaltools refuses this request: it must name one Host."
        host = parse_host(hosts[0])
        secure = scope.get("scheme") in ("https", "wss")
        local, port = _listening(scope)
        names = _own_names(local)
        if host is None or not is_answered(host, names, port, self._allowed, default_port=443 if secure else 80):
            return _explain_host(hosts[0], host, port)
        origins = headers.getlist("origin")
        if any(parse_origin(origin) != host for origin in origins):
            return (
                f"evaltools refuses this request: it comes from a page of {excerpt(origins[0], 100)!r}, and only the "
                "app's own pages are answered. A proxy in front of the app must pass on the header Host unchanged."
            )
        return None


def _teacher_cookie(scope: Scope) -> str:
    """Return the name of the cookie, which depends on the port: cookies do not."""
    return f"evaltools_{_TEACHER_NAME}_{_listening(scope)[1]}"


def _listening(scope: Scope) -> tuple[str, int]:
    """Return the address and port of this computer that a connection has reached."""
    server = scope.get("server")
    if server is None or server[1] is None:
        return "", int(st.get_option("server.port"))
    return str(server[0]), int(server[1])


def _own_names(local: str) -> set[str]:
    """Return the server's own names and addresses."""
    names = set(LOOPBACK)
    names |= {local} if local else set()
    names.add(str(st.get_option("browser.serverAddress") or "localhost").lower())
    if not is_local(str(st.get_option("server.address") or "")):
        names |= network_names()
    return names


def _explain_host(given: str, host: Host | None, port: int) -> str:
    named = f" {excerpt(given, 100)!r}" if host is not None else " that is malformed"
    example = excerpt(given.lower(), 100) if host is not None else "NAME"
    return (
        f"evaltools refuses this request: it is for a host{named}, and the app answers only under the addresses of the "
        f"computer it runs on, with port {port}. To reach it under another name on purpose, for instance through a "
        f"proxy, start it with: evaltools app --allow-host {example}"
    )


@cache
def _print_refusal() -> None:
    """Print once that requests are refused; what they hold comes from anyone and is not printed."""
    print(
        "evaltools: a request was refused, since it is for another host or from a page of one (later ones are not "
        "printed). Behind a proxy, name its host with --allow-host, and have it pass on the header Host unchanged "
        "(nginx: proxy_set_header Host $http_host;).",
        file=sys.stderr,
        flush=True,
    )


async def _refuse(status: int, reason: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":  # before it is open, the server answers this with status 403
        await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        return
    await PlainTextResponse(f"{reason}\n", status)(scope, receive, send)


def security_headers(host: str) -> list[tuple[str, str]]:
    """Return the headers that confine what a page may load, and who may show it."""
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
    return [
        ("Content-Security-Policy", "; ".join(policy)),
        ("X-Frame-Options", "DENY"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Referrer-Policy", "same-origin"),
    ]


@cache
def _inline_scripts() -> str:
    """Return the digests of the scripts that stand in Streamlit's own page."""
    page = Path(st.__file__).parent / "static" / "index.html"
    scripts = _INLINE.findall(page.read_text(encoding="utf-8")) if page.is_file() else []
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)
