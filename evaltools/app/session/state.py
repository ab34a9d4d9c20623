"""The URL is the state: what is shown stands in the query, so that a copied link opens the same view.

Widgets are bound to a name: before each run of the script the widget takes its value from the URL, and a change of the
widget changes the URL. Going to another page by the navigation empties the query; :func:`carry` puts back what was
there. A link from page to page says all of it, with :func:`link`. What changes at one time is one step of the browser's
history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

import streamlit as st

from evaltools.errors import ParameterError
from evaltools.frameworks.registry import metric_id

FILTERS = (
    "q",
    "regex",
    "class",
    "word",
    "label",
    "length",
    "score",
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
_METRICS = ("metric", "metric2")
_AXES = ("run", "parser", "other", "metric", "metric2", "view", "length", "key", "value")
"""What a selection belongs to; it comes back with its page if these are the same."""
_SELECTED = "evaltools_selected"

_UNWRITTEN: ContextVar[dict[str, str] | None] = ContextVar("evaltools_unwritten_query", default=None)
"""The query that is about to be written, within one step."""

_TURNS = "evaltools_turns"
"""How often the keys of widgets were renewed, by name."""
_REMEMBERED = "evaltools_url"
_HELD = "evaltools_query"
"""The query of the page since it began: what the browser sends with a fragment may still be the address before."""
_PAGE = "evaltools_page"


def _is_lab(name: str) -> bool:
    """Return whether only the metric lab knows a name: trees, which are long, edits and exercises."""
    return name.startswith("lab_") or name == "exercise"


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
    """Write values to the URL, as one step of its history; None and the empty string remove the name."""
    _write(_with(query(), values))


def query() -> dict[str, str]:
    """Return the query of the URL, with what has been put within one step."""
    unwritten = _UNWRITTEN.get()
    if unwritten is not None:
        return unwritten
    held: dict[str, str] | None = st.session_state.get(_HELD)
    return st.query_params.to_dict() if held is None else dict(held)


@contextmanager
def _one_step() -> Iterator[None]:
    """Write all values that are put within this block as one step of the browser's history."""
    token = _UNWRITTEN.set(query())
    try:
        yield
        together = query()
    finally:
        _UNWRITTEN.reset(token)
    _write(together)


def deselect() -> None:
    """Remove what is selected in a chart or table, which belongs to its axes and its parser."""
    put(**dict.fromkeys(SELECTIONS))


def link(**values: object) -> dict[str, str]:
    """Return the query of a link to another page: the current URL without what is this page's own, and more values."""
    held = query()
    here = {name: held[name] for name in held if not _is_lab(name) and name not in SELECTIONS}
    return _with(here, values)


def _with(query: Mapping[str, str], values: Mapping[str, object]) -> dict[str, str]:
    """Return a query with some values more, and without the names whose values are None or empty."""
    kept = {name: value for name, value in query.items() if name not in values}
    return kept | {name: str(value) for name, value in values.items() if value is not None and value != ""}


def carry(page: str) -> None:
    """Put back what the query held before another page was opened by the navigation; remember what it holds now."""
    # A page that comes with a query was opened by a link, or come back to: it stays as its query says.
    remembered: dict[str, str] = st.session_state.get(_REMEMBERED, {})
    elsewhere = _elsewhere(page)
    held = _with_metrics(st.query_params.to_dict())
    before = st.session_state.get(_PAGE, page)
    st.session_state[_PAGE] = page
    if not held and before != page:
        held = {name: remembered[name] for name in remembered if name not in elsewhere and name not in SELECTIONS}
        axes, selected = st.session_state.get(_SELECTED, {}).get(page, ({}, {}))
        held |= selected if axes == _among(held, _AXES) else {}
    _write(held)
    _remember(page, held)


def _with_metrics(query: Mapping[str, str]) -> dict[str, str]:
    """Return a query with the ids of the metrics that a link names in another case, or by an old id."""
    ids = {}
    for name in filter(query.get, _METRICS):
        with suppress(ParameterError):
            ids[name] = metric_id(query[name])
    return dict(query) | ids


def _remember(page: str, query: Mapping[str, str]) -> None:
    """Remember what the query of a page holds, beside what the metric lab's held."""
    selections = dict(st.session_state.get(_SELECTED, {}))
    st.session_state[_SELECTED] = selections | {page: (_among(query, _AXES), _among(query, SELECTIONS))}
    st.session_state[_REMEMBERED] = _elsewhere(page) | dict(query)
    st.session_state[_HELD] = dict(query)


def _elsewhere(page: str) -> dict[str, str]:
    """Return what the query of the metric lab held, on any other page."""
    remembered: dict[str, str] = st.session_state.get(_REMEMBERED, {})
    return {name: value for name, value in remembered.items() if _is_lab(name) and page != "lab"}


def _among(query: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    return {name: query[name] for name in names if name in query}


def _write(query: Mapping[str, str]) -> None:
    if _UNWRITTEN.get() is not None:
        _UNWRITTEN.set(dict(query))
        return
    if query != st.query_params.to_dict():
        st.query_params.from_dict(query)
    if _PAGE in st.session_state:  # a rerun of a fragment does not pass through `carry`
        _remember(st.session_state[_PAGE], query)


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
    also: Callable[[], None] | None = None,
    fragments: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the arguments that tie a widget to a name of the URL.

    `also` is called when it changes; `fragments` are then drawn again, instead of what the widget is in.
    """
    # a link, a button or another sentence may have changed the value, while the browser still sends the one it shows
    key = renewed_key(f"url_{name}", lambda key: st.session_state.get(key, value) != value)
    st.session_state[key] = value

    def changed() -> None:
        chosen = st.session_state[key]
        with _one_step():
            put(**{name: None if chosen == default else write(chosen)})
            if also is not None:
                also()
        if fragments:
            st.rerun(list(fragments))

    return {"key": key, "on_change": changed}
