"""A parser's file whose sentences are aligned with the gold sentences by their words, if some are missing or extra.

First, sentences whose characters occur once in both files are paired as far as that keeps their order, and their
neighbors as long as they are equal. The gaps between are aligned by the similarity of the words, so that the sum of all
similarities is maximal; a long gap is first divided at sentences that share a word or a trigram that no other sentence
of the gap has. No step takes time quadratic in the length of a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Treebank, Vocabulary
from evaltools.corpus.folding import folded
from evaltools.errors import InputError, Problem
from evaltools.formats import FORMATS
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.frameworks.pairing.paired_stream import chosen_sentences, pairing_counts
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.presets.filtering import tagged_words
from evaltools.progress import Progress

_MAX_LISTED = 1000
_SENTENCES_PER_READ = 1 << 14
_MAX_FORMS = 1 << 18
_MAX_CELLS = 1 << 16
_MAX_DIVISIONS = 12
_MAX_SENTENCES = 8192


@dataclass(frozen=True)
class Lines:
    """Where the sentences of a file are."""

    line: NDArray[np.int32]  # Where each begins
    digest: str  # SHA-256 of the file as stored

    def __len__(self) -> int:
        return len(self.line)


@dataclass(frozen=True)
class Sentences:
    """The features by which the sentences of a file are aligned, about 150 bytes a sentence."""

    keys: NDArray[np.uint64]  # Equal for the same characters, whatever the tokenization; 0 for a sentence without words
    by_word: NDArray[np.uint32]  # The smallest hashes of the words and of the character trigrams
    by_trigram: NDArray[np.uint32]
    lines: Lines  # Where they are

    def __len__(self) -> int:
        return len(self.keys)


def read_sentences(stream: CorpusStream, preset: Preset, progress: Progress, *, drop_blank_end: bool) -> Sentences:
    """Read a file to its end, and keep the features of each sentence that identify it in another file."""
    from evaltools.kernels.sentence_alignment import describe_sentences

    forms = _Forms()
    columns: list[list[NDArray[Any]]] = [[], [], [], []]
    while True:
        progress.update("aligning sentences")
        treebank = stream.read(_SENTENCES_PER_READ, forms.vocabulary, drop_blank_end=drop_blank_end)
        assert isinstance(treebank, Treebank)  # other kinds have been refused
        if not len(treebank) and columns[0]:
            break
        is_left = ~tagged_words(treebank, preset.empty_tags)
        words = treebank.label[treebank.word_nodes[is_left]]
        n_left = np.concatenate(([0], np.cumsum(is_left, dtype=np.int64)))
        offsets = n_left[np.concatenate(([0], np.cumsum(treebank.n_words, dtype=np.int64)))]
        described = describe_sentences(words, offsets, *forms.arrays())
        for column, part in zip(columns, (*described, treebank.line), strict=True):
            column.append(part)
        forms.clear_if_large()
    joined = []
    for column in columns:  # the parts of each are freed before the next is joined, to save memory
        joined.append(np.concatenate(column))
        column.clear()
    keys, by_word, by_trigram, line = joined
    return Sentences(keys, by_word, by_trigram, Lines(line, stream.digest))


class _Forms:
    """The forms of a file as they are compared."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()
        self._pool = bytearray()
        self._ends = [0]
        self._lexical: list[bool] = []

    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_]]:
        """Return the bytes of all forms so far, where each begins, and which have a letter or a digit."""
        words = self.vocabulary.words
        for number in range(len(self._lexical), len(words)):
            form = folded(words[number])
            self._pool += form.encode("utf-8", "surrogatepass")
            self._ends.append(len(self._pool))
            self._lexical.append(any(map(str.isalnum, form)))
        return np.array(self._pool, np.uint8), np.array(self._ends, np.int64), np.array(self._lexical, np.bool_)

    def clear_if_large(self) -> None:
        """Start anew if there are many forms, so that memory does not grow with the file."""
        if len(self._lexical) > _MAX_FORMS:
            self.__init__()  # type: ignore[misc]  # everything it holds


