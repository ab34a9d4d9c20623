"""Build the site: Markdown pages, the reference of the Python package, pictures and screenshots; no network is used."""

from __future__ import annotations

import posixpath
import re
import shutil
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from docs.reference import write_reference
from docs.site.execution import ROOT, Session, prepared_folder
from docs.site.markdown import Rendered, render

__all__ = ["PAGES", "SiteError", "build_site"]

PAGES = {
    "index": ("Start", "README.md"),
    "tutorial": ("Tutorial", "docs/pages/tutorial.md"),
    "guide": ("Guide by task", "docs/guide.md"),
    "coming-from": ("Coming from …", "docs/pages/coming-from.md"),
    "experiments": ("Experiments of papers", "docs/pages/experiments.md"),
    "metrics": ("Metrics", "docs/metrics.md"),
    "gallery": ("Gallery", "docs/pages/gallery.md"),
    "commands": ("Commands", "docs/commands.md"),
    "teaching": ("Teaching", "docs/pages/teaching.md"),
    "architecture": ("Architecture", "CONTRIBUTING.md"),
    "development": ("Development", "docs/development.md"),
    "changelog": ("Changelog", "CHANGELOG.md"),
}
"""Pages in the order of the menu: title in the menu, and file with the text."""
_REFERENCE = "reference/index.html"
_TEMPLATES = ROOT / "docs" / "templates"
_SUFFIXES = (".svg", ".webp", ".cff", ".md")
"""Ends of the names of files that pages may show or link to; links to others and to folders become texts."""


class SiteError(Exception):
    """The site has faults, such as broken links."""


@dataclass(frozen=True)
class _Source:
    """A text of the site: name of its page, and its file."""

    name: str
    path: Path


def build_site(folder: Path) -> list[Path]:
    """Write the site.

    Parameters
    ----------
    folder : Path
        Output folder; created if it does not exist, and emptied if it holds an earlier site.

    Returns
    -------
    list of Path
        The pages, the first one first.

    Raises
    ------
    SiteError
        If a link leads nowhere, or the folder holds something else.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / _REFERENCE).exists():
        raise SiteError(f"{folder} holds other files")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    site = _Site(folder)
    with tempfile.TemporaryDirectory() as work:
        site.render(prepared_folder(Path(work)))
    site.check_links()
    shutil.copyfile(_TEMPLATES / "site.css", folder / "site.css")
    write_reference(folder / "reference", site="../index.html")
    return site.write()


class _Site:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.waiting = [_Source(name, ROOT / path) for name, (_, path) in PAGES.items()]
        self.names = {source.path: source.name for source in self.waiting}
        self.pages: dict[str, Rendered] = {}
        self.links: list[tuple[str, str]] = []  # Name of the page, and name of a page with an anchor

    def render(self, work: Path) -> None:
        """Render all pages, and those that they link to."""
        while self.waiting:
            source = self.waiting.pop(0)
            text = source.path.read_text("utf-8")
            self.pages[source.name] = render(text, Session(work), partial(self._resolve, source))

    def _resolve(self, source: _Source, link: str) -> str | None:
        """Return the address of a link on the site; a file is copied, and another text becomes a page."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return link
        target = (source.path.parent / unquote(parts.path)).resolve() if parts.path else source.path
        if source.path.is_relative_to(ROOT / "docs") and parts.path.startswith("reference/"):
            return link
        if not target.exists():
            raise SiteError(f"{source.path.relative_to(ROOT)}: {link} leads nowhere")
        if not target.is_file() or target.suffix not in _SUFFIXES:
            return None
        if target.suffix == ".md":
            if target not in self.names:
                self.names[target] = re.sub(r"\W+", "-", str(target.relative_to(ROOT).with_suffix(""))).lower()
                self.waiting.append(_Source(self.names[target], target))
            name = self.names[target]
            if parts.fragment:
                self.links.append((source.name, f"{name}#{parts.fragment}"))
            return f"{name}.html" + (f"#{parts.fragment}" if parts.fragment else "")
        files = self.folder / "files"
        files.mkdir(exist_ok=True)
        shutil.copyfile(target, files / target.name)
        return posixpath.join("files", target.name)

    def check_links(self) -> None:
        """Raise SiteError if a link leads to a heading that does not exist."""
        broken = []
        for source, link in self.links:
            name, _, fragment = link.partition("#")
            if fragment not in self.pages[name].anchors:
                broken.append(f"{source}: {link}")
        if broken:
            raise SiteError("links lead to no heading: " + ", ".join(broken))

    def write(self) -> list[Path]:
        """Write the pages."""
        environment = Environment(
            loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
        )
        template = environment.get_template("site.html.jinja2")
        menu = [(f"{name}.html", title) for name, (title, _) in PAGES.items()]
        menu.insert(list(PAGES).index("commands"), (_REFERENCE, "Python reference"))
        written = []
        for name, page in self.pages.items():
            path = self.folder / f"{name}.html"
            path.write_text(template.render(page=page, menu=menu, address=path.name), encoding="utf-8")
            written.append(path)
        return written
