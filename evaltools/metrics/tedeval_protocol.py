"""One sentence through TedEval, step by step, to be shown.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012. Figure 3.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Literal

from evaltools.errors import ParameterError
from evaltools.metrics.function_columns import FunctionColumns, compared_form
from evaltools.metrics.members import Segmented, has_multiwords, sentence_members
from evaltools.shown import Shown
from evaltools.treebank import MultiFunctionTree, generalize
from evaltools.treebank.function_trees import Yield
from evaltools.treebank.multi_function_trees import divided

__all__ = ["Operation", "TedEvalProtocol", "edit_script", "sentence_protocol", "tedeval_protocol"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One step of an edit script.

    Parameters
    ----------
    kind : {"delete", "add"}
        What is done.
    label : str or None
        The function; None where labels do not count.
    words : frozenset of int
        The words of the node.
    discarded : bool
        For a parse: its own gold needs the same step, so it is no error. For a gold: the parse needs it too.
    """

    kind: Literal["delete", "add"]
    label: str | None
    words: Yield
    discarded: bool = False


@dataclass(frozen=True, slots=True)
class TedEvalProtocol(Shown):
    """All that the score of one sentence is made of.

    Parameters
    ----------
    parse : MultiFunctionTree
        The parse.
    golds : tuple of MultiFunctionTree
        The gold trees that were compared.
    own : int
        Which of them is of the parser's theory.
    generalization : MultiFunctionTree
        What all golds have in common.
    labelled, count_root : bool
        What counts.
    in_characters : bool
        Whether the trees are over characters, because the words differ.
    operations : tuple of Operation
        From the parse to the generalization: deletions, then additions, the largest nodes first.
    gold_operations : tuple of tuple of Operation
        For every gold, from it to the generalization.
    n_parse, n_generalized : int
        Sizes, in pairs of a function and its words, or in nodes.
    words_aligned : bool
        Whether the words differ and there are multiword tokens: the trees are then over the aligned words of these,
        words that one side alone has, and stretches of characters.
    """

    parse: MultiFunctionTree
    golds: tuple[MultiFunctionTree, ...]
    own: int
    generalization: MultiFunctionTree
    labelled: bool
    count_root: bool
    in_characters: bool
    operations: tuple[Operation, ...]
    gold_operations: tuple[tuple[Operation, ...], ...]
    n_parse: int
    n_generalized: int
    words_aligned: bool = False

    @property
    def delta(self) -> int:
        """Number of operations that are not discarded."""
        return sum(not one.discarded for one in self.operations)

    @property
    def score(self) -> float | None:
        """1 − δ / (n_parse + n_generalized); None where there is nothing to count and the trees are not equal."""
        total = self.n_parse + self.n_generalized
        if total:
            return 1 - self.delta / total
        equal = self.parse.labels in (self.generalization.labels, self.golds[self.own].labels)
        if not self.labelled:
            equal = self.parse.yields in (self.generalization.yields, self.golds[self.own].yields)
        return 1.0 if equal else None


def _counted(tree: MultiFunctionTree, labelled: bool, roots: Set[Yield]) -> set[tuple[str | None, Yield]]:
    counted: set[tuple[str | None, Yield]] = set(tree.pairs) if labelled else {(None, one) for one in tree.yields}
    return {one for one in counted if one[1] not in roots}


def _script(have: Set[tuple[str | None, Yield]], want: Set[tuple[str | None, Yield]]) -> tuple[Operation, ...]:
    def order(one: tuple[str | None, Yield]) -> tuple[int, list[int], str]:
        return -len(one[1]), sorted(one[1]), one[0] or ""

    return (
        *(Operation("delete", *one) for one in sorted(have - want, key=order)),
        *(Operation("add", *one) for one in sorted(want - have, key=order)),
    )


def edit_script(
    start: MultiFunctionTree, goal: MultiFunctionTree, *, labelled: bool = True, count_root: bool = True
) -> tuple[Operation, ...]:
    """Return the cheapest steps from one tree to another.

    Parameters
    ----------
    start, goal : MultiFunctionTree
        Trees over the same words.
    labelled : bool
        Whether functions are added and deleted, or nodes.
    count_root : bool
        Whether the node over the whole sentence counts.

    Returns
    -------
    tuple of Operation
        Deletions, then additions, the largest nodes first.

    Examples
    --------
    >>> words = ("John", "slept")
    >>> flat = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}})
    >>> full = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}, frozenset({0}): {"sbj"}})
    >>> [(one.kind, one.label) for one in edit_script(flat, full)]
    [('add', 'sbj')]
    """
    have, want = (
        _counted(tree, labelled, frozenset() if count_root else {frozenset(range(len(tree.words)))})
        for tree in (start, goal)
    )
    return _script(have, want)


