"""The server that phones of a class talk to: one question, one's own answer, and nothing else of the app.

``python -m evaltools.classroom.server CLASS_FILE --address IP --port N`` runs it until its standard input is closed:
then the program that started it has ended.
"""

from __future__ import annotations

import argparse
import asyncio
import hmac
import ipaddress
import re
import secrets
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from html import escape
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qs

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from evaltools.classroom.questions import PhoneQuestion, drawing_style, question_of, warm
from evaltools.classroom.votes import BallotBox, ClassState, ClassStore
from evaltools.errors import ParameterError
from evaltools.files import replace_file
from evaltools.guard import Guard
from evaltools.hosts import LOOPBACK, Host, network_names, parse_allowed
from evaltools.runs.warm import warm as warm_kernels

if TYPE_CHECKING:
    from starlette.types import ASGIApp


_COOKIE = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{64})")
_MAX_BUCKETS = 10_000
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Cookies:
    """The cookies of devices: a random name, and a signature.

    Examples
    --------
    >>> cookies = Cookies()
    >>> cookies.name(cookies.value("0" * 32)) == "0" * 32, cookies.name("0" * 32 + "." + "0" * 64)
    (True, '')
    """

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(_SECRET_BYTES), repr=False)

    def value(self, name: str) -> str:
        """Return the cookie of a device."""
        return f"{name}.{self._signature(name)}"

    def name(self, value: str) -> str:
        """Return the name of a device; empty if the cookie is not signed by this server."""
        match = _COOKIE.fullmatch(value)
        return match[1] if match is not None and hmac.compare_digest(match[2], self._signature(match[1])) else ""

    def _signature(self, text: str) -> str:
        return hmac.digest(self.secret, text.encode(), "sha256").hex()


