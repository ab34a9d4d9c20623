"""Multi-function trees of a corpus as columns: one row for each function of each span.

A span is a number: ``start << 32 | end`` where the words are contiguous, and a negative number out of a table where
they are not. So sets of words of any shape are compared as numbers.

For metrics over ordered trees, dependency trees are made projective.

References
----------
J. Nivre and J. Nilsson (2005). Pseudo-projective dependency parsing. ACL 2005.

Notes
-----
Differences from the paper: relations are kept as they are, without the paper's encodings of where an arc was lifted
from. Arcs of equal length are lifted from left to right by the left end of the arc.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, FunctionTree, Kind, MultiFunctionTree, Treebank
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.folding import NO_WORDS, compared_label, replaced, unescaped
from evaltools.corpus.function_trees import (
    HEAD,
    WILDCARD,
    Yield,
    constituency_function_tree,
    functions_of,
)
from evaltools.corpus.vocabulary import StringTable, used_numbers
from evaltools.errors import ParameterError
from evaltools.formats import FORMATS
from evaltools.text import count_of

_RANGE = re.compile(rb"^[0-9]+-[0-9]+\t", re.MULTILINE)


Stretches = tuple[tuple[int, int], ...]
"""Start and end of each."""


class SpanTable:
    """Sets of words that are not contiguous, numbered −1, −2, … in the order of their first appearance."""

    __slots__ = ("_numbers", "_sets")

    def __init__(self) -> None:
        self._numbers: dict[Stretches, int] = {}
        self._sets: list[Stretches] = []

    def __len__(self) -> int:
        return len(self._sets)

    def join(self, stretches: Iterable[tuple[int, int]]) -> int:
        """Return the span of stretches from left to right, which may be empty or touch."""
        joined: list[tuple[int, int]] = []
        for start, end in stretches:
            if joined and joined[-1][1] == start:
                joined[-1] = joined[-1][0], end
            elif start < end:
                joined.append((start, end))
        if len(joined) < 2:
            return joined[0][0] << 32 | joined[0][1] if joined else 0
        number = self._numbers.setdefault(tuple(joined), -1 - len(self._sets))
        if number < -len(self._sets):
            self._sets.append(tuple(joined))
        return number

    def span(self, words: Set[int]) -> int:
        """Return the span of some words."""
        if words and (end := max(words) + 1) - (first := min(words)) == len(words):
            return first << 32 | end
        return self.join((word, word + 1) for word in sorted(words))

    def stretches(self, span: int) -> Stretches:
        """Return start and end of each stretch of any span."""
        return self._sets[-1 - span] if span < 0 else ((span >> 32, span & 0xFFFFFFFF),)

    def words(self, span: int) -> Yield:
        """Return the words of any span."""
        return frozenset(word for start, end in self.stretches(span) for word in range(start, end))


class FunctionVocabulary:
    """The strings and sets of words that the columns number; shared by corpora that are compared."""

    __slots__ = ("labels", "spans", "words")

    def __init__(self) -> None:
        self.labels = StringTable()
        self.words = StringTable()
        self.spans = SpanTable()


@dataclass(frozen=True)
class FunctionColumns:
    """Multi-function trees of a corpus."""

    vocabulary: FunctionVocabulary  # Shared by the corpora that are compared
    sentence: NDArray[np.int32]  # The sentence, from 0, in ascending order
    span: NDArray[np.int64]
    # A function; -1 for a node without one. Repeated rows count once.
    label: NDArray[np.int32]
    word: NDArray[np.int32] = field(repr=False)
    form: NDArray[np.int32] = field(repr=False)  # The words as they are written
    # Sentence i has the words ``word_offsets[i]:word_offsets[i + 1]``; one without words is missing.
    word_offsets: NDArray[np.int64] = field(repr=False)
    n_root: int = 0  # Functions ROOT, which are compared as root
    # Where the multiword tokens stand, such as French *au*, which is *à le*.
    source: Dependencies | None = field(default=None, repr=False, compare=False)

    @classmethod
    def from_trees(
        cls,
        trees: Iterable[MultiFunctionTree | FunctionTree],
        vocabulary: FunctionVocabulary,
        source: Dependencies | None = None,
    ) -> Self:
        """Put trees into columns."""
        spans, labels, words = list[int](), list[str | None](), list[str]()
        n_nodes, n_words = list[int](), list[int]()
        for tree in trees:
            nodes = _nodes(tree)
            spans += [vocabulary.spans.span(covered) for covered, _ in nodes]
            labels += [label for _, label in nodes]
            words += tree.words
            n_nodes.append(len(nodes))
            n_words.append(len(tree.words))
        names = dict.fromkeys(labels)
        number = {label: -1 if label is None else vocabulary.labels.add(compared_label(label)) for label in names}
        return cls(
            vocabulary,
            np.repeat(np.arange(len(n_nodes), dtype=np.int32), n_nodes),
            np.array(spans, dtype=np.int64),
            np.array([number[label] for label in labels], dtype=np.int32),
            vocabulary.words.add_all(unescaped(word) for word in words),
            vocabulary.words.add_all(words),
            np.cumsum([0, *n_words], dtype=np.int64),
            labels.count("ROOT"),
            source,
        )

    def __len__(self) -> int:
        return len(self.word_offsets) - 1

    @property
    def n_words(self) -> NDArray[np.int64]:
        """Number of words of each sentence, shape (sentences,)."""
        return np.diff(self.word_offsets)

    def with_rows(
        self,
        kept: NDArray[np.bool_],
        sentence: NDArray[np.int32],
        span: NDArray[np.int64],
        label: NDArray[np.int32],
    ) -> Self:
        """Return the trees with only some of their rows, and with others added."""
        sentence = np.concatenate((self.sentence[kept], sentence))
        order = np.argsort(sentence, kind="stable")
        span, label = np.concatenate((self.span[kept], span)), np.concatenate((self.label[kept], label))
        return replace(self, sentence=sentence[order], span=span[order], label=label[order])

    def with_heads(self, label: str) -> Self:
        """Return dependency trees with a label for their heads, which have none."""
        number = self.vocabulary.labels.add(label)
        return replace(self, label=np.where(self.label < 0, np.int32(number), self.label))

    @property
    def has_labels(self) -> bool:
        """Whether any node carries a function; without one labeled scores are undefined."""
        return bool(np.any(self.label >= 0))

    def words(self, sentence: int) -> tuple[str, ...]:
        """Return the words of a sentence in the form in which they are compared."""
        return self._strings(self.word, sentence)

    def forms(self, sentence: int) -> tuple[str, ...]:
        """Return the words of a sentence as they are written."""
        return self._strings(self.form, sentence)

    def _strings(self, column: NDArray[np.int32], sentence: int) -> tuple[str, ...]:
        numbers = column[self.word_offsets[sentence] : self.word_offsets[sentence + 1]].tolist()
        return tuple(self.vocabulary.words[number] for number in numbers)

    def tree(self, sentence: int) -> MultiFunctionTree:
        """Return the multi-function tree of a sentence."""
        first, last = np.searchsorted(self.sentence, [sentence, sentence + 1]).tolist()
        labels: dict[Yield, frozenset[str]] = {}
        for span, label in zip(self.span[first:last].tolist(), self.label[first:last].tolist(), strict=True):
            names = frozenset() if label < 0 else frozenset({self.vocabulary.labels[label]})
            if words := self.vocabulary.spans.words(span):
                labels[words] = labels.get(words, frozenset()) | names
        return MultiFunctionTree(self.words(sentence), labels)

    def tokens(self, sentence: int) -> list[tuple[int, int, str]]:
        """Return first word, end and form of the multiword tokens."""
        source = self.source
        if source is None:
            return []
        if not _RANGE.search(source.text, int(source.text_start[sentence]), int(source.text_end[sentence])):
            return []
        return [(*token.span, unescaped(token.form)) for token in source.tree(sentence).multiwords]


def _nodes(tree: MultiFunctionTree | FunctionTree) -> list[tuple[Yield, str | None]]:
    """Return the words and the functions of the nodes, None for a node without one."""
    if isinstance(tree, FunctionTree):
        return [(words, label) for label, words, _ in tree.nodes if words]
    return [(words, label) for words, labels in tree.labels.items() for label in (labels or (None,))]


@dataclass(frozen=True)
class FunctionComparison:
    """A parser's function trees beside those of the gold treebanks, as the passes take them."""

    parse: FunctionColumns  # The parser's trees
    golds: list[FunctionColumns]  # The gold trees of every theory
    # The parser's trees for the figures of 2011: with ``*`` as the label of heads, and projective if requested.
    star: FunctionColumns
    stars: list[FunctionColumns]  # The gold trees for the figures of 2011
    own: int  # Index of the gold treebank that follows the parser's theory
    count_root: bool = True  # Whether the node over the whole sentence counts
    free_labels: tuple[tuple[str, str], ...] = ()  # Pairs of labels that the figures of 2011 treat as equal
    labeled: bool = True  # Whether the parser's trees carry functions


