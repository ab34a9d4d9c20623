"""Aligning words where those of a parser's tree are not those of the gold tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaltools.normalize.folding import fold
from evaltools.treebank import Kind, Treebank
from evaltools.treebank.vocabulary import StringTable

if TYPE_CHECKING:
    from evaltools.normalize.apply import Normalized

__all__ = ["CHARACTERS", "EXACT", "FOLDED", "WordAlignment", "WordLinks", "link_words", "word_offsets"]

EXACT, FOLDED, CHARACTERS = 0, 1, 2
"""How two words came to be aligned: as the same form, as the same folded form, by characters."""


def word_offsets(treebank: Treebank) -> NDArray[np.int64]:
    """Return the first word of each sentence, shape (sentences + 1,)."""
    return np.concatenate(([0], np.cumsum(treebank.n_words, dtype=np.int64)))


@dataclass(frozen=True, slots=True)
class WordLinks:
    """The links of all sentences, each from left to right.

    Parameters
    ----------
    links : ndarray of int32, shape (links, 4)
        Gold word and test word, by position in the sentence as read; how they came to be aligned (:data:`EXACT`,
        :data:`FOLDED` or :data:`CHARACTERS`); how many characters they share in the alignment.
    offsets : ndarray of int64, shape (sentences + 1,)
        First link of each sentence.
    """

    links: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def of(self, sentence: int) -> NDArray[np.int32]:
        """Return the links of a sentence, from 0, shape (links, 4).

        Parameters
        ----------
        sentence : int
            Its place in the corpus, from 0.

        Returns
        -------
        ndarray of int32
            Columns as :attr:`links` has them.
        """
        return self.links[self.offsets[sentence] : self.offsets[sentence + 1]]


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """What the words' links say of two treebanks after deletion.

    Parameters
    ----------
    aligned : ndarray of bool, shape (sentences,)
        The sentences this is about: their words differ, and both sides have some left.
    links : WordLinks
        Between the words as read.
    partner : ndarray of int32, shape (gold words left,)
        Position, among the test words left, of the linked word that shares most characters with the gold word, the
        first of those; -1 where there is none, and in other sentences.
    match : ndarray of uint8, shape (gold words left,)
        How the two came to be aligned, as in the links.
    single : ndarray of bool, shape (gold words left,)
        Whether neither of the two is linked with any other word that is left.
    gold_start, gold_end, test_start, test_end : ndarray of int32, shape (nodes,)
        Spans in aligned positions, empty where a node covers none; in other sentences spans in words.
    """

    aligned: NDArray[np.bool_]
    links: WordLinks
    partner: NDArray[np.int32]
    match: NDArray[np.uint8]
    single: NDArray[np.bool_]
    gold_start: NDArray[np.int32]
    gold_end: NDArray[np.int32]
    test_start: NDArray[np.int32]
    test_end: NDArray[np.int32]

    @classmethod
    def of(
        cls,
        links: WordLinks,
        aligned: NDArray[np.bool_],
        read: tuple[Treebank, Treebank],
        left: tuple[Normalized, Normalized],
    ) -> WordAlignment:
        """Follow the links into the normalised treebanks.

        Parameters
        ----------
        links : WordLinks
            Between the words as read.
        aligned : ndarray of bool, shape (sentences,)
            The sentences to align.
        read : tuple of Treebank
            Gold and test as read.
        left : tuple of Normalized
            What is left of them.

        Returns
        -------
        WordAlignment
            The alignment of the words that are left.
        """
        from evaltools.kernels.word_places import place_words

        sides = []
        for before, after in zip(read, left, strict=True):
            nodes = after.treebank
            sides.append((after.dropped, word_offsets(before), nodes.start.copy(), nodes.end.copy(), nodes.offsets))
        n_words = int(left[0].treebank.n_words.sum())
        partner = np.full(n_words, -1, dtype=np.int32)
        match = np.zeros(n_words, dtype=np.uint8)
        single = np.zeros(n_words, dtype=np.bool_)
        place_words(links.links, links.offsets, aligned, *sides[0], *sides[1], partner, match, single)
        return cls(aligned, links, partner, match, single, *sides[0][2:4], *sides[1][2:4])


def link_words(gold: Treebank, test: Treebank, chosen: NDArray[np.bool_]) -> WordLinks:
    """Link the words of some sentences.

    As many words as possible are linked with one of the same form, then as many as possible with one of the same folded
    form. In the gaps between them characters are aligned: two words are linked if they share more than half of the
    characters of the shorter one, and at least half of each is aligned in all. Links never cross.

    Parameters
    ----------
    gold, test : Treebank
        As read, with one vocabulary.
    chosen : ndarray of bool, shape (sentences,)
        The sentences.
    """
    from evaltools.kernels.word_alignment import align_words

    sides = [(side.label[side.kind == Kind.WORD], word_offsets(side)) for side in (gold, test)]
    occurring = np.unique(
        np.concatenate([forms[np.repeat(chosen, np.diff(offsets))] for forms, offsets in sides])
    )  # of sentences whose words are equal no form is folded
    classes = np.full(len(gold.vocabulary.words), -1, dtype=np.int32)
    words = gold.vocabulary.words
    folded = StringTable()
    classes[occurring] = folded.add_all(fold(words[form]) for form in occurring.tolist())
    strings = folded.strings()
    text = "".join(strings).encode("utf-32-le", "surrogatepass")
    characters = np.frombuffer(text, dtype=np.int32).copy()  # kernels take what may be written to
    character_offsets = np.concatenate(([0], np.cumsum([len(string) for string in strings], dtype=np.int64)))
    links, offsets = align_words(*sides[0], *sides[1], chosen, classes, characters, character_offsets)
    return WordLinks(links, offsets)
