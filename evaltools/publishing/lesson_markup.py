"""Markdown of lessons as HTML and LaTeX, without HTML, links or pictures of the text."""

from __future__ import annotations

from collections.abc import Iterable

from markdown_it import MarkdownIt
from markdown_it.token import Token

from evaltools.drawing.writers.latex import escape_latex
from evaltools.publishing.page import escaped

__all__ = ["to_html", "to_latex"]

_BLOCKS = {
    "paragraph": ("<p>", "</p>", "", "\n\n"),
    "bullet_list": ("<ul>", "</ul>", "\\begin{itemize}\n", "\\end{itemize}\n\n"),
    "ordered_list": ("<ol>", "</ol>", "\\begin{enumerate}\n", "\\end{enumerate}\n\n"),
    "list_item": ("<li>", "</li>", "\\item ", ""),
    "blockquote": ("<blockquote>", "</blockquote>", "\\begin{quote}\n", "\\end{quote}\n\n"),
    "heading": ("<h4>", "</h4>", "\\paragraph{", "}\n\n"),
    "table": ("<table>", "</table>", "", "\\end{tabular}\n\n"),
    "thead": ("<thead>", "</thead>", "", "\\hline\n"),
    "tbody": ("<tbody>", "</tbody>", "", ""),
    "tr": ("<tr>", "</tr>", "", " \\\\\n"),
    "th": ("<th>", "</th>", "", ""),
    "td": ("<td>", "</td>", "", ""),
    "em": ("<em>", "</em>", r"\emph{", "}"),
    "strong": ("<strong>", "</strong>", r"\textbf{", "}"),
}
"""Beginning and end of each element in HTML and in LaTeX; of others, such as links, the text alone is kept."""


def to_html(text: str) -> str:
    """Return a text in Markdown as HTML.

    Examples
    --------
    >>> to_html("*E* is <b>7</b>.")
    '<p><em>E</em> is &lt;b&gt;7&lt;/b&gt;.</p>'
    """
    return "".join(_parts(_parsed(text), 0))


def to_latex(text: str) -> str:
    r"""Return a text in Markdown as LaTeX.

    Examples
    --------
    >>> to_latex("*E* is 7 %.")
    '\\emph{E} is 7 \\%.'
    """
    return "".join(_parts(_parsed(text), 2)).strip()


def _parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark", {"html": False}).enable("table").parse(text)


def _parts(tokens: Iterable[Token], language: int) -> Iterable[str]:
    tokens = list(tokens)
    write = escape_latex if language else escaped
    for index, token in enumerate(tokens):
        name, _, edge = token.type.rpartition("_")
        if token.type == "inline":
            yield from _parts(token.children or [], language)
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n"
        elif edge == "open" and name in _BLOCKS:
            if name == "paragraph" and token.hidden:
                continue
            yield _BLOCKS[name][language]
            if name == "table" and language:
                yield f"\\begin{{tabular}}{{{'l' * _columns(tokens[index:])}}}\n"
        elif edge == "close" and name in _BLOCKS:
            if name == "paragraph" and token.hidden:
                yield "\n"
                continue
            yield _BLOCKS[name][language + 1]
            is_cell = name in ("th", "td")
            if is_cell and language and tokens[index + 1].type != "tr_close":
                yield " & "
        elif token.content:
            yield write(token.content)


def _columns(tokens: Iterable[Token]) -> int:
    """Return the number of columns of the table that begins here."""
    number = 0
    for token in tokens:
        if token.type == "tr_close":
            break
        number += token.type in ("th_open", "td_open")
    return number
