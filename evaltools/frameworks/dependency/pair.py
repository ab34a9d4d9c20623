"""Two corpora of dependency trees, prepared for comparison: which words count, and how words are aligned."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies
from evaltools.errors import ParameterError
from evaltools.frameworks.common.status import Status
from evaltools.frameworks.options import Options

__all__ = [
    "PUNCTUATION",
    "DependencyComparison",
    "DependencyPair",
    "DependencyRules",
    "is_punctuation",
    "pair_dependencies",
    "rules_of",
]

PUNCTUATION: dict[str, str] = {
    "keep": "punctuation counts, as in the CoNLL 2018 evaluation",
    "upos": "words that the gold tree tags PUNCT are left out",
    "unicode": "words all of whose characters are punctuation (Unicode P) are left out, as in the CoNLL-X evaluation",
}
"""The ways to treat punctuation, with explanations."""


@dataclass(frozen=True, slots=True)
class DependencyRules:
    """What counts when dependency trees are compared."""

    punctuation: str = "keep"  # A key of PUNCTUATION
    # Whether relations are compared with their subtypes, so that ``nsubj:pass`` differs from ``nsubj``. The CoNLL
    # 2018 evaluation leaves them out.
    subtypes: bool = False

    def __post_init__(self) -> None:
        if self.punctuation not in PUNCTUATION:
            raise ParameterError.unknown("punctuation", self.punctuation, PUNCTUATION)

    def describe(self) -> str:
        """Return the rules in words, a line each."""
        subtypes = (
            "relations are compared with their subtypes: nsubj:pass differs from nsubj"
            if self.subtypes
            else "relations are compared without their subtypes, as in the CoNLL 2018 evaluation: nsubj:pass is nsubj"
        )
        return f"punctuation {self.punctuation}: {PUNCTUATION[self.punctuation]}\n{subtypes}"


@dataclass(frozen=True, slots=True)
class DependencyPair:
    """Two corpora of dependency trees with their words aligned."""

    gold: Dependencies  # As read; both have the same number of sentences and share a vocabulary
    test: Dependencies
    status: NDArray[np.uint8]
    partner: NDArray[np.int32]  # Position of the test word aligned with each gold word, or -1
    counted: NDArray[np.bool_]  # Which gold words count
    test_counted: NDArray[np.bool_]  # Which test words count; an aligned one counts if its gold word does


@dataclass(frozen=True)
class DependencyComparison:
    """A parser's dependency trees beside the gold trees, as the passes take them."""

    pair: DependencyPair
    options: Options

    @property
    def rules(self) -> DependencyRules:
        """What counts."""
        return rules_of(self.options)


def rules_of(options: Options) -> DependencyRules:
    """Return the rules that some options name."""
    return DependencyRules(options.punctuation or "keep", bool(options.subtypes))


def is_punctuation(form: str) -> bool:
    """Return whether all characters of a word are punctuation.

    Examples
    --------
    >>> is_punctuation("..."), is_punctuation("«"), is_punctuation("$"), is_punctuation("")
    (True, True, False, False)
    """
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)


def pair_dependencies(gold: Dependencies, test: Dependencies, rules: DependencyRules) -> DependencyPair:
    """Align the words of two corpora and determine which count."""
    lengths, test_lengths = gold.n_words, test.n_words
    sentence = np.repeat(np.arange(len(gold)), lengths)
    index = (np.arange(len(gold.head)) - gold.offsets[sentence]).astype(np.int32)
    same_length = lengths == test_lengths
    words = same_length[sentence]
    same = np.zeros(len(index), dtype=np.bool_)
    same[words] = gold.form[words] == test.form[test.offsets[sentence[words]] + index[words]]
    n_same = np.bincount(sentence[same], minlength=len(gold))
    equal = same_length & (n_same == lengths)
    status = np.where(equal, Status.OK, Status.WORDS_DIFFER)
    status[test_lengths == 0] = Status.MISSING
    partner = np.where(equal[sentence], index, np.int32(-1)).astype(np.int32)
    for number in np.flatnonzero(status == Status.WORDS_DIFFER).tolist():
        for first, second in _aligned(_forms(gold, number), _forms(test, number)):
            partner[gold.offsets[number] + first] = second
    back = np.full(len(test.head), -1, dtype=np.int32)
    aligned = partner >= 0
    back[test.offsets[sentence[aligned]] + partner[aligned]] = index[aligned]
    counted, test_counted = (_counted(side, rules.punctuation) for side in (gold, test))
    test_sentence = np.repeat(np.arange(len(test)), test_lengths)
    paired = back >= 0
    test_counted[paired] = counted[gold.offsets[test_sentence[paired]] + back[paired]]
    return DependencyPair(gold, test, status.astype(np.uint8), partner, counted, test_counted)


def _forms(side: Dependencies, number: int) -> list[str]:
    words = side.vocabulary.words
    return [words[form] for form in side.form[side.offsets[number] : side.offsets[number + 1]].tolist()]


def _aligned(gold: list[str], test: list[str]) -> list[tuple[int, int]]:
    """Pair words of one sentence.

    Examples
    --------
    >>> _aligned(["can", "not", "go"], ["cannot", "go"]), _aligned(["a", "b", "c"], ["b", "x", "c"])
    ([(2, 1)], [(1, 0), (2, 2)])
    """
    if "".join(gold) != "".join(test):
        blocks = SequenceMatcher(a=gold, b=test, autojunk=False).get_matching_blocks()
        return [(block.a + i, block.b + i) for block in blocks for i in range(block.size)]
    spans = []
    for words in (gold, test):
        ends = list(accumulate(map(len, words)))
        spans.append(list(zip([0, *ends], ends, strict=False)))
    by_span = {span: index for index, span in enumerate(spans[1]) if span[0] < span[1]}
    return [(index, by_span[span]) for index, span in enumerate(spans[0]) if span in by_span]


def _counted(side: Dependencies, punctuation: str) -> NDArray[np.bool_]:
    """Return for each word whether it counts by its own tag or form."""
    if punctuation == "keep":
        return np.ones(len(side.head), dtype=np.bool_)
    if punctuation == "upos":
        tagged: NDArray[np.bool_] = side.tag == side.vocabulary.labels.find("PUNCT")
        return ~tagged
    forms, indices = np.unique(side.form, return_inverse=True)
    words = side.vocabulary.words
    marks = np.array([is_punctuation(words[form]) for form in forms.tolist()], dtype=np.bool_)
    result: NDArray[np.bool_] = ~marks[indices.reshape(-1)]
    return result
