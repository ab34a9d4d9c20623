"""Leaf-ancestor: the similarity of the lineages of each word in the two trees.

A word's lineage is the string of labels from the leaf to the root, with a ``[`` before the label of the highest
phrase that begins at the word and a ``]`` after the label of the highest that ends there; a discontinuous phrase begins
at its first word and ends at its last. Two lineages are compared
by edit distance: insertion and deletion cost 1; replacement 2 (``strict``), or 0.5 where both are labels with the same
first character (``partial``), or the cost of a table, and nothing where the preset equates the labels. Similarity is
1 − distance / (len gold + len test); a sentence scores the mean over its words.

Where the words of the two trees differ, they are aligned, and a gold word's lineage is compared with that of the test
word that shares most characters with it. The sentence scores the mean over the gold words that have such a partner; in
figures over all sentences the others count 0.

References
----------
G. Sampson and A. Babarczy (2003). A test of the leaf-ancestor metric for parse accuracy. Natural Language
Engineering 9(4), 365-380.

Notes
-----
Differences from the paper: preterminals may be included on request. The corpus figure is given as the mean over
sentences and pooled over words. The paper has no sentences whose words differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Tree
from evaltools.frameworks.common.columns import columns_of
from evaltools.frameworks.common.leaf_ancestor import COLUMNS, FAMILY, METRICS, available_schemes, cost_table
from evaltools.frameworks.common.lineages import Lineage
from evaltools.frameworks.constituency.normalization import TreeComparison, hulls, partners_in_trees, word_offsets
from evaltools.frameworks.passes import Pass

if TYPE_CHECKING:
    from evaltools.frameworks.metric import Metric
    from evaltools.frameworks.options import Options


class LeafAncestor(Pass[TreeComparison]):
    """The LA pass over a pair of treebanks."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    def __init__(self, comparison: TreeComparison) -> None:
        pair, symbols = comparison.pair, comparison.symbols
        table = cost_table(comparison.options.la_table)
        gold, test = pair.gold.treebank, pair.test.treebank
        self._gold = columns_of(gold, spans=hulls(gold))
        self._test = columns_of(test, spans=hulls(test))
        self._n_aligned = None if pair.alignment is None else pair.alignment.n_aligned(gold)
        self._scored = pair.scored if pair.sets is None else np.where(pair.sets.chosen, np.uint8(2), pair.scored)
        partner = pair.partner
        self._word_partner = np.zeros(0, np.int32) if partner is None else partners_in_trees(partner, gold, test)
        self._in_sentence = None if gold.position is None else gold.word_indices
        self._label_class, self._initial = symbols.label_class, symbols.initial
        self._highest_kind = np.uint8(comparison.options.la_preterminals)
        self._use_table = table is not None
        self._table = np.zeros((1, 1)) if table is None else table.matrix(gold.vocabulary.labels.strings())
        self.word_offsets = word_offsets(gold)
        self._similarity = np.full((int(self.word_offsets[-1]), 3), np.nan)  # in the order of the trees
        self._length = np.zeros((len(self._similarity), 2), dtype=np.int32)

    @classmethod
    def available(cls, options: Options) -> tuple[Metric, ...]:
        """Return the metrics that can be computed with some options."""
        return available_schemes(options)

    def run(self, first: int, last: int) -> None:
        """Score the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.lineages import compare_lineages

        compare_lineages(
            *self._gold,
            *self._test,
            self._scored,
            self._word_partner,
            self._label_class,
            self._initial,
            self._table,
            self._use_table,
            self._highest_kind,
            self.word_offsets,
            self._similarity,
            self._length,
            first,
            last,
        )

    @property
    def similarity(self) -> NDArray[np.float64]:
        """Similarity of each gold word by the schemes exact, graded and own costs, in the order of the sentences."""
        return self._in_order(self._similarity)

    @property
    def length(self) -> NDArray[np.int32]:
        """Symbols of the gold and of the test lineage of each gold word, in the order of the sentences."""
        return self._in_order(self._length)

    def _in_order(self, values: NDArray[Any]) -> NDArray[Any]:
        if self._in_sentence is None:
            return values
        in_order = np.empty_like(values)
        in_order[self._in_sentence] = values
        return in_order

    @property
    def counts(self) -> NDArray[np.float64]:
        """Count columns, shape (sentences, 4), in the order of their ``COLUMNS``."""
        similarity = np.nan_to_num(self.similarity)
        if not self._use_table:
            similarity[:, 2] = 0.0
        result = np.zeros((len(self.word_offsets) - 1, 4))
        result[:, 0] = np.diff(self.word_offsets)
        filled = np.flatnonzero(result[:, 0])
        if len(filled):
            result[filled, 1:] = np.add.reduceat(similarity, self.word_offsets[filled], axis=0)
            if self._n_aligned is not None:
                aligned = self._n_aligned >= 0
                result[aligned, 0] = self._n_aligned[aligned]
        return result


def lineage(tree: Tree, word: int, *, preterminals: bool = False) -> Lineage:
    """Return the lineage of a word, leaf first.

    Parameters
    ----------
    tree : Tree
        The tree.
    word : int
        The word's position, from 0.
    preterminals : bool
        Whether to include the word's tag.

    Returns
    -------
    tuple of str
        Labels, and the markers ``[`` and ``]``.

    Examples
    --------
    >>> tree = Tree.from_string("[S [N1 two [N1 tax revision ] bills ] were passed ]", notation="sampson")
    >>> lineage(tree, 2)
    ('N1', ']', 'N1', 'S')
    """
    highest = Kind.PRETERMINAL if preterminals else Kind.PHRASE
    path = [node for node in tree.ancestors(tree.word_nodes[word]) if tree.kinds[node] <= highest]
    begins = max((node for node in path if tree.first(node) == word), default=None)
    ends = max((node for node in path if tree.last(node) == word), default=None)
    symbols: list[str] = []
    for node in path:
        symbols += ["["] * (node == begins) + [tree.labels[node]] + ["]"] * (node == ends)
    return tuple(symbols)
