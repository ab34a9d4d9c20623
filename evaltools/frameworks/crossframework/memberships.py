"""The corpora that have each span, and each function over it; every TedEval figure of 2012 is computed from them.

Members are the units of nodes where trees have different words over the same text. Outside multiword tokens the
members are the characters of the text. Inside a multiword token of any side the words are aligned by form, as in the
evaluation of the CoNLL 2018 shared task: an aligned word has the members of its partner, and a word without a partner
is a member that the other sides lack.

References
----------
D. Zeman et al. (2018). CoNLL 2018 shared task: multilingual parsing from raw text to Universal Dependencies. CoNLL.

Notes
-----
Differences from the shared task's evaluation: words outside multiword tokens are compared by their characters, where
the evaluation aligns only words that are the same characters. Only words that lie inside a multiword token are aligned
by form; where two or more unaligned words begin before a token of the other side, the evaluation lets all but one in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.folding import are_same_words
from evaltools.corpus.function_trees import Yield
from evaltools.errors import ParameterError
from evaltools.frameworks.crossframework.function_columns import FunctionColumns

Extent = tuple[int, int]
"""First character and end."""

Key = tuple[int, ...]
"""A member; members sort by their position in the text."""


@dataclass(frozen=True, slots=True)
class Segmented:
    """The words and multiword tokens of one side."""

    words: Sequence[str]  # The words as they are compared, without white space
    tokens: Sequence[tuple[int, int, str]] = ()  # First word, end and form of each multiword token

    @classmethod
    def of(cls, corpus: FunctionColumns, sentence: int) -> Segmented:
        """Return a sentence of a corpus."""
        return cls(corpus.words(sentence), corpus.tokens(sentence))

    def extents(self) -> list[Extent]:
        """Return the characters of each word; those of a multiword token's words are the token's."""
        tokens = {first: (end, form) for first, end, form in self.tokens}
        extents: list[Extent] = []
        start = 0
        while len(extents) < len(self.words):
            first = len(extents)
            end, form = tokens.get(first, (first + 1, self.words[first]))
            extents += [(start, start + len(form))] * (end - first)
            start += len(form)
        return extents

    def text(self) -> str:
        """Return the characters."""
        words = list(self.words)
        for first, end, form in self.tokens:
            words[first:end] = [form] + [""] * (end - first - 1)
        return "".join(words)

    def has_text_of(self, other: Segmented) -> bool:
        """Return whether the characters are those of another side, but for their case."""
        texts = self.text(), other.text()
        return len(texts[0]) == len(texts[1]) and texts[0].casefold() == texts[1].casefold()


@dataclass(frozen=True, slots=True)
class SentenceMembers:
    """The members of one sentence."""

    # The members from left to right: aligned words, words of only one side, and stretches of characters that no side
    # divides.
    names: tuple[str, ...]
    words: tuple[list[tuple[int, ...]], ...]  # For each side the members of each word, in ascending order


def has_multiwords(corpora: Sequence[FunctionColumns], sentence: int) -> bool:
    """Return whether a sentence has a multiword token in any of several corpora."""
    return any(corpus.tokens(sentence) for corpus in corpora)


def align_forms(reference: Sequence[str], words: Sequence[str]) -> dict[int, int]:
    """Align words by a longest common subsequence of their lower-cased forms.

    Examples
    --------
    >>> align_forms(["b", "h", "bit"], ["B", "bit"])
    {0: 0, 1: 2}
    """
    a, b = [item.lower() for item in reference], [item.lower() for item in words]
    n, m = len(a), len(b)
    longest = [[0] * (m + 1) for _ in range(n + 1)]
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            equal = 1 + longest[i + 1][j + 1] if a[i] == b[j] else 0
            longest[i][j] = max(equal, longest[i + 1][j], longest[i][j + 1])
    pairs = {}
    i = j = 0
    while i < n and j < m:
        if a[i] == b[j]:
            pairs[j] = i
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _stretches(units: Sequence[Extent], tokens: Sequence[Extent]) -> list[Extent]:
    """Return the shortest stretches around tokens whose ends lie within no unit, in their order."""
    end = max((end for _, end in units), default=0)
    divided = [True] * (end + 1)
    for first, last in units:
        divided[first + 1 : last] = [False] * max(last - first - 1, 0)
    stretches = set()
    for start, stop in tokens:
        while not divided[start]:
            start -= 1
        while not divided[stop]:
            stop += 1
        stretches.add((start, stop))
    return sorted(stretches)


def _tokens(*sides: Segmented) -> list[Extent]:
    """Return the characters of the multiword tokens of all sides; those that overlap are one."""
    merged: list[Extent] = []
    for start, end in sorted(side.extents()[first] for side in sides for first, _, _ in side.tokens):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        elif start < end:  # else it is nothing but white space
            merged.append((start, end))
    return merged


def _inside(extents: Sequence[Extent], around: Extent) -> list[int]:
    """Return the words that lie within a part of the text."""
    return [word for word, (start, end) in enumerate(extents) if around[0] <= start < end <= around[1]]


def _fill(
    side: Segmented,
    reference: Segmented,
    reference_keys: Sequence[tuple[Key, ...]],
    tokens: Sequence[Extent],
    stretches: Sequence[Extent],
    number: int,
) -> list[tuple[Key, ...]]:
    """Return the members of each word, given those of a reference's words, which are members in some stretches."""
    extents, reference_extents = side.extents(), reference.extents()
    keys = _characters(extents)
    partner: dict[int, int] = {}
    for token in tokens:
        ours, theirs = _inside(extents, token), _inside(reference_extents, token)
        pairs = align_forms([reference.words[word] for word in theirs], [side.words[word] for word in ours])
        partner |= {ours[index]: theirs[reference_index] for index, reference_index in pairs.items()}
    within_token = {word for token in tokens for word in _inside(reference_extents, token)}
    by_extent = {extent: word for word, extent in enumerate(reference_extents) if word not in within_token}
    for stretch in stretches:
        before: Key = (stretch[0], -1)
        for word in _inside(extents, stretch):
            aligned = partner.get(word, by_extent.get(extents[word]))
            if aligned is None:
                keys[word] = ((*before, number, word),)
            else:
                keys[word] = reference_keys[aligned]
                before = keys[word][-1]
    return keys