def voter_of(name: str, votes: str) -> str:
    """Return the name under which a device votes on a lesson; votes on two lessons cannot be linked by it."""
    return blake2b(f"{name}\0{votes}".encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


class RateLimit:
    """A number of actions at once, then one each time that an interval has passed, for each key.

    Examples
    --------
    >>> limit = RateLimit(2, 10, clock=lambda: 0.0)
    >>> [limit.take("key") for _ in range(3)], limit.take("other key")
    ([True, True, False], True)
    """

    def __init__(self, burst: int, interval: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst = burst
        self.interval = interval
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> bool:
        """Return whether an action is allowed now, and count it if so."""
        now = self._clock()
        left, at = self._buckets.pop(key, (float(self.burst), now))
        left = min(self.burst, left + (now - at) / self.interval)
        is_allowed = left >= 1
        self._buckets[key] = (left - is_allowed, now)  # the last one: those that come first are the oldest
        while len(self._buckets) > _MAX_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        return is_allowed


def network_of(address: str) -> str:
    """Return the address that limits count by: a device may choose among the addresses of its IPv6 network.

    Examples
    --------
    >>> network_of("192.168.1.5"), network_of("2001:db8::1:2:3:4") == network_of("2001:db8::9")
    ('192.168.1.5', True)
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4 or parsed.ipv4_mapped:
        return str(getattr(parsed, "ipv4_mapped", None) or parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} – evaltools</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="phones.css">
<script src="phones.js" defer></script>
<noscript><meta http-equiv="refresh" content="5; url=./"></noscript>
</head>
<body data-version="{version}">
<main>
{body}
</main>
<p id="lost" role="alert" hidden>No connection to the class. Is this device in the same network?</p>
</body>
</html>
"""


def message_page(title: str, text: str, version: str, *, back: bool = False) -> str:
    """Return a page with a message; `back` adds a link to the question."""
    link = '\n<p><a class="button" href="./">Back to the question</a></p>' if back else ""
    return _page(title, f"<h1>{escape(title)}</h1>\n<p>{escape(text)}</p>{link}", version)


def question_page(lesson: str, question: str, body: str, version: str) -> str:
    """Return the page of a question, whose controls are inside the form that sends the answer."""
    form = (
        f'<form method="post" action="answer">\n<input type="hidden" name="ballot" value="{escape(question)}">\n'
        f"{body}\n</form>"
    )
    return _page(lesson, form, version)


def _page(title: str, body: str, version: str) -> str:
    return _PAGE.format(title=escape(title), version=escape(version), body=body)


COOKIE = "evaltools_phone"
"""The cookie of a device."""

_KEPT = 12 * 3600
_MAX_BODY = 64 * 1024
_BODY_SECONDS = 10.0
_CONNECTION_SECONDS = 30.0
"""A connection has one request, and so many seconds for it."""
_MAX_CONNECTIONS = 400
"""Connections of one address: a whole class may come from the same one."""
_FREE_FILES = 120
"""Open files that connections leave to everything else."""
_FORM = "application/x-www-form-urlencoded"
_ANSWERS = (10, 2.0)
"""Answers of a device: at once, and then one each so many seconds."""
_DRAFTS = (60, 0.5)
"""Drafts of a device, in the same way."""
_NEW_DEVICES = (100, 20.0)
"""New devices of a network address, in the same way."""
_HEADERS = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
)
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"


class _RefusedError(Exception):
    """A request whose body is not read."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def phone_app(
    class_file: Path,
    allowed: Iterable[Host] = (),
    clock: Callable[[], float] = time.monotonic,
    cookies: Cookies | None = None,
) -> ASGIApp:
    """Return the application that answers phones; `clock` replaces the clock of the limits in tests."""
    server = _PhoneServer(class_file, clock, cookies or Cookies())
    return Guard(server.app(), _names, lambda _: _HEADERS, allowed)


def _names(local: str) -> set[str]:
    return {*LOOPBACK, *network_names(), local} - {""}


def kept_secret(path: Path) -> bytes:
    """Return the secret of the cookies, which is kept in a file: phones are known again after a restart.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "phones.key"
    >>> kept_secret(path) == kept_secret(path)
    True
    """
    with suppress(OSError):
        known = path.read_bytes()
        if len(known) == _SECRET_BYTES:
            return known
    secret = secrets.token_bytes(_SECRET_BYTES)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, secret, private=True)
    return secret


class _PhoneServer:
    """The routes. What they share: the file of the class, the cookies' secret, and the limits."""

    def __init__(self, class_file: Path, clock: Callable[[], float], cookies: Cookies) -> None:
        self._class = ClassStore(class_file)
        self._cookies = cookies
        self._answers = RateLimit(*_ANSWERS, clock=clock)
        self._drafts = RateLimit(*_DRAFTS, clock=clock)
        self._devices = RateLimit(*_NEW_DEVICES, clock=clock)
        self._joined: set[str] = set()

    def app(self) -> Starlette:
        """Return the application."""
        routes = [
            Route("/", self.show, methods=["GET"]),
            Route("/now", self.now, methods=["GET"]),
            Route("/answer", self.answer, methods=["POST"]),
            Route("/draft", self.draft, methods=["POST"]),
            Route("/picture/{version}/{name}.svg", self.picture, methods=["GET"]),
            *(Route(f"/{name}", _file(text, kind), methods=["GET"]) for name, (kind, text) in _files().items()),
        ]
        return Starlette(routes=routes)

    # ------------------------------------------------------------------------------------------------------- routes

    async def show(self, request: Request) -> Response:
        """Show the question, or what there is instead of it."""
        state, version = await run_in_threadpool(self._state)
        device, cookie = self._device(request), ""
        if state is not None and not device:
            if not self._devices.take(network_of(_address(request))):
                return self._message("Too many devices", "Wait a minute, then load this page again.", version, 429)
            device = secrets.token_hex(16)
            cookie = self._cookies.value(device)
        response = await run_in_threadpool(self._page, state, version, device)
        if cookie:
            response.set_cookie(COOKIE, cookie, max_age=_KEPT, httponly=True, samesite="strict")
        return response

    async def now(self, request: Request) -> Response:
        """Return the version of what is shown, which changes with the question and when it is closed."""
        state, version = await run_in_threadpool(self._state)
        device = self._device(request)
        if state is not None and device:
            await run_in_threadpool(self._join, state, device)
        return PlainTextResponse(version)

    async def answer(self, request: Request) -> Response:
        """Store one's own answer to the question that is open."""
        try:
            fields = await _form(request)
        except _RefusedError as error:
            return _refusal(error)
        device = self._device(request)
        if device and not self._answers.take(device):  # before anything is read
            return self._message("Too many answers", "Wait a few seconds.", "", 429)
        state, version = await run_in_threadpool(self._state)
        if not device:
            return self._message(
                "This device has not joined", "Open the link of the class, and allow its cookie.", version, 403
            )
        question = _question(state)
        if state is None or question is None or fields.get("ballot") != state.question:
            return await run_in_threadpool(self._page, state, version, device, 409)
        try:
            checked = question.check(_within(fields.get("answer", ""), question.max_length))
        except ParameterError as error:
            return self._message("This is no answer", str(error), version, 400)
        voter = voter_of(device, state.votes)
        try:
            is_stored = await run_in_threadpool(BallotBox(Path(state.votes)).put, state.question, voter, checked)
        except OSError:
            return self._message("Your answer is not stored", "Please send it once more.", version, 503)
        if not is_stored:
            return await run_in_threadpool(self._page, state, version, device, 409)
        return RedirectResponse("./", 303)

    async def draft(self, request: Request) -> Response:
        """Return what the editor shows after some edits; nothing is stored."""
        try:
            fields = await _form(request)
        except _RefusedError as error:
            return _refusal(error)
        device = self._device(request)
        if device and not self._drafts.take(device):
            return JSONResponse({"refused": "Too many edits: wait a few seconds."}, 429)
        state, _ = await run_in_threadpool(self._state)
        question = _question(state)
        if not device:
            return JSONResponse({"refused": "This device has not joined."}, 403)
        if state is None or question is None or fields.get("ballot") != state.question:
            return JSONResponse({"refused": "Another question is shown now."}, 409)

        def drawn() -> Mapping[str, object]:
            mine = BallotBox(Path(state.votes)).answer_of(state.question, voter_of(device, state.votes))
            return question.draft(_within(fields.get("edits", ""), question.max_length), mine)

        try:
            return JSONResponse(await run_in_threadpool(drawn))
        except ParameterError as error:
            return JSONResponse({"refused": f"Not done: {error}."}, 400)

    async def picture(self, request: Request) -> Response:
        """Return a picture of the question that is shown."""
        state, _ = await run_in_threadpool(self._state)
        question = _question(state) if self._device(request) else None
        if state is None or question is None or request.path_params["version"] != _digest(state.content):
            return PlainTextResponse("Not found\n", 404)
        svg = (await run_in_threadpool(question.drawn)).get(request.path_params["name"])
        if svg is None:
            return PlainTextResponse("Not found\n", 404)
        headers = {"Content-Security-Policy": _PICTURE_POLICY, "Cache-Control": "private, max-age=3600"}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    # -------------------------------------------------------------------------------------------------------- parts

    def _state(self) -> tuple[ClassState | None, str]:
        """Return what is shown, and its version."""
        state = self._class.now()
        if state is None:
            return None, "none"
        is_open = bool(state.question) and BallotBox(Path(state.votes)).is_open(state.question)
        shown = (state.lesson, state.votes, state.question, state.content, str(is_open))
        return state, _digest("\0".join(shown))

    def _page(self, state: ClassState | None, version: str, device: str, status: int = 200) -> Response:
        """Return the page for what is shown now."""
        if state is None:
            text = "Leave this page open: the question appears here."
            return self._message("The class has not begun.", text, version, status)
        question = _question(state)
        if question is None:
            text = "The next question appears here when it is shown in front. Leave this page open."
            return self._message("Look at the screen in front.", text, version, status)
        box, voter = BallotBox(Path(state.votes)), voter_of(device, state.votes)
        body = question.page(
            box.answer_of(state.question, voter),
            is_open=box.is_open(state.question),
            pictures=f"picture/{_digest(state.content)}/",
            number=box.number_of(voter),
        )
        return HTMLResponse(question_page(state.lesson, state.question, body, version), status)

    def _message(self, title: str, text: str, version: str, status: int) -> Response:
        return HTMLResponse(message_page(title, text, version, back=status not in (200, 409)), status)

    def _device(self, request: Request) -> str:
        """Return the device of a request; empty if it has no cookie of this server."""
        return self._cookies.name(request.cookies.get(COOKIE, ""))

    def _join(self, state: ClassState, device: str) -> None:
        """Count a device that asks what is shown, once for each class."""
        voter = voter_of(device, state.votes)
        if voter not in self._joined and BallotBox(Path(state.votes)).join(voter):
            self._joined.add(voter)


def _question(state: ClassState | None) -> PhoneQuestion | None:
    return None if state is None or not state.question else question_of(state.kind, state.content)


def _within(answer: str, max_length: int) -> str:
    """Return an answer, unless it is too long."""
    if len(answer) > max_length:
        raise ParameterError(f"the answer has {len(answer):,} characters; expected at most {max_length:,}")
    return answer


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _refusal(error: _RefusedError) -> Response:
    return PlainTextResponse(f"{error}\n", error.status, headers={"Connection": "close"})


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a small form; what is larger or comes slowly is not read."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise _RefusedError(415, f"expected a form ({_FORM})")
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:12]) > _MAX_BODY:
        raise _RefusedError(413, f"expected at most {_MAX_BODY:,} bytes")
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > _MAX_BODY:
                    raise _RefusedError(413, f"expected at most {_MAX_BODY:,} bytes")
    except (TimeoutError, ClientDisconnect):
        raise _RefusedError(408, "the request did not come to its end") from None
    try:
        fields = parse_qs(body.decode("utf-8"), keep_blank_values=True, max_num_fields=10)
    except ValueError:
        raise _RefusedError(400, "this is no form") from None
    return {name: values[-1] for name, values in fields.items()}


