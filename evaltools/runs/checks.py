"""What comparing two treebanks brings to light: words that differ, pairs that are too large; and evalb's lengths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem, excerpt
from evaltools.normalize import Pair, Preset, Status
from evaltools.runs.passes import Passes
from evaltools.treebank import Kind, Treebank

__all__ = ["compared_words", "evalb_lengths", "pair_problems"]


def evalb_lengths(gold: Treebank, preset: Preset) -> NDArray[np.int32]:
    """Length of the gold sentences as evalb prints it: without words of ``DELETE_LABEL_FOR_LENGTH``."""
    lengths = gold.n_words
    if preset.evalb is None or not preset.evalb.delete_for_length:
        return lengths
    left_out = np.zeros(len(gold.vocabulary.labels), dtype=np.bool_)
    for tag in preset.evalb.delete_for_length:
        number = gold.vocabulary.labels.find(tag)
        if number >= 0:
            left_out[number] = True
    nodes = (gold.kind == Kind.PRETERMINAL) & left_out[np.where(gold.kind == Kind.WORD, 0, gold.label)]
    cumulative = np.concatenate(([0], np.cumsum(nodes)))
    result: NDArray[np.int32] = (lengths - (cumulative[gold.offsets[1:]] - cumulative[gold.offsets[:-1]])).astype(
        np.int32
    )
    return result


def pair_problems(name: str, passes: Passes) -> list[Problem]:
    """List sentences whose words differ, and pairs too large to align."""
    pair = passes.pair
    gold, test = pair.gold.read, pair.test.read
    first = gold.first_sentence + 1
    problems = []
    for sentence in np.flatnonzero(pair.status == Status.WORDS_DIFFER).tolist():
        found, expected = _difference(pair, sentence)
        line = int(test.line[sentence]) or None
        problems.append(Problem("words_differ", test.name, line, None, found, expected, first + sentence, name))
    if passes.t is not None:
        for sentence in np.flatnonzero(passes.t.too_large).tolist():
            size = f"{gold.offsets[sentence + 1] - gold.offsets[sentence]} and more nodes"
            expected = "trees small enough for tree distance; the sentence has no T score"
            line = int(test.line[sentence]) or None
            problems.append(Problem("too_large", test.name, line, None, size, expected, first + sentence, name))
    return problems


def compared_words(pair: Pair, sentence: int) -> tuple[list[str], list[str], int]:
    """Return the words of a sentence as they were compared, and where they differ first.

    Parameters
    ----------
    pair : Pair
        The trees, normalised.
    sentence : int
        A sentence whose words differ, from 0.

    Returns
    -------
    (list of str, list of str, int)
        The gold words, the test words, and the place of the first that differs, from 0; the length of the shorter side
        where the longer one begins with it.
    """
    sides = []
    for side in (pair.gold, pair.test):
        # an evalb preset compares what is left after deletion, the others the words as read
        chosen = side.read if pair.compared_as_read else side.treebank
        nodes = slice(int(chosen.offsets[sentence]), int(chosen.offsets[sentence + 1]))
        forms = chosen.label[nodes][chosen.kind[nodes] == Kind.WORD].tolist()
        sides.append([chosen.vocabulary.words[form] for form in forms])
    gold_words, test_words = sides
    if len(gold_words) == len(test_words):
        return gold_words, test_words, int(pair.first_difference[sentence])  # EQ_WORD may equate other forms
    pairs = zip(gold_words, test_words, strict=False)
    shorter = min(len(gold_words), len(test_words))
    return gold_words, test_words, next((at for at, (one, other) in enumerate(pairs) if one != other), shorter)


def _difference(pair: Pair, sentence: int) -> tuple[str, str]:
    """Say how the words of a sentence differ: the first that does, or the numbers of words."""
    gold_words, test_words, at = compared_words(pair, sentence)
    if len(gold_words) == len(test_words):
        return f"word {at + 1} {excerpt(test_words[at])!r}", f"{excerpt(gold_words[at])!r}, as in {pair.gold.read.name}"
    found, expected = f"{len(test_words)} words", f"{len(gold_words)} words"
    if at < min(len(gold_words), len(test_words)):
        found += f", the first other one {excerpt(test_words[at])!r}"
        expected += f" with {excerpt(gold_words[at])!r} there"
    return found, expected
