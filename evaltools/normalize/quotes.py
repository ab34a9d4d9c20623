"""Evalb's repair of quotes (2006): a deleted quote is put back where the other side kept its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.normalize.evalb_parameters import EvalbParameters
from evaltools.treebank import Kind, Treebank

__all__ = ["restore_quotes"]

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
) -> None:
    """Undo, in place, the deletion of quotes that make the lengths of some sentences differ.

    For each quote of the test tree, each gold quote at the same place among the words that are left, with
    another tag: if only one of the two tags is deletable, that side's quote is put back, and the places of its later
    quotes move up by one. A quote is put back once; evalb may put the same one back again, and then mostly finds that
    the lengths differ.

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
    """
    gold_words = np.concatenate(([0], np.cumsum(gold.n_words, dtype=np.int64)))
    test_words = np.concatenate(([0], np.cumsum(test.n_words, dtype=np.int64)))
    for sentence in sentences.tolist():
        gold_quotes = _quotes(gold, sentence, int(gold_words[sentence]), gold_drops, parameters)
        test_quotes = _quotes(test, sentence, int(test_words[sentence]), test_drops, parameters)
        _restore(gold_quotes, test_quotes, gold_drops, test_drops, frozenset(parameters.delete_labels))


def _restore(
    gold_quotes: list[_Quote],
    test_quotes: list[_Quote],
    gold_drops: NDArray[np.bool_],
    test_drops: NDArray[np.bool_],
    deletable: frozenset[str],
) -> None:
    for t, test_quote in enumerate(test_quotes):
        for g, gold_quote in enumerate(gold_quotes):
            if gold_quote.place != test_quote.place or gold_quote.tag == test_quote.tag:
                continue
            if gold_drops[gold_quote.word] and test_quote.tag not in deletable:
                gold_drops[gold_quote.word] = False
                later = gold_quotes[g + 1 :]
            elif test_drops[test_quote.word] and gold_quote.tag not in deletable:
                test_drops[test_quote.word] = False
                later = test_quotes[t + 1 :]
            else:
                continue
            for quote in later:
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
