"""Trees read from brackets in which a word's position stands before it."""

from __future__ import annotations

from dataclasses import replace

from evaltools.errors import InputError, Problem
from evaltools.treebank import Tree, Treebank, Vocabulary
from evaltools.treebank.arrangement import disc_words, is_numbered

__all__ = ["with_positions"]


def with_positions(raw: Treebank, vocabulary: Vocabulary, *, always: bool, unescape: bool) -> Treebank:
    """Take the positions off the words and put the nodes in order; trees with wrong positions are missing and listed.

    Parameters
    ----------
    raw : Treebank
        As read from the brackets, with a vocabulary of its own.
    vocabulary : Vocabulary
        Where labels and words get their numbers.
    always : bool
        Whether words must have positions; else a tree in which not all words do is left as it is.
    unescape : bool
        Whether ``#LRB#`` and ``#RRB#`` are brackets.
    """
    nothing = Tree((), (), (), (), ())
    trees, problems = [], []
    for sentence in range(len(raw)):
        tree = raw.tree(sentence)
        if always or is_numbered(tree.words):
            try:
                forms, positions = disc_words(tree.labels, tree.kinds, unescape=unescape)
            except InputError as error:
                number, line = raw.first_sentence + sentence + 1, int(raw.line[sentence])
                wrong = error.problem
                problems.append(Problem(wrong.kind, raw.name, line, None, wrong.found, wrong.expected, number))
                tree = nothing
            else:
                tree = _numbered(tree, forms, positions)
        trees.append(tree)
    made = Treebank.from_trees(trees, vocabulary)
    return replace(
        raw,
        vocabulary=vocabulary,
        label=made.label,
        parent=made.parent,
        leftmost=made.leftmost,
        start=made.start,
        end=made.end,
        kind=made.kind,
        offsets=made.offsets,
        position=made.position,
        problems=[*raw.problems, *problems],
    )


def _numbered(tree: Tree, forms: list[str], positions: list[int]) -> Tree:
    """Put the nodes in order, unless they are, as in most sentences."""
    in_order = [position for position in positions if position >= 0] == list(range(len(tree.words)))
    if in_order and all(map(int.__lt__, tree.starts, tree.ends)):
        return replace(tree, labels=tuple(forms))
    return Tree.from_nodes(forms, positions, tree.parents, tree.kinds)