# ------------------------------------------------------------------------------------ dependency trees made projective


def projectivize(trees: Dependencies) -> tuple[Dependencies, NDArray[np.bool_]]:
    """Make dependency trees projective by lifting.

    Examples
    --------
    >>> from evaltools.corpus import DependencyTree
    >>> tree = DependencyTree(("who", "did", "you", "see"), (3, -1, 3, 1), ("obj", "root", "sbj", "vg"))
    >>> projective, changed = projectivize(Dependencies.from_trees([tree]))
    >>> projective.head.tolist(), changed.tolist()
    ([1, -1, 3, 1], [True])
    """
    # While a tree has non-projective arcs, the shortest of them is replaced by an arc from the head of its head; of
    # arcs of equal length the leftmost comes first. Words keep their relations.
    from evaltools.kernels.lifting import lift_arcs

    head = trees.head.copy()
    lifts = np.zeros(len(trees), dtype=np.int32)
    lift_arcs(head, trees.offsets.astype(np.int64), lifts)
    changed: NDArray[np.bool_] = lifts > 0
    return (replace(trees, head=head) if changed.any() else trees), changed


Projectivized = dict[str, dict[str, int]]
"""Under ``golds`` and ``parsers`` the number of changed trees of each theory and each parser."""


def describe_projectivized(meta: Mapping[str, Any]) -> str:
    """Return a sentence with the numbers of trees that were made projective.

    Examples
    --------
    >>> describe_projectivized({"projectivized": {"golds": {"UD": 114}, "parsers": {"a": 3, "b": 0}}})
    'Projectivized for TedEval 2011: 114 gold trees (UD), 3 trees of parser a.'
    >>> describe_projectivized({"projectivized": None})
    'Not projectivized: TedEval 2011 is undefined for sentences with a non-projective tree.'
    """
    if "projectivized" not in meta:
        return ""
    numbers: Projectivized | None = meta["projectivized"]
    if numbers is None:
        return "Not projectivized: TedEval 2011 is undefined for sentences with a non-projective tree."
    changed = [f"{count_of(n, 'gold tree')} ({theory})" for theory, n in numbers["golds"].items() if n]
    changed += [f"{count_of(n, 'tree')} of parser {name}" for name, n in numbers["parsers"].items() if n]
    return f"Projectivized for TedEval 2011: {', '.join(changed) or 'no tree; all are projective'}."


