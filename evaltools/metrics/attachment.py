"""Attachment scores: how many words hang from the right head, by the right relation.

UAS counts words with the right head, LAS those with the right head and the right relation to it, label accuracy those
with the right relation whatever the head. Where the words of the two trees differ, a word can be right only if it and
its head have a partner in the other tree, and the score is the harmonic mean of recall and precision; where they are
equal, that is the share of the words.

References
----------
S. Buchholz and E. Marsi (2006). CoNLL-X shared task on multilingual dependency parsing. CoNLL-X, 149-164.
D. Zeman et al. (2018). CoNLL 2018 shared task: multilingual parsing from raw text to universal dependencies.
Proceedings of the CoNLL 2018 shared task, 1-21.

Notes
-----
Differences from the CoNLL 2018 evaluation: punctuation may be left out and subtypes of relations may count on request,
neither of which it knows; words that differ are aligned by the characters of the words, not by those of multiword
tokens, and where the characters differ too the sentence is scored over the words that agree. On equal words, and with
the rules as they are unless one asks otherwise, the figures are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics.base import Counts, Metric, ratio
from evaltools.metrics.dependency_lineages import relation_classes
from evaltools.normalize.dependency_pair import DependencyPair

__all__ = ["COLUMNS", "METRICS", "Attachment"]

COLUMNS = ("dep_gold", "dep_test", "dep_aligned", "uas_right", "las_right", "label_right")
"""Count columns: gold words, test words, gold words with a partner; those with the right head, with the right head and
relation, and with the right relation."""

_ABOUT = {
    "uas": ("UAS", "uas_right"),
    "las": ("LAS", "las_right"),
    "label_accuracy": ("Label accuracy", "label_right"),
}


def _metric(name: str) -> Metric:
    title, column = _ABOUT[name]

    def score(counts: Counts) -> NDArray[np.float64]:
        return ratio(2 * counts[column], counts["dep_gold"] + counts["dep_test"])

    return Metric(
        id=name,
        title=title,
        family="attachment",
        formula="2M / (G + T)",
        columns=(column, "dep_gold", "dep_test"),
        score=score,
        where_words_differ="a word can be right only if it and its head have a partner in the other tree",
    )


METRICS: tuple[Metric, ...] = tuple(map(_metric, _ABOUT))


class Attachment:
    """The attachment pass over two corpora of dependency trees.

    Parameters
    ----------
    pair : DependencyPair
        The trees, which words count, and which stand for one another.
    subtypes : bool
        Whether relations are compared with their subtypes.

    Attributes
    ----------
    head_right, relation_right : ndarray of bool, shape (gold words,)
        Whether a word has a partner with the same head, and with the same relation.
    """

    def __init__(self, pair: DependencyPair, *, subtypes: bool = False) -> None:
        self.pair = pair
        gold, test = pair.gold, pair.test
        sentence = np.repeat(np.arange(len(gold)), gold.n_words)
        words = np.flatnonzero(pair.partner >= 0)
        self.head_right = np.zeros(len(gold.head), dtype=np.bool_)
        self.relation_right = np.zeros(len(gold.head), dtype=np.bool_)
        partners = test.offsets[sentence[words]] + pair.partner[words]
        heads, test_heads = gold.head[words], test.head[partners]
        # the partner of the gold head; -1 for a root, -2 for a head without one
        there = np.full(len(words), -1, dtype=np.int64)
        below = heads >= 0
        there[below] = pair.partner[gold.offsets[sentence[words[below]]] + heads[below]]
        there[below & (there < 0)] = -2
        self.head_right[words] = there == test_heads
        classes, _ = relation_classes(gold.vocabulary, subtypes=subtypes)
        self.relation_right[words] = classes[gold.relation[words]] == classes[test.relation[partners]]

    @property
    def counts(self) -> NDArray[np.float64]:
        """Count columns, shape (sentences, 6), as :data:`COLUMNS` names them."""
        pair = self.pair
        n = len(pair.gold)
        sentence = np.repeat(np.arange(n), pair.gold.n_words)
        test_sentence = np.repeat(np.arange(n), pair.test.n_words)

        def number(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
            return np.bincount(sentence[chosen & pair.counted], minlength=n)

        return np.column_stack(
            (
                number(pair.counted),
                np.bincount(test_sentence[pair.test_counted], minlength=n),
                number(pair.partner >= 0),
                number(self.head_right),
                number(self.head_right & self.relation_right),
                number(self.relation_right),
            )
        ).astype(np.float64)
