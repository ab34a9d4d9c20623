"""Multi-function trees of a corpus as columns: one row for each function of each span.

A span is a number: ``start << 32 | end`` where the words are contiguous, and a negative number out of a table where
they are not. So sets of words of any shape are compared as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, MultiFunctionTree
from evaltools.corpus.folding import compared_label, unescaped
from evaltools.corpus.functions.trees import Yield
from evaltools.corpus.vocabulary import StringTable

__all__ = ["FunctionColumns", "FunctionComparison", "FunctionVocabulary", "SpanTable"]

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
