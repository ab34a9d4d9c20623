"""A parser's file of dependency trees read in step with the gold file, paired by the characters of the text.

As long as paired sentences (:class:`~evaltools.frameworks.pairing.paired_stream.PairedStream`) have the same
characters, only the words of some are aligned. From the first chunk where they do not, both files are read ahead: if
the texts are equal from there on, the parser's words belong to the gold sentences that they are in; else sentences with
the same id belong together, or those with the same text in the same order, and words to where their characters are.
Then the characters of such sentences are compared first, and what is left of both texts by stretches of characters that
occur once on either side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Treebank, Vocabulary
from evaltools.corpus.resegmented import Resegmented
from evaltools.errors import Problem
from evaltools.frameworks.pairing.aligned_stream import longest_increasing
from evaltools.frameworks.pairing.id_pairing import problems_by_id
from evaltools.frameworks.pairing.paired_stream import PairedStream
from evaltools.frameworks.pairing.universal_alignment import (
    NOWHERE,
    Surface,
    have_same_texts,
    have_same_words,
    joined,
    segment,
    segment_pairs,
    text_positions,
)
from evaltools.text import excerpt, percentage

_MAX_LISTED = 1000
_STRETCH = 16
_SHORT = 4
_MAX_REPEATS = 1 << 24
_MAX_CELLS = 1 << 20


class TextMap(NamedTuple):
    """A parser's text beside the gold text."""

    position: NDArray[np.int64]  # For each character of the parser's text its position in the gold text, or NOWHERE
    home: NDArray[np.int64]  # For each of its sentences the gold sentence with its id or in its place, or -1
    equal: bool  # Whether the texts are equal


def _starts(texts: Sequence[str]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum([len(text) for text in texts]))).astype(np.int64)


def map_texts(gold: Sequence[str], test: Sequence[str], pairs: Iterable[tuple[int, int]]) -> TextMap:
    """Map the characters of a parser's sentences to those of the gold sentences.

    Parameters
    ----------
    gold, test : sequence of str
        The characters of each sentence, without spaces.
    pairs : iterable of (int, int)
        Indices of gold sentences and of the parser's sentences that belong to them.

    Examples
    --------
    >>> texts = map_texts(["ab", "cd"], ["abcd"], [])
    >>> texts.position.tolist(), texts.equal
    ([0, 1, 2, 3], True)
    >>> map_texts(["ab", "cd"], ["cd", "ab"], [(0, 1), (1, 0)]).position.tolist()
    [2, 3, 0, 1]
    """
    if "".join(gold) == "".join(test):
        return TextMap(np.arange(sum(map(len, test)), dtype=np.int64), np.full(len(test), -1, dtype=np.int64), True)
    starts, test_starts = _starts(gold), _starts(test)
    position = np.full(int(test_starts[-1]), NOWHERE, dtype=np.int64)
    home = np.full(len(test), -1, dtype=np.int64)
    for a, b in pairs:
        home[b] = a
        own = np.arange(len(test[b])) if gold[a] == test[b] else text_positions(gold[a], test[b])
        position[test_starts[b] : test_starts[b + 1]] = np.where(own == NOWHERE, NOWHERE, own + starts[a])
    _map_rest("".join(gold), "".join(test), position)
    return TextMap(position, home, False)


