"""Blocks, shown as they are.

Streamlit's text elements read markdown, which mangles ``$``, ``*``, ``:x[]`` or ``-LRB-``. This component writes every
text as text and adopts a drawing as XML, never as HTML. A row or a word that is clicked goes back to Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

from evaltools.app.components import Component
from evaltools.app.widgets.saving import Origin, block_files, save
from evaltools.blocks import Block, Chart, Column, Picture, Quoted, Table, Text, Word, Words, note, table
from evaltools.drawing import la_color
from evaltools.errors import EvaltoolsError, Problem
from evaltools.text import and_more

_COMPONENT = Component("blocks")

_AS_THEY_ARE = ("status", "bar", "pieces")
"""The formats of columns whose values the browser sets."""
_WITH_HEADS = ("rows", "differences")


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
        {"blocks": [_sent(block) for block in blocks], "large": large},
        key=key,
        listeners={"step": listener(on_step), "word": listener(on_word), "sentence": listener(on_sentence)},
    )
    if origin is not None:
        save(key, *block_files(blocks, origin))


_MAX_PROBLEMS = 200


def show_problems(problems: Sequence[Problem], *, key: str, of: Sequence[str] = ()) -> None:
    """List problems of files, with what is known of each; `of`: whose file each is in, if there are several."""
    listed = problems[:_MAX_PROBLEMS]
    cells = {
        "of": of[:_MAX_PROBLEMS],
        "file": [PurePath(problem.file).name for problem in listed],
        **{name: [str(getattr(problem, name) or "") for problem in listed] for name in _POSITION},
        "found": [problem.found for problem in listed],
        "expected": [problem.expected for problem in listed],
    }
    known = {name: values for name, values in cells.items() if any(values)}
    numbers = [index for index, name in enumerate(known) if name in _POSITION]
    rest = len(problems) - len(listed)
    shown = table(tuple(known), list(zip(*known.values(), strict=True)), numbers=numbers)
    show_blocks(shown, *([note(and_more(rest))] if rest else []), key=key)


_POSITION = ("sentence", "line", "column")


def _sent(block: Block) -> dict[str, Any]:
    """Return a block for the browser."""
    match block:
        case Text(text, kind):
            return {"type": kind if kind in ("note", "heading") else "answer", "text": text}
        case Words():
            sent = {"type": block.form, "heading": block.title, "lead": block.lead}
            if block.form != "strip":
                return sent | {"words": list(block.words)}
            scale = [[la_color(step / 20, theme)[0] for step in range(21)] for theme in ("light", "dark")]
            return sent | {"words": list(map(_word, block.words)), "chosen": block.chosen, "scale": scale}
        case Table():
            columns = [[column.name, column.format, column.is_joined] for column in block.columns]
            return {
                "type": block.form,
                "heading": block.title,
                "remark": block.note,
                "columns": columns,
                "heads": block.heads if block.form in _WITH_HEADS else [],
                "hints": [column.help for column in block.columns],
                "rows": [list(map(_cell, block.columns, row)) for row in block.rows],
                "marked": sorted(block.marked),
                "keys": list(block.keys),
                "sends": block.sends,
            }
        case Picture():
            return _picture(block)
        case Chart():
            raise TypeError("a chart is an element of its own")


def _cell(column: Column, value: Any) -> Any:
    """Return a value as text, or as the browser needs it."""
    if isinstance(value, Quoted):
        return list(value.words), sorted(value.marked), list(value.drawn)
    return value if column.format in _AS_THEY_ARE else column.text(value)


def _word(word: Word) -> list[object]:
    """Return a word of a strip with the colors of its score, in both themes."""
    is_alone = word.status == "missing"
    colors = (*la_color(word.score, "light"), *la_color(word.score, "dark"))
    return [word.form, word.position, word.hint, is_alone, *colors, word.below]


def _picture(picture: Picture) -> dict[str, Any]:
    """Return a picture with its drawing for each width of the page, or why there is none."""
    drawn = [(0, picture.svg)]
    if picture.drawings:
        (drawing,) = picture.drawings
        try:
            drawn = [(width, drawing.draw(theme="auto", width=width)) for width in picture.widths]
            drawn = drawn or [(0, drawing.draw(theme="auto"))]
        except EvaltoolsError as error:
            return _sent(note(f"{picture.title}: {error}" if picture.title else str(error)))
    return {
        "type": "pictures" if picture.is_small else "picture",
        "heading": picture.title,
        "drawn": drawn,
        "fit": picture.fit,
        "min_percent": picture.min_percent,
        "keys": list(picture.keys),
        "chosen": picture.chosen,
    }
