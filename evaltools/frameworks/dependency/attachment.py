"""Attachment scores: how many words have the right head and relation.

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
Differences from the CoNLL 2018 evaluation: on request punctuation is left out or subtypes of relations count, for which
that evaluation has no options; words that differ are aligned by the characters of the words, not by those of multiword
tokens, and where the characters differ too the sentence is scored over the words that agree; words to which the gold
file gives no head do not count. On equal words that have heads, and with the default rules, the figures are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.dependency.lineages import relation_classes
from evaltools.frameworks.dependency.pair import DependencyPair
from evaltools.frameworks.metric import Choices, Count, Counts, ErrorCount, Metric, ratio
from evaltools.frameworks.passes import Pass

if TYPE_CHECKING:
    from evaltools.frameworks.dependency.pair import DependencyComparison

__all__ = ["COLUMNS", "COUNTS", "ERRORS", "METRICS", "Attachment"]

COLUMNS = ("dep_gold", "dep_test", "dep_aligned", "uas_right", "las_right", "label_right")
"""Count columns: gold words, test words, gold words with a partner; those with the right head, with the right head and
relation, and with the right relation."""

COUNTS: dict[str, Count] = {
    "dep_gold": Count("gold words", "G"),
    "dep_test": Count("test words", "T"),
    "uas_right": Count("words with the right head", "M"),
    "las_right": Count("words with the right head and relation", "M"),
    "label_right": Count("words with the right relation", "M"),
}
"""What the columns of the formulas count."""

_ABOUT = {
    "uas": ("UAS", "uas_right", "the right head", "UAS"),
    "las": ("LAS", "las_right", "the right head and the right relation", "LAS"),
    "label_accuracy": ("Label accuracy", "label_right", "the right relation, whatever the head", "labels"),
}


def _metric(name: str) -> Metric:
    title, column, right, norm = _ABOUT[name]

    def score(counts: Counts) -> NDArray[np.float64]:
        return ratio(2 * counts[column], counts["dep_gold"] + counts["dep_test"])

    return Metric(
        id=name,
        name="label" if name == "label_accuracy" else name,
        title=title,
        family="attachment",
        formula="2M / (G + T)",
        columns=(column, "dep_gold", "dep_test"),
        score=score,
        where_words_differ="a word can be right only if it and its head are aligned with words of the other tree",
        help=f"Share of the words that have {right}, in %.",
        approach="Attachment: head and relation of each word",
        chapter="attachment",
        headline=True,
        reported=True,
        summary=name != "label_accuracy",
        choices=Choices("Attachment", "", norm),
        numbers=f"2 × {{{column}}} / ({{dep_gold}} + {{dep_test}})",
    )


METRICS: tuple[Metric, ...] = tuple(map(_metric, _ABOUT))

ERRORS = ErrorCount(
    Metric(
        id="attachment_errors",
        title="Attachment errors",
        family="attachment",
        formula="G − M",
        columns=("dep_gold", "las_right"),
        score=lambda counts: counts["dep_gold"] - counts["las_right"],
        better="low",
        unit="per sentence",
        help="Gold words of the sentence that have a wrong head or a wrong relation.",
    ),
    "attachment error",
    "attachment errors",
)
"""The number of words of a parse with a wrong head or relation."""


class Attachment(Pass["DependencyComparison"]):
    """The attachment pass over two corpora of dependency trees."""

    family = "attachment"
    columns = COLUMNS
    counted = COUNTS
    metrics = METRICS
    required = True

    def __init__(self, pair: DependencyPair, *, subtypes: bool = False) -> None:
        self.pair = pair
        gold, test = pair.gold, pair.test
        sentence = np.repeat(np.arange(len(gold)), gold.n_words)
        words = np.flatnonzero(pair.partner >= 0)
        self.head_right = np.zeros(len(gold.head), dtype=np.bool_)
        self.relation_right = np.zeros(len(gold.head), dtype=np.bool_)
        partners = test.offsets[sentence[words]] + pair.partner[words]
        heads, test_heads = gold.head[words], test.head[partners]
        # the word aligned with the gold head, or the root
        head_partner = heads.astype(np.int64)
        below = heads >= 0
        head_partner[below] = pair.partner[gold.offsets[sentence[words[below]]] + heads[below]]
        self.head_right[words] = (head_partner == test_heads) & (below == (head_partner >= 0))
        classes, _ = relation_classes(gold.vocabulary, subtypes=subtypes)
        self.relation_right[words] = classes[gold.relation[words]] == classes[test.relation[partners]]

    @classmethod
    def prepare(cls, comparison: DependencyComparison) -> Self:
        """Compare heads and relations."""
        return cls(comparison.pair, subtypes=comparison.rules.subtypes)

    @property
    def counts(self) -> NDArray[np.float64]:
        """The counts, shape (sentences, 6), in the order of :data:`COLUMNS`."""
        pair = self.pair
        n = len(pair.gold)
        sentence = np.repeat(np.arange(n), pair.gold.n_words)
        test_sentence = np.repeat(np.arange(n), pair.test.n_words)

        def number(words: NDArray[np.bool_]) -> NDArray[np.int64]:
            return np.bincount(sentence[words & pair.counted], minlength=n)

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