def tedeval_protocol(
    parse: MultiFunctionTree,
    golds: Sequence[MultiFunctionTree],
    own: int = 0,
    *,
    labelled: bool = True,
    count_root: bool = True,
) -> TedEvalProtocol:
    """Score one sentence and keep every step.

    Parameters
    ----------
    parse : MultiFunctionTree
        The parse.
    golds : sequence of MultiFunctionTree
        One gold tree (*single*), or several (*multiple*).
    own : int
        Which of them is of the parser's theory.
    labelled : bool
        Whether functions count, or nodes only.
    count_root : bool
        Whether the node over the whole sentence counts.

    Returns
    -------
    TedEvalProtocol

    Raises
    ------
    ParameterError
        If the trees are over different characters.

    Examples
    --------
    A perfect parse, against what its gold has in common with another one:

    >>> words = ("John", "slept")
    >>> flat = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}})
    >>> full = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}, frozenset({0}): {"sbj"}})
    >>> made = tedeval_protocol(full, [full, flat])
    >>> [(one.kind, one.label, one.discarded) for one in made.operations], made.delta, made.score
    ([('delete', 'sbj', True)], 0, 1.0)
    """
    if not 0 <= own < len(golds):
        raise ParameterError(f"gold {own} of {len(golds)}; expected a number from 0 to {len(golds) - 1}")
    trees = [parse, *golds]
    forms = [tuple(compared_form(word) for word in tree.words) for tree in trees]
    in_characters = len(set(forms)) > 1
    if in_characters:
        if len({"".join(one) for one in forms}) > 1:
            raise ParameterError("trees over different characters; expected the same text")
        trees = [divided(MultiFunctionTree(one, tree.labels)) for one, tree in zip(forms, trees, strict=True)]
    wholes = [frozenset(range(len(trees[0].words)))] * len(trees)
    return _protocol(trees, wholes, own, labelled=labelled, count_root=count_root, in_characters=in_characters)


def _protocol(
    trees: Sequence[MultiFunctionTree],
    wholes: Sequence[Yield],
    own: int,
    *,
    labelled: bool,
    count_root: bool,
    **how: bool,
) -> TedEvalProtocol:
    """Compare a parse, the first tree, with golds over the same members, given all members that each tree has."""
    parse, *golds = trees
    gen = generalize(*golds)
    roots: list[frozenset[Yield]] = [frozenset() if count_root else frozenset({whole}) for whole in wholes]
    have, *native = (_counted(tree, labelled, root) for tree, root in zip(trees, roots, strict=True))
    want = _counted(gen, labelled, frozenset().union(*roots[1:]))
    script = _script(have, want)
    from_golds = [_script(one, want) for one in native]
    shared = set(script) & set(from_golds[own])

    def marked(script: Sequence[Operation]) -> tuple[Operation, ...]:
        return tuple(Operation(one.kind, one.label, one.words, one in shared) for one in script)

    return TedEvalProtocol(
        parse=parse,
        golds=tuple(golds),
        own=own,
        generalization=gen,
        labelled=labelled,
        count_root=count_root,
        in_characters=how.get("in_characters", False),
        operations=marked(script),
        gold_operations=tuple(marked(one) if place == own else one for place, one in enumerate(from_golds)),
        n_parse=len(have),
        n_generalized=len(want),
        words_aligned=how.get("words_aligned", False),
    )


def sentence_protocol(
    parse: FunctionColumns,
    golds: Sequence[FunctionColumns],
    sentence: int,
    own: int = 0,
    *,
    labelled: bool = True,
    count_root: bool = True,
) -> TedEvalProtocol:
    """Score one sentence of a corpus and keep every step.

    Parameters
    ----------
    parse : FunctionColumns
        The parser's trees.
    golds : sequence of FunctionColumns
        Gold trees of the same sentences.
    sentence : int
        The sentence, from 0.
    own, labelled, count_root
        As for :func:`tedeval_protocol`.

    Returns
    -------
    TedEvalProtocol
        Over words where they are the same, else over characters, or over members where there are multiword tokens.

    Raises
    ------
    ParameterError
        If a tree is missing, or the trees are over different characters.
    """
    corpora = (parse, *golds)
    words = {corpus.words(sentence) for corpus in corpora}
    if () in words:
        raise ParameterError(f"a tree of sentence {sentence + 1} is missing; expected all of them")
    trees = [corpus.tree(sentence) for corpus in corpora]
    if len(words) == 1 or not has_multiwords(corpora, sentence):
        return tedeval_protocol(trees[0], trees[1:], own, labelled=labelled, count_root=count_root)
    if not 0 <= own < len(golds):
        raise ParameterError(f"gold {own} of {len(golds)}; expected a number from 0 to {len(golds) - 1}")
    ours, *theirs = (Segmented.of(corpus, sentence) for corpus in corpora)
    if len({one.text() for one in (ours, *theirs)}) > 1:
        raise ParameterError("trees over different characters; expected the same text")
    made = sentence_members(theirs, ours, own)
    *of_golds, of_parse = made.words
    over = [_over_members(tree, held, made.names) for tree, held in zip(trees, (of_parse, *of_golds), strict=True)]
    wholes = [frozenset(one for word in held for one in word) for held in (of_parse, *of_golds)]
    return _protocol(over, wholes, own, labelled=labelled, count_root=count_root, words_aligned=True)


def _over_members(tree: MultiFunctionTree, held: Sequence[tuple[int, ...]], names: Sequence[str]) -> MultiFunctionTree:
    """Return a tree over members, given those of each word."""
    labels: dict[Yield, frozenset[str]] = {}
    for words, own in tree.labels.items():
        if covered := frozenset(one for word in words for one in held[word]):
            labels[covered] = labels.get(covered, frozenset()) | own
    return MultiFunctionTree(tuple(names), labels)
