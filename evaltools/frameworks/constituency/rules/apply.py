"""Apply a preset to a gold treebank and a parser's, and compare their words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Treebank
from evaltools.corpus.folding import are_same_words
from evaltools.corpus.vocabulary import StringTable
from evaltools.frameworks.common.equated import count_words
from evaltools.frameworks.common.label_map import AFTER_CATEGORY, mapped_numbers
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.constituency.rules.quotes import restore_quotes, with_copies
from evaltools.frameworks.constituency.rules.realizational import without_functions
from evaltools.frameworks.constituency.rules.word_alignment import (
    CHARACTERS,
    WordLinks,
    link_words,
    word_offsets,
)
from evaltools.frameworks.constituency.rules.word_sets import Spans, WordSets, word_spans
from evaltools.frameworks.presets.empty_elements import (
    tagged_words,
    without_empty_elements,
    without_words,
)
from evaltools.frameworks.presets.filtering import filtered
from evaltools.frameworks.presets.preset import Preset

__all__ = [
    "UNCOUNTED",
    "Normalized",
    "Pair",
    "WordAlignment",
    "normalize_gold",
    "normalize_pair",
    "occurring_pairs",
]


UNCOUNTED = np.uint8(3)
"""Kind of a phrase that does not count for bracketing, beside those of `Kind`."""


@dataclass(frozen=True, slots=True)
class Normalized:
    """A treebank after normalization."""

    treebank: Treebank
    read: Treebank  # As read, without the empty elements that the preset removes
    origin: NDArray[np.int32]  # For each node its position in the sentence of `read`
    dropped: NDArray[np.bool_]  # For each word of `read`, in the order of the sentences, whether it was deleted
    kinds: NDArray[np.uint8]  # Of each node, as bracketing takes them: `UNCOUNTED` for a phrase that does not count

    @property
    def places_as_read(self) -> NDArray[np.int32]:
        """For each word left, in the order of the sentences, its number in the sentence as read, from 1."""
        left, read = self.treebank, self.read
        nodes = left.word_nodes
        sentence = np.searchsorted(left.offsets, nodes, side="right") - 1
        nodes_as_read = read.offsets[sentence] + self.origin[nodes]
        index = read.start if read.position is None else read.position
        places: NDArray[np.int32] = index[nodes_as_read] + np.int32(1)
        return places


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """Word links of two treebanks after deletion."""

    aligned: NDArray[np.bool_]  # For each sentence whether its words differ and both sides have some left
    links: WordLinks  # Between the words as read
    # For each gold word that is left, in the order of the sentences: the position, among the test words left, of the
    # linked word that shares most characters with it, the first of those; -1 where there is none, and in other
    # sentences.
    partner: NDArray[np.int32]
    match: NDArray[np.uint8]  # How each gold word and its partner came to be aligned, as in the links
    single: NDArray[np.bool_]  # Whether neither of the two is linked with any other word that is left
    # For each node its span in aligned positions, empty where it covers none; in other sentences its span in words. In
    # a discontinuous tree only those of words are of use.
    gold_start: NDArray[np.int32]
    gold_end: NDArray[np.int32]
    test_start: NDArray[np.int32]
    test_end: NDArray[np.int32]

    def n_aligned(self, gold: Treebank) -> NDArray[np.int32]:
        """Return the number of gold words with a partner in each sentence; -1 in sentences without word alignment."""
        sentence = np.repeat(np.arange(len(gold)), gold.n_words)
        n_aligned = np.bincount(sentence[self.partner >= 0], minlength=len(gold))
        return np.where(self.aligned, n_aligned, -1).astype(np.int32)

    @classmethod
    def of(
        cls,
        links: WordLinks,
        aligned: NDArray[np.bool_],
        read: tuple[Treebank, Treebank],
        left: tuple[Normalized, Normalized],
    ) -> WordAlignment:
        """Follow the links between the words as read into the normalized treebanks."""
        from evaltools.kernels.word_places import place_words

        sides = []
        for before, after in zip(read, left, strict=True):
            sides.append((after.dropped, word_offsets(before), *word_spans(after.treebank), after.treebank.offsets))
        n_words = int(left[0].treebank.n_words.sum())
        partner = np.full(n_words, -1, dtype=np.int32)
        match = np.zeros(n_words, dtype=np.uint8)
        single = np.zeros(n_words, dtype=np.bool_)
        place_words(links.links, links.offsets, aligned, *sides[0], *sides[1], partner, match, single)
        return cls(aligned, links, partner, match, single, *sides[0][2:4], *sides[1][2:4])


@dataclass(frozen=True, slots=True)
class Pair:
    """Two treebanks ready to be compared, with the same number of sentences."""

    gold: Normalized
    test: Normalized
    status: NDArray[np.uint8]  # For each sentence a `SentenceStatus`
    # For each sentence whose words differ the position of the first word that differs, or -2 for another number of
    # words; -1 elsewhere.
    first_difference: NDArray[np.int64]
    compared_as_read: bool = True  # Whether the words of `Normalized.read` were compared, not those that are left
    # How words are aligned where they differ; None where none do, and under an evalb preset, which does not score such
    # sentences.
    alignment: WordAlignment | None = None
    sets: WordSets | None = None  # None where all constituents that are compared are continuous
    folded: NDArray[np.bool_] | None = None  # Sentences whose words are compared folded; None where none are

    def count_equated(self) -> dict[str, int]:
        """Count the words that are the same but for their case, or the way in which they are written."""
        if self.folded is None:
            return {}
        gold, test = self.gold.read, self.test.read
        first, test_first = word_offsets(gold), word_offsets(test)
        same = np.flatnonzero(self.folded & (self.first_difference == -1))
        index = [np.arange(first[sentence], first[sentence + 1]) for sentence in same.tolist()]
        test_index = [np.arange(test_first[sentence], test_first[sentence + 1]) for sentence in same.tolist()]
        if self.alignment is not None:
            links = self.alignment.links
            sentence = np.repeat(np.arange(len(gold)), np.diff(links.offsets))
            index.append(first[sentence] + links.links[:, 0])
            test_index.append(test_first[sentence] + links.links[:, 1])
        none = np.zeros(0, dtype=np.int64)
        words, test_words = (
            side.label[side.word_nodes[np.concatenate([none, *chosen])]]
            for side, chosen in ((gold, index), (test, test_index))
        )
        return count_words(gold.vocabulary.words, words, test_words)

    @property
    def spans(self) -> tuple[Spans, Spans]:
        """The spans of the nodes of either side, which are equal if they are over the same words."""
        if self.sets is not None:
            return self.sets.gold, self.sets.test
        if (words := self.alignment) is not None:
            return (words.gold_start, words.gold_end), (words.test_start, words.test_end)
        gold, test = self.gold.treebank, self.test.treebank
        return (gold.start, gold.end), (test.start, test.end)

    @property
    def discontinuous(self) -> NDArray[np.bool_]:
        """Whether a constituent of either tree is discontinuous, for each sentence."""
        return self.gold.treebank.discontinuous | self.test.treebank.discontinuous

    @property
    def partner(self) -> NDArray[np.int32] | None:
        """For each gold word left, in the order of the sentences, its partner's position, or -1; None if the same."""
        if self.alignment is None and self.sets is None:
            return None
        gold = self.gold.treebank
        is_equal = np.repeat(self.status == SentenceStatus.OK, gold.n_words)
        positions = np.arange(len(is_equal)) - np.repeat(word_offsets(gold)[:-1], gold.n_words)
        others = np.int32(-1) if self.alignment is None else self.alignment.partner
        return np.where(is_equal, positions, others).astype(np.int32)

    @property
    def scored(self) -> NDArray[np.uint8]:
        """For each sentence 1 if it is scored as it is, 2 if it is scored over aligned words, else 0."""
        result: NDArray[np.uint8] = (self.status == SentenceStatus.OK).astype(np.uint8)
        if self.alignment is not None:
            result[self.alignment.aligned] = 2
        return result


