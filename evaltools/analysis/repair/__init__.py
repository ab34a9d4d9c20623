"""From a parser's tree to the gold tree in a few steps, each of which repairs as many brackets as it can.

Errors are brackets of the test tree that the gold tree does not have (*extra*) and brackets of the gold tree that the
test tree does not have (*missing*), counted as the E-mapping does: label and span, one to one. A step changes the
label of a bracket, moves neighbouring nodes to another place, adds a bracket, or removes one. Greedily, the step that
leaves the fewest errors is taken, until none is left.

References
----------
J. K. Kummerfeld, D. Hall, J. R. Curran and D. Klein (2012). Parser showdown at the Wall Street Corral: an empirical
investigation of error types in parser output. EMNLP-CoNLL 2012.

Notes
-----
Differences from the paper: a step that repairs nothing is never taken, because removing an extra bracket, or, where
there is none, adding a missing one, always repairs one; so the steps are at most as many as the errors, they end at
the gold brackets on any input, and the brackets repaired add up to the errors. Nodes move only if every bracket whose
span changes by it was wrong before. Among equally good steps a change of label comes first, then the move of the fewest
words, then an addition, then a removal; then the one further to the left, the larger bracket first.
"""

from __future__ import annotations

from collections import Counter

from evaltools.analysis.repair.columns import PairColumns, tree_steps
from evaltools.analysis.repair.steps import Bracket, Key, Operation, Part, RepairStep
from evaltools.treebank import Kind, Tree

__all__ = ["Bracket", "Operation", "PairColumns", "Part", "RepairStep", "errors", "repair"]


def errors(gold: Tree, test: Tree) -> tuple[Counter[Key], Counter[Key]]:
    """Return the extra and the missing phrase brackets of a test tree, with how often each occurs.

    Parameters
    ----------
    gold, test : Tree
        Trees over the same number of words.

    Examples
    --------
    >>> gold, test = Tree.from_string("(S (NP (D the) (N dog)))"), Tree.from_string("(S (D the) (N dog))")
    >>> errors(gold, test)
    (Counter(), Counter({('NP', 0, 2): 1}))
    """
    wanted, there = _brackets(gold), _brackets(test)
    return there - wanted, wanted - there


def repair(gold: Tree, test: Tree) -> list[RepairStep]:
    """Turn a test tree into the gold tree.

    Parameters
    ----------
    gold, test : Tree
        Normalised trees of one sentence, over the same number of words.

    Returns
    -------
    list of RepairStep
        In the order taken; their ``repaired`` add up to the number of extra and missing brackets.

    Raises
    ------
    ValueError
        If the trees have different numbers of words.

    Examples
    --------
    A prepositional phrase one level too high:

    >>> gold = Tree.from_string("(S (NP (P she)) (VP (V ate) (NP (NP (N pasta)) (PP (I with) (NP (N cheese))))))")
    >>> test = Tree.from_string("(S (NP (P she)) (VP (V ate) (NP (N pasta)) (PP (I with) (NP (N cheese)))))")
    >>> [(str(step.operation), step.bracket.label, step.repaired) for step in repair(gold, test)]
    [('add', 'NP', 1)]
    """
    if len(gold.words) != len(test.words):
        raise ValueError(f"trees over {len(gold.words)} and {len(test.words)} words cannot be repaired")
    return tree_steps(gold, test)


def _brackets(tree: Tree) -> Counter[Key]:
    return Counter((tree.labels[node], *tree.span(node)) for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE)
