"""Links between the words of two corpora where they differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Treebank
from evaltools.corpus.folding import folded
from evaltools.corpus.vocabulary import StringTable

__all__ = ["CHARACTERS", "EXACT", "FOLDED", "WordLinks", "link_words", "word_offsets"]

EXACT, FOLDED, CHARACTERS = 0, 1, 2
"""How two words came to be aligned: as the same form, as the same folded form, by characters."""


def word_offsets(treebank: Treebank) -> NDArray[np.int64]:
    """Return the first word of each sentence, shape (sentences + 1,)."""
    return np.concatenate(([0], np.cumsum(treebank.n_words, dtype=np.int64)))


@dataclass(frozen=True, slots=True)
class WordLinks:
    """The links of all sentences, each from left to right."""

    # One row a link: gold word and test word, by position in the sentence as read; how they came to be aligned (EXACT,
    # FOLDED or CHARACTERS); how many characters they share in the alignment.
    links: NDArray[np.int32]
    offsets: NDArray[np.int64]  # First link of each sentence, shape (sentences + 1,)

    def of(self, sentence: int) -> NDArray[np.int32]:
        """Return the links of a sentence, from 0, shape (links, 4)."""
        return self.links[self.offsets[sentence] : self.offsets[sentence + 1]]


def link_words(gold: Treebank, test: Treebank, chosen: NDArray[np.bool_]) -> WordLinks:
    """Link the words of some sentences."""
    # As many words as possible are linked with words of the same form, then as many as possible with words of the same
    # folded form. In the gaps between them characters are aligned: two words are linked if they share more than half
    # of the characters of the shorter one, and at least half of each is aligned in all. Links never cross.
    from evaltools.kernels.word_alignment import align_words

    sides = [(side.label[side.word_nodes], word_offsets(side)) for side in (gold, test)]
    # forms of the other sentences need not be folded
    occurring = np.unique(np.concatenate([forms[np.repeat(chosen, np.diff(offsets))] for forms, offsets in sides]))
    classes = np.full(len(gold.vocabulary.words), -1, dtype=np.int32)
    words = gold.vocabulary.words
    table = StringTable()
    forms = (words[number] for number in occurring.tolist())
    classes[occurring] = table.add_all(folded(form) or form or " " for form in forms)  # each has a character
    strings = table.strings()
    text = "".join(strings).encode("utf-32-le", "surrogatepass")
    characters = np.frombuffer(text, dtype=np.int32).copy()  # kernels need a writable array
    character_offsets = np.concatenate(([0], np.cumsum([len(string) for string in strings], dtype=np.int64)))
    links, offsets = align_words(*sides[0], *sides[1], chosen, classes, characters, character_offsets)
    return WordLinks(links, offsets)
