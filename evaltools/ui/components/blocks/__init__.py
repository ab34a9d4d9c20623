"""Text and drawings from data, shown as they are.

Streamlit's text elements read markdown, which mangles ``$``, ``*``, ``:x[]`` or ``-LRB-``. This component writes every
text as text and adopts a drawing as XML, never as HTML. A step or a word that is clicked goes back to Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from html import unescape

from evaltools.drawing.blocks import Block
from evaltools.ui.components import Component
from evaltools.ui.widgets.block_export import block_files
from evaltools.ui.widgets.saving import Origin, save

__all__ = ["show_blocks"]

_COMPONENT = Component("blocks")

_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)

_FILE_FIELDS = ("files", "languages", "title")


def show_blocks(
    *blocks: Block,
    key: str,
    on_step: Callable[[int], None] | None = None,
    on_word: Callable[[int], None] | None = None,
    on_sentence: Callable[[int], None] | None = None,
    large: bool = False,
    origin: Origin | None = None,
) -> None:
    """Show blocks below one another."""

    def listener(write: Callable[[int], None] | None) -> Callable[[object], None]:
        def changed(value: object) -> None:
            if write is not None and isinstance(value, (int, float)):
                write(int(value))

        return changed

    styles: dict[str, None] = {}
    shown = [_without_styles(_without_files(block), partial(_bare, styles)) for block in blocks]
    _COMPONENT.mount(
        {"blocks": shown, "styles": [unescape(style) for style in styles], "large": large},
        key=key,
        listeners={"step": listener(on_step), "word": listener(on_word), "sentence": listener(on_sentence)},
    )
    if origin is not None:
        save(key, *block_files(blocks, origin))


def _without_files(block: Block) -> Block:
    """Return a block without the fields that are used for files only."""
    return {name: value for name, value in block.items() if name not in _FILE_FIELDS}


def _without_styles(block: Block, bare: Callable[[str], str]) -> Block:
    """Return a block with drawings that are bare."""

    def bare_pairs(pairs: Iterable[tuple[object, str]]) -> list[tuple[object, str]]:
        return [(about, bare(svg)) for about, svg in pairs]

    match block["type"]:
        case "picture":
            return {**block, "svg": bare(block["svg"]), "wider": bare_pairs(block["wider"])}
        case "pictures":
            return {**block, "drawn": bare_pairs(block["drawn"])}
        case "pictured":
            return {**block, "rows": [(bare(svg), *rest) for svg, *rest in block["rows"]]}
        case "marked":
            return {**block, "pictures": {number: bare_pairs(pairs) for number, pairs in block["pictures"].items()}}
    return block


def _bare(styles: dict[str, None], svg: str) -> str:
    """Return a drawing without its style sheet, which is added to `styles`.

    A list of sentences has a drawing a row: the browser would read the same rules thirty times, and try each of them.
    """
    styles.update(dict.fromkeys(_STYLE.findall(svg)))
    return _STYLE.sub("", svg)
