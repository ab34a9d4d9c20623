"""A parser's file of dependency trees read in step with the gold file, paired by the characters of the text.

As long as paired sentences (:class:`~evaltools.frameworks.pairing.paired_stream.PairedStream`) have the same
characters, only the words of some are aligned. From the first chunk where they do not, both files are read ahead: if
the texts are equal from there on, the parser's words belong to the gold sentences that they are in; else sentences with
the same id belong together, or those with the same text in the same order, and words to where their characters are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Treebank, Vocabulary
from evaltools.corpus.resegmented import Resegmented, Segmentation
from evaltools.errors import Problem
from evaltools.frameworks.pairing.id_pairing import problems_by_id
from evaltools.frameworks.pairing.paired_stream import PairedStream
from evaltools.frameworks.pairing.source_chunks import Texts
from evaltools.frameworks.pairing.text_positions import TextMap, map_texts, pairs_by_id, pairs_in_order
from evaltools.frameworks.pairing.universal_alignment import (
    NOWHERE,
    Surface,
    have_same_texts,
    have_same_words,
    joined,
    segment,
    segment_pairs,
)
from evaltools.text import excerpt, percentage

__all__ = ["SegmentedTexts", "TextPairedStream"]

_MAX_LISTED = 1000


@dataclass(frozen=True)
class SegmentedTexts(Texts):
    """The text of some sentences of a parser, with their arrangement by gold sentence."""

    segmentation: Segmentation | None = None
    n: int = 0  # Number of sentences in the text
    first_gold: int = 0  # Number of gold sentences before these

    def read(self, n: int, vocabulary: Vocabulary) -> Treebank | Dependencies:
        """Read the sentences of `n` gold sentences."""
        trees = super().read(self.n, vocabulary)
        assert self.segmentation is not None
        assert isinstance(trees, Dependencies)
        return Resegmented.of(trees, self.segmentation, self.first_gold)


class TextPairedStream(PairedStream):
    """A parser's file; returns its words by gold sentence."""

    advice = ""
    _map: TextMap | None = None
    _map_first = 0  # Number of gold sentences, and of the parser's, before those in the map
    _n_characters = 0
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
            segmentation = segment_pairs(gold, trees)
            self.texts = _segmented(self.texts, segmentation, len(trees), first)
            return Resegmented.of(trees, segmentation, first)
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
        self.texts = _segmented(self.texts, segmentation, len(wanted), first)
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
        self._index.close()
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


def _segmented(texts: Texts, segmentation: Segmentation, n: int, first: int) -> SegmentedTexts:
    return SegmentedTexts(texts.format, texts.sources, texts.chosen, texts.first, texts.lines, segmentation, n, first)
