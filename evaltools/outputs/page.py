"""A self-contained HTML file without scripts, for light and dark themes and print."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from html import escape, unescape
from importlib import resources
from itertools import groupby

from evaltools.text import printable

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def escaped(text: object) -> str:
    """Escape a text for HTML."""
    return escape(printable(str(text)))


def note(text: str) -> str:
    """Return a remark in gray."""
    return f'<p class="note">{escaped(text)}</p>'


def quoted(words: Sequence[str], marked: Collection[int], lead: str = "") -> str:
    """Return a sentence in HTML, with some of its words marked; `lead` stands before it."""
    runs = []
    for is_marked, positions in groupby(range(len(words)), lambda at: at in marked):
        run = " ".join(escaped(words[at]) for at in positions)
        runs.append(f"<mark>{run}</mark>" if is_marked else run)
    return f'<p class="note">{escaped(lead)} <q dir="auto">{" ".join(runs)}</q></p>'


def _link_list(links: Iterable[tuple[str, str]]) -> str:
    """Return links as a list: address and text of each."""
    items = (f'<li><a href="{escaped(address)}">{escaped(text)}</a></li>' for address, text in links)
    return f"<ul>{''.join(items)}</ul>"


class Page:
    """A page, built from top to bottom; `links` lead to other pages: address and text."""

    def __init__(self, title: str, links: Sequence[tuple[str, str]] = ()) -> None:
        self.title = title
        self.links = links
        self._parts: list[str] = []
        self._contents: list[tuple[str, str]] = []
        self._styles: dict[str, None] = {}

    def section(self, heading: str) -> None:
        """Begin a section and list it in the table of contents."""
        name = f"s{len(self._contents) + 1}"
        self._contents.append((name, heading))
        self._parts.append(f'<h2 id="{name}">{escaped(heading)}</h2>')

    def heading(self, text: str) -> None:
        """Begin a part of a section."""
        self._parts.append(f"<h3>{escaped(text)}</h3>")

    def text(self, text: str, kind: str = "") -> None:
        """Add a paragraph; `kind` may be ``answer`` or ``note``."""
        self._parts.append(f'<p class="{kind}">{escaped(text)}</p>')

    def markup(self, html: str) -> None:
        """Add HTML, all texts of which are escaped."""
        self._parts.append(html)

    def beside(self, tables: Iterable[tuple[str, str, str]]) -> None:
        """Add small tables beside one another as far as there is room: title, content in HTML, remark."""
        parts = (
            f"<section><h4>{escaped(title)}</h4>{content}{note(remark) if remark else ''}</section>"
            for title, content, remark in tables
        )
        self._parts.append(f'<div class="beside">{"".join(parts)}</div>')

    def picture(self, svg: str, caption: str = "") -> None:
        """Add a drawing; shared style sheets are stored once."""
        self._parts.append(self.figure(svg, caption))

    def linked(self, links: Sequence[tuple[str, str]]) -> None:
        """Add links to other pages: address and text."""
        if links:
            self._parts.append(f"<nav>{_link_list(links)}</nav>")

    def folded(self, summary: str, parts: Iterable[str]) -> None:
        """Add HTML in a collapsible block."""
        self._parts.append(f"<details><summary>{escaped(summary)}</summary>{''.join(parts)}</details>")

    def figure(self, svg: str, caption: str) -> str:
        """Return a drawing in HTML; its style sheets are stored once for the page."""
        for style in _STYLE.findall(svg):
            self._styles.setdefault(unescape(style))  # XML escapes what a style sheet of HTML does not
        below = f"<figcaption>{escaped(caption)}</figcaption>" if caption else ""
        return f'<figure><div class="wide">{_STYLE.sub("", svg)}</div>{below}</figure>'

    def __str__(self) -> str:
        """Return the whole file."""
        sheet = resources.files(__package__).joinpath("page.css").read_text("utf-8")
        contents = [(f"#{name}", heading) for name, heading in self._contents]
        lists = "".join(_link_list(links) for links in (self.links, contents) if links)
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
            f"<title>{escaped(self.title)}</title><style>{sheet}</style>{''.join(self._styles)}</head>\n"
            f"<body><main><h1>{escaped(self.title)}</h1>\n<nav>{lists}</nav>\n"
            + "\n".join(self._parts)
            + "\n</main></body></html>\n"
        )
