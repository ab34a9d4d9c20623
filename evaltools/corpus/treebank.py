"""A treebank as columns: all nodes of all sentences in flat arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.bracket_text import Kind, bracket_in_word
from evaltools.corpus.columns import Columns
from evaltools.corpus.folding import NO_WORDS
from evaltools.corpus.sentence_ids import number_in, sentence_ids
from evaltools.corpus.tree import Tree
from evaltools.corpus.vocabulary import Vocabulary
from evaltools.errors import InputError, Problem
from evaltools.text import short_repr

_REQUIRED_COLUMNS = ("label", "parent", "leftmost", "start", "end", "kind")


_KINDS = tuple(Kind)


@dataclass(slots=True, kw_only=True)
class Treebank(Columns):
    """Trees of a corpus, node by node in postorder, sentence after sentence.

    All node positions (`parent`, `leftmost`) are relative to the sentence's first node, all word
    positions (`start`, `end`) to its first word, so that a sentence can be cut out by slicing.

    Parameters
    ----------
    vocabulary : Vocabulary
        Strings of the labels and words; shared by the treebanks that are compared.
    label : ndarray of int32, shape (nodes,)
        Number of the node's label; for a word, number of its form.
    parent : ndarray of int32, shape (nodes,)
        The parent's position in the sentence, -1 for a root. A sentence may have several roots.
    leftmost : ndarray of int32, shape (nodes,)
        Position of the leftmost leaf below the node (of the node itself where it has no children).
    start, end : ndarray of int32, shape (nodes,)
        Half-open span in words.
    kind : ndarray of uint8, shape (nodes,)
        A :class:`~evaltools.corpus.tree.Kind`.
    offsets : ndarray of int64, shape (sentences + 1,)
        Sentence i has the nodes ``offsets[i]:offsets[i + 1]``.
    line : ndarray of int32, shape (sentences,)
        Line on which the sentence begins, from 1.
    text_start, text_end : ndarray of int64, shape (sentences,)
        Bounds of the sentence's text in the text, in bytes.
    text : bytes
        The decompressed file, UTF-8.
    name : str
        The file's name as the user gave it.
    format : str
        Name of the format it was read as.
    notation : str
        ``"ptb"`` or ``"sampson"``: how one tree is written as text.
    digest : str
        SHA-256 of the file's bytes as stored (before decompression).
    problems : list of Problem
        Problems of the file.
    first_sentence : int
        Number of sentences of the file before these, where the treebank is a part of it.
    position : ndarray of int32, shape (nodes,), optional
        For a word its position in the sentence, for other nodes -1; None where all phrases of all sentences are
        continuous, so that the words of the tree are in the order of the sentence.
    function : ndarray of int32, shape (nodes,), optional
        Number of the node's grammatical function among the labels, that of ``""`` for none; None where no node has
        one apart from its label.
    """

    _ELEMENT_COLUMNS: ClassVar[tuple[str, ...]] = (*_REQUIRED_COLUMNS, "position", "function")

    label: NDArray[np.int32]
    parent: NDArray[np.int32]
    leftmost: NDArray[np.int32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    kind: NDArray[np.uint8]
    position: NDArray[np.int32] | None = None
    function: NDArray[np.int32] | None = None
    format: str = "ptb"
    notation: str = "ptb"

    @property
    def n_words(self) -> NDArray[np.int32]:
        """Number of words of each sentence, shape (sentences,)."""
        words = np.flatnonzero(self.kind == Kind.WORD)
        counts: NDArray[np.int32] = np.diff(np.searchsorted(words, self.offsets)).astype(np.int32)
        return counts

    def __repr__(self) -> str:
        return short_repr(
            self,
            f"{self.name}: {len(self):,} sentences, {int(self.n_words.sum()):,} words, {len(self.problems):,} problems",
        )

    @property
    def word_indices(self) -> NDArray[np.int64]:
        """For each word, in the order of the trees, its index among all words in the order of the sentences."""
        n_words = self.n_words
        if self.position is None:
            return np.arange(int(n_words.sum()))
        first = np.cumsum(n_words, dtype=np.int64) - n_words
        indices: NDArray[np.int64] = np.repeat(first, n_words) + self.position[self.kind == Kind.WORD]
        return indices

    @property
    def word_nodes(self) -> NDArray[np.int64]:
        """For each word, in the order of the sentences, its index among all nodes."""
        nodes = np.flatnonzero(self.kind == Kind.WORD)
        if self.position is None:
            return nodes
        in_order = np.empty_like(nodes)
        in_order[self.word_indices] = nodes
        return in_order

    @property
    def word_tags(self) -> NDArray[np.int64]:
        """For each word, in the order of the sentences, the label number of its tag; -1 for none."""
        words = self.word_nodes
        after = np.minimum(words + 1, len(self.kind) - 1)  # a preterminal stands right after its word
        return np.where(self.kind[after] == Kind.PRETERMINAL, self.label[after], -1).astype(np.int64)

    @property
    def discontinuous(self) -> NDArray[np.bool_]:
        """Whether each sentence has a discontinuous constituent, shape (sentences,)."""
        result = np.zeros(len(self), dtype=np.bool_)
        if self.position is not None:
            displaced = np.flatnonzero((self.kind == Kind.WORD) & (self.position != self.start))
            result[np.searchsorted(self.offsets, displaced, side="right") - 1] = True
        return result

    @property
    def n_filled(self) -> int:
        """Number of sentences up to the last one that is not blank, such as the blank lines at the end of a file."""
        last = len(self)
        while last > 0 and self.offsets[last] == self.offsets[last - 1]:
            if self.text[self.text_start[last - 1] : self.text_end[last - 1]].strip():
                break
            last -= 1
        return last

    def _default_column(self, name: str) -> NDArray[np.int32]:
        if name == "position":
            return np.where(self.kind == Kind.WORD, self.start, -1).astype(np.int32)
        return np.full(len(self.label), self.vocabulary.labels.add(""), np.int32)

    def require_continuous(self) -> None:
        """Raise InputError if a constituent is discontinuous.

        Raises
        ------
        InputError
            If a constituent is discontinuous; the problem names the first such sentence.
        """
        is_discontinuous = self.discontinuous
        if not is_discontinuous.any():
            return
        sentence = int(np.argmax(is_discontinuous))
        found = "discontinuous constituents"
        expected = "continuous ones: evalb compares spans of neighboring words; presets that do not follow it take both"
        number, line = self.first_sentence + sentence + 1, int(self.line[sentence])
        raise InputError(Problem("discontinuous", self.name or "<tree>", line, None, found, expected, number))

    def has_whole_words(self, sentence: int) -> bool:
        """Return whether all words of a sentence could be read: whether they are UTF-8 and have no brackets in them.

        Parameters
        ----------
        sentence : int
            Index of the sentence.

        Returns
        -------
        bool
            False where it is listed for the whole file, or for a line of it, that words could not be read.
        """
        if not Columns.has_whole_words(self, sentence):
            return False
        text = self.text[self.text_start[sentence] : self.text_end[sentence]]
        brackets = "[]" if self.notation == "sampson" else "()"
        return self.format not in ("functions", "ptb", "rr", "sampson") or bracket_in_word(text, brackets) is None

    def sent_ids(self) -> list[str | None]:
        """Return the id of each sentence, or the number in it, in formats that have ids; None if there is none."""
        ids = sentence_ids(self.format, self.text, self.text_start, self.text_end)
        return [name if name is None else number_in(name) or name for name in ids]

    def tokens(self) -> list[str]:
        """Return the words of each sentence without empty elements, with a tab after each."""
        labels = self.vocabulary.labels
        is_word = ~np.isin(self.word_tags, [labels.find(tag) for tag in NO_WORDS if tag in labels])
        words = [f"{self.vocabulary.words[number]}\t" for number in self.label[self.word_nodes[is_word]].tolist()]
        n_before = np.concatenate(([0], np.cumsum(is_word)))
        bounds = n_before[np.concatenate(([0], np.cumsum(self.n_words)))].tolist()
        return ["".join(words[first:end]) for first, end in pairwise(bounds)]

    def source(self, sentence: int) -> str:
        """Return the text of a sentence on one line, as in the file; as brackets if the file has none.

        Parameters
        ----------
        sentence : int
            Index of the sentence in the corpus, from 0.
        """
        if self.format != self.notation == "discbracket":  # rows, or XML
            return self.tree(sentence).to_string(self.notation)
        raw = self.text[self.text_start[sentence] : self.text_end[sentence]]
        # only ASCII white space separates: a word may hold a no-break space
        return b" ".join(raw.split()).decode("utf-8", "backslashreplace")

    def tree(self, sentence: int) -> Tree:
        """Return one sentence as a :class:`Tree`.

        Parameters
        ----------
        sentence : int
            Index of the sentence in the corpus, from 0.
        """
        nodes = slice(int(self.offsets[sentence]), int(self.offsets[sentence + 1]))
        (sent_id,) = sentence_ids(
            self.format, self.text, self.text_start[sentence : sentence + 1], self.text_end[sentence : sentence + 1]
        )
        kinds = self.kind[nodes].tolist()
        words, labels = self.vocabulary.words, self.vocabulary.labels
        names = [
            words[number] if kind == Kind.WORD else labels[number]
            for number, kind in zip(self.label[nodes].tolist(), kinds, strict=True)
        ]
        positions = functions = None
        if self.position is not None:
            indices = self.position[nodes]
            positions = tuple(indices[indices >= 0].tolist())
        if self.function is not None:
            functions = tuple(labels[number] for number in self.function[nodes].tolist())
        return Tree(
            tuple(names),
            tuple(self.parent[nodes].tolist()),
            tuple(self.start[nodes].tolist()),
            tuple(self.end[nodes].tolist()),
            tuple(_KINDS[kind] for kind in kinds),
            positions,
            functions,
            sent_id,
        )

    @classmethod
    def from_trees(cls, trees: list[Tree], vocabulary: Vocabulary | None = None, name: str = "") -> Treebank:
        """Build the columns of a few trees made in Python.

        Parameters
        ----------
        trees : list of Tree
            One for each sentence.
        vocabulary : Vocabulary, optional
            Shared with other treebanks; a new one if not given.
        name : str
            Name of the corpus in problems.

        Returns
        -------
        Treebank
            The corpus, without problems.
        """
        vocabulary = vocabulary or Vocabulary()
        sizes = [len(tree) for tree in trees]
        label: list[int] = []
        for tree in trees:
            label += [
                (vocabulary.words if kind == Kind.WORD else vocabulary.labels).add(text)
                for text, kind in zip(tree.labels, tree.kinds, strict=True)
            ]
        count = len(trees)

        def column(values: list[int]) -> NDArray[np.int32]:
            return np.array(values, dtype=np.int32)

        position = function = None
        if not all(tree.is_continuous for tree in trees):
            position = column([index for tree in trees for index in _word_positions(tree)])
        if any(tree.functions for tree in trees):
            function = vocabulary.labels.add_all(name for tree in trees for name in tree.functions or ("",) * len(tree))

        return cls(
            vocabulary=vocabulary,
            label=column(label),
            parent=column([p for tree in trees for p in tree.parents]),
            leftmost=column([p for tree in trees for p in tree.leftmost]),
            start=column([p for tree in trees for p in tree.starts]),
            end=column([p for tree in trees for p in tree.ends]),
            kind=np.array([k for tree in trees for k in tree.kinds], dtype=np.uint8),
            offsets=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            line=np.arange(1, count + 1, dtype=np.int32),
            text_start=np.zeros(count, dtype=np.int64),
            text_end=np.zeros(count, dtype=np.int64),
            name=name,
            position=position,
            function=function,
        )


def _word_positions(tree: Tree) -> list[int]:
    """Return for each word its position in the sentence, for other nodes -1."""
    positions = [-1] * len(tree)
    for position, node in enumerate(tree.word_nodes):
        positions[node] = position
    return positions


@dataclass
class SentenceNodes:
    """The nodes of one sentence, in postorder, in the columns of a treebank."""

    label: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    leftmost: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)

    def add(self, label: int, kind: int, start: int, end: int, children: list[int]) -> int:
        """Add a node over existing children; return its index."""
        index = len(self.label)
        self.label.append(label)
        self.parent.append(-1)
        self.leftmost.append(self.leftmost[children[0]] if children else index)
        self.start.append(start)
        self.end.append(end)
        self.kind.append(kind)
        for child in children:
            self.parent[child] = index
        return index


def replace_sentences(treebank: Treebank, new_nodes: Mapping[int, SentenceNodes]) -> Treebank:
    """Return a treebank with other nodes for some sentences; all phrases are continuous and without functions."""
    sizes = np.diff(treebank.offsets)
    for sentence, nodes in new_nodes.items():
        sizes[sentence] = len(nodes.label)
    columns: dict[str, Any] = {}
    for name in _REQUIRED_COLUMNS:
        column = getattr(treebank, name)
        parts: list[NDArray[Any]] = []
        at = 0
        for sentence in sorted(new_nodes):
            new_values = np.array(getattr(new_nodes[sentence], name), column.dtype)
            parts += [column[at : treebank.offsets[sentence]], new_values]
            at = int(treebank.offsets[sentence + 1])
        columns[name] = np.concatenate([*parts, column[at:]])
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    return replace(treebank, **columns, offsets=offsets, position=None, function=None)
