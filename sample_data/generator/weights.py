"""Tables of whole-number weights for an averaged perceptron over numbered features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
BITS = 20


def slots(keys: Numbers) -> Numbers:
    """Return the place of every feature in a table of 2²⁰ rows: Knuth's multiplicative hashing, the same everywhere."""
    mixed = keys.astype(np.uint64) * np.uint64(11400714819323198485)
    return (mixed >> np.uint64(64 - BITS)).astype(np.int64)


class Weights:
    """Weights with what their average needs (Collins, 2002), kept in integers as weight × steps − correction.

    Parameters
    ----------
    shape
        Of the table: features, and classes where there are several.
    """

    def __init__(self, *shape: int) -> None:
        self.now = np.zeros(shape, dtype=np.int64)
        self.correction = np.zeros(shape, dtype=np.int64)
        self.steps = 1

    def change(self, place: tuple[Numbers, ...] | Numbers, by: int) -> None:
        """Add to the weights at the places given, as often as they are named."""
        np.add.at(self.now, place, by)
        np.add.at(self.correction, place, by * self.steps)

    def average(self) -> None:
        """Replace the weights by their average (times the number of steps)."""
        self.now = self.now * self.steps - self.correction
