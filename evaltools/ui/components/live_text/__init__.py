"""A field of text that is checked while one types: each mistake is marked in the text, and said under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evaltools.errors import Problem
from evaltools.ui.components import Component

__all__ = ["live_text"]

_COMPONENT = Component("live_text")

_MOST = 3


def _placed(problem: Problem, text: str) -> dict[str, Any]:
    """Return what is said of a problem, and the place in the text that it stands at, if it has one."""
    says = f"{problem.found}; expected {problem.expected}"
    if problem.line is None:
        return {"says": says, "at": None}
    lines = text.split("\n")
    says = f"line {problem.line}" + (f", column {problem.column}" if problem.column else "") + f": {says}"
    if problem.column is None or problem.line > len(lines):
        return {"says": says, "at": None}
    return {"says": says, "at": sum(len(line) + 1 for line in lines[: problem.line - 1]) + problem.column - 1}


def live_text(
    label: str,
    text: str,
    problems: Sequence[Problem],
    *,
    key: str,
    on_text: Callable[[str], None],
    rows: int = 4,
    longest: int = 20_000,
    placeholder: str = "",
    hint: str = "",
) -> None:
    """Show a field of text.

    Parameters
    ----------
    label : str
        What the field is called.
    text : str
        What stands in it.
    problems : sequence of Problem
        What is wrong with the text; columns count characters.
    key : str
        The component's key.
    on_text : callable
        Gets the text whenever the reader pauses, before the page runs again.
    rows : int
        Height of the field in lines.
    longest : int
        How many characters it takes.
    placeholder : str
        What stands in the empty field.
    hint : str
        What is said when the label is pointed at.
    """

    def told(said: object) -> None:
        if isinstance(said, str):
            on_text(said[:longest])

    more = len(problems) - _MOST
    _COMPONENT.mount(
        {
            "label": label,
            "text": text,
            "problems": [_placed(problem, text) for problem in problems[:_MOST]],
            "more": f"and {more} more" if more > 0 else "",
            "rows": rows,
            "longest": longest,
            "placeholder": placeholder,
            "hint": hint,
        },
        key=key,
        told={"text": told},
    )
