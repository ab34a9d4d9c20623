"""A text field that is checked while the reader types: problems are marked in the text and listed below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evaltools.app.components import Component
from evaltools.errors import Problem

_COMPONENT = Component("live_text")

_MAX_PROBLEMS = 3


def _marked(problem: Problem, text: str) -> dict[str, Any]:
    """Return the text of a problem, and its offset in the text if known."""
    message = f"{problem.found}; expected {problem.expected}"
    if problem.line is None:
        return {"message": message, "at": None}
    lines = text.split("\n")
    message = f"line {problem.line}" + (f", column {problem.column}" if problem.column else "") + f": {message}"
    if problem.column is None or problem.line > len(lines):
        return {"message": message, "at": None}
    return {"message": message, "at": sum(len(line) + 1 for line in lines[: problem.line - 1]) + problem.column - 1}


def live_text(
    label: str,
    text: str,
    problems: Sequence[Problem],
    *,
    key: str,
    on_text: Callable[[str], None],
    max_length: int = 20_000,
    placeholder: str = "",
    hint: str = "",
) -> None:
    """Show a text field."""

    def changed(value: object) -> None:
        if isinstance(value, str):
            on_text(value[:max_length])

    more = len(problems) - _MAX_PROBLEMS
    _COMPONENT.mount(
        {
            "label": label,
            "text": text,
            "problems": [_marked(problem, text) for problem in problems[:_MAX_PROBLEMS]],
            "more": f"and {more} more" if more > 0 else "",
            "rows": 4,
            "longest": max_length,
            "placeholder": placeholder,
            "hint": hint,
        },
        key=key,
        listeners={"text": changed},
    )