def pairs_by_id(partner: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the pairs of sentences, given for each gold sentence the index of its partner, below 0 for none."""
    indices = np.flatnonzero(partner >= 0)
    return list(zip(indices.tolist(), partner[indices].tolist(), strict=True))


def pairs_in_order(gold: Sequence[str], test: Sequence[str]) -> list[tuple[int, int]]:
    """Pair sentences with the same text, and in gaps of as many sentences on both sides those at the same place."""
    repeats = Counter(test)
    many = sum(repeats[text] for text in gold) > _MAX_REPEATS
    matcher = SequenceMatcher(a=gold, b=test, autojunk=many)
    pairs: list[tuple[int, int]] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and b - a == d - c):
            pairs += zip(range(a, b), range(c, d), strict=True)
    return pairs


def _keys(text: str) -> NDArray[np.uint64]:
    """Return a number for the stretch of characters that begins at each character."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    n = len(codes) - _STRETCH + 1
    keys = np.zeros(max(n, 0), dtype=np.uint64)
    for offset in range(_STRETCH):
        keys = keys * np.uint64(0x9E3779B97F4A7C15) + codes[offset : offset + len(keys)] + np.uint64(1)
    return keys


def _map_rest(gold: str, test: str, position: NDArray[np.int64]) -> None:
    """Map the characters that are left on both sides, in their order."""
    left = np.flatnonzero(position == NOWHERE)
    is_mapped = np.zeros(len(gold), dtype=np.bool_)
    is_mapped[position[position != NOWHERE]] = True
    gold_left = np.flatnonzero(~is_mapped)
    a, b = ("".join([text[at] for at in rest.tolist()]) for text, rest in ((gold, gold_left), (test, left)))
    own = np.full(len(b), -1, dtype=np.int64)
    if min(len(a), len(b)) >= _STRETCH:
        _map_stretches(a, b, own)
        _extend(a, b, own)
    _fill_gaps(a, b, own)
    found = np.flatnonzero(own >= 0)
    position[left[found]] = gold_left[own[found]]


def _map_stretches(gold: str, test: str, own: NDArray[np.int64]) -> None:
    """Map the characters of stretches that occur once on either side, in the same order."""
    sides = []
    for text in (gold, test):
        keys, first, counts = np.unique(_keys(text), return_index=True, return_counts=True)
        sides.append((keys[counts == 1], first[counts == 1]))
    _, in_gold, in_test = np.intersect1d(sides[0][0], sides[1][0], assume_unique=True, return_indices=True)
    pairs = np.column_stack((sides[0][1][in_gold], sides[1][1][in_test]))
    pairs = pairs[np.argsort(pairs[:, 0])]
    pairs = pairs[longest_increasing(pairs[:, 1].tolist())]
    for offset in range(_STRETCH):
        free = own[pairs[:, 1] + offset] < 0
        own[pairs[free, 1] + offset] = pairs[free, 0] + offset
    # two stretches that overlap in one text only would map two characters to one, or across each other
    mapped = np.flatnonzero(own >= 0)
    behind = own[mapped] <= np.concatenate(([-1], np.maximum.accumulate(own[mapped])[:-1]))
    own[mapped[behind]] = -1


def _fill_gaps(gold: str, test: str, own: NDArray[np.int64]) -> None:
    """Map equal stretches of a few characters between those that are mapped."""
    mapped = np.flatnonzero(own >= 0).tolist()
    bounds = [(-1, -1), *((at, int(own[at])) for at in mapped), (len(test), len(gold))]
    for (b, a), (b_end, a_end) in pairwise(bounds):
        n, m = a_end - a - 1, b_end - b - 1
        if not 0 < n * m <= _MAX_CELLS:
            continue
        matcher = SequenceMatcher(a=gold[a + 1 : a_end], b=test[b + 1 : b_end], autojunk=False)
        for block in matcher.get_matching_blocks():
            if block.size >= _SHORT:
                first = b + 1 + block.b
                own[first : first + block.size] = np.arange(block.size) + a + 1 + block.a


def _extend(gold: str, test: str, own: NDArray[np.int64]) -> None:
    """Map the equal characters before and after those that are mapped."""
    used = set(own[own >= 0].tolist())
    for step in (1, -1):
        mapped = np.flatnonzero(own >= 0)
        for start in mapped.tolist() if step == 1 else mapped[::-1].tolist():
            b, a = start + step, int(own[start]) + step
            while 0 <= b < len(test) and 0 <= a < len(gold) and own[b] < 0 and a not in used and gold[a] == test[b]:
                own[b] = a
                used.add(a)
                a, b = a + step, b + step


class TextPairedStream(PairedStream):
    """A parser's file; returns its words by gold sentence."""

    advice = ""
    _map: TextMap | None = None
    _map_first = 0  # Number of gold sentences, and of the parser's, before those in the map
    _gold_surface: tuple[Dependencies, Surface] | None = None

    def read(self, n: int, vocabulary: Vocabulary) -> Treebank | Dependencies:
        """Read the words of the next `n` gold sentences."""
        first = self._n_gold
        gold = self.gold_ids.trees
        assert gold is None or isinstance(gold, Dependencies)
        if self._map is not None:
            self._n_gold += n
            self._read_before = None
            return self._mapped(first, n, gold, vocabulary)
        had_index = self._index is not None
        trees = super().read(n, vocabulary)
        if gold is None or len(gold) != n or not isinstance(trees, Dependencies) or have_same_words(gold, trees):
            return trees
        if (had_index or self._index is None or self._by_id) and have_same_texts(self._surface(gold), Surface(trees)):
            return Resegmented.of(trees, segment_pairs(gold, trees), first)
        self._make_map(first, gold)
        return self._mapped(first, n, gold, vocabulary)

    @staticmethod
    def _are_same(gold: list[str], test: list[str]) -> bool:
        """Return whether both sides have the same text in the same order, whatever their sentences."""
        return "".join(gold) == "".join(test)

    def _surface(self, gold: Dependencies) -> Surface:
        """Return the tokens of gold sentences; those of the last ones are kept."""
        if self._gold_surface is None or self._gold_surface[0] is not gold:
            self._gold_surface = gold, Surface.of_gold(gold)
        return self._gold_surface[1]

    def _make_map(self, first: int, gold: Dependencies) -> None:
        """Read both files ahead and map the characters from the gold sentence with this index on."""
        if self._index is None:
            self._ids = self._ids.first(first)
            self._pair(first)
        assert self._index is not None
        tokens = self.gold_ids.tokens()
        self._is_folded = False
        texts, test_texts = (joined(side, is_folded=False) for side in (tokens, self._index.tokens))
        if "".join(texts) != "".join(test_texts):
            self._is_folded = True
            texts, test_texts = (joined(side, is_folded=True) for side in (tokens, self._index.tokens))
        pairs = pairs_in_order(texts, test_texts)
        if self._by_id:
            of_ids = pairs_by_id(self._partner[first : first + len(texts)] - self._index_start)
            # ids that pair other texts than the order does are none
            equal_by_id, equal_in_order = (sum(texts[a] == test_texts[b] for a, b in side) for side in (of_ids, pairs))
            self._by_id = equal_by_id >= equal_in_order
            pairs = of_ids if self._by_id else pairs
        self._map = map_texts(texts, test_texts, pairs)
        self._test_texts = test_texts
        self._map_first = first
        self._starts, self._test_starts = (
            np.cumsum([0, *map(len, side)]).astype(np.int64) for side in (texts, test_texts)
        )
        position = self._map.position
        known = position != NOWHERE
        n = len(test_texts)
        sentence = np.repeat(np.arange(n), np.diff(self._test_starts))
        self._low = np.full(n, np.iinfo(np.int64).max)
        self._high = np.full(n, -1, dtype=np.int64)
        np.minimum.at(self._low, sentence[known], position[known])
        np.maximum.at(self._high, sentence[known], position[known])
        self._is_used = np.zeros(n, dtype=np.bool_)
        self._n_pieces = np.zeros(0, dtype=np.int64)
        self._texts = texts

    def _mapped(self, first: int, n: int, gold: Dependencies | None, vocabulary: Vocabulary) -> Dependencies:
        """Read the parser's sentences that lie in some gold sentences, and arrange their words."""
        assert self._index is not None
        assert self._map is not None
        at = first - self._map_first
        start, end = int(self._starts[at]), int(self._starts[at + n])
        home = self._map.home
        is_home = (home >= at) & (home < at + n)
        wanted = np.flatnonzero(((self._low < end) & (self._high >= start)) | is_home)
        trees = self._copied(wanted, np.arange(len(wanted)), 0, vocabulary)
        assert isinstance(trees, Dependencies)
        new = {int(index) + 1 for index in np.flatnonzero(~self._is_used[wanted]).tolist()}
        trees.problems[:] = [item for item in trees.problems if item.sentence is None or item.sentence in new]
        if gold is None:
            gold = trees.resized(0)
        surface, test = self._surface(gold), Surface(trees)
        if self._is_folded:
            surface, test = (side.folded(np.ones(len(side.corpus), dtype=np.bool_)) for side in (surface, test))
        segmentation = segment(surface, test, self._positions(test, wanted, start, end), self._homes(wanted, at, n))
        self._is_used[wanted[segmentation.pieces]] = True
        self._n_pieces = np.concatenate((self._n_pieces, np.diff(segmentation.offsets)))
        return Resegmented.of(trees, segmentation, first)

    def _homes(self, wanted: NDArray[np.int64], at: int, n: int) -> NDArray[np.int64]:
        """Return the gold sentence of each sentence by id, place or first character; -1 if elsewhere."""
        assert self._map is not None
        home, low = self._map.home[wanted], self._low[wanted]
        by_text = np.searchsorted(self._starts[1:], np.minimum(low, self._starts[-1]), side="right")
        home = np.where((home < 0) & (self._high[wanted] >= 0), by_text, home)
        return np.where((home >= at) & (home < at + n), home - at, -1)

    def _positions(self, test: Surface, wanted: NDArray[np.int64], start: int, end: int) -> NDArray[np.int64]:
        """Return the positions of the characters of some sentences, counted from the first gold sentence of a chunk."""
        assert self._map is not None
        lengths = np.diff(test.sentence_start)
        in_text = np.diff(self._test_starts)[wanted]
        shift = np.repeat(self._test_starts[wanted] - test.sentence_start[:-1], lengths)
        index = np.arange(int(test.start[-1])) + shift
        usable = np.repeat(lengths == in_text, lengths)
        position = np.where(usable, self._map.position[np.where(usable, index, 0)], NOWHERE) if len(index) else index
        return np.where(position == NOWHERE, NOWHERE, position - start)

    def finish(self, parser: str | None) -> list[Problem]:
        """Read the file to its end; return the problems with its sentences."""
        if self._map is None or self._index is None:
            return super().finish(parser)
        gold, name = self.gold_ids, self.stream.name
        problems: list[Problem] = []
        if not self._map.equal:
            problems.append(self._text_problem(parser))
        if self._by_id and not self._map.equal:
            self._partner = self._partner[: self._gold.n_read]
            return problems + problems_by_id(gold.ids, self._ids, self._partner, gold.name, name, parser)
        lines = self._ids.lines[self._index_start :]
        surplus = np.flatnonzero(~self._is_used)
        if self._map.equal:
            surplus = surplus[:0]
        for index in surplus[:_MAX_LISTED].tolist():
            found = f"{excerpt(self._test_texts[index])!r}, which is not scored"
            problems.append(
                Problem(
                    "surplus", name, int(lines[index]), None, found, f"a sentence of {self._gold.name}", None, parser
                )
            )
        for index in np.flatnonzero(self._n_pieces == 0)[:_MAX_LISTED].tolist():
            if self._texts[index]:
                number = index + self._map_first + 1
                expected = f"the text of sentence {number:,} of {self._gold.name}"
                found = "no sentence with this text; it counts as missing"
                problems.append(Problem("too_few", name, None, None, found, expected, number, parser))
        return problems

    def _text_problem(self, parser: str | None) -> Problem:
        """Return that the texts differ, where they begin to, and how much can be aligned."""
        assert self._map is not None
        assert self._index is not None
        gold, test = "".join(self._texts), "".join(self._test_texts)
        n = int((self._map.position != NOWHERE).sum())
        at = next((i for i, (a, b) in enumerate(zip(gold, test, strict=False)) if a != b), min(len(gold), len(test)))
        sentence = int(np.searchsorted(self._test_starts[1:], at, side="right"))
        line = int(self._ids.lines[self._index_start + sentence]) if sentence < len(self._test_texts) else None
        share = n / max(len(gold), 1)
        found = (
            f"{excerpt(test[at : at + 20])!r} where the texts begin to differ; {n:,} of {len(gold):,} gold characters "
            f"from there on ({percentage(share)}) can be aligned, and only these are compared"
        )
        expected = f"{excerpt(gold[at : at + 20])!r}, as in {self._gold.name}"
        return Problem("texts_differ", self.stream.name, line, None, found, expected, None, parser)

    @property
    def entry(self) -> dict[str, Any]:
        """The pairing in ``meta.json``."""
        if self._map is None or (self._by_id and not self._map.equal):
            return super().entry
        of_gold = self._n_pieces if len(self._n_pieces) else np.zeros(0, dtype=np.int64)
        return {
            "paired": "text",
            "pairing": {
                "without_partner": int((of_gold == 0).sum()),
                "left_out": int((~self._is_used).sum()),
                "divided": int((of_gold > 1).sum()),
            },
        }
