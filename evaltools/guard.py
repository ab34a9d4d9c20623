"""What the servers of the app and of the phones refuse, and the headers of what they answer.

Every request passes through here first, whatever answers it. See :mod:`evaltools.hosts` for why its host matters.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

from evaltools.hosts import Host, is_answered, parse_host, parse_origin
from evaltools.text import excerpt

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = (
    ("X-Frame-Options", "DENY"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "same-origin"),
)
"""Headers of every answer, beside those that a server adds."""


class Guard:
    """Refuses requests for foreign hosts and from foreign pages; adds the headers that confine what a page may do.

    Parameters
    ----------
    app : ASGI application
        What answers the other requests.
    names : callable
        Returns the names of this server, from the address that a connection has reached.
    headers : callable
        Returns further headers of an answer, from the host of the request; empty if it is refused.
    allowed : iterable of Host
        Further hosts that are answered.
    port : callable
        Returns the port of this server where a connection does not tell.
    """

    def __init__(
        self,
        app: ASGIApp,
        names: Callable[[str], Iterable[str]],
        headers: Callable[[str], Iterable[tuple[str, str]]],
        allowed: Iterable[Host] = (),
        port: Callable[[], int] = lambda: 80,
    ) -> None:
        self._app = app
        self._names = names
        self._headers = headers
        self._allowed = tuple(allowed)
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        hosts = Headers(scope=scope).getlist("host")
        reason = self._refusal(scope, hosts)

        async def send_confined(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in self._headers("" if reason else hosts[0]):
                    answer.setdefault(name, value)
                for name, value in HEADERS:
                    answer[name] = value
            await send(message)

        if reason:
            _print_refusal()
            await refuse(403 if hosts else 400, reason, scope, receive, send_confined)
        else:
            await self._app(scope, receive, send_confined)

    def _refusal(self, scope: Scope, hosts: list[str]) -> str:
        """Return why a request is refused; empty if it is not."""
        if len(hosts) != 1:
            return "evaltools refuses this request: it must name one Host."
        host = parse_host(hosts[0])
        local, port = listening(scope, self._port)
        default_port = 443 if scope.get("scheme") in ("https", "wss") else 80
        if host is None or not is_answered(host, self._names(local), port, self._allowed, default_port=default_port):
            return _explain_host(hosts[0], host, port)
        origins = Headers(scope=scope).getlist("origin")
        if any(parse_origin(origin) != host for origin in origins):
            return (
                f"evaltools refuses this request: it comes from a page of {excerpt(origins[0], 100)!r}, and only the "
                "server's own pages are answered. A proxy in front of it must pass on the header Host unchanged."
            )
        return ""


def listening(scope: Scope, port: Callable[[], int]) -> tuple[str, int]:
    """Return the address and port of this computer that a connection has reached."""
    server = scope.get("server")
    if server is None or server[1] is None:
        return "", port()
    return str(server[0]), int(server[1])


def _explain_host(given: str, host: Host | None, port: int) -> str:
    named = f" {excerpt(given, 100)!r}" if host is not None else " that is malformed"
    example = excerpt(given.lower(), 100) if host is not None else "NAME"
    return (
        f"evaltools refuses this request: it is for a host{named}, and only the addresses of the computer it runs on "
        f"are answered, with port {port}. To use another name on purpose, for instance that of a proxy, start with: "
        f"evaltools app --allow-host {example} (phones: evaltools class --phones-host {example})"
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


async def refuse(status: int, reason: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a request with a reason."""
    if scope["type"] == "websocket":  # before it is open, the server answers this with status 403
        await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        return
    await PlainTextResponse(f"{reason}\n", status)(scope, receive, send)
