"""A self-contained HTML file without scripts, for light and dark themes and print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape
from importlib import resources

from evaltools.errors import printable

__all__ = ["Page", "escaped", "table"]

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def escaped(text: object) -> str:
    """Escape a text for HTML."""
    return escape(printable(str(text)))


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1, best: Iterable[tuple[int, int]] = ()
) -> str:
    """Return a table."""
    marked = set(best)

    def cell(text: str, row: int, column: int) -> str:
        kind = "text" if column < texts else "best" if (row, column) in marked else ""
        return f'<td class="{kind}">{escaped(text)}</td>'

    head = "".join(
        f'<th class="{"text" if column < texts else ""}">{escaped(text)}</th>' for column, text in enumerate(headings)
    )
    body = "".join(
        f"<tr>{''.join(cell(text, row, column) for column, text in enumerate(cells))}</tr>"
        for row, cells in enumerate(rows)
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


class Page:
    """A page, built from top to bottom."""

    def __init__(self, title: str) -> None:
        self.title = title
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

    def table(
        self,
        headings: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        texts: int = 1,
        best: Iterable[tuple[int, int]] = (),
    ) -> None:
        """Add a table, as :func:`table` makes it."""
        self._parts.append(table(headings, rows, texts=texts, best=best))

    def beside(self, tables: Iterable[tuple[str, str, str]]) -> None:
        """Add small tables beside one another as far as there is room: title, table from :func:`table`, remark."""
        parts = (
            f'<section><h4>{escaped(title)}</h4>{content}<p class="note">{escaped(note)}</p></section>'
            for title, content, note in tables
        )
        self._parts.append(f'<div class="beside">{"".join(parts)}</div>')

    def picture(self, svg: str, caption: str = "") -> None:
        """Add a drawing; shared style sheets are stored once."""
        self._parts.append(self._figure(svg, caption))

    def folded(self, summary: str, pictures: Iterable[tuple[str, str]]) -> None:
        """Add drawings and captions in a collapsible block."""
        inside = "".join(self._figure(svg, caption) for svg, caption in pictures)
        self._parts.append(f"<details><summary>{escaped(summary)}</summary>{inside}</details>")

    def _figure(self, svg: str, caption: str) -> str:
        for style in _STYLE.findall(svg):
            self._styles.setdefault(unescape(style))  # XML escapes what a style sheet of HTML does not
        below = f"<figcaption>{escaped(caption)}</figcaption>" if caption else ""
        return f'<figure><div class="wide">{_STYLE.sub("", svg)}</div>{below}</figure>'

    def __str__(self) -> str:
        """Return the whole file."""
        sheet = resources.files(__package__).joinpath("page.css").read_text("utf-8")
        links = "".join(f'<li><a href="#{name}">{escaped(heading)}</a></li>' for name, heading in self._contents)
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
            f"<title>{escaped(self.title)}</title><style>{sheet}</style>{''.join(self._styles)}</head>\n"
            f"<body><main><h1>{escaped(self.title)}</h1>\n<nav><ul>{links}</ul></nav>\n"
            + "\n".join(self._parts)
            + "\n</main></body></html>\n"
        )