# ---------------------------------------------------------------------------------------- from trees to function trees


def has_functions_in_labels(format_name: str) -> bool:
    """Return whether functions stand in the labels of phrases, such as NP-SBJ."""
    return FORMATS[format_name].functions is constituency_function_tree


def corpus_functions(
    trees: Treebank | Dependencies, vocabulary: FunctionVocabulary, label_map: Mapping[str, str] | None = None
) -> FunctionColumns:
    """Turn any corpus into multi-function trees; its format determines how labels are read."""
    if isinstance(trees, Dependencies):
        return _without_heads(trees, vocabulary, label_map).with_heads(HEAD)
    reader = FORMATS[trees.format].functions
    if reader is constituency_function_tree:
        return _constituents(trees, vocabulary, label_map or {})
    made = (reader(trees.tree(sentence), label_map=label_map) for sentence in range(len(trees)))
    return FunctionColumns.from_trees(made, vocabulary)


def dependency_functions(
    trees: Dependencies, vocabulary: FunctionVocabulary, label_map: Mapping[str, str] | None, *, lifts: bool
) -> tuple[FunctionColumns, FunctionColumns, int]:
    """Return the trees for the figures of 2012, those for 2011, and how many were made projective for these."""
    functions = star = _without_heads(trees, vocabulary, label_map)
    lifted, changed = projectivize(trees) if lifts else (trees, np.zeros(len(trees), dtype=np.bool_))
    if changed.any():
        sentences = np.flatnonzero(changed)
        projective = _without_heads(lifted.select(sentences), vocabulary, label_map)
        rows = sentences.astype(np.int32)[projective.sentence], projective.span, projective.label
        star = functions.with_rows(~changed[functions.sentence], *rows)
    return functions.with_heads(HEAD), star.with_heads(WILDCARD), int(np.count_nonzero(changed))


