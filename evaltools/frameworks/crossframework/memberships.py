"""The nodes of trees over what can be compared; every TedEval figure of 2012 is computed from them.

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

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.folding import are_same_words
from evaltools.corpus.function_trees import Yield
from evaltools.errors import ParameterError
from evaltools.frameworks.crossframework.function_columns import FunctionColumns, SpanTable

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


# --------------------------------------------------------------------------------------------------- nodes of a corpus


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


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of several corpora, each once, in the order of the sentences."""

    codes: NDArray[np.int64]
    corpora: NDArray[np.int64]  # That have the node, a sum of powers of 2: corpus i is 2 to the power of i
    counted: NDArray[np.int64]  # In which it counts: where roots do not, no corpus has its root
    offsets: NDArray[np.int64]  # Sentence i has the nodes ``offsets[i]:offsets[i + 1]``

    def count(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how many of each sentence's nodes are chosen."""
        return np.diff(np.searchsorted(np.flatnonzero(chosen), self.offsets))

    def differing(self, wanted: int) -> NDArray[np.bool_]:
        """Return in which sentences the first corpus has other nodes than all of the wanted corpora have."""
        differs = ((self.corpora & 1) != 0) != ((self.corpora & wanted) == wanted)
        return self.count(differs) > 0


class Memberships:
    """The nodes of several corpora over what can be compared, each once, with the corpora that have it.

    The first corpus is a parser's if `own` is given, the index of its own gold treebank among the others.
    """

    def __init__(self, corpora: Sequence[FunctionColumns], status: NDArray[np.uint8], own: int | None = None) -> None:
        sides = _compared_spans(corpora, status, own)
        self._vocabulary = corpora[0].vocabulary
        self._n_ends = 1 + max(int((span & 0xFFFFFFFF).max(initial=0, where=span >= 0)) for span, _ in sides)
        self._n_spans = self._n_ends**2 + len(self._vocabulary.spans)
        self._n_labels = 1 << len(self._vocabulary.labels).bit_length()  # a power of 2, as dividing is slow
        holder_bits = len(corpora).bit_length() + 1
        rows = []
        for index, (corpus, (span, root)) in enumerate(zip(corpora, sides, strict=True)):
            number = span - (span >> 32) * ((1 << 32) - self._n_ends)  # the start times n_ends, and the end
            apart = np.flatnonzero(span < 0)
            number[apart] = self._n_ends**2 - 1 - span[apart]
            codes = (corpus.sentence * np.int64(self._n_spans) + number) * self._n_labels + corpus.label + 1
            holder = 2 * index + (span == root[corpus.sentence])
            rows.append((codes << holder_bits | holder)[span != 0])
        codes = np.sort(np.concatenate(rows))
        self._codes, holder = codes >> holder_bits, codes & (1 << holder_bits) - 1
        self._corpora, self._is_root = 1 << (holder >> 1), (holder & 1).astype(np.bool_)
        self._firsts = np.arange(len(status) + 1) * self._n_spans * self._n_labels

    def nodes(self, *, labeled: bool, count_root: bool) -> Nodes:
        """Return the nodes of all sentences."""
        label = self._codes & self._n_labels - 1
        codes, corpora, is_root = self._codes - label, self._corpora, self._is_root
        if labeled:
            has_label = np.flatnonzero(label)
            codes, corpora, is_root = self._codes[has_label], corpora[has_label], is_root[has_label]
        is_first = np.ones(len(codes), dtype=np.bool_)
        is_first[1:] = codes[1:] != codes[:-1]
        first = np.flatnonzero(is_first)
        having = counted = np.bitwise_or.reduceat(corpora, first)
        if not count_root:
            counted = np.bitwise_or.reduceat(np.where(is_root, 0, corpora), first)
        codes = codes[first]
        return Nodes(codes, having, counted, np.searchsorted(codes, self._firsts))

    def node(self, code: int) -> tuple[str | None, Yield]:
        """Return the function of a node, None where it has none, and what it is over."""
        rest, label = divmod(code, self._n_labels)
        number = rest % self._n_spans
        first, end = divmod(number, self._n_ends)
        span = self._n_ends**2 - 1 - number if number >= self._n_ends**2 else first << 32 | end
        return self._vocabulary.labels[label - 1] if label else None, self._vocabulary.spans.words(span)


def _compared_spans(
    corpora: Sequence[FunctionColumns], status: NDArray[np.uint8], own: int | None
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return for each corpus the spans of its rows, and of whole sentences, over what can be compared."""
    sides = [(corpus.span.copy(), corpus.n_words) for corpus in corpora]
    apart = status == Segmentation.CHARACTERS
    without_parse = (status == Segmentation.DIFFERENT) | (status == Segmentation.MISSING)
    if without_parse.any():
        apart |= without_parse & (compare_words(corpora if own is None else corpora[1:]) == Segmentation.CHARACTERS)
    for sentence in np.flatnonzero(apart).tolist():
        segmented = [Segmented.of(corpus, sentence) for corpus in corpora]
        in_members = has_multiwords(corpora, sentence)
        if in_members:
            is_parsed = own is not None and status[sentence] == Segmentation.CHARACTERS
            parts = _members(segmented, own, is_parsed=is_parsed)
        else:
            parts = {index: [*side.extents()] for index, side in enumerate(segmented)}
        over = _over_members if in_members else _over_characters
        for index, of_words in parts.items():
            table, (span, root) = corpora[index].vocabulary.spans, sides[index]
            rows = slice(*np.searchsorted(corpora[index].sentence, [sentence, sentence + 1]).tolist())
            over_words, whole = span[rows].tolist(), int(root[sentence])
            spans = {number: over(table, number, of_words) for number in {*over_words, whole}}
            span[rows] = [spans[number] for number in over_words]
            root[sentence] = spans[whole]
    return sides


def _over_characters(table: SpanTable, span: int, extents: Sequence[tuple[int, ...]]) -> int:
    """Return the span of the characters of some words, given those of each word."""
    return table.join((extents[first][0], extents[end - 1][1]) for first, end in table.stretches(span) if first < end)


def _over_members(table: SpanTable, span: int, members: Sequence[tuple[int, ...]]) -> int:
    """Return the span of the members of some words, given those of each word."""
    return table.span({item for word in table.words(span) for item in members[word]})


def _members(sides: Sequence[Segmented], own: int | None, *, is_parsed: bool) -> dict[int, list[tuple[int, ...]]]:
    """Return the members of the words of a sentence, by the index of the side."""
    if own is None:
        return dict(enumerate(sentence_members(sides).words))
    of_golds = sentence_members(sides[1:], sides[0] if is_parsed else None, own).words
    return {(index + 1) % len(sides): of_words for index, of_words in enumerate(of_golds)}
