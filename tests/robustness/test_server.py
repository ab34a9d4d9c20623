"""The server of the app: several users, uploads too large, requests that ask for more or come from elsewhere."""

from __future__ import annotations

import base64
import http.client
import os
import re
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

import evaltools
from evaltools.app.session import library
from evaltools.hosts import lan_address
from tests.browser.steps import drawing, expect_in_link, in_link, open_page, settle, upload

ONE = "(S (NP (N dogs)) (VP (V bark)))\n(S (NP (N it)) (VP (V rains)))\n(S (X one))\n"
TWO = "(S (NP (N dogs)) (NP (V bark)))\n(S (N it) (VP (V rains)))\n(S (Y one))\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with two runs, of the parsers ``first`` and ``second``."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "gold.ptb").write_text(ONE)
    (folder / "test.ptb").write_text(TWO)
    for name in ("first", "second"):
        evaltools.score(folder / "gold.ptb", {name: folder / "test.ptb"}, out=folder / f"{name}.run")
    return folder


@pytest.fixture(scope="module")
def server(app_server: Callable[..., Any], folder: Path) -> Any:
    """Give the app, open on both runs."""
    return app_server(*(str(folder / f"{name}.run") for name in ("first", "second")))


@pytest.fixture(scope="module")
def named_server(app_server: Callable[..., Any], folder: Path) -> Any:
    """Give the app as the command starts it, which answers under two more names."""
    command = [sys.executable, "-m", "evaltools.cli", "app", str(folder / "first.run")]
    command += ["--port", "{port}", "--no-browser"]
    return app_server(command=[*command, "--allow-host", "Class.example", "--allow-host", "other.example:8443"])


def facts(page: Page) -> Any:
    return page.get_by_test_id("stSidebar").locator(".facts")


def id_of(folder: Path, name: str) -> str:
    return library.id_of(folder / f"{name}.run")


def test_two_users_read_and_score_at_the_same_time_and_each_sees_only_their_own(
    server: Any, folder: Path, tmp_path: Path, new_page: Callable[..., Page]
):
    """One reads and uploads while the other's files are scored; each gets the run of its own files."""
    one, two = new_page(), new_page()
    open_page(one, server.url, "sentence", run=id_of(folder, "first"), sentence="2")
    open_page(two, server.url, "sentence", run=id_of(folder, "second"), sentence="3")
    expect(facts(one)).to_contain_text("first")
    expect(facts(two)).to_contain_text("second")
    assert "Traceback" not in server.output(), "the links are the first that this server is asked for"
    one.get_by_role("button", name="Next").first.click()
    expect(one).to_have_url(re.compile("sentence=3"))
    (tmp_path / "gold.ptb").write_text(ONE * 2000)
    for name, text in (("mine", TWO), ("yours", ONE)):
        (tmp_path / f"{name}.ptb").write_text(text * 2000)
    upload(one, tmp_path / "gold.ptb", tmp_path / "mine.ptb")
    one.get_by_role("button", name="Score", exact=True).click()
    two.get_by_role("button", name="Previous").first.click()
    expect(two).to_have_url(re.compile("sentence=2"))
    expect(drawing(two, "t")).to_be_visible()
    expect(facts(one)).to_contain_text("mine")
    settle(two)
    expect_in_link(two, run=id_of(folder, "second"))
    expect(facts(two)).to_contain_text("second")
    expect(facts(two)).not_to_contain_text("mine")
    upload(two, tmp_path / "gold.ptb", tmp_path / "yours.ptb")
    two.get_by_role("button", name="Score", exact=True).click()
    expect(facts(two)).to_contain_text("yours")
    for page, other in ((one, "yours"), (two, "mine")):
        settle(page)
        expect(page).not_to_have_url(re.compile(f"{id_of(folder, 'first')}|{id_of(folder, 'second')}"))
        expect(facts(page)).not_to_contain_text(other)
    assert len({in_link(page, "run") for page in (one, two)} - {""}) == 2
    one.reload()
    settle(one)
    expect(facts(one)).to_contain_text("mine")


