"""Widgets for controls that frameworks describe, whose choice stands in the URL; the buttons Previous and Next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import streamlit as st

from evaltools.frameworks.controls import Choice, Control, Number
from evaltools.ui.session import state

__all__ = ["control_widget", "option_of", "previous_and_next", "value_of"]


def option_of(choice: Choice) -> str:
    """Return what is chosen, as the URL has it."""
    return choice.chosen(state.query())


def value_of(control: Control) -> str | int:
    """Return what the URL has of a control, the default without it."""
    if isinstance(control, Number):
        return state.get_number(control.name, control.default, control.low, control.high)
    return option_of(control)


def control_widget(control: Control, *, is_bare: bool = False) -> str | int:
    """Draw a control, without its label if it is bare, and return what is chosen; a change goes to the URL."""
    if isinstance(control, Number):
        return _number(control)
    return _toggle(control) if control.is_toggle else _choice(control, is_bare=is_bare)


def _clear(names: Sequence[str]) -> Callable[[], None]:
    """Return a function that removes names from the URL."""
    return lambda: state.put(**dict.fromkeys(names))


def _toggle(choice: Choice) -> str:
    bound = state.bind(
        choice.name, option_of(choice) == "1", choice.default == "1", write=int, also=_clear(choice.clears)
    )
    return str(int(st.toggle(choice.label, help=choice.help or None, **bound)))


def _choice(choice: Choice, *, is_bare: bool) -> str:
    def title(value: str) -> str:
        return choice.options[value]

    value, options, hint = option_of(choice), list(choice.options), choice.help or None
    bound = state.bind(choice.name, value, choice.default, also=_clear(choice.clears))
    visibility: Literal["collapsed", "visible"] = "collapsed" if is_bare else "visible"
    if choice.is_menu:
        chosen = st.selectbox(choice.label, options, format_func=title, help=hint, label_visibility=visibility, **bound)
    else:
        chosen = st.segmented_control(
            choice.label,
            options,
            format_func=title,
            help=hint,
            label_visibility=visibility,
            required=True,
            **bound,
        )
    return str(chosen or value)


def _number(control: Number) -> int:
    value = value_of(control)
    chosen = st.number_input(
        control.label,
        min_value=control.low,
        max_value=control.high,
        step=control.step,
        width=control.width,
        help=control.help or None,
        **state.bind(control.name, value, control.default),
    )
    return int(chosen or value)


def previous_and_next(
    key: str, before: int | None, after: int | None, go: Callable[[int], None], *, shortcuts: bool = False
) -> None:
    """Draw the buttons Previous and Next, with the keys P and N if `shortcuts`; one is disabled where there is None."""
    for label, icon, number in (("Previous", "arrow_back", before), ("Next", "arrow_forward", after)):
        st.button(
            label,
            icon=f":material/{icon}:",
            key=f"{key}_{label}",
            shortcut=label[0] if shortcuts else None,
            disabled=number is None,
            on_click=go,
            args=(number,),
        )
