"""Comparisons of parsers, made once for a run and a choice."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.run_pairs import PairFindings, look_into
from evaltools.analysis.significance import Comparison
from evaltools.runs.store import Run
from evaltools.ui import data, hotspot_data
from evaltools.ui.choice_table import choice_name
from evaltools.ui.error_rules import rules_name
from evaltools.ui.kernels import wait_for_kernels

__all__ = ["class_mask", "comparisons", "findings", "has_errors", "pair_named"]


@st.cache_resource(max_entries=32, show_spinner="Taking the difference apart …")
def _findings(key: str, one: str, other: str, metric: str, figure: str, over: str, _run: Run) -> PairFindings:
    pairs = comparisons(_run, metric, figure, over)
    found = next(pair for pair in pairs if {pair.one, pair.other} == {one, other})
    return look_into(_run, found if found.one == one else found.turned(), over=over, among=_among(pairs))


@st.cache_resource(max_entries=8, show_spinner="Looking for errors …")
def _with_errors(
    key: str, one: str, other: str, metric: str, figure: str, over: str, rules: str, _run: Run
) -> PairFindings:
    pairs = comparisons(_run, metric, figure, over)
    found = next(pair for pair in pairs if {pair.one, pair.other} == {one, other})
    part = hotspot_data.Part(_run, _run.n_sentences)
    wait_for_kernels()
    steps = [hotspot_data.errors(part, parser, rules) for parser in (one, other)]
    return look_into(_run, found if found.one == one else found.turned(), over=over, steps=steps, among=_among(pairs))


def comparisons(run: Run, metric: str, figure: str = "pooled", over: str = "scored") -> list[Comparison]:
    """Return every two parsers that have a figure, compared over the sentences that all of them have.

    The one with the better figure comes first, and pairs of parsers with better figures come first.

    Parameters
    ----------
    run : Run
        The run.
    metric : str
        A metric id.
    figure : {"pooled", "mean"}
        The figure.
    over : {"scored", "all"}
        Sentences that have a score, or all.
    """
    return list(data.standing(run, metric, figure if over == "scored" else f"{figure}_all").comparisons)


def _among(pairs: list[Comparison]) -> list[str]:
    """Return the parsers that were compared together."""
    return list(dict.fromkeys(name for pair in pairs for name in (pair.one, pair.other)))


def has_errors(run: Run) -> bool:
    """Tell whether errors can be typed, of all sentences and soon enough."""
    return run.kind == "constituency" and len(hotspot_data.parts(run.n_sentences)[0]) == 1


def findings(run: Run, pair: Comparison, over: str = "scored", *, errors: bool = False) -> PairFindings:
    """Return how large a difference is, and which sentences carry it.

    Parameters
    ----------
    run : Run
        The run.
    pair : Comparison
        One of :func:`comparisons`.
    over : {"scored", "all"}
        As there.
    errors : bool
        Whether with classes by type of error, see :func:`has_errors`.
    """
    named = data.run_key(run), pair.one, pair.other, pair.metric, pair.figure, over
    return _with_errors(*named, rules_name(), run) if errors else _findings(*named, run)


def pair_named(found: list[Comparison], name: str) -> Comparison | None:
    """Return the pair that the URL names, in either order; None if there is none."""
    return next(
        (one for one in found if name in (choice_name((one.one, one.other)), choice_name((one.other, one.one)))), None
    )


def class_mask(run: Run, pair: Comparison, over: str, name: str) -> tuple[str, NDArray[np.bool_]] | None:
    """Find the sentences of a class.

    Parameters
    ----------
    run : Run
        The run.
    pair : Comparison
        One of :func:`comparisons`.
    over : {"scored", "all"}
        As there.
    name : str
        What the URL says: the family and the class.

    Returns
    -------
    says : str
        What the class asks for.
    mask : ndarray of bool, shape (sentences,)
        None instead of both if there is no such class.
    """
    errors = has_errors(run) and name.startswith(choice_name(("error", "")))
    for family in findings(run, pair, over, errors=errors).families:
        for place, one in enumerate(family.names):
            if name == choice_name((family.id, one)):
                return f"{family.title}: {one}", family.mask(place)
    return None
