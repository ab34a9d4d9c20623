"""Multi-function trees of a corpus as columns: one row for each function of each span.

A span is a number: ``start << 32 | end`` where the words are contiguous, and a negative number out of a table where
they are not. So sets of words of any shape are compared as numbers.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from evaltools.treebank import Dependencies, MultiFunctionTree
from evaltools.treebank.folding import unescaped
from evaltools.treebank.vocabulary import StringTable

__all__ = [
    "FunctionColumns",
    "FunctionVocabulary",
    "SpanTable",
    "compared_form",
    "tl_unified",
]

_RANGE = re.compile(rb"^[0-9]+-[0-9]+\t", re.MULTILINE)


def compared_form(word: str) -> str:
    """Return a word as it is compared: the treebank's escapes undone, and without white space.

    Parameters
    ----------
    word : str
        A form.

    Examples
    --------
    >>> compared_form("Governor-LRB-s-RRB-"), compared_form("``"), compared_form("1 000")
    ('Governor(s)', '"', '1000')
    """
    return "".join(unescaped(word).split())


class SpanTable:
    """Sets of words that are not contiguous, numbered −1, −2, … in the order of their first appearance.

    Adding is safe from several threads at once.
    """

    __slots__ = ("_lock", "_numbers", "_pieces")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers: dict[bytes, int] = {}
        self._pieces: list[NDArray[np.int32]] = []

    def __len__(self) -> int:
        return len(self._pieces)

    def add(self, pieces: NDArray[np.int32]) -> int:
        """Return the number of a set, giving it one if it is new.

        Parameters
        ----------
        pieces : ndarray of int32
            Start, end, start, end, … of its contiguous pieces, from left to right, with gaps between them.
        """
        key = pieces.tobytes()
        with self._lock:
            number = self._numbers.get(key)
            if number is None:
                number = self._numbers[key] = -1 - len(self._pieces)
                self._pieces.append(np.array(pieces, dtype=np.int32))
            return number

    def pieces(self, span: int) -> NDArray[np.int32]:
        """Return start, end, start, end, … of any span.

        Parameters
        ----------
        span : int
            A span's number.
        """
        if span < 0:
            return self._pieces[-1 - span]
        return np.array([span >> 32, span & 0xFFFFFFFF], dtype=np.int32)


class FunctionVocabulary:
    """What the columns' numbers stand for; shared by corpora that are compared.

    Attributes
    ----------
    labels : StringTable
        Functions.
    words : StringTable
        Forms, as they are compared.
    spans : SpanTable
        Spans that are not contiguous.
    """

    __slots__ = ("labels", "spans", "words")

    def __init__(self) -> None:
        self.labels = StringTable()
        self.words = StringTable()
        self.spans = SpanTable()


@dataclass(frozen=True, slots=True)
class FunctionColumns:
    """Multi-function trees of a corpus.

    Parameters
    ----------
    vocabulary : FunctionVocabulary
        Shared by the corpora that are compared.
    sentence : ndarray of int32, shape (rows,)
        The sentence, from 0, in ascending order.
    span : ndarray of int64, shape (rows,)
        The words.
    label : ndarray of int32, shape (rows,)
        A function, or -1: the words are a node, without a function. A row may stand more than once; that says no more.
    word : ndarray of int32, shape (words,)
        The forms.
    word_offsets : ndarray of int64, shape (sentences + 1,)
        Sentence i has the words ``word_offsets[i]:word_offsets[i + 1]``; one without words is missing.
    source : Dependencies, optional
        Where the multiword tokens stand, such as French *au*, which is *à le*.
    """

    vocabulary: FunctionVocabulary
    sentence: NDArray[np.int32]
    span: NDArray[np.int64]
    label: NDArray[np.int32]
    word: NDArray[np.int32] = field(repr=False)
    word_offsets: NDArray[np.int64] = field(repr=False)
    source: Dependencies | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.word_offsets) - 1

    @property
    def n_words(self) -> NDArray[np.int64]:
        """Number of words of each sentence, shape (sentences,)."""
        return np.diff(self.word_offsets)

    @property
    def has_labels(self) -> bool:
        """Whether any node carries a function: without one there is nothing a labelled score could count."""
        return bool(np.any(self.label >= 0))

    def words(self, sentence: int) -> tuple[str, ...]:
        """Return the words of a sentence, as they are compared.

        Parameters
        ----------
        sentence : int
            Its place in the corpus, from 0.
        """
        numbers = self.word[self.word_offsets[sentence] : self.word_offsets[sentence + 1]].tolist()
        return tuple(self.vocabulary.words[number] for number in numbers)

    def tree(self, sentence: int) -> MultiFunctionTree:
        """Return the multi-function tree of a sentence.

        Parameters
        ----------
        sentence : int
            Its place in the corpus, from 0.
        """
        first, last = np.searchsorted(self.sentence, [sentence, sentence + 1]).tolist()
        labels: dict[frozenset[int], frozenset[str]] = {}
        for span, label in zip(self.span[first:last].tolist(), self.label[first:last].tolist(), strict=True):
            pieces = self.vocabulary.spans.pieces(span).tolist()
            words = frozenset(
                word for start, end in zip(pieces[::2], pieces[1::2], strict=True) for word in range(start, end)
            )
            own = frozenset() if label < 0 else frozenset({self.vocabulary.labels[label]})
            if words:
                labels[words] = labels.get(words, frozenset()) | own
        return MultiFunctionTree(self.words(sentence), labels)

    def tokens(self, sentence: int) -> list[tuple[int, int, str]]:
        """Return first word, end and form of the multiword tokens.

        Parameters
        ----------
        sentence : int
            Its place in the corpus, from 0.
        """
        source = self.source
        if source is None:
            return []
        if not _RANGE.search(source.text, int(source.text_start[sentence]), int(source.text_end[sentence])):
            return []
        return [(*token.span, compared_form(token.form)) for token in source.tree(sentence).multiwords]


def tl_unified(structure: FunctionColumns, labels: FunctionColumns) -> FunctionColumns:
    """Add to trees the labels that others have over the same words, as :func:`~evaltools.tl_unify` does for one.

    Parameters
    ----------
    structure : FunctionColumns
        The trees whose nodes are kept.
    labels : FunctionColumns
        The trees whose labels are added; in sentences with other words, none is.

    Returns
    -------
    FunctionColumns
    """
    from evaltools.metrics.memberships import Segmentation, compare_words

    same = compare_words([structure, labels]) == Segmentation.WORDS
    known = np.unique(np.concatenate((structure.span, labels.span)))
    ours, theirs = (
        one.sentence * np.int64(len(known)) + np.searchsorted(known, one.span) for one in (structure, labels)
    )
    added = np.flatnonzero((labels.label >= 0) & same[labels.sentence] & np.isin(theirs, ours))
    sentence = np.concatenate((structure.sentence, labels.sentence[added]))
    order = np.argsort(sentence, kind="stable")
    return replace(
        structure,
        sentence=sentence[order],
        span=np.concatenate((structure.span, labels.span[added]))[order],
        label=np.concatenate((structure.label, labels.label[added]))[order],
    )