def _characters(extents: Sequence[Extent]) -> list[tuple[Key, ...]]:
    """Return the characters of each word as its members."""
    return [tuple((index, 0) for index in range(start, end)) for start, end in extents]


def sentence_members(golds: Sequence[Segmented], parse: Segmented | None = None, own: int = 0) -> SentenceMembers:
    """Return the members of the words of several sides.

    Examples
    --------
    >>> gold = Segmented(("b", "h", "bit"), ((0, 3, "bbit"),))
    >>> members = sentence_members([gold], Segmented(("b", "bit"), ((0, 2, "bbit"),)))
    >>> members.names, members.words
    (('b', 'h', 'bit'), ([(0,), (1,), (2,)], [(0,), (2,)]))
    """
    # The golds' words are aligned with those of the first gold, and the parse's with those of its own gold, so that
    # what the golds have in common does not depend on the parse.
    extents = [gold.extents() for gold in golds]
    tokens = _tokens(*golds)
    stretches = _stretches([extent for of_gold in extents for extent in of_gold], tokens)
    first = _characters(extents[0])
    for stretch in stretches:
        for index, word in enumerate(_inside(extents[0], stretch), start=1):
            first[word] = ((stretch[0], index),)
    keys = [first]
    keys += [_fill(gold, golds[0], first, tokens, stretches, number) for number, gold in enumerate(golds[1:], start=1)]
    sides = [*golds]
    if parse is not None:
        tokens = _tokens(parse, *golds)
        around = _stretches([*parse.extents(), *extents[own], *stretches], [*tokens, *stretches])
        keys.append(_fill(parse, golds[own], keys[own], tokens, around, len(golds)))
        sides.append(parse)
    return _numbered(golds[0].text(), sides, keys)


