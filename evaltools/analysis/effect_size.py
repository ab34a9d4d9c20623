"""How large a difference is, which a p-value does not say: that grows surer with every sentence, whatever the size.

Two sizes, both on the scores of single sentences. Cohen's d_z is the mean of the differences over their standard
deviation, the size that belongs to a paired comparison. Scores of sentences lie between 0 and 1, many of them at 1 and
many pairs equal, so that mean and deviation say little of their shape: beside d_z stand the shares of sentences on
which the one is better, the two are equal, and the other is better.

References
----------
J. Cohen (1988). Statistical power analysis for the behavioral sciences, 2nd edition. Erlbaum. Section 2.3.5.
D. Lakens (2013). Calculating and reporting effect sizes to facilitate cumulative science. Frontiers in Psychology 4.
R. J. Grissom and J. J. Kim (2012). Effect sizes for research, 2nd edition. Routledge. Chapter 5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["EQUAL", "EffectSize", "effect_size"]

EQUAL = 1e-9
"""Scores closer than this are equal: sums of similarities differ in their last bits with the order of addition."""


@dataclass(frozen=True, slots=True)
class EffectSize:
    """How large the difference of two parsers is, on sentence scores.

    Parameters
    ----------
    n : int
        Sentences on which both have a score.
    mean_difference : float
        Mean of the one's score minus the other's; NaN where there is no sentence.
    deviation : float
        Standard deviation of these differences, over n − 1; NaN below two sentences.
    better, equal, worse : int
        On how many sentences the one is better, equal, worse.
    """

    n: int
    mean_difference: float
    deviation: float
    better: int
    equal: int
    worse: int

    @property
    def d_z(self) -> float:
        """Mean over deviation; NaN where the deviation is 0 or unknown."""
        return self.mean_difference / self.deviation if self.deviation > EQUAL else float("nan")

    @property
    def superiority(self) -> float:
        """Chance that the one is better on a sentence drawn at random, a tie counted as half a chance."""
        return (self.better + self.equal / 2) / self.n if self.n else float("nan")


def effect_size(one: NDArray[np.float64], other: NDArray[np.float64], *, higher_is_better: bool = True) -> EffectSize:
    """Measure how far two parsers are apart, sentence by sentence.

    Parameters
    ----------
    one, other : ndarray of float64, shape (sentences,)
        Their scores of the same sentences; NaN where undefined. Sentences without either score are left out.
    higher_is_better : bool
        False for counts of errors.

    Examples
    --------
    >>> found = effect_size(np.array([1.0, 0.8, 0.9, 1.0]), np.array([1.0, 0.6, 0.5, 1.0]))
    >>> found.better, found.equal, found.worse, round(found.d_z, 2), found.superiority
    (2, 2, 0, 0.78, 0.75)
    """
    differences = one - other
    differences = differences[~np.isnan(differences)]
    n = len(differences)
    above, below = (int(np.count_nonzero(side > EQUAL)) for side in (differences, -differences))
    better, worse = (above, below) if higher_is_better else (below, above)
    return EffectSize(
        n=n,
        mean_difference=float(differences.mean()) if n else float("nan"),
        deviation=float(differences.std(ddof=1)) if n > 1 else float("nan"),
        better=better,
        equal=n - better - worse,
        worse=worse,
    )
