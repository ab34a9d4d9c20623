"""Passes over dependency trees: attachment scores, and leaf-ancestor over the relations up to the root.

Attachment scores: how many words have the right head and relation.

UAS counts words with the right head, LAS those with the right head and the right relation to it, label accuracy those
with the right relation whatever the head. Where the words of the two trees differ, a word can be right only if it and
its head have a partner in the other tree, and the score is the harmonic mean of recall and precision; where they are
equal, that is the share of the words.

Leaf-ancestor over dependency trees: the similarity of the relations from each word up to the root.

A word's lineage is its own relation, its head's relation, and so on up to the root. Two lineages are compared as in
:mod:`evaltools.frameworks.common.leaf_ancestor`: insertion and deletion cost 1; replacement 2 (``strict``), or
0.5 where both relations begin with the same character (``partial``), or as a table says. Similarity is 1 − distance /
(len gold + len test); a sentence scores the mean over its words.

References
----------
S. Buchholz and E. Marsi (2006). CoNLL-X shared task on multilingual dependency parsing. CoNLL-X, 149-164.
D. Zeman et al. (2018). CoNLL 2018 shared task: multilingual parsing from raw text to universal dependencies.
Proceedings of the CoNLL 2018 shared task, 1-21.
G. Sampson (2000). A proposal for improving the measurement of parse accuracy. International Journal of Corpus
Linguistics 5(1), 53-68.
G. Sampson and A. Babarczy (2003). A test of the leaf-ancestor metric for parse accuracy. Natural Language
Engineering 9(4), 365-380.

Notes
-----
Differences from the CoNLL 2018 evaluation: on request punctuation is left out or subtypes of relations count, for which
that evaluation has no options; words that differ are aligned by the characters of the words, not by those of multiword
tokens, and where the characters differ too the sentence is scored over the words that agree; words to which the gold
file gives no head do not count. On equal words that have heads, and with the default rules, the figures are the same.

Differences from the papers: they state that the metric applies to dependency trees and leave open how. Here a relation
takes the place of a phrase label. There are no boundary markers: they mark where phrases begin and end, and a
dependency tree has no phrases. Two trees with different heads can have equal lineages: the metric compares the
relations on the path to the root, not the words on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import DependencyTree, Vocabulary
from evaltools.corpus.dependency_tree import without_subtype
from evaltools.errors import ParameterError
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.common.leaf_ancestor import (
    COLUMNS as LA_COLUMNS,
    FAMILY as LA_FAMILY,
    METRICS as LA_METRICS,
    available_schemes,
    cost_table,
)
from evaltools.frameworks.common.lineages import Lineage
from evaltools.frameworks.dependency.universal import Universal
from evaltools.frameworks.metric import Count, Counts, ErrorCount, Family, Metric, Place, ratio
from evaltools.frameworks.passes import Pass

if TYPE_CHECKING:
    from evaltools.frameworks.dependency.pair import DependencyComparison
    from evaltools.frameworks.options import Options

# ------------------------------------------------------------------------------------------------------- leaf-ancestor


def relation_names(vocabulary: Vocabulary, *, subtypes: bool) -> Sequence[str]:
    """Return the relations by their numbers, as they are compared."""
    strings = vocabulary.labels.strings()
    return strings if subtypes else [without_subtype(item) for item in strings]


def relation_classes(vocabulary: Vocabulary, *, subtypes: bool = False) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return numbers of relations, and of their first characters; relations that count as equal have equal numbers."""
    names = relation_names(vocabulary, subtypes=subtypes)
    first: dict[str, int] = {}
    classes = np.array([first.setdefault(name, number) for number, name in enumerate(names)], dtype=np.int32)
    characters: dict[str, int] = {}
    initial = [characters.setdefault(name[:1], len(characters)) for name in names]
    return classes, np.array(initial, dtype=np.int32)


