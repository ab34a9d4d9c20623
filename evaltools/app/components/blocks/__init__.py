"""Text and drawings from data, shown as they are.

Streamlit's text elements read markdown, which mangles ``$``, ``*``, ``:x[]`` or ``-LRB-``. This component writes every
text as text and adopts a drawing as XML, never as HTML. A step or a word that is clicked goes back to Python.
"""

from __future__ import annotations

from collections.abc import Callable

from evaltools.app.components import Component
from evaltools.app.widgets.saving import Origin, block_files, save
from evaltools.drawing.blocks import Block

_COMPONENT = Component("blocks")

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

    _COMPONENT.mount(
        {"blocks": [_without_files(block) for block in blocks], "large": large},
        key=key,
        listeners={"step": listener(on_step), "word": listener(on_word), "sentence": listener(on_sentence)},
    )
    if origin is not None:
        save(key, *block_files(blocks, origin))


def _without_files(block: Block) -> Block:
    """Return a block without the fields that are used for files only."""
    return {name: value for name, value in block.items() if name not in _FILE_FIELDS}
