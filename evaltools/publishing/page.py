"""One HTML file that needs nothing else: no network, no script; both themes, and paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape
from importlib import resources

from evaltools.errors import printable

__all__ = ["Page", "said", "table"]

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def said(text: object) -> str:
    """Return text as HTML that shows it as it is."""
    return escape(printable(str(text)))


def _heading(text: str, of_text: bool) -> str:
    kind = "text" if of_text else ""
    return f'<th class="{kind}">{said(text)}</th>'


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1, best: Iterable[tuple[int, int]] = ()
) -> str:
    """Return a table.

    Parameters
    ----------
    headings : sequence of str
        Of the columns.
    rows : iterable of sequence of str
        What stands in them, as text.
    texts : int
        So many columns, from the left, are text; the others are figures.
    best : iterable of (int, int)
        Row and column of the cells that stand out.
    """
    marked = set(best)

    def cell(text: str, row: int, column: int) -> str:
        kind = "text" if column < texts else "best" if (row, column) in marked else ""
        return f'<td class="{kind}">{said(text)}</td>'

    head = "".join(_heading(one, at < texts) for at, one in enumerate(headings))
    body = "".join(
        f"<tr>{''.join(cell(text, row, column) for column, text in enumerate(cells))}</tr>"
        for row, cells in enumerate(rows)
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


class Page:
    """A page that is put together from above to below.

    Parameters
    ----------
    title : str
        Its title.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._parts: list[str] = []
        self._contents: list[tuple[str, str]] = []
        self._styles: dict[str, None] = {}

    def section(self, heading: str) -> None:
        """Begin a section, which the table of contents lists."""
        name = f"s{len(self._contents) + 1}"
        self._contents.append((name, heading))
        self._parts.append(f'<h2 id="{name}">{said(heading)}</h2>')

    def heading(self, text: str) -> None:
        """Begin a part of a section."""
        self._parts.append(f"<h3>{said(text)}</h3>")

    def text(self, text: str, kind: str = "") -> None:
        """Add a paragraph; of the kinds ``answer`` and ``note`` too."""
        self._parts.append(f'<p class="{kind}">{said(text)}</p>')

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
            f'<section><h4>{said(title)}</h4>{made}<p class="note">{said(note)}</p></section>'
            for title, made, note in tables
        )
        self._parts.append(f'<div class="beside">{"".join(parts)}</div>')

    def picture(self, svg: str, caption: str = "") -> None:
        """Add a drawing; the style sheets that drawings have in common are kept once."""
        self._parts.append(self._figure(svg, caption))

    def folded(self, summary: str, pictures: Iterable[tuple[str, str]], *, opened: bool = False) -> None:
        """Add drawings with their captions that a click shows."""
        inside = "".join(self._figure(svg, caption) for svg, caption in pictures)
        self._parts.append(f"<details{' open' if opened else ''}><summary>{said(summary)}</summary>{inside}</details>")

    def _figure(self, svg: str, caption: str) -> str:
        for style in _STYLE.findall(svg):
            self._styles.setdefault(unescape(style))  # XML escapes what a style sheet of HTML does not
        below = f"<figcaption>{said(caption)}</figcaption>" if caption else ""
        return f'<figure><div class="wide">{_STYLE.sub("", svg)}</div>{below}</figure>'

    def __str__(self) -> str:
        """Return the whole file."""
        sheet = resources.files("evaltools.publishing").joinpath("page.css").read_text("utf-8")
        links = "".join(f'<li><a href="#{name}">{said(heading)}</a></li>' for name, heading in self._contents)
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
            f"<title>{said(self.title)}</title><style>{sheet}</style>{''.join(self._styles)}</head>\n"
            f"<body><main><h1>{said(self.title)}</h1>\n<nav><ul>{links}</ul></nav>\n"
            + "\n".join(self._parts)
            + "\n</main></body></html>\n"
        )
