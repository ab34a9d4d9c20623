"""Leaf-ancestor: how alike are the lineages of each word in the two trees.

A word's lineage is the string of labels from the leaf to the root, with a ``[`` before the label of the highest
phrase that begins at the word and a ``]`` after the label of the highest that ends there. Two lineages are compared
by edit distance: insertion and deletion cost 1; replacement 2 (``strict``), or 0.5 where both are labels with the same
first character (``partial``), or as a table says. Similarity is 1 − distance / (len gold + len test); a sentence
scores the mean over its words.

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

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import InputError, Problem, excerpt
from evaltools.formats.small_tables import table_lines
from evaltools.metrics.base import Counts, Metric, Symbols, columns_of, ratio
from evaltools.metrics.lineage_table import lineage_table
from evaltools.metrics.mapping import Lineage
from evaltools.normalize import Pair
from evaltools.normalize.word_alignment import word_offsets
from evaltools.treebank import Kind, Tree, Vocabulary

__all__ = ["COLUMNS", "METRICS", "CostTable", "LeafAncestor", "lineage", "lineage_alignment", "read_cost_table"]

SCHEMES = ("strict", "partial", "table")
COLUMNS = ("la_words", "la_strict_sum", "la_partial_sum", "la_table_sum")
"""Count columns: words that are compared (where nothing is: all gold words), and the sums of their similarities."""

_TITLES = {
    "strict": "LA, strict",
    "partial": "LA, partial credit",
    "table": "LA, costs from a table",
}


def _metric(scheme: str) -> Metric:
    column = f"la_{scheme}_sum"

    def score(counts: Counts) -> NDArray[np.float64]:
        return ratio(counts[column], counts["la_words"])

    return Metric(
        id=f"la_{scheme}",
        title=_TITLES[scheme],
        family="la",
        formula="mean over words of 1 − Lv / (len gold + len test)",
        columns=(column, "la_words"),
        score=score,
        where_words_differ="mean over the aligned words; in figures over all sentences the other gold words count 0",
        over_all={"la_words": "words_scored"},
    )


METRICS: tuple[Metric, ...] = tuple(_metric(scheme) for scheme in SCHEMES)


@dataclass(frozen=True)
class CostTable:
    """Replacement costs of pairs of labels; any pair not listed costs 2.

    Parameters
    ----------
    costs : dict
        From (label, label) to a cost in (0, 2]; holds in both directions.
    """

    costs: dict[tuple[str, str], float]

    def cost(self, one: str, other: str) -> float:
        """Return what it costs to replace a label by another.

        Parameters
        ----------
        one, other : str
            The labels, in either order.
        """
        if one == other:
            return 0.0
        return self.costs.get((one, other), self.costs.get((other, one), 2.0))

    def matrix(self, vocabulary: Vocabulary, label_class: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the costs by label number, shape (labels, labels).

        Parameters
        ----------
        vocabulary : Vocabulary
            The labels.
        label_class : ndarray of int32, shape (labels,)
            The class of each label; costs are entered for classes.
        """
        size = len(vocabulary.labels)
        matrix = np.full((size, size), 2.0)
        np.fill_diagonal(matrix, 0.0)
        for one, other in self.costs:
            a, b = vocabulary.labels.find(one), vocabulary.labels.find(other)
            if a >= 0 and b >= 0:
                matrix[label_class[a], label_class[b]] = self.cost(one, other)
                matrix[label_class[b], label_class[a]] = self.cost(other, one)
        return matrix


def read_cost_table(path: str | os.PathLike[str]) -> CostTable:
    """Read a table of replacement costs.

    Each line holds two labels and a cost in (0, 2], separated by white space; ``#`` begins a comment.

    Parameters
    ----------
    path : path
        The file, in UTF-8.

    Returns
    -------
    CostTable
        The costs; they hold in both directions.

    Raises
    ------
    InputError
        If the file cannot be read, or a line is not of this form.
    """
    name = str(path)
    costs: dict[tuple[str, str], float] = {}
    for number, line in enumerate(table_lines(path, "cost_table", "a table of costs"), start=1):
        fields = line.split("#", 1)[0].split()
        if not fields:
            continue
        expected = "two labels and a cost above 0 and at most 2"
        try:
            one, other, text = fields
            cost = float(text)
        except ValueError:
            raise InputError(Problem("cost_table", name, number, 1, excerpt(line.strip()), expected)) from None
        if not 0 < cost <= 2:
            raise InputError(Problem("cost_table", name, number, 1, f"cost {excerpt(text)}", expected))
        costs[one, other] = cost
    return CostTable(costs)


