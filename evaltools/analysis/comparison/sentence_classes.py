"""Classes of sentences, for contributions to the difference of two parsers: length, labels, words, which is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.comparison.effect_size import EQUAL
from evaltools.analysis.distribution import bin_name
from evaltools.frameworks.metric import Metric
from evaltools.runs.sentences import SentenceCounts
from evaltools.runs.store import Run
from evaltools.runs.sums import length_bins

__all__ = ["ERRORS", "ClassFamily", "class_families", "error_family", "label_bits", "partition"]


_MAX_LABELS = 60
"""Maximum number of labels that have a bit, the most frequent ones."""


@dataclass(frozen=True, slots=True)
class ClassFamily:
    """Classes of one kind."""

    id: str  # Name in reports and links
    title: str  # Title in reports
    names: tuple[str, ...]
    bits: NDArray[np.int64]  # Bit i is set where the sentence is in class i
    overlap: bool = False  # Whether a sentence may be in several classes

    def mask(self, index: int) -> NDArray[np.bool_]:
        """Return the sentences of a class."""
        return np.asarray((self.bits >> np.int64(index)) & 1, dtype=np.bool_)


def partition(id: str, title: str, names: Sequence[str], index: NDArray[np.int64]) -> ClassFamily:  # noqa: A002
    """Return classes of which every sentence is in exactly one, or in none where its index is −1."""
    bits = np.where(index >= 0, np.int64(1) << np.maximum(index, 0), 0).astype(np.int64)
    return ClassFamily(id, title, tuple(names), bits)


ERRORS = "Error type in either parse"
"""Title of the classes by type of error."""


def class_families(
    run: Run, metric: Metric, parsers: tuple[str, str], sides: tuple[SentenceCounts, SentenceCounts]
) -> list[ClassFamily]:
    """Put the sentences that both parsers have into classes."""
    both = sides[0].mask & sides[1].mask
    families = [_by_length(sides[0].words, both), _by_better(metric, parsers, sides, both)]
    words = _by_words(sides, both)
    if (words.bits > 1).any():
        families.append(words)
    labels, bits = label_bits(run, parsers)
    source = run.framework.stored.labels
    if labels and source is not None:
        name = run.framework.label
        families.append(ClassFamily(name, source.title, labels, np.where(both, bits, 0), overlap=True))
    return families


def error_family(sides: tuple[SentenceCounts, SentenceCounts], steps: Sequence[pd.DataFrame]) -> ClassFamily | None:
    """Put the sentences into classes by the types of errors in either parse."""
    both = sides[0].mask & sides[1].mask
    types = pd.concat([table[["sentence", "type"]] for table in steps]).drop_duplicates()
    types = types[both[types["sentence"].to_numpy(dtype=np.int64) - 1]]
    names = list(types["type"].value_counts().index)
    if not names:
        return None
    bits = np.zeros(len(both), dtype=np.int64)
    indices = types["type"].map({name: index for index, name in enumerate(names)}).to_numpy(dtype=np.int64)
    np.bitwise_or.at(bits, types["sentence"].to_numpy(dtype=np.int64) - 1, np.int64(1) << indices)
    return ClassFamily("error", ERRORS, tuple(map(str, names)), bits, overlap=True)


def _by_length(words: NDArray[np.int32], both: NDArray[np.bool_]) -> ClassFamily:
    counts = np.bincount(np.maximum(words[both], 0))
    lengths = np.flatnonzero(counts)
    bins = length_bins(dict(zip(lengths.tolist(), counts[lengths].tolist(), strict=True))) or [(1, None)]
    starts = np.array([first for first, _ in bins], dtype=np.int64)
    index = np.maximum(np.searchsorted(starts, words, side="right") - 1, 0)
    return partition("length", "Length in words", [bin_name(*item) for item in bins], np.where(both, index, -1))


# a gold word is lost where it has no partner in one of the parses
_WORDS = (
    "same tokens",
    "tokens differ, none lost",
    "1 or 2 gold words lost",
    "3 or more gold words lost",
    "no parse",
)


def _by_words(sides: tuple[SentenceCounts, SentenceCounts], both: NDArray[np.bool_]) -> ClassFamily:
    lost = np.maximum(sides[0].lost, sides[1].lost)
    index = np.searchsorted([0, 1, 3], lost, side="right")
    index[sides[0].missing | sides[1].missing] = len(_WORDS) - 1
    return partition("words", "Tokens of the parses", _WORDS, np.where(both, index, -1))


def _by_better(
    metric: Metric, parsers: tuple[str, str], sides: tuple[SentenceCounts, SentenceCounts], both: NDArray[np.bool_]
) -> ClassFamily:
    difference = sides[0].score - sides[1].score
    if not metric.higher_is_better:
        difference = -difference
    index = np.select([difference > EQUAL, difference < -EQUAL, np.isnan(difference)], [0, 2, 3], 1)
    names = [f"{parsers[0]} is better", "equal scores", f"{parsers[1]} is better"]
    if (both & (index == 3)).any():
        names.append("undefined score")
    return partition("better", "Which parser is better", names, np.where(both, index, -1))


def label_bits(run: Run, parsers: tuple[str, str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return which sentences have a phrase of a label, or a word of a relation, in the gold tree."""
    bits = np.zeros(run.n_sentences, dtype=np.int64)
    source = run.framework.stored.labels
    if source is None:
        return (), bits
    table, column, condition = source.table, source.column, source.condition
    frequent = run.query(
        f"select {column} as label, count(*) as n from {table} where parser in (?, ?) and {condition} "
        f"group by label order by n desc, label limit {_MAX_LABELS}",
        list(parsers),
    )
    labels = tuple(frequent["label"].tolist())
    if not labels:
        return (), bits
    cases = " ".join(f"when ? then {1 << index}::bigint" for index in range(len(labels)))
    for parser in dict.fromkeys(parsers):
        rows = run.query(
            f"select sentence, bit_or(case {column} {cases} else 0::bigint end) as bits from {table} "
            f"where parser = ? and {condition} group by sentence",
            [*labels, parser],
        )
        sentences = rows["sentence"].to_numpy()
        inside = (sentences >= 1) & (sentences <= run.n_sentences)
        bits[sentences[inside] - 1] |= rows["bits"].to_numpy(dtype=np.int64)[inside]
    return labels, bits
