"""Treebanks of any framework as multi-function trees in columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Kind, Treebank
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.folding import NO_WORDS, compared_label, replaced, unescaped
from evaltools.corpus.functions.constituents import functions_of, is_projection, labels_of, realized_functions
from evaltools.corpus.functions.trees import HEAD
from evaltools.corpus.vocabulary import StringTable
from evaltools.errors import ParameterError
from evaltools.frameworks.crossframework.function_columns import (
    FunctionColumns,
    FunctionVocabulary,
    SpanTable,
)

__all__ = ["constituency_functions", "corpus_functions", "dependency_functions", "has_functions_in_labels"]

_FUNCTIONS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "functions": labels_of,
    "rr": lambda label: (label,),
}
"""How functions are read from a label, by format; by default from a label such as NP-SBJ."""


def has_functions_in_labels(format_name: str) -> bool:
    """Return whether functions stand in the labels of phrases, such as NP-SBJ."""
    return format_name not in _FUNCTIONS


def _spans(
    parent: NDArray[np.int32], position: NDArray[np.int32], offsets: NDArray[np.int64], table: SpanTable
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the span and the number of words of every node; the span means nothing where there are no words."""
    from evaltools.kernels.trees.yields import find_yields, split_yields

    n = len(parent)
    first, end, size = (np.zeros(n, dtype=np.int32) for _ in range(3))
    broken = np.zeros(len(offsets) - 1, dtype=np.uint8)
    find_yields(parent, position, offsets, first, end, size, broken)
    if broken.any():
        sentence = int(np.flatnonzero(broken)[0]) + 1
        raise ParameterError(f"the parents in sentence {sentence} form a cycle; expected a tree")
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


def _compared(labels: NDArray[np.int32], table: StringTable) -> tuple[NDArray[np.int32], int]:
    """Return labels, given by their numbers or -1, as they are compared, and how many of them are ROOT."""
    n_root = int(np.count_nonzero(labels == table.find("ROOT"))) if "ROOT" in table else 0
    present = np.unique(labels[labels >= 0])
    lookup = np.full(len(table) + 1, -1, dtype=np.int32)
    lookup[present] = table.add_all([compared_label(table[number]) for number in present.tolist()])
    return lookup[labels], n_root


