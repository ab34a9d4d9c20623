"""The reference that ``make docs`` writes: complete, and no link of it is broken."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import evaltools

if TYPE_CHECKING:
    from collections.abc import Iterable

pytest.importorskip("pdoc", reason="pdoc is not installed: make test installs it")

ROOT = Path(__file__).parent.parent


class Page(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Page]:
    folder = tmp_path_factory.mktemp("reference")
    command = re.search(
        r"^\t@exec \$\(BIN\)/python (-m pdoc .*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    )
    assert command is not None
    arguments = [str(folder) if one == "build/docs" else one for one in command.group(1).split()]
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Warn" not in done.stderr
    return {path: Page(path) for path in folder.rglob("*.html")}


def test_every_public_name_is_there(pages: dict[Path, Page]):
    places = {place for page in pages.values() for place in page.places}
    assert set(evaltools.__all__) <= places


def test_no_link_is_broken(pages: dict[Path, Page]):
    broken = []
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue  # of another site
            name, _, place = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if target not in pages or (place and place not in pages[target].places):
                broken.append(f"{path.name}: {link}")
    assert broken == []


def test_docstrings_were_understood(pages: dict[Path, Page]):
    text = "".join(path.read_text("utf-8") for path in pages)
    assert not re.search(r"<p>\s*(Parameters|Returns|Raises)\s*<br|^-{5,}$", text, re.MULTILINE)
