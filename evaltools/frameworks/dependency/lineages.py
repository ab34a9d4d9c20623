"""Leaf-ancestor over dependency trees: the similarity of the relations from each word up to the root.

A word's lineage is its own relation, its head's relation, and so on up to the root. Two lineages are compared as in
:mod:`evaltools.frameworks.common.leaf_ancestor`: insertion and deletion cost 1; replacement 2 (``strict``), or
0.5 where both relations begin with the same character (``partial``), or as a table says. Similarity is 1 − distance /
(len gold + len test); a sentence scores the mean over its words.

References
----------
G. Sampson (2000). A proposal for improving the measurement of parse accuracy. International Journal of Corpus
Linguistics 5(1), 53-68.
G. Sampson and A. Babarczy (2003). A test of the leaf-ancestor metric for parse accuracy. Natural Language
Engineering 9(4), 365-380.

Notes
-----
Differences from the papers: they state that the metric applies to dependency trees and leave open how. Here a relation
takes the place of a phrase label. There are no boundary markers: they mark where phrases begin and end, and a
dependency tree has no phrases. Two trees with different heads can have equal lineages: the metric compares the
relations on the path to the root, not the words on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import DependencyTree, Vocabulary
from evaltools.corpus.dependency_tree import without_subtype
from evaltools.errors import ParameterError
from evaltools.frameworks.common.leaf_ancestor import COLUMNS, COUNTS, METRICS, available_schemes
from evaltools.frameworks.common.lineages import CostTable, Lineage
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.dependency.pair import DependencyPair
from evaltools.frameworks.passes import Pass

if TYPE_CHECKING:
    from evaltools.frameworks.dependency.pair import DependencyComparison
    from evaltools.frameworks.metric import Metric
    from evaltools.frameworks.options import Options

__all__ = ["DependencyLineages", "relation_classes", "relation_lineage"]


def relation_classes(vocabulary: Vocabulary, *, subtypes: bool = False) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return numbers of relations, and of their first characters; relations that count as equal have equal numbers."""
    strings = vocabulary.labels.strings()
    names = strings if subtypes else [without_subtype(item) for item in strings]
    first: dict[str, int] = {}
    classes = np.array([first.setdefault(name, number) for number, name in enumerate(names)], dtype=np.int32)
    characters: dict[str, int] = {}
    initial = [characters.setdefault(name[:1], len(characters)) for name in names]
    return classes, np.array(initial, dtype=np.int32)


def _costs(
    table: CostTable, vocabulary: Vocabulary, classes: NDArray[np.int32], *, subtypes: bool
) -> NDArray[np.float64]:
    """Return the table's costs by class."""
    strings = vocabulary.labels.strings()
    numbers = {
        strings[number] if subtypes else without_subtype(strings[number]): number for number in set(classes.tolist())
    }
    matrix = np.full((len(strings), len(strings)), 2.0)
    np.fill_diagonal(matrix, 0.0)
    for first, second in table.costs:
        if first in numbers and second in numbers:
            matrix[numbers[first], numbers[second]] = table.cost(first, second)
            matrix[numbers[second], numbers[first]] = table.cost(second, first)
    return matrix


class DependencyLineages(Pass["DependencyComparison"]):
    """The LA pass over two corpora of dependency trees."""

    family = "la"
    columns = COLUMNS
    counted = COUNTS
    metrics = METRICS

    def __init__(
        self,
        pair: DependencyPair,
        *,
        subtypes: bool = False,
        table: CostTable | None = None,
    ) -> None:
        gold, test = pair.gold, pair.test
        classes, self._initial = relation_classes(gold.vocabulary, subtypes=subtypes)
        self._pair, self._gold, self._test = pair, gold, test
        self._symbols = classes[gold.relation], classes[test.relation]
        self._partner = np.where(pair.counted, pair.partner, -1).astype(np.int32)
        self._use_table = table is not None
        self._table = np.zeros((1, 1)) if table is None else _costs(table, gold.vocabulary, classes, subtypes=subtypes)
        self.similarity = np.full((len(gold.head), 3), np.nan)
        self.length = np.zeros((len(gold.head), 2), dtype=np.int32)

    @classmethod
    def prepare(cls, comparison: DependencyComparison) -> Self:
        """Allocate the results."""
        return cls(comparison.pair, subtypes=comparison.rules.subtypes, table=comparison.options.la_table)

    @classmethod
    def available(cls, options: Options) -> tuple[Metric, ...]:
        """Return the metrics that can be computed with some options."""
        return available_schemes(options)

    def run(self, first: int, last: int) -> None:
        """Score the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.trees.lineages import compare_relation_lineages

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
        result = np.zeros((len(offsets) - 1, len(COLUMNS)))
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