def normalize_gold(gold: Treebank, preset: Preset) -> Normalized:
    """Apply a preset to the gold treebank by itself."""
    gold = _with_phrases(gold, preset)
    if preset.evalb is not None:
        gold.require_continuous()
    read = without_empty_elements(gold, preset.empty_tags)
    return _filtered(read, _deleted_words(read, preset), preset)


def _with_phrases(treebank: Treebank, preset: Preset) -> Treebank:
    """Return a treebank of phrases, without functions as nodes, and with labels in the form of the preset."""
    treebank = without_functions(treebank)
    labels = treebank.vocabulary.labels
    numbers = np.arange(len(labels), dtype=np.int32)
    if preset.evalb is None:
        numbers = labels.add_all(preset.plain_label(label) for label in labels.strings())
    if preset.label_map:
        mapped = mapped_numbers(labels, preset.label_map, AFTER_CATEGORY)
        numbers = mapped[numbers]
    if np.array_equal(numbers, np.arange(len(numbers))):
        return treebank
    is_word = treebank.kind == Kind.WORD
    label = np.where(is_word, treebank.label, numbers[np.where(is_word, 0, treebank.label)])
    return replace(treebank, label=label.astype(np.int32))


def _deleted_words(treebank: Treebank, preset: Preset) -> NDArray[np.bool_]:
    """Return for each word, in the order of the sentences, whether a preset deletes it."""
    deleted = tagged_words(treebank, preset.delete_tags)
    if preset.delete_words:
        words = treebank.vocabulary.words
        forms = [form for word in preset.delete_words if (form := words.find(word)) >= 0]
        deleted |= np.isin(treebank.label[treebank.word_nodes], forms)
    return deleted


