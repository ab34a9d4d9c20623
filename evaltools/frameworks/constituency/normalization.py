"""Apply a preset to a gold treebank and a parser's, compare their words, and number labels and words for the passes.

Words that differ are linked; constituents that are discontinuous are compared as sets of words. Under a preset that
follows evalb, quotes that one side alone deletes are put back as evalb (2006) does.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012, section
4.2: "Prior to evaluating RR trees using ParsEval we strip off the added function nodes."
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Tree, Treebank
from evaltools.corpus.folding import TRACES, are_same_words, folded
from evaltools.corpus.function_trees import is_projection, realized_functions
from evaltools.corpus.stretches import gap_text, gaps_of as gaps_between, stretches_of
from evaltools.corpus.treebank import SentenceNodes, replace_sentences
from evaltools.corpus.vocabulary import StringTable, used_numbers
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.common.labels import AFTER_CATEGORY, count_words, mapped_numbers
from evaltools.frameworks.constituency.options import ConstituencyOptions
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.presets.filtering import (
    filtered,
    tagged_words,
    without_empty_elements,
    without_words,
)
from evaltools.frameworks.presets.preset import EvalbParameters, equality_classes

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
    def numbers_as_read(self) -> NDArray[np.int32]:
        """For each word left, in the order of the sentences, its number in the sentence as read, from 1."""
        left, read = self.treebank, self.read
        nodes = left.word_nodes
        sentence = np.searchsorted(left.offsets, nodes, side="right") - 1
        nodes_as_read = read.offsets[sentence] + self.origin[nodes]
        index = read.start if read.position is None else read.position
        numbers: NDArray[np.int32] = index[nodes_as_read] + np.int32(1)
        return numbers


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
        from evaltools.kernels.word_alignment import place_words

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
    if preset.keeps_traces:
        treebank = _without_indices(treebank)
    if np.array_equal(numbers, np.arange(len(numbers))):
        return treebank
    is_word = treebank.kind == Kind.WORD
    label = np.where(is_word, treebank.label, numbers[np.where(is_word, 0, treebank.label)])
    return replace(treebank, label=label.astype(np.int32))


_INDEX = re.compile("-[0-9]+$")


def _without_indices(treebank: Treebank) -> Treebank:
    """Return a treebank whose traces have no indices, as phrases have none: two files number the same traces apart."""
    words = treebank.vocabulary.words
    nodes = treebank.word_nodes[tagged_words(treebank, TRACES)]
    label = treebank.label.copy()
    label[nodes] = words.add_all(_INDEX.sub("", words[number]) for number in label[nodes].tolist())
    return replace(treebank, label=label)


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
    from evaltools.kernels.word_sets import number_sets

    gold, test = pair.gold.treebank, pair.test.treebank
    chosen = pair.discontinuous & (pair.scored > 0)
    if not chosen.any():
        return None
    own, other = word_spans(gold), word_spans(test)
    if (words := pair.alignment) is not None:
        own = words.gold_start.copy(), words.gold_end.copy()
        other = words.test_start.copy(), words.test_end.copy()
    crossing = np.zeros(len(test.label), dtype=np.uint8)
    sides = (gold.parent, *own, pair.gold.kinds, gold.offsets), (test.parent, *other, pair.test.kinds, test.offsets)
    number_sets(*sides[0], *sides[1], chosen, crossing)
    return WordSets(chosen, own, other, crossing)


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
    pairs = occurring_pairs(gold.vocabulary.words, parameters.equal_words).tolist()

    def are_same(words: NDArray[np.int32], test_words: NDArray[np.int32]) -> NDArray[np.bool_]:
        same: NDArray[np.bool_] = words == test_words
        for one, other in pairs + [pair[::-1] for pair in pairs]:
            same |= (words == one) & (test_words == other)
        return same

    test_side = _filtered(test, tagged_words(test, preset.delete_tags), preset)
    difference = _compare_words(gold_side.treebank, test_side.treebank, are_same)
    lengths_differ = (difference == -2) & (test_side.treebank.n_words > 0)
    if parameters.quote_labels and lengths_differ.any():
        gold_drops, test_drops = gold_side.dropped.copy(), test_side.dropped.copy()
        sentences = np.flatnonzero(lengths_differ)
        gold_copies, test_copies = restore_quotes(gold, test, sentences, gold_drops, test_drops, parameters)
        if not np.array_equal(gold_drops, gold_side.dropped):
            gold_side = _with_copies(gold, gold_drops, gold_copies, preset)
        if not np.array_equal(test_drops, test_side.dropped):
            test_side = _with_copies(test, test_drops, test_copies, preset)
        difference = _compare_words(gold_side.treebank, test_side.treebank, are_same)
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


def _compare_words(
    gold: Treebank,
    test: Treebank,
    are_same: Callable[[NDArray[np.int32], NDArray[np.int32]], NDArray[np.bool_]] = np.equal,
) -> NDArray[np.int64]:
    """Return for each sentence -1 where the words are the same, else as `Pair.first_difference`."""
    n_words, n_test_words = gold.n_words, test.n_words
    result = np.where(n_words == n_test_words, np.int64(-1), np.int64(-2))
    chosen, test_chosen = np.repeat(result == -1, n_words), np.repeat(result == -1, n_test_words)
    words, test_words = gold.label[gold.word_nodes[chosen]], test.label[test.word_nodes[test_chosen]]
    differing = np.flatnonzero(chosen)[~are_same(words, test_words)][::-1]  # so that the first is written last
    end = np.cumsum(n_words, dtype=np.int64)
    sentence = np.searchsorted(end, differing, side="right")
    result[sentence] = differing - (end - n_words)[sentence]
    return result


def _compare_folded(gold: Treebank, test: Treebank, difference: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each sentence -1 where the words are the same when folded, given where they differ."""
    if (difference < 0).all():
        return difference
    return _compare_words(gold, test, partial(are_same_words, gold.vocabulary.words))


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
    """Return the kinds of nodes with `UNCOUNTED` for phrases that do not count in bracketing."""
    kind, width = treebank.kind, treebank.end - treebank.start
    left_out = np.zeros(len(kind), dtype=np.bool_)
    if preset.multiword_only:
        left_out |= width < 2
    if preset.inner_only:
        left_out |= width == np.repeat(treebank.n_words, np.diff(treebank.offsets))
    if preset.chain_top_only:
        below = np.flatnonzero(treebank.parent >= 0)
        first = np.repeat(treebank.offsets[:-1], np.diff(treebank.offsets))
        parent = treebank.parent[below] + first[below]
        is_only_child = np.bincount(parent, minlength=len(kind))[parent] == 1
        left_out[below[is_only_child & (kind[parent] == Kind.PHRASE)]] = True
    if not left_out.any():
        return kind
    return np.where(left_out & (kind == Kind.PHRASE), UNCOUNTED, kind)


