"""A parser's file whose sentences are aligned with the gold sentences by their words, if some are missing or extra.

Sentences whose characters occur once in both files are paired as far as that keeps their order, and their neighbors as
long as they are equal. The gaps between are aligned by the similarity of the words, so that the sum of all similarities
is maximal; a long gap is first divided at sentences that share characters or a word that no other sentence of the gap
has.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Treebank, Vocabulary
from evaltools.corpus.folding import folded
from evaltools.errors import Problem
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.frameworks.pairing.paired_stream import GoldIds, chosen_sentences, pairing_counts

_MAX_LISTED = 1000
_EQUAL, _MIN_SIMILARITY, _EMPTY = 1000, 500, 1
"""Weights of pairs: of the same characters; the least one of similar sentences; with a sentence without words."""
_MAX_CELLS = 1 << 14
_WINDOW = 1 << 7
_Region = tuple[int, int, int, int]
"""First and last index, exclusive, of a range of gold sentences and of the parser's."""


def _characters(tokens: str) -> str:
    return tokens.replace("\t", "")


@lru_cache(maxsize=1 << 12)
def _features(tokens: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a sentence, without punctuation if there are others, and its character trigrams."""
    words = [word for word in tokens.split("\t") if word]
    text = f"\0\0{''.join(words)}\0\0"
    lexical = frozenset(word for word in words if any(map(str.isalnum, word)))
    return lexical or frozenset(words), frozenset(text[at : at + 3] for at in range(len(text) - 2))


def _weight(gold: str, test: str) -> int:
    """Return the larger Dice coefficient of words and trigrams in thousandths; 0 for sentences that are too different.

    Words recognize short sentences with a changed word; trigrams do not depend on tokenization.
    """
    if not gold or not test:
        return 2 * _EMPTY if gold == test else _EMPTY
    if _characters(gold) == _characters(test):
        return _EQUAL
    pairs = zip(_features(gold), _features(test), strict=True)
    similarity = max(2 * _EQUAL * len(a & b) // (len(a) + len(b)) for a, b in pairs)
    return min(similarity, _EQUAL - 1) if similarity >= _MIN_SIMILARITY else 0


def longest_increasing(values: Iterable[int]) -> list[int]:
    """Return the indices of a longest strictly increasing subsequence.

    Examples
    --------
    >>> longest_increasing([3, 1, 4, 2, 5])
    [1, 3, 4]
    """
    lowest: list[int] = []  # the lowest last value of a subsequence of each length, and its index
    last: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        at = bisect_left(lowest, value)
        before.append(last[at - 1] if at else -1)
        lowest[at : at + 1], last[at : at + 1] = [value], [index]
    chosen = []
    index = last[-1] if last else -1
    while index >= 0:
        chosen.append(index)
        index = before[index]
    return chosen[::-1]


def align_sentences(gold: Sequence[str], test: Sequence[str]) -> NDArray[np.int64]:
    r"""Return for each gold sentence the index of the parser's sentence that has its words, or -1.

    Parameters
    ----------
    gold, test : sequence of str
        The tokens of each sentence as they are compared, with a tab after each.

    Examples
    --------
    >>> align_sentences(["it\trains\t", "dogs\tbark\t", "we\tsleep\t"], ["it\train\ts\t", "we\tsleep\t"]).tolist()
    [0, -1, 1]
    """
    gold_texts, test_texts = ([*map(_characters, side)] for side in (gold, test))
    partner = [-1] * len(gold)
    regions = [(0, len(gold), 0, len(test))]
    is_first = True
    while regions:
        region = regions.pop()
        a0, a1, b0, b1 = region
        is_large = (a1 - a0) * (b1 - b0) > _MAX_CELLS
        pairs = (
            _anchors(gold, test, lambda tokens: {_characters(tokens)} - {""}, region) if is_first or is_large else []
        )
        if is_large and not pairs:
            pairs = _anchors(gold, test, lambda tokens: _features(tokens)[0], region)
        if not pairs and not is_first:
            _fill(partner, gold, test, region)
            continue
        for a, b in pairs:
            partner[a] = b
        for (a, b), (a_end, b_end) in pairwise([(a0 - 1, b0 - 1), *pairs, (a1, b1)]):
            # what is before the first pair has a neighbor at its end alone
            from_the_end = a < a0 and a_end < a1
            gap = a + 1, a_end, b + 1, b_end
            regions.append(_extend(partner, gold_texts, test_texts, gap, from_the_end=from_the_end))
        is_first = False
    return np.array(partner, dtype=np.int64)


def _anchors(
    gold: Sequence[str], test: Sequence[str], features: Callable[[str], Iterable[str]], region: _Region
) -> list[tuple[int, int]]:
    """Return pairs of similar sentences, in order, with a feature that no other sentence of the region has."""
    owners: list[dict[str, int]] = []
    for side, first, end in ((gold, *region[:2]), (test, *region[2:])):
        owner: dict[str, int] = {}
        for sentence in range(first, end):
            for feature in features(side[sentence]):
                owner[feature] = -1 if feature in owner else sentence
        owners.append(owner)
    pairs = {(a, owners[1].get(feature, -1)) for feature, a in owners[0].items() if a >= 0}
    similar = [(a, b) for a, b in pairs if b >= 0 and _weight(gold[a], test[b])]
    # the partners of a gold sentence from the last to the first, so that at most one of them is chosen
    ordered = sorted(similar, key=lambda pair: (pair[0], -pair[1]))
    return [ordered[index] for index in longest_increasing(b for _, b in ordered)]


def _extend(
    partner: list[int], gold: Sequence[str], test: Sequence[str], gap: _Region, *, from_the_end: bool
) -> _Region:
    """Pair equal sentences at the beginning and at the end of a gap, and return what is left of it."""
    a, a_end, b, b_end = gap
    for backwards in (from_the_end, not from_the_end):
        while a < a_end and b < b_end and (gold[a_end - 1] == test[b_end - 1] if backwards else gold[a] == test[b]):
            if backwards:
                a_end, b_end = a_end - 1, b_end - 1
                partner[a_end] = b_end
            else:
                partner[a] = b
                a, b = a + 1, b + 1
    return a, a_end, b, b_end


def _fill(partner: list[int], gold: Sequence[str], test: Sequence[str], gap: _Region) -> None:
    """Pair the sentences of a gap by weight; those of a large one in a window that slides over both sides."""
    a, a_end, b, b_end = gap
    while a < a_end and b < b_end:
        n, m = a_end - a, b_end - b
        n_paired = max(n, m)
        if n * m > _MAX_CELLS:
            # pairs of the first half of a window have seen what follows
            n, m, n_paired = min(n, _WINDOW), min(m, _WINDOW), _WINDOW // 2
        weights = [[_weight(first, second) for second in test[b : b + m]] for first in gold[a : a + n]]
        total = [[0] * (m + 1) for _ in range(n + 1)]
        for i in range(n - 1, -1, -1):
            for j in range(m - 1, -1, -1):
                paired = weights[i][j] + total[i + 1][j + 1] if weights[i][j] else 0
                total[i][j] = max(total[i + 1][j], total[i][j + 1], paired)
        i = j = 0
        while i < min(n, n_paired) and j < min(m, n_paired):
            if weights[i][j] and total[i][j] == weights[i][j] + total[i + 1][j + 1]:
                partner[a + i] = b + j
                i, j = i + 1, j + 1
            elif total[i][j] == total[i + 1][j]:
                i += 1
            else:
                j += 1
        a, b = a + i, b + j


def _shift_problems(
    partner: NDArray[np.int64],
    gold_line: NDArray[np.int32],
    line: NDArray[np.int32],
    parser: str | None,
    gold_name: str,
    name: str,
) -> Iterator[Problem]:
    """Yield the sentences left out and missing, and where shifts begin, in the order of the file."""
    shifts = _shifts(partner, len(line))
    for kind, (a, a_end), (b, b_end) in islice(shifts, _MAX_LISTED):
        begins = int(line[min(b, len(line) - 1)]) if len(line) else None
        sentence: int | None = a + 1
        if kind == "left_out":
            text = f"{_ranged(b, b_end, line)}, with the words of no gold sentence; left out"
            expected, sentence = f"the sentences of {gold_name}", None
        elif kind == "no_partner":
            missing = "it counts as missing" if a_end == a + 1 else "they count as missing"
            text = f"no sentence with the words of gold {_ranged(a, a_end, gold_line)}; {missing}"
            expected = f"the sentences of {gold_name}"
        else:
            own = _ranged(b, b + 1, line)
            text = f"from gold {_ranged(a, a + 1, gold_line)} to {a_end}, {own} and those after it are taken"
            expected = f"sentence {a + 1} and those after it"
        yield Problem(kind, name, begins, None, text, expected, sentence, parser)
    if n_more := sum(1 for _ in shifts):
        text = f"{n_more:,} more positions at which sentences are shifted, left out or missing"
        yield Problem("shifted", name, None, None, text, f"the sentences of {gold_name}", None, parser)


def _ranged(first: int, end: int, lines: NDArray[np.int32]) -> str:
    """Name sentences and their lines."""
    if end == first + 1:
        return f"sentence {end} (line {lines[first]})"
    return f"sentences {first + 1} to {end} (lines {lines[first]} to {lines[end - 1]})"


def _shifts(partner: NDArray[np.int64], n_test: int) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Yield kind, range of gold sentences and range of the parser's sentences of all shifts and gaps."""
    paired = np.flatnonzero(partner >= 0)
    partners = partner[paired]
    shift = partners - paired
    changes = np.concatenate((np.flatnonzero(np.diff(shift)) + 1, [len(paired)]))
    # blocks of pairs that follow one another on both sides
    breaks = np.flatnonzero((np.diff(paired) != 1) | (np.diff(partners) != 1)) + 1
    bounds = np.concatenate(([0], breaks, [len(paired)])) if len(paired) else np.zeros(0, dtype=np.int64)
    a = b = value = 0
    for start, end in pairwise(bounds.tolist()):
        a_start, b_start, new_value = int(paired[start]), int(partners[start]), int(shift[start])
        if b_start > b:
            yield "left_out", (a, a_start), (b, b_start)
        if a_start > a:
            yield "no_partner", (a, a_start), (b, b_start)
        if new_value not in (value, 0):
            change = int(changes[np.searchsorted(changes, start, side="right")])
            yield "shifted", (a_start, int(paired[change - 1]) + 1), (b_start, b_start + 1)
        value = new_value
        a, b = int(paired[end - 1]) + 1, int(partners[end - 1]) + 1
    if n_test > b:
        yield "left_out", (a, len(partner)), (b, n_test)
    if len(partner) > a:
        yield "no_partner", (a, len(partner)), (b, n_test)


class AlignedStream:
    """A parser's file; returns the sentences that belong to the next gold sentences."""

    has_ids = False
    """Whether its sentences have ids: those of constituency trees have none."""

    def __init__(self, stream: CorpusStream, gold: CorpusStream, gold_ids: GoldIds) -> None:
        self.stream = stream
        self._gold, self._gold_ids = gold, gold_ids
        self._n_gold = 0
        self._partner = np.zeros(0, dtype=np.int64)
        self._gold_line = self._line = np.zeros(0, dtype=np.int32)
        self._skipped: list[Problem] = []

    def read(self, n: int, vocabulary: Vocabulary) -> Treebank:
        """Read the sentences of the next `n` gold sentences."""
        first = self._n_gold
        if not first:
            self._align()
        self._n_gold += n
        partner = self._partner[first : first + n]
        wanted = partner[partner >= 0].tolist()
        if wanted and (n_before := wanted[0] - self.stream.n_read):
            self._skipped += self.stream.read(n_before, Vocabulary()).problems
        start = self.stream.n_read
        part = self.stream.read(wanted[-1] + 1 - start if wanted else 0, vocabulary)
        assert isinstance(part, Treebank)  # other kinds have been refused
        return chosen_sentences([part], np.where(partner >= 0, partner - start, -1), first)

    def _align(self) -> None:
        """Read both files ahead, and align their sentences."""
        gold = self._gold_ids.tokens()
        self._gold_line = self._gold_ids.lines()
        ids, test = self.stream.look_ahead(drop_blank_end=True)
        self._line = ids.lines
        sides = (["\t".join(map(folded, tokens.split("\t"))) for tokens in side] for side in (gold, test))
        self._partner = align_sentences(*sides)

    def finish(self, parser: str | None) -> list[Problem]:
        """Read the file to its end; return the problems of sentences left out, and those of the alignment."""
        self.stream.count_rest()
        self._partner = self._partner[: self._gold.n_read]
        skipped = [replace(problem, sentence=None, parser=parser) for problem in self._skipped]
        lines = self._gold_line, self._line
        return [*skipped, *_shift_problems(self._partner, *lines, parser, self._gold.name, self.stream.name)]

    @property
    def entry(self) -> dict[str, Any]:
        """The alignment in ``meta.json``, and the number of sentences but for blank lines at the end of the file."""
        return {"aligned": pairing_counts(self._partner, len(self._line)), "sentences": len(self._line)}