class DependencyLineages(Pass["DependencyComparison"]):
    """The LA pass over two corpora of dependency trees."""

    family = LA_FAMILY
    columns = LA_COLUMNS
    metrics = LA_METRICS

    def __init__(self, comparison: DependencyComparison) -> None:
        pair, subtypes, table = comparison.pair, comparison.options.subtypes, cost_table(comparison.options.la_table)
        gold, test = pair.gold, pair.test
        relations = relation_names(gold.vocabulary, subtypes=subtypes)
        classes, self._initial = relation_classes(gold.vocabulary, subtypes=subtypes)
        self._pair, self._gold, self._test = pair, gold, test
        self._symbols = classes[gold.relation], classes[test.relation]
        self._partner = np.where(pair.counted, pair.partner, -1).astype(np.int32)
        self._use_table = table is not None
        self._table = np.zeros((1, 1)) if table is None else table.matrix(relations)
        self.similarity = np.full((len(gold.head), 3), np.nan)
        self.length = np.zeros((len(gold.head), 2), dtype=np.int32)

    @classmethod
    def available(cls, options: Options) -> tuple[Metric, ...]:
        """Return the metrics that can be computed with some options."""
        return available_schemes(options)

    def run(self, first: int, last: int) -> None:
        """Score the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.lineages import compare_relation_lineages

        compare_relation_lineages(
            self._gold.head,
            self._symbols[0],
            self._gold.offsets,
            self._test.head,
            self._symbols[1],
            self._test.offsets,
            self._partner,
            self._initial,
            self._table,
            self._use_table,
            self.similarity,
            self.length,
            first,
            last,
        )

    @property
    def counts(self) -> NDArray[np.float64]:
        """The counts, shape (sentences, 4), in the order of the columns of LA."""
        # Where words differ, only aligned words are compared.
        differ = np.repeat(self._pair.status == SentenceStatus.WORDS_DIFFER, self._gold.n_words)
        words = np.where(differ, self._partner >= 0, self._pair.counted)
        columns = np.column_stack((words, np.nan_to_num(self.similarity)))
        offsets = self._gold.offsets
        result = np.zeros((len(offsets) - 1, len(LA_COLUMNS)))
        filled = np.flatnonzero(np.diff(offsets))
        if len(filled):
            result[filled] = np.add.reduceat(columns, offsets[filled], axis=0)
        return result


def relation_lineage(tree: DependencyTree, word: int, *, subtypes: bool = False) -> Lineage:
    """Return the relations from a word up to the root.

    Examples
    --------
    >>> tree = DependencyTree(("We", "saw", "it", "there"), (1, -1, 1, 2), ("nsubj", "root", "obj", "nmod:loc"))
    >>> relation_lineage(tree, 3)
    ('nmod', 'obj', 'root')
    >>> relation_lineage(tree, 3, subtypes=True)
    ('nmod:loc', 'obj', 'root')
    """
    if not 0 <= word < len(tree):
        raise ParameterError(f"no word {word}; there are {len(tree)}, counted from 0")
    path = [tree.relations[item] for item in (word, *tree.ancestors(word))]
    return tuple(path if subtypes else map(without_subtype, path))


# ---------------------------------------------------------------------------------------------------------- attachment

COLUMNS = ("dep_gold", "dep_test", "dep_aligned", "uas_right", "las_right", "label_right")
"""Count columns: words of the gold tree, of the parse, gold words with a partner; those with the right head, with the
right head and relation, and with the right relation."""

COUNTS: dict[str, Count] = {
    "dep_gold": Count("gold words", "G"),
    "dep_test": Count("words of the parse", "T"),
    "uas_right": Count("words with the right head", "M"),
    "las_right": Count("words with the right head and relation", "M"),
    "label_right": Count("words with the right relation", "M"),
}
"""What the columns of the formulas count."""

_ABOUT = {
    "uas": ("UAS", "uas_right", "the right head", "UAS"),
    "las": ("LAS", "las_right", "the right head and the right relation", "LAS"),
    "label": ("Label accuracy", "label_right", "the right relation, whatever the head", "labels"),
}


FAMILY = Family(
    "attachment",
    "Attachment: head and relation of each word",
    "attachment",
    COUNTS,
    words_differ="a word can be right only if it and its head are aligned with words of the other tree",
    papers=("buchholz-marsi-2006",),
)


def _metric(name: str) -> Metric:
    title, column, right, norm = _ABOUT[name]

    def score(counts: Counts) -> NDArray[np.float64]:
        return ratio(2 * counts[column], counts["dep_gold"] + counts["dep_test"])

    return Metric(
        id=name,
        title=title,
        family=FAMILY,
        columns=(column, "dep_gold", "dep_test"),
        score=score,
        help=f"Share of the words that have {right}, in %.",
        place=Place(overview=True, reports=True, lists=name != "label", mapping="Attachment", norm=norm),
    )


METRICS: tuple[Metric, ...] = tuple(map(_metric, _ABOUT))

ERRORS = ErrorCount(
    Metric(
        id="attachment_errors",
        title="Attachment errors",
        family=FAMILY,
        columns=("dep_gold", "las_right"),
        score=lambda counts: counts["dep_gold"] - counts["las_right"],
        help="Gold words of the sentence that have a wrong head or a wrong relation.",
        unit="per sentence",
        higher_is_better=False,
    ),
    "attachment error",
    "attachment errors",
)
"""The number of words of a parse with a wrong head or relation."""


class Attachment(Pass["DependencyComparison"]):
    """The attachment pass over two corpora of dependency trees."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS
    required = True

    def __init__(self, comparison: DependencyComparison) -> None:
        self.pair = pair = comparison.pair
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
        classes, _ = relation_classes(gold.vocabulary, subtypes=comparison.options.subtypes)
        self.relation_right[words] = classes[gold.relation[words]] == classes[test.relation[partners]]

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


# -------------------------------------------------------------------------------------------------------------- passes

PASSES: dict[str, type[Pass[Any]]] = {kind.family.id: kind for kind in (Attachment, DependencyLineages, Universal)}
"""The passes by family, in the order of reports: the table that a new metric is added to."""