ROOTS = frozenset({"TOP", "ROOT", "root", "S1", "VROOT"})
"""Labels of brackets over whole sentences that are no constituents."""
EXACT, FOLDED, CHARACTERS = 0, 1, 2
"""How two words came to be aligned: as the same form, as the same folded form, by characters."""


def word_offsets(treebank: Treebank) -> NDArray[np.int64]:
    """Return the first word of each sentence, shape (sentences + 1,)."""
    return np.concatenate(([0], np.cumsum(treebank.n_words, dtype=np.int64)))


@dataclass(frozen=True, slots=True)
class WordLinks:
    """The links of all sentences, each from left to right."""

    # One row a link: gold word and test word, by position in the sentence as read; how they came to be aligned (EXACT,
    # FOLDED or CHARACTERS); how many characters they share in the alignment.
    links: NDArray[np.int32]
    offsets: NDArray[np.int64]  # First link of each sentence, shape (sentences + 1,)

    def of(self, sentence: int) -> NDArray[np.int32]:
        """Return the links of a sentence, from 0, shape (links, 4)."""
        return self.links[self.offsets[sentence] : self.offsets[sentence + 1]]


def link_words(gold: Treebank, test: Treebank, chosen: NDArray[np.bool_]) -> WordLinks:
    """Link the words of some sentences."""
    # As many words as possible are linked with words of the same form, then as many as possible with words of the same
    # folded form. In the gaps between them characters are aligned: two words are linked if they share more than half
    # of the characters of the shorter one, and at least half of each is aligned in all. Links never cross.
    from evaltools.kernels.word_alignment import align_words

    sides = [(side.label[side.word_nodes], word_offsets(side)) for side in (gold, test)]
    # forms of the other sentences need not be folded
    occurring = np.unique(np.concatenate([forms[np.repeat(chosen, np.diff(offsets))] for forms, offsets in sides]))
    classes = np.full(len(gold.vocabulary.words), -1, dtype=np.int32)
    words = gold.vocabulary.words
    table = StringTable()
    forms = (words[number] for number in occurring.tolist())
    classes[occurring] = table.add_all(folded(form) or form or " " for form in forms)  # each has a character
    strings = table.strings()
    text = "".join(strings).encode("utf-32-le", "surrogatepass")
    characters = np.frombuffer(text, dtype=np.int32).copy()  # kernels need a writable array
    character_offsets = np.concatenate(([0], np.cumsum([len(string) for string in strings], dtype=np.int64)))
    links, offsets = align_words(*sides[0], *sides[1], chosen, classes, characters, character_offsets)
    return WordLinks(links, offsets)


