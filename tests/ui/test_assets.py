"""Streamlit's own files: what is answered for them, and which of them pages announce."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.middleware.gzip import GZipMiddleware
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_handler

from evaltools.ui.frame import assets
from evaltools.ui.frame.assets import Assets, preloaded
from tests.coroutines import complete

INDEX = (assets._FOLDER / "index.html").read_text(encoding="utf-8")


PAGE = b"<html><head><title>inner</title></head><body></head></body></html>"


async def inner(scope: Any, receive: Any, send: Any) -> None:
    """Respond with HTML in two parts, or with plain text at the path ``/data``."""
    kind = b"text/plain" if scope["path"] == "/data" else b"text/html; charset=utf-8"
    headers = [(b"content-type", kind), (b"content-length", str(len(PAGE)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": PAGE[:20], "more_body": True})
    await send({"type": "http.response.body", "body": PAGE[20:]})


def answer(app: Any, path: str, method: str = "GET", **known: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the answer to a browser; `known`: more headers of the request."""
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.Event().wait()  # there is no more

    async def send(message: Any) -> None:
        sent.append(message)

    asked = [(b"accept", b"text/html,*/*;q=0.8"), (b"accept-encoding", b"gzip, br")]
    asked += [(name.replace("_", "-").encode(), value.encode()) for name, value in known.items()]
    scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": asked, "query_string": b""}
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
    body = answer(Assets(inner), path)[2]
    assert body.startswith(PAGE[:20])
    assert body.endswith(PAGE[-20:])


def test_only_pages_announce_scripts_after_their_own():
    app = Assets(inner)
    _, headers, body = answer(app, "/worst_parses")
    head, rest = body.split(b"</head>", 1)
    assert [name for name in preloaded() if f'href="./{name}"'.encode() not in head] == []
    assert head.startswith(b"<html><head><title>inner</title><link ")
    assert rest == b"<body></head></body></html>"
    assert headers["content-length"] == str(len(body))
    assert answer(app, "/data")[2] == PAGE
    assert answer(app, "/data")[1]["content-length"] == str(len(PAGE))


def test_pages_of_streamlit_announce_the_scripts_and_their_headers_do_not():
    streamlit = GZipMiddleware(create_streamlit_static_handler(str(assets._FOLDER), ""))  # as streamlit's own app has
    _, headers, body = answer(Assets(streamlit), "/worst_parses")
    own = body.decode()
    assert own.index("static/js/index.") < min(own.index(name) for name in preloaded())
    assert headers["content-length"] == str(len(body))
    assert answer(Assets(streamlit), "/worst_parses", "HEAD")[1]["content-length"] == str(len(INDEX.encode()))
    assert sum(len(name) + len(value) for name, value in headers.items()) < 1_000  # proxies refuse long ones


def test_a_page_is_expected_also_if_the_browser_knows_its_text(monkeypatch: pytest.MonkeyPatch):
    expected: list[str] = []
    monkeypatch.setattr(assets, "expect_page", lambda: expected.append("page"))
    app = Assets(create_streamlit_static_handler(str(assets._FOLDER), ""))
    etag = answer(app, "/")[1]["etag"]
    assert expected == ["page"]
    assert answer(app, "/", if_none_match=etag)[0] == 304
    assert expected == ["page", "page"]
    answer(app, f"/{preloaded()[0]}")
    assert expected == ["page", "page"]


def test_the_scripts_are_those_of_the_elements_which_the_page_does_not_load_itself():
    files = preloaded()
    assert all((assets._FOLDER / file).is_file() for file in files)
    names = [file.rpartition("/")[2].split(".")[0] for file in files]
    assert [element for element in assets._ELEMENTS if element not in names] == []
    assert [file for file in files if file in INDEX] == []
