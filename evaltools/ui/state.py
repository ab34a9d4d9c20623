"""The URL is the state: what is shown stands in the query, so that a copied link opens the same view.

Widgets are bound to a name: before each run of the script the widget takes its value from the URL, and a change of the
widget changes the URL. Going to another page empties the query; :func:`carry` puts back what was there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

__all__ = ["bind", "carry", "get", "get_number", "put"]

_REMEMBERED = "evaltools_url"
_PAGE = "evaltools_page"
_LAB = "lab_"  # what only the metric lab knows: trees, which are long


def get(name: str, default: str = "") -> str:
    """Return a value of the URL.

    Parameters
    ----------
    name : str
        ``run``, ``parser``, ``other``, ``metric``, ``metric2``, ``sentence``, or a filter's name.
    default : str
        What to return where the URL does not say.
    """
    value: str | None = st.query_params.get(name)
    return default if value is None else value


def get_number(name: str, default: int, low: int, high: int) -> int:
    """Return a whole number of the URL, kept within bounds; the default where there is none."""
    try:
        value = int(get(name))
    except ValueError:
        return default
    return min(max(value, low), high)


def put(**values: object) -> None:
    """Write values to the URL; None and the empty string remove the name."""
    for name, value in values.items():
        if value is None or value == "":
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)


def carry(page: str) -> None:
    """Put back what the query held before another page was opened; remember what it holds now.

    Parameters
    ----------
    page : str
        A name of the page that is about to run.
    """
    remembered: dict[str, str] = st.session_state.get(_REMEMBERED, {})
    elsewhere = {name: value for name, value in remembered.items() if name.startswith(_LAB) and page != "lab"}
    if st.session_state.get(_PAGE, page) != page:
        another = any(name.startswith(_LAB) for name in st.query_params)  # a link to the lab says all there is to say
        for name, value in remembered.items():
            if not (name in st.query_params or name in elsewhere or (another and name.startswith(_LAB))):
                st.query_params[name] = value
    st.session_state[_PAGE] = page
    st.session_state[_REMEMBERED] = elsewhere | st.query_params.to_dict()


def bind(
    name: str,
    value: Any,
    default: Any,
    *,
    write: Callable[[Any], object] = lambda chosen: chosen,
    also: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """Return the arguments that tie a widget to a name of the URL.

    Parameters
    ----------
    name : str
        The name.
    value : Any
        What the URL says now, checked, as the widget takes it.
    default : Any
        The value that need not stand in the URL.
    write : callable
        From the widget's value to what the URL shall say.
    also : callable, optional
        What else is to happen when the reader changes the widget.

    Returns
    -------
    dict
        ``key`` and ``on_change`` of the widget.
    """
    key = f"url_{name}"
    st.session_state[key] = value

    def changed() -> None:
        chosen = st.session_state[key]
        put(**{name: None if chosen == default else write(chosen)})
        if also is not None:
            also()

    return {"key": key, "on_change": changed}
