"""Words of a parser aligned with gold words over the characters of the text, whatever its sentences and tokens.

The text is the characters of the tokens without spaces. Every character of the parser's text has its position in the
gold text, or none. Tokens and sentences are the same if they are the same characters; words are aligned as in the
evaluation of the CoNLL 2018 shared task (:func:`~evaltools.kernels.universal_words.align_universal_words`).
Where the characters of two sentences differ, where that evaluation stops, forms are folded
(:func:`~evaltools.corpus.folding.folded`), and words that are left are aligned by their forms, such as those of a
multiword token of which one side has only the words.

References
----------
D. Zeman et al. (2018). CoNLL 2018 shared task: multilingual parsing from raw text to universal dependencies.
Proceedings of the CoNLL 2018 shared task, 1-21.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies
from evaltools.corpus.dependency_text import all_without_spaces, without_spaces
from evaltools.corpus.folding import folded
from evaltools.corpus.resegmented import BEGINS, ELSEWHERE, SENTENCE_RIGHT, TOKEN_RIGHT, UNALIGNED, Segmentation
from evaltools.corpus.vocabulary import used_numbers

NOWHERE = np.iinfo(np.int64).min
"""The position of a character that the gold text does not have."""


@dataclass(frozen=True)
class Surface:
    """The tokens of a corpus and the characters they cover."""

    corpus: Dependencies
    usable: NDArray[np.bool_] | None = None  # Which gold sentences count; all of them if None
    is_folded: NDArray[np.bool_] | None = None  # For each sentence whether its forms are folded; None for none

    @classmethod
    def of_gold(cls, gold: Dependencies) -> Surface:
        """Return the tokens of gold sentences, also of those that cannot be used, which do not count."""
        words = gold.with_lost_words()
        return cls(gold) if words is gold else cls(words, gold.n_words > 0)

    def folded(self, is_folded: NDArray[np.bool_]) -> Surface:
        """Return the same with the forms of some sentences folded."""
        return replace(self, is_folded=is_folded)

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The first word of each token."""
        return np.flatnonzero(self.corpus.part != 2)

    @cached_property
    def token(self) -> NDArray[np.int64]:
        """The token of each word."""
        return np.cumsum(self.corpus.part != 2) - 1

    @cached_property
    def _forms(self) -> tuple[list[str], NDArray[np.int64]]:
        """The texts of distinct tokens, and for each token its text."""
        words = self.corpus.vocabulary.words
        if self.is_folded is None:
            used, inverse = used_numbers(self.corpus.token[self.first])
            return all_without_spaces([words[form] for form in used.tolist()]), inverse
        keys = self.corpus.token[self.first] * np.int64(2) + self.is_folded[self.sentence[self.first]]
        used, inverse = used_numbers(keys)
        choices = [(words[key // 2], key % 2) for key in used.tolist()]
        return [folded(form) if is_folded else without_spaces(form) for form, is_folded in choices], inverse

    @cached_property
    def start(self) -> NDArray[np.int64]:
        """The first character of each token, and the end of the text."""
        texts, inverse = self._forms
        lengths = np.array([len(text) for text in texts], dtype=np.int64)
        return np.concatenate(([0], np.cumsum(lengths[inverse] if len(inverse) else inverse)))

    @cached_property
    def bounds(self) -> NDArray[np.int64]:
        """The first token of each sentence, and the number of tokens."""
        return np.searchsorted(self.first, self.corpus.offsets)

    @cached_property
    def sentence_start(self) -> NDArray[np.int64]:
        """The first character of each sentence, and the end of the text."""
        return self.start[self.bounds]

    @cached_property
    def sentence(self) -> NDArray[np.int64]:
        """The sentence of each word."""
        return np.repeat(np.arange(len(self.corpus)), self.corpus.n_words)

    def text(self, sentence: int) -> str:
        """Return the characters of a sentence."""
        texts, inverse = self._forms
        return "".join([texts[index] for index in inverse[self.bounds[sentence] : self.bounds[sentence + 1]].tolist()])

    @cached_property
    def compared(self) -> NDArray[np.int32]:
        """The number of each word's form as it is compared; the vocabulary is that of both sides."""
        corpus, words = self.corpus, self.corpus.vocabulary.words
        kind = (corpus.part > 0).astype(np.int64)
        if self.is_folded is not None:
            kind[self.is_folded[self.sentence]] = 2
        used, inverse = used_numbers(corpus.form * np.int64(3) + kind)
        forms = [words[form] for form in (used // 3).tolist()]
        choices = zip((used % 3).tolist(), all_without_spaces(forms), forms, strict=True)
        lower = [(folded(form) if kind == 2 else form if kind else bare).lower() for kind, bare, form in choices]
        numbers: NDArray[np.int32] = words.add_all(lower)[inverse]
        return numbers

    def words(self, sentence: int) -> list[str]:
        """Return the folded forms of the words of a sentence."""
        words = slice(int(self.corpus.offsets[sentence]), int(self.corpus.offsets[sentence + 1]))
        return [folded(self.corpus.vocabulary.words[form]) for form in self.corpus.form[words].tolist()]


def joined(tokens: Iterable[str], *, is_folded: bool) -> list[str]:
    r"""Return the characters of sentences, given their tokens with a tab after each.

    Examples
    --------
    >>> joined(["-LRB-\tYes\t"], is_folded=False), joined(["-LRB-\tYes\t"], is_folded=True)
    (['-LRB-Yes'], ['(yes'])
    """
    if not is_folded:
        return [text.replace("\t", "") for text in tokens]
    return ["".join(map(folded, text.split("\t")[:-1])) for text in tokens]


def have_same_words(gold: Dependencies, test: Dependencies) -> bool:
    """Return whether two corpora have the same words and tokens, sentence by sentence."""
    return (
        np.array_equal(gold.offsets, test.offsets)
        and np.array_equal(gold.form, test.form)
        and np.array_equal(gold.token, test.token)
        and np.array_equal(gold.part, test.part)
    )


def _filled(gold: Surface, test: Surface) -> NDArray[np.bool_]:
    """Return which sentences have words on both sides."""
    filled: NDArray[np.bool_] = (gold.corpus.n_words > 0) & (test.corpus.n_words > 0)
    return filled


def _differs_in_length(gold: Surface, test: Surface) -> NDArray[np.bool_]:
    """Return in which sentences, of those that have words on both sides, the numbers of characters differ."""
    lengths = np.diff(gold.sentence_start), np.diff(test.sentence_start)
    differs: NDArray[np.bool_] = _filled(gold, test) & (lengths[0] != lengths[1])
    return differs


def _is_unequal(gold: Surface, test: Surface) -> NDArray[np.bool_]:
    """Return in which sentences, of those that have words on both sides, the texts differ."""
    filled, unequal = _filled(gold, test), _differs_in_length(gold, test)
    g, t = gold.corpus, test.corpus
    candidates = np.flatnonzero(filled & ~unequal)
    sizes = np.where(g.n_words[candidates] == t.n_words[candidates], g.n_words[candidates], 0).astype(np.int64)
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    sides = [side.token[np.repeat(side.offsets[candidates], sizes) + within] for side in (g, t)]
    n_equal = np.bincount(np.repeat(np.arange(len(candidates)), sizes)[sides[0] == sides[1]], minlength=len(candidates))
    for sentence in candidates[(sizes == 0) | (n_equal < sizes)].tolist():
        unequal[sentence] = gold.text(sentence) != test.text(sentence)
    return unequal


def have_same_texts(gold: Surface, test: Surface) -> bool:
    """Return whether all sentences that have words on both sides have the same characters, or the same words."""
    unequal = np.flatnonzero(_is_unequal(gold, test)).tolist()
    return all(_have_same_forms(gold, test, sentence) for sentence in unequal)


def _have_same_forms(gold: Surface, test: Surface, sentence: int) -> bool:
    """Return whether two sentences have the same words, or the same characters, when folded."""
    if gold.words(sentence) == test.words(sentence):
        return True
    texts = ["".join(map(folded, _tokens(side, sentence))) for side in (gold, test)]
    return texts[0] == texts[1]


def text_positions(gold: str, test: str) -> NDArray[np.int64]:
    """Return for each character of a text its position in a similar text, or NOWHERE.

    Examples
    --------
    >>> [int(at) if at >= 0 else None for at in text_positions("abcd", "abxd")]
    [0, 1, None, 3]
    """
    positions = np.full(len(test), NOWHERE, dtype=np.int64)
    for block in SequenceMatcher(a=gold, b=test, autojunk=False).get_matching_blocks():
        positions[block.b : block.b + block.size] = np.arange(block.a, block.a + block.size)
    return positions


def token_positions(gold: list[str], test: list[str]) -> NDArray[np.int64]:
    """Return for each character of some tokens its position in the text of others: those of equal stretches of tokens.

    Examples
    --------
    >>> [int(at) if at >= 0 else None for at in token_positions(["a", "b", "cd"], ["b", "x", "cd"])]
    [1, None, 2, 3]
    """
    positions = np.full(sum(map(len, test)), NOWHERE, dtype=np.int64)
    starts = [np.concatenate(([0], np.cumsum([len(token) for token in side]))).astype(int) for side in (gold, test)]
    matcher = SequenceMatcher(a=gold, b=test, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and "".join(gold[a:b]) == "".join(test[c:d])):
            positions[starts[1][c] : starts[1][d]] = np.arange(starts[0][a], starts[0][b])
    return positions


def paired_positions(gold: Surface, test: Surface) -> NDArray[np.int64]:
    """Return the positions of characters where sentence i of one side belongs to sentence i of the other."""
    shift = gold.sentence_start[:-1] - test.sentence_start[:-1]
    lengths = np.diff(test.sentence_start)
    positions = np.arange(int(test.start[-1])) + np.repeat(shift, lengths)
    positions[np.repeat(gold.corpus.n_words == 0, lengths)] = NOWHERE
    for sentence in np.flatnonzero(_is_unequal(gold, test)).tolist():
        sides = [_tokens(side, sentence) for side in (gold, test)]
        own = token_positions(*sides)
        own[own != NOWHERE] += gold.sentence_start[sentence]
        positions[test.sentence_start[sentence] : test.sentence_start[sentence + 1]] = own
    return positions


def _tokens(side: Surface, sentence: int) -> list[str]:
    texts, inverse = side._forms
    return [texts[index] for index in inverse[side.bounds[sentence] : side.bounds[sentence + 1]].tolist()]


def _nearest(values: NDArray[np.int64], known: NDArray[np.bool_], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Fill unknown values: by the last known one before in the group, else the next one, else -1."""
    index = np.arange(len(values))
    before = np.maximum.accumulate(np.where(known, index, -1))
    after = np.minimum.accumulate(np.where(known, index, len(values))[::-1])[::-1]
    is_before = (before >= 0) & (group[np.maximum(before, 0)] == group)
    last = max(len(values) - 1, 0)
    is_after = (after < len(values)) & (group[np.minimum(after, last)] == group)
    source = np.where(is_before, before, np.where(is_after, after, -1))
    return np.where(source >= 0, values[np.maximum(source, 0)], -1)


def segment_pairs(gold: Dependencies, test: Dependencies) -> Segmentation:
    """Align the words of sentences that belong together by their index."""
    sides = Surface.of_gold(gold), Surface(test)
    is_folded = _is_unequal(*sides)
    if is_folded.any():
        sides = sides[0].folded(is_folded), sides[1].folded(is_folded)
    return segment(*sides, paired_positions(*sides), np.arange(len(test)))


def segment(gold: Surface, test: Surface, position: NDArray[np.int64], home: NDArray[np.int64]) -> Segmentation:
    """Align the words of a parser with gold words, and arrange its sentences by gold sentence.

    Parameters
    ----------
    gold, test : Surface
        Both sides; the parser's sentences need not be those of the gold side.
    position : ndarray of int64, shape (characters of `test`,)
        Where each character is in the gold text, or NOWHERE; outside of this part of the gold text it is less than 0,
        or not less than its length.
    home : ndarray of int64, shape (sentences of `test`,)
        The gold sentence of a sentence without characters in the gold text, or without usable words; or -1.
    """
    from evaltools.kernels.universal_words import align_universal_words

    length = int(gold.start[-1])
    start, end = test.start[:-1], test.start[1:]
    filled = start < end
    bounds = np.concatenate((position, [NOWHERE]))
    first, last = bounds[np.where(filled, start, len(position))], bounds[np.where(filled, end - 1, len(position))]
    breaks = _breaks(position)
    unbroken = breaks[np.where(filled, end - 1, 0)] == breaks[np.where(filled, start, 0)]
    whole = filled & (first >= 0) & (last < length) & (last >= first) & unbroken

    # words
    g_words = np.flatnonzero((gold.start[1:] > gold.start[:-1])[gold.token])
    t_words = np.flatnonzero(whole[test.token])
    t_words = t_words[np.argsort(first[test.token[t_words]], kind="stable")]
    g_token, t_token = gold.token[g_words], test.token[t_words]
    found = align_universal_words(
        gold.start[:-1][g_token],
        gold.start[1:][g_token],
        gold.corpus.part[g_words] > 0,
        gold.compared[g_words],
        first[t_token],
        last[t_token] + 1,
        test.corpus.part[t_words] > 0,
        test.compared[t_words],
    )
    gold_of = np.full(len(test.token), -1, dtype=np.int64)
    gold_of[t_words[found[found >= 0]]] = g_words[found >= 0]

    # the gold sentence of each token: that of its first character which the gold text has
    ends = gold.sentence_start[1:]

    def sentence_at(characters: NDArray[np.int64]) -> NDArray[np.int64]:
        inside = (characters >= 0) & (characters < length)
        return np.where(inside, np.searchsorted(ends, np.where(inside, characters, 0), side="right"), -1)

    known = position != NOWHERE
    following = np.minimum.accumulate(np.where(known, np.arange(len(position)), len(position))[::-1])[::-1]
    following = np.concatenate((following, [len(position)]))[start]
    has_place = following < end
    token_sentence = np.repeat(np.arange(len(test.corpus)), np.diff(test.bounds))
    region = sentence_at(bounds[np.where(has_place, following, len(position))])
    has_known = np.zeros(len(test.corpus), dtype=np.bool_)
    has_known[token_sentence[has_place]] = True
    region = _nearest(region, has_place, token_sentence)
    region = np.where(has_known[token_sentence], region, home[token_sentence])
    word_region = region[test.token]
    if gold.is_folded is not None:
        _align_by_form(gold, test, word_region, gold_of)
    aligned = gold_of >= 0
    word_region[aligned] = gold.sentence[gold_of[aligned]]

    # the sentences that make up the analysis of each gold sentence
    reach = sentence_at(np.where(first == NOWHERE, -1, first)), sentence_at(np.where(last == NOWHERE, -1, last))
    links = np.column_stack(
        (
            np.concatenate((word_region, region, *reach)),
            np.concatenate((test.sentence, token_sentence, token_sentence, token_sentence)),
        )
    )
    keys = np.unique(links[links[:, 0] >= 0] @ np.array([len(test.corpus), 1]))
    # a sentence without usable words stands where it is the only one, so that its line is known
    empty = np.flatnonzero((test.corpus.n_words == 0) & (home >= 0))
    empty = empty[~np.isin(home[empty], keys // max(len(test.corpus), 1))]
    empty = empty[np.unique(home[empty], return_index=True)[1]]
    keys = np.sort(np.concatenate((keys, home[empty] * len(test.corpus) + empty)))
    of_gold, pieces = keys // max(len(test.corpus), 1), keys % max(len(test.corpus), 1)
    offsets = np.searchsorted(of_gold, np.arange(len(gold.corpus) + 1))

    # the words of the pieces
    sizes = test.corpus.n_words.astype(np.int64)[pieces]
    before = np.concatenate(([0], np.cumsum(sizes)))
    words = np.repeat(test.corpus.offsets[pieces] - before[:-1], sizes) + np.arange(int(before[-1]))
    there = np.repeat(of_gold, sizes)
    own = np.full(len(gold_of), UNALIGNED, dtype=np.int64)
    own[aligned] = gold_of[aligned] - gold.corpus.offsets[gold.sentence[gold_of[aligned]]]
    gold_word = np.where(word_region[words] == there, own[words], ELSEWHERE)
    if gold.usable is not None:
        gold_word[~gold.usable[there]] = ELSEWHERE
    flags = _flags(gold, test, position, whole, first, last)
    if gold.is_folded is not None:
        flags[_first_of_equal(gold, test, gold_of)] |= SENTENCE_RIGHT
    return Segmentation(offsets, pieces, gold_word.astype(np.int32), flags[words])


def _align_by_form(gold: Surface, test: Surface, region: NDArray[np.int64], gold_of: NDArray[np.int64]) -> None:
    """Align, in place, the words that are left between aligned ones, by their forms, where these are folded."""
    from evaltools.kernels.universal_words import align_left_words

    assert gold.is_folded is not None
    words = np.flatnonzero(np.concatenate((gold.is_folded, [False]))[region])
    words = words[np.argsort(region[words], kind="stable")]
    bounds = np.searchsorted(region[words], np.arange(len(gold.corpus) + 1))
    align_left_words(gold.corpus.offsets, gold.compared, words, bounds, test.compared, gold_of)


def _first_of_equal(gold: Surface, test: Surface, gold_of: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first word of each sentence whose words are those of one gold sentence, where forms are folded."""
    assert gold.is_folded is not None
    first = test.corpus.offsets[:-1][test.corpus.n_words > 0]
    first = first[gold_of[first] >= 0]
    sentence = gold.sentence[gold_of[first]]
    n_words = gold.corpus.n_words[sentence]
    is_whole = gold.is_folded[sentence] & (gold_of[first] == gold.corpus.offsets[sentence])
    is_whole &= n_words == test.corpus.n_words[test.sentence[first]]
    follows = np.concatenate(([0], np.cumsum(np.diff(gold_of) == 1)))
    first, n_words = first[is_whole], n_words[is_whole]
    result: NDArray[np.int64] = first[follows[first + n_words - 1] - follows[first] == n_words - 1]
    return result


def _breaks(position: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each character how often, up to it, two neighbors are no neighbors in the gold text."""
    return np.concatenate(([0], np.cumsum(np.diff(position) != 1)))[: max(len(position), 1)]


def _flags(
    gold: Surface,
    test: Surface,
    position: NDArray[np.int64],
    whole: NDArray[np.bool_],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """Return the flags of each word."""
    flags = np.zeros(len(test.token), dtype=np.uint8)
    begins = test.corpus.offsets[:-1][test.corpus.n_words > 0]
    flags[begins] |= BEGINS
    tokens = np.flatnonzero(whole)
    same = _are_spans(gold.start[:-1], gold.start[1:], first[tokens], last[tokens] + 1)
    flags[test.first[tokens[same]]] |= TOKEN_RIGHT
    # a sentence is unbroken if its tokens are, and follow one another
    sentences = np.flatnonzero(test.corpus.n_words > 0)
    low, high = test.sentence_start[sentences], test.sentence_start[sentences + 1]
    sentences, low, high = sentences[low < high], low[low < high], high[low < high]
    breaks = _breaks(position)
    unbroken = breaks[high - 1] == breaks[low]
    spans = position[low], position[high - 1] + 1
    right = unbroken & _are_spans(gold.sentence_start[:-1], gold.sentence_start[1:], *spans)
    flags[test.corpus.offsets[sentences[right]]] |= SENTENCE_RIGHT
    return flags


def _are_spans(
    starts: NDArray[np.int64], ends: NDArray[np.int64], first: NDArray[np.int64], end: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which spans are among those with these starts and ends, which are in ascending order."""
    filled = starts < ends
    starts, ends = starts[filled], ends[filled]
    if not len(starts):
        return np.zeros(len(first), dtype=np.bool_)
    at = np.minimum(np.searchsorted(starts, first), len(starts) - 1)
    result: NDArray[np.bool_] = (starts[at] == first) & (ends[at] == end)
    return result
