"""One sentence through TedEval of 2011, step by step, to be shown.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaltools.errors import ParameterError
from evaltools.metrics.function_columns import FunctionColumns, FunctionVocabulary, compared_form
from evaltools.metrics.tedeval2011 import COLUMNS, REFUSALS, Refusal, TedEval2011
from evaltools.treebank import MultiFunctionTree
from evaltools.treebank.function_trees import HEAD, WILDCARD, Yield

__all__ = ["OlderStep", "OlderSteps", "tedeval2011_steps"]

_KINDS: tuple[Literal["delete", "insert", "relabel"], ...] = ("delete", "insert", "relabel")


@dataclass(frozen=True, slots=True)
class OlderStep:
    """One step of the script from a parse to what its golds have in common.

    Parameters
    ----------
    kind : {"delete", "insert", "relabel"}
        What is done.
    label : str
        The function.
    words : frozenset of int
        The words of the node.
    becomes : str or None
        The function after it was relabelled.
    discarded : bool
        Whether the own gold needs the same step, so that it is no error.
    """

    kind: Literal["delete", "insert", "relabel"]
    label: str
    words: Yield
    becomes: str | None
    discarded: bool


@dataclass(frozen=True, slots=True)
class OlderSteps:
    """All that the score of one sentence is made of.

    Parameters
    ----------
    parse : MultiFunctionTree
        The parse, heads under the wildcard.
    golds : tuple of MultiFunctionTree
        The gold trees, likewise.
    steps : tuple of OlderStep
        From the parse to the generalization.
    delta : int
        Number of steps that are not discarded.
    n_parse, n_generalized : int
        Numbers of functions that count.
    """

    parse: MultiFunctionTree
    golds: tuple[MultiFunctionTree, ...]
    steps: tuple[OlderStep, ...]
    delta: int
    n_parse: int
    n_generalized: int

    @property
    def score(self) -> float | None:
        """1 − δ / (n_parse + n_generalized); None where there is nothing to count."""
        total = self.n_parse + self.n_generalized
        return 1 - self.delta / total if total else None


def _wild(tree: MultiFunctionTree) -> MultiFunctionTree:
    labels = {
        words: frozenset(WILDCARD if one == HEAD else one for one in names) for words, names in tree.labels.items()
    }
    return MultiFunctionTree(tree.words, labels)


def _columns(tree: MultiFunctionTree, vocabulary: FunctionVocabulary) -> FunctionColumns:
    rows = []
    for words, names in tree.labels.items():
        start, end = min(words), max(words) + 1
        if end - start != len(words):
            raise ParameterError(REFUSALS[Refusal.NOT_PROJECTIVE])
        rows += [(start << 32 | end, vocabulary.labels.add(name)) for name in names] or [(start << 32 | end, -1)]
    return FunctionColumns(
        vocabulary,
        np.zeros(len(rows), dtype=np.int32),
        np.array([span for span, _ in rows], dtype=np.int64),
        np.array([label for _, label in rows], dtype=np.int32),
        vocabulary.words.add_all(map(compared_form, tree.words)),
        np.array([0, len(tree.words)], dtype=np.int64),
    )


def tedeval2011_steps(parse: MultiFunctionTree, golds: Sequence[MultiFunctionTree], own: int = 0) -> OlderSteps:
    """Compare a parse with what several golds have in common, labels counted and the root not.

    Parameters
    ----------
    parse : MultiFunctionTree
        The parser's tree; heads are labelled ``hd`` or ``*``.
    golds : sequence of MultiFunctionTree
        Gold trees over the same words, one or more.
    own : int
        Which of them is of the parser's theory.

    Returns
    -------
    OlderSteps
        The steps and the score.

    Raises
    ------
    ParameterError
        If the sentence cannot be compared in this mode, or the words differ.

    Examples
    --------
    >>> from evaltools.treebank import dependency_function_tree, multi_function_tree
    >>> words, names = ("Kim", "met", "Sandy"), ("nsubj", "root", "obj")
    >>> gold, parse = (
    ...     multi_function_tree(dependency_function_tree(words, (1, -1, 1), relations))
    ...     for relations in (names, ("nsubj", "root", "iobj"))
    ... )
    >>> made = tedeval2011_steps(parse, [gold])
    >>> [(one.kind, one.label, one.becomes) for one in made.steps], made.score
    ([('relabel', 'iobj', 'obj')], 0.8333333333333334)
    """
    trees = [_wild(tree) for tree in (parse, *golds)]
    if any(tree.words != trees[0].words for tree in trees):
        raise ParameterError("the words of the trees differ; TedEval of 2011 compares trees over the same words")
    vocabulary = FunctionVocabulary()
    columns = [_columns(tree, vocabulary) for tree in trees]
    made = TedEval2011(columns[0], columns[1:], own)
    if made.refused[0] != Refusal.NONE:
        raise ParameterError(REFUSALS[Refusal(int(made.refused[0]))])
    counts = dict(zip(COLUMNS, made.counts[0].tolist(), strict=True))
    labels = vocabulary.labels.strings()
    steps = []
    for _, kind, span, symbol, _, other, shared in made.operations["labelled"].tolist():
        words = frozenset(range(span >> 32, span & 0xFFFFFFFF))
        becomes = labels[other] if other >= 0 else None
        steps.append(OlderStep(_KINDS[kind], labels[symbol], words, becomes, bool(shared)))
    sizes = (counts[f"tedeval2011_{what}_labelled"] for what in ("error", "parse", "generalized"))
    return OlderSteps(trees[0], tuple(trees[1:]), tuple(steps), *sizes)
