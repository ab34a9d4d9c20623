"""The words of the brackets of a marked sentence: where they are in it, and how they are quoted."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.corpus import Kind, Span, Tree
from evaltools.corpus.stretches import gaps_of, stretches_of, with_gaps
from evaltools.frameworks.constituency.repair import words_in
from evaltools.marks import MarkedBracket

__all__ = ["QUOTED", "around", "bracket_of", "in_sentence", "path_of", "phrases_of", "quote", "quoted", "word_numbers"]

QUOTED = 30
"""Phrases up to this many characters are quoted whole."""


def in_sentence(span: Span, order: Sequence[int] | None) -> tuple[Span, tuple[Span, ...]]:
    """Return where the words of a span begin and end in the sentence, and the gaps between them."""
    stretches = () if order is None else stretches_of(words_in(span, order))
    return (Span(stretches[0].start, stretches[-1].end), gaps_of(stretches)) if stretches else (span, ())


def bracket_of(
    side: str,
    tree: Tree,
    node: int,
    status: str,
    repairs: tuple[int, ...] = (),
    *,
    number: int | None = None,
) -> MarkedBracket:
    """Return the bracket of a node, with another number of the node if given."""
    span, gaps = in_sentence(tree.span(node), tree.positions)
    return MarkedBracket(
        side, node if number is None else number, tree.labels[node], span, status, repairs, False, gaps
    )


def phrases_of(tree: Tree) -> list[int]:
    """Return the nodes of a tree that are phrases."""
    return [node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE]


def path_of(tree: Tree, position: int) -> tuple[str, ...]:
    """Return the labels from a word to the root."""
    labels = []
    node = tree.parents[tree.word_nodes[position]]
    while node >= 0:
        labels.append(tree.labels[node])
        node = tree.parents[node]
    return tuple(labels)


def around(tree: Tree, span: Span, moved: Span, limit: int) -> str:
    """Return the words of a span around those that move, its words beside them always among them."""
    gone = words_in(moved, tree.positions)
    left = [word for word in words_in(span, tree.positions) if word not in gone]
    at = gone[0] if gone else len(tree.words)  # a phrase without words leaves no gap
    before, after = [word for word in left if word < at], [word for word in left if word > at]
    limit = limit // 2 if before and after else limit
    return " … ".join(quoted(tree.words, part, limit) for part in (before, after)).strip()


def quote(tree: Tree, span: Span, limit: int = QUOTED) -> str:
    """Return the words of a span; of a long one as many of its first words as fit, and the last one."""
    return quoted(tree.words, words_in(span, tree.positions), limit)


def quoted(words: Sequence[str], positions: Sequence[int], limit: int) -> str:
    """Return the words at some positions, … for a gap; of many as many of the first as fit, and the last one."""
    text = " ".join(with_gaps(words, positions))
    if len(text) <= limit or len(positions) < 3:
        return text
    last, kept = words[positions[-1]], 1
    while kept + 1 < len(positions) - 1 and _length(words, positions[: kept + 1]) + len(last) + 3 <= limit:
        kept += 1
    return " ".join((*with_gaps(words, positions[:kept]), "…", last))


def _length(words: Sequence[str], positions: Sequence[int]) -> int:
    return len(" ".join(with_gaps(words, positions)))


def word_numbers(tree: Tree, span: Span) -> str:
    """Return the numbers of the words of a span, from 1."""
    stretches = stretches_of(words_in(span, tree.positions))
    return ", ".join(f"{start + 1}–{end}" if end - start > 1 else str(end) for start, end in stretches)
