"""Dependency trees: the words of a sentence with their heads and relations, their notation, and the checks they must pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word: its form, two tags, its head (0 is the root, words count from 1) and its relation to it."""

    form: str
    upos: str
    xpos: str
    head: int
    relation: str


Dependencies = tuple[Word, ...]


def check(sentence: Dependencies) -> None:
    """Verify that the words form a tree with one root.

    Raises
    ------
    ValueError
        If a head is out of range, more or fewer than one word is a root, or the arcs have a cycle.
    """
    text = " ".join(word.form for word in sentence)
    heads = [word.head for word in sentence]
    if any(not 0 <= head <= len(heads) or head == place for place, head in enumerate(heads, 1)):
        raise ValueError(f"a head is out of range or the word itself: {text}")
    if heads.count(0) != 1:
        raise ValueError(f"{heads.count(0)} roots: {text}")
    for place in range(1, len(heads) + 1):
        seen = set()
        while place:
            if place in seen:
                raise ValueError(f"a cycle through word {place}: {text}")
            seen.add(place)
            place = heads[place - 1]
    if any((word.head == 0) != (word.relation in ("root", "ROOT")) for word in sentence):
        raise ValueError(f"the root is not called so: {text}")


def crossing_arcs(heads: Sequence[int]) -> list[int]:
    """Return the words (from 1) whose arc covers a word that does not descend from their head.

    >>> crossing_arcs([0, 1, 2])
    []
    >>> crossing_arcs([3, 0, 2, 2, 1])
    [1, 5]
    """
    return [
        place
        for place, head in enumerate(heads, 1)
        if head
        and any(not _descends(between, head, heads) for between in range(min(place, head) + 1, max(place, head)))
    ]


def _descends(place: int, ancestor: int, heads: Sequence[int]) -> bool:
    while place and place != ancestor:
        place = heads[place - 1]
    return place == ancestor


def write_conllu(sentences: Iterable[Dependencies]) -> str:
    """Return the sentences as CoNLL-U; every word is followed by a space, brackets are written as in the treebank."""
    blocks = []
    for number, sentence in enumerate(sentences, 1):
        text = " ".join(word.form for word in sentence)
        rows = [
            "\t".join((str(place), word.form, "_", word.upos, word.xpos, "_", str(word.head), word.relation, "_", "_"))
            for place, word in enumerate(sentence, 1)
        ]
        blocks.append("\n".join([f"# sent_id = sample-{number:03}", f"# text = {text}", *rows, "", ""]))
    return "".join(blocks)


def read_conllu(text: str) -> list[Dependencies]:
    """Read what `write_conllu` wrote."""
    sentences = []
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
        if rows:
            sentences.append(tuple(Word(row[1], row[3], row[4], int(row[6]), row[7]) for row in rows))
    return sentences


def attachment(gold: Sequence[Dependencies], test: Sequence[Dependencies]) -> tuple[float, float]:
    """Return the unlabelled and the labelled attachment score, in per cent of all words, punctuation and all."""
    pairs = [pair for one, other in zip(gold, test, strict=True) for pair in zip(one, other, strict=True)]
    heads = sum(right.head == guess.head for right, guess in pairs)
    both = sum((right.head, right.relation) == (guess.head, guess.relation) for right, guess in pairs)
    return 100 * heads / len(pairs), 100 * both / len(pairs)
