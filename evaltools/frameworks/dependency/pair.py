"""Two corpora of dependency trees, prepared for comparison: which words count, and how words are aligned."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.folding import are_punctuation, are_same_words, compared_label
from evaltools.corpus.resegmented import ELSEWHERE, Resegmented
from evaltools.corpus.vocabulary import used_numbers
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.common.labels import count_words
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.pairing.universal_alignment import have_same_words, segment_pairs

_ENHANCED_ROOT = re.compile(r"(?<![^|])0:ROOT(?![^|])")


@dataclass(frozen=True, slots=True)
class DependencyPair:
    """Two corpora of dependency trees with their words aligned."""

    gold: Dependencies  # As read; both have the same number of sentences and share a vocabulary
    test: Dependencies
    status: NDArray[np.uint8]
    partner: NDArray[np.int32]  # Position of the test word aligned with each gold word, or -1
    counted: NDArray[np.bool_]  # Which gold words count
    test_counted: NDArray[np.bool_]  # Which test words count; an aligned one counts if its gold word does
    n_root: tuple[int, int]  # Number of gold words and of test words with the relation ROOT, which counts as root

    def count_equated(self) -> dict[str, int]:
        """Count the aligned words that are the same but for their case, or the way in which they are written."""
        gold, test = self.gold, self.test
        counts = {"root": self.n_root[1]}
        if np.array_equal(gold.form, test.form):
            return counts
        words, partners = self.aligned
        return counts | count_words(gold.vocabulary.words, gold.form[words], test.form[partners])

    @property
    def aligned(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The indices of the gold words that are aligned, and those of the test words that they are aligned with."""
        words = np.flatnonzero(self.partner >= 0)
        sentence = np.repeat(np.arange(len(self.gold)), self.gold.n_words)[words]
        return words, self.test.offsets[sentence] + self.partner[words]


@dataclass(frozen=True)
class DependencyComparison:
    """A parser's dependency trees beside the gold trees, as the passes take them."""

    pair: DependencyPair
    options: DependencyOptions


def _compared(side: Dependencies) -> Dependencies:
    """Return a corpus with its tags and relations as they are compared."""
    labels = side.vocabulary.labels
    strings = labels.strings()
    compared = [compared_label(label) for label in strings]
    if compared == list(strings):
        return side
    numbers = labels.add_all(compared)
    columns = {name: numbers[getattr(side, name)] for name in ("tag", "xtag", "relation")}
    annotations = side.vocabulary.annotations
    used, index = used_numbers(side.deps)
    deps = annotations.add_all(_ENHANCED_ROOT.sub("0:root", annotations[number]) for number in used.tolist())
    columns["deps"] = deps[index]
    return replace(side, **columns)


PTB_PUNCTUATION = ("``", "''", ",", ".", ":")
"""The tags of punctuation in the Penn Treebank, which parsers of its dependencies leave out; brackets count."""


def pair_dependencies(gold: Dependencies, test: Dependencies, options: DependencyOptions) -> DependencyPair:
    """Take over the alignment of words, or align those of sentences with the same index; determine which count."""
    if not isinstance(test, Resegmented) and not have_same_words(gold, test):
        test = Resegmented.of(test, segment_pairs(gold, test), test.first_sentence)
    n_root = [0, 0]
    if options.equates_labels:
        n_root = [_count_root(side) for side in (gold, test)]
        gold, test = _compared(gold), _compared(test)
    n_words, n_test_words = gold.n_words, test.n_words
    sentence = np.repeat(np.arange(len(gold)), n_words)
    test_sentence = np.repeat(np.arange(len(gold)), n_test_words)
    counted, test_counted = (_counted(side, options) for side in (gold, test))
    partner = (np.arange(len(gold.head)) - gold.offsets[sentence]).astype(np.int32)
    status = np.where(n_test_words > 0, SentenceStatus.OK, SentenceStatus.MISSING)
    if isinstance(test, Resegmented):
        gold_word = test.segmentation.gold_word
        paired = np.flatnonzero(gold_word >= 0)
        partner[:] = -1
        aligned = gold.offsets[test_sentence[paired]] + gold_word[paired]
        partner[aligned] = paired - test.offsets[test_sentence[paired]]
        test_counted &= gold_word != ELSEWHERE
        test_counted[paired] = counted[aligned]
        status[(n_test_words > 0) & ~_are_equal(gold, test)] = SentenceStatus.WORDS_DIFFER
    else:
        test_counted = counted.copy()
    status[n_words == 0] = SentenceStatus.MISSING  # nothing to count: the gold sentence cannot be used
    return DependencyPair(gold, test, status.astype(np.uint8), partner, counted, test_counted, (n_root[0], n_root[1]))


def _count_root(side: Dependencies) -> int:
    """Return how many words have the relation ROOT."""
    number = side.vocabulary.labels.find("ROOT")
    return 0 if number < 0 else int(np.count_nonzero(side.relation == number))


def _are_equal(gold: Dependencies, test: Resegmented) -> NDArray[np.bool_]:
    """Return in which sentences the words are the same when folded, and none belongs to another gold sentence."""
    test_sentence = np.repeat(np.arange(len(test)), test.n_words)
    index = gold.offsets[test_sentence] + np.arange(len(test.form)) - test.offsets[test_sentence]
    same = (gold.n_words == test.n_words)[test_sentence]
    same[same] = are_same_words(gold.vocabulary.words, gold.form[index[same]], test.form[same])
    same &= test.segmentation.gold_word != ELSEWHERE
    n_same = np.bincount(test_sentence[same], minlength=len(test))
    result: NDArray[np.bool_] = (gold.n_words == test.n_words) & (n_same == gold.n_words)
    return result


def _counted(side: Dependencies, options: DependencyOptions) -> NDArray[np.bool_]:
    """Return for each word whether it counts: it has a head, and is not left out as punctuation or as a root."""
    counted: NDArray[np.bool_] = (side.head >= 0) if options.skip_root else (side.head != NO_HEAD)
    if options.punctuation == "keep":
        return counted
    if options.punctuation == "upos":
        tagged: NDArray[np.bool_] = side.tag == side.vocabulary.labels.find("PUNCT")
        return counted & ~tagged
    if options.punctuation == "ptb":
        known = side.vocabulary.labels.find
        tags = [known(tag) for tag in PTB_PUNCTUATION if known(tag) >= 0]
        return counted & ~np.isin(side.tag, tags) & ~np.isin(side.xtag, tags)
    return counted & ~are_punctuation(side.vocabulary.words, side.form)