def align_sentences(gold: Sentences, test: Sentences) -> NDArray[np.int64]:
    """Return for each gold sentence the index of the parser's sentence that has its words, or -1."""
    from evaltools.kernels import sentence_alignment as kernel

    partner = np.full(len(gold), -1, dtype=np.int64)
    sides = gold.keys, gold.by_word, gold.by_trigram, test.keys, test.by_word, test.by_trigram
    regions = [(0, len(gold), 0, len(test), 0)]
    while regions:
        a0, a1, b0, b1, depth = regions.pop()
        is_divided = depth < _MAX_DIVISIONS and _divide(partner, gold, test, (a0, a1, b0, b1))
        if not is_divided and depth:
            kernel.slide(partner, *sides, a0, a1, b0, b1)
            continue
        kernel.extend(partner, gold.keys, test.keys, a0, a1, b0, b1)
        large = kernel.fill_gaps(partner, *sides, a0, a1, b0, b1, _MAX_CELLS)
        regions += [(*gap, depth + 1) for gap in large.tolist()]
    return partner


def _divide(partner: NDArray[np.int64], gold: Sentences, test: Sentences, region: tuple[int, int, int, int]) -> bool:
    """Pair sentences of a region by features that no other sentence of the region has; return whether there are any."""
    from evaltools.kernels.sentence_alignment import FEATURES, longest_increasing, weights

    a0, a1, b0, b1 = region
    sides = gold.keys, gold.by_word, gold.by_trigram, test.keys, test.by_word, test.by_trigram
    pairs = _once_in_both(gold.keys[a0:a1], test.keys[b0:b1], 0)
    if not len(pairs) and (a1 - a0) * (b1 - b0) > _MAX_CELLS:
        features = [
            _once_in_both(first[a0:a1].reshape(-1), second[b0:b1].reshape(-1), 0xFFFFFFFF) // FEATURES
            for first, second in ((gold.by_word, test.by_word), (gold.by_trigram, test.by_trigram))
        ]
        pairs = np.unique(np.concatenate(features), axis=0)
        pairs = pairs[weights(a0 + pairs[:, 0], b0 + pairs[:, 1], *sides) > 0]
    # by gold sentence, and the partners of each from the last to the first, so that at most one of them is chosen
    pairs = pairs[np.lexsort((-pairs[:, 1], pairs[:, 0]))]
    chosen = pairs[longest_increasing(np.ascontiguousarray(pairs[:, 1]))]
    partner[a0 + chosen[:, 0]] = b0 + chosen[:, 1]
    return len(chosen) > 0


def _once_in_both(first: NDArray[np.generic], second: NDArray[np.generic], nothing: int) -> NDArray[np.int64]:
    """Return the indices, one row a pair, of values that occur once on either side."""
    sides = []
    for values in (first, second):
        distinct, indices, counts = np.unique(values, return_index=True, return_counts=True)
        once = (counts == 1) & (distinct != nothing)
        sides.append((distinct[once], indices[once]))
    _, in_first, in_second = np.intersect1d(sides[0][0], sides[1][0], assume_unique=True, return_indices=True)
    return np.stack((sides[0][1][in_first], sides[1][1][in_second]), axis=1).astype(np.int64)


def shift_problems(
    partner: NDArray[np.int64], gold_line: NDArray[np.int32], test: Lines, parser: str, gold_name: str, name: str
) -> Iterator[Problem]:
    """Yield the sentences left out and missing, and where shifts begin, in the order of the file."""
    shifts = _shifts(partner, len(test))
    for kind, (a, a_end), (b, b_end) in islice(shifts, _MAX_LISTED):
        line = int(test.line[min(b, len(test) - 1)]) if len(test) else None
        sentence: int | None = a + 1
        if kind == "left_out":
            text = f"{_ranged(b, b_end, test.line)}, with the words of no gold sentence; left out"
            expected, sentence = f"the sentences of {gold_name}", None
        elif kind == "no_partner":
            missing = "it counts as missing" if a_end == a + 1 else "they count as missing"
            text = f"no sentence with the words of gold {_ranged(a, a_end, gold_line)}; {missing}"
            expected = f"the sentences of {gold_name}"
        else:
            own = _ranged(b, b + 1, test.line)
            text = f"from gold {_ranged(a, a + 1, gold_line)} to {a_end}, {own} and those after it are taken"
            expected = f"sentence {a + 1} and those after it"
        yield Problem(kind, name, line, None, text, expected, sentence, parser)
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


