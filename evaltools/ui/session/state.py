"""The URL is the state: what is shown stands in the query, so that a copied link opens the same view.

Widgets are bound to a name: before each run of the script the widget takes its value from the URL, and a change of the
widget changes the URL. Going to another page by the navigation empties the query; :func:`carry` puts back what was
there. A link from page to page says all of it, with :func:`link`. What changes at one time is one step of the browser's
history.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

__all__ = [
    "FILTERS",
    "SELECTIONS",
    "bind",
    "carry",
    "current_key",
    "deselect",
    "get",
    "get_number",
    "link",
    "put",
    "query",
    "renewed_key",
]

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
_AXES = ("run", "parser", "other", "metric", "metric2", "view", "length", "key", "value")
"""What a selection belongs to; it comes back with its page if these are the same."""
_SELECTED = "evaltools_selected"

_UNWRITTEN: ContextVar[dict[str, str] | None] = ContextVar("evaltools_unwritten_query", default=None)
"""The query that is about to be written, within one step."""

_WRITTEN = "evaltools_written"
"""Where the session keeps the query that was written last."""
_REPLACED = "evaltools_replaced"
"""Where the session keeps the queries that were replaced in the last moments."""
_SECONDS_OF_LATE_MESSAGES = 5

_VALUES = "evaltools_values"
"""Where the session keeps the last two values that each widget was given."""
_TURNS = "evaltools_turns"
"""How often the keys of widgets were renewed, by name."""
_REMEMBERED = "evaltools_url"
_PAGE = "evaltools_page"


@dataclass(frozen=True, slots=True)
class _Replaced:
    """A query that was replaced on a page; until a time, messages with it are late."""

    page: str
    query: dict[str, str]
    until: float


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
    if not _is_of_another_run():
        _write(_with(query(), values))


def query() -> dict[str, str]:
    """Return the query of the URL, with what has been put within one step.

    The browser may send a message before it knows of the last change of the URL: it counts as sent after that.
    """
    unwritten = _UNWRITTEN.get()
    if unwritten is not None:
        return unwritten
    return dict(st.session_state[_WRITTEN]) if _is_late() else st.query_params.to_dict()


def _is_late() -> bool:
    """Return whether the browser sent a URL that was replaced a moment ago, and no reader has gone back to it."""
    replaced = _replaced()
    context = get_script_run_ctx()
    if not replaced or context is None or context.is_history_navigation:
        return False
    sent = (context.page_script_hash, st.query_params.to_dict())
    return any(sent == (was.page, was.query) for was in replaced)


def _replaced() -> list[_Replaced]:
    """Return what was replaced in the last moments."""
    now = time.monotonic()
    return [was for was in st.session_state.get(_REPLACED, ()) if now < was.until]


def _is_of_another_run() -> bool:
    """Return whether a late message is of another run's page, whose choices the browser sends once more."""
    return _is_late() and st.query_params.get("run", "") != st.session_state[_WRITTEN].get("run", "")


def _note(before: dict[str, str] | None, written: dict[str, str]) -> None:
    """Keep which query the URL of a page has now, and which one it had before if that was replaced."""
    context = get_script_run_ctx()
    page = "" if context is None else context.page_script_hash
    replaced = [was for was in _replaced() if was.page == page and was.query != written]
    if before is not None:
        replaced.append(_Replaced(page, before, time.monotonic() + _SECONDS_OF_LATE_MESSAGES))
    st.session_state[_REPLACED] = replaced
    st.session_state[_WRITTEN] = dict(written)


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
    if _is_late():
        _write(query())
    else:
        _note(None, st.query_params.to_dict())
    held = st.query_params.to_dict()
    before = st.session_state.get(_PAGE, page)
    st.session_state[_PAGE] = page
    if not held and before != page:
        held = {name: remembered[name] for name in remembered if name not in elsewhere and name not in SELECTIONS}
        axes, selected = st.session_state.get(_SELECTED, {}).get(page, ({}, {}))
        held |= selected if axes == _among(held, _AXES) else {}
        _write(held)
    _remember(page, held)


def _remember(page: str, query: Mapping[str, str]) -> None:
    """Remember what the query of a page holds, beside what the metric lab's held."""
    selections = dict(st.session_state.get(_SELECTED, {}))
    st.session_state[_SELECTED] = selections | {page: (_among(query, _AXES), _among(query, SELECTIONS))}
    st.session_state[_REMEMBERED] = _elsewhere(page) | dict(query)


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
    before = st.query_params.to_dict()
    if query == before:
        return
    _note(None if _is_late() else before, dict(query))
    st.query_params.from_dict(query)
    if _PAGE in st.session_state:  # a rerun of a fragment does not pass through `carry`
        _remember(st.session_state[_PAGE], query)


def current_key(name: str) -> str:
    """Return the key of a widget whose key is renewed now and then."""
    return f"{name}_{st.session_state.get(_TURNS, {}).get(name, 0)}"


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
    key = f"url_{name}"
    st.session_state[key] = value
    values: dict[str, tuple[Any, Any]] = st.session_state.setdefault(_VALUES, {})
    if value != values.setdefault(key, (value, value))[1]:
        values[key] = values[key][1], value

    def changed() -> None:
        if key not in st.session_state or _is_of_another_run():  # a late message about a widget that is not on the page
            return
        chosen = st.session_state[key]
        if _is_late() and chosen == values[key][0] != value:  # the browser has not drawn the new value yet
            return
        with _one_step():
            put(**{name: None if chosen == default else write(chosen)})
            if also is not None:
                also()
        if fragments:
            st.rerun(list(fragments))

    return {"key": key, "on_change": changed}
