"""What a class does before a step shows its numbers, colors and marks: predict, count, or click a bracket."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from evaltools.classroom.lessons import Step
from evaltools.classroom.material import TreePair
from evaltools.drawing.blocks import answer, steps
from evaltools.frameworks.registry import METRICS
from evaltools.marks import Status
from evaltools.outputs.lessons import bracket_rows
from evaltools.text import decimals
from evaltools.ui.components.blocks import show_blocks

__all__ = ["LINE", "MAX_ROWS", "choose_bracket", "chosen_bracket", "is_same", "task_height", "task_view"]

MAX_ROWS = 5
"""Maximum number of different answers of a class that are shown."""
LINE = 34.0
"""Height of a row of a table on a slide of 1280 by 720 pixels."""
_SAME = 0.005 + 1e-9
"""Numbers that differ from a score by no more are correct: they have two decimals."""

_SIDES = {
    "missing": ("gold", "Brackets of the gold tree"),
    "spurious": ("test", "Brackets of the parse"),
}


def task_view(step: Step, numbers: Mapping[str, str], key: str, *, revealed: bool) -> None:
    """Show the task of a step, and after it what was answered beside what is correct.

    Parameters
    ----------
    step : Step
        The step.
    numbers : mapping of str to str
        Its figures.
    key : str
        The key of its answer in the session.
    revealed : bool
        Whether the solution is shown.
    """
    if step.task is None or step.task.kind == "hide":
        return
    if step.task.kind == "click":
        _click(step, key, revealed=revealed)
        return
    known = f"{key}_value"
    if revealed:
        _compare(step.task.figure, st.session_state.get(known), numbers)
        return
    is_count = step.task.kind == "count"
    value = st.number_input(
        "Your count" if is_count else "Your number, from 0 to 1",
        min_value=0 if is_count else 0.0,
        max_value=None if is_count else 1.0,
        value=st.session_state.get(known),
        step=1 if is_count else 0.05,
        key=f"{key}_input",
        width=260,
    )
    st.session_state[known] = value


def task_height(step: Step) -> float:
    """Return about how high what a task shows after the answer is, in pixels of a slide."""
    lines = 1.0
    if step.task is not None and step.task.kind == "click" and isinstance(step.material, TreePair):
        side, _ = _SIDES[step.task.figure]
        lines += len(bracket_rows(step.material.align(), side)) + 1
    return LINE * lines


def choose_bracket(key: str, index: int) -> None:
    """Keep which bracket was clicked, in the list or in the tree."""
    st.session_state[key] = index


def chosen_bracket(key: str) -> int | None:
    """Return the bracket that was clicked last."""
    chosen = st.session_state.get(key)
    return chosen if isinstance(chosen, int) else None


def _compare(figure: str, value: float | None, numbers: Mapping[str, str]) -> None:
    """Say whether what was typed in is the figure, which the answer gives."""
    if value is None:
        return
    given = decimals(value) if figure in METRICS else f"{value}"
    verdict = "Correct." if is_same(given, numbers[figure]) else f"Correct is {numbers[figure]}."
    show_blocks(answer(f"Your number: {given}. {verdict}"), key="task_result", large=True)


def is_same(value: str, correct: str) -> bool:
    """Return whether a number is a count, or a score to two decimals.

    Examples
    --------
    >>> is_same("0.86", "0.857"), is_same("0.8", "0.857"), is_same("5", "5"), is_same("0.5", "–")
    (True, False, True, False)
    """
    try:
        return abs(float(value) - float(correct)) <= _SAME
    except ValueError:  # an undefined score
        return False


def _click(step: Step, key: str, *, revealed: bool) -> None:
    """List the brackets of a tree to click; their status is shown afterwards."""
    if step.task is None or not isinstance(step.material, TreePair):
        return
    side, heading = _SIDES[step.task.figure]
    rows = bracket_rows(step.material.align(), side)
    listed = [(str(status if revealed else Status.RIGHT), text) for text, status in rows]
    chosen = chosen_bracket(key)
    show_blocks(
        steps(listed, heading, chosen),
        key="task_brackets",
        on_step=None if revealed else partial(choose_bracket, key),
        large=True,
    )
    if revealed and chosen is not None and chosen < len(rows):
        wrong = rows[chosen][1] is not Status.RIGHT
        show_blocks(answer("Your bracket is not matched." if wrong else "Your bracket is matched."), key="task_result")