def normalize_pair(gold: Treebank, test: Treebank, preset: Preset, normalized_gold: Normalized | None = None) -> Pair:
    """Apply a preset to two treebanks with one vocabulary, of which the gold side may be normalized already.

    Raise InputError if a constituent is discontinuous and the preset follows evalb.
    """
    # A test tree with no words left is `MISSING`, whatever the gold tree has. Empty elements are removed first. Words
    # are the same if they are the same when folded. Where they differ, they are aligned; the gold tags then decide
    # about test words that are aligned as whole words with gold words, their own tags about the others.
    gold_side = normalized_gold or normalize_gold(gold, preset)
    gold, test = _with_phrases(gold, preset), _with_phrases(test, preset)
    if preset.evalb is not None:
        test.require_continuous()
        return _evalb_pair(gold, test, preset, gold_side)
    test = _without_empty_elements(test, gold, gold_side.read, preset)
    gold = gold_side.read
    difference = _compare_words(gold, test)
    folded = difference != -1
    difference = _compare_folded(gold, test, difference)
    drops = _deleted_words(test, preset)
    if preset.delete_by_gold:
        same = difference == -1
        drops[np.repeat(same, test.n_words)] = gold_side.dropped[np.repeat(same, gold.n_words)]
    differ = (difference != -1) & (gold.n_words > 0) & (test.n_words > 0)
    links = link_words(gold, test, differ) if differ.any() else None
    if links is not None and preset.delete_by_gold:
        _drop_linked(drops, gold, test, gold_side.dropped, links)
    test_side = _filtered(test, drops, preset)
    status = _status(test_side, difference)
    alignment = None
    if links is not None:
        aligned = differ & (status == SentenceStatus.WORDS_DIFFER) & (gold_side.treebank.n_words > 0)
        alignment = WordAlignment.of(links, aligned, (gold, test), (gold_side, test_side))
    pair = Pair(gold_side, test_side, status, difference, alignment=alignment, folded=folded if folded.any() else None)
    return replace(pair, sets=_word_sets(pair))


def _word_sets(pair: Pair) -> WordSets | None:
    """Return the sets of words of the sentences that are compared and have a discontinuous constituent."""
    gold, test, kinds = pair.gold.treebank, pair.test.treebank, (pair.gold.kinds, pair.test.kinds)
    if gold.position is None and test.position is None:
        return None
    chosen = pair.discontinuous & (pair.scored > 0)
    if not chosen.any():
        return None
    words = pair.alignment
    if words is None:
        return WordSets.of(gold, test, kinds, chosen, (word_spans(gold), word_spans(test)))
    spans = (words.gold_start.copy(), words.gold_end.copy()), (words.test_start.copy(), words.test_end.copy())
    return WordSets.of(gold, test, kinds, chosen, spans)


def _without_empty_elements(test: Treebank, gold: Treebank, gold_read: Treebank, preset: Preset) -> Treebank:
    """Remove the empty elements of the test trees."""
    # Where both trees have the same words, with or without the gold tree's empty elements, the gold tags decide, so
    # that a word with a wrong tag stays; elsewhere the tags of the test tree decide.
    empty = tagged_words(test, preset.empty_tags)
    if gold_read is gold and not empty.any():
        return test
    same = _compare_folded(gold, test, _compare_words(gold, test)) == -1
    empty[np.repeat(same, test.n_words)] = tagged_words(gold, preset.empty_tags)[np.repeat(same, gold.n_words)]
    same_without = (_compare_folded(gold_read, test, _compare_words(gold_read, test)) == -1) & ~same
    empty[np.repeat(same_without, test.n_words)] = False
    return without_words(test, empty)


def _drop_linked(
    drops: NDArray[np.bool_], gold: Treebank, test: Treebank, gold_drops: NDArray[np.bool_], links: WordLinks
) -> None:
    """Copy, in place, the decision about gold words to the test words that they are aligned with as whole words."""
    is_word_link = links.links[:, 2] != CHARACTERS
    sentence = np.repeat(np.arange(len(gold)), np.diff(links.offsets))[is_word_link]
    gold_words = word_offsets(gold)[sentence] + links.links[is_word_link, 0]
    drops[word_offsets(test)[sentence] + links.links[is_word_link, 1]] = gold_drops[gold_words]


