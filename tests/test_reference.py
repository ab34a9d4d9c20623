"""The reference that ``make docs`` writes: complete, and no link of it is broken."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

pytest.importorskip("pdoc", reason="pdoc is not installed: make test installs it")
from docs.reference import PUBLIC

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


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
    command = [sys.executable, "-W", "error::UserWarning", "-m", "docs.reference", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return {path: Page(path) for path in folder.rglob("*.html")}


def test_there_is_a_page_for_every_public_module_and_no_other(pages: dict[Path, Page]):
    assert sorted(map(_module, pages)) == sorted([*PUBLIC, "index"])


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[parts.index("evaltools") :]) if "evaltools" in parts else parts[-1]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_of_a_module_is_documented(name: str, pages: dict[Path, Page]):
    module = importlib.import_module(name)
    assert module.__doc__
    (page,) = (page for path, page in pages.items() if _module(path) == name)
    assert set(module.__all__) <= page.places


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
