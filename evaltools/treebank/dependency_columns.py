"""A corpus of dependencies as columns: all words of all sentences in flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.treebank.dependencies import DependencyTree
from evaltools.treebank.resizing import with_sentences
from evaltools.treebank.sentence_ids import sentence_ids
from evaltools.treebank.vocabulary import StringTable, Vocabulary

__all__ = ["Dependencies"]

_WORD_COLUMNS = ("form", "tag", "xtag", "head", "relation")


@dataclass(slots=True)
class Dependencies:
    """Dependency trees of a corpus, word by word, sentence after sentence.

    Multiword tokens, empty nodes, comments, lemmas, features, enhanced dependencies and the last column are in `text`
    alone; :meth:`tree` reads them.

    Parameters
    ----------
    vocabulary : Vocabulary
        Strings of the words, and of the tags and relations, which are labels; shared by what is compared.
    form : ndarray of int32, shape (words,)
        Number of the word's form among the words.
    tag, xtag : ndarray of int32, shape (words,)
        Numbers of UPOS and XPOS, or of CPOSTAG and POSTAG of CoNLL-X, among the labels.
    head : ndarray of int32, shape (words,)
        The head's position in the sentence, -1 for a root. A sentence may have several roots, and has no cycle.
    relation : ndarray of int32, shape (words,)
        Number of the relation to the head among the labels.
    offsets : ndarray of int64, shape (sentences + 1,)
        Sentence i has the words ``offsets[i]:offsets[i + 1]``; none if it is missing or cannot be used.
    line : ndarray of int32, shape (sentences,)
        Line on which the sentence begins, from 1.
    text_start, text_end : ndarray of int64, shape (sentences,)
        Where the sentence's lines stand in `text`, in bytes.
    text : bytes
        The decompressed file, UTF-8.
    name : str
        The file's name as the user gave it.
    format, notation : str
        ``"conllu"`` or ``"conllx"``: how it was read, and how one sentence is written as text.
    digest : str
        SHA-256 of the file's bytes as stored (before decompression).
    problems : list of Problem
        What was found wrong while reading.
    first_sentence : int
        Number of sentences of the file before these, where they are a part of it.
    """

    vocabulary: Vocabulary
    form: NDArray[np.int32]
    tag: NDArray[np.int32]
    xtag: NDArray[np.int32]
    head: NDArray[np.int32]
    relation: NDArray[np.int32]
    offsets: NDArray[np.int64]
    line: NDArray[np.int32]
    text_start: NDArray[np.int64]
    text_end: NDArray[np.int64]
    text: bytes = b""
    name: str = ""
    format: str = "conllu"
    notation: str = "conllu"
    digest: str = ""
    problems: list[Problem] = field(default_factory=list)
    first_sentence: int = 0

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def n_words(self) -> NDArray[np.int32]:
        """Number of words of each sentence, shape (sentences,)."""
        return np.diff(self.offsets).astype(np.int32)

    @property
    def n_filled(self) -> int:
        """Number of sentences; in these formats the end of a file holds none that is blank."""
        last = len(self)
        while last > 0 and self.text_start[last - 1] == self.text_end[last - 1] and self.line[last - 1] == 0:
            last -= 1
        return last

    def sent_ids(self) -> list[str | None]:
        """Return what the comment ``# sent_id`` of each sentence says, None where there is none."""
        return sentence_ids(self.text, self.text_start, self.text_end)

    def resized(self, count: int) -> Dependencies:
        """Return the first `count` sentences, with missing ones added at the end where there are fewer.

        Parameters
        ----------
        count : int
            How many sentences the result has.
        """
        return with_sentences(self, count, _WORD_COLUMNS)

    def source(self, sentence: int) -> str:
        """Return the lines of a sentence as they stand in the file, with line feeds between them.

        Parameters
        ----------
        sentence : int
            Its place in the corpus, from 0.
        """
        raw = self.text[self.text_start[sentence] : self.text_end[sentence]].decode("utf-8", "backslashreplace")
        return "\n".join(line.rstrip("\r") for line in raw.rstrip("\r\n").split("\n"))

    def tree(self, sentence: int) -> DependencyTree:
        """Return one sentence as a :class:`DependencyTree`, without words if it is missing or cannot be used.

        Parameters
        ----------
        sentence : int
            Its place in the corpus, from 0.
        """
        if self.offsets[sentence] == self.offsets[sentence + 1]:
            return DependencyTree((), (), ())
        return DependencyTree.from_string(self.source(sentence), self.notation)

    @classmethod
    def from_trees(
        cls, trees: Sequence[DependencyTree | None], vocabulary: Vocabulary | None = None, name: str = ""
    ) -> Dependencies:
        """Build the columns of a few trees made in Python.

        Parameters
        ----------
        trees : sequence of DependencyTree or None
            One for each sentence; None is a missing one.
        vocabulary : Vocabulary, optional
            Shared with what they are compared with; a new one if not given.
        name : str
            What to call it in problems.

        Returns
        -------
        Dependencies
            The corpus, without problems.
        """
        vocabulary = vocabulary or Vocabulary()
        made = [DependencyTree((), (), ()) if tree is None else tree for tree in trees]
        texts = [tree.to_string().encode("utf-8", "backslashreplace") + b"\n\n" for tree in made]
        ends = np.array([0, *accumulate(map(len, texts))], dtype=np.int64)
        n_lines = [text.count(b"\n") for text in texts]

        def column(name: str, table: StringTable) -> NDArray[np.int32]:
            return table.add_all(value for tree in made for value in getattr(tree, name))

        return cls(
            vocabulary=vocabulary,
            form=column("forms", vocabulary.words),
            tag=column("tags", vocabulary.labels),
            xtag=column("xtags", vocabulary.labels),
            head=np.array([head for tree in made for head in tree.heads], dtype=np.int32),
            relation=column("relations", vocabulary.labels),
            offsets=np.array([0, *accumulate(map(len, made))], dtype=np.int64),
            line=np.array([1 + before for before in accumulate(n_lines, initial=0)][:-1], dtype=np.int32),
            text_start=ends[:-1],
            text_end=np.maximum(ends[:-1], ends[1:] - 1),
            text=b"".join(texts),
            name=name,
        )
