"""Error types of the sentences of a list: a column, and a filter.

They are computed on request. Of a long run only the first sentences of the list are analyzed; the reader chooses how
many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.frameworks.error_types import ErrorTypes, types_of_sentences
from evaltools.runs.store import Run
from evaltools.ui.hotspots.parts import part_of, sizes
from evaltools.ui.session import data, state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.controls import control_widget, option_of
from evaltools.ui.widgets.pickers import choice_picker

__all__ = ["Filter", "ListedErrors", "error_type_picker", "error_types", "error_types_toggle"]

Types = Mapping[int, Mapping[str, int]]
"""For a sentence, how many wrong brackets each error type explains."""


@dataclass(frozen=True)
class Filter:
    """One condition on sentences."""

    description: str
    keep: NDArray[np.bool_]  # Mask of the sentences that fulfill it


@dataclass(frozen=True)
class ListedErrors:
    """Error types of the sentences of a list."""

    types: Types  # By sentence; sentences without errors are absent
    max_sentences: int | None  # Number of sentences of the list that were analyzed; None for all
    chosen: str  # Title of the error type to show; empty for any

    def describe(self, sentence: int) -> str:
        """Return the error types of a sentence in words."""
        return ", ".join(f"{name} {number}" for name, number in self.types.get(sentence, {}).items())

    def filter(self, n_sentences: int) -> Filter | None:
        """Return the filter by error type, if it is in use."""
        if not self.chosen:
            return None
        keep = np.zeros(n_sentences, dtype=np.bool_)
        keep[[number - 1 for number, types in self.types.items() if self.chosen in types]] = True
        among = f" among the first {self.max_sentences:,} of the list" if self.max_sentences is not None else ""
        return Filter(f"error type {self.chosen}{among}", keep)


@data.cached_by_run(16)
def _types_of_all(run: Run, parser: str, rules: str, _types: ErrorTypes) -> Types:
    return types_of_sentences(_types.steps(part_of(run, run.n_sentences), parser, rules))


@data.cached_by_run(16)
def _types_of_some(run: Run, parser: str, rules: str, sentences: bytes, _types: ErrorTypes) -> Types:
    numbers = np.frombuffer(sentences, dtype=np.int32).tolist()
    return types_of_sentences(_types.steps_of(run, parser, numbers, rules))


def error_types_toggle(kinds: ErrorTypes) -> None:
    """Draw the switch that adds the column."""
    st.toggle(
        "error types",
        help=f"types of errors of each parse (after {kinds.citation}), computed on request",
        **state.bind("types", state.get("types") == "1", False, write=int),
    )


def error_type_picker(kinds: ErrorTypes) -> None:
    """Let the reader choose a type of error, and the rules."""
    titles = _titles(kinds)
    choice_picker("Error type", list(titles), name="error", default="", titles=titles)
    control_widget(kinds.rules)


def _titles(kinds: ErrorTypes) -> dict[str, str]:
    return {"": "any", **kinds.titles(option_of(kinds.rules))}


def error_types(run: Run, parser: str, listed: NDArray[np.int32]) -> ListedErrors | None:
    """Return the error types of the sentences of a list; None unless requested."""
    kinds = run.framework.error_types
    if kinds is None:
        return None
    name = state.get("error")
    chosen = _titles(kinds).get(name, "") if name else ""
    if not (chosen or state.get("types") == "1"):
        return None
    steps, first = sizes(run.n_sentences)
    maximum = None
    if len(steps) > 1 and len(listed) > first:
        titles = {str(item): f"the first {item:,}" for item in steps if item < len(listed)}
        with st.container(width=260):
            size = choice_picker(
                "Error types of the list", list(titles), name="most", default=str(first), titles=titles
            )
        maximum = int(size)
    wait_for_kernels()
    rules = option_of(kinds.rules)
    with st.spinner("Computing error types …", show_time=True):
        if len(steps) == 1:
            return ListedErrors(_types_of_all(run, parser, rules, kinds), None, chosen)
        analyzed = np.sort(listed[:maximum]).astype(np.int32)
        return ListedErrors(_types_of_some(run, parser, rules, analyzed.tobytes(), kinds), maximum, chosen)