Spans = tuple[NDArray[np.int32], NDArray[np.int32]]
"""Start and end of every node."""


@dataclass(frozen=True, slots=True)
class WordSets:
    """The words of each node as a span that equals another node's only if they are over the same words.

    The span of a constituent with gaps begins at its first word; its end is a number beyond the sentence, one for each
    set of words. Sentences that are not chosen keep the spans that they have.
    """

    chosen: NDArray[np.bool_]  # Sentences in which a constituent of either tree is discontinuous
    gold: Spans
    test: Spans
    crossing: NDArray[np.uint8]  # For each test phrase of those sentences whether it crosses a gold phrase


def word_spans(treebank: Treebank) -> Spans:
    """Return a copy of the spans of the nodes, those of words in the order of the sentence."""
    start, end = treebank.start.copy(), treebank.end.copy()
    if treebank.position is not None:
        is_word = treebank.kind == Kind.WORD
        start[is_word] = treebank.position[is_word]
        end[is_word] = start[is_word] + 1
    return start, end


def hulls(treebank: Treebank) -> Spans:
    """Return the first word of each node, in the order of the sentence, and the end of its last one."""
    return (treebank.start, treebank.end) if treebank.position is None else _yields(treebank)[:2]


def has_gaps(treebank: Treebank) -> NDArray[np.bool_] | None:
    """Return which phrases are over words that are not neighbors; None if there is none in the treebank."""
    if treebank.position is None:
        return None
    first, end, size = _yields(treebank)
    gaps: NDArray[np.bool_] = (end - first != size) & (treebank.kind == Kind.PHRASE)
    return gaps


def gaps_of(treebank: Treebank) -> NDArray[np.object_]:
    """Return the gaps of each node: the words between its words, as ``3-5 8-9``, half-open, from 0; empty without any.

    Examples
    --------
    >>> from evaltools.corpus import Tree
    >>> gaps_of(Treebank.from_trees([Tree.from_string("(S (VP (V 0=is) (A 2=rich)) (N 1=John))", "discbracket")]))[4]
    '1-2'
    """
    texts: NDArray[np.object_] = np.full(len(treebank.kind), "", dtype=object)
    gaps = has_gaps(treebank)
    if gaps is None:
        return texts
    assert treebank.position is not None
    for node in np.flatnonzero(gaps).tolist():
        first = node - _index(treebank, node) + int(treebank.leftmost[node])
        positions = treebank.position[first:node]
        words = np.sort(positions[positions >= 0])
        texts[node] = gap_text(gaps_between(stretches_of(words.tolist())))
    return texts


def _index(treebank: Treebank, node: int) -> int:
    """Return the index of a node in its sentence."""
    return node - int(treebank.offsets[np.searchsorted(treebank.offsets, node, side="right") - 1])


def _yields(treebank: Treebank) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    from evaltools.kernels.spans import find_yields

    assert treebank.position is not None
    first, end, size, _ = find_yields(treebank.parent, treebank.position, treebank.offsets)
    return first, end, size


def partners_in_trees(partner: NDArray[np.int32], gold: Treebank, test: Treebank) -> NDArray[np.int32]:
    """Return the partners of gold words, in the order of the sentences, for words in the order of the trees."""
    if gold.position is not None:
        partner = partner[gold.word_indices]
    if test.position is None:
        return partner
    first = word_offsets(test)
    indices = test.word_indices
    in_tree = np.empty(len(indices), dtype=np.int32)  # of each word, by its position in the sentence
    in_tree[indices] = np.arange(len(indices)) - np.repeat(first[:-1], test.n_words)
    of_sentence = np.repeat(first[:-1], gold.n_words)
    return np.where(partner >= 0, in_tree[np.where(partner >= 0, of_sentence + partner, 0)], np.int32(-1))


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


WITHOUT_FUNCTIONS = "relational-realizational trees are compared without projections and function nodes"


def without_functions(treebank: Treebank) -> Treebank:
    """Return a relational-realizational treebank as one of phrases; any other as it is."""
    if treebank.format != "rr":
        return treebank
    labels = treebank.vocabulary.labels
    projections = np.array([is_projection(label) for label in labels.strings()] or [False])
    is_phrase = treebank.kind == Kind.PHRASE
    is_set = is_phrase & projections[np.where(is_phrase, treebank.label, 0)]
    sentence = np.repeat(np.arange(len(treebank)), np.diff(treebank.offsets))
    parent = np.where(treebank.parent < 0, -1, treebank.parent + treebank.offsets[sentence])
    is_function = is_phrase & realized_functions(parent, is_set, sentence)
    marked = np.where(is_set | is_function, labels.add("{}"), treebank.label).astype(np.int32)
    delete = np.zeros(len(labels), dtype=np.uint8)
    delete[labels.find("{}")] = 1
    n_words = int(treebank.n_words.sum())
    left, _ = filtered(
        replace(treebank, label=marked),
        np.zeros(n_words, dtype=np.bool_),
        delete,
        np.arange(len(labels), dtype=np.int32),
        keep_empty=True,
    )
    return replace(left, format="ptb")