def _numbered(text: str, sides: Sequence[Segmented], keys: Sequence[Sequence[tuple[Key, ...]]]) -> SentenceMembers:
    """Return the members, numbered from left to right; characters that are always together are one."""
    holders: dict[Key, list[tuple[int, int]]] = {}
    for side, words in enumerate(keys):
        for word, own in enumerate(words):
            for key in own:
                holders.setdefault(key, []).append((side, word))
    names, numbers = [], dict[Key, int]()
    for held, group in groupby(sorted(holders), key=holders.__getitem__):
        members = list(group)
        side, word = held[0]
        is_text = all(len(key) == 2 and key[1] == 0 for key in members)
        names.append("".join(text[index] for index, _ in members) if is_text else sides[side].words[word])
        numbers |= dict.fromkeys(members, len(names) - 1)
    members_of_words = tuple([tuple(sorted({numbers[key] for key in own})) for own in words] for words in keys)
    return SentenceMembers(tuple(names), members_of_words)


# --------------------------------------------------------------------------------------------- memberships of a corpus

_MAX_CODES = 1 << 63


class Segmentation(IntEnum):
    """The units that the trees of a sentence are compared over."""

    WORDS = 0
    """All have the same words."""
    CHARACTERS = 1
    """Their words differ, but not the characters of the text: nodes are sets of members, which are characters outside
    multiword tokens, and words inside."""
    DIFFERENT = 2
    """The characters of the parse differ from those of the gold tree: nothing is matched."""
    MISSING = 3
    """There is no parse: nothing is matched."""
    NO_GOLD = 4
    """A gold tree is missing, or the characters of two differ: the sentence is not scored."""


def check_own(own: int, n_golds: int) -> None:
    """Raise ParameterError if there is no gold treebank with the index `own`."""
    if not 0 <= own < n_golds:
        raise ParameterError(f"gold {own} of {n_golds}; expected a number from 0 to {n_golds - 1}")


def compare_words(corpora: Sequence[FunctionColumns]) -> NDArray[np.uint8]:
    """Return for each sentence whether its words, or at least their characters, are the same in all corpora."""
    first, *rest = corpora
    n = len(first)
    result = np.zeros(n, dtype=np.uint8)
    for corpus in rest:
        if len(corpus) != n or corpus.vocabulary is not first.vocabulary:
            raise ParameterError(f"{n} and {len(corpus)} sentences; expected as many of each, with one vocabulary")
        same = first.n_words == corpus.n_words
        first_words, words = (item.word[np.repeat(same, item.n_words)] for item in (first, corpus))
        sentence = np.repeat(np.flatnonzero(same), first.n_words[same])
        same[sentence[~are_same_words(first.vocabulary.words, first_words, words)]] = False
        for index in np.flatnonzero(~same).tolist():
            equal = Segmented.of(first, index).has_text_of(Segmented.of(corpus, index))
            result[index] = max(int(result[index]), Segmentation.CHARACTERS if equal else Segmentation.DIFFERENT)
    return result


