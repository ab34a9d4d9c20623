"""Classes of sentences, by which the difference of two parsers is taken apart: length, labels, words, who is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.distribution import bin_name
from evaltools.analysis.effect_size import EQUAL
from evaltools.metrics import Metric
from evaltools.runs.label_bits import label_bits
from evaltools.runs.length_bins import length_bins
from evaltools.runs.sentence_counts import SentenceCounts
from evaltools.runs.store import Run

__all__ = ["ERRORS", "ClassFamily", "class_families", "error_family", "partition"]


@dataclass(frozen=True, slots=True)
class ClassFamily:
    """Classes of one kind.

    Parameters
    ----------
    id : str
        Name in reports and links.
    title : str
        What people call it.
    names : tuple of str
        The classes.
    bits : ndarray of int64, shape (sentences,)
        Bit i is set where the sentence is in class i.
    overlap : bool
        Whether a sentence may be in several classes.
    """

    id: str
    title: str
    names: tuple[str, ...]
    bits: NDArray[np.int64]
    overlap: bool = False

    def mask(self, place: int) -> NDArray[np.bool_]:
        """Return the sentences of a class."""
        return np.asarray((self.bits >> np.int64(place)) & 1, dtype=np.bool_)


def partition(id: str, title: str, names: Sequence[str], place: NDArray[np.int64]) -> ClassFamily:  # noqa: A002
    """Make classes of which every sentence is in one, or in none where its place is −1.

    Parameters
    ----------
    id, title : str
        As for :class:`ClassFamily`.
    names : sequence of str
        The classes.
    place : ndarray of int64, shape (sentences,)
        Each sentence's class.
    """
    bits = np.where(place >= 0, np.int64(1) << np.maximum(place, 0), 0).astype(np.int64)
    return ClassFamily(id, title, tuple(names), bits)


ERRORS = "Error type in either parse"
"""Title of the classes by type of error."""

_LABELS = {"label": "Phrase label in the gold tree", "relation": "Relation in the gold tree"}


def class_families(
    run: Run, metric: Metric, parsers: tuple[str, str], sides: tuple[SentenceCounts, SentenceCounts]
) -> list[ClassFamily]:
    """Put the sentences that both parsers have into classes.

    Parameters
    ----------
    run : Run
        The run.
    metric : Metric
        By whose scores the one is better or the other.
    parsers : (str, str)
        The parsers.
    sides : (SentenceCounts, SentenceCounts)
        Their sentences.

    Returns
    -------
    list of ClassFamily
        ``length`` of the gold sentence in words; ``better``, which parser has the better score; ``words``, how many
        gold words a parse does not have, where there are such parses; ``label``, phrase labels in the gold tree, or
        ``relation``, relations in it: of these a sentence has several. Sentences that do not count for both are in no
        class.
    """
    both = sides[0].mask & sides[1].mask
    families = [_by_length(sides[0].words, both), _by_better(metric, parsers, sides, both)]
    words = _by_words(sides, both)
    if (words.bits > 1).any():
        families.append(words)
    labels, bits = label_bits(run, parsers)
    if labels:
        name = "relation" if run.kind == "dependency" else "label"
        families.append(ClassFamily(name, _LABELS[name], labels, np.where(both, bits, 0), overlap=True))
    return families


def error_family(sides: tuple[SentenceCounts, SentenceCounts], steps: Sequence[pd.DataFrame]) -> ClassFamily | None:
    """Put the sentences into classes by the types of errors in either parse.

    Parameters
    ----------
    sides : (SentenceCounts, SentenceCounts)
        The sentences of both parsers.
    steps : sequence of DataFrame
        For each parser the steps of all repairs, from :func:`evaltools.analysis.error_table.error_table`.

    Returns
    -------
    ClassFamily or None
        The types, those of most sentences first; a sentence has several. None if there is no error.
    """
    both = sides[0].mask & sides[1].mask
    found = pd.concat([table[["sentence", "type"]] for table in steps]).drop_duplicates()
    found = found[both[found["sentence"].to_numpy(dtype=np.int64) - 1]]
    names = list(found["type"].value_counts().index)
    if not names:
        return None
    bits = np.zeros(len(both), dtype=np.int64)
    places = found["type"].map({name: place for place, name in enumerate(names)}).to_numpy(dtype=np.int64)
    np.bitwise_or.at(bits, found["sentence"].to_numpy(dtype=np.int64) - 1, np.int64(1) << places)
    return ClassFamily("error", ERRORS, tuple(map(str, names)), bits, overlap=True)


def _by_length(words: NDArray[np.int32], both: NDArray[np.bool_]) -> ClassFamily:
    counts = np.bincount(np.maximum(words[both], 0))
    lengths = np.flatnonzero(counts)
    bins = length_bins(dict(zip(lengths.tolist(), counts[lengths].tolist(), strict=True))) or [(1, None)]
    starts = np.array([first for first, _ in bins], dtype=np.int64)
    place = np.maximum(np.searchsorted(starts, words, side="right") - 1, 0)
    return partition("length", "Length in words", [bin_name(*one) for one in bins], np.where(both, place, -1))


# a gold word is lost where it has no partner in one of the parses
_WORDS = (
    "same words",
    "other words, none lost",
    "1 or 2 gold words lost",
    "3 gold words lost or more",
    "a parse is missing",
)


def _by_words(sides: tuple[SentenceCounts, SentenceCounts], both: NDArray[np.bool_]) -> ClassFamily:
    lost = np.maximum(sides[0].lost, sides[1].lost)
    place = np.searchsorted([0, 1, 3], lost, side="right")
    place[sides[0].missing | sides[1].missing] = len(_WORDS) - 1
    return partition("words", "Words of the parses", _WORDS, np.where(both, place, -1))


def _by_better(
    metric: Metric, parsers: tuple[str, str], sides: tuple[SentenceCounts, SentenceCounts], both: NDArray[np.bool_]
) -> ClassFamily:
    difference = sides[0].score - sides[1].score
    if not metric.higher_is_better:
        difference = -difference
    place = np.select([difference > EQUAL, difference < -EQUAL, np.isnan(difference)], [0, 2, 3], 1)
    names = [f"{parsers[0]} is better", "equal scores", f"{parsers[1]} is better"]
    if (both & (place == 3)).any():
        names.append("a score undefined")
    return partition("better", "Which parser is better", names, np.where(both, place, -1))
