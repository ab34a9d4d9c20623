"""The app's server with several users at once, with uploads that are too large, and with links that ask for more."""

from __future__ import annotations

import http.client
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

import evaltools
from evaltools.ui import library
from tests.browser.steps import drawing, in_link, open_page, settle, upload

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

ONE = "(S (NP (N dogs)) (VP (V bark)))\n(S (NP (N it)) (VP (V rains)))\n(S (X one))\n"
TWO = "(S (NP (N dogs)) (NP (V bark)))\n(S (N it) (VP (V rains)))\n(S (Y one))\n"

pytestmark = pytest.mark.browser
expect.set_options(timeout=15_000)


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
    """Give the app, open on both runs; files of at most 1 MB may be uploaded."""
    runs = [str(folder / f"{name}.run") for name in ("first", "second")]
    return app_server(*runs, env={"STREAMLIT_SERVER_MAX_UPLOAD_SIZE": "1"})


def facts(page: Page) -> Any:
    return page.get_by_test_id("stSidebar").locator(".facts")


def id_of(folder: Path, name: str) -> str:
    return library.id_of(folder / f"{name}.run")


def test_two_users_do_not_see_what_the_other_does(server: Any, folder: Path, new_page: Callable[..., Page]):
    one, two = new_page(), new_page()
    open_page(one, server.url, "sentence", run=id_of(folder, "first"), sentence="2")
    open_page(two, server.url, "sentence", run=id_of(folder, "second"), sentence="3")
    expect(facts(one)).to_contain_text("first")
    expect(facts(two)).to_contain_text("second")
    one.get_by_role("button", name="Next").first.click()
    expect(one).to_have_url(re.compile("sentence=3"))
    two.get_by_role("button", name="Previous").first.click()
    expect(two).to_have_url(re.compile("sentence=2"))
    for page, mine, other in ((one, "first", "second"), (two, "second", "first")):
        settle(page)
        assert in_link(page, "run") == id_of(folder, mine)
        expect(facts(page)).to_contain_text(mine)
        expect(facts(page)).not_to_contain_text(other)
        page.reload()
        settle(page)
        expect(facts(page)).to_contain_text(mine)


def test_one_scores_while_the_other_reads(server: Any, folder: Path, tmp_path: Path, new_page: Callable[..., Page]):
    (tmp_path / "gold.ptb").write_text(ONE * 2000)
    (tmp_path / "third.ptb").write_text(TWO * 2000)
    one, two = new_page(), new_page()
    open_page(two, server.url, "sentence", run=id_of(folder, "second"), sentence="1")
    open_page(one, server.url, "worst_parses", run=id_of(folder, "first"))
    upload(one, tmp_path / "gold.ptb", tmp_path / "third.ptb")
    one.get_by_role("button", name="Score", exact=True).click()
    two.get_by_role("button", name="Next").first.click()
    expect(two).to_have_url(re.compile("sentence=2"))
    expect(drawing(two, "t")).to_be_visible()
    expect(facts(one)).to_contain_text("third")
    settle(two)
    expect(facts(two)).to_contain_text("second")
    expect(facts(two)).not_to_contain_text("third")
    assert in_link(two, "run") == id_of(folder, "second")


def test_two_upload_and_score_at_the_same_time(
    server: Any, folder: Path, tmp_path: Path, new_page: Callable[..., Page]
):
    """One uploads while the other's files are scored; each gets the run of its own files."""
    pages = {name: new_page() for name in ("mine", "yours")}
    (tmp_path / "gold.ptb").write_text(ONE * 4000)
    for name, page in pages.items():
        (tmp_path / f"{name}.ptb").write_text((TWO if name == "mine" else ONE) * 4000)
        open_page(page, server.url, "worst_parses", run=id_of(folder, "first"))
        upload(page, tmp_path / "gold.ptb", tmp_path / f"{name}.ptb")
        if name == "mine":
            page.get_by_role("button", name="Score", exact=True).click()  # and it goes on while the other uploads
    pages["yours"].get_by_role("button", name="Score", exact=True).click()
    for name, page in pages.items():
        expect(facts(page)).to_contain_text(name, timeout=60_000)
    for name, page in pages.items():
        settle(page)
        expect(page).not_to_have_url(re.compile(id_of(folder, "first")))
        expect(facts(page)).not_to_contain_text("yours" if name == "mine" else "mine")
    assert len({in_link(page, "run") for page in pages.values()} - {""}) == 2


def test_200_megabytes_are_refused_politely(app_server: Callable[..., Any], folder: Path, tmp_path: Path, page: Page):
    """As the app is configured: by the page before anything is sent, and by the server if it is sent all the same."""
    server = app_server(str(folder / "first.run"))
    with (tmp_path / "huge.ptb").open("wb") as file:
        file.truncate(200 * 2**20 + 1)
    open_page(page, server.url, "worst_parses", run=id_of(folder, "first"))
    page.get_by_role("button", name="Score files").click()
    dialog = page.get_by_test_id("stDialog")
    dialog.locator("input[type=file]").nth(0).set_input_files(tmp_path / "huge.ptb")
    expect(dialog.get_by_text(re.compile(r"must be 200\.?0? ?MB or smaller"))).to_be_visible()
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(server.url).port, timeout=20)
    connection.putrequest("PUT", "/_stcore/upload_file/0/0")
    connection.putheader("Content-Length", str(400 * 2**20))
    connection.endheaders()
    assert connection.getresponse().status in (400, 403, 413)
    connection.close()
    dialog.locator("input[type=file]").nth(0).set_input_files(folder / "gold.ptb")
    expect(dialog.get_by_text("gold.ptb: Penn Treebank brackets, 3 trees")).to_be_visible()


def test_an_upload_that_is_too_large_is_refused_and_the_app_goes_on(
    server: Any, folder: Path, tmp_path: Path, page: Page
):
    (tmp_path / "large.ptb").write_text(ONE * 30_000)
    open_page(page, server.url, "worst_parses", run=id_of(folder, "first"))
    page.get_by_role("button", name="Score files").click()
    dialog = page.get_by_test_id("stDialog")
    dialog.locator("input[type=file]").nth(0).set_input_files(tmp_path / "large.ptb")
    expect(dialog.get_by_text(re.compile(r"must be 1\.?0? ?MB or smaller"))).to_be_visible()
    dialog.locator("input[type=file]").nth(0).set_input_files(folder / "gold.ptb")
    expect(dialog.get_by_text("gold.ptb: Penn Treebank brackets, 3 trees")).to_be_visible()


@pytest.mark.parametrize("run", ["../../etc", "..%2f..%2fetc", "<img src=x onerror=alert(1)>"])
def test_a_link_names_only_runs_that_are_open(run: str, server: Any, page: Page):
    shown: list[str] = []
    page.on("dialog", lambda dialog: (shown.append(dialog.message), dialog.dismiss()))
    page.goto(f"{server.url}/sentence")
    settle(page)
    open_page(page, server.url, "sentence", run=run)
    expect(page.get_by_text("No run is open")).to_be_visible()
    expect(page.get_by_text("The link names a run that is not open here.")).to_be_visible()
    assert shown == []


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
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(server.url).port, timeout=20)
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
def test_the_server_is_for_this_machine_only(way: str, app_server: Callable[..., Any], server: Any, folder: Path):
    if way == "command":
        command = [sys.executable, "-m", "evaltools.cli", "app", str(folder / "first.run")]
        server = app_server(command=[*command, "--port", "{port}", "--no-browser"])
    assert listening(urlsplit(server.url).port) == {"0100007F"}
