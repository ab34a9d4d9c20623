"""Make the screenshots of the site with Chromium: ``python -m docs.screenshots``, when pages of the app change."""

from __future__ import annotations

import io
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

import evaltools
from benchmarks.browser import chromium, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
        command = [sys.executable, "-m", "evaltools", "app", str(run.path), "--no-browser", "--port"]
        with serving(lambda port: [*command, str(port)]) as server, chromium() as browser:
            page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT}, color_scheme="light")
            for name, query in SCREENSHOTS.items():
                page.goto(f"{server.address}/{query}")
                _wait(page)
                with Image.open(io.BytesIO(page.screenshot())) as picture:
                    path = folder / f"{name}.webp"
                    picture.convert("RGB").save(path, quality=72, method=6)
                written.append(path)
    return written


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
