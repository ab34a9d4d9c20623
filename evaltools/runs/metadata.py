"""The metadata of a run's sentences: columns such as document and genre, and the groups that they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.runs.schema import metadata_keys
from evaltools.runs.sums import GROUPS, MAX_SINGLE, group_numbers_sql

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.runs.sums import Columns

__all__ = [
    "MAX_GROUPS",
    "Group",
    "Units",
    "column_of",
    "group_keys",
    "metadata_frame",
    "parse_group",
    "plural_of",
    "units_of",
]

MAX_GROUPS = 200
"""Maximum number of values of a column that divides the sentences into groups."""


class Tables(Protocol):
    """The members of an opened run that are needed here."""

    @property
    def meta(self) -> dict[str, Any]:
        """The content of ``meta.json``."""
        ...

    @property
    def n_sentences(self) -> int:
        """Number of gold sentences."""
        ...

    def columns(self, sql: str, parameters: list[Any] | None = None) -> Columns:
        """Return the result of SQL as arrays."""
        ...


@dataclass(frozen=True, slots=True)
class Group:
    """The sentences with one value of a column."""

    key: str
    value: str

    def __str__(self) -> str:
        """Return ``key: value``."""
        return f"{self.key}: {self.value}"

    def mask(self, run: Tables) -> NDArray[np.bool_]:
        """Return which sentences are in the group, shape (sentences,)."""
        values, numbers = column_of(run, self.key)
        if self.value not in values:
            raise ParameterError.unknown(self.key, self.value, values)
        return np.asarray(numbers == values.index(self.value) + 1)

    def sentences(self, run: Tables) -> NDArray[np.int64]:
        """Return the numbers of the sentences in the group, from 1."""
        return np.flatnonzero(self.mask(run)) + 1


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn, or swapped, as a whole in resampling: sentences, groups of them, or documents."""

    index: NDArray[np.int64] | None  # The unit of each sentence, shape (sentences,); None if each is its own
    n: int = 0  # Number of units; 0 if each sentence is its own


def plural_of(key: str) -> str:
    """Return the plural of a column's name.

    Examples
    --------
    >>> plural_of("document"), plural_of("s_type")
    ('documents', 'values of s_type')
    """
    return f"{key}s" if key in ("document", "paragraph", "speaker", "genre") else f"values of {key}"


def parse_group(text: str) -> Group:
    """Read ``KEY=VALUE``."""
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise ParameterError(f"a group is given as KEY=VALUE, such as genre=news, not {text!r}")
    return Group(key.strip(), value.strip())


def _checked(run: Tables, key: str) -> str:
    keys = metadata_keys(run.meta)
    if key not in keys:
        if not keys:
            raise ParameterError(
                f"the run has no metadata, so no {key}; score with --metadata FILE, or comments (CoNLL-U)"
            )
        raise ParameterError.unknown("metadata column", key, keys)
    return key


def column_of(run: Tables, key: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return the values of a column in their order, and the number of each sentence's value from 1; 0 for none."""
    numbers = np.zeros(run.n_sentences, dtype=np.int64)
    rows = run.columns(f"select sentence, number, value from ({group_numbers_sql(_checked(run, key))})")
    sentence, number = rows["sentence"], rows["number"]
    inside = (sentence >= 1) & (sentence <= run.n_sentences)  # a damaged run may have other numbers
    numbers[sentence[inside] - 1] = number[inside]
    _, first = np.unique(number, return_index=True)
    return rows["value"][first].tolist(), numbers


def group_keys(run: Tables) -> list[str]:
    """Return the columns that divide the sentences into 2 to `MAX_GROUPS` groups, in the order of the run.

    Columns with another value for each sentence are left out, and those that divide the sentences just as an earlier
    one does, such as the titles of documents.
    """
    keys = metadata_keys(run.meta)
    if not keys:
        return []
    rows = run.columns("select key, count(distinct value) as n, count(*) as sentences from metadata group by key")
    counts = zip(rows["key"].tolist(), rows["n"].tolist(), rows["sentences"].tolist(), strict=True)
    sizes = {key: n for key, n, sentences in counts if n < sentences}  # ids are no groups
    found: dict[bytes, str] = {}
    for key in keys:
        if 2 <= sizes.get(key, 0) <= MAX_GROUPS:
            _, numbers = column_of(run, key)
            _, first, index = np.unique(numbers, return_index=True, return_inverse=True)
            found.setdefault(np.argsort(np.argsort(first))[index].tobytes(), key)
    return list(found.values())


def units_of(run: Tables, cluster: str = "") -> Units:
    """Return what is resampled: the values of a column, each sentence, or groups of them in long runs.

    A sentence without a value is a unit of its own.
    """
    if cluster:
        _, numbers = column_of(run, cluster)
        numbers = np.where(numbers > 0, numbers, -np.arange(1, len(numbers) + 1))
        names, index = np.unique(numbers, return_inverse=True)
        return Units(index.reshape(-1).astype(np.int64), len(names))
    if run.n_sentences > MAX_SINGLE:
        return Units(np.arange(1, run.n_sentences + 1, dtype=np.int64) % GROUPS, GROUPS)
    return Units(None)


def metadata_frame(run: Tables) -> pd.DataFrame:
    """Return ``sentence`` and a column for each key, with None where a sentence has no value."""
    import pandas as pd

    frame = pd.DataFrame({"sentence": np.arange(1, run.n_sentences + 1, dtype=np.int64)})
    for key in metadata_keys(run.meta):
        values, numbers = column_of(run, key)
        column = np.array([None, *values], dtype=object)[numbers]
        frame[key if key != "sentence" else "sentence_"] = pd.Series(column, dtype=object)
    return frame
