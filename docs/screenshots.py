"""Make the screenshots of the site with Chromium: ``python -m docs.screenshots``, when pages of the app change."""

from __future__ import annotations

import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import evaltools

__all__ = ["SCREENSHOTS", "make_screenshots"]

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "screenshots"
SCREENSHOTS = {
    "overview": "",
    "hotspots": "hotspots?parser=pcfg",
    "sentence": "sentence?parser=pcfg&sentence=17",
    "lessons": "lessons?lesson=attachment&slide=3",
    "lab": "lab",
}
"""Names of the files, and pages of the app with their state."""
_WIDTH, _HEIGHT = 1280, 800
_QUIET = 1.5
"""Seconds without a change of the page after which it is complete."""
_PATIENCE = 120
_SIGNATURE = (
    "() => document.body.innerText.length + ' ' + document.querySelectorAll('*').length + ' ' + "
    "document.querySelectorAll('[data-testid=stStatusWidget],[data-testid=stSpinner],[data-testid=stSkeleton]').length"
)


def make_screenshots(folder: Path = FOLDER) -> list[Path]:
    """Write the screenshots.

    Parameters
    ----------
    folder : Path
        Output folder; created if it does not exist.

    Returns
    -------
    list of Path
        The files, WebP.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with tempfile.TemporaryDirectory() as work:
        sample = ROOT / "sample_data"
        parsers = {"shift": sample / "parsers" / "shift-reduce.ptb", "pcfg": sample / "parsers" / "pcfg-parent.ptb"}
        run = evaltools.score(sample / "gold.ptb", parsers, out=Path(work) / "my.run")
        with _server(Path(str(run.path))) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT}, color_scheme="light")
            for name, query in SCREENSHOTS.items():
                page.goto(f"{address}/{query}")
                _wait(page)
                with Image.open(io.BytesIO(page.screenshot())) as picture:
                    path = folder / f"{name}.webp"
                    picture.convert("RGB").save(path, quality=72, method=6)
                written.append(path)
            browser.close()
    return written


def _chromium() -> str:
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = next((path for path in map(shutil.which, names) if path), None)
    if found is None:
        raise FileNotFoundError(f"none of {', '.join(names)} is installed")
    return found


@contextmanager
def _server(run: Path) -> Iterator[str]:
    """Start the app on a free port with a run."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "evaltools", "app", str(run), "--port", str(port), "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            _until_served(address)
            yield address
        finally:
            process.terminate()


def _until_served(address: str) -> None:
    end, pause = time.monotonic() + _PATIENCE, threading.Event()
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            if time.monotonic() > end:
                raise
            pause.wait(0.3)


def _wait(page: Page) -> None:
    """Wait until a page no longer changes."""
    end, since, before = time.monotonic() + _PATIENCE, time.monotonic(), ""
    page.wait_for_selector("h1, [data-testid=stHeading], [data-testid=stMain]", timeout=1000 * _PATIENCE)
    while time.monotonic() < end:
        now = str(page.evaluate(_SIGNATURE))
        if now != before or not now.endswith(" 0"):
            before, since = now, time.monotonic()
        elif time.monotonic() - since > _QUIET:
            return
        page.wait_for_timeout(200)
    raise TimeoutError(f"{page.url} changes for more than {_PATIENCE} seconds")


if __name__ == "__main__":
    for file in make_screenshots():
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")