def _extents(columns: FunctionColumns) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every word of the corpus where its characters begin and end in the text of its sentence."""
    present = np.unique(columns.word)
    length = np.zeros(len(columns.vocabulary.words), dtype=np.int64)
    length[present] = [len(columns.vocabulary.words[number]) for number in present.tolist()]
    ends = np.cumsum(length[columns.word])
    starts = ends - length[columns.word]
    n_words = columns.n_words
    filled = columns.word_offsets[:-1][n_words > 0]
    origin = np.repeat(starts[filled], n_words[n_words > 0])
    return starts - origin, ends - origin


def _in_characters(
    columns: FunctionColumns, chosen_sentences: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the spans of all rows and of the whole sentences, in some sentences as sets of characters."""
    span, lengths = columns.span.copy(), columns.n_words
    sentences = np.flatnonzero(chosen_sentences & (lengths > 0))
    if not len(sentences):
        return span, lengths
    starts, ends = _extents(columns)
    lengths[sentences] = ends[columns.word_offsets[sentences + 1] - 1]
    chosen = np.flatnonzero(chosen_sentences[columns.sentence])
    contiguous = chosen[span[chosen] >= 0]
    origin = columns.word_offsets[columns.sentence[contiguous]]
    first, last = origin + (span[contiguous] >> 32), origin + (span[contiguous] & 0xFFFFFFFF) - 1
    span[contiguous] = starts[first] << 32 | ends[last]
    table = columns.vocabulary.spans
    for row in chosen[columns.span[chosen] < 0].tolist():
        pieces = table.pieces(int(span[row])) + int(columns.word_offsets[columns.sentence[row]])
        span[row] = table.join(zip(starts[pieces[::2]].tolist(), ends[pieces[1::2] - 1].tolist(), strict=True))
    return span, lengths


def _enter_members(
    columns: FunctionColumns,
    sentence: int,
    members: list[tuple[int, ...]],
    span: NDArray[np.int64],
    root: NDArray[np.int64],
) -> None:
    """Enter the spans of one sentence as sets of members, given those of each word."""
    table = columns.vocabulary.spans
    first, last = np.searchsorted(columns.sentence, [sentence, sentence + 1]).tolist()
    over_words = columns.span[first:last].tolist()
    over_members = {
        number: table.span({item for word in table.words(number) for item in members[word]})
        for number in dict.fromkeys(over_words)
    }
    span[first:last] = [over_members[number] for number in over_words]
    root[sentence] = table.span({item for word in members for item in word})


