"""Treebanks of any framework as multi-function trees in columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics.dependency_lineages import without_subtype
from evaltools.metrics.function_columns import FunctionColumns, FunctionVocabulary, SpanTable, compared_form
from evaltools.treebank import (
    Dependencies,
    FunctionTree,
    Kind,
    Treebank,
    constituency_function_tree,
    dependency_function_tree,
    labelled_function_tree,
    realizational_function_tree,
)
from evaltools.treebank.constituent_functions import functions_of, is_projection, labels_of
from evaltools.treebank.function_trees import HEAD
from evaltools.treebank.vocabulary import StringTable

__all__ = [
    "CONSTITUENCY_THEORIES",
    "constituency_functions",
    "corpus_functions",
    "dependency_functions",
    "sentence_function_tree",
]

CONSTITUENCY_THEORIES = {
    "tags": "constituents with functions, such as NP-SBJ",
    "labels": "function trees: every label is a function, or a set of them in braces",
    "bare": "bare phrase structure: constituents without functions",
    "realizational": "relational-realizational trees",
}
"""How the labels of a constituency treebank are read."""

_READ: dict[str, Callable[[str], tuple[str, ...]]] = {
    "tags": functions_of,
    "labels": labels_of,
    "bare": lambda label: (),
    "realizational": lambda label: (label,),
}


def _spans(
    parent: NDArray[np.int32], position: NDArray[np.int32], offsets: NDArray[np.int64], table: SpanTable
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the span and the number of words of every node; the span means nothing where there are no words."""
    from evaltools.kernels.yields import find_yields, split_yields

    n = len(parent)
    first, end, size = (np.zeros(n, dtype=np.int32) for _ in range(3))
    broken = np.zeros(len(offsets) - 1, dtype=np.uint8)
    find_yields(parent, position, offsets, first, end, size, broken)
    if broken.any():
        sentence = int(np.flatnonzero(broken)[0]) + 1
        raise ParameterError(f"the parents in sentence {sentence} run in a circle; expected a tree")
    span = first.astype(np.int64) << 32 | end
    scattered = np.flatnonzero(end - first != size)
    if len(scattered):
        room = np.zeros(n, dtype=np.int64)
        need = 2 * size[scattered].astype(np.int64)
        room[scattered] = np.cumsum(need) - need
        pieces = np.zeros(int(need.sum()), dtype=np.int32)
        count = np.zeros(n, dtype=np.int32)
        split_yields(parent, position, offsets, first, end, size, room, pieces, count)
        for node in scattered.tolist():
            begin = int(room[node])
            span[node] = table.add(pieces[begin : begin + int(count[node])])
    return span, size


def _numbers(
    strings: Sequence[str], used: NDArray[np.int32], change: Callable[[str], str], table: StringTable
) -> NDArray[np.int32]:
    """Translate numbers of strings into numbers of the changed strings in a table."""
    present = np.unique(used)
    lookup = np.zeros(len(strings), dtype=np.int32)
    lookup[present] = table.add_all(change(strings[number]) for number in present.tolist())
    return lookup[used]


