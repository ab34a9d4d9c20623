"""Keys and the full screen of a lesson: what a teacher presses, on a keyboard or on a presenter's clicker.

The script beside this module listens to the whole page: arrow keys, page keys, Space, Home and End go from step to step
unless somebody types in a field. The browser's own full screen comes and goes with the button of the page, since a
browser grants it only at the moment of a key or a click; where it grants none, as on many phones, the page still fills
its window.
"""

from __future__ import annotations

from collections.abc import Callable

from evaltools.ui.components import Component

__all__ = ["keyboard"]

_COMPONENT = Component("keyboard")


def keyboard(
    step: int,
    last: int,
    *,
    key: str,
    whole: bool,
    button: str,
    on_step: Callable[[int], None],
    on_leave: Callable[[], None],
) -> None:
    """Listen to the keys of a lesson; nothing of it is seen.

    Parameters
    ----------
    step, last : int
        The step that is shown and the last one, from 1.
    key : str
        The component's key.
    whole : bool
        Whether the lesson fills the screen.
    button : str
        Key of the button, with the shortcut F, by which the page comes to fill the screen and goes back.
    on_step : callable
        Gets the number of the step to show, before the page runs again.
    on_leave : callable
        Called when the browser has left its full screen by itself, such as by Escape.
    """

    def told_step(value: object) -> None:
        if isinstance(value, (int, float)) and 1 <= value <= last:
            on_step(int(value))

    def told_leave(value: object) -> None:
        if value:
            on_leave()

    _COMPONENT.mount(
        {"step": step, "last": last, "whole": whole, "button": f".st-key-{button} button"},
        key=key,
        told={"step": told_step, "leave": told_leave},
        height="content",
    )
