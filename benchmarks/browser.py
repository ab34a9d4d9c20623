"""The app's server and a browser that looks at it: how long a page takes to open, and a widget to answer."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.timing import Time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Names of Chromium; the first is the one without windows, which takes a fifth less processor time."""
_OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"]
_PATIENCE = 60.0

#: Watches elements in the page itself: asking from outside would take as long as what is measured. The steps of a
#: selector, with a space between, are looked for in shadow trees, too. What an element looks like is its text, its
#: drawings, the values of its fields, and its canvases, made small. Texts and drawings are read only after a change in
#: the page: to read them in each frame would take up to half of the page's processor time. The time is from the last
#: click or key to the frame in which the elements look different and are not empty.
_WATCH = """(selector) => {
    const small = new OffscreenCanvas(48, 48).getContext('2d', { willReadFrequently: true });
    const pixels = (canvas) => {
        if (!canvas.width || !canvas.height) return '';
        small.clearRect(0, 0, 48, 48);
        small.drawImage(canvas, 0, 0, 48, 48);
        return small.getImageData(0, 0, 48, 48).data.join();
    };
    const parts = (one, kind) => [...one.querySelectorAll(kind)].concat(one.matches(kind) ? [one] : []);
    let changed = true;
    const observer = new MutationObserver(() => { changed = true; });
    const observed = new Set();
    const observe = (root) => {
        if (!observed.has(root)) {
            observed.add(root);
            observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
        }
        return root;
    };
    observe(document);
    const trees = (node) => [...node.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean);
    const roots = (node) => [node, ...trees(node).map(observe)];
    const inside = (node, step) => roots(node).flatMap((root) => [...root.querySelectorAll(step)]);
    const found = (nodes, step) => nodes.flatMap((node) => inside(node, step));
    const written = (one) => [one.textContent, ...parts(one, 'svg').map((drawing) => drawing.outerHTML)].join('|');
    let [elements, texts] = [[], ''];
    const look = () => {
        if (changed) {
            changed = false;
            elements = selector.split(' ').reduce(found, [document]);
            texts = elements.map(written).join('||');
        }
        const fields = elements.flatMap((one) => parts(one, 'input').map((field) => field.value));
        const canvases = elements.flatMap((one) => parts(one, 'canvas').map(pixels));
        return elements.length ? [texts, ...fields, ...canvases].join('||') : '';
    };
    const before = look();
    const watch = { input: performance.now(), answered: null, ended: false };
    const note = (event) => { if (watch.answered === null) watch.input = event.timeStamp; };
    for (const kind of ['click', 'keydown']) addEventListener(kind, note, { capture: true });
    const frame = () => {
        if (watch.ended) {
            observer.disconnect();
            for (const kind of ['click', 'keydown']) removeEventListener(kind, note, { capture: true });
            return;
        }
        const now = look();
        if (now === '' || now === before) watch.answered = null;
        else watch.answered ??= performance.now();
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.benchmarkWatch = watch;
}"""
_ANSWERED = "() => window.benchmarkWatch.answered !== null"
#: Notes when the next click is, and which page it leaves.
_NOTE_CLICK = """() => {
    const note = (event) => { window.benchmarkLeft = { path: location.pathname, time: event.timeStamp }; };
    addEventListener('click', note, { capture: true, once: true });
}"""
#: Looks in each frame whether the script has ended and the first element of each selector is visible, on another page
#: than the one left; returns the milliseconds since the click noted, or since the page was asked for. Waiting from
#: outside would ask only twice a second after the first few times. The steps of a selector are looked for in shadow
#: trees only where they are not found outside.
_SHOWN = """(selectors) => {
    const left = window.benchmarkLeft;
    if (left?.path === location.pathname) return null;
    if (!document.querySelector('[data-testid=stApp][data-test-script-state=notRunning]')) return null;
    const trees = (node) => [...node.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean);
    const inside = (node, step) => {
        const outside = node.querySelector(step);
        return outside ? [outside] : trees(node).flatMap((root) => inside(root, step));
    };
    const first = (selector) => selector.split(' ').reduce(
        (nodes, step) => nodes.flatMap((node) => inside(node, step)), [document],
    )[0];
    const visible = (one) => one?.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
    if (!selectors.every((selector) => visible(first(selector)))) return null;
    return performance.now() - (left?.time ?? 0);
}"""
_END = (
    "() => { const watch = window.benchmarkWatch; watch.ended = true; return (watch.answered - watch.input) / 1000; }"
)


