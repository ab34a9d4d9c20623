"""A filter that only links set: the sentences of a class that carries the difference of two parsers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.runs.store import Run
from evaltools.ui import state
from evaltools.ui.pair_data import class_mask, comparisons, pair_named

__all__ = ["chosen_class"]


def chosen_class(run: Run, metric: str) -> tuple[str, NDArray[np.bool_]] | None:
    """Return what the URL's class asks for, and its sentences; None if it names none.

    Parameters
    ----------
    run : Run
        The run.
    metric : str
        By which the parsers are compared.
    """
    name = state.get("class")
    if not name:
        return None
    over = "all" if state.get("over") == "all" else "scored"
    figure = "mean" if state.get("average") == "mean" else "pooled"
    pair = pair_named(comparisons(run, metric, figure, over), state.get("pair"))
    found = None if pair is None else class_mask(run, pair, over, name)
    if pair is None or found is None:
        return None
    says, mask = found
    return f"{says} (where {pair.one} and {pair.other} are compared)", mask
