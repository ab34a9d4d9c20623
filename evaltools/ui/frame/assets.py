"""Streamlit's own scripts, styles and fonts: answered at once, and announced before the page asks for them.

Streamlit loads the script of a kind of element when the first element of that kind arrives, and then the scripts which
that one needs, step by step. Each page therefore names the scripts of all common kinds at the end of its head: the
browser loads them after those that Streamlit begins with, and has them when the elements arrive.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit
from starlette.datastructures import Headers, MutableHeaders

from evaltools.ui.session.ahead import expect_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Assets", "preloaded"]

_FOLDER = Path(streamlit.__file__).parent / "static"
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".woff2": "font/woff2"}
_FOREVER = "public, immutable, max-age=31536000"
"""As streamlit itself says: the name of a file has the digest of its content."""

_RELATIONS = {
    ".js": 'rel="modulepreload" crossorigin',
    ".css": 'rel="preload" as="style" crossorigin',
}

_ELEMENTS = (
    "BidiComponent",
    "Html",
    "Selectbox",
    "Button",
    "ButtonGroup",
    "Checkbox",
    "NumberInput",
    "TextInput",
    "PageLink",
    "DataFrame",
    "ArrowVegaLiteChart",
    "embed",  # Vega
)
"""The kinds of elements that most pages have, by the names of their scripts."""


class Assets:
    """Answers requests for streamlit's files without its many layers, and adds the scripts to load to each page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._files = {f"/{path.relative_to(_FOLDER).as_posix()}": path for path in _FOLDER.glob("static/*/*")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = self._files.get(scope["path"])
        kind = None if path is None else _TYPES.get(path.suffix)
        if path is not None and kind is not None and scope["method"] == "GET":
            await _send_file(path, kind, send)
            return

        if scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", ""):
            expect_page()
            scope, send = _without_compression(scope), _Announcing(send)
        await self._app(scope, receive, send)


def _without_compression(scope: Scope) -> Scope:
    """Return a request for a page as it is: text is added to it, and it is small."""
    headers = [(name, value) for name, value in scope["headers"] if name.lower() != b"accept-encoding"]
    return {**scope, "headers": headers}


class _Announcing:
    """Sends an answer; if it is a page, with the scripts to load."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None  # of a page; it is sent when all of the page is there
        self._page = b""

    async def __call__(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
            return
        if self._start is None:
            await self._send(message)
            return
        self._page += message.get("body", b"")
        if not message.get("more_body", False):
            page = _with_links(self._page)
            MutableHeaders(scope=self._start)["content-length"] = str(len(page))
            await self._send(self._start)
            await self._send({"type": "http.response.body", "body": page})


def _is_page(start: Message) -> bool:
    return start["status"] == 200 and MutableHeaders(scope=start).get("content-type", "").startswith("text/html")


def _with_links(page: bytes) -> bytes:
    links = "".join(f'<link {_RELATIONS[Path(name).suffix]} href="./{name}">' for name in preloaded())
    return page.replace(b"</head>", links.encode() + b"</head>", 1)


async def _send_file(path: Path, kind: str, send: Send) -> None:
    body = path.read_bytes()  # from the local disk: faster than a thread for it
    headers = {"content-type": kind, "content-length": str(len(body)), "cache-control": _FOREVER}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


@cache
def preloaded() -> tuple[str, ...]:
    """Return the scripts and styles that a page needs for its elements, not to begin; none if there is no manifest."""
    try:
        entries: dict[str, Any] = json.loads((_FOLDER / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    first = _with_imports(entries, (key for key, entry in entries.items() if entry.get("isEntry")))
    scripts = {key: entry["file"] for key, entry in entries.items() if entry["file"].endswith(".js")}
    keys = {Path(file).name.split(".")[0]: key for key, file in scripts.items()}
    wanted = _with_imports(entries, (keys[name] for name in _ELEMENTS if name in keys))
    more = [entries[key] for key in wanted if key not in first]
    return tuple(dict.fromkeys(file for entry in more for file in (entry["file"], *entry.get("css", ()))))


def _with_imports(entries: dict[str, Any], keys: Iterable[str]) -> list[str]:
    """Return keys of the manifest, and those of what their scripts import."""
    found = list(keys)
    for key in found:
        found += [name for name in entries.get(key, {}).get("imports", ()) if name not in found]
    return found