class LeafAncestor:
    """The LA pass over a pair of treebanks.

    Parameters
    ----------
    pair : Pair
        The normalised treebanks.
    symbols : Symbols
        Classes of the labels.
    preterminals : bool
        Whether lineages include the word's tag.
    table : CostTable, optional
        A user's replacement costs.

    Attributes
    ----------
    similarity : ndarray of float64, shape (gold words, 3)
        Strict, partial, table; NaN in sentences that are not scored, for words that are not aligned, and for the table
        where there is none.
    length : ndarray of int32, shape (gold words, 2)
        Symbols of the gold and of the test lineage.
    word_offsets : ndarray of int64, shape (sentences + 1,)
        First gold word of each sentence.
    """

    def __init__(
        self, pair: Pair, symbols: Symbols, *, preterminals: bool = False, table: CostTable | None = None
    ) -> None:
        gold, test = pair.gold.treebank, pair.test.treebank
        self._gold, self._test = columns_of(gold, symbols.gold), columns_of(test, symbols.test)
        self._scored = pair.scored
        self._word_partner = np.zeros(0, dtype=np.int32) if pair.alignment is None else pair.alignment.partner
        self._initial = symbols.initial
        self._highest_kind = np.uint8(1 if preterminals else 0)
        self._use_table = table is not None
        self._table = np.zeros((1, 1)) if table is None else table.matrix(gold.vocabulary, symbols.label_class)
        self.word_offsets = word_offsets(gold)
        self.similarity = np.full((int(self.word_offsets[-1]), 3), np.nan)
        self.length = np.zeros((len(self.similarity), 2), dtype=np.int32)

    def run(self, first: int, last: int) -> None:
        """Score the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.lineages import compare_lineages

        compare_lineages(
            *self._gold,
            *self._test,
            self._scored,
            self._word_partner,
            self._initial,
            self._table,
            self._use_table,
            self._highest_kind,
            self.word_offsets,
            self.similarity,
            self.length,
            first,
            last,
        )

    @property
    def counts(self) -> NDArray[np.float64]:
        """Count columns, shape (sentences, 4), as :data:`COLUMNS` names them."""
        similarity = np.nan_to_num(self.similarity)
        if not self._use_table:
            similarity[:, 2] = 0.0
        result = np.zeros((len(self.word_offsets) - 1, 4))
        result[:, 0] = np.diff(self.word_offsets)
        filled = np.flatnonzero(result[:, 0])
        if len(filled):
            result[filled, 1:] = np.add.reduceat(similarity, self.word_offsets[filled], axis=0)
            if len(self._word_partner):
                aligned = self._scored == 2
                n_aligned = np.zeros(len(result))
                n_aligned[filled] = np.add.reduceat(self._word_partner >= 0, self.word_offsets[filled], dtype=np.int64)
                result[aligned, 0] = n_aligned[aligned]
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
    begins = max((node for node in path if tree.starts[node] == word), default=None)
    ends = max((node for node in path if tree.ends[node] == word + 1), default=None)
    symbols: list[str] = []
    for node in path:
        symbols += ["["] * (node == begins) + [tree.labels[node]] + ["]"] * (node == ends)
    return tuple(symbols)


def lineage_alignment(
    gold: Lineage, test: Lineage, scheme: str = "strict", table: CostTable | None = None
) -> list[tuple[str | None, str | None, float]]:
    """Align two lineages symbol by symbol at least cost.

    Parameters
    ----------
    gold, test : tuple of str
        The lineages; ``[`` and ``]`` are markers.
    scheme : {"strict", "partial", "table"}
        What replacements cost.
    table : CostTable, optional
        For the scheme ``"table"``.

    Returns
    -------
    list of (str or None, str or None, float)
        Gold symbol, test symbol, cost; None where a symbol is deleted or inserted.

    Examples
    --------
    The word *revision* of Sampson and Babarczy's first example:

    >>> steps = lineage_alignment(("N1", "]", "N1", "S"), ("NP", "S"), "partial")
    >>> sum(cost for _, _, cost in steps)
    2.5
    """
    return lineage_table(gold, test, scheme, table).steps
