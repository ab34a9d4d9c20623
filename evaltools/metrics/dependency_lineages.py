"""Leaf-ancestor over dependency trees: how alike are the relations from each word up to the root.

A word's lineage is its own relation, its head's relation, and so on up to the root. Two lineages are compared as in
:mod:`evaltools.metrics.leaf_ancestor`: insertion and deletion cost 1; replacement 2 (``strict``), or 0.5 where both
relations begin with the same character (``partial``), or as a table says. Similarity is
1 − distance / (len gold + len test); a sentence scores the mean over its words.

References
----------
G. Sampson (2000). A proposal for improving the measurement of parse accuracy. International Journal of Corpus
Linguistics 5(1), 53-68.
G. Sampson and A. Babarczy (2003). A test of the leaf-ancestor metric for parse accuracy. Natural Language
Engineering 9(4), 365-380.

Notes
-----
Differences from the papers: they say that the metric applies to dependency trees and leave open how. Here a relation
takes the place of a phrase label. There are no boundary markers: they tell where phrases begin and end, and a
dependency tree has no phrases. A tree has one lineage for every set of relations on a path, so two trees with different
heads can have equal lineages: the metric asks on what path of relations a word hangs, not from which words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics.leaf_ancestor import COLUMNS, CostTable
from evaltools.metrics.mapping import Lineage
from evaltools.normalize import Status
from evaltools.normalize.dependency_pair import DependencyPair
from evaltools.treebank import DependencyTree, Vocabulary

__all__ = ["DependencyLineages", "relation_classes", "relation_lineage", "without_subtype"]


def without_subtype(relation: str) -> str:
    """Return a relation without what follows its first colon.

    Parameters
    ----------
    relation : str
        Such as ``nsubj:pass``.

    Examples
    --------
    >>> without_subtype("nsubj:pass"), without_subtype("obl"), without_subtype(":")
    ('nsubj', 'obl', ':')
    """
    return relation.partition(":")[0] or relation


def relation_classes(vocabulary: Vocabulary, *, subtypes: bool = False) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Give relations numbers that are equal where the relations count as equal.

    Parameters
    ----------
    vocabulary : Vocabulary
        Whose labels the relations are.
    subtypes : bool
        Whether ``nsubj:pass`` differs from ``nsubj``.

    Returns
    -------
    classes, initial : ndarray of int32, shape (labels,)
        For each label the number of the first label that is equal to it, and the number of its first character.
    """
    strings = vocabulary.labels.strings()
    names = strings if subtypes else [without_subtype(one) for one in strings]
    first: dict[str, int] = {}
    classes = np.array([first.setdefault(name, number) for number, name in enumerate(names)], dtype=np.int32)
    characters: dict[str, int] = {}
    initial = [characters.setdefault(name[:1], len(characters)) for name in names]
    return classes, np.array(initial, dtype=np.int32)


def _costs(
    table: CostTable, vocabulary: Vocabulary, classes: NDArray[np.int32], *, subtypes: bool
) -> NDArray[np.float64]:
    """Return the table's costs by class; a relation that occurs with subtypes only is found without them."""
    strings = vocabulary.labels.strings()
    numbers = {
        strings[number] if subtypes else without_subtype(strings[number]): number for number in set(classes.tolist())
    }
    matrix = np.full((len(strings), len(strings)), 2.0)
    np.fill_diagonal(matrix, 0.0)
    for one, other in table.costs:
        if one in numbers and other in numbers:
            matrix[numbers[one], numbers[other]] = table.cost(one, other)
            matrix[numbers[other], numbers[one]] = table.cost(other, one)
    return matrix


class DependencyLineages:
    """The LA pass over two corpora of dependency trees.

    Parameters
    ----------
    pair : DependencyPair
        The trees, which words count, and which stand for one another.
    subtypes : bool
        Whether relations are compared with their subtypes.
    table : CostTable, optional
        A user's replacement costs.

    Attributes
    ----------
    similarity : ndarray of float64, shape (gold words, 3)
        Strict, partial, table; NaN for words without a partner or not counted, and for the table where there is none.
    length : ndarray of int32, shape (gold words, 2)
        Relations in the gold and in the test lineage.
    """

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

    def run(self, first: int, last: int) -> None:
        """Score the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.relation_lineages import compare_relation_lineages

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
        """Count columns, shape (sentences, 4), as those of LA are named.

        The words are those that are compared; where nothing is, all that count.
        """
        compared = np.repeat(self._pair.status == Status.WORDS_DIFFER, self._gold.n_words)
        words = np.where(compared, self._partner >= 0, self._pair.counted)
        columns = np.column_stack((words, np.nan_to_num(self.similarity)))
        offsets = self._gold.offsets
        result = np.zeros((len(offsets) - 1, len(COLUMNS)))
        filled = np.flatnonzero(np.diff(offsets))
        if len(filled):
            result[filled] = np.add.reduceat(columns, offsets[filled], axis=0)
        return result


def relation_lineage(tree: DependencyTree, word: int, *, subtypes: bool = False) -> Lineage:
    """Return the relations from a word up to the root.

    Parameters
    ----------
    tree : DependencyTree
        The tree.
    word : int
        The word's position, from 0.
    subtypes : bool
        Whether to keep subtypes, such as ``:pass`` of ``nsubj:pass``.

    Returns
    -------
    tuple of str
        The word's own relation first.

    Raises
    ------
    ParameterError
        If there is no such word.

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
    path = [tree.relations[one] for one in (word, *tree.ancestors(word))]
    return tuple(path if subtypes else map(without_subtype, path))
