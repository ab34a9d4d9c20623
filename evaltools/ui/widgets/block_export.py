"""What the component of blocks shows, as files: drawings as pictures, lists of figures and steps as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import zip_longest

import pandas as pd

from evaltools.drawing.blocks import Block
from evaltools.drawing.writers.svg import in_light
from evaltools.outputs.pictures import Picture, file_name
from evaltools.ui.widgets.saving import Origin, Saving, drawing_files, picture_files, table_files

__all__ = ["block_files"]

_LONGEST = 80


def _formulas(block: Block) -> pd.DataFrame:
    """Return the formulas; a row without a value begins a group."""
    rows, group = [], ""
    for title, formula, numbers, value in block["rows"]:
        if value:
            rows.append((group, title, formula, numbers, value))
        else:
            group = title
    frame = pd.DataFrame(rows, columns=["group", "figure", "formula", "with its numbers", "value"])
    return frame if frame["group"].any() else frame.drop(columns="group")


def _facts(block: Block) -> pd.DataFrame:
    frame = pd.DataFrame(block["rows"], columns=["what", "value", block["remark"] or "remark"])
    return frame.loc[:, [*frame.columns[:2], *(name for name in frame.columns[2:] if frame[name].any())]]


def _scores(block: Block) -> pd.DataFrame:
    frame = pd.DataFrame([(row[0], row[2], row[3]) for row in block["rows"]], columns=["score", "value", "change"])
    return frame if frame["change"].any() else frame.drop(columns="change")


def _steps(block: Block) -> pd.DataFrame:
    return pd.DataFrame([(index, *row) for index, row in enumerate(block["rows"], 1)], columns=["step", "kind", "what"])


def _story(block: Block) -> pd.DataFrame:
    rows = [(index, *row) for index, row in enumerate(block["rows"], 1)]
    return pd.DataFrame(rows, columns=["step", "kind", "type of error", "what", "brackets"])


def _pictured(block: Block) -> pd.DataFrame:
    return pd.DataFrame([row[1:] for row in block["rows"]], columns=["group", "words", "figures"])


def _triples(block: Block) -> pd.DataFrame:
    rows = [(title, *row[2:]) for title, _, listed in block["columns"] for row in listed]
    return pd.DataFrame(rows, columns=["where", "words", "what", "value"])


def _table(block: Block) -> pd.DataFrame:
    return pd.DataFrame([cells for _, cells in block["rows"]], columns=block["head"])


def _differences(block: Block) -> pd.DataFrame:
    """Return words; what only one analysis has is marked as on the page."""
    signs = {"missing": "< ", "spurious": "> "}
    rows = [
        [" ".join(f"{signs.get(status, '')}{text}" for status, text in cell) for cell in cells]
        for _, _, cells in block["rows"]
    ]
    return pd.DataFrame(rows, columns=block["head"])


def _marked(block: Block) -> pd.DataFrame:
    """Return sentences, the words that are marked between asterisks."""
    rows = []
    for number, words, indices, remark in block["rows"]:
        text = " ".join(f"*{word}*" if at in indices else word for at, word in enumerate(words))
        rows.append((number, text, remark))
    return pd.DataFrame(rows, columns=["sentence", "words", "remark"])


def _strip(block: Block) -> pd.DataFrame:
    return pd.DataFrame([(row[0], row[2]) for row in block["words"]], columns=["word", "score"])


_TABLES: Mapping[str, tuple[str, Callable[[Block], pd.DataFrame]]] = {
    "formulas": ("Scores", _formulas),
    "facts": ("Figures", _facts),
    "scores": ("Scores", _scores),
    "steps": ("Steps", _steps),
    "story": ("Steps", _story),
    "pictured": ("Groups", _pictured),
    "triples": ("Lists", _triples),
    "table": ("Table", _table),
    "differences": ("Differences", _differences),
    "marked": ("Sentences", _marked),
    "strip": ("Scores of the words", _strip),
}
"""What is a table: how it is called without a heading, and what makes it one."""


def block_files(blocks: Iterable[Block], origin: Origin) -> list[Saving]:
    """Return what some blocks show as files; remarks and the like are left out."""
    things: list[Saving] = []
    for block in blocks:
        kind = block["type"]
        drawn = block.get("drawn", ())
        for (value, svg), others in zip_longest(drawn, block["languages"] if drawn else ()):
            things.append(_as_drawn(svg, value or "Picture", origin, others))
        usual, make = _TABLES.get(kind, ("Picture", None))
        title = str(block.get("title") or block.get("heading") or usual)
        name, caption = f"{origin.name}-{title}"[:_LONGEST], origin.caption(title)
        if (saved := block.get("files")) is not None:
            things.append(drawing_files(saved, origin))
        elif kind == "picture":
            things.append(_as_drawn(block["svg"], title, origin, block.get("languages")))
        if make is not None and any(block.get(part) for part in ("rows", "words", "columns")):
            things.append(table_files(partial(make, block), name, caption, title=title))
    return things


def _as_drawn(svg: str, title: str, origin: Origin, others: Mapping[str, Callable[[], str]] | None) -> Saving:
    """Return a drawing as it stands on the page, and in what other languages there are."""
    name = f"{origin.name}-{title}"[:_LONGEST]
    drawings: dict[str, Callable[[], str]] = {**(others or {}), "svg": partial(in_light, svg)}
    return picture_files(Picture(file_name(name), origin.caption(title), drawings, title))
