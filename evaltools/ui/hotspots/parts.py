"""Number of sentences that *Hotspots* analyzes, and the cache of its results."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.frameworks.groups import Part
from evaltools.runs.metadata import units_of
from evaltools.runs.store import Run
from evaltools.runs.subset import sentences_of_both, subset
from evaltools.ui.session import data
from evaltools.ui.session.data import cached_by_run

__all__ = ["compared_part", "part_of", "sizes"]

T = TypeVar("T")

_MAX_WHOLE = 10_000
"""Runs of up to so many sentences are analyzed completely."""
_STEPS = (1_000, _MAX_WHOLE, 50_000)


def sizes(n_sentences: int) -> tuple[list[int], int]:
    """Return the choices of the number of sentences to analyze, and the default."""
    # Repairing an error takes about a millisecond, so long runs begin with a part of the sentences.
    if n_sentences <= _MAX_WHOLE:
        return [n_sentences], n_sentences
    complete = [n_sentences] if n_sentences < _STEPS[-1] else []
    return [*(step for step in _STEPS if step <= n_sentences), *complete], _STEPS[0]


@st.cache_resource(max_entries=256, show_spinner=False)  # the views of a parser, and rows of some, are about 120
def _cached(run: str, size: int, key: str, _make: Callable[[], Any]) -> Any:
    return _make()


def part_of(
    run: Run,
    size: int,
    where: str = "",
    numbers: NDArray[np.int64] | None = None,
    units: NDArray[np.int64] | None = None,
    among: str = "",
    *,
    nothing_common: bool = False,
) -> Part:
    """Return the first sentences of a run; its cached results are shared, so callers must not change them."""
    name = data.run_key(run)

    def remember(key: tuple[Hashable, ...], make: Callable[[], T], /) -> T:
        result: T = _cached(name, size, repr(key), make)
        return result

    return Part(run, size, remember, where, numbers, units, among, nothing_common)


def compared_part(
    run: Run,
    size: int,
    parsers: tuple[str, str],
    where: str = "",
    numbers: NDArray[np.int64] | None = None,
    cluster: str = "",
) -> Part:
    """Return the part of the first sentences of a run that two parsers both have; of all, if they have none."""
    both, own = _of_both(run, size, parsers)
    units = units_of(both, cluster).index if cluster else None
    if both is run:
        return part_of(run, size, where, numbers, units, nothing_common=not len(own))
    of = f"{size:,}" if size == run.n_sentences else f"the first {size:,}"
    return part_of(both, len(own), where, own if numbers is None else numbers[own - 1], units, of)


@cached_by_run(16)
def _of_both(run: Run, size: int, parsers: tuple[str, str]) -> tuple[Run, NDArray[np.int64]]:
    """Return the sentences that two parsers both have as a run, and their numbers; the run itself for all or none."""
    numbers = sentences_of_both(run, parsers)
    numbers = numbers[numbers <= size]
    return subset(run, numbers) if 0 < len(numbers) < size else run, numbers
