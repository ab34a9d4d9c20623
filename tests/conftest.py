"""What tests share: real treebanks where there are some, fresh home folders, the running app, a browser."""

from __future__ import annotations

import functools
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections import Counter, defaultdict
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer.main
from hypothesis import HealthCheck, settings

from benchmarks.browser import find_chromium

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from playwright.sync_api import Browser, ConsoleMessage, Page

    AppServers = Callable[[], AbstractContextManager[Callable[..., "AppServer"]]]
    """A context in which the app can be started; it ends the apps."""

ROOT = Path(__file__).resolve().parent.parent
IN_CI = os.environ.get("CI", "").lower() not in {"", "0", "false"}

# A kernel compiles on its first call, which says nothing about the example it is called with.
COMPILING = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=20, **COMPILING)
settings.register_profile("ci", max_examples=20, derandomize=True, print_blob=True, **COMPILING)
settings.register_profile("thorough", max_examples=3000, **COMPILING)
os.environ.pop("COLUMNS", None)  # of pytest-xdist; texts are as wide as in a file
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if IN_CI else "default"))

# Typer makes the commands anew for each call of the program, which takes longer than many of them.
typer.main.get_group = functools.cache(typer.main.get_group)

LENGTH_OF_SLOW = 25
"""How many times as long as others slow tests take, and those with a browser; measured, and only for their order."""

few_examples = settings(max_examples=settings.default.max_examples // 4)
"""For tests whose examples take long, such as those that score files: a quarter of the profile's."""


def pytest_configure() -> None:
    """Let the programs that tests start be interrupted, also where a shell runs the tests in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over what was imported, which stays."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Let it look at everything again, and clear the app's cache: what is left at the end is reported as leaked."""
    gc.unfreeze()
    if "streamlit" in sys.modules:
        sys.modules["streamlit"].cache_resource.clear()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a browser: those with its fixture; begin with the files that take longest.

    A file is one process's, which sets up what its tests share; what is left in the end are short ones.
    """
    lengths: Counter[str] = Counter()
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        is_long = any(item.get_closest_marker(name) for name in ("slow", "browser"))
        lengths[_file_of(item)] += LENGTH_OF_SLOW if is_long else 1
    items.sort(key=lambda item: -lengths[_file_of(item)])


def _file_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


# ------------------------------------------------------------------------------------------------------------ folders


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Give a folder of real treebanks: the environment variable EVALTOOLS_SHARED, or ``shared`` beside the checkout."""
    named = os.environ.get("EVALTOOLS_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("no real treebanks here: set EVALTOOLS_SHARED to a folder that has them")
    return folder


def home_environment(home: Path) -> dict[str, str]:
    """Return the environment variables that make `home` the home folder, with all the caches and settings in it."""
    return {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
    }


@pytest.fixture
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty home folder, which this process and those it starts take for the user's."""
    home = tmp_path / "home"
    home.mkdir()
    for name, value in home_environment(home).items():
        monkeypatch.setenv(name, value)
    return home


# ------------------------------------------------------------------------------------------------------------ the app


@dataclass(slots=True)
class AppServer:
    """The app, running in a process of its own."""

    url: str
    log: Path
    process: subprocess.Popen[bytes] = field(repr=False)

    def output(self) -> str:
        """Return all that the server has printed so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait_until_healthy(self, seconds: float) -> None:
        """Return when the server answers; fail with what it has printed if it does not in time."""
        pause = threading.Event()
        for _ in range(int(seconds / 0.05)):
            if self.process.poll() is not None:
                pytest.fail(f"the app ended with status {self.process.returncode}:\n{self.output()}")
            with (
                suppress(urllib.error.URLError, OSError),
                urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2),
            ):
                return
            pause.wait(0.05)
        pytest.fail(f"the app did not answer within {seconds:g} s:\n{self.output()}")

    def stop(self) -> None:
        """End the process and those it has started."""
        for end in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, end)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=10)
                return


def free_port() -> int:
    """Return a port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def nobody_listens(port: int) -> bool:
    """Return whether a server can be started at a port, where one that is about to end may still listen."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return True
    return False


@pytest.fixture(scope="session")
def app_servers(tmp_path_factory: pytest.TempPathFactory) -> AppServers:
    """Give a context in which the app can be started: see :func:`app_server`."""
    shared_home = tmp_path_factory.mktemp("app-home")  # kernels compile once
    # Ports of apps that have ended: at an address that it knows, the browser has compiled the scripts.
    known_ports: list[int] = []

    @contextmanager
    def servers() -> Iterator[Callable[..., AppServer]]:
        started: dict[int, AppServer] = {}

        def start(
            *arguments: str,
            home: Path = shared_home,
            command: list[str] | None = None,
            env: Mapping[str, str] | None = None,
            cwd: Path = ROOT,
            seconds: float = 180,
        ) -> AppServer:
            port = next(filter(nobody_listens, known_ports), None) or free_port()
            if command is None:
                command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
                command += ["--server.port", "{port}", "--"]
            command = [part.replace("{port}", str(port)) for part in [*command, *arguments]]
            log = tmp_path_factory.mktemp("app") / "output.txt"
            with log.open("wb") as output:
                process = subprocess.Popen(
                    command,
                    cwd=cwd,
                    env={**os.environ, **home_environment(home), **(env or {})},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            if port in known_ports:
                known_ports.remove(port)
            server = started[port] = AppServer(f"http://127.0.0.1:{port}", log, process)
            server.wait_until_healthy(seconds)
            return server

        try:
            yield start
        finally:
            for server in started.values():
                server.stop()
            known_ports.extend(started)

    return servers


@pytest.fixture(scope="module")
def app_server(app_servers: AppServers) -> Iterator[Callable[..., AppServer]]:
    """Give a function that starts the app and returns it when it answers; all are ended with the module.

    ``start(*arguments, home=…, command=None, env=None, cwd=…, seconds=180)``: `arguments` are the app's own (runs
    to open), `home` is a home folder of its own, `command` replaces the usual one and gets the port put in
    for ``{port}``, `cwd` is where it starts.
    """
    with app_servers() as start:
        yield start


@pytest.fixture(scope="session")
def lasting_app_server(app_servers: AppServers) -> Iterator[Callable[..., AppServer]]:
    """Give the same for apps that several modules look at; they are ended with the session."""
    with app_servers() as start:
        yield start


# ------------------------------------------------------------------------------------------------------------ browser

MAX_WAIT = 180_000
"""Milliseconds after which a state that a test waits for counts as never reached; the machine may be busy."""

CHROMIUM_OPTIONS = [
    "--no-sandbox",  # containers have no user namespaces; only our own pages are opened
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


USUAL_PAGE = {
    "viewport": {"width": 1400, "height": 1000},
    "locale": "en-GB",
    "color_scheme": "light",
    "reduced_motion": "reduce",
}
"""What pages are like unless a test says otherwise."""


def no_browser(reason: str) -> None:
    """Skip the test, or fail it in CI, where a missing browser must not pass for a tested app."""
    if IN_CI:
        pytest.fail(f"{reason}; in CI that is an error")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give the system's Chromium, started without a window."""
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        no_browser("playwright is not installed: pip install 'parser-evaltools[test]'")
    executable = find_chromium()
    if executable is None:
        no_browser("no Chromium found: install it, or name it in the environment variable CHROMIUM")
    expect.set_options(timeout=MAX_WAIT)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_OPTIONS)
        try:
            yield chromium
        finally:
            chromium.close()


