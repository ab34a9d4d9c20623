"""A parser's sentences arranged by gold sentences, where the two divide the text into other sentences or words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.dependencies import Dependencies
from evaltools.corpus.dependency_tree import DependencyTree, EmptyNode, MultiwordToken
from evaltools.corpus.tree import Span

UNALIGNED = -1
"""In place of a gold word: the word belongs to the gold sentence and is aligned with none of its words."""
ELSEWHERE = -2
"""In place of a gold word: the word belongs to another gold sentence."""

BEGINS, TOKEN_RIGHT, SENTENCE_RIGHT = 1, 2, 4
"""Flags of a word: it begins a sentence of the parser; it begins a token that is a gold token; it begins a sentence of
the parser that is the gold sentence."""

_COMMENT = "aligned"
_LETTERS = {BEGINS: "b", TOKEN_RIGHT: "t", SENTENCE_RIGHT: "s"}
_WORDS = {UNALIGNED: "_", ELSEWHERE: "-"}


@dataclass(frozen=True, slots=True)
class Segmentation:
    """Which sentences of a parser make up its analysis of each gold sentence, and which words of it belong there."""

    offsets: NDArray[np.int64]  # Bounds of the pieces of each gold sentence, shape (gold sentences + 1,)
    pieces: NDArray[np.int64]  # Indices of the parser's sentences, whole ones
    gold_word: NDArray[np.int32]  # For each word of the pieces its gold word by position, UNALIGNED or ELSEWHERE
    flags: NDArray[np.uint8]  # For each word of the pieces


@dataclass(slots=True, kw_only=True)
class Resegmented(Dependencies):
    """A parser's words by gold sentence; a sentence that lies in several gold sentences is in each of them.

    Parameters
    ----------
    read : Dependencies
        The parser's sentences as read.
    segmentation : Segmentation
        How they are arranged.
    piece_offsets : ndarray of int64, shape (pieces + 1,)
        The words of each of the pieces.
    """

    read: Dependencies
    segmentation: Segmentation
    piece_offsets: NDArray[np.int64]

    @classmethod
    def of(cls, read: Dependencies, segmentation: Segmentation, first_sentence: int) -> Self:
        """Arrange sentences; heads are positions among the words of the pieces of a gold sentence."""
        offsets, pieces = segmentation.offsets, segmentation.pieces
        chosen = read.select(pieces)
        sizes = np.diff(chosen.offsets)
        words = chosen.offsets[offsets]
        before = chosen.offsets[:-1] - np.repeat(words[:-1], np.diff(offsets))
        shift = np.repeat(before, sizes).astype(np.int32)
        first = np.full(len(offsets) - 1, -1, dtype=np.int64)
        filled = np.diff(offsets) > 0
        first[filled] = pieces[offsets[:-1][filled]]
        line = np.zeros(len(first), dtype=np.int32)
        line[filled] = read.line[first[filled]]
        columns: dict[str, Any] = {column.name: getattr(chosen, column.name) for column in fields(Dependencies)}
        columns |= {
            "head": np.where(chosen.head < 0, chosen.head, chosen.head + shift),
            "offsets": words,
            "line": line,
            "text_start": np.zeros(len(first), dtype=np.int64),
            "text_end": np.zeros(len(first), dtype=np.int64),
            "first_sentence": first_sentence,
            "problems": _numbered(read, segmentation, first_sentence),
        }
        return cls(**columns, read=read, segmentation=segmentation, piece_offsets=chosen.offsets)

    @property
    def read_offsets(self) -> NDArray[np.int64]:
        """Bounds of the sentences as read, one after the other, in words."""
        return self.piece_offsets

    def source(self, sentence: int) -> str:
        """Return the lines of a sentence: as read, or those of its pieces as one with a comment that aligns words.

        Parameters
        ----------
        sentence : int
            Index of the gold sentence in the corpus, from 0.
        """
        segmentation = self.segmentation
        pieces = segmentation.pieces[segmentation.offsets[sentence] : segmentation.offsets[sentence + 1]].tolist()
        words = slice(int(self.offsets[sentence]), int(self.offsets[sentence + 1]))
        gold_word = segmentation.gold_word[words]
        if len(pieces) == 1 and not (gold_word == ELSEWHERE).any():
            return self.read.source(pieces[0])
        tree = _joined([self.read.tree(piece) for piece in pieces])
        codes = [_code(*pair) for pair in zip(gold_word.tolist(), segmentation.flags[words].tolist(), strict=True)]
        return replace(tree, comments=(*tree.comments, f"# {_COMMENT} = {' '.join(codes)}")).to_string(self.notation)

    def has_whole_words(self, sentence: int) -> bool:
        """Return whether the words of all pieces of a sentence could be read."""
        first, end = self.segmentation.offsets[sentence : sentence + 2].tolist()
        return all(map(self.read.has_whole_words, self.segmentation.pieces[first:end].tolist()))


def _numbered(read: Dependencies, segmentation: Segmentation, first_sentence: int) -> list[Any]:
    """Return the problems of the sentences read, with the numbers of the first gold sentences they belong to."""
    gold = np.repeat(np.arange(len(segmentation.offsets) - 1), np.diff(segmentation.offsets)).tolist()
    number: dict[int, int] = {}
    for piece, sentence in zip(segmentation.pieces.tolist(), gold, strict=True):
        number.setdefault(piece + 1, sentence + 1 + first_sentence)
    shift = read.first_sentence
    return [
        problem if problem.sentence is None else replace(problem, sentence=number.get(problem.sentence - shift))
        for problem in read.problems
    ]


def _code(gold_word: int, flags: int) -> str:
    letters = "".join(letter for flag, letter in _LETTERS.items() if flags & flag)
    return _WORDS.get(gold_word, str(gold_word + 1)) + letters


def _joined(trees: Sequence[DependencyTree]) -> DependencyTree:
    """Return sentences as one, with several roots; words in enhanced dependencies are renumbered, too."""
    columns: dict[str, list[Any]] = {name: [] for name in ("forms", "lemmas", "tags", "xtags", "feats", "misc")}
    heads: list[int] = []
    relations: list[str] = []
    deps: list[str] = []
    comments: list[str] = []
    multiwords: list[MultiwordToken] = []
    empty: list[EmptyNode] = []
    for tree in trees:
        shift = len(heads)
        for name, values in columns.items():
            values.extend(getattr(tree, name))
        heads += [head if head < 0 else head + shift for head in tree.heads]
        relations += tree.relations
        deps += [_shifted(column, shift) for column in tree.deps]
        comments += tree.comments
        multiwords += [
            replace(token, span=Span(token.span.start + shift, token.span.end + shift)) for token in tree.multiwords
        ]
        after = sum(node.after == shift for node in empty)
        for node in tree.empty_nodes:
            index = node.index + (after if node.after == 0 else 0)
            shifted = node.with_deps(_shifted(node.deps, shift))
            empty.append(replace(shifted, after=node.after + shift, index=index))
    return DependencyTree(
        heads=tuple(heads),
        relations=tuple(relations),
        deps=tuple(deps),
        comments=tuple(comments),
        multiwords=tuple(multiwords),
        empty_nodes=tuple(empty),
        **{name: tuple(values) for name, values in columns.items()},
    )


def _shifted(deps: str, shift: int) -> str:
    if not shift or ":" not in deps:
        return deps
    edges = []
    for edge in deps.split("|"):
        head, colon, relation = edge.partition(":")
        number, dot, index = head.partition(".")
        if colon and number.isdecimal() and (int(number) or dot):
            head = f"{int(number) + shift}{dot}{index}"
        edges.append(f"{head}{colon}{relation}")
    return "|".join(edges)


def segmented_tree(tree: DependencyTree, corpus: Dependencies) -> Dependencies:
    """Return the columns of a sentence, arranged as its comment says if it was written by :class:`Resegmented`."""
    comment = tree.comment(_COMMENT)
    codes = [] if comment is None else comment.split()
    if len(codes) != len(tree):
        return corpus
    flag_of = {letter: flag for flag, letter in _LETTERS.items()}
    word_of = {code: word for word, code in _WORDS.items()}
    gold_word, flags = [], []
    for code in codes:
        name = code.rstrip("".join(flag_of))
        if name not in word_of and not name.isdecimal():
            return corpus
        gold_word.append(word_of[name] if name in word_of else int(name) - 1)
        flags.append(sum(flag_of[letter] for letter in code[len(name) :]))
    pieces = np.array([0, 1], dtype=np.int64), np.zeros(1, dtype=np.int64)
    segmentation = Segmentation(*pieces, np.array(gold_word, dtype=np.int32), np.array(flags, dtype=np.uint8))
    return Resegmented.of(corpus, segmentation, 0)
