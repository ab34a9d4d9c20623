"""The URL is the state: what is shown stands in the query, so that a copied link opens the same view.

Widgets are bound to a name: before each run of the script the widget takes its value from the URL, and a change of the
widget changes the URL. Going to another page by the navigation empties the query; :func:`carry` puts back what was
there. A link from page to page says all of it, with :func:`link`. All values that are put at one time are one step of
the browser's history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import streamlit as st

from evaltools.errors import ParameterError
from evaltools.frameworks.registry import metric_id

FILTERS = (
    "q",
    "regex",
    "class",
    "label",
    "length",
    "error",
    "status",
    "differ",
    "marked",
    "key",
    "value",
)
"""What the filters of a list of sentences are called."""

SELECTIONS = ("box", "cell", "group", "part", "errors_of", "listed", "list_parser", "list_other")
"""What is selected in a chart or table of one page, and the list that a sentence was opened from, with the two parsers
compared there; not carried to other pages."""
DESELECTED: Mapping[str, None] = dict.fromkeys(SELECTIONS)
"""What removes these from the URL."""
_METRICS = ("metric", "metric2")
_TURNS = "evaltools_turns"
"""How often the keys of widgets were renewed, by name."""
_REMEMBERED = "evaltools_url"
_PAGE = "evaltools_page"


def _is_lab(name: str) -> bool:
    """Return whether only the metric lab knows a name: trees, which are long, edits and exercises."""
    return name.startswith("lab_") or name == "exercise"


def query() -> dict[str, str]:
    """Return the query of the URL."""
    return st.query_params.to_dict()


def get(name: str, default: str = "") -> str:
    """Return a value of the URL."""
    return query().get(name, default)


def get_number(name: str, default: int, low: int, high: int) -> int:
    """Return a whole number of the URL, kept within bounds; the default where there is none."""
    try:
        value = int(get(name))
    except ValueError:
        return default
    return min(max(value, low), high)


def put(**values: object) -> None:
    """Write values to the URL; None and the empty string remove the name."""
    _write(_with(query(), values))


def link(**values: object) -> dict[str, str]:
    """Return the query of a link to another page: the current URL without what is this page's own, and more values."""
    here = {name: value for name, value in query().items() if not _is_lab(name) and name not in SELECTIONS}
    return _with(here, values)


def _with(query: Mapping[str, str], values: Mapping[str, object]) -> dict[str, str]:
    """Return a query with some values more, and without the names whose values are None or empty."""
    kept = {name: value for name, value in query.items() if name not in values}
    return kept | {name: str(value) for name, value in values.items() if value is not None and value != ""}


def carry(page: str) -> None:
    """Put back what the query held before another page was opened by the navigation."""
    # A page that comes with a query was opened by a link, or come back to: it stays as its query says.
    held, before = _with_metric_ids(query()), st.session_state.get(_PAGE, page)
    st.session_state[_PAGE] = page
    if not held and before != page:
        remembered = st.session_state.get(_REMEMBERED, {})
        held = {
            name: value
            for name, value in remembered.items()
            if name not in SELECTIONS and (page == "lab" or not _is_lab(name))
        }
    _write(held)


def _with_metric_ids(query: Mapping[str, str]) -> dict[str, str]:
    """Return a query with the ids of the metrics that a link names in another case, or by an old id."""
    ids = {}
    for name in filter(query.get, _METRICS):
        with suppress(ParameterError):
            ids[name] = metric_id(query[name])
    return dict(query) | ids


def _write(query: Mapping[str, str]) -> None:
    """Write and remember the query; that of the metric lab is remembered on other pages, too."""
    if query != st.query_params.to_dict():
        st.query_params.from_dict(query)
    remembered = st.session_state.get(_REMEMBERED, {})
    elsewhere = st.session_state.get(_PAGE) != "lab"
    own = {name: value for name, value in remembered.items() if elsewhere and _is_lab(name)}
    st.session_state[_REMEMBERED] = own | dict(query)


def current_key(name: str) -> str:
    """Return the key of a widget whose key is renewed now and then."""
    turn = st.session_state.get(_TURNS, {}).get(name, 0)
    return f"{name}_{turn}" if turn else name


def renewed_key(name: str, holds_other: Callable[[str], bool]) -> str:
    """Return the key of a widget whose choice may have changed elsewhere; a new one if the old one has another choice.

    The browser keeps the choice of a key, and may still send it after the change.
    """
    if holds_other(current_key(name)):
        turns = st.session_state.get(_TURNS, {})
        st.session_state[_TURNS] = turns | {name: turns.get(name, 0) + 1}
    return current_key(name)


def bind(
    name: str,
    value: Any,
    default: Any,
    *,
    write: Callable[[Any], object] = lambda chosen: chosen,
    also: Mapping[str, object] = MappingProxyType({}),
    change: Callable[[Any], object] | None = None,
) -> dict[str, Any]:
    """Return the arguments that tie a widget to a name of the URL.

    When it changes, `also` is put, too; `change` is called with the choice instead of putting anything.
    """
    # a link, a button or another sentence may have changed the value, while the browser still sends the one it shows
    key = renewed_key(f"url_{name}", lambda key: st.session_state.get(key, value) != value)
    st.session_state[key] = value

    def changed() -> None:
        chosen = st.session_state[key]
        if change is not None:
            change(chosen)
        else:
            put(**{name: None if chosen == default else write(chosen)} | dict(also))

    return {"key": key, "on_change": changed}
