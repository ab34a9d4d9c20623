"""Rankings of items by a value, with ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["RankedValues"]

_DIGITS = 12
"""Sums of similarities differ in their last bits with the order of addition; values equal so far are equal."""


@dataclass(frozen=True, slots=True)
class RankedValues:
    """A ranking of n items by a value, the lowest first."""

    codes: NDArray[np.int32]  # Numbers of the different values, from 0, the lowest
    sizes: NDArray[np.int64]  # Number of items with each

    @classmethod
    def of(cls, values: ArrayLike) -> RankedValues:
        """Rank values, none of them NaN; those that are equal to 12 digits after the point are equal."""
        from evaltools.kernels.rankings import code_values

        rounded = np.round(np.asarray(values, dtype=np.float64), _DIGITS)
        return cls(*code_values(rounded, np.unique(rounded)))

    @property
    def is_mostly_tied(self) -> bool:
        """Whether most pairs of items are equal, or all items have one of two values, as by a metric of yes or no."""
        n = len(self.codes)
        return len(self.sizes) < min(n, 3) or 4 * self.tied_pairs() > n * (n - 1)

    def mean_ranks(self) -> NDArray[np.float64]:
        """Return the rank of every item, from 1, shape (n,); equal ones share the mean of their ranks."""
        ends = np.cumsum(self.sizes)
        ranks: NDArray[np.float64] = (ends - (self.sizes - 1) / 2)[self.codes]
        return ranks

    def order(self, among: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Return the items in order, shape (n,); equal ones in the order of `among`, by default that of the values."""
        from evaltools.kernels.rankings import place_codes

        items = np.arange(len(self.codes), dtype=np.int32) if among is None else among
        ordered: NDArray[np.int32] = place_codes(self.codes, self.sizes, items)
        return ordered

    def positions(self) -> NDArray[np.int64]:
        """Return the position of every item in :meth:`order`, from 0, shape (n,)."""
        indices = np.empty(len(self.codes), dtype=np.int64)
        indices[self.order()] = np.arange(len(self.codes))
        return indices

    def tied_pairs(self) -> int:
        """Count pairs of equal items."""
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    def against(self, ranking: RankedValues) -> tuple[int, int]:
        """Return the number of pairs in opposite order in another ranking, and of pairs tied in both."""
        from evaltools.kernels.rankings import count_inversions

        order = self.order(ranking.order())
        codes, ranking_codes = self.codes[order], ranking.codes[order]
        discordant = int(count_inversions(ranking_codes, len(ranking.sizes)))
        starts = np.flatnonzero(np.diff(codes, prepend=-1) | np.diff(ranking_codes, prepend=-1))
        sizes = np.diff(starts, append=len(codes))
        return discordant, int((sizes * (sizes - 1) // 2).sum())
