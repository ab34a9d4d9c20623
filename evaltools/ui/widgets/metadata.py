"""Choosing a group of sentences by their metadata, such as a genre; cached reads of the columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.by_group import FEW_UNITS, few_units
from evaltools.corpus.comments import DOCUMENT
from evaltools.runs.metadata import Group, column_of, group_keys, plural_of, units_of
from evaltools.runs.schema import metadata_keys
from evaltools.runs.store import Run
from evaltools.runs.subset import subset
from evaltools.ui.session import state
from evaltools.ui.session.data import cached_by_run
from evaltools.ui.widgets.pickers import choice_picker, switch

__all__ = [
    "chosen_cluster",
    "chosen_group",
    "column",
    "few",
    "group_mask",
    "group_part",
    "group_pickers",
    "key_picker",
    "keys",
    "over_units",
    "units_picker",
    "values_of",
]

_WIDTH = 150
_UNITS = {"sentences": "sentences", "documents": "documents"}
_UNITS_HINT = "What is drawn as a whole for intervals and p-values; sentences of one document are alike"
_HINT = "Metadata of the sentences: comments of the gold file, and files given with --metadata"


@cached_by_run(16)
def keys(run: Run) -> tuple[str, ...]:
    """Return the columns of the metadata that divide the sentences into groups."""
    return tuple(group_keys(run))


@cached_by_run(16)
def n_documents(run: Run) -> int:
    """Return the number of documents, a sentence without one counted as one; 0 if the run names none."""
    return units_of(run, DOCUMENT).n if DOCUMENT in metadata_keys(run.meta) else 0


def units_picker(run: Run) -> str:
    """Let the reader choose what is drawn as a whole for intervals and p-values; see `chosen_cluster`."""
    if n_documents(run) > 1:
        switch("Intervals over", "units", _UNITS, _UNITS_HINT)
    return chosen_cluster(run)


def chosen_cluster(run: Run) -> str:
    """Return the column whose values are drawn as a whole, as the URL says: documents; empty for sentences."""
    return DOCUMENT if state.get("units") == "documents" and n_documents(run) > 1 else ""


def over_units(run: Run, cluster: str) -> str:
    """Return what is drawn, with its number, such as ``over 24 documents``; empty for sentences."""
    return f"over {n_documents(run):,} {plural_of(cluster)}" if cluster else ""


def few(run: Run, cluster: str) -> str:
    """Return a remark on intervals over few documents; empty if there are enough."""
    return f"{few_units(plural_of(cluster))}." if cluster and n_documents(run) < FEW_UNITS else ""


@cached_by_run(32)
def column(run: Run, key: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return the values of a column, and the number of each sentence's value from 1; 0 for none."""
    return column_of(run, key)


@cached_by_run(4, "Reading the sentences of the group …")
def group_part(run: Run, key: str, value: str) -> tuple[Run, NDArray[np.int64]]:
    """Return the sentences of a group as a run of its own, and their numbers in the run."""
    numbers = Group(key, value).sentences(run)
    return subset(run, numbers), numbers


def chosen_group(run: Run) -> Group | None:
    """Return the group that the URL names; None for all sentences."""
    key, value = state.get("key"), state.get("value")
    return Group(key, value) if key in keys(run) and value in column(run, key)[0] else None


def group_mask(run: Run, group: Group) -> NDArray[np.bool_]:
    """Return which sentences are in a group."""
    values, numbers = column(run, group.key)
    return np.asarray(numbers == values.index(group.value) + 1)


def values_of(run: Run, key: str, sentences: NDArray[np.int32]) -> list[str]:
    """Return the values of some sentences; empty for none."""
    values, numbers = column(run, key)
    return [values[number - 1] if number else "" for number in numbers[sentences - 1].tolist()]


def key_picker(run: Run, label: str, nothing: str, also: Callable[[], None] | None = None) -> str:
    """Let the reader choose a column of the metadata; empty for none."""

    def changed() -> None:
        state.put(value=None)
        if also is not None:
            also()

    titles = {"": nothing} | {key: key for key in keys(run)}
    return choice_picker(
        label, list(titles), name="key", default="", titles=titles, help=_HINT, also=changed, width=_WIDTH
    )


def group_pickers(run: Run, also: Callable[[], None] | None = None) -> Group | None:
    """Let the reader choose a column and one of its values; None for all sentences, and without metadata."""
    if not keys(run):
        return None
    key = key_picker(run, "Metadata", "none", also)
    if key:
        titles = {"": "all"} | {value: value for value in column(run, key)[0]}
        choice_picker("Value", list(titles), name="value", default="", titles=titles, also=also, width=_WIDTH)
    return chosen_group(run)