def _without_heads(
    trees: Dependencies, vocabulary: FunctionVocabulary, label_map: Mapping[str, str] | None
) -> FunctionColumns:
    """Turn dependency trees into multi-function trees whose heads have no label yet."""
    first = np.repeat(trees.offsets[:-1], trees.n_words)
    word = np.arange(len(trees.head)) - first
    sentence = np.repeat(np.arange(len(trees), dtype=np.int32), trees.n_words)
    span, size = _spans(trees.head, word.astype(np.int32), trees.offsets, vocabulary.spans)
    is_node = np.ones(len(word), dtype=np.bool_)
    if (trees.head == NO_HEAD).any():  # nothing below a word without a head is part of the tree
        above = trees.head
        while (above >= 0).any():
            above = np.where(above >= 0, trees.head[first + above], above)
        is_node = above != NO_HEAD
    heads = np.flatnonzero(is_node & (size > 1))
    nodes = np.flatnonzero(is_node)
    relations, relation = used_numbers(trees.relation[nodes])
    names = [replaced(trees.vocabulary.labels[number], label_map or {}) for number in relations.tolist()]
    is_root = np.array([name == "ROOT" for name in names], dtype=np.bool_)
    numbers = vocabulary.labels.add_all(map(compared_label, names))
    label = np.concatenate((numbers[relation], np.full(len(heads), -1, dtype=np.int32)))
    span = np.concatenate((span[nodes], word[heads] << 32 | word[heads] + 1))
    order = np.argsort(sentence[np.concatenate((nodes, heads))], kind="stable")
    return FunctionColumns(
        vocabulary,
        sentence[np.concatenate((nodes, heads))][order],
        span[order],
        label[order],
        *_words(trees.vocabulary.words, trees.form, vocabulary.words),
        trees.offsets.astype(np.int64),
        int(np.count_nonzero(is_root[relation])),
        trees,
    )


