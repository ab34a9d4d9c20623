"""Streamlit's own files: what is answered for them, and which of them pages announce."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_handler

from evaltools.ui.frame import assets
from evaltools.ui.frame.assets import Assets, preloaded
from tests.coroutines import complete

INDEX = (assets._FOLDER / "index.html").read_text(encoding="utf-8")


async def inner(scope: Any, receive: Any, send: Any) -> None:
    """Respond with HTML, or with plain text at the path ``/data``."""
    kind = b"text/plain" if scope["path"] == "/data" else b"text/html; charset=utf-8"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})
    await send({"type": "http.response.body", "body": b"inner"})


def answer(app: Any, path: str, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body."""
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.Event().wait()  # there is no more

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": [], "query_string": b""}
    complete(app(scope, receive, send))
    headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(part.get("body", b"") for part in sent[1:])


@pytest.mark.parametrize("kind", [".js", ".css", ".woff2"])
def test_a_file_is_answered_as_streamlit_answers_it(kind: str):
    path = min(assets._FOLDER.glob(f"static/*/*{kind}"), key=lambda file: file.stat().st_size)
    url = f"/{path.relative_to(assets._FOLDER).as_posix()}"
    streamlit = answer(create_streamlit_static_handler(str(assets._FOLDER), ""), url)
    own = answer(Assets(inner), url)
    assert (own[0], own[2]) == (streamlit[0], streamlit[2]) == (200, path.read_bytes())
    for name in ("content-length", "cache-control"):
        assert own[1][name] == streamlit[1][name]
    assert own[1]["content-type"].split(";")[0] in {"text/javascript", "text/css", "font/woff2"}


@pytest.mark.parametrize(
    "path", ["/", "/static/js/../../index.html", "/static/js/..%2f..%2findex.html", "/static", "/static/js/none.js"]
)
def test_everything_else_is_left_to_streamlit(path: str):
    assert answer(Assets(inner), path)[2] == b"inner"


def test_only_pages_announce_scripts():
    app = Assets(inner)
    links = answer(app, "/worst_parses")[1]["link"]
    assert all(f"</{name}>" in links for name in preloaded())
    assert "link" not in answer(app, "/data")[1]


def test_the_scripts_are_those_of_the_elements_which_the_page_does_not_load_itself():
    files = preloaded()
    assert all((assets._FOLDER / file).is_file() for file in files)
    names = [file.rpartition("/")[2].split(".")[0] for file in files]
    assert [element for element in assets._ELEMENTS if element not in names] == []
    assert [file for file in files if file in INDEX] == []