class Memberships:
    """The spans of several corpora, each once, with the corpora that have it."""

    def __init__(
        self, corpora: Sequence[FunctionColumns], differing: NDArray[np.uint8], own: int | None = None
    ) -> None:
        self.n_sentences = len(corpora[0])
        measured = self._measured(corpora, differing, own)
        side = 1 + max(int(np.max(spans[spans >= 0] & 0xFFFFFFFF, initial=0)) for item in measured for spans in item)
        self._vocabulary = corpora[0].vocabulary
        self._side = side
        self._n_labels = n_labels = len(self._vocabulary.labels) + 1
        n_spans = side * side + len(self._vocabulary.spans)
        bits = len(corpora).bit_length()
        filled = [(span < 0) | (span >> 32 < span & 0xFFFFFFFF) for span, _ in measured]
        numbers, roots = (
            [np.where(span >= 0, (span >> 32) * side + (span & 0xFFFFFFFF), side * side - 1 - span) for span in spans]
            for spans in zip(*measured, strict=True)
        )
        self._numbers: NDArray[np.int64] | None = None
        if self.n_sentences * n_spans * n_labels << bits >= _MAX_CODES:  # too many to pack: number those there are
            self._numbers = lookup = np.unique(np.concatenate([*numbers, *roots]))
            numbers, roots = ([np.searchsorted(lookup, item) for item in group] for group in (numbers, roots))
            n_spans = len(lookup)
        codes = np.concatenate(
            [
                (((item.sentence * np.int64(n_spans) + number) * n_labels + item.label + 1) << bits | index)[kept]
                for index, (item, number, kept) in enumerate(zip(corpora, numbers, filled, strict=True))
            ]
        )
        codes.sort()
        pairs, masks = _grouped(codes >> bits, np.int64(1) << (codes & ((1 << bits) - 1)))
        labelled = pairs % n_labels > 0
        self._pairs = pairs[labelled], masks[labelled]
        self._spans = _grouped(pairs // n_labels, masks)
        self._n_spans = n_spans
        self._roots = roots

    @staticmethod
    def _measured(
        corpora: Sequence[FunctionColumns], differing: NDArray[np.uint8], own: int | None
    ) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Return for every corpus the spans of its rows, and of its whole sentences, over what can be compared."""
        golds = corpora if own is None else corpora[1:]
        apart = differing == Segmentation.CHARACTERS
        without_parse = (differing == Segmentation.DIFFERENT) | (differing == Segmentation.MISSING)
        if without_parse.any():
            apart |= without_parse & (compare_words(golds) == Segmentation.CHARACTERS)
        by_form = [sentence for sentence in np.flatnonzero(apart).tolist() if has_multiwords(corpora, sentence)]
        by_character = apart.copy()
        by_character[by_form] = False
        measured = [_in_characters(item, by_character) for item in corpora]
        for sentence in by_form:
            sides = [Segmented.of(gold, sentence) for gold in golds]
            parse = None
            if own is not None and differing[sentence] == Segmentation.CHARACTERS:
                parse = Segmented.of(corpora[0], sentence)
            of_sides = sentence_members(sides, parse, own or 0).words
            compared = list(zip(golds, measured[len(corpora) - len(golds) :], strict=True))
            if parse is not None:
                compared.append((corpora[0], measured[0]))
            for (corpus, (span, root)), members in zip(compared, of_sides, strict=True):
                _enter_members(corpus, sentence, members, span, root)
        return measured

    def rows(self, labelled: bool, *, count_root: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the mask of corpora and the sentence of every pair of a function and a span, or of every span."""
        mask, spans, _ = self._rows(labelled, count_root=count_root)
        return mask, spans // self._n_spans

    def _rows(
        self, labelled: bool, *, count_root: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return mask, span with sentence, and label from 1 of every pair, or of every span, whose labels are 0."""
        codes, mask = self._pairs if labelled else self._spans
        spans, label = np.divmod(codes, self._n_labels) if labelled else (codes, np.zeros_like(codes))
        if count_root:
            return mask, spans, label
        sentence, number = np.divmod(spans, self._n_spans)
        mask = mask.copy()
        for index, root in enumerate(self._roots):
            mask[number == root[sentence]] &= ~(1 << index)
        counted = mask != 0
        return mask[counted], spans[counted], label[counted]

    def nodes(self, sentence: int, labelled: bool, *, count_root: bool) -> Iterator[tuple[str | None, Yield, int]]:
        """Yield function, members and mask of corpora of the pairs, or of the spans, of one sentence."""
        mask, spans, label = self._rows(labelled, count_root=count_root)
        first, last = np.searchsorted(spans, [sentence * self._n_spans, (sentence + 1) * self._n_spans]).tolist()
        numbers = spans[first:last] % self._n_spans
        if self._numbers is not None:
            numbers = self._numbers[numbers]
        side, vocabulary = self._side, self._vocabulary
        contiguous = numbers < side * side
        span = np.where(contiguous, numbers // side << 32 | numbers % side, side * side - 1 - numbers)
        columns = (span, label[first:last], mask[first:last])
        for item, name, corpora in zip(*(column.tolist() for column in columns), strict=True):
            yield vocabulary.labels[name - 1] if name else None, vocabulary.spans.words(item), corpora

    def equal_trees(self, corpus: int, golds: int, own: int, *, labelled: bool) -> NDArray[np.bool_]:
        """Return for each sentence whether a corpus has the tree of `own`, or what the `golds` have in common."""
        mask, sentence = self.rows(labelled, count_root=True)
        has = (mask & corpus) != 0
        from_common = np.bincount(sentence[has != ((mask & golds) == golds)], minlength=self.n_sentences)
        from_own = np.bincount(sentence[has != ((mask & own) != 0)], minlength=self.n_sentences)
        result: NDArray[np.bool_] = (from_common == 0) | (from_own == 0)
        return result


def _grouped(keys: NDArray[np.int64], masks: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every key of a sorted array once, with the union of its masks."""
    if not len(keys):
        return keys, masks
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.bitwise_or.reduceat(masks, first)
