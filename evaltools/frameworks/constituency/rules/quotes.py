"""Evalb's repair of quotes (2006): a deleted quote is put back where the other side kept its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Treebank
from evaltools.corpus.treebank import SentenceNodes, replace_sentences
from evaltools.frameworks.constituency.rules.word_alignment import word_offsets
from evaltools.frameworks.presets.evalb_parameters import EvalbParameters

__all__ = ["QUOTE_FORMS", "Quote", "quotes_put_back", "restore_quotes", "with_copies"]

QUOTE_FORMS = frozenset({"'", '"', "/"})


@dataclass(slots=True)
class Quote:
    """A quote of one side, deleted or not."""

    tag: str
    index: int  # Among the words that are not deleted, at the time of comparing


@dataclass(slots=True)
class _CorpusQuote(Quote):
    word: int  # Among all words of the treebank


def quotes_put_back(
    gold: Sequence[Quote], test: Sequence[Quote], parameters: EvalbParameters
) -> Iterator[tuple[int, int]]:
    """Yield each quote to put back: 0 for the gold or 1 for the test side, and its index among the quotes."""
    # For each quote of the test tree, each gold quote at the same index, with another tag: if only one of the two tags
    # is deletable, that side's quote is put back, and its own index and those of its later quotes increase by one. So a
    # quote may match again and is put back again; then it stands there twice.
    deletable = frozenset(parameters.delete_labels)
    for t, test_quote in enumerate(test):
        index = test_quote.index
        for g, gold_quote in enumerate(gold):
            is_deletable = gold_quote.tag in deletable, test_quote.tag in deletable
            if gold_quote.index != index or gold_quote.tag == test_quote.tag or is_deletable[0] == is_deletable[1]:
                continue
            yield (0, g) if is_deletable[0] else (1, t)
            for quote in gold[g:] if is_deletable[0] else test[t:]:
                quote.index += 1


def restore_quotes(
    gold: Treebank,
    test: Treebank,
    sentences: NDArray[np.intp],
    gold_drops: NDArray[np.bool_],
    test_drops: NDArray[np.bool_],
    parameters: EvalbParameters,
) -> tuple[dict[int, int], dict[int, int]]:
    """Undo, in place, the deletion of quotes that make the lengths of some sentences differ.

    Return for either side the words that are put back although they are not deleted, with how often.
    """
    drops = gold_drops, test_drops
    copies: tuple[dict[int, int], dict[int, int]] = ({}, {})
    first_words = word_offsets(gold), word_offsets(test)
    for sentence in sentences.tolist():
        quotes = [
            _quotes(treebank, sentence, int(first[sentence]), dropped, parameters)
            for treebank, first, dropped in zip((gold, test), first_words, drops, strict=True)
        ]
        for side, index in quotes_put_back(quotes[0], quotes[1], parameters):
            word = quotes[side][index].word
            if drops[side][word]:
                drops[side][word] = False
            else:
                copies[side][word] = copies[side].get(word, 0) + 1
    return copies


def _quotes(
    treebank: Treebank, sentence: int, word: int, drops: NDArray[np.bool_], parameters: EvalbParameters
) -> list[_CorpusQuote]:
    """List a sentence's quotes; `word` is the index of its first word among all words."""
    first, last = int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1])
    labels, words = treebank.vocabulary.labels, treebank.vocabulary.words
    quotes: list[_CorpusQuote] = []
    index = 0
    for node in range(first, last):
        if treebank.kind[node] != Kind.WORD:
            continue
        form = words[treebank.label[node]]
        if form in QUOTE_FORMS and node + 1 < last and treebank.kind[node + 1] == Kind.PRETERMINAL:
            tag = labels[treebank.label[node + 1]]
            if tag in parameters.quote_labels:
                quotes.append(_CorpusQuote(tag, index, word))
        index += not drops[word]
        word += 1
    return quotes


def with_copies(treebank: Treebank, copies: Mapping[int, int]) -> tuple[Treebank, NDArray[np.int32]]:
    """Return a treebank with copies of some words right after them, and the node that each node was before."""
    word_nodes = np.flatnonzero(treebank.kind == Kind.WORD)
    sentences = np.searchsorted(treebank.offsets, word_nodes[list(copies)], side="right") - 1
    new: dict[int, SentenceNodes] = {}
    origins: dict[int, list[int]] = {}
    for sentence in np.unique(sentences).tolist():
        first, last = int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1])
        here = {int(word_nodes[word]) - first: n for word, n in copies.items() if first <= word_nodes[word] < last}
        new[sentence], origins[sentence] = _copied(treebank, first, last, here)
    result = replace_sentences(treebank, new)
    origin = np.arange(len(result.kind)) - np.repeat(result.offsets[:-1], np.diff(result.offsets))
    for sentence, nodes in origins.items():
        origin[result.offsets[sentence] : result.offsets[sentence + 1]] = nodes
    return result, origin.astype(np.int32)


def _copied(treebank: Treebank, first: int, last: int, copies: dict[int, int]) -> tuple[SentenceNodes, list[int]]:
    """Copy the nodes of a sentence; add as many copies of words with their tags as `copies` has for the words."""
    nodes, origin = SentenceNodes(), list[int]()
    children: dict[int, list[int]] = {}
    n_words = 0
    for node in range(last - first):
        label, kind, parent = (int(getattr(treebank, name)[first + node]) for name in ("label", "kind", "parent"))
        if kind == Kind.WORD:
            n_words += 1
        inside = children.pop(node, [])
        start = nodes.start[inside[0]] if inside else n_words - (kind == Kind.WORD)
        children.setdefault(parent, []).append(nodes.add(label, kind, start, n_words, inside))
        origin.append(node)
        if kind == Kind.PRETERMINAL:
            leaf = nodes.label[inside[0]]
            for _ in range(copies.get(node - 1, 0)):
                word = nodes.add(leaf, Kind.WORD, n_words, n_words + 1, [])
                n_words += 1
                children[parent].append(nodes.add(label, kind, n_words - 1, n_words, [word]))
                origin += [node - 1, node]
    return nodes, origin
