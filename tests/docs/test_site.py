"""The site that ``make docs`` builds, with the reference: complete, linked, executed, in need of no network."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("jinja2", reason="Jinja2 is not installed: make test installs it")
pytest.importorskip("pdoc", reason="pdoc is not installed: make test installs it")
from docs.reference import PUBLIC
from docs.site import build
from docs.site.build import PAGES, SiteError, build_site
from docs.site.execution import ExecutionError, Session
from docs.site.markdown import render

ROOT = Path(__file__).resolve().parents[2]


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


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Give the site, built by the command of ``make docs``."""
    folder = tmp_path / "site"
    command = [sys.executable, "-W", "error::UserWarning", "-m", "docs.site", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"begin with {folder / 'index.html'}\n")
    return folder


def test_make_docs_and_the_workflow_build_it():
    assert "-W error::UserWarning -m docs.site build/docs\n" in (ROOT / "Makefile").read_text("utf-8")
    assert "run: make docs\n" in (ROOT / ".github" / "workflows" / "site.yml").read_text("utf-8")


def check_every_page_is_there_and_in_the_menu(site: Path):
    for name in PAGES:
        page = Page(site / f"{name}.html")
        assert {f"{other}.html" for other in PAGES} | {"reference/index.html"} <= set(page.links), name


def check_no_link_is_broken_and_nothing_is_fetched(site: Path):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            name, _, fragment = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.exists() or (fragment and target in pages and fragment not in pages[target].places):
                broken.append(f"{path.name}: {link}")
    assert broken == []
    for name in PAGES:
        text = (site / f"{name}.html").read_text("utf-8")
        assert not re.findall(r'(?:src|data)="[a-z]+:|<script|<link [^>]*href="[a-z]+:|@import', text), name


def check_the_reference_has_every_public_module_and_its_names(site: Path):
    folder = site / "reference"
    pages = {
        ".".join(path.relative_to(folder).with_suffix("").parts): Page(path)
        for path in (site / "reference").rglob("*.html")
    }
    assert sorted(pages) == sorted([*PUBLIC, "index"])
    for name in PUBLIC:
        module = importlib.import_module(name)
        assert module.__doc__, name
        assert set(module.__all__) <= pages[name].places, name
    text = "".join(path.read_text("utf-8") for path in folder.rglob("*.html"))
    assert not re.search(r"<p>\s*(Parameters|Returns|Raises)\s*<br|^-{5,}$", text, re.MULTILINE)


def check_outputs_and_pictures_are_those_of_the_program(site: Path):
    tutorial = (site / "tutorial.html").read_text("utf-8")
    assert re.search(r"(?m)^transition +85\.39 +81\.83 .* not sure$", tutorial)
    assert re.search(r"(?m)^transition has .* The difference is not significant\.", tutorial)
    assert re.search(r"(?m)^shift has .* the 284 sentences both have .* The difference is not significant\.", tutorial)
    assert "Simplest: words tagged PUNCT do not count." in tutorial
    assert "the root label counts as a bracket" in tutorial
    assert re.search(r"(?m)^pcfg +82\.10 .* 11$", tutorial)
    coming = (site / "coming-from.html").read_text("utf-8")
    (theirs,) = re.findall(r"F-score:\s+([\d.]+)", coming)
    ours = re.findall(r"^parser +([\d.]+)", coming[coming.index("F-score") :], re.MULTILINE)
    assert ours[0] == f"{100 * float(theirs):.2f}"
    gallery = (site / "gallery.html").read_text("utf-8")
    source = (ROOT / "docs" / "pages" / "gallery.md").read_text("utf-8")
    assert gallery.count("<svg") == source.count("```python picture") >= 9


@pytest.mark.slow
def test_the_site_is_complete_linked_executed_and_in_need_of_no_network(site: Path):
    # one test, because building the site takes longer than all of these, and each process would do it again
    check_every_page_is_there_and_in_the_menu(site)
    check_no_link_is_broken_and_nothing_is_fetched(site)
    check_the_reference_has_every_public_module_and_its_names(site)
    check_outputs_and_pictures_are_those_of_the_program(site)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(SiteError, match="other files"):
        build_site(tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "mine"


def render_and_check(folder: Path) -> None:
    site = build._Site(folder)
    site.render(folder)
    site.check_links()


def test_broken_links_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for text, fault in {"[x](none.md)": "none.md leads nowhere", "# A\n\n[x](#b)": "index: index#b"}.items():
        page = ROOT / "docs" / "pages" / "tutorial.md"
        monkeypatch.setattr(build, "PAGES", {"index": ("Start", str(page.relative_to(ROOT)))})
        monkeypatch.setattr(Path, "read_text", lambda self, *rest, text=text: text)
        with pytest.raises(SiteError, match=fault):
            render_and_check(tmp_path)


def test_commands_and_code_that_fail_are_errors(tmp_path: Path):
    session = Session(tmp_path)
    with pytest.raises(ExecutionError, match="status 2"):
        session.console("$ evaltools report none.run\n")
    with pytest.raises(ExecutionError, match="not rm"):
        session.console("$ rm -r folder\n")
    with pytest.raises(ExecutionError, match="no SVG"):
        session.picture("1 + 1")


def test_outputs_are_cut_and_text_is_escaped(tmp_path: Path):
    text = "# T\n\n```console lines=2\n$ evaltools preset\n```\n\n## A *b*\n\n<script>x</script> [gone](folder)\n"
    page = render(text, Session(tmp_path), lambda link: None)
    assert page.html.count("\nstandard") == 1
    assert "…</code>" in page.html
    assert "<script" not in page.html
    assert "gone" in page.html
    assert "<a" not in page.html
    assert page.title == "T"
    assert page.headings == [("a-b", "A b")]


def test_screenshots_are_small_and_all_are_shown():
    shots = pytest.importorskip("docs.screenshots", reason="Pillow is not installed: make test installs it")
    files = {path.stem: path.stat().st_size for path in (ROOT / "docs" / "screenshots").iterdir()}
    assert files.keys() == shots.SCREENSHOTS.keys()
    assert max(files.values()) < 150_000
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "docs" / "pages").glob("*.md"))
    for name in files:
        assert f"../screenshots/{name}.webp" in pages
