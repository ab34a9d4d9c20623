"""Error types of the sentences of a list: a column, and a filter.

They are computed when the reader asks for them. Of a long run only the first sentences of the list are looked through,
as many as the reader wants; everything else about the list stays as fast as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.error_types import bundled_rules
from evaltools.analysis.sentence_errors import sentence_errors, types_of_sentences
from evaltools.runs.store import Run
from evaltools.ui import data, hotspot_data, state
from evaltools.ui.error_rules import chosen_rules, rules_name, rules_picker
from evaltools.ui.hotspot_data import Part
from evaltools.ui.kernels import wait_for_kernels
from evaltools.ui.pickers import choice_picker

__all__ = ["Filter", "ListedErrors", "error_type_picker", "error_types", "error_types_toggle"]

Types = Mapping[int, Mapping[str, int]]
"""For a sentence, how many wrong brackets each error type explains."""


@dataclass(frozen=True)
class Filter:
    """One condition on sentences.

    Parameters
    ----------
    says : str
        What it asks for.
    keep : ndarray of bool, shape (sentences,)
        The sentences that fulfil it.
    """

    says: str
    keep: NDArray[np.bool_]


@dataclass(frozen=True)
class ListedErrors:
    """What is known of the errors of a list's sentences.

    Parameters
    ----------
    types : mapping
        The error types by sentence; of sentences without errors nothing.
    most : int or None
        So many sentences of the list were looked through; None for all.
    wanted : str
        Title of the type that the reader wants to see; empty for any.
    """

    types: Types
    most: int | None
    wanted: str

    def says(self, sentence: int) -> str:
        """Return the error types of a sentence in words.

        Parameters
        ----------
        sentence : int
            The sentence, from 1.
        """
        return ", ".join(f"{name} {number}" for name, number in self.types.get(sentence, {}).items())

    def filter(self, n_sentences: int) -> Filter | None:
        """Return the filter by error type, if it is in use.

        Parameters
        ----------
        n_sentences : int
            How many sentences the run has.
        """
        if not self.wanted:
            return None
        keep = np.zeros(n_sentences, dtype=np.bool_)
        keep[[number - 1 for number, types in self.types.items() if self.wanted in types]] = True
        among = f" among the first {self.most:,} of the list" if self.most is not None else ""
        return Filter(f"error type {self.wanted}{among}", keep)


@st.cache_resource(max_entries=16, show_spinner=False)
def _of_all(key: str, parser: str, rules: str, _part: Part) -> Types:
    return types_of_sentences(hotspot_data.errors(_part, parser, rules))


@st.cache_resource(max_entries=16, show_spinner=False)
def _of_some(key: str, parser: str, rules: str, sentences: bytes, _run: Run) -> Types:
    numbers = np.frombuffer(sentences, dtype=np.int32).tolist()
    return types_of_sentences(sentence_errors(_run, parser, numbers, bundled_rules(rules)))


def error_types_toggle() -> None:
    """Let the reader ask for the column."""
    st.toggle(
        "error types",
        help="which kinds of mistakes each parse has (after Kummerfeld et al. 2012); worked out when asked for",
        **state.bind("types", state.get("types") == "1", False, write=int),
    )


def error_type_picker() -> None:
    """Let the reader choose a type of error, and the rules."""
    choice_picker("Error type", list(_titles()), name="error", default="", titles=_titles())
    rules_picker()


def _titles() -> dict[str, str]:
    return {"": "any"} | {one.id: one.title for one in chosen_rules()}


def error_types(run: Run, parser: str, listed: NDArray[np.int32]) -> ListedErrors | None:
    """Return the error types of the sentences of a list; None while the reader does not ask for them.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    listed : ndarray of int32
        The sentences of the list, in its order, as all other filters leave them.
    """
    said = state.get("error")
    wanted = _titles()[said] if said and said in _titles() else ""
    if run.kind != "constituency" or not (wanted or state.get("types") == "1"):
        return None
    steps, first = hotspot_data.parts(run.n_sentences)
    most = None
    if len(steps) > 1 and len(listed) > first:
        titles = {str(one): f"the first {one:,}" for one in steps if one < len(listed)}
        with st.container(width=260):
            named = choice_picker(
                "Error types of the list", list(titles), name="most", default=str(first), titles=titles
            )
        most = int(named)
    wait_for_kernels()
    with st.spinner("Looking for errors …", show_time=True):
        if len(steps) == 1:
            part = Part(run, first)
            return ListedErrors(_of_all(part.key, parser, rules_name(), part), None, wanted)
        chosen = np.sort(listed[:most]).astype(np.int32)
        return ListedErrors(_of_some(data.run_key(run), parser, rules_name(), chosen.tobytes(), run), most, wanted)
