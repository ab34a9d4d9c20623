"""Text and drawings from data, shown as they are.

Streamlit's text elements read markdown, which mangles ``$``, ``*``, ``:x[]`` or ``-LRB-``. This component writes every
text as text and adopts a drawing as XML, never as HTML. A step or a word that is clicked goes back to Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

__all__ = ["Clicked", "answer", "facts", "formulas", "note", "picture", "plain", "steps"]

Block = dict[str, Any]
"""What the component can show; made by the functions of this module."""


@dataclass(frozen=True, slots=True)
class Clicked:
    """What the reader clicked just now.

    Parameters
    ----------
    step : int or None
        Place of an edit step in its list.
    word : int or None
        Position of a word in a drawing.
    """

    step: int | None = None
    word: int | None = None


@cache
def _component() -> Callable[..., Any]:
    here = Path(__file__).parent
    mount: Callable[..., Any] = st.components.v2.component(
        "evaltools_plain",
        js=(here / "plain.js").read_text(encoding="utf-8"),
        css=(here / "plain.css").read_text(encoding="utf-8"),
    )
    return mount


def answer(text: str) -> Block:
    """Return the one line that a page begins with."""
    return {"type": "answer", "text": text}


def note(text: str) -> Block:
    """Return a remark in grey."""
    return {"type": "note", "text": text}


def facts(rows: Sequence[tuple[str, str, str]], heading: str = "") -> Block:
    """Return a list of terms, what they are, and a remark in grey, aligned in columns."""
    return {"type": "facts", "heading": heading, "rows": [list(row) for row in rows]}


def formulas(rows: Sequence[tuple[str, str, str, str]], heading: str = "") -> Block:
    """Return a table of formulas: title, formula, the formula with numbers put in, value; an empty value begins a group."""
    return {"type": "formulas", "heading": heading, "rows": [list(row) for row in rows]}


def steps(rows: Sequence[tuple[str, str]], heading: str = "", chosen: int | None = None) -> Block:
    """Return a list of edit steps to click: status and text of each."""
    return {"type": "steps", "heading": heading, "rows": [list(row) for row in rows], "chosen": chosen}


def picture(svg: str, heading: str = "", chosen: int | None = None) -> Block:
    """Return a drawing; its elements with ``data-word`` can be clicked."""
    return {"type": "picture", "heading": heading, "svg": svg, "chosen": chosen}


def plain(*blocks: Block, key: str) -> Clicked:
    """Show blocks one under the other.

    Parameters
    ----------
    *blocks : Block
        What to show.
    key : str
        The component's key.

    Returns
    -------
    Clicked
        What was clicked just now, if anything.
    """
    result = _component()(key=key, data={"blocks": list(blocks)}, on_step_change=_nothing, on_word_change=_nothing)
    step, word = result.get("step"), result.get("word")
    return Clicked(step if isinstance(step, int) else None, word if isinstance(word, int) else None)


def _nothing() -> None:
    """Do nothing: Streamlit wants a callback for every value a component returns."""
