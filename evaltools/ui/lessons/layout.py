"""Where text, figures and drawings of a step of a lesson stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from evaltools.classroom.lessons import Step, Vote, filled
from evaltools.drawing.blocks import Block, formulas
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lessons.pictures import Panel, Shown, shown_of

__all__ = ["as_markdown", "lay_out"]

_TALL, _WIDE = (11, 9), (9, 11)
"""How text and drawings share the width."""
_PICTURE = re.compile(r"!(?=\[)")


def as_markdown(text: str, numbers: Mapping[str, str]) -> str:
    r"""Return a text of a lesson: figures put in, and no picture fetched from anywhere.

    Parameters
    ----------
    text : str
        Markdown, perhaps somebody else's.
    numbers : mapping of str to str
        The step's figures.

    Examples
    --------
    >>> as_markdown("{{t_dice}} ![x](http://somewhere/x.png)", {"t_dice": "1.000"})
    '1.000 \\![x](http://somewhere/x.png)'
    """
    return _PICTURE.sub(r"\\!", filled(text, numbers))


def lay_out(
    step: Step, numbers: Mapping[str, str], *, shown: bool, aside: Callable[[], None] | None = None
) -> list[Block]:
    """Show a step: what is high stands beside the text, what is wide below it."""
    is_vote = isinstance(step.material, Vote)
    drawn = shown_of(step.material, small=is_vote and shown)
    if is_vote and shown:
        _panels(drawn.panels, "below")
        return _drawings(drawn)
    beside = _beside(drawn.panels, is_vote)
    if beside:
        low = len(beside) == 1 and beside[0].low
        left, right = st.columns(_TALL if all(panel.tall for panel in beside) else _WIDE, gap="large")
        with left:
            _text(step, numbers)
            _question(step, numbers, shown=shown)
            if is_vote and aside is not None:
                aside()
            if not low:
                _formulas(drawn)
        with right:
            _panels(beside, "beside")
            if low:
                _formulas(drawn)
    elif drawn.panels and step.question:
        left, right = st.columns(2, gap="large")
        with left:
            _text(step, numbers)
        with right:
            _question(step, numbers, shown=shown)
    else:
        _text(step, numbers)
        _question(step, numbers, shown=shown)
    _panels([panel for panel in drawn.panels if panel not in beside], "below")
    if not beside:
        _formulas(drawn)
    return _drawings(drawn)


def _drawings(drawn: Shown) -> list[Block]:
    """Return what is drawn, under its headings."""
    blocks: list[Block] = []
    for panel in drawn.panels:
        first, *rest = panel.blocks
        blocks += [{**first, "title": panel.title}, *rest]
    return [*blocks, *([formulas(drawn.formulas)] if drawn.formulas else [])]


def _beside(panels: Sequence[Panel], is_vote: bool) -> list[Panel]:
    """Return the drawings that stand beside the text: one alone, two high ones, or the gold tree of a vote."""
    if is_vote:
        return list(panels[:1])
    narrow = [panel for panel in panels if not panel.wide]
    fits = len(narrow) < 2 or (len(narrow) == 2 and all(panel.tall for panel in narrow))
    return list(panels) if fits else []


def _panels(panels: Sequence[Panel], key: str) -> None:
    """Put drawings in rows of two or three; those that are wide below one another."""
    narrow = [panel for panel in panels if not panel.wide]
    maximum = 3 if len(narrow) == 3 else 2
    for index in range(0, len(narrow), maximum):
        row = narrow[index : index + maximum]
        for number, column in enumerate(st.columns(len(row), gap="large")):
            with column:
                _panel(row[number], f"{key}_{index + number}")
    for number, panel in enumerate(panel for panel in panels if panel.wide):
        _panel(panel, f"{key}_wide_{number}")


def _formulas(drawn: Shown) -> None:
    if drawn.formulas:
        show_blocks(formulas(drawn.formulas), key="lesson_formulas", large=True)


def _panel(panel: Panel, key: str) -> None:
    first, *rest = panel.blocks
    show_blocks({**first, "heading": panel.title}, *rest, key=f"lesson_{key}", large=True)


def _text(step: Step, numbers: Mapping[str, str]) -> None:
    if step.text:
        with st.container(key="lesson_text"):
            st.markdown(as_markdown(step.text, numbers))


def _question(step: Step, numbers: Mapping[str, str], *, shown: bool) -> None:
    if step.question:
        with st.container(key="lesson_ask"):
            st.markdown(as_markdown(step.question, numbers))
    if step.answer and shown:
        with st.container(key="lesson_answer"):
            st.markdown(as_markdown(step.answer, numbers))