@pytest.fixture(scope="session")
def idle_pages(browser: Browser) -> dict[str, list[Page]]:
    """Give the pages that no test uses now, by their options: they have compiled the app's scripts, a slow step."""
    return defaultdict(list)


@pytest.fixture
def new_page(browser: Browser, idle_pages: dict[str, list[Page]]) -> Iterator[Callable[..., Page]]:
    """Give a function that opens an empty page in a context of its own; its options are those of ``new_context``.

    A page that an earlier test has left is taken if there is one; nothing that the test did is left in it. With
    ``lasting=False`` the page is new, and closed after the test, for tests that listen to what happens in it.

    Nothing moves unless a test asks for it: to draw animations takes a quarter of a browser's processor time. A test in
    which a page meets the app's content security policy fails.
    """
    used: list[tuple[Page, dict[str, Any], bool]] = []
    violations: list[str] = []

    def note_violation(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            violations.append(message.text)

    def open_page(*, lasting: bool = True, **options: Any) -> Page:
        options = USUAL_PAGE | options
        idle = idle_pages[_kind(options)]
        page = idle.pop() if lasting and idle else browser.new_context(**options).new_page()
        page.context.set_default_timeout(MAX_WAIT)
        page.context.on("console", note_violation)
        used.append((page, options, lasting))
        return page

    yield open_page
    for page, options, lasting in used:
        page.context.remove_listener("console", note_violation)
        if lasting and not page.is_closed():
            _clean(page, options)
            idle_pages[_kind(options)].append(page)
        else:
            page.context.close()
    assert violations == []


def _kind(options: Mapping[str, Any]) -> str:
    return json.dumps(options, sort_keys=True)


def _clean(page: Page, options: Mapping[str, Any]) -> None:
    """Make a page what it was when it was opened with these options: empty, alone, and with nothing stored."""
    from playwright.sync_api import Error

    for other in page.context.pages:
        if other != page:
            other.close()
    with suppress(Error):  # an empty page has no storage
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.context.clear_cookies()
    page.mouse.move(0, 0)
    page.goto("about:blank")
    page.set_viewport_size(options["viewport"])
    page.emulate_media(color_scheme=options["color_scheme"], reduced_motion=options["reduced_motion"])


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """Give an empty page in the light theme."""
    return new_page()


@pytest.fixture
def fresh_page(new_page: Callable[..., Page]) -> Page:
    """Give the same for a test that listens to what happens in it."""
    return new_page(lasting=False)