def dependency_functions(
    trees: Dependencies,
    vocabulary: FunctionVocabulary,
    *,
    label_map: Mapping[str, str] | None = None,
    subtypes: bool = True,
    head_label: str = HEAD,
) -> FunctionColumns:
    """Turn dependency trees into multi-function trees, as :func:`~evaltools.dependency_function_tree` does one.

    Parameters
    ----------
    trees : Dependencies
        The trees; they may be non-projective.
    vocabulary : FunctionVocabulary
        Shared with the corpora that are compared.
    label_map : dict, optional
        Labels to put in the place of others.
    subtypes : bool
        Whether relations keep what stands after ``:``; it goes before the map is applied.
    head_label : str
        Label of a head's own node.

    Returns
    -------
    FunctionColumns
    """
    mapped = label_map or {}

    def function(relation: str) -> str:
        relation = relation if subtypes else without_subtype(relation)
        return mapped.get(relation, relation)

    offsets = trees.offsets
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(trees), dtype=np.int32), lengths)
    position = (np.arange(len(trees.head), dtype=np.int64) - np.repeat(offsets[:-1], lengths)).astype(np.int32)
    span, size = _spans(trees.head, position, offsets, vocabulary.spans)
    label = _numbers(trees.vocabulary.labels.strings(), trees.relation, function, vocabulary.labels)
    heads = size > 1
    own = position[heads].astype(np.int64)
    rows = np.concatenate((sentence, sentence[heads]))
    order = np.argsort(rows, kind="stable")
    head_number = vocabulary.labels.add(head_label)
    return FunctionColumns(
        vocabulary,
        rows[order],
        np.concatenate((span, own << 32 | (own + 1)))[order],
        np.concatenate((label, np.full(len(own), head_number, dtype=np.int32)))[order],
        _numbers(trees.vocabulary.words.strings(), trees.form, compared_form, vocabulary.words),
        offsets.astype(np.int64),
        trees,
    )


