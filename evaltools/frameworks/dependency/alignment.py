"""Aligning two dependency trees of one sentence: every arc, the words' lineages, every score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, DependencyTree, Vocabulary
from evaltools.corpus.dependency_tree import without_subtype
from evaltools.corpus.folding import compared_label
from evaltools.corpus.resegmented import segmented_tree
from evaltools.errors import ParameterError
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.common.leaf_ancestor import available_schemes
from evaltools.frameworks.common.lineages import CostTable, WordComparison
from evaltools.frameworks.common.tree_options import cost_rows
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.options import PUNCTUATION, DependencyOptions
from evaltools.frameworks.dependency.pair import (
    DependencyComparison,
    pair_dependencies,
)
from evaltools.frameworks.dependency.passes import PASSES, DependencyLineages, relation_lineage
from evaltools.frameworks.passes import Passes
from evaltools.marks import Status

_DEFAULT = DependencyOptions()


def _compared_arcs(
    gold: DependencyTree,
    test: DependencyTree,
    partner: tuple[int | None, ...],
    counted: tuple[bool, ...],
    test_counted: tuple[bool, ...],
    options: DependencyOptions = _DEFAULT,
) -> tuple[tuple[Status | None, ...], tuple[Status | None, ...], tuple[bool, ...]]:
    """Compare the arcs of two trees: the status of each gold and each test arc, and whether relations differ.

    Examples
    --------
    >>> gold = DependencyTree(("we", "saw", "it"), (1, -1, 1), ("nsubj", "root", "obj"))
    >>> test = DependencyTree(("we", "saw", "it"), (1, -1, 0), ("obj", "root", "obj"))
    >>> [str(status) for status in _compared_arcs(gold, test, (0, 1, 2), (True,) * 3, (True,) * 3)[0]]
    ['relabeled', 'right', 'missing']
    """
    back = {aligned: word for word, aligned in enumerate(partner) if aligned is not None}
    gold_status: list[Status | None] = [Status.MISSING if counts else None for counts in counted]
    test_status = [Status.SPURIOUS if counts else None for counts in test_counted]
    relabeled = [False] * len(partner)
    for word, aligned in enumerate(partner):
        if aligned is None:
            continue
        if not counted[word]:
            test_status[aligned] = None
            continue
        head, test_head = gold.heads[word], test.heads[aligned]
        relation, test_relation = gold.relations[word], test.relations[aligned]
        if options.equates_labels:
            relation, test_relation = compared_label(relation), compared_label(test_relation)
        if not options.subtypes:
            relation, test_relation = without_subtype(relation), without_subtype(test_relation)
        relabeled[word] = relation != test_relation
        if head == (test_head if test_head < 0 else back.get(test_head)):
            gold_status[word] = test_status[aligned] = Status.RELABELED if relabeled[word] else Status.RIGHT
        else:
            gold_status[word], test_status[aligned] = Status.MISSING, Status.SPURIOUS
    return tuple(gold_status), tuple(test_status), tuple(relabeled)


def align_dependencies(
    gold: DependencyTree | str,
    test: DependencyTree | str,
    *,
    punctuation: str = "keep",
    subtypes: bool = False,
    la_table: CostTable | None = None,
) -> DependencyAlignment:
    r"""Align a gold dependency tree with a test tree.

    Parameters
    ----------
    gold, test : DependencyTree or str
        The trees, or CoNLL-U.
    punctuation : {"keep", "upos", "ptb", "unicode"}
        Which words are left out as punctuation: none, those tagged PUNCT in the gold tree, those with a
        tag of PTB punctuation there, or those of Unicode punctuation only.
    subtypes : bool
        Whether relations are compared with their subtypes.
    la_table : CostTable, optional
        Replacement costs for the metric ``la_table``.

    Returns
    -------
    DependencyAlignment
        The trees, the status of every arc, word comparisons, counts and scores.

    Raises
    ------
    InputError
        If a text is not CoNLL-U.
    ParameterError
        If `punctuation` is unknown.

    Examples
    --------
    >>> gold = DependencyTree(("we", "saw", "it", "here"), (1, -1, 1, 1), ("nsubj", "root", "obj", "advmod"))
    >>> test = DependencyTree(("we", "saw", "it", "here"), (1, -1, 1, 2), ("nsubj", "root", "iobj", "advmod"))
    >>> a = align_dependencies(gold, test)
    >>> a.scores["uas"], a.scores["las"], a.scores["label"]
    (0.75, 0.5, 0.75)
    >>> round(a.scores["la_exact"], 3)
    0.825
    """
    if punctuation not in PUNCTUATION:
        raise ParameterError.unknown("punctuation", punctuation, PUNCTUATION)
    trees = [DependencyTree.from_string(tree) if isinstance(tree, str) else tree for tree in (gold, test)]
    costs = None if la_table is None else cost_rows(la_table)
    options = DependencyOptions(punctuation=punctuation, subtypes=subtypes, la_table=costs)
    return align_by_options(trees[0], trees[1], options)


def align_by_options(gold: DependencyTree, test: DependencyTree, options: DependencyOptions) -> DependencyAlignment:
    """Align a gold dependency tree with a test tree by the options of a run."""
    trees = [gold, test]
    vocabulary = Vocabulary()
    sides = [Dependencies.from_trees([tree], vocabulary) for tree in trees]
    sides[1] = segmented_tree(trees[1], sides[1])
    pair = pair_dependencies(sides[0], sides[1], options)
    passes = Passes(PASSES, DependencyComparison(pair, options), options)
    passes.run(0, 1)
    la = passes[DependencyLineages]
    status = SentenceStatus(int(pair.status[0]))
    partner = tuple(word if word >= 0 else None for word in pair.partner.tolist())
    counted, test_counted = tuple(pair.counted.tolist()), tuple(pair.test_counted.tolist())
    if not len(trees[0]):  # the gold sentence cannot be read: nothing of the parse counts
        test_counted = (False,) * len(trees[1])
    gold_status, test_status, relabeled = _compared_arcs(trees[0], trees[1], partner, counted, test_counted, options)
    schemes = tuple(metric.id for metric in available_schemes(options))
    compared = [word for word in range(len(trees[0])) if counted[word]] if status is not SentenceStatus.MISSING else []
    return DependencyAlignment(
        gold=trees[0],
        test=trees[1],
        partner=partner,
        gold_status=gold_status,
        test_status=test_status,
        relabeled=relabeled,
        words=tuple(
            _comparison(trees, word, partner[word], la.similarity[word], schemes, subtypes=options.subtypes)
            for word in compared
        ),
        status=status.label,
        counts=passes.sentence_counts(0),
        scores=passes.sentence_scores(0, status, aligned=status is SentenceStatus.WORDS_DIFFER),
    )


def _comparison(
    trees: list[DependencyTree],
    word: int,
    test_word: int | None,
    similarity: NDArray[np.float64],
    schemes: tuple[str, ...],
    *,
    subtypes: bool,
) -> WordComparison:
    gold, test = trees
    scores = {} if test_word is None else {name: float(similarity[i]) for i, name in enumerate(schemes)}
    return WordComparison(
        position=word,
        form=gold.forms[word],
        gold=relation_lineage(gold, word, subtypes=subtypes),
        test=None if test_word is None else relation_lineage(test, test_word, subtypes=subtypes),
        scores=scores,
        test_position=test_word,
        test_form=None if test_word is None else test.forms[test_word],
    )
