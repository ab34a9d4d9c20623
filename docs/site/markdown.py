"""Markdown to HTML: tables, anchors as on code hosts, blocks that are executed, and links between pages."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docs.site.execution import Session

__all__ = ["Rendered", "anchor", "render"]

_LINES = re.compile(r"lines=(\d+)")
_MADE = re.compile(r"<!--.*?-->\n?", re.DOTALL)


@dataclass
class Rendered:
    """A page in HTML."""

    title: str
    html: str
    headings: list[tuple[str, str]] = field(default_factory=list)  # Anchor and text of the second level
    anchors: set[str] = field(default_factory=set)


def anchor(heading: str) -> str:
    """Return the anchor of a heading.

    Examples
    --------
    >>> anchor("Where the words differ: *E*, T")
    'where-the-words-differ-e-t'
    """
    bare = re.sub(r"[*_`]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    kept = "".join(letter for letter in bare if letter in "-_ " or unicodedata.category(letter)[0] in "LN")
    return kept.replace(" ", "-")


def render(text: str, session: Session, resolve: Callable[[str], str | None]) -> Rendered:
    """Return a page; `resolve` turns the address of a link or picture into that on the site, None to drop the link."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(_MADE.sub("", text))
    page = Rendered("", "")
    _anchors(tokens, page)
    for token in tokens:
        for child in token.children or ():
            _resolve(child, resolve)
        if token.type == "inline" and token.children:
            token.children = _without_dropped(token.children)
    parser.add_render_rule("fence", lambda _, tokens, at, *rest: _fence(tokens[at], session))
    parser.add_render_rule("table_open", lambda *rest: '<div class="wide"><table>\n')
    parser.add_render_rule("table_close", lambda *rest: "</table></div>\n")
    page.html = parser.renderer.render(tokens, parser.options, {})
    return page


def _anchors(tokens: list[Token], page: Rendered) -> None:
    """Give headings their anchors, and note them."""
    seen: Counter[str] = Counter()
    for token, inline in pairwise(tokens):
        if token.type != "heading_open":
            continue
        name = anchor(inline.content)
        token.attrSet("id", f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
        page.anchors.add(str(token.attrs["id"]))
        text = "".join(child.content for child in inline.children or ())
        if token.tag == "h1":
            page.title = page.title or text
        elif token.tag == "h2":
            page.headings.append((str(token.attrs["id"]), text))


def _resolve(token: Token, resolve: Callable[[str], str | None]) -> None:
    name = {"link_open": "href", "image": "src"}.get(token.type)
    if name is None:
        return
    target = resolve(str(token.attrs[name]))
    if target is None:
        token.meta["dropped"] = True
    else:
        token.attrSet(name, target)


def _without_dropped(tokens: list[Token]) -> list[Token]:
    """Remove the links that lead nowhere on the site; their texts stay."""
    kept, dropping = [], False
    for token in tokens:
        if token.type == "link_open" and token.meta.get("dropped"):
            dropping = True
        elif token.type == "link_close" and dropping:
            dropping = False
        else:
            kept.append(token)
    return kept


def _fence(token: Token, session: Session) -> str:
    info = token.info.strip()
    if info.startswith("console"):
        limit = _LINES.search(info)
        done = session.console(token.content, int(limit[1]) if limit else None)
        parts = [
            f'<span class="command">{escape(command)}</span>\n{escape(output)}'.rstrip() for command, output in done
        ]
        shown = "\n\n".join(parts)
        return f'<pre class="console"><code>{shown}</code></pre>\n'
    if info == "python picture":
        drawing = session.picture(token.content)
        code = f"<pre><code>{escape(token.content)}</code></pre>\n"
        return f'<figure><div class="wide">{drawing}</div></figure>\n<details><summary>Code</summary>{code}</details>\n'
    return f"<pre><code>{escape(token.content)}</code></pre>\n"
