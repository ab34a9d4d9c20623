"""Keys and full screen of a lesson, for a keyboard or a presenter's clicker.

The script listens to the whole page: arrow keys, page keys, Space, Home and End change the step unless the reader types
in a field. In a number field the page keys change the step and V shows the answer, for neither edits a number; after
Enter the field loses the focus, and all keys work. The script switches the browser's full screen together with the
button of the page, because browsers allow it only during a key press or a click; without it, as on many phones, the
page still fills its window.
"""

from __future__ import annotations

from collections.abc import Callable

from evaltools.app.components import Component

_COMPONENT = Component("keyboard")


def keyboard(
    step: int,
    last: int,
    *,
    key: str,
    whole: bool,
    button: str,
    answer: str,
    on_step: Callable[[int], None],
    on_leave: Callable[[], None],
) -> None:
    """Mount the invisible component that listens to the keys of a lesson."""

    def step_changed(value: object) -> None:
        if isinstance(value, (int, float)) and 1 <= value <= last:
            on_step(int(value))

    def left(value: object) -> None:
        if value:
            on_leave()

    _COMPONENT.mount(
        {
            "step": step,
            "last": last,
            "whole": whole,
            "button": f".st-key-{button} button",
            "answer": f".st-key-{answer} button",
        },
        key=key,
        listeners={"step": step_changed, "leave": left},
        height="content",
    )
