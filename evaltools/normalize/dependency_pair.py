"""Two corpora of dependency trees ready to be compared: which words count, and which stand for one another."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.normalize.apply import Status
from evaltools.treebank import Dependencies

__all__ = ["PUNCTUATION", "DependencyPair", "DependencyRules", "is_punctuation", "pair_dependencies"]

PUNCTUATION: dict[str, str] = {
    "keep": "punctuation counts, as in the CoNLL 2018 evaluation",
    "upos": "words that the gold tree tags PUNCT are left out",
    "unicode": "words all of whose characters are punctuation (Unicode P) are left out, as in the CoNLL-X evaluation",
}
"""What to do with punctuation: name to explanation."""


@dataclass(frozen=True, slots=True)
class DependencyRules:
    """What counts when dependency trees are compared.

    Parameters
    ----------
    punctuation : {"keep", "upos", "unicode"}
        Whether punctuation is left out, and how it is known: see :data:`PUNCTUATION`.
    subtypes : bool
        Whether relations are compared with their subtypes, so that ``nsubj:pass`` differs from ``nsubj``. The CoNLL
        2018 evaluation leaves them out.

    Raises
    ------
    ParameterError
        If there is no such way with punctuation.
    """

    punctuation: str = "keep"
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
    """Two corpora of dependency trees ready to be compared.

    Parameters
    ----------
    gold, test : Dependencies
        As read; they have the same number of sentences and one vocabulary.
    status : ndarray of uint8, shape (sentences,)
        A :class:`~evaltools.normalize.Status`.
    partner : ndarray of int32, shape (gold words,)
        Position of the test word that stands for each gold word, -1 where there is none.
    back : ndarray of int32, shape (test words,)
        Position of the gold word that each test word stands for, or -1.
    counted, test_counted : ndarray of bool, shape (gold words,), (test words,)
        The words that count. A test word that stands for a gold word counts if that does.
    """

    gold: Dependencies
    test: Dependencies
    status: NDArray[np.uint8]
    partner: NDArray[np.int32]
    back: NDArray[np.int32]
    counted: NDArray[np.bool_]
    test_counted: NDArray[np.bool_]


def is_punctuation(form: str) -> bool:
    """Tell whether all characters of a word are punctuation.

    Parameters
    ----------
    form : str
        The word.

    Examples
    --------
    >>> is_punctuation("..."), is_punctuation("«"), is_punctuation("$"), is_punctuation("")
    (True, True, False, False)
    """
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)


def pair_dependencies(gold: Dependencies, test: Dependencies, rules: DependencyRules) -> DependencyPair:
    """Say which words count and which stand for one another.

    Parameters
    ----------
    gold, test : Dependencies
        As read, with the same number of sentences and one vocabulary.
    rules : DependencyRules
        What counts.

    Returns
    -------
    DependencyPair
        A test tree without words is `MISSING`, whatever the gold has. Where the words differ, those that take up the
        same characters of the sentence stand for one another, as in the CoNLL 2018 evaluation; where the characters
        differ too, those between which the sequences of forms agree.
    """
    lengths, test_lengths = gold.n_words, test.n_words
    sentence = np.repeat(np.arange(len(gold)), lengths)
    place = (np.arange(len(gold.head)) - gold.offsets[sentence]).astype(np.int32)
    alike = lengths == test_lengths
    within = alike[sentence]
    same = np.zeros(len(place), dtype=np.bool_)
    same[within] = gold.form[within] == test.form[test.offsets[sentence[within]] + place[within]]
    n_same = np.bincount(sentence[same], minlength=len(gold))
    equal = alike & (n_same == lengths)
    status = np.where(equal, Status.OK, Status.WORDS_DIFFER)
    status[test_lengths == 0] = Status.MISSING
    partner = np.where(equal[sentence], place, np.int32(-1)).astype(np.int32)
    for number in np.flatnonzero(status == Status.WORDS_DIFFER).tolist():
        for one, other in _aligned(_forms(gold, number), _forms(test, number)):
            partner[gold.offsets[number] + one] = other
    back = np.full(len(test.head), -1, dtype=np.int32)
    known = partner >= 0
    back[test.offsets[sentence[known]] + partner[known]] = place[known]
    counted, test_counted = (_counted(side, rules.punctuation) for side in (gold, test))
    test_sentence = np.repeat(np.arange(len(test)), test_lengths)
    paired = back >= 0
    test_counted[paired] = counted[gold.offsets[test_sentence[paired]] + back[paired]]
    return DependencyPair(gold, test, status.astype(np.uint8), partner, back, counted, test_counted)


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
    there = {span: place for place, span in enumerate(spans[1]) if span[0] < span[1]}
    return [(place, there[span]) for place, span in enumerate(spans[0]) if span in there]


def _counted(side: Dependencies, punctuation: str) -> NDArray[np.bool_]:
    """Tell for each word whether it counts by its own tag or form."""
    if punctuation == "keep":
        return np.ones(len(side.head), dtype=np.bool_)
    if punctuation == "upos":
        tagged: NDArray[np.bool_] = side.tag == side.vocabulary.labels.find("PUNCT")
        return ~tagged
    forms, places = np.unique(side.form, return_inverse=True)
    words = side.vocabulary.words
    marks = np.array([is_punctuation(words[form]) for form in forms.tolist()], dtype=np.bool_)
    result: NDArray[np.bool_] = ~marks[places.reshape(-1)]
    return result