def _constituents(trees: Treebank, vocabulary: FunctionVocabulary, label_map: Mapping[str, str]) -> FunctionColumns:
    """Turn constituency trees into multi-function trees; :func:`~evaltools.constituency_function_tree` for corpora."""
    strings = trees.vocabulary.labels.strings()
    sentence = np.repeat(np.arange(len(trees), dtype=np.int32), np.diff(trees.offsets))
    parent = np.where(trees.parent < 0, -1, trees.parent + trees.offsets[sentence])
    is_word = trees.kind == Kind.WORD
    left_out = np.array([number for number, label in enumerate(strings) if label in NO_WORDS])
    no_word = (trees.kind == Kind.PRETERMINAL) & np.isin(trees.label, left_out)
    words = np.flatnonzero(is_word & ~((parent >= 0) & no_word[parent]))
    if trees.position is not None:
        words = words[np.lexsort((trees.position[words], sentence[words]))]
    n_words = np.bincount(sentence[words], minlength=len(trees))
    offsets = np.concatenate(([0], np.cumsum(n_words))).astype(np.int64)
    position = np.full(len(parent), -1, dtype=np.int32)
    position[words] = np.arange(len(words)) - np.repeat(offsets[:-1], n_words)
    span, size = _spans(trees.parent, position, trees.offsets, vocabulary.spans)
    nodes = np.flatnonzero(~is_word & (size > 0))
    apart = 0 if trees.function is None else trees.function[nodes] + 1
    keys, key = np.unique(trees.label[nodes] * np.int64(len(strings) + 1) + apart, return_inverse=True)
    functions: list[list[int]] = []
    is_root: list[bool] = []
    for label, function in (divmod(item, len(strings) + 1) for item in keys.tolist()):
        names = [*functions_of(strings[label]), *filter(None, [strings[function - 1] if function else ""])]
        names = list(dict.fromkeys(replaced(name, label_map) for name in names))
        is_root.append("ROOT" in names)
        functions.append([vocabulary.labels.add(compared_label(name)) for name in names] or [-1])
    rows = np.repeat(nodes, np.array([len(own) for own in functions], dtype=np.int64)[key])
    return FunctionColumns(
        vocabulary,
        sentence[rows],
        span[rows],
        np.array([number for own in key.tolist() for number in functions[own]], dtype=np.int32),
        *_words(trees.vocabulary.words, trees.label[words], vocabulary.words),
        offsets,
        int(np.count_nonzero(np.array(is_root, dtype=np.bool_)[key])),
    )


def _spans(
    parent: NDArray[np.int32], position: NDArray[np.int32], offsets: NDArray[np.int64], table: SpanTable
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the span and the number of words of every node, given the position of its own word, -1 for none."""
    from evaltools.kernels.spans import find_yields

    first, end, size, broken = find_yields(parent, position, offsets)
    if broken.any():
        raise ParameterError(f"the heads of sentence {int(broken.argmax()) + 1} form a cycle; expected a tree")
    span = first.astype(np.int64) << 32 | end
    is_scattered = end - first != size
    if not is_scattered.any():
        return span, size
    begin = np.repeat(offsets[:-1], np.diff(offsets))
    above = np.where(parent >= 0, begin + parent, -1)
    node = np.flatnonzero((position >= 0) & np.isin(begin, begin[is_scattered]))
    word, pairs = position[node], list[NDArray[np.int64]]()
    while len(node):  # the scattered nodes over each word, one level after the other
        pairs.append((node << 32 | word)[is_scattered[node]])
        node = above[node]
        node, word = node[node >= 0], word[node >= 0]
    covered = np.sort(np.concatenate(pairs))
    new = np.flatnonzero(np.diff(covered) != 1) + 1
    starts, last = covered[np.append(0, new)], covered[np.append(new, len(covered)) - 1]
    stretches = zip((starts & 0xFFFFFFFF).tolist(), ((last & 0xFFFFFFFF) + 1).tolist(), strict=True)
    n_stretches = np.unique(starts >> 32, return_counts=True)[1].tolist()
    span[is_scattered] = [table.join(islice(stretches, number)) for number in n_stretches]
    return span, size


def _words(
    source: StringTable, used: NDArray[np.int32], table: StringTable
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the numbers of words in a table, as they are compared, and as they are written."""
    words, word = used_numbers(used)
    forms = [source[number] for number in words.tolist()]
    return table.add_all(map(unescaped, forms))[word], table.add_all(forms)[word]
