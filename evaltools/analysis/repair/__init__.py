"""From a parser's tree to the gold tree in a few steps, each of which repairs as many brackets as it can.

Errors are brackets of the test tree that the gold tree does not have (*extra*) and brackets of the gold tree that the
test tree does not have (*missing*), counted as the E-mapping does: label and span, one to one. A step changes the
label of an extra bracket to that of a missing one, adds a missing bracket that crosses no other, removes an extra one,
or moves neighboring children of a node: down into an extra bracket beside them, or, out of an extra bracket, up or into
an extra bracket beside it. A bracket that is left with one child of its own label is merged with it, and one missing
bracket inside the new parent that holds what moved, and crosses nothing any more, is added with the move. Greedily, the
step that leaves the fewest errors is taken, the first one of equally good steps, until no error is left.

References
----------
J. K. Kummerfeld, D. Hall, J. R. Curran and D. Klein (2012). Parser showdown at the Wall Street Corral: an empirical
investigation of error types in parser output. EMNLP-CoNLL 2012.

Notes
-----
These are the steps of the program that the authors published, in its order: changes of labels, additions, removals,
moves; each in the order of the spans, and moves in that of the nodes that they leave. Differences from it: an added
bracket stands among others over the same words where the gold tree has it, and not above all of them, so that the steps
end at the gold tree; punctuation, function tags and traces are those that the preset of the run leaves; and a sentence
that needs more than 100 steps is repaired, too. No step is taken that repairs nothing, there or here: where an error
is left, a removal or an addition repairs one. So the steps are at most as many as the errors, they end at the gold
brackets on any input, and the brackets repaired add up to the errors.
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
