"""Problems that show when two treebanks are compared: words that differ, pairs that are too large."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Treebank, Vocabulary
from evaltools.corpus.folding import folded
from evaltools.errors import Problem
from evaltools.formats import Source
from evaltools.formats.treebank_stream import TreebankStream
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.constituency.comparison import TreeComparison
from evaltools.frameworks.constituency.repair_counts import RepairCounts
from evaltools.frameworks.constituency.rules import Pair, normalize_pair
from evaltools.frameworks.constituency.tree_distance import TreeDistance
from evaltools.frameworks.framework import Compared
from evaltools.frameworks.pairing.paired_stream import GoldIds, PairedStream
from evaltools.frameworks.pairing.pairing_lines import describe_pairing
from evaltools.frameworks.pairing.sentence_alignment import align_sentences, read_sentences
from evaltools.frameworks.pairing.sentence_shifts import shift_problems
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.presets import Preset
from evaltools.progress import Progress
from evaltools.text import excerpt, told_apart

__all__ = ["compare_treebanks", "pair_problems"]


def pair_problems(parser: str, passes: Passes[TreeComparison]) -> list[Problem]:
    """List the sentences whose words differ, and the pairs that are too large to align."""
    pair, t, r = passes.comparison.pair, passes.get(TreeDistance), passes.get(RepairCounts)
    gold, test = pair.gold.read, pair.test.read

    def problem(kind: str, sentence: int, found: str, expected: str) -> Problem:
        line, number = int(test.line[sentence]) or None, gold.first_sentence + 1 + sentence
        return Problem(kind, test.name, line, None, found, expected, number, parser)

    problems = [
        problem("words_differ", sentence, *_difference(pair, sentence))
        for sentence in np.flatnonzero(_words_differ(pair)).tolist()
        if gold.has_whole_words(sentence) and test.has_whole_words(sentence)  # else this is listed
    ]
    for sentence in [] if t is None else np.flatnonzero(t.too_large).tolist():
        size = f"{gold.offsets[sentence + 1] - gold.offsets[sentence]} and more nodes"
        expected = "trees small enough for tree distance; the sentence has no T score"
        problems.append(problem("too_large", sentence, size, expected))
    for sentence in [] if r is None else np.flatnonzero(r.too_large).tolist():
        size = f"{gold.offsets[sentence + 1] - gold.offsets[sentence]} nodes, far from the gold tree"
        expected = "trees that can be repaired in about a second; the sentence has no number of errors (R)"
        problems.append(problem("too_large", sentence, size, expected))
    return problems


def _words_differ(pair: Pair) -> NDArray[np.bool_]:
    """Return which sentences have other words than the gold sentence, if there is one."""
    differ: NDArray[np.bool_] = (pair.status == SentenceStatus.WORDS_DIFFER) & (pair.gold.read.n_words > 0)
    return differ


def _difference(pair: Pair, sentence: int) -> tuple[str, str]:
    """Describe the first word of a sentence that differs, or the numbers of words: what was found and expected."""
    gold_words, test_words, index = _compared_words(pair, sentence)
    if len(gold_words) == len(test_words):
        found, expected = told_apart(test_words[index], gold_words[index])
        return f"word {index + 1} {found}", f"{expected}, as in {pair.gold.read.name}"
    found, expected = f"{len(test_words)} words", f"{len(gold_words)} words"
    if index < min(len(gold_words), len(test_words)):
        own, other = told_apart(test_words[index], gold_words[index])
        return f"{found}, the first other one {own}", f"{expected} with {other} there"
    if index < len(test_words):
        return f"{found}, one too many {excerpt(test_words[index])!r}", expected
    return found, f"{expected}, also {excerpt(gold_words[index])!r}"


def _compared_words(pair: Pair, sentence: int) -> tuple[list[str], list[str], int]:
    """Return the words of a sentence as they were compared, and the index of the first that differs."""
    sides = []
    for side in (pair.gold, pair.test):
        # an evalb preset compares what is left after deletion, the others the words as read
        treebank = side.read if pair.compared_as_read else side.treebank
        sides.append(list(treebank.tree(sentence).words))
    gold_words, test_words = sides
    if len(gold_words) == len(test_words):
        return gold_words, test_words, int(pair.first_difference[sentence])  # EQ_WORD may equate other forms
    pairs = enumerate(zip(gold_words, test_words, strict=False))
    shorter = min(len(gold_words), len(test_words))
    form = folded if pair.compared_as_read else str
    return gold_words, test_words, next((index for index, (gold, test) in pairs if form(gold) != form(test)), shorter)


def compare_treebanks(
    gold_file: tuple[Source, str], test_file: tuple[Source, str], preset: Preset, *, align: bool
) -> Compared:
    """Pair the sentences of two treebanks and compare their words; the parameters are those of a framework's method."""
    vocabulary = Vocabulary()

    def opened(file: tuple[Source, str]) -> TreebankStream:
        return TreebankStream(*file, as_evalb=preset.evalb is not None)

    gold_stream, stream = opened(gold_file), opened(test_file)
    gold = gold_stream.read(sys.maxsize, vocabulary, drop_blank_end=True)
    problems: list[Problem] = []
    pairing = ""
    if align:
        sides = [
            read_sentences(opened(file), preset, Progress(), drop_blank_end=True) for file in (gold_file, test_file)
        ]
        partner = align_sentences(*sides)
        problems += shift_problems(partner, sides[0].lines.line, sides[1].lines, "", gold.name, stream.name)
        test = stream.read(sys.maxsize, vocabulary).select(partner)
    else:
        ids = GoldIds(gold_stream)
        ids.note(gold)
        reader = PairedStream(stream, gold_stream, ids)
        paired = reader.read(len(gold), vocabulary)
        assert isinstance(paired, Treebank)
        test, listed = paired, reader.finish(None)
        if reader.entry:
            problems, pairing = listed, describe_pairing(reader.entry | {"format": stream.format})
    pair = normalize_pair(gold, test, preset)
    for sentence in np.flatnonzero(_words_differ(pair)).tolist():
        if not (gold.has_whole_words(sentence) and test.has_whole_words(sentence)):
            continue
        gold_words, test_words, index = _compared_words(pair, sentence)
        line = int(test.line[sentence]) or None
        found, expected = _word_at(test_words, index), _word_at(gold_words, index)
        problems.append(Problem("words_differ", test.name, line, None, found, expected, sentence + 1))
    return Compared(tuple(problems), pairing=pairing)


def _word_at(words: list[str], index: int) -> str:
    """Return the word at an index, and how many words there are.

    Examples
    --------
    >>> _word_at(["dogs", "bark"], 1)
    '“bark”, word 2 of 2'
    """
    return f"“{words[index]}”, word {index + 1} of {len(words)}" if index < len(words) else f"{len(words)} words"
