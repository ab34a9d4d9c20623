"""TedEval of one sentence: computes the steps.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP 2011.
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012. Figure 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import Literal

from evaltools.corpus import MultiFunctionTree, generalize
from evaltools.corpus.function_trees import HEAD, WILDCARD, Yield, character_tree
from evaltools.errors import ParameterError
from evaltools.frameworks.crossframework.edit_scripts import Operation, TedEvalProtocol
from evaltools.frameworks.crossframework.function_columns import FunctionColumns, FunctionVocabulary
from evaltools.frameworks.crossframework.memberships import (
    Memberships,
    Segmentation,
    Segmented,
    check_own,
    compare_words,
    has_multiwords,
    sentence_members,
)
from evaltools.frameworks.crossframework.tedeval import COLUMNS_2011, LABELS, REFUSALS, Refusal, TedEval2011

Node = tuple[str | None, Yield]
"""A function and its words; no function where labels do not count."""

_KINDS: tuple[Literal["delete", "insert", "relabel"], ...] = ("delete", "insert", "relabel")
"""By the number that the pass has for them."""
_ORDER = ("delete", "relabel", "insert")
"""In which they are listed."""


def tedeval_protocol(
    parse: MultiFunctionTree,
    golds: Sequence[MultiFunctionTree],
    own: int = 0,
    *,
    labeled: bool = True,
    count_root: bool = True,
) -> TedEvalProtocol:
    """Score one sentence and return every step.

    Parameters
    ----------
    parse : MultiFunctionTree
        The parse.
    golds : sequence of MultiFunctionTree
        One gold tree (*single*), or several (*multiple*).
    own : int
        Index of the gold tree that follows the parser's theory.
    labeled : bool
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
    A perfect parse, compared with what two gold trees have in common:

    >>> words = ("John", "slept")
    >>> flat = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}})
    >>> full = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}, frozenset({0}): {"sbj"}})
    >>> protocol = tedeval_protocol(full, [full, flat])
    >>> [(step.kind, step.label, step.discarded) for step in protocol.operations], protocol.delta, protocol.score
    ([('delete', 'sbj', True)], 0, 1.0)
    """
    trees = [parse, *golds]
    vocabulary = FunctionVocabulary()
    corpora = [FunctionColumns.from_trees([tree], vocabulary) for tree in trees]
    compared = zip(trees, corpora, strict=True)
    trees = [MultiFunctionTree(tree.words, columns.tree(0).labels) for tree, columns in compared]
    return _protocol(trees, corpora, 0, own, labeled=labeled, count_root=count_root)


def sentence_protocol(
    parse: FunctionColumns,
    golds: Sequence[FunctionColumns],
    sentence: int,
    own: int = 0,
    *,
    labeled: bool = True,
    count_root: bool = True,
) -> TedEvalProtocol:
    """Score one sentence of a corpus and return every step."""
    corpora = [parse, *golds]
    if not all(corpus.n_words[sentence] for corpus in corpora):
        raise ParameterError(f"a tree of sentence {sentence + 1} is missing; expected all of them")
    trees = [corpus.tree(sentence) for corpus in corpora]
    return _protocol(trees, corpora, sentence, own, labeled=labeled, count_root=count_root)


def _protocol(
    trees: list[MultiFunctionTree],
    corpora: list[FunctionColumns],
    sentence: int,
    own: int,
    *,
    labeled: bool,
    count_root: bool,
) -> TedEvalProtocol:
    """Compare a parse, the first tree, with golds, given as trees and as sentences of corpora."""
    n_golds = len(corpora) - 1
    check_own(own, n_golds)
    segmentation = compare_words(corpora)
    if segmentation[sentence] == Segmentation.DIFFERENT:
        raise ParameterError("trees over different characters; expected the same text")
    words_differ = bool(segmentation[sentence] == Segmentation.CHARACTERS)
    words_aligned = words_differ and has_multiwords(corpora, sentence)
    if words_aligned:
        trees = _over_members(trees, [Segmented.of(corpus, sentence) for corpus in corpora], own)
    elif words_differ:
        trees = [
            character_tree(MultiFunctionTree(corpus.words(sentence), tree.labels))
            for corpus, tree in zip(corpora, trees, strict=True)
        ]
    memberships = Memberships(corpora, segmentation, own)
    found = memberships.nodes(labeled=labeled, count_root=count_root)
    chosen = slice(*found.offsets[sentence : sentence + 2].tolist())
    nodes = [
        (memberships.node(code), having)
        for code, having in zip(found.codes[chosen].tolist(), found.counted[chosen].tolist(), strict=True)
    ]
    have, *native = ({node for node, having in nodes if having >> index & 1} for index in range(len(corpora)))
    want = set[Node].intersection(*native)
    shared = {*_script(native[own], want)}
    return TedEvalProtocol(
        parse=trees[0],
        golds=tuple(trees[1:]),
        own=own,
        generalization=generalize(*trees[1:]),
        labeled=labeled,
        count_root=count_root,
        operations=tuple(replace(item, discarded=item in shared) for item in _script(have, want)),
        n_parse=len(have),
        n_generalized=len(want),
        in_characters=words_differ and not words_aligned,
        words_aligned=words_aligned,
    )


def _over_members(trees: Sequence[MultiFunctionTree], sides: Sequence[Segmented], own: int) -> list[MultiFunctionTree]:
    """Return the trees over members in place of words; the parse is the first of them."""
    members = sentence_members(sides[1:], sides[0], own)
    *of_golds, of_parse = members.words
    over_members = []
    for tree, of_words in zip(trees, (of_parse, *of_golds), strict=True):
        labels: dict[Yield, frozenset[str]] = {}
        for words, names in tree.labels.items():
            if covered := frozenset(member for word in words for member in of_words[word]):
                labels[covered] = labels.get(covered, frozenset()) | names
        over_members.append(MultiFunctionTree(members.names, labels))
    return over_members


def _script(have: Set[Node], want: Set[Node]) -> tuple[Operation, ...]:
    """Return the steps from one set of nodes to another: deletions, then additions, the largest nodes first."""

    def order(node: Node) -> tuple[int, list[int], str]:
        label, words = node
        return -len(words), sorted(words), label or ""

    return (
        *(Operation("delete", *node) for node in sorted(have - want, key=order)),
        *(Operation("add", *node) for node in sorted(want - have, key=order)),
    )


def tedeval2011_steps(parse: MultiFunctionTree, golds: Sequence[MultiFunctionTree], own: int = 0) -> TedEvalProtocol:
    """Compare a parse with what several golds have in common, labels counted and the root not.

    Examples
    --------
    >>> from evaltools.corpus import dependency_function_tree, multi_function_tree
    >>> words, names = ("Kim", "met", "Sandy"), ("nsubj", "root", "obj")
    >>> gold, parse = (
    ...     multi_function_tree(dependency_function_tree(words, (1, -1, 1), relations))
    ...     for relations in (names, ("nsubj", "root", "iobj"))
    ... )
    >>> result = tedeval2011_steps(parse, [gold])
    >>> [(step.kind, step.label, step.becomes) for step in result.operations], result.score
    ([('relabel', 'iobj', 'obj')], 0.8333333333333334)
    """
    trees = [_wild(tree) for tree in (parse, *golds)]
    vocabulary = FunctionVocabulary()
    corpora = [FunctionColumns.from_trees([tree], vocabulary) for tree in trees]
    return sentence_steps_2011(corpora[0], corpora[1:], own)


def sentence_steps_2011(
    parse: FunctionColumns,
    golds: Sequence[FunctionColumns],
    own: int = 0,
    *,
    labeled: bool = True,
    free: Iterable[tuple[str, str]] = (),
) -> TedEvalProtocol:
    """Compare a parse with what several golds have in common; each corpus has one tree, heads under the wildcard."""
    if compare_words([parse, *golds])[0] != Segmentation.WORDS:
        raise ParameterError("the words of the trees differ; TedEval of 2011 compares trees over the same words")
    result = TedEval2011(parse, golds, own, free=free)
    if result.refused[0] != Refusal.NONE:
        raise ParameterError(REFUSALS[Refusal(int(result.refused[0]))])
    unit = LABELS[labeled]
    counts = dict(zip(COLUMNS_2011, result.counts[0].tolist(), strict=True))
    names = parse.vocabulary.labels.strings() if labeled else [None]
    steps = []
    for _, kind, span, symbol, _, new_symbol, shared in result.operations[unit].tolist():
        becomes = names[new_symbol] if new_symbol >= 0 else None
        words = parse.vocabulary.spans.words(span)
        steps.append(Operation(_KINDS[kind], names[symbol], words, bool(shared), becomes))
    steps.sort(key=lambda step: (_ORDER.index(step.kind), -len(step.words), sorted(step.words), step.label or ""))
    n_parse, n_generalized = (int(counts[f"tedeval2011_{what}_{unit}"]) for what in ("parse", "generalized"))
    trees = parse.tree(0), tuple(gold.tree(0) for gold in golds)
    return TedEvalProtocol(*trees, own, None, labeled, False, tuple(steps), n_parse, n_generalized)


def _wild(tree: MultiFunctionTree) -> MultiFunctionTree:
    """Return a tree with the wildcard in place of the label of heads."""
    labels = {
        words: frozenset(WILDCARD if name == HEAD else name for name in names) for words, names in tree.labels.items()
    }
    return MultiFunctionTree(tree.words, labels)