def test_200_megabytes_are_refused_politely_and_the_app_goes_on(
    named_server: Any, folder: Path, tmp_path: Path, page: Page
):
    """As the app is configured: by the page before anything is sent, and by the server if it is sent all the same."""
    with (tmp_path / "huge.ptb").open("wb") as file:
        file.truncate(200 * 2**20 + 1)
    open_page(page, named_server.url, "worst_parses")
    page.get_by_role("button", name="Score files").click()
    dialog = page.get_by_test_id("stDialog")
    dialog.locator("input[type=file]").nth(0).set_input_files(tmp_path / "huge.ptb")
    expect(dialog.get_by_text(re.compile(r"must be 200\.?0? ?MB or smaller"))).to_be_visible()
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(named_server.url).port, timeout=120)
    connection.putrequest("PUT", "/_stcore/upload_file/0/0")
    connection.putheader("Content-Length", str(400 * 2**20))
    connection.endheaders()
    assert connection.getresponse().status in (400, 403, 413)
    connection.close()
    dialog.locator("input[type=file]").nth(0).set_input_files(folder / "gold.ptb")
    expect(dialog.get_by_text("gold.ptb: Penn Treebank brackets, 3 trees")).to_be_visible()


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../../../etc/passwd",
        "/static/../../../../../../etc/passwd",
        "/media/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/app/static/../../app.py",
        "/component/evaltools/../../../../etc/passwd",
        "/sentence/../../../etc/passwd",
        "//etc/passwd",
        "/%2e%2e/%2e%2e/pyproject.toml",
    ],
)
def test_paths_of_the_server_lead_nowhere(path: str, server: Any):
    """Sent as they are, which browsers do not do."""
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(server.url).port, timeout=120)
    connection.request("GET", path)
    body = connection.getresponse().read()
    connection.close()
    assert b"root:" not in body
    assert b"import" not in body.split(b"<!DOCTYPE html>", 1)[0].split(b"<!doctype html>", 1)[0]
    assert b"[project]" not in body


def listening(port: int) -> set[str]:
    """Return the addresses on which somebody listens at a port, as the kernel writes them."""
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        path = Path(table)
        for line in path.read_text().splitlines()[1:] if path.exists() else []:
            address, state = line.split()[1], line.split()[3]
            host, _, number = address.partition(":")
            if state == "0A" and int(number, 16) == port:
                found.add(host)
    return found


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the kernel here does not list who listens")
@pytest.mark.parametrize("way", ["streamlit", "command"])
def test_the_server_is_for_this_machine_only(way: str, request: pytest.FixtureRequest):
    server = request.getfixturevalue("server" if way == "streamlit" else "named_server")
    assert listening(urlsplit(server.url).port) == {"0100007F"}


# ------------------------------------------------------------------------------------------------------ foreign pages

ROUTES = [
    ("GET", "/"),
    ("GET", "/sentence"),
    ("GET", "/favicon.png"),
    ("GET", "/static/nothing.js"),
    ("GET", "/media/nothing.csv"),
    ("GET", "/component/nothing/index.html"),
    ("GET", "/_stcore/health"),
    ("GET", "/_stcore/host-config"),
    ("GET", "/_stcore/bidi-components/nothing.js"),
    ("GET", "/_stcore/agent/openapi.json"),
    ("POST", "/_stcore/agent/interact"),
    ("OPTIONS", "/_stcore/upload_file/0/0"),
    ("PUT", "/_stcore/upload_file/0/0"),
    ("DELETE", "/_stcore/upload_file/0/0"),
]
SOCKET = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}


def ask(
    port: int,
    *headers: str,
    method: str = "GET",
    path: str = "/_stcore/health",
    version: str = "1.1",
    to: str = "127.0.0.1",
) -> tuple[int, str, str]:
    """Send a request with exactly these headers; return its status, its headers, and the beginning of its body."""
    lines = [f"{method} {path} HTTP/{version}", *headers, "Content-Length: 0", "Connection: close", "", ""]
    with socket.create_connection((to, port), timeout=120) as connection:
        connection.sendall("\r\n".join(lines).encode("latin-1"))
        answer = b""
        while block := connection.recv(1 << 16):
            answer += block
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode("latin-1").lower(), body.decode("utf-8", "replace")


