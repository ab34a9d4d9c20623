"""Text and drawings from data, shown as they are.

Streamlit's text elements read markdown, which mangles ``$``, ``*``, ``:x[]`` or ``-LRB-``. This component writes every
text as text and adopts a drawing as XML, never as HTML. A step or a word that is clicked goes back to Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

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
    shown = [_without_styles(_without_files(block), styles) for block in blocks]
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


def _without_styles(part: Any, styles: dict[str, None]) -> Any:
    """Return a part of blocks without the style sheets of its drawings, which are added to `styles`, each once.

    A list of sentences has a drawing a row: the browser would read the same rules thirty times, and try each of them.
    """
    if isinstance(part, dict):
        return {name: _without_styles(value, styles) for name, value in part.items()}
    if isinstance(part, (list, tuple)):
        return [_without_styles(value, styles) for value in part]
    if not isinstance(part, str) or not part.startswith("<svg"):
        return part
    styles.update(dict.fromkeys(_STYLE.findall(part)))
    return _STYLE.sub("", part)
