"""Keys, sketches and alignment of sentences, against slow code."""

from __future__ import annotations

import itertools
from random import Random

import numpy as np
from hypothesis import given, strategies as st

from evaltools.kernels import sentence_alignment as kernel, sentence_alignment as sketches
from tests.slow import sentences as slow

words = st.lists(st.text(st.sampled_from("abcé.,日"), min_size=1, max_size=6), max_size=40)
corpora = st.lists(words, max_size=8)


def columns(corpus: list[list[str]]) -> tuple[np.ndarray, ...]:
    forms = sorted({word for sentence in corpus for word in sentence}) or ["a"]
    number = {word: place for place, word in enumerate(forms)}
    encoded = [form.encode() for form in forms]
    return sketches.describe_sentences(
        np.array([number[word] for sentence in corpus for word in sentence], np.int32),
        np.cumsum([0, *map(len, corpus)]).astype(np.int64),
        np.frombuffer(b"".join(encoded), np.uint8).copy(),
        np.cumsum([0, *map(len, encoded)]).astype(np.int64),
        np.array([any(map(str.isalnum, form)) for form in forms]),
    )


def described(corpus: list[list[str]]) -> list[tuple[int, list[int], list[int]]]:
    return [
        slow.describe([word.encode() for word in sentence], [any(map(str.isalnum, word)) for word in sentence])
        for sentence in corpus
    ]


@given(corpora)
def test_keys_and_sketches(corpus: list[list[str]]):
    keys, by_word, by_trigram = (column.tolist() for column in columns(corpus))
    assert list(zip(keys, by_word, by_trigram, strict=True)) == described(corpus)


@given(words, st.randoms())
def test_a_key_does_not_depend_on_tokenisation(sentence: list[str], random: Random):
    text = "".join(sentence)
    cuts = sorted(random.sample(range(1, len(text)), random.randint(0, len(text) - 1))) if len(text) > 1 else []
    other = [text[a:b] for a, b in itertools.pairwise([0, *cuts, len(text)])] if text else []
    keys, _, by_trigram = columns([sentence, other])
    assert keys[0] == keys[1]
    assert by_trigram[0].tolist() == by_trigram[1].tolist()


@given(corpora, corpora)
def test_weights(first: list[list[str]], second: list[list[str]]):
    pairs = list(itertools.product(range(len(first)), range(len(second))))
    places = np.array(pairs, np.int64).reshape(-1, 2)
    found = sketches.weights(places[:, 0].copy(), places[:, 1].copy(), *columns(first), *columns(second))
    one, other = described(first), described(second)
    assert found.tolist() == [slow.weight(one[i], other[j]) for i, j in pairs]


@given(st.lists(st.integers(0, 30), max_size=40))
def test_longest_increasing(values: list[int]):
    places = kernel.longest_increasing(np.array(values, np.int64)).tolist()
    assert places == sorted(set(places))
    chosen = [values[place] for place in places]
    assert chosen == sorted(set(chosen))
    assert len(chosen) == slow.longest_increasing(values)


@st.composite
def sides(draw: st.DrawFn) -> tuple[list[list[str]], list[list[str]]]:
    """Two corpora that share sentences, some of them changed."""
    known = draw(st.lists(words, min_size=1, max_size=5))
    some = st.lists(st.sampled_from(known), max_size=8)
    first, second = draw(some), draw(some)
    changed = st.lists(st.booleans(), min_size=len(second), max_size=len(second))
    second = [[*s, "b"] if c else s for s, c in zip(second, draw(changed), strict=True)]
    return first, second


@given(sides())
def test_what_lies_between_pairs_is_aligned_as_heavily_as_possible(pair: tuple[list[list[str]], list[list[str]]]):
    first, second = pair
    arrays = *columns(first), *columns(second)
    one, other = described(first), described(second)
    expected = slow.best([[slow.weight(a, b) for b in other] for a in one], len(second))
    partner = np.full(len(first), -1, np.int64)
    large = kernel.fill_gaps(partner, *arrays, 0, len(first), 0, len(second), 1000)
    assert len(large) == 0
    assert partner.tolist() == expected
    partner[:] = -1
    kernel.slide(partner, *arrays, 0, len(first), 0, len(second))
    assert partner.tolist() == expected  # shorter than the window
    if first and second:
        partner[:] = -1
        large = kernel.fill_gaps(partner, *arrays, 0, len(first), 0, len(second), 0)
        assert large.tolist() == [[0, len(first), 0, len(second)]]


@given(st.lists(st.integers(1, 3), max_size=12), st.lists(st.integers(1, 3), max_size=12), st.randoms())
def test_neighbours_of_pairs(first: list[int], second: list[int], random: Random):
    partner = [-1] * len(first)
    n = random.randint(0, min(len(first), len(second)))
    chosen = (sorted(random.sample(range(len(side)), n)) for side in (first, second))
    for i, j in zip(*chosen, strict=True):
        partner[i] = j
    found = np.array(partner, np.int64)
    ends = 0, len(first), 0, len(second)
    kernel.extend(found, np.array(first, np.uint64), np.array(second, np.uint64), *ends)
    assert found.tolist() == slow.extended(partner, first, second)
