"""Brackets that evalb takes for words: ``(NP )``, an empty word, and ``( dog)``, a word with an empty tag.

Other readers, and the one of this package, take the first for a bracket without words, and the second for one with the
label *dog*. The presets that do as evalb does read such a sentence once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from evaltools.normalize.evalb_lines import pieces
from evaltools.treebank import Kind, Treebank
from evaltools.treebank.choosing import Nodes, replaced

__all__ = ["with_empty_words"]

_ODD = re.compile(rb"\([^ \t\n\v\f\r()]*[ \t\n\v\f\r]+\)|\([ \t\n\v\f\r]+[^ \t\n\v\f\r()]+\)")


def with_empty_words(treebank: Treebank) -> Treebank:
    """Return a treebank with the words that evalb reads.

    Parameters
    ----------
    treebank : Treebank
        As read; where nothing is odd, it is returned as it is.
    """
    new = {}
    for sentence in _odd_sentences(treebank):
        raw = treebank.text[treebank.text_start[sentence] : treebank.text_end[sentence]]
        nodes = _nodes(raw.decode("utf-8", "backslashreplace"), treebank)
        if nodes is not None:
            new[sentence] = nodes
    return replaced(treebank, new) if new else treebank


def _odd_sentences(treebank: Treebank) -> Iterator[int]:
    last = -1
    for found in _ODD.finditer(treebank.text):
        sentence = int(np.searchsorted(treebank.text_end, found.start(), side="right"))
        if sentence > last and sentence < len(treebank) and treebank.text_start[sentence] <= found.start():
            yield sentence
            last = sentence


def _nodes(text: str, treebank: Treebank) -> Nodes | None:
    """Read a sentence; None if its brackets do not balance, or there is text outside of them."""
    labels, words = treebank.vocabulary.labels, treebank.vocabulary.words
    nodes = Nodes()
    waiting: list[tuple[str, int, list[int]]] = []
    pending: list[int] = []
    n_words = 0
    for what, label, form in pieces(text):
        if what == "word":
            leaf = nodes.add(words.add(form), Kind.WORD, n_words, n_words + 1, [])
            n_words += 1
            pending.append(nodes.add(labels.add(label), Kind.PRETERMINAL, n_words - 1, n_words, [leaf]))
        elif what == "(":
            waiting.append((label, n_words, pending))
            pending = []
        elif what == ")" and waiting:
            label, start, before = waiting.pop()
            pending = [*before, nodes.add(labels.add(label), Kind.PHRASE, start, n_words, pending)]
        else:
            return None
    return nodes if n_words and not waiting else None