def _words(
    trees: Treebank | Dependencies, used: NDArray[np.int32], vocabulary: FunctionVocabulary
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the numbers of words, given by those in the trees, as they are compared and as they are written."""
    strings = trees.vocabulary.words.strings()
    return _numbers(strings, used, unescaped, vocabulary.words), _numbers(strings, used, str, vocabulary.words)


def dependency_functions(
    trees: Dependencies,
    vocabulary: FunctionVocabulary,
    label_map: Mapping[str, str] | None = None,
    head_label: str = HEAD,
    like: FunctionColumns | None = None,
) -> FunctionColumns:
    """Turn dependency trees into multi-function trees; :func:`~evaltools.dependency_function_tree` for corpora.

    The words are those of `like`, if it is given.
    """
    mapped = label_map or {}
    offsets = trees.offsets
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(trees), dtype=np.int32), lengths)
    position = (np.arange(len(trees.head), dtype=np.int64) - np.repeat(offsets[:-1], lengths)).astype(np.int32)
    span, size = _spans(trees.head, position, offsets, vocabulary.spans)
    strings = trees.vocabulary.labels.strings()
    label = _numbers(strings, trees.relation, lambda name: replaced(name, mapped), vocabulary.labels)
    label, n_root = _compared(label, vocabulary.labels)
    nodes = trees.head != NO_HEAD  # a word without a head carries no function
    heads = size > 1
    head_position = position[heads].astype(np.int64)
    rows = np.concatenate((sentence[nodes], sentence[heads]))
    order = np.argsort(rows, kind="stable")
    head_number = vocabulary.labels.add(head_label)
    words, forms = _words(trees, trees.form, vocabulary) if like is None else (like.word, like.form)
    return FunctionColumns(
        vocabulary,
        rows[order],
        np.concatenate((span[nodes], head_position << 32 | (head_position + 1)))[order],
        np.concatenate((label[nodes], np.full(len(head_position), head_number, dtype=np.int32)))[order],
        words,
        forms,
        offsets.astype(np.int64),
        n_root,
        trees,
    )


def constituency_functions(
    trees: Treebank, vocabulary: FunctionVocabulary, label_map: Mapping[str, str] | None = None
) -> FunctionColumns:
    """Turn constituency trees into multi-function trees, as the functions for single trees do."""
    mapped = label_map or {}
    strings = trees.vocabulary.labels.strings()
    is_word = trees.kind == Kind.WORD
    sentence = np.repeat(np.arange(len(trees), dtype=np.int32), np.diff(trees.offsets))
    parent = np.where(trees.parent < 0, -1, trees.parent + trees.offsets[sentence])

    def nodes_with(numbers: NDArray[np.int32], condition: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return the nodes that are no words and whose string fulfills a condition, given the strings by number."""
        fulfilled = np.array([condition(string) for string in strings] or [False])
        result: NDArray[np.bool_] = ~is_word & fulfilled[np.where(is_word, 0, numbers)]
        return result

    # empty elements and markup have no words, and a constituent of these only is no node
    empty = nodes_with(trees.label, NO_WORDS.__contains__) & (trees.kind == Kind.PRETERMINAL)
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

    realizational = trees.format == "rr"
    if realizational:
        projection = nodes_with(trees.label, is_projection)
        is_root = parent < 0
        is_node &= is_root | realized_functions(parent, projection, sentence)
    functions: list[tuple[int, ...]] = [(-1,)] * len(strings)
    for number in np.unique(trees.label[is_node]).tolist():
        names = _FUNCTIONS.get(trees.format, functions_of)(strings[number])
        functions[number] = tuple(vocabulary.labels.add(replaced(name, mapped)) for name in names) or (-1,)
    label = trees.label[is_node]
    lengths = np.array([len(numbers) for numbers in functions], dtype=np.int64)
    many = lengths[label]
    flat = np.array([number for numbers in functions for number in numbers], dtype=np.int32)
    first = (np.cumsum(lengths) - lengths)[label]
    numbers = flat[np.repeat(first - (np.cumsum(many) - many), many) + np.arange(int(many.sum()))]
    if realizational:
        numbers[is_root[is_node]] = vocabulary.labels.add("root")
    rows, row_spans = np.repeat(sentence[is_node], many), np.repeat(span[is_node], many)
    if has_functions_in_labels(trees.format) and trees.function is not None:  # functions apart from the labels
        apart = np.flatnonzero(is_node & nodes_with(trees.function, bool))
        apart_numbers = _numbers(strings, trees.function[apart], lambda name: replaced(name, mapped), vocabulary.labels)
        rows, row_spans = np.concatenate((rows, sentence[apart])), np.concatenate((row_spans, span[apart]))
        numbers = np.concatenate((numbers, apart_numbers))
        order = np.argsort(rows, kind="stable")
        rows, row_spans, numbers = rows[order], row_spans[order], numbers[order]
    numbers, n_root = _compared(numbers, vocabulary.labels)
    return FunctionColumns(
        vocabulary,
        rows,
        row_spans,
        numbers,
        *_words(trees, trees.label[words], vocabulary),
        word_offsets,
        n_root,
    )


def corpus_functions(
    trees: Treebank | Dependencies,
    vocabulary: FunctionVocabulary,
    label_map: Mapping[str, str] | None = None,
    head_label: str = HEAD,
) -> FunctionColumns:
    """Turn any corpus into multi-function trees; its format determines how labels are read."""
    if isinstance(trees, Dependencies):
        return dependency_functions(trees, vocabulary, label_map, head_label)
    return constituency_functions(trees, vocabulary, label_map)
