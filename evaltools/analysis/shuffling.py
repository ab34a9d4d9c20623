"""Shuffling: which sums of counts come about when a coin decides whose sentence is whose.

Whether a sentence changes sides is one bit, so all shuffles together are a matrix of bits times the differences of the
counts. Every column sees the same bits, and so does every pair of parsers that is compared: one matrix serves them all.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import SEED

__all__ = ["ITERATIONS", "moved_sums", "shuffled_sums"]

ITERATIONS = 10_000
"""Shuffles, as in the paper on TedEval."""

_BLOCK = 2_000_000
"""Most entries of the matrix of swaps that are held at once."""


def _swaps(n: int, iterations: int, seed: int, block: int) -> Iterator[tuple[slice, NDArray[np.uint8]]]:
    """Yield blocks of the matrix of swaps, 0 or 1; where it is cut does not change it."""
    generator = np.random.default_rng(seed)
    n_words = (n + 63) // 64
    step = max(1, block // max(n, 1))
    for first in range(0, iterations, step):
        rows = min(step, iterations - first)
        drawn = generator.integers(0, 1 << 64, size=(rows, n_words), dtype=np.uint64).astype("<u8")  # any machine's
        yield slice(first, first + rows), np.unpackbits(drawn.view(np.uint8), axis=1, count=n)


def moved_sums(
    differences: NDArray[np.float64], iterations: int = ITERATIONS, seed: int = SEED, *, block: int = _BLOCK
) -> NDArray[np.float64]:
    """Sum differences of counts over random halves of the sentences.

    Parameters
    ----------
    differences : ndarray of float64, shape (sentences, columns)
        Counts of the one parser minus those of the other, of any number of pairs side by side.
    iterations : int
        How many shuffles.
    seed : int
        The same seed and number of sentences give the same halves.
    block : int
        Most entries of the matrix of swaps to hold at once; has no influence on the result.

    Returns
    -------
    ndarray of float64, shape (iterations, columns)
        What the one loses and the other gains.
    """
    moved = np.zeros((iterations, differences.shape[1]))
    touched = np.flatnonzero(differences.any(axis=1))  # a swap of equal counts changes nothing
    if len(touched):
        few = len(touched) < len(differences) / 2
        chosen = np.ascontiguousarray(differences[touched]) if few else differences
        for rows, bits in _swaps(len(differences), iterations, seed, block):
            moved[rows] = (bits[:, touched] if few else bits).astype(np.float64) @ chosen
    return moved


def shuffled_sums(
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    iterations: int = ITERATIONS,
    seed: int = SEED,
    *,
    block: int = _BLOCK,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum the counts of two parsers after swapping those of random sentences.

    Parameters
    ----------
    one, other : ndarray of float64, shape (sentences, columns)
        Their counts of the same sentences.
    iterations, seed, block
        As for :func:`moved_sums`.

    Returns
    -------
    one, other : ndarray of float64, shape (iterations, columns)
    """
    moved = moved_sums(one - other, iterations, seed, block=block)
    return one.sum(axis=0) - moved, other.sum(axis=0) + moved
