"""Applying a preset to a gold treebank and a parser's, and comparing their words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from evaltools.normalize.empty_elements import tagged_words, without_empty_elements, without_words
from evaltools.normalize.preset import Preset
from evaltools.normalize.quotes import restore_quotes, with_copies
from evaltools.normalize.word_alignment import CHARACTERS, WordAlignment, WordLinks, link_words, word_offsets
from evaltools.treebank import Kind, Treebank

__all__ = ["Normalized", "Pair", "Status", "normalize_gold", "normalize_pair"]


class Status(IntEnum):
    """Whether a sentence can be scored as it is, or why not."""

    OK = 0
    MISSING = 1
    WORDS_DIFFER = 2

    @property
    def label(self) -> str:
        """The name used in tables: ``ok``, ``missing`` or ``words_differ``."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Normalized:
    """A treebank after normalisation.

    Parameters
    ----------
    treebank : Treebank
        What is left.
    read : Treebank
        The trees before, as read but for the empty elements that the preset removes; these are the words that are
        compared.
    origin : ndarray of int32, shape (nodes,)
        For each node its position in the sentence of `read`.
    dropped : ndarray of bool, shape (words of `read`,)
        The words that were deleted.
    """

    treebank: Treebank
    read: Treebank
    origin: NDArray[np.int32]
    dropped: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two treebanks ready to be compared.

    Parameters
    ----------
    gold, test : Normalized
        The two sides; they have the same number of sentences.
    status : ndarray of uint8, shape (sentences,)
        A :class:`Status`.
    first_difference : ndarray of int64, shape (sentences,)
        Where words differ: the position of the first word that differs, or -2 for another number of words; -1
        elsewhere.
    compared_as_read : bool
        Whether the words of :attr:`Normalized.read` were compared; an evalb preset compares those that are left.
    alignment : WordAlignment or None
        How words are aligned where they differ; None where none do, and under an evalb preset, which does not score
        such sentences.
    """

    gold: Normalized
    test: Normalized
    status: NDArray[np.uint8]
    first_difference: NDArray[np.int64]
    compared_as_read: bool = True
    alignment: WordAlignment | None = None

    @property
    def scored(self) -> NDArray[np.uint8]:
        """For each sentence 1 if it is scored as it is, 2 if it is scored over aligned words, else 0."""
        result: NDArray[np.uint8] = (self.status == Status.OK).astype(np.uint8)
        if self.alignment is not None:
            result[self.alignment.aligned] = 2
        return result


def normalize_gold(gold: Treebank, preset: Preset) -> Normalized:
    """Apply a preset to the gold treebank by itself.

    Parameters
    ----------
    gold : Treebank
        The gold trees.
    preset : Preset
        What to delete and equate.

    Returns
    -------
    Normalized
        What is left of each sentence.
    """
    read = without_empty_elements(gold, preset.empty_tags)
    return _filtered(read, tagged_words(read, preset.delete_tags), preset)


def normalize_pair(gold: Treebank, test: Treebank, preset: Preset, normalized_gold: Normalized | None = None) -> Pair:
    """Apply a preset to both sides and compare their words.

    Parameters
    ----------
    gold, test : Treebank
        As read, with the same number of sentences and one vocabulary.
    preset : Preset
        The rules.
    normalized_gold : Normalized, optional
        The result of :func:`normalize_gold`, where several parsers share it.

    Returns
    -------
    Pair
        A test tree with no words left is `MISSING`, whatever the gold has. Empty elements are removed first. Where the
        words differ, they are aligned; the gold tags then decide about test words that are aligned as whole words with
        gold words, their own tags about the others.

    Raises
    ------
    InputError
        If constituents are discontinuous, for which spans mean nothing.
    """
    gold.require_continuous()
    test.require_continuous()
    gold_side = normalized_gold or normalize_gold(gold, preset)
    if preset.evalb is not None:
        return _evalb_pair(gold, test, preset, gold_side)
    test = _without_empty_elements(test, gold, gold_side.read, preset)
    gold = gold_side.read
    difference = _compare_words(gold, test)
    drops = tagged_words(test, preset.delete_tags)
    if preset.delete_by_gold and preset.delete_tags:
        same = difference == -1
        by_word = np.repeat(same, test.n_words)
        gold_words = np.repeat(same, gold.n_words)
        drops[by_word] = gold_side.dropped[gold_words]
    differ = (difference != -1) & (gold.n_words > 0) & (test.n_words > 0)
    if not differ.any():
        test_side = _filtered(test, drops, preset)
        return Pair(gold_side, test_side, _status(test_side, difference), difference)
    links = link_words(gold, test, differ)
    if preset.delete_by_gold and preset.delete_tags:
        _drop_linked(drops, gold, test, gold_side.dropped, links)
    test_side = _filtered(test, drops, preset)
    status = _status(test_side, difference)
    aligned = differ & (status == Status.WORDS_DIFFER) & (gold_side.treebank.n_words > 0)
    alignment = WordAlignment.of(links, aligned, (gold, test), (gold_side, test_side))
    return Pair(gold_side, test_side, status, difference, alignment=alignment)


def _without_empty_elements(test: Treebank, gold: Treebank, gold_read: Treebank, preset: Preset) -> Treebank:
    """Remove the empty elements of the test trees.

    The tags of the gold tree decide where its words are those of the test tree, with or without its empty elements, so
    that a word with a wrong tag stays; elsewhere those of the test tree.
    """
    empty = tagged_words(test, preset.empty_tags)
    if gold_read is gold and not empty.any():
        return test
    same = _compare_words(gold, test) == -1
    empty[np.repeat(same, test.n_words)] = tagged_words(gold, preset.empty_tags)[np.repeat(same, gold.n_words)]
    same_without = (_compare_words(gold_read, test) == -1) & ~same
    empty[np.repeat(same_without, test.n_words)] = False
    return without_words(test, empty)


def _drop_linked(
    drops: NDArray[np.bool_], gold: Treebank, test: Treebank, gold_drops: NDArray[np.bool_], links: WordLinks
) -> None:
    """Let the gold words decide, in place, about the test words that they are aligned with as whole words."""
    whole = links.links[:, 2] != CHARACTERS
    sentence = np.repeat(np.arange(len(gold)), np.diff(links.offsets))[whole]
    gold_words = word_offsets(gold)[sentence] + links.links[whole, 0]
    drops[word_offsets(test)[sentence] + links.links[whole, 1]] = gold_drops[gold_words]


def _evalb_pair(gold: Treebank, test: Treebank, preset: Preset, gold_side: Normalized) -> Pair:
    """Evalb's order: delete by each side's own tags, then compare, then repair quotes where lengths differ."""
    parameters = preset.evalb
    assert parameters is not None
    words = gold.vocabulary.words
    pairs = [(words.find(a), words.find(b)) for a, b in parameters.equal_words]
    known = [pair for pair in pairs if min(pair) >= 0]
    equal = np.array(known, dtype=np.int32).reshape(-1, 2)
    test_side = _filtered(test, tagged_words(test, preset.delete_tags), preset)
    difference = _compare_words(gold_side.treebank, test_side.treebank, equal)
    lengths_differ = (difference == -2) & (test_side.treebank.n_words > 0)
    if parameters.quote_labels and lengths_differ.any():
        gold_drops, test_drops = gold_side.dropped.copy(), test_side.dropped.copy()
        sentences = np.flatnonzero(lengths_differ)
        gold_again, test_again = restore_quotes(gold, test, sentences, gold_drops, test_drops, parameters)
        if not np.array_equal(gold_drops, gold_side.dropped):
            gold_side = _with_copies(gold, gold_drops, gold_again, preset)
        if not np.array_equal(test_drops, test_side.dropped):
            test_side = _with_copies(test, test_drops, test_again, preset)
        difference = _compare_words(gold_side.treebank, test_side.treebank, equal)
    return Pair(gold_side, test_side, _status(test_side, difference), difference, compared_as_read=False)


def _with_copies(treebank: Treebank, drops: NDArray[np.bool_], again: dict[int, int], preset: Preset) -> Normalized:
    """Apply a preset to a treebank in which some words that are not deleted stand more than once."""
    if not again:
        return _filtered(treebank, drops, preset)
    copied, before = with_copies(treebank, again)
    times = np.ones(len(drops), dtype=np.int64)
    times[list(again)] += list(again.values())
    side = _filtered(copied, np.repeat(drops, times), preset)
    first = np.repeat(copied.offsets[:-1], np.diff(side.treebank.offsets))
    return Normalized(side.treebank, treebank, before[first + side.origin], drops)


def _status(test_side: Normalized, difference: NDArray[np.int64]) -> NDArray[np.uint8]:
    status = np.where(difference == -1, Status.OK, Status.WORDS_DIFFER)
    status[test_side.treebank.n_words == 0] = Status.MISSING
    return status.astype(np.uint8)


def _compare_words(gold: Treebank, test: Treebank, equal: NDArray[np.int32] | None = None) -> NDArray[np.int64]:
    """Return for each sentence -1 where the words are equal, else as `Pair.first_difference`."""
    from evaltools.kernels.filtering import same_words

    equal = np.zeros((0, 2), dtype=np.int32) if equal is None else equal
    sides = []
    for side in (gold, test):
        sides += [side.label[side.kind == Kind.WORD], word_offsets(side)]
    result: NDArray[np.int64] = same_words(*sides, equal)
    return result


def _filtered(treebank: Treebank, drops: NDArray[np.bool_], preset: Preset) -> Normalized:
    from evaltools.kernels.filtering import filter_nodes

    labels = treebank.vocabulary.labels
    strings = labels.strings()
    cut = [preset.cut_label(label) for label in strings]
    relabel = labels.add_all(cut)
    actions = np.zeros(len(strings), dtype=np.uint8)
    for number, label in enumerate(cut):
        if label in preset.delete_labels:
            actions[number] = 1
        elif label in preset.delete_top:
            actions[number] = 2
    columns = (treebank.label, treebank.parent, treebank.start, treebank.end, treebank.kind, treebank.offsets)
    *kept, origin = filter_nodes(*columns, drops, actions, relabel, not preset.drop_empty)
    label, parent, leftmost, start, end, kind, offsets = kept
    left = Treebank(
        vocabulary=treebank.vocabulary,
        label=label,
        parent=parent,
        leftmost=leftmost,
        start=start,
        end=end,
        kind=kind,
        offsets=offsets,
        line=treebank.line,
        text_start=treebank.text_start,
        text_end=treebank.text_end,
        name=treebank.name,
        format=treebank.format,
        notation=treebank.notation,
        digest=treebank.digest,
        first_sentence=treebank.first_sentence,
    )
    return Normalized(left, treebank, origin, drops)
