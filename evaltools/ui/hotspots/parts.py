"""Number of sentences that *Hotspots* analyzes, and the cache of its results."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.groups import Part
from evaltools.runs.metadata import units_of
from evaltools.runs.store import Run
from evaltools.runs.subset import common_sentences
from evaltools.ui.session import data

__all__ = ["compared_part", "part_of", "sizes"]

T = TypeVar("T")

_MAX_WHOLE = 10_000
"""Runs of up to so many sentences are analyzed completely."""
_STEPS = (1_000, _MAX_WHOLE, 50_000)

_common_sentences = data.cached_by_run(16)(common_sentences)


def sizes(n_sentences: int) -> tuple[list[int], int]:
    """Return the choices of the number of sentences to analyze, and the default."""
    # Repairing an error takes about a millisecond, so long runs begin with a part of the sentences.
    if n_sentences <= _MAX_WHOLE:
        return [n_sentences], n_sentences
    complete = [n_sentences] if n_sentences < _STEPS[-1] else []
    return [*(step for step in _STEPS if step <= n_sentences), *complete], _STEPS[0]


@data.of_runs(1024)  # views and pictures of a parser are about 300
def _cached(run: str, size: int, key: str, _make: Callable[[], Any]) -> Any:
    return _make()


def part_of(
    run: Run,
    size: int,
    where: str = "",
    numbers: NDArray[np.int64] | None = None,
    units: NDArray[np.int64] | None = None,
    among: str = "",
) -> Part:
    """Return the first sentences of a run; its cached results are shared, so callers must not change them."""
    name = data.run_key(run)

    def remember(key: tuple[Hashable, ...], make: Callable[[], T], /) -> T:
        result: T = _cached(name, size, repr(key), make)
        return result

    return Part(run, size, remember, where, numbers, units, among)


def compared_part(
    run: Run,
    size: int,
    parsers: tuple[str, str],
    where: str = "",
    numbers: NDArray[np.int64] | None = None,
    cluster: str = "",
) -> Part:
    """Return the part of the first sentences of a run that two parsers both have; raise ParameterError for none."""
    both = _common_sentences(run, parsers, size)
    units = units_of(both.run, cluster).index if cluster else None
    if both.run is not run:
        numbers = both.numbers if numbers is None else numbers[both.numbers - 1]
    return part_of(both.run, len(both.numbers), where, numbers, units, both.among)