def _evalb_pair(gold: Treebank, test: Treebank, preset: Preset, gold_side: Normalized) -> Pair:
    """Follow evalb's order: delete by each side's own tags, compare, repair quotes where lengths differ."""
    parameters = preset.evalb
    assert parameters is not None
    equal = occurring_pairs(gold.vocabulary.words, parameters.equal_words)
    test_side = _filtered(test, tagged_words(test, preset.delete_tags), preset)
    difference = _compare_words(gold_side.treebank, test_side.treebank, equal)
    lengths_differ = (difference == -2) & (test_side.treebank.n_words > 0)
    if parameters.quote_labels and lengths_differ.any():
        gold_drops, test_drops = gold_side.dropped.copy(), test_side.dropped.copy()
        sentences = np.flatnonzero(lengths_differ)
        gold_copies, test_copies = restore_quotes(gold, test, sentences, gold_drops, test_drops, parameters)
        if not np.array_equal(gold_drops, gold_side.dropped):
            gold_side = _with_copies(gold, gold_drops, gold_copies, preset)
        if not np.array_equal(test_drops, test_side.dropped):
            test_side = _with_copies(test, test_drops, test_copies, preset)
        difference = _compare_words(gold_side.treebank, test_side.treebank, equal)
    return Pair(gold_side, test_side, _status(test_side, difference), difference, compared_as_read=False)


def occurring_pairs(table: StringTable, pairs: Iterable[tuple[str, str]]) -> NDArray[np.int32]:
    """Return the numbers of the pairs of strings that are both in a table, shape (pairs, 2)."""
    numbers = [(table.find(first), table.find(second)) for first, second in pairs]
    return np.array([pair for pair in numbers if min(pair) >= 0], dtype=np.int32).reshape(-1, 2)


def _with_copies(treebank: Treebank, drops: NDArray[np.bool_], copies: dict[int, int], preset: Preset) -> Normalized:
    """Apply a preset to a treebank with copies of some words that are not deleted."""
    if not copies:
        return _filtered(treebank, drops, preset)
    copied, origin = with_copies(treebank, copies)
    times = np.ones(len(drops), dtype=np.int64)
    times[list(copies)] += list(copies.values())
    side = _filtered(copied, np.repeat(drops, times), preset)
    first = np.repeat(copied.offsets[:-1], np.diff(side.treebank.offsets))
    return replace(side, read=treebank, origin=origin[first + side.origin], dropped=drops)


def _status(test_side: Normalized, difference: NDArray[np.int64]) -> NDArray[np.uint8]:
    status = np.where(difference == -1, SentenceStatus.OK, SentenceStatus.WORDS_DIFFER)
    status[test_side.treebank.n_words == 0] = SentenceStatus.MISSING
    return status.astype(np.uint8)


def _compare_words(gold: Treebank, test: Treebank, equal: NDArray[np.int32] | None = None) -> NDArray[np.int64]:
    """Return for each sentence -1 where the words are equal, else as `Pair.first_difference`."""
    from evaltools.kernels.filtering import same_words

    equal = np.zeros((0, 2), dtype=np.int32) if equal is None else equal
    gold_words, test_words = ((side.label[side.word_nodes], word_offsets(side)) for side in (gold, test))
    result: NDArray[np.int64] = same_words(*gold_words, *test_words, equal)
    return result


def _compare_folded(gold: Treebank, test: Treebank, difference: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each sentence -1 where the words are the same when folded, given where they differ."""
    chosen = difference >= 0
    if not chosen.any():
        return difference
    n_words = gold.n_words[chosen]
    words, test_words = (side.label[side.word_nodes[np.repeat(chosen, side.n_words)]] for side in (gold, test))
    differs = ~are_same_words(gold.vocabulary.words, words, test_words)
    n_differing = np.concatenate(([0], np.cumsum(differs)))
    end = np.cumsum(n_words, dtype=np.int64)
    first = np.searchsorted(n_differing, n_differing[end - n_words], side="right") - 1  # the first that differs
    result = difference.copy()
    result[chosen] = np.where(first < end, first - (end - n_words), -1)
    return result


def _filtered(treebank: Treebank, drops: NDArray[np.bool_], preset: Preset) -> Normalized:
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
    left, origin = filtered(treebank, drops, actions, relabel, keep_empty=not preset.drop_empty)
    return Normalized(replace(left, text=b"", problems=[]), treebank, origin, drops, _counted_kinds(left, preset))


def _counted_kinds(treebank: Treebank, preset: Preset) -> NDArray[np.uint8]:
    """Return the kinds of nodes with `UNCOUNTED` for phrases over fewer than two words, if these do not count."""
    if not preset.multiword_only:
        return treebank.kind
    is_short = (treebank.kind == Kind.PHRASE) & (treebank.end - treebank.start < 2)
    return np.where(is_short, UNCOUNTED, treebank.kind)