def open_socket(port: int, *headers: str) -> int:
    """Ask for the WebSocket with these headers; return the status: 101 if it is open."""
    key = base64.b64encode(os.urandom(16)).decode()
    fields = [f"{name}: {value}" for name, value in SOCKET.items()]
    lines = ["GET /_stcore/stream HTTP/1.1", *headers, *fields, f"Sec-WebSocket-Key: {key}", "", ""]
    with socket.create_connection(("127.0.0.1", port), timeout=120) as connection:
        connection.sendall("\r\n".join(lines).encode("latin-1"))
        return int(connection.recv(1 << 16).split()[1])


@pytest.fixture(scope="module")
def port(server: Any) -> int:
    return int(urlsplit(server.url).port or 0)


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_no_route_answers_a_foreign_host(method: str, path: str, port: int):
    status, _, body = ask(port, f"Host: evil.example:{port}", method=method, path=path)
    assert status == 403
    assert body.count("\n") == 1, "one line, and nothing of the app"
    assert f"it is for a host 'evil.example:{port}'" in body
    assert f"evaltools app --allow-host evil.example:{port} " in body


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "EVIL.EXAMPLE:{port}",
        "evil.example.:{port}",
        "127.0.0.1.evil.example:{port}",
        "localhost.evil.example:{port}",
        "localhost..:{port}",
        "127.0.0.1:{port}@evil.example",
        "evil.example:80@127.0.0.1:{port}",
        "127.0.0.1:{port}, evil.example",
        "127.0.0.1:{port}/evil",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:",
        "127.0.0.1:{port}0",
        "localhost:0{port}0",
        "192.0.2.1:{port}",
        "0.0.0.0:{port}",
        "[::2]:{port}",
        "[::ffff:192.0.2.1]:{port}",
        "::1:{port}",
        "[localhost]:{port}",
        "",
    ],
)
def test_hosts_that_are_not_the_servers_own_are_refused(host: str, port: int):
    given = host.format(port=port)
    assert ask(port, f"Host: {given}")[0] in (400, 403)
    assert open_socket(port, f"Host: {given}", f"Origin: http://{given}") in (400, 403)


def test_a_request_without_a_host_or_with_two_is_refused(port: int):
    own = f"Host: 127.0.0.1:{port}"
    for headers in ([], [own, own], [own, "Host: evil.example"], ["Host: evil.example", own]):
        assert ask(port, *headers)[0] == 400
        assert open_socket(port, *headers) == 400
    assert ask(port, version="1.0")[0] == 400


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:{port}",
        "localhost:{port}",
        "LocalHost:{port}",
        "localhost.:{port}",
        "[::1]:{port}",
        "[0:0:0:0:0:0:0:1]:{port}",
        "[::ffff:127.0.0.1]:{port}",
    ],
)
def test_the_servers_own_hosts_are_answered_however_they_are_written(host: str, port: int):
    given = host.format(port=port)
    assert ask(port, f"Host: {given}")[0] == 200
    assert open_socket(port, f"Host: {given}", f"Origin: http://{given}") == 101
    assert open_socket(port, f"Host: {given}") == 101, "programs other than browsers name no origin"


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://evil.example:{port}",
        "https://127.0.0.1.evil.example:{port}",
        "http://127.0.0.1:1",
        "http://127.0.0.1",
        "http://localhost:3000",
        "http://192.0.2.1:{port}",
        "http://127.0.0.1:{port}@evil.example",
        "file://",
        "null",
        "",
    ],
)
def test_foreign_pages_are_refused(origin: str, port: int):
    own, origin = f"Host: 127.0.0.1:{port}", origin.format(port=port)
    assert open_socket(port, own, f"Origin: {origin}") == 403
    status, head, body = ask(port, own, f"Origin: {origin}")
    assert status == 403
    assert "comes from a page of" in body
    assert "access-control-allow-origin" not in head
    assert open_socket(port, own, f"Origin: http://127.0.0.1:{port}", f"Origin: {origin}") in (400, 403)


def test_refusals_leave_no_traces_of_the_attacker_in_the_log(server: Any, port: int):
    assert open_socket(port, "Host: evil.example") == 403
    assert ask(port, "Host: evil.example\x1b[31m")[0] in (400, 403)
    assert "evil" not in server.output()
    assert "Traceback" not in server.output()


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/%5fstcore/metrics"])
def test_figures_about_the_sessions_are_closed(path: str, port: int):
    status, _, body = ask(port, f"Host: 127.0.0.1:{port}", path=path)
    assert (status, body) == (404, "Not found\n")


