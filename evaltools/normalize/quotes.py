"""Evalb's repair of quotes (2006): a deleted quote is put back where the other side kept its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.normalize.evalb_parameters import EvalbParameters
from evaltools.treebank import Kind, Treebank
from evaltools.treebank.choosing import Nodes, replaced

__all__ = ["restore_quotes", "with_copies"]

_FORMS = frozenset({"'", '"', "/"})


@dataclass(slots=True)
class _Quote:
    tag: str
    place: int  # among the sentence's words that are not deleted, as it stands when the quote is met
    word: int  # among all words of the treebank


def restore_quotes(
    gold: Treebank,
    test: Treebank,
    sentences: NDArray[np.intp],
    gold_drops: NDArray[np.bool_],
    test_drops: NDArray[np.bool_],
    parameters: EvalbParameters,
) -> tuple[dict[int, int], dict[int, int]]:
    """Undo, in place, the deletion of quotes that make the lengths of some sentences differ.

    For each quote of the test tree, each gold quote at the same place among the words that are left, with
    another tag: if only one of the two tags is deletable, that side's quote is put back, and its own place and those of
    its later quotes move up by one. So a quote may fit once more and is put back again: it then stands there twice.

    Parameters
    ----------
    gold, test : Treebank
        As read.
    sentences : ndarray of int
        The sentences to repair, from 0.
    gold_drops, test_drops : ndarray of bool
        For all words of each treebank whether they are deleted; changed in place.
    parameters : EvalbParameters
        ``QUOTE_LABEL`` and ``DELETE_LABEL``.

    Returns
    -------
    (dict, dict)
        Of either side the words that were put back more than once, and how many more times.
    """
    again: tuple[dict[int, int], dict[int, int]] = ({}, {})
    gold_words = np.concatenate(([0], np.cumsum(gold.n_words, dtype=np.int64)))
    test_words = np.concatenate(([0], np.cumsum(test.n_words, dtype=np.int64)))
    for sentence in sentences.tolist():
        gold_quotes = _quotes(gold, sentence, int(gold_words[sentence]), gold_drops, parameters)
        test_quotes = _quotes(test, sentence, int(test_words[sentence]), test_drops, parameters)
        deletable = frozenset(parameters.delete_labels)
        for t, test_quote in enumerate(test_quotes):
            place = test_quote.place
            for g, gold_quote in enumerate(gold_quotes):
                if gold_quote.place != place or gold_quote.tag == test_quote.tag:
                    continue
                if gold_quote.tag in deletable and test_quote.tag not in deletable:
                    _put_back(gold_quotes[g:], gold_drops, again[0])
                elif test_quote.tag in deletable and gold_quote.tag not in deletable:
                    _put_back(test_quotes[t:], test_drops, again[1])
    return again


def _put_back(quotes: list[_Quote], drops: NDArray[np.bool_], again: dict[int, int]) -> None:
    """Put the first of these quotes back and move all of them up."""
    word = quotes[0].word
    if drops[word]:
        drops[word] = False
    else:
        again[word] = again.get(word, 0) + 1
    for quote in quotes:
        quote.place += 1


def _quotes(
    treebank: Treebank, sentence: int, word: int, drops: NDArray[np.bool_], parameters: EvalbParameters
) -> list[_Quote]:
    """List a sentence's quotes; `word` is the place of its first word among all words."""
    first, last = int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1])
    labels, words = treebank.vocabulary.labels, treebank.vocabulary.words
    quotes: list[_Quote] = []
    place = 0
    for node in range(first, last):
        if treebank.kind[node] != Kind.WORD:
            continue
        if words[treebank.label[node]] in _FORMS and node + 1 < last and treebank.kind[node + 1] == Kind.PRETERMINAL:
            tag = labels[treebank.label[node + 1]]
            if tag in parameters.quote_labels:
                quotes.append(_Quote(tag, place, word))
        place += not drops[word]
        word += 1
    return quotes


def with_copies(treebank: Treebank, again: Mapping[int, int]) -> tuple[Treebank, NDArray[np.int32]]:
    """Return a treebank in which some words stand more than once, one right after the other.

    Parameters
    ----------
    treebank : Treebank
        As read.
    again : mapping of int to int
        Words, by their place among all words, and how many more times each stands there.

    Returns
    -------
    (Treebank, ndarray of int32)
        The treebank, and for each of its nodes the place, in its sentence, of the node it was before.
    """
    is_word = treebank.kind == Kind.WORD
    word_nodes = np.flatnonzero(is_word)
    sentences = np.searchsorted(treebank.offsets, word_nodes[list(again)], side="right") - 1
    new: dict[int, Nodes] = {}
    before: dict[int, list[int]] = {}
    for sentence in np.unique(sentences).tolist():
        first, last = int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1])
        copies = {int(word_nodes[word]) - first: n for word, n in again.items() if first <= word_nodes[word] < last}
        new[sentence], before[sentence] = _copied(treebank, first, last, copies)
    result = replaced(treebank, new)
    places = np.arange(len(result.kind)) - np.repeat(result.offsets[:-1], np.diff(result.offsets))
    for sentence, nodes in before.items():
        places[result.offsets[sentence] : result.offsets[sentence + 1]] = nodes
    return result, places.astype(np.int32)


def _copied(treebank: Treebank, first: int, last: int, copies: dict[int, int]) -> tuple[Nodes, list[int]]:
    """Copy the nodes of a sentence, a word and its tag together some more times."""
    nodes, before = Nodes(), list[int]()
    children: dict[int, list[int]] = {}
    n_words = 0
    for node in range(last - first):
        label, kind, parent = (int(getattr(treebank, name)[first + node]) for name in ("label", "kind", "parent"))
        if kind == Kind.WORD:
            n_words += 1
        inside = children.pop(node, [])
        start = nodes.start[inside[0]] if inside else n_words - (kind == Kind.WORD)
        children.setdefault(parent, []).append(nodes.add(label, kind, start, n_words, inside))
        before.append(node)
        if kind == Kind.PRETERMINAL:
            leaf = nodes.label[inside[0]]
            for _ in range(copies.get(node - 1, 0)):
                word = nodes.add(leaf, Kind.WORD, n_words, n_words + 1, [])
                n_words += 1
                children[parent].append(nodes.add(label, kind, n_words - 1, n_words, [word]))
                before += [node - 1, node]
    return nodes, before