def _files() -> dict[str, tuple[str, str]]:
    """Return type and text of the files that pages load."""

    def text(name: str) -> str:
        return (resources.files("evaltools") / name).read_text("utf-8")

    web = "classroom/web"
    return {
        "phones.css": ("text/css", text(f"{web}/phones.css")),
        "phones.js": ("text/javascript", text(f"{web}/phones.js")),
        "exercise.js": ("text/javascript", text(f"{web}/exercise.js")),
        "editor.js": ("text/javascript", text("drawing/dom.js") + text(f"{web}/editor.js")),
        "exercise.css": ("text/css", drawing_style() + text(f"{web}/editor.css")),
    }


def _file(text: str, kind: str) -> Callable[[Request], Awaitable[Response]]:
    """Return the route of a file."""

    async def send(_: Request) -> Response:
        return Response(text, media_type=kind)

    return send


# -------------------------------------------------------------------------------------------------------------- process


class _Connection(H11Protocol):
    """A connection that ends after some seconds, whatever it has sent; where there are too many, the oldest ends.

    Otherwise one device could hold all the connections that the process may have.
    """

    _open: ClassVar[dict[str, dict[asyncio.Transport, None]]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn declares it
        """Count the connection, and end the oldest one of its address, or of that with most, if there are too many."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._neighbors = self._open.setdefault(network_of(str(peer[0])) if peer else "", {})
        self._neighbors[transport] = None
        self._own = transport
        self._end = self.loop.call_later(_CONNECTION_SECONDS, transport.abort)
        if len(self._neighbors) > _MAX_CONNECTIONS:
            _end_oldest(self._neighbors)
        elif sum(map(len, self._open.values())) > _most_connections():
            _end_oldest(max(self._open.values(), key=len))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._end.cancel()
        self._neighbors.pop(self._own, None)
        for network in [network for network, connections in self._open.items() if not connections]:
            del self._open[network]
        super().connection_lost(exc)


def _end_oldest(connections: dict[asyncio.Transport, None]) -> None:
    oldest = next(iter(connections))
    del connections[oldest]
    oldest.abort()


@cache
def _most_connections() -> int:
    """Return how many connections the process may have: it needs some open files for other things."""
    try:
        import resource
    except ImportError:  # Windows, where sockets are no files
        return 2 * _MAX_CONNECTIONS
    return max(_FREE_FILES, min(2 * _MAX_CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - _FREE_FILES))


class _Server(uvicorn.Server):
    """A server that leaves signals alone: its standard input says when it ends."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle no signals."""
        yield


def main(arguments: Sequence[str]) -> None:
    """Run the server until standard input is closed."""
    parser = argparse.ArgumentParser(prog="evaltools.classroom.server")
    parser.add_argument("class_file", type=Path)
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--host", action="append", default=[])
    parser.add_argument("--key", type=Path, help="file of the secret of the cookies")
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches this process too
    secret = kept_secret(given.key) if given.key else secrets.token_bytes(_SECRET_BYTES)
    config = uvicorn.Config(
        phone_app(given.class_file, parse_allowed(given.host), cookies=Cookies(secret)),
        host=given.address,
        port=given.port,
        access_log=False,
        log_level="warning",
        lifespan="off",
        ws="none",
        http=_Connection,
        proxy_headers=False,  # otherwise a request could name its own address
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = _Server(config)

    def end() -> None:
        sys.stdin.buffer.read()
        server.should_exit = True

    def load() -> None:
        warm_kernels()
        warm()

    threading.Thread(target=end, name="evaltools-end", daemon=True).start()
    # Not a daemon: a compiler that is stopped at the end of the process aborts it.
    threading.Thread(target=load, name="evaltools-warm").start()
    server.run()


if __name__ == "__main__":
    main(sys.argv[1:])
