"""What nodes are made of where trees have different words over the same text: members.

Outside multiword tokens the members are the characters of the text. Inside a multiword token of any side the words are
aligned by form, as in the evaluation of the CoNLL 2018 shared task: an aligned word has the members of its partner, and
a word without a partner is a member of its own, which the other sides lack.

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
from itertools import groupby

from evaltools.metrics.function_columns import FunctionColumns

__all__ = ["Segmented", "SentenceMembers", "align_forms", "has_multiwords", "sentence_members"]

Extent = tuple[int, int]
"""First character and end."""

Key = tuple[int, ...]
"""A member; members sort by their place in the text."""


@dataclass(frozen=True, slots=True)
class Segmented:
    """The words and multiword tokens of one side.

    Parameters
    ----------
    words : sequence of str
        The words as they are compared, without white space.
    tokens : sequence of (int, int, str)
        First word, end and form of each multiword token.
    """

    words: Sequence[str]
    tokens: Sequence[tuple[int, int, str]] = ()

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


@dataclass(frozen=True, slots=True)
class SentenceMembers:
    """The members of one sentence.

    Parameters
    ----------
    names : tuple of str
        The members from left to right: aligned words, words that one side alone has, and stretches of characters that
        no side divides.
    words : tuple of list of tuple of int
        For each side the members of each word, in ascending order.
    """

    names: tuple[str, ...]
    words: tuple[list[tuple[int, ...]], ...]


def has_multiwords(corpora: Sequence[FunctionColumns], sentence: int) -> bool:
    """Return whether a sentence has a multiword token in any of several corpora."""
    return any(corpus.tokens(sentence) for corpus in corpora)


def align_forms(reference: Sequence[str], words: Sequence[str]) -> dict[int, int]:
    """Align words by a longest common subsequence of their lower-cased forms.

    Parameters
    ----------
    reference, words : sequence of str
        The words of two sides.

    Returns
    -------
    dict of int to int
        From a position in `words` to the one in `reference`. Of several longest subsequences it is the one that the
        CoNLL 2018 evaluation takes.

    Examples
    --------
    >>> align_forms(["b", "h", "bit"], ["B", "bit"])
    {0: 0, 1: 2}
    """
    a, b = [one.lower() for one in reference], [one.lower() for one in words]
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
    extents, known = side.extents(), reference.extents()
    keys: list[tuple[Key, ...]] = [tuple((at, 0) for at in range(start, end)) for start, end in extents]
    partner: dict[int, int] = {}
    for token in tokens:
        ours, theirs = _inside(extents, token), _inside(known, token)
        pairs = align_forms([reference.words[word] for word in theirs], [side.words[word] for word in ours])
        partner |= {ours[place]: theirs[other] for place, other in pairs.items()}
    within_token = {word for token in tokens for word in _inside(known, token)}
    at = {extent: word for word, extent in enumerate(known) if word not in within_token}
    for stretch in stretches:
        before: Key = (stretch[0], -1)
        for word in _inside(extents, stretch):
            other = partner.get(word, at.get(extents[word]))
            if other is None:
                keys[word] = ((*before, number, word),)
            else:
                keys[word] = reference_keys[other]
                before = keys[word][-1]
    return keys


def sentence_members(golds: Sequence[Segmented], parse: Segmented | None = None, own: int = 0) -> SentenceMembers:
    """Return what the words of several sides have in common.

    The golds' words are aligned with those of the first gold, and the parse's with those of its own gold, so that what
    the golds have in common does not depend on the parse.

    Parameters
    ----------
    golds : sequence of Segmented
        Gold sentences over the same text, one or more.
    parse : Segmented, optional
        A parse of that text.
    own : int
        The gold whose words the parse's are aligned with.

    Returns
    -------
    SentenceMembers
        With the members of the parse's words last.

    Examples
    --------
    >>> gold = Segmented(("b", "h", "bit"), ((0, 3, "bbit"),))
    >>> made = sentence_members([gold], Segmented(("b", "bit"), ((0, 2, "bbit"),)))
    >>> made.names, made.words
    (('b', 'h', 'bit'), ([(0,), (1,), (2,)], [(0,), (2,)]))
    """
    extents = [gold.extents() for gold in golds]
    tokens = _tokens(*golds)
    stretches = _stretches([one for known in extents for one in known], tokens)
    first: list[tuple[Key, ...]] = [tuple((at, 0) for at in range(start, end)) for start, end in extents[0]]
    for stretch in stretches:
        for place, word in enumerate(_inside(extents[0], stretch), start=1):
            first[word] = ((stretch[0], place),)
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
        names.append("".join(text[at] for at, _ in members) if is_text else sides[side].words[word])
        numbers |= dict.fromkeys(members, len(names) - 1)
    made = tuple([tuple(sorted({numbers[key] for key in own})) for own in words] for words in keys)
    return SentenceMembers(tuple(names), made)