def align_files(
    gold: CorpusStream, parsers: Mapping[str, CorpusStream], preset: Preset, progress: Progress
) -> dict[str, tuple[Lines, Lines, NDArray[np.int64]]]:
    """Read every file to its end and align each parser's sentences with the gold sentences."""
    if FORMATS[gold.format].holds is Dependencies:
        progress.add_notes(
            ["dependency trees: sentences are paired by id and by the text; --align-sentences is not needed"]
        )
        return {}
    gold_sentences = read_sentences(gold, preset, progress, drop_blank_end=preset.evalb is None)
    aligned = {}
    for name, stream in parsers.items():
        sentences = read_sentences(stream, preset, progress, drop_blank_end=True)
        aligned[name] = (gold_sentences.lines, sentences.lines, align_sentences(gold_sentences, sentences))
    return aligned


class AlignedStream:
    """A parser's file; returns the sentences that belong to the next gold sentences."""

    def __init__(
        self, stream: CorpusStream, gold: CorpusStream, gold_lines: Lines, lines: Lines, partner: NDArray[np.int64]
    ) -> None:
        self.stream = stream
        self.partner = partner
        self._gold_stream, self._gold_lines, self._lines = gold, gold_lines, lines
        self._n_gold = 0
        self._skipped: list[Problem] = []

    def read(self, n: int, vocabulary: Vocabulary) -> Treebank:
        """Read the sentences of the next `n` gold sentences."""
        first = self._n_gold
        partner = self.partner[first : first + n]
        if len(partner) < n:
            raise _changed(self._gold_stream.name)
        self._n_gold += n
        wanted = partner[partner >= 0]
        parts: list[Treebank] = []
        indices: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
        before = 0
        while len(wanted) or not parts:
            self._skip_to(int(wanted[0]) if len(wanted) else 0)
            n_read = self.stream.n_read
            n_wanted = int(wanted[-1]) + 1 - n_read if len(wanted) else 0
            part = self.stream.read(min(n_wanted, _MAX_SENTENCES), vocabulary)
            assert isinstance(part, Treebank)  # other kinds have been refused
            if len(wanted) and not len(part):
                raise _changed(self.stream.name)
            in_part = wanted[wanted < n_read + len(part)]
            indices.append(in_part - n_read + before)
            before += len(part)
            wanted = wanted[len(in_part) :]
            parts.append(part)
        chosen = np.full(n, -1, dtype=np.int64)
        chosen[partner >= 0] = np.concatenate(indices)
        return chosen_sentences(parts, chosen, first)

    def _skip_to(self, index: int) -> None:
        """Read the sentences before the one with an index, and keep their problems."""
        while self.stream.n_read < index:
            part = self.stream.read(min(index - self.stream.n_read, _MAX_SENTENCES), Vocabulary())
            if not len(part):
                raise _changed(self.stream.name)
            n_more = max(_MAX_LISTED - len(self._skipped), 0)
            self._skipped += [replace(problem, sentence=None) for problem in part.problems[:n_more]]

    def finish(self, parser: str) -> list[Problem]:
        """Read the file to its end; return the problems of sentences left out, and those of the alignment."""
        gold = self._gold_stream
        self.stream.count_rest()
        for stream, lines in ((gold, self._gold_lines), (self.stream, self._lines)):
            if stream.digest != lines.digest:
                raise _changed(stream.name)
        skipped = [replace(problem, parser=parser) for problem in self._skipped]
        names = parser, gold.name, self.stream.name
        return skipped + list(shift_problems(self.partner, self._gold_lines.line, self._lines, *names))

    @property
    def has_ids(self) -> bool:
        """Whether its sentences have ids: those of constituency trees have none."""
        return False

    @property
    def entry(self) -> dict[str, Any]:
        """The alignment in ``meta.json``, and the number of sentences but for blank lines at the end of the file."""
        return {"aligned": pairing_counts(self.partner, len(self._lines)), "sentences": len(self._lines)}


def _changed(name: str) -> InputError:
    found = "content that changed while it was read"
    return InputError(Problem("changed", name, None, None, found, "an unchanged file"))
