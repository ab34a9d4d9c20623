"""The alignment of words against recursion over all ways to align."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evaltools import Tree, align
from evaltools.corpus import Kind
from evaltools.corpus.folding import folded
from evaltools.kernels.word_alignment import align_symbols
from tests.slow import word_alignment
from tests.slow.trees import randoms


def flat(words: list[str]) -> Tree:
    n = len(words)
    kinds = (*[Kind.WORD] * n, Kind.PHRASE)
    return Tree((*words, "S"), (*[n] * n, -1), (*range(n), 0), (*range(1, n + 1), n), kinds)


def links(gold: str, test: str) -> list[tuple[int, int, str, int]]:
    found = align(flat(gold.split()), flat(test.split())).links
    return [(link.gold, link.test, str(link.how), link.characters) for link in found]


def folded_links(gold: str, test: str) -> list[tuple[int, int, str, int]]:
    """Return the links of words that are the same, beside words that are not."""
    assert links(gold, test) == []  # equal words need no links
    return links(f"{gold} qqq", f"{test} zzz")


def as_arrays(*sides: list[int] | np.ndarray) -> list[np.ndarray]:
    return [np.array(side, dtype=np.int32) for side in sides]


@given(randoms)
def test_links_are_those_of_the_slow_twin(random: Random):
    gold = [random.choice(word_alignment.FORMS) for _ in range(random.randint(1, 8))]
    if random.random() < 0.8:
        test = word_alignment.retokenised(random, gold)
    else:
        test = [random.choice(word_alignment.FORMS) for _ in range(random.randint(1, 8))]
    is_same = [*map(folded, gold)] == [*map(folded, test)]
    expected = () if is_same else word_alignment.links(gold, test)
    assert align(flat(gold), flat(test)).links == expected


def partners(a: list[int] | np.ndarray, b: list[int] | np.ndarray, *, words: bool) -> np.ndarray:
    """Align symbols; words are the same when folded if they leave the same remainder by 100,000."""
    one, other = as_arrays(a, b)
    partner = np.zeros(len(one), dtype=np.int32)
    align_symbols(one, other, one % 100_000, other % 100_000, words, partner)
    return partner


@given(st.lists(st.integers(0, 3), max_size=9), st.lists(st.integers(0, 3), max_size=9))
def test_characters_are_aligned_at_least_cost(a: list[int], b: list[int]):
    found = {i: j for i, j in enumerate(partners(a, b, words=False).tolist()) if j >= 0}
    assert found == word_alignment.align(a, b)


@given(st.lists(st.sampled_from("aAbBc"), max_size=9), st.lists(st.sampled_from("aAbBc"), max_size=9))
def test_words_are_aligned_with_as_many_equal_ones_as_possible(a: list[str], b: list[str]):
    sides = [["aAbBc".index(word) // 2 + 100_000 * word.isupper() for word in side] for side in (a, b)]
    found = {i: j for i, j in enumerate(partners(*sides, words=True).tolist()) if j >= 0}
    assert found == word_alignment.align_words(a, b)


def monotone(partner: np.ndarray, a: np.ndarray, b: np.ndarray) -> bool:
    """Tell whether equal symbols are aligned in order."""
    aligned = np.flatnonzero(partner >= 0)
    return bool((np.diff(partner[aligned]) > 0).all() and (a[aligned] == b[partner[aligned]]).all())


@pytest.mark.parametrize("words", [False, True])
def test_monsters_are_aligned_window_by_window(words: bool):
    random = np.random.default_rng(1)
    a = random.integers(0, 5000, 20_000, dtype=np.int32)
    keep = random.random(len(a)) > 0.05
    b = np.concatenate((random.integers(5000, 9000, 40, dtype=np.int32), a[keep], [9999] * 3)).astype(np.int32)
    partner = partners(a, b, words=words)
    assert monotone(partner, a, b)
    assert np.count_nonzero(partner >= 0) >= 0.95 * np.count_nonzero(keep)


@pytest.mark.parametrize(("n", "m"), [(100, 60_000), (60_000, 100), (6000, 6000)])
def test_monsters_with_little_in_common(n: int, m: int):
    random = np.random.default_rng(2)
    a, b = random.permutation(n).astype(np.int32), random.permutation(m).astype(np.int32) + np.int32(n)
    places = np.sort(random.choice(min(n, m), 20, replace=False))
    far = places * (max(n, m) // min(n, m))
    (a if n < m else b)[places] = (b if n < m else a)[far]
    partner = partners(a, b, words=True)
    assert monotone(partner, a, b)
    assert np.count_nonzero(partner >= 0) == 20


def test_joined_and_split_words():
    assert links("I can not go", "I cannot go") == [
        (0, 0, "exact", 1),
        (1, 1, "characters", 3),
        (2, 1, "characters", 3),
        (3, 2, "exact", 2),
    ]
    assert links("I cannot go", "I can not go") == [
        (0, 0, "exact", 1),
        (1, 1, "characters", 3),
        (1, 2, "characters", 3),
        (2, 3, "exact", 2),
    ]
    assert links("yes , he said .", "yes, he said.") == [
        (0, 0, "characters", 3),
        (1, 0, "characters", 1),
        (2, 1, "exact", 2),
        (3, 2, "characters", 4),
        (4, 2, "characters", 1),
    ]


def test_case_and_escapes_fold():
    assert folded_links("-LRB- ``Yes'' -RRB- 1\\/2 --", '( "yes" ) 1/2 —') == [
        (0, 0, "folded", 1),
        (1, 1, "folded", 5),
        (2, 2, "folded", 1),
        (3, 3, "folded", 3),
        (4, 4, "folded", 1),
    ]
    assert folded_links("-LRB--lrb- .", "(( .") == [(0, 0, "folded", 2), (1, 1, "exact", 1)]
    assert folded_links("The end", "the END") == [(0, 0, "folded", 3), (1, 1, "folded", 3)]


def test_equal_words_are_aligned_before_folded_ones():
    assert links("The the", "the x") == [(1, 0, "exact", 3)]
    assert links("( G -RRB- [ h ]", "[ g ] [ H ]")[-3:] == [(3, 3, "exact", 1), (4, 4, "folded", 1), (5, 5, "exact", 1)]


@pytest.mark.parametrize(
    ("gold", "test"),
    [
        ("a dog", "x cat"),  # one letter of three
        ("x of y", "x to y"),  # half of the shorter word is not more than half of it
        ("go a way", "go cat way"),  # all of the shorter word, but not half of the longer one
    ],
)
def test_unrelated_words_are_not_aligned_by_an_accidental_letter(gold: str, test: str):
    assert all(how == "exact" for _, _, how, _ in links(gold, test))


def test_half_of_each_word_must_be_aligned_in_all():
    assert links("x yz", "x xyz") == [(0, 0, "exact", 1), (1, 1, "characters", 2)]
    assert links("x xylophone y", "x phone y") == [(0, 0, "exact", 1), (1, 1, "characters", 5), (2, 2, "exact", 1)]
    assert links("x xylophonist y", "x phon y") == [(0, 0, "exact", 1), (2, 2, "exact", 1)]
    assert links("can not", "canopy") == [(0, 0, "characters", 3)]


def test_what_both_begin_or_end_with_is_aligned_first():
    assert links("a b", "a a b b") == [(0, 0, "exact", 1), (1, 3, "exact", 1)]


def test_words_that_are_not_ascii():
    assert folded_links("Straße … naïve", "STRASSE ... NAI\u0308VE") == [
        (0, 0, "folded", 7),
        (1, 1, "folded", 3),
        (2, 2, "folded", 5),
    ]
    assert folded_links("\ud800a", "\ud800A") == [(0, 0, "folded", 2)]


def test_equal_words_and_missing_trees_have_no_links():
    assert links("a b", "a b") == links("a b", "") == []
