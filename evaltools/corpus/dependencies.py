"""A corpus of dependencies as columns: all words of all sentences in flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.columns import Columns, concatenate
from evaltools.corpus.dependency_text import NO_PARSE, all_without_spaces, whole_rows
from evaltools.corpus.dependency_tree import DependencyTree, lost_words
from evaltools.corpus.enhanced import collapsed_deps, token_parts
from evaltools.corpus.sentence_ids import sentence_ids
from evaltools.corpus.vocabulary import StringTable, Vocabulary, used_numbers
from evaltools.errors import Problem  # noqa: F401 - the reference looks up inherited annotations in this module
from evaltools.text import short_repr


@dataclass(slots=True, kw_only=True)
class Dependencies(Columns):
    """Dependency trees of a corpus, word by word, sentence after sentence.

    Empty nodes, comments and the last column are in the text alone; :meth:`tree` reads them.

    Parameters
    ----------
    vocabulary : Vocabulary
        Strings of the words, and of the tags and relations, which are labels; shared by the corpora that are compared.
    form : ndarray of int32, shape (words,)
        Number of the word's form among the words.
    tag, xtag : ndarray of int32, shape (words,)
        Numbers of UPOS and XPOS, or of CPOSTAG and POSTAG of CoNLL-X, among the labels.
    head : ndarray of int32, shape (words,)
        The head's position in the sentence, -1 for a root, -2 for a word without a head. A sentence may have several
        roots, and has no cycle.
    relation : ndarray of int32, shape (words,)
        Number of the relation to the head among the labels.
    lemma, feats : ndarray of int32, shape (words,)
        Numbers of LEMMA and FEATS among the annotations.
    deps : ndarray of int32, shape (words,)
        Number of DEPS among the annotations, with paths through empty nodes collapsed: ``3:conj>nsubj``.
    token : ndarray of int32, shape (words,)
        Number of the form of the word's token among the words: that of a multiword token, or of the word itself.
    part : ndarray of uint8, shape (words,)
        0 for a word that is a token, 1 for the first word of a multiword token, 2 for its other words.
    offsets : ndarray of int64, shape (sentences + 1,)
        Sentence i has the words ``offsets[i]:offsets[i + 1]``; none if it is missing or cannot be used.
    line : ndarray of int32, shape (sentences,)
        Line on which the sentence begins, from 1.
    text_start, text_end : ndarray of int64, shape (sentences,)
        Bounds of the sentence's lines in the text, in bytes.
    text : bytes
        The decompressed file, UTF-8.
    name : str
        The file's name as the user gave it.
    format, notation : str
        ``"conllu"`` or ``"conllx"``: how it was read, and how one sentence is written as text.
    digest : str
        SHA-256 of the file's bytes as stored (before decompression).
    problems : list of Problem
        Problems of the file.
    first_sentence : int
        Number of sentences of the file before these, where they are a part of it.
    """

    _ELEMENT_COLUMNS: ClassVar[tuple[str, ...]] = (
        *("form", "tag", "xtag", "head", "relation"),
        *("lemma", "feats", "deps", "token", "part"),
    )

    form: NDArray[np.int32]
    tag: NDArray[np.int32]
    xtag: NDArray[np.int32]
    head: NDArray[np.int32]
    relation: NDArray[np.int32]
    lemma: NDArray[np.int32]
    feats: NDArray[np.int32]
    deps: NDArray[np.int32]
    token: NDArray[np.int32]
    part: NDArray[np.uint8]
    format: str = "conllu"
    notation: str = "conllu"

    @property
    def n_words(self) -> NDArray[np.int32]:
        """Number of words of each sentence, shape (sentences,)."""
        return np.diff(self.offsets).astype(np.int32)

    def __repr__(self) -> str:
        return short_repr(
            self,
            f"{self.name}: {len(self):,} sentences, {int(self.n_words.sum()):,} words, {len(self.problems):,} problems",
        )

    @property
    def n_filled(self) -> int:
        """Number of sentences up to the last one that is in the file: without missing ones added at the end."""
        in_file = np.flatnonzero(self.line)
        return int(in_file[-1]) + 1 if len(in_file) else 0

    @property
    def read_offsets(self) -> NDArray[np.int64]:
        """Bounds of the sentences to which numbers in `deps` refer, in words."""
        return self.offsets

    def sent_ids(self) -> list[str | None]:
        """Return the comment ``# sent_id`` of each sentence; None if there is none."""
        return sentence_ids(self.notation, self.text, self.text_start, self.text_end)

    def with_lost_words(self) -> Dependencies:
        """Return the same sentences; those that cannot be used have the words of their rows, without heads."""
        lost = np.flatnonzero((self.n_words == 0) & (self.text_start < self.text_end))
        if not len(lost):
            return self
        bounds = zip(self.text_start[lost].tolist(), self.text_end[lost].tolist(), strict=True)
        words = Dependencies.from_trees([lost_words(self.text, *pair) for pair in bounds], self.vocabulary)
        sentences = np.arange(len(self))
        sentences[lost] = len(self) + np.arange(len(lost))
        return concatenate([self, words]).select(sentences)

    def tokens(self) -> list[str]:
        """Return the tokens of each sentence without space separators, with a tab after each; also of unusable ones."""
        corpus = self.with_lost_words()
        first = np.flatnonzero(corpus.part != 2)
        used, inverse = used_numbers(corpus.token[first])
        forms = all_without_spaces([corpus.vocabulary.words[number] for number in used.tolist()])
        forms = [f"{form}\t" for form in forms]
        tokens = [forms[index] for index in inverse.tolist()]
        return ["".join(tokens[begin:end]) for begin, end in pairwise(np.searchsorted(first, corpus.offsets).tolist())]

    def source(self, sentence: int) -> str:
        """Return the lines of a sentence as they are in the file, with line feeds between them, without blank ones.

        Parameters
        ----------
        sentence : int
            Index of the sentence in the corpus, from 0.
        """
        raw = self.text[self.text_start[sentence] : self.text_end[sentence]].decode("utf-8", "backslashreplace")
        lines = [line.rstrip("\r") for line in raw.split("\n")]
        return "\n".join(line for line in lines if line)

    def tree(self, sentence: int) -> DependencyTree:
        """Return one sentence as a :class:`DependencyTree`, with its comments alone if it is missing or cannot be used.

        Parameters
        ----------
        sentence : int
            Index of the sentence in the corpus, from 0.
        """
        if self.offsets[sentence] == self.offsets[sentence + 1]:
            raw = self.text[self.text_start[sentence] : self.text_end[sentence]].decode("utf-8", "backslashreplace")
            comments = [line.rstrip("\r") for line in raw.split("\n") if line.startswith("#")]
            return DependencyTree((), (), (), comments=tuple(line for line in comments if line != NO_PARSE))
        rows = [row for _, row, _ in whole_rows(self.source(sentence).split("\n")) if row and not row.isspace()]
        return DependencyTree.from_string("\n".join(rows), self.notation)

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
            Shared with other corpora; a new one if not given.
        name : str
            Name of the corpus in problems.

        Returns
        -------
        Dependencies
            The corpus, without problems.
        """
        vocabulary = vocabulary or Vocabulary()
        sentences = [DependencyTree((), (), ()) if tree is None else tree for tree in trees]
        texts = [tree.to_string().encode("utf-8", "backslashreplace") + b"\n\n" for tree in sentences]
        ends = np.array([0, *accumulate(map(len, texts))], dtype=np.int64)
        n_lines = [text.count(b"\n") for text in texts]

        def column(name: str, table: StringTable) -> NDArray[np.int32]:
            return table.add_all(value for tree in sentences for value in getattr(tree, name))

        surfaces = [surface for tree in sentences for surface in token_parts(tree)]
        return cls(
            vocabulary=vocabulary,
            form=column("forms", vocabulary.words),
            lemma=column("lemmas", vocabulary.annotations),
            feats=column("feats", vocabulary.annotations),
            deps=vocabulary.annotations.add_all(value for tree in sentences for value in collapsed_deps(tree)),
            token=vocabulary.words.add_all(form for form, _ in surfaces),
            part=np.array([part for _, part in surfaces], dtype=np.uint8),
            tag=column("tags", vocabulary.labels),
            xtag=column("xtags", vocabulary.labels),
            head=np.array([head for tree in sentences for head in tree.heads], dtype=np.int32),
            relation=column("relations", vocabulary.labels),
            offsets=np.array([0, *accumulate(map(len, sentences))], dtype=np.int64),
            line=np.array([1 + before for before in accumulate(n_lines, initial=0)][:-1], dtype=np.int32),
            text_start=ends[:-1],
            text_end=np.maximum(ends[:-1], ends[1:] - 1),
            text=b"".join(texts),
            name=name,
        )
