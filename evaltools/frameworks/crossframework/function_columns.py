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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Kind, MultiFunctionTree, Treebank
from evaltools.corpus.constituent_functions import functions_of, is_projection, labels_of, realized_functions
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.folding import NO_WORDS, compared_label, replaced, unescaped
from evaltools.corpus.function_trees import HEAD, Yield
from evaltools.corpus.vocabulary import StringTable
from evaltools.errors import ParameterError
from evaltools.text import count_of

_RANGE = re.compile(rb"^[0-9]+-[0-9]+\t", re.MULTILINE)


class SpanTable:
    """Sets of words that are not contiguous, numbered −1, −2, … in the order of their first appearance."""

    __slots__ = ("_numbers", "_pieces")

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._pieces: list[NDArray[np.int32]] = []

    def __len__(self) -> int:
        return len(self._pieces)

    def add(self, pieces: NDArray[np.int32]) -> int:
        """Return the number of a set, given start, end, start, end, …; a new set gets a new number."""
        key = pieces.tobytes()
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = -1 - len(self._pieces)
            self._pieces.append(np.array(pieces, dtype=np.int32))
        return number

    def join(self, stretches: Iterable[tuple[int, int]]) -> int:
        """Return the span of stretches from left to right, which may be empty or touch."""
        joined: list[int] = []
        for start, end in stretches:
            if start == end:
                continue
            if joined and joined[-1] == start:
                joined[-1] = end
            else:
                joined += (start, end)
        if len(joined) > 2:
            return self.add(np.array(joined, dtype=np.int32))
        return joined[0] << 32 | joined[1] if joined else 0

    def span(self, words: Iterable[int]) -> int:
        """Return the span of some words."""
        return self.join((word, word + 1) for word in sorted(words))

    def pieces(self, span: int) -> NDArray[np.int32]:
        """Return start, end, start, end, … of any span."""
        if span < 0:
            return self._pieces[-1 - span]
        return np.array([span >> 32, span & 0xFFFFFFFF], dtype=np.int32)

    def words(self, span: int) -> Yield:
        """Return the words of any span."""
        pieces = self.pieces(span).tolist()
        return frozenset(
            word for start, end in zip(pieces[::2], pieces[1::2], strict=True) for word in range(start, end)
        )


class FunctionVocabulary:
    """The strings and sets of words that the columns number; shared by corpora that are compared."""

    __slots__ = ("labels", "spans", "words")

    def __init__(self) -> None:
        self.labels = StringTable()
        self.words = StringTable()
        self.spans = SpanTable()


@dataclass(frozen=True, slots=True)
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
    def from_trees(cls, trees: Sequence[MultiFunctionTree], vocabulary: FunctionVocabulary) -> Self:
        """Put trees into columns."""
        rows = []
        for sentence, tree in enumerate(trees):
            for words, labels in tree.labels.items():
                numbers = [vocabulary.labels.add(compared_label(label)) for label in labels] or [-1]
                rows += [(sentence, vocabulary.spans.span(words), number) for number in numbers]
        columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
        return cls(
            vocabulary,
            columns[:, 0].astype(np.int32),
            columns[:, 1].copy(),
            columns[:, 2].astype(np.int32),
            vocabulary.words.add_all(unescaped(word) for tree in trees for word in tree.words),
            vocabulary.words.add_all(word for tree in trees for word in tree.words),
            np.cumsum([0, *(len(tree.words) for tree in trees)], dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.word_offsets) - 1

    @property
    def n_words(self) -> NDArray[np.int64]:
        """Number of words of each sentence, shape (sentences,)."""
        return np.diff(self.word_offsets)

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
    labelled: bool = True  # Whether the parser's trees carry functions


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
    from evaltools.kernels.yields import find_yields, split_yields

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