def constituency_functions(
    trees: Treebank,
    vocabulary: FunctionVocabulary,
    *,
    theory: str = "tags",
    label_map: Mapping[str, str] | None = None,
    root_label: str | None = "root",
) -> FunctionColumns:
    """Turn constituency trees into multi-function trees, as the functions for one tree do.

    Parameters
    ----------
    trees : Treebank
        The trees.
    vocabulary : FunctionVocabulary
        Shared with the corpora that are compared.
    theory : {"tags", "labels", "bare", "realizational"}
        How labels are read, of :data:`CONSTITUENCY_THEORIES`.
    label_map : dict, optional
        Labels to put in the place of others.
    root_label : str or None
        Label of the top of a relational-realizational tree.

    Returns
    -------
    FunctionColumns
    """
    if theory not in CONSTITUENCY_THEORIES:
        raise ParameterError.unknown("theory", theory, CONSTITUENCY_THEORIES)
    mapped = label_map or {}
    strings = trees.vocabulary.labels.strings()
    is_word = trees.kind == Kind.WORD
    sentence = np.repeat(np.arange(len(trees), dtype=np.int32), np.diff(trees.offsets))
    parent = np.where(trees.parent < 0, -1, trees.parent + trees.offsets[sentence])

    def one_of(numbers: NDArray[np.int32], meaning: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Tell for every node whether the string with its number means something; for words it does not."""
        known = np.array([meaning(string) for string in strings] or [False])
        result: NDArray[np.bool_] = ~is_word & known[np.where(is_word, 0, numbers)]
        return result

    # empty elements have no words, and what covers nothing else is no node
    empty = one_of(trees.label, lambda label: label == "-NONE-") & (trees.kind == Kind.PRETERMINAL)
    kept = is_word & ~np.where(parent < 0, False, empty[parent])
    position = np.full(len(trees.label), -1, dtype=np.int32)
    word_sentence = sentence[kept]
    n_words = np.bincount(word_sentence, minlength=len(trees))
    word_offsets = np.concatenate(([0], np.cumsum(n_words))).astype(np.int64)
    words = np.flatnonzero(kept)
    if trees.position is not None:
        words = words[np.lexsort((trees.position[words], word_sentence))]
    position[words] = np.arange(len(words)) - np.repeat(word_offsets[:-1], n_words)
    span, size = _spans(trees.parent, position, trees.offsets, vocabulary.spans)
    is_node = ~is_word & (size > 0)

    if theory == "realizational":
        projection = one_of(trees.label, is_projection)
        is_root = parent < 0
        is_node &= is_root | (~projection & np.where(is_root, False, projection[parent]))
    functions: list[tuple[int, ...]] = [(-1,)] * len(strings)
    for number in np.unique(trees.label[is_node]).tolist():
        found = _READ[theory](strings[number])
        functions[number] = tuple(vocabulary.labels.add(mapped.get(one, one)) for one in found) or (-1,)
    label = trees.label[is_node]
    many = np.array([len(one) for one in functions], dtype=np.int64)[label]
    first = np.concatenate(([0], np.cumsum([len(one) for one in functions]))).astype(np.int64)
    flat = np.array([number for one in functions for number in one], dtype=np.int32)
    at = np.repeat(first[label] - (np.cumsum(many) - many), many) + np.arange(int(many.sum()))
    numbers = flat[at]
    if theory == "realizational":
        numbers[is_root[is_node]] = -1 if root_label is None else vocabulary.labels.add(root_label)
    rows, row_spans = np.repeat(sentence[is_node], many), np.repeat(span[is_node], many)
    if theory == "tags" and trees.function is not None:  # functions apart from the labels
        apart = np.flatnonzero(is_node & one_of(trees.function, bool))
        names = _numbers(strings, trees.function[apart], lambda one: mapped.get(one, one), vocabulary.labels)
        rows, row_spans = np.concatenate((rows, sentence[apart])), np.concatenate((row_spans, span[apart]))
        numbers = np.concatenate((numbers, names))
        order = np.argsort(rows, kind="stable")
        rows, row_spans, numbers = rows[order], row_spans[order], numbers[order]
    return FunctionColumns(
        vocabulary,
        rows,
        row_spans,
        numbers,
        _numbers(trees.vocabulary.words.strings(), trees.label[words], compared_form, vocabulary.words),
        word_offsets,
    )


def corpus_functions(
    trees: Treebank | Dependencies,
    vocabulary: FunctionVocabulary,
    *,
    label_map: Mapping[str, str] | None = None,
    subtypes: bool = True,
    head_label: str = HEAD,
) -> FunctionColumns:
    """Turn any corpus into multi-function trees, in the way of the format it was read from.

    Parameters
    ----------
    trees : Treebank or Dependencies
        The corpus.
    vocabulary : FunctionVocabulary
        Shared with the corpora that are compared.
    label_map : dict, optional
        Labels to put in the place of others.
    subtypes, head_label
        As for :func:`dependency_functions`.

    Returns
    -------
    FunctionColumns
        Dependencies as such; function trees (``functions``) by their labels, relational-realizational trees (``rr``) by
        the children of projection sets, all other constituents by their function tags.
    """
    if isinstance(trees, Dependencies):
        return dependency_functions(trees, vocabulary, subtypes=subtypes, label_map=label_map, head_label=head_label)
    return constituency_functions(trees, vocabulary, theory=_theory(trees), label_map=label_map)


def _theory(trees: Treebank) -> str:
    """Return how the labels of a format are read."""
    return {"functions": "labels", "rr": "realizational"}.get(trees.format, "tags")


def sentence_function_tree(
    trees: Treebank | Dependencies,
    sentence: int,
    *,
    label_map: Mapping[str, str] | None = None,
    subtypes: bool = True,
    head_label: str = HEAD,
) -> FunctionTree:
    """Return one sentence's function tree, with the words as they were read.

    Parameters
    ----------
    trees : Treebank or Dependencies
        The corpus.
    sentence : int
        Its place in the corpus, from 0.
    label_map, subtypes, head_label
        As for :func:`corpus_functions`, whose multi-function tree is this one collapsed.

    Returns
    -------
    FunctionTree
    """
    if isinstance(trees, Dependencies):
        tree = trees.tree(sentence)
        relations = tree.relations if subtypes else [without_subtype(one) for one in tree.relations]
        return dependency_function_tree(tree.forms, tree.heads, relations, head_label=head_label, label_map=label_map)
    make = {
        "tags": constituency_function_tree,
        "labels": labelled_function_tree,
        "realizational": realizational_function_tree,
    }[_theory(trees)]
    return make(trees.tree(sentence), label_map=label_map)