def phrases_of(tree: Tree) -> Tree:
    """Return a relational-realizational tree as a tree of phrases.

    Examples
    --------
    >>> text = "(S ({sbj,prd} (sbj (NP ({hd} (hd (NN John))))) (prd (V sleeps))))"
    >>> print(phrases_of(Tree.from_string(text)).to_string())
    (S (NP (NN John)) (V sleeps))
    """
    return without_functions(replace(Treebank.from_trees([tree]), format="rr")).tree(0)


@dataclass(frozen=True, slots=True)
class Symbols:
    """Labels and words as numbers that are equal where the preset equates the strings."""

    # ``EQ_LABEL`` and ``EQ_WORD`` are not transitive. Bracket matching compares two labels at a time and uses the
    # pairs; an alignment and an edit distance need an equivalence and use the transitive closure of all pairs of the
    # preset, whichever labels and words occur: otherwise a sentence would be scored otherwise among others.

    label_class: NDArray[np.int32]  # For each label the smallest number of the labels that are equal to it
    initial: NDArray[np.int32]  # Number of the first character of each label
    equal: NDArray[np.int32]  # The pairs of equal labels, shape (pairs, 2)
    gold: NDArray[np.int32]  # Class of every node; words are numbered after all labels
    test: NDArray[np.int32]


_NO_OPTIONS = ConstituencyOptions()


@dataclass(frozen=True)
class TreeComparison:
    """Two treebanks ready to be compared."""

    pair: Pair  # The normalized treebanks
    preset: Preset
    options: ConstituencyOptions  # What to compute
    symbols: Symbols

    @classmethod
    def of(cls, pair: Pair, preset: Preset, options: ConstituencyOptions = _NO_OPTIONS) -> TreeComparison:
        """Compare normalized treebanks."""
        return cls(pair, preset, options, _symbols(pair, preset))


def _symbols(pair: Pair, preset: Preset) -> Symbols:
    """Return the labels and words of a pair as numbers, under the equations of a preset."""
    vocabulary = pair.gold.treebank.vocabulary
    rules = preset.evalb
    strings = vocabulary.labels.strings()
    classes = label_classes(vocabulary.labels, preset)
    word_classes = _classes(vocabulary.words, () if rules is None else rules.equal_words)
    first_characters = {character: number for number, character in enumerate(sorted({s[:1] for s in strings}))}
    initial = np.array([first_characters[string[:1]] for string in strings], dtype=np.int32)
    equal = occurring_pairs(vocabulary.labels, () if rules is None else rules.equal_labels)
    sides = []
    folded_forms = StringTable()
    for side in (pair.gold.treebank, pair.test.treebank):
        is_word = side.kind == Kind.WORD
        symbols = np.empty_like(side.label)
        symbols[is_word] = word_classes[side.label[is_word]] + np.int32(len(strings))
        if pair.folded is not None:
            is_folded = is_word & np.repeat(pair.folded, np.diff(side.offsets))
            used, index = used_numbers(side.label[is_folded])
            classes_of_used = folded_forms.add_all(folded(vocabulary.words[number]) for number in used.tolist())
            symbols[is_folded] = classes_of_used[index] + np.int32(len(strings) + len(word_classes))
        symbols[~is_word] = classes[side.label[~is_word]]
        sides.append(symbols)
    return Symbols(classes, initial, equal, sides[0], sides[1])


def label_classes(table: StringTable, preset: Preset) -> NDArray[np.int32]:
    """Return for each label the smallest number of the labels that are equal to it under a preset."""
    return _classes(table, () if preset.evalb is None else preset.evalb.equal_labels)


def _classes(table: StringTable, equal: Iterable[tuple[str, str]]) -> NDArray[np.int32]:
    """Return for each string the smallest number of the strings of its class."""
    classes = np.arange(len(table), dtype=np.int32)
    members = defaultdict[str, list[int]](list)
    for string, name in equality_classes(equal).items():
        if (number := table.find(string)) >= 0:
            members[name].append(number)
    for numbers in members.values():
        classes[numbers] = min(numbers)
    return classes
