"""Values put in order: equal ones share a code, a rank, or stand in the order given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["RankedValues"]

_DIGITS = 12
"""Sums of similarities differ in their last bits with the order of addition; values equal so far are equal."""


@dataclass(frozen=True, slots=True)
class RankedValues:
    """A ranking of n things by a value, the lowest first.

    Parameters
    ----------
    codes : ndarray of int32, shape (n,)
        Numbers of the different values, from 0, the lowest.
    sizes : ndarray of int64, shape (codes,)
        How many things have each.
    """

    codes: NDArray[np.int32]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, values: ArrayLike) -> RankedValues:
        """Rank values, none of them NaN; those that are equal to 12 digits after the point are equal."""
        from evaltools.kernels.rankings import code_values

        rounded = np.round(np.asarray(values, dtype=np.float64), _DIGITS)
        return cls(*code_values(rounded, np.unique(rounded)))

    def mean_ranks(self) -> NDArray[np.float64]:
        """Return the rank of every thing, from 1, shape (n,); equal ones share the mean of their ranks."""
        ends = np.cumsum(self.sizes)
        ranks: NDArray[np.float64] = (ends - (self.sizes - 1) / 2)[self.codes]
        return ranks

    def order(self, among: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Return the things in order, shape (n,); equal ones as they stand in `among`, or as they are given."""
        from evaltools.kernels.rankings import place_codes

        things = np.arange(len(self.codes), dtype=np.int32) if among is None else among
        ordered: NDArray[np.int32] = place_codes(self.codes, self.sizes, things)
        return ordered

    def places(self) -> NDArray[np.int64]:
        """Return the place of every thing in :meth:`order`, from 0, shape (n,)."""
        places = np.empty(len(self.codes), dtype=np.int64)
        places[self.order()] = np.arange(len(self.codes))
        return places

    def tied_pairs(self) -> int:
        """Count pairs of equal things."""
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    def against(self, other: RankedValues) -> tuple[int, int]:
        """Compare with another ranking of the same things.

        Parameters
        ----------
        other : RankedValues
            The other ranking.

        Returns
        -------
        discordant : int
            Pairs that the two put in opposite order.
        tied : int
            Pairs that are equal in both.
        """
        from evaltools.kernels.rankings import count_inversions

        order = self.order(other.order())
        one, two = self.codes[order], other.codes[order]
        discordant = int(count_inversions(two, len(other.sizes)))
        starts = np.flatnonzero(np.diff(one, prepend=-1) | np.diff(two, prepend=-1))
        sizes = np.diff(starts, append=len(one))
        return discordant, int((sizes * (sizes - 1) // 2).sum())