@pytest.mark.parametrize(
    "path", ["/", "/sentence", "/favicon.png", "/_stcore/health", "/media/nothing.csv", "/_stcore/metrics"]
)
@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "evil.example"])
@pytest.mark.slow
def test_every_answer_says_what_a_page_may_do(path: str, host: str, port: int):
    _, head, _ = ask(port, f"Host: {host.format(port=port)}", path=path)
    policy = re.findall(r"^content-security-policy: (.*?)\r?$", head, re.MULTILINE)
    assert len(policy) == 1
    parts = dict(part.split(" ", 1) for part in policy[0].split("; "))
    assert parts["default-src"] == parts["frame-ancestors"] == "'none'"
    assert "unsafe" not in parts["script-src"]
    assert "evil" not in policy[0]
    for line in (
        "x-frame-options: deny",
        "x-content-type-options: nosniff",
        "cross-origin-resource-policy: same-origin",
    ):
        assert head.count(line) == 1


@pytest.mark.slow
@pytest.mark.parametrize("way", ["streamlit", "command"])
def test_hosts_named_by_the_option_are_answered(
    way: str, app_server: Callable[..., Any], folder: Path, request: pytest.FixtureRequest
):
    """Behind a proxy; and ``streamlit run app.py`` is protected as the command is."""
    if way == "command":
        server = request.getfixturevalue("named_server")
    else:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", "{port}", "--"]
        hosts = {"EVALTOOLS_ALLOWED_HOSTS": "class.example,other.example:8443"}
        server = app_server(str(folder / "first.run"), command=command, env=hosts)
    port = int(urlsplit(server.url).port)
    for host in ("class.example", "class.example:9000", "other.example:8443", f"localhost:{port}"):
        assert ask(port, f"Host: {host}")[0] == 200, host
        assert open_socket(port, f"Host: {host}", f"Origin: https://{host}") == 101, host
    for host in ("other.example", "sub.class.example", "evil.example", "localhost:8443"):
        assert ask(port, f"Host: {host}")[0] == 403, host
        assert open_socket(port, f"Host: {host}", f"Origin: https://{host}") == 403, host
    assert open_socket(port, "Host: class.example", "Origin: https://evil.example") == 403


@pytest.mark.slow
def test_a_class_reaches_the_app_under_the_addresses_of_this_computer(app_server: Callable[..., Any], folder: Path):
    server = app_server(str(folder / "first.run"), env={"STREAMLIT_SERVER_ADDRESS": "0.0.0.0"})
    port = int(urlsplit(server.url).port)
    name = socket.gethostname()
    for host in ("127.0.0.1", "localhost", name, name.upper(), f"{name.partition('.')[0]}.local"):
        assert ask(port, f"Host: {host}:{port}")[0] == 200, host
    for host in (f"evil.example:{port}", f"192.0.2.1:{port}", name):
        assert ask(port, f"Host: {host}")[0] == 403, host
    if (address := lan_address()) is not None:
        assert ask(port, f"Host: {address}:{port}", to=address)[0] == 200
        assert ask(port, f"Host: evil.example:{port}", to=address)[0] == 403


def test_the_browser_runs_no_script_put_into_a_page_reaches_nobody_and_shows_the_app_in_no_frame(
    server: Any, browser: Any, tmp_path: Path
):
    """What the content security policy forbids; that no page of the app needs it, each test with a page checks."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.url}/favicon.png")  # with the policy of the pages, and nothing to wait for
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        page.evaluate(
            "const script = document.createElement('script'); script.textContent = 'window.ran = true';"
            "document.head.append(script)"
        )
    assert page.evaluate("window.ran === undefined")
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        assert page.evaluate("fetch('http://127.0.0.1:1/').catch((error) => 'refused')") == "refused"
    (tmp_path / "evil.html").write_text(f"<iframe src='{server.url}'></iframe>")
    with page.expect_console_message(lambda message: "frame-ancestors 'none'" in message.text):
        page.goto((tmp_path / "evil.html").as_uri())
    context.close()
