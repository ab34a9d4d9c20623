"""Aligning two dependency trees of one sentence: every arc, the words' lineages, every score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics import FAMILIES, METRICS, metrics_of
from evaltools.metrics.attachment import Attachment
from evaltools.metrics.dependency_lineages import DependencyLineages, relation_lineage, without_subtype
from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment
from evaltools.metrics.leaf_ancestor import CostTable
from evaltools.metrics.mapping import WordComparison
from evaltools.normalize import Status
from evaltools.normalize.dependency_pair import DependencyRules, pair_dependencies
from evaltools.treebank import Dependencies, DependencyTree, Vocabulary

__all__ = ["align_dependencies", "arc_statuses"]

_STATUS = {
    (True, True): ArcStatus.RIGHT,
    (True, False): ArcStatus.WRONG_LABEL,
    (False, True): ArcStatus.WRONG_HEAD,
    (False, False): ArcStatus.BOTH_WRONG,
}


def arc_statuses(
    gold: DependencyTree,
    test: DependencyTree,
    partner: tuple[int | None, ...],
    counted: tuple[bool, ...],
    test_counted: tuple[bool, ...],
    *,
    subtypes: bool = False,
) -> tuple[tuple[ArcStatus, ...], tuple[ArcStatus, ...]]:
    """Compare the arcs of two trees.

    Parameters
    ----------
    gold, test : DependencyTree
        The trees.
    partner : tuple of (int or None)
        For each gold word the test word that stands for it.
    counted, test_counted : tuple of bool
        The gold words and the test words that count.
    subtypes : bool
        Whether relations are compared with their subtypes.

    Returns
    -------
    gold_status, test_status : tuple of ArcStatus
        Status of the arc from every word to its head.

    Examples
    --------
    >>> gold = DependencyTree(("we", "saw", "it"), (1, -1, 1), ("nsubj", "root", "obj"))
    >>> test = DependencyTree(("we", "saw", "it"), (1, -1, 0), ("obj", "root", "obj"))
    >>> [str(status) for status in arc_statuses(gold, test, (0, 1, 2), (True,) * 3, (True,) * 3)[0]]
    ['wrong_label', 'right', 'wrong_head']
    """
    back = {other: word for word, other in enumerate(partner) if other is not None}
    gold_status = []
    test_status = [ArcStatus.UNALIGNED if counts else ArcStatus.LEFT_OUT for counts in test_counted]
    for word, other in enumerate(partner):
        status = ArcStatus.UNALIGNED
        if not counted[word]:
            status = ArcStatus.LEFT_OUT
        elif other is not None:
            head, test_head = gold.heads[word], test.heads[other]
            same_head = head < 0 if test_head < 0 else head >= 0 and back.get(test_head) == head
            names = gold.relations[word], test.relations[other]
            if not subtypes:
                names = without_subtype(names[0]), without_subtype(names[1])
            same_relation = names[0] == names[1]
            status = _STATUS[same_head, same_relation]
        gold_status.append(status)
        if other is not None:
            test_status[other] = status
    return tuple(gold_status), tuple(test_status)


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
    punctuation : {"keep", "upos", "unicode"}
        Whether punctuation is left out, and how it is known.
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
        If a text is no CoNLL-U.
    ParameterError
        If there is no such way with punctuation.

    Examples
    --------
    >>> gold = DependencyTree(("we", "saw", "it", "here"), (1, -1, 1, 1), ("nsubj", "root", "obj", "advmod"))
    >>> test = DependencyTree(("we", "saw", "it", "here"), (1, -1, 1, 2), ("nsubj", "root", "iobj", "advmod"))
    >>> a = align_dependencies(gold, test)
    >>> a.scores["uas"], a.scores["las"], a.scores["label_accuracy"]
    (0.75, 0.5, 0.75)
    >>> round(a.scores["la_strict"], 3)
    0.825
    """
    trees = [DependencyTree.from_string(tree) if isinstance(tree, str) else tree for tree in (gold, test)]
    rules = DependencyRules(punctuation, subtypes)
    vocabulary = Vocabulary()
    sides = [Dependencies.from_trees([tree], vocabulary) for tree in trees]
    pair = pair_dependencies(sides[0], sides[1], rules)
    attachment = Attachment(pair, subtypes=subtypes)
    la = DependencyLineages(pair, subtypes=subtypes, table=la_table)
    la.run(0, 1)
    status = Status(int(pair.status[0]))
    counts = {"sentences": 1.0}
    counts |= dict(zip(FAMILIES["attachment"], attachment.counts[0].tolist(), strict=True))
    counts |= dict(zip(FAMILIES["la"], la.counts[0].tolist(), strict=True))
    columns = {name: np.array([value]) for name, value in counts.items()}
    scores: dict[str, float | None] = {}
    for name in metrics_of("dependency"):
        if name != "la_table" or la_table is not None:
            value = float(METRICS[name].score(columns)[0])
            scores[name] = None if np.isnan(value) or status is Status.MISSING else value
    partner = tuple(other if other >= 0 else None for other in pair.partner.tolist())
    counted, test_counted = tuple(pair.counted.tolist()), tuple(pair.test_counted.tolist())
    statuses = arc_statuses(trees[0], trees[1], partner, counted, test_counted, subtypes=subtypes)
    schemes = ("strict", "partial", "table")[: 3 if la_table is not None else 2]
    compared = [word for word in range(len(trees[0])) if counted[word]] if status is not Status.MISSING else []
    return DependencyAlignment(
        gold=trees[0],
        test=trees[1],
        partner=partner,
        gold_status=statuses[0],
        test_status=statuses[1],
        words=tuple(
            _comparison(trees, word, partner[word], la.similarity[word], schemes, subtypes=subtypes)
            for word in compared
        ),
        status=status.label,
        counts=counts,
        scores=scores,
    )


def _comparison(
    trees: list[DependencyTree],
    word: int,
    other: int | None,
    similarity: NDArray[np.float64],
    schemes: tuple[str, ...],
    *,
    subtypes: bool,
) -> WordComparison:
    gold, test = trees
    found = {} if other is None else {f"la_{name}": float(similarity[i]) for i, name in enumerate(schemes)}
    return WordComparison(
        position=word,
        form=gold.forms[word],
        gold=relation_lineage(gold, word, subtypes=subtypes),
        test=None if other is None else relation_lineage(test, other, subtypes=subtypes),
        scores=found,
        test_position=other,
        test_form=None if other is None else test.forms[other],
    )
