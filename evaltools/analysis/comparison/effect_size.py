"""Effect size of a difference. A p-value shrinks as the sample grows; the effect size does not.

Two sizes, both on the scores of single sentences. Cohen's d_z is the mean of the differences over their standard
deviation, the size that belongs to a paired comparison. Scores of sentences lie between 0 and 1, many of them at 1 and
many pairs equal, so that mean and deviation describe their distribution badly. So reports show d_z with the shares of
sentences on which the first parser is better, both are equal, and the second is better.

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
    """The effect size of the difference of two parsers, on sentence scores."""

    n: int  # Sentences on which both have a score
    mean_difference: float  # Mean of the first score minus the second; NaN without sentences
    deviation: float  # Standard deviation of these differences, over n − 1; NaN below two sentences
    better: int  # Number of sentences on which the first parser is better, equal, worse
    equal: int
    worse: int

    @property
    def d_z(self) -> float:
        """Mean over deviation; NaN where the deviation is 0 or unknown."""
        return self.mean_difference / self.deviation if self.deviation > EQUAL else float("nan")

    def explain_sign(self, difference: float, figure: str = "pooled") -> str:
        """Explain why d_z has the other sign than the difference of the parsers' figures; empty if it has not.

        Examples
        --------
        >>> EffectSize(2, 0.1, 0.2, 1, 0, 1).explain_sign(-0.3)
        'd_z has the other sign than the difference: it weighs all sentences alike, the micro figure by their counts'
        """
        if not self.d_z * difference < 0:
            return ""
        text = "d_z has the other sign than the difference"
        return (
            f"{text}: it weighs all sentences alike, the micro figure by their counts" if figure == "pooled" else text
        )

    @property
    def superiority(self) -> float:
        """Probability that the first parser is better on a random sentence; a tie counts one half."""
        return (self.better + self.equal / 2) / self.n if self.n else float("nan")


def effect_size(
    scores_a: NDArray[np.float64], scores_b: NDArray[np.float64], *, higher_is_better: bool = True
) -> EffectSize:
    """Compute the effect size of the difference of two parsers.

    Examples
    --------
    >>> effect = effect_size(np.array([1.0, 0.8, 0.9, 1.0]), np.array([1.0, 0.6, 0.5, 1.0]))
    >>> effect.better, effect.equal, effect.worse, round(effect.d_z, 2), effect.superiority
    (2, 2, 0, 0.78, 0.75)
    """
    differences = scores_a - scores_b
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
