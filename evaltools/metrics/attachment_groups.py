"""Attachment by relation, by distance to the head, and by direction.

References
----------
R. McDonald and J. Nivre (2007). Characterizing the errors of data-driven dependency parsing models. EMNLP-CoNLL 2007.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics.attachment import Attachment
from evaltools.metrics.base import ratio
from evaltools.metrics.dependency_lineages import relation_classes
from evaltools.treebank import Dependencies

__all__ = ["GROUPINGS", "AttachmentGroup", "attachment_groups"]

GROUPINGS = {
    "relation": "the relation to the head",
    "distance": "how many words the head is away",
    "direction": "on which side the head stands",
}
"""What words can be grouped by."""

_DISTANCES = ("root", "1", "2", "3–6", "7–")
_DIRECTIONS = ("root", "left", "right")


@dataclass(frozen=True, slots=True)
class AttachmentGroup:
    """Words with one relation, at one distance from their head, or on one side of it.

    Parameters
    ----------
    group : str
        The relation; the distance; or ``left`` or ``right``, where the head stands; ``root`` for words without a head.
    gold, test : int
        Words that are in it by the gold tree, and by the parse.
    heads, both : int
        Words that are in it by both, with the right head, and with the right relation as well.
    """

    group: str
    gold: int
    test: int
    heads: int
    both: int

    def figures(self, *, labelled: bool = True) -> tuple[float, float, float]:
        """Return recall, precision and F1; NaN where undefined.

        Parameters
        ----------
        labelled : bool
            Whether the relation has to be right, too.
        """
        right = float(self.both if labelled else self.heads)
        totals = np.array([self.gold, self.test, self.gold + self.test], dtype=np.float64)
        recall, precision, f1 = ratio(right * np.array([1.0, 1.0, 2.0]), totals).tolist()
        return recall, precision, f1


def _offsets_to_heads(trees: Dependencies) -> NDArray[np.int64]:
    """Return how far to the right of each word its head stands; 0 for words without one."""
    position = np.arange(len(trees.head)) - np.repeat(trees.offsets[:-1], trees.n_words)
    offset: NDArray[np.int64] = np.where(trees.head < 0, 0, trees.head - position)
    return offset


def _groups(trees: Dependencies, by: str, classes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the number of every word's group."""
    if by == "relation":
        return classes[trees.relation].astype(np.int64)
    offset = _offsets_to_heads(trees)
    if by == "distance":
        return np.digitize(np.abs(offset), [1, 2, 3, 7]).astype(np.int64)
    direction: NDArray[np.int64] = np.where(offset == 0, 0, np.where(offset < 0, 1, 2))
    return direction


def attachment_groups(
    attachment: Attachment, by: str, sentences: NDArray[np.bool_] | None = None, *, subtypes: bool = False
) -> list[AttachmentGroup]:
    """Count the words of each group.

    Parameters
    ----------
    attachment : Attachment
        Two corpora that have been compared.
    by : {"relation", "distance", "direction"}
        Of :data:`GROUPINGS`.
    sentences : ndarray of bool, shape (sentences,), optional
        Those to count; all if not given.
    subtypes : bool
        Whether relations are grouped with their subtypes.

    Returns
    -------
    list of AttachmentGroup
        Relations with the most gold words first; distances and directions in their order. Words that do not count are
        in none.

    Raises
    ------
    ParameterError
        If there is no such grouping.
    """
    if by not in GROUPINGS:
        raise ParameterError.unknown("grouping", by, GROUPINGS)
    pair = attachment.pair
    gold, test = pair.gold, pair.test
    classes, _ = relation_classes(gold.vocabulary, subtypes=subtypes)
    names: list[str] = list(_DISTANCES if by == "distance" else _DIRECTIONS)
    if by == "relation":
        names = [one if subtypes else one.partition(":")[0] or one for one in gold.vocabulary.labels.strings()]
    gold_group, test_group = (_groups(side, by, classes) for side in (gold, test))
    ours, theirs = pair.counted, pair.test_counted
    sentence = np.repeat(np.arange(len(gold)), gold.n_words)
    if sentences is not None:
        ours, theirs = ours & sentences[sentence], theirs & np.repeat(sentences, test.n_words)
    paired = np.flatnonzero((pair.partner >= 0) & ours)
    partner = test.offsets[sentence[paired]] + pair.partner[paired]
    same = paired[gold_group[paired] == test_group[partner]]
    heads = same[attachment.head_right[same]]
    columns = [
        np.bincount(groups, minlength=len(names)).tolist()
        for groups in (
            gold_group[ours],
            test_group[theirs],
            gold_group[heads],
            gold_group[heads[attachment.relation_right[heads]]],
        )
    ]
    rows = [AttachmentGroup(*row) for row in zip(names, *columns, strict=True) if row[1] or row[2]]
    return sorted(rows, key=lambda row: (-row.gold, -row.test, row.group)) if by == "relation" else rows