def find_chromium() -> str | None:
    """Return the Chromium of this machine: the environment variable CHROMIUM, or the first that is on the path."""
    names = (os.environ.get("CHROMIUM", ""), *CHROMIUMS)
    return next((found for name in names if name and (found := shutil.which(name))), None)


def why_not() -> str:
    """Return why no browser can be used; empty if one can."""
    try:
        import playwright.sync_api  # noqa: F401 - only whether it is there
    except ImportError:
        return "playwright is not installed: pip install 'parser-evaltools[bench]'"
    return "" if find_chromium() else "no Chromium found: install it, or name it in the environment variable CHROMIUM"


@dataclass(frozen=True, slots=True)
class Server:
    """A running app."""

    address: str
    process: subprocess.Popen[bytes]

    def _processes(self) -> list[Path]:
        """Return the folders in ``/proc`` of the command and of the server that it started; none on other systems."""
        first = Path(f"/proc/{self.process.pid}")
        try:
            started = (first / "task" / first.name / "children").read_text().split()
        except OSError:
            return []
        return [first, *(Path(f"/proc/{number}") for number in started)]

    def cpu(self) -> float:
        """Return the seconds of computing so far, all threads together; 0 if the system has no such figure."""
        ticks = 0
        for process in self._processes():
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def peak(self) -> int:
        """Return the peak memory of the server in bytes; 0 if the system has no such figure."""
        peaks = [0]
        for process in self._processes():
            lines = (process / "status").read_text().splitlines()
            peaks += [int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")]
        return max(peaks)


@contextmanager
def serving(command: Callable[[int], list[str]]) -> Iterator[Server]:
    """Start the app, wait until it answers, end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # an installed package has bytecode, a checkout after the first start if nothing forbids it
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory(prefix="evaltools-bench-home-") as home:
        process = subprocess.Popen(
            command(port),
            env={**environment, "XDG_DATA_HOME": home},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(lambda: _healthy(address, process))
            yield Server(address, process)
        finally:
            process.terminate()
            process.wait(20)


def _healthy(address: str, process: subprocess.Popen[bytes]) -> bool:
    if process.poll() is not None:
        raise RuntimeError("the app ended before it answered")
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _wait_for(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    pause = threading.Event()
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError("the app does not answer")
        pause.wait(0.01)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=_OPTIONS)
        try:
            yield browser
        finally:
            browser.close()


@dataclass(frozen=True, slots=True)
class Reader:
    """A browser's page on a server's app, and the clock."""

    page: Page
    server: Server

    def settled(self) -> None:
        """Wait until the script has ended."""
        self.page.wait_for_function(_SHOWN, arg=[])

    def open(self, path: str, *selectors: str) -> Time:
        """Return the time to open a page, until all elements are visible and the script has ended."""
        address = f"{self.server.address}/{path}"
        return self._shown(lambda: self.page.goto(address, wait_until="commit"), selectors)

    def turn(self, title: str, *selectors: str) -> Time:
        """Return the time to another page by the navigation."""
        link = self.page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True)
        self.page.evaluate(_NOTE_CLICK)
        return self._shown(link.click, selectors)

    def _shown(self, act: Callable[[], Any], selectors: tuple[str, ...]) -> Time:
        cpu = self.server.cpu()
        act()
        wanted = [f"[data-testid=stMain] {selector}" for selector in selectors]
        milliseconds = self.page.wait_for_function(_SHOWN, arg=wanted).json_value()
        return Time(milliseconds / 1000, self.server.cpu() - cpu)

    def answer(self, act: Callable[[Page], Any], selector: str) -> Time:
        """Return the time from the last click or key of an action until an element looks different."""
        self.page.evaluate(_WATCH, f"[data-testid=stMain] {selector}")
        cpu = self.server.cpu()
        act(self.page)
        self.page.wait_for_function(_ANSWERED)
        self.settled()
        seconds = float(self.page.evaluate(_END))
        return Time(seconds, self.server.cpu() - cpu)
